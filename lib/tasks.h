/* SPDX-License-Identifier: MIT */
/* Immediate tasks: small records that may run at any time, on any worker, in any order, and that may spawn more tasks.
 * Tasks do not depend on each other. The call returns when no task is left.
 *
 * The runtime's policy balances them. Policies with deques run each worker's own tasks last in, first out. The memory
 * of their queues is bounded by the depth of the task tree times its width. Policies with work queues run tasks in
 * rounds: each round runs the tasks that the last one made. They need memory for the widest round. */
#ifndef GWS_TASKS_H
#define GWS_TASKS_H

#include "runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A worker, as a running task sees it. */
struct gws_task_worker;

/* Runs count tasks (1 .. batch). They lie one behind the other from task on. Each takes gws_tasks.bytes rounded up to a
 * multiple of 8, and is aligned to 8. They are copies, valid until the function returns. Only one thread at a time runs
 * as worker (from 0), so it may index scratch space. */
typedef void gws_task_run(void *context, struct gws_task_worker *self, uint32_t worker, const void *task,
                          uint32_t count);

/* The tasks of one call. */
struct gws_tasks {
    uint32_t bytes;    /* of one task, 1 .. 4096 */
    uint32_t batch;    /* maximum number of tasks for one call of run, at most 256; 0: one */
    uint64_t capacity; /* initial capacity of a worker's queue in tasks; 0: the default. A queue that cannot grow
                          reports GWS_NO_MEMORY. */
    const void *root;  /* the first tasks: roots times bytes rounded up to a multiple of 8 */
    uint64_t roots;    /* 0 is legal: no task runs */
    gws_task_run *run;
    void *context;
};

/* Runs the tasks and all that they spawn. Returns when no task is left; everything that the tasks wrote is then visible
 * to the caller. It must not be called from inside a task or a loop body. Errors: GWS_INVALID (sizes out of bounds, no
 * run function); GWS_NO_MEMORY if a queue could not grow: some tasks have then not run, and the caller cannot know
 * which. gws_runtime_stats() has the statistics. */
GWS_API gws_status gws_tasks_run(struct gws_runtime *runtime, const struct gws_tasks *tasks);

/* Spawns a copy of a task. Only a running task may call it, with its own self. It always succeeds for the caller: if
 * memory is short, gws_tasks_run() returns GWS_NO_MEMORY. A few nanoseconds. */
GWS_API void gws_spawn(struct gws_task_worker *self, const void *task);

/* The same without the copy (Dinan et al., SC 2009, section 3: creation in place). The first call returns the slot for
 * the next task (never NULL, aligned to 8). The second call spawns the task in that slot. No other call with self may
 * come between the two. */
GWS_API void *gws_spawn_reserve(struct gws_task_worker *self);
GWS_API void gws_spawn_commit(struct gws_task_worker *self);

#ifdef __cplusplus
}
#endif
#endif
