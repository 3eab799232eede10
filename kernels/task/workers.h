/* SPDX-License-Identifier: MIT */
/* The C program for the source of a task (task.h), for threads beside devices: gws_device_task_side.run. Include this
 * file behind the library's header and behind
 *
 *     #define TASK_SOURCE "queens.cl"
 *
 * and give gws_device_tasks_run_sides() the function task_run_on_worker() with a context of one zeroed struct
 * task_thread for each worker, whose state.data and state.more are set. The sums and maxima of the threads remain
 * there. */
#ifndef GWS_KERNELS_TASK_WORKERS_H
#define GWS_KERNELS_TASK_WORKERS_H

#define GWS_HOST_WORKER
#include "../portability/host.h"
/* clang-format off */
#include "task_words.h"
#include "task.h"
#include TASK_SOURCE
/* clang-format on */

struct task_thread {
    struct task_state state;
    char apart[128]; /* the states of two workers are not in the same cache line */
};

#define TASK_WORDS_ON_HOST ((TASK_LENGTH + TASK_RANGE + 1) / 2 * 2)

/* A gws_task_run: creates the children of tasks, and spawns those that have children. */
static void task_run_on_worker(void *context, struct gws_task_worker *self, uint32_t worker, const void *task,
                               uint32_t count)
{
    struct task_thread *threads = context;
    const u32 *parent = task;
    for (; count > 0; count--, parent += TASK_WORDS_ON_HOST)
        for (u32 i = parent[TASK_LENGTH + TASK_RANGE_FIRST]; i < parent[TASK_LENGTH + TASK_RANGE_END]; i++) {
            u32 child[TASK_WORDS_ON_HOST] = {0};
            child[TASK_LENGTH + TASK_RANGE_END] = task_child(&threads[worker].state, parent, i, child);
            if (child[TASK_LENGTH + TASK_RANGE_END] > 0) gws_spawn(self, child);
        }
}

#endif
