/* SPDX-License-Identifier: MIT */
/* Immediate tasks: small records that may run at any time, on any worker, in any order, and that may spawn more tasks.
 * Tasks do not depend on each other. The call returns when no task is left.
 *
 * The runtime's policy balances the tasks. Policies with deques run each worker's own tasks last in, first out. The
 * memory of their queues is bounded by the depth of the task tree times its width. Policies with work queues run tasks
 * in rounds. Each round runs the tasks that the previous round spawned. These policies need memory for the largest
 * round. */
#ifndef GWS_TASKS_H
#define GWS_TASKS_H

#include "runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The worker that runs a task. */
struct gws_task_worker;

/* Runs count tasks (1 .. batch). The tasks are consecutive in memory from task on. Each task takes gws_tasks.bytes
 * rounded up to a multiple of 8, and is aligned to 8. The tasks are copies, valid until the function returns. Only one
 * thread at a time runs as worker (from 0), so worker may index scratch space. */
typedef void gws_task_run(void *context, struct gws_task_worker *self, uint32_t worker, const void *task,
                          uint32_t count);

/* The tasks of one call. */
struct gws_tasks {
    uint32_t bytes;    /* size of one task, 1 .. 4096 */
    uint32_t batch;    /* maximum number of tasks for one call of run, at most 256; 0: one */
    uint64_t capacity; /* initial capacity of a worker's queue in tasks; 0: the default. A queue that cannot grow
                          reports GWS_NO_MEMORY. */
    const void *root;  /* the first tasks, each of bytes rounded up to a multiple of 8 */
    uint64_t roots;    /* number of first tasks; 0 is legal: no task runs */
    gws_task_run *run;
    void *context;
};

/* Runs the tasks and all that they spawn. Returns when no task is left. Everything that the tasks wrote is then visible
 * to the caller. Errors: GWS_INVALID (sizes out of bounds, no run function); GWS_BUSY (see runtime.h); GWS_NO_MEMORY if
 * a queue could not grow, and GWS_CANCELLED (gws_options.cancel): some tasks have then not run, and the caller cannot
 * know which. gws_runtime_stats() returns the statistics. */
GWS_API gws_status gws_tasks_run(struct gws_runtime *runtime, const struct gws_tasks *tasks);

/* Spawns a copy of a task. Only a running task may call it, with its own self. The call always succeeds. If memory is
 * short, gws_tasks_run() returns GWS_NO_MEMORY. Cost: a few nanoseconds. */
GWS_API void gws_spawn(struct gws_task_worker *self, const void *task);

/* Spawn a task without the copy (Dinan et al., SC 2009, section 3: creation in place). The first call returns the slot
 * for the next task (never NULL, aligned to 8). The second call spawns the task in that slot. No other call with self
 * may come between the two. */
GWS_API void *gws_spawn_reserve(struct gws_task_worker *self);
GWS_API void gws_spawn_commit(struct gws_task_worker *self);

#ifdef __cplusplus
}
#endif
#endif
