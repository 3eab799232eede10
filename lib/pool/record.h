/* SPDX-License-Identifier: MIT */
/* The recording of immediate tasks to a file (gws_tasks_record()). */
#ifndef GWS_POOL_RECORD_H
#define GWS_POOL_RECORD_H

#include <stdint.h>

struct gws__record;
struct gws_task_worker;
struct gws__pool;

/* Words that the queues hold behind a recorded task: the segment and the number of its line. */
enum { gws__record_words = 2 };

/* Numbers a new task, whose slot in a queue is `slot`. The running task of the worker is its parent. */
void gws__record_spawn(struct gws_task_worker *self, uint64_t *slot);

/* Runs tasks one after another, and records each one. */
void gws__record_run(struct gws_task_worker *self, const uint64_t *task, uint32_t count);

/* Removes what a runtime has recorded. */
void gws__record_discard(struct gws__pool *pool);

#endif
