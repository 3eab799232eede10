/* SPDX-License-Identifier: MIT */
/* The tasks with which four-in-a-row begins on a device (connect_four_device.c): the position, or for a static schedule
 * the tasks of a level, which the calling thread creates. Include this file behind kernels/task/workers.h. */
#ifndef GWS_CONNECT_FOUR_ROOTS_H
#define GWS_CONNECT_FOUR_ROOTS_H

#include <string.h>

#include "../kernels/task/connect_four_words.h"
#include "../lib/parallel.h"
#include "connect_four.h"

enum { connect_root_words = CONNECT_LENGTH + 1, connect_root_bytes = connect_root_words * sizeof(uint32_t) };

/* task: `count` tasks, in memory for `capacity`. creator: the state of the thread that created `created` positions. */
struct connect_roots {
    uint32_t *task;
    uint64_t count, capacity, created;
    struct task_state creator;
};

/* Begins with one task. Errors: GWS_NO_MEMORY. */
static inline gws_status connect_roots_open(struct connect_roots *roots, struct gws_runtime *runtime,
                                            const uint32_t *task)
{
    *roots = (struct connect_roots){.task = gws_allocate(runtime, 1, connect_root_bytes), .count = 1, .capacity = 1};
    if (!roots->task) return GWS_NO_MEMORY;
    memcpy(roots->task, task, connect_root_bytes);
    return GWS_OK;
}

static inline void connect_roots_clear(struct connect_roots *roots, struct gws_runtime *runtime)
{
    gws_release(runtime, roots->task, roots->capacity, connect_root_bytes);
    roots->task = NULL;
}

/* Replaces the tasks by their children that have children. */
static inline gws_status connect_roots_next(struct connect_roots *roots, struct gws_runtime *runtime)
{
    const struct connect_roots above = *roots;
    roots->capacity = above.count * GWS_CONNECT_FOUR_COLUMNS;
    uint32_t *child = gws_allocate(runtime, roots->capacity, connect_root_bytes);
    if (!child) {
        *roots = above;
        return GWS_NO_MEMORY;
    }
    roots->task = child;
    roots->count = 0;
    for (const uint32_t *task = above.task; task < above.task + above.count * connect_root_words;
         task += connect_root_words) {
        roots->created += task[CONNECT_LENGTH];
        for (uint32_t i = 0; i < task[CONNECT_LENGTH]; i++) {
            child = roots->task + roots->count * connect_root_words;
            child[CONNECT_LENGTH] = task_child(&roots->creator, task, i, child);
            roots->count += child[CONNECT_LENGTH] > 0;
        }
    }
    gws_release(runtime, above.task, above.capacity, connect_root_bytes);
    return GWS_OK;
}

/* Creates levels until there is a task for each worker, but leaves the device at least one. creator.data and
 * creator.more are set. Errors: GWS_NO_MEMORY. */
static inline gws_status connect_roots_expand(struct connect_roots *roots, struct gws_runtime *runtime,
                                              uint32_t workers)
{
    gws_status status = GWS_OK;
    for (uint32_t level = 0; level + 2 < roots->creator.more[CONNECT_AHEAD] && status == GWS_OK; level++) {
        if (roots->count == 0 || roots->count >= workers) break;
        status = connect_roots_next(roots, runtime);
    }
    return status;
}

#endif
