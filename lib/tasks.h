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

/* Record tasks for `gsim recorded`, which simulates them on other machines. gws_tasks_record() begins; the tasks of
 * the following calls then run one at a time, without batches, and are timed. gws_tasks_record_end() writes the file,
 * whole or not at all: a line "task PARENT NS" for each task, in the order in which the tasks were spawned. PARENT is
 * the line of the task that spawned it, 0 for first tasks; NS is its time without that of recording. *tasks (NULL is
 * allowed) receives their number. Tasks of ranks, of devices and of loops are not recorded. gws_runtime_close()
 * discards an unfinished recording.
 *
 * Cost: some 0.1 microseconds for each task, and a lock for each spawned one, which all workers share. A line takes 32
 * bytes of the file. Memory: 16 bytes for each task that has not ended, and at worst 2 KiB, when the tasks around it
 * have. Errors: GWS_BUSY (see runtime.h), GWS_INVALID (tasks are recorded already, or not at all; no task has run, or
 * some were cancelled), GWS_SYSTEM (path cannot be written, or is no file), GWS_NO_MEMORY. The recording is over after
 * any call of gws_tasks_record_end(). */
GWS_API gws_status gws_tasks_record(struct gws_runtime *runtime, const char *path, struct gws_diagnostic *where);
GWS_API gws_status gws_tasks_record_end(struct gws_runtime *runtime, uint64_t *tasks, struct gws_diagnostic *where);

#ifdef __cplusplus
}
#endif
#endif
