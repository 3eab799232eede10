/* SPDX-License-Identifier: MIT */
/* The search of a tree by the CPU's workers (uts.c), alone or beside devices (uts_device.c). */
#ifndef GWS_UTS_WORKERS_H
#define GWS_UTS_WORKERS_H

#include "../lib/tasks.h"
#include "sha1.h"
#include "uts_table.h"

/* A task: a node with children, in the words of kernels/task/uts.cl. */
struct gws__uts_task {
    alignas(8) uint32_t state[gws__sha1_words];
    uint32_t depth;
    uint32_t children, first; /* those that have not been created: first .. children - 1 */
};

struct gws__uts_worker; /* the state of one worker */

struct gws__uts_workers {
    const struct gws__sha1 *hash;
    uint64_t repeat;
    const struct gws__uts_table *table;
    uint32_t batch;
    struct gws__uts_worker *state;
    void *memory;
    uint64_t bytes;
};

/* Makes the root of a tree, and its table, which the caller clears. Errors: those of gws__uts_check(),
 * GWS_NO_MEMORY. */
gws_status gws__uts_root(struct gws_runtime *runtime, const struct gws_uts_tree *tree, struct gws__uts_task *root,
                         struct gws__uts_table *table);

/* Opens the workers' state. options may be NULL. The caller closes the state, also after an error. Errors: GWS_INVALID
 * (an unknown hash), GWS_NO_MEMORY. */
gws_status gws__uts_workers_open(struct gws_runtime *runtime, const struct gws__uts_table *table,
                                 const struct gws_uts_options *options, struct gws__uts_workers *search);
void gws__uts_workers_close(struct gws_runtime *runtime, struct gws__uts_workers *search);

/* A gws_task_run for tasks of struct gws__uts_task. context: the struct gws__uts_workers. */
void gws__uts_workers_run(void *context, struct gws_task_worker *self, uint32_t worker, const void *task,
                          uint32_t count);

/* Adds what the workers counted. */
void gws__uts_workers_add(struct gws_runtime *runtime, const struct gws__uts_workers *search,
                          struct gws_uts_result *result);

/* Sums up the results of all ranks. transport may be NULL. */
void gws__uts_sum_ranks(struct gws_transport *transport, struct gws_uts_result *result);

#endif
