/* SPDX-License-Identifier: MIT */
/* Immediate tasks: small records that may run at any time, on any worker, in any order, and that make more of their
 * kind. Nothing depends on another task; when none is left, the call returns.
 *
 * The runtime's policy balances them. Policies with deques keep each worker's own tasks last in, first out, so that the
 * room they take is bounded by the depth of the tree of tasks times its width; policies of levels run them in rounds,
 * all tasks that one round made in the next, and need room for the widest. */
#ifndef GWS_TASKS_H
#define GWS_TASKS_H

#include "runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One worker, as a running task sees it. */
struct gws_task_worker;

/* Runs count tasks (1 .. batch) that lie one behind the other from task on, each as many bytes as was said, rounded up
 * to a multiple of 8, and aligned to 8. They are copies: they stay until run returns, and nobody reads them after.
 * worker (from 0) has one runner at a time, so it may index scratch space. */
typedef void gws_task_run(void *context, struct gws_task_worker *self, uint32_t worker, const void *task,
                          uint32_t count);

/* The tasks of one call. */
struct gws_tasks {
    uint32_t bytes;   /* of one task, 1 .. 4096 */
    uint32_t batch;   /* so many are handed to run at once where there are as many, at most 256; 0: one */
    uint64_t room;    /* tasks of one worker to make room for at first; 0: chosen. More grow or are reported. */
    const void *root; /* the first tasks, roots times bytes rounded up to a multiple of 8 */
    uint64_t roots;   /* 0 is legal: nothing runs */
    gws_task_run *run;
    void *context;
};

/* Runs the tasks and all that they spawn, and returns when none is left: what they wrote is then visible to the caller.
 * Must not be called from inside a task or a loop's body. Errors: GWS_INVALID (sizes out of bounds, no run), and
 * GWS_NO_MEMORY when a queue could not grow: then some tasks have not run, and which is not known. Statistics are
 * those of gws_runtime_stats(). */
GWS_API gws_status gws_tasks_run(struct gws_runtime *runtime, const struct gws_tasks *tasks);

/* Spawns a copy of the task at task. May be called from a running task only, with its own self. Never fails towards
 * its caller: when memory is short, gws_tasks_run() answers GWS_NO_MEMORY. A few nanoseconds. */
GWS_API void gws_spawn(struct gws_task_worker *self, const void *task);

/* The same without the copy: gws_spawn_reserve() answers where to write the next task (never NULL, aligned to 8),
 * gws_spawn_commit() spawns what was written there. Nothing else may be called with self in between. (Dinan et al.,
 * SC 2009, section 3: creation in place.) */
GWS_API void *gws_spawn_reserve(struct gws_task_worker *self);
GWS_API void gws_spawn_commit(struct gws_task_worker *self);

#ifdef __cplusplus
}
#endif
#endif
