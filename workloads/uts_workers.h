/* SPDX-License-Identifier: MIT */
/* The search of a tree by the CPU's workers (uts.c), alone or beside devices (uts_device.c); and what it shares with
 * the search in virtual time (uts_simulate.c): the children of many nodes are gathered into full lanes (sha1.h). */
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

/* The children of some nodes, the parents. */
struct gws__uts_gather {
    uint32_t parents, children;    /* numbers of entries */
    uint32_t depth[gws__sha1_row]; /* by parent: the depth of its children */
    struct gws__sha1_batch batch;
};

/* Adds children begin .. end - 1 of a node, which becomes the last parent. The caller has checked that they fit. */
static inline void gws__uts_gather(struct gws__uts_gather *gather, const struct gws__uts_table *table,
                                   const struct gws__uts_task *node, uint32_t begin, uint32_t end)
{
    struct gws__sha1_batch *batch = &gather->batch;
    struct gws__uts_row made;
    const struct gws__uts_row *row = gws__uts_row(table, node->depth + 1, &made);
    const uint32_t parent = gather->parents++;
    for (uint32_t k = 0; k < gws__sha1_words; k++) batch->parent[k][parent] = node->state[k];
    batch->low[parent] = row->low;
    batch->width[parent] = row->width;
    gather->depth[parent] = node->depth + 1;
    uint32_t *from = batch->from + gather->children, *number = batch->number + gather->children;
    for (uint32_t i = begin; i < end; i += gws__sha1_lanes)
        for (uint32_t k = 0; k < gws__sha1_lanes; k++) {
            from[i - begin + k] = parent;
            number[i - begin + k] = i + k;
        }
    gather->children += end - begin;
}

/* Hashes the children. Returns how many have children themselves: batch.listed. */
static inline uint32_t gws__uts_hash(struct gws__uts_gather *gather, const struct gws__sha1 *hash)
{
    for (uint32_t i = 0; i < gws__sha1_lanes; i++) gather->batch.from[gather->children + i] = gather->parents - 1;
    return hash->children(&gather->batch, gather->children);
}

/* Makes the task of a child that is listed. */
static inline void gws__uts_child(const struct gws__uts_gather *gather, const struct gws__uts_table *table,
                                  uint32_t child, struct gws__uts_task *node)
{
    struct gws__uts_row made;
    for (uint32_t k = 0; k < gws__sha1_words; k++) node->state[k] = gather->batch.child[k][child];
    node->depth = gather->depth[gather->batch.from[child]];
    node->children =
        gws__uts_children(gws__uts_row(table, node->depth, &made), gws__sha1_draw(node->state[gws__sha1_words - 1]));
    node->first = 0;
}

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
