/* SPDX-License-Identifier: MIT */
/* The state of Louvain and Leiden on threads.
 *
 * A level is a graph whose nodes are communities of the previous level. The nodes of the first level are the vertices.
 * Weights and their sums are integers, so the order in which workers add does not matter. */
#ifndef GWS_TRAVERSAL_COMMUNITIES_STATE_H
#define GWS_TRAVERSAL_COMMUNITIES_STATE_H

#include <stdatomic.h>

#define GWS_HOST_WORKER
#include "../../../kernels/portability/host.h"

#include "../../../kernels/graph/communities_rules.h"
#include "../../../lib/parallel.h"
#include "../../communities.h"
#include "row_sums.h"

enum { communities_grain = 4096, communities_chunk = 1024, communities_block = COMMUNITIES_BLOCK };

/* Rows of arcs. A directed graph has two: outgoing and incoming arcs. */
struct gws__rows {
    const uint64_t *offset;
    const uint32_t *target;
    const int32_t *weight; /* parallel to target; at most one of the three is not NULL */
    const float *real_weight;
    const uint64_t *sum;
};

struct gws__level {
    uint64_t nodes;
    struct gws__rows rows[2];
    uint32_t parts;  /* number of rows[] in use */
    double scale;    /* factor of real weights */
    bool loops_once; /* true if a self-loop is one arc; it counts twice */
    /* The arrays of a level after the first, which it owns. */
    uint64_t arcs;
    uint64_t *offset;
    uint32_t *target;
    int32_t *weight; /* the weights, or NULL if their sum may exceed 2^31 - 1 */
    uint64_t *sum;   /* otherwise the weights */
};

/* The arrays by node belong to a level and are released before the next level needs them. Between its steps, degree[]
 * and degrees[] of a level serve as scratch. */
struct gws__communities {
    struct gws_runtime *runtime;
    const struct gws_graph *graph;
    double resolution;
    struct gws__level level;
    uint64_t inside;           /* sum of the weights within communities in both directions, when last computed */
    uint64_t total;            /* sum of the degrees of all nodes, the same on every level */
    uint32_t *node;            /* vertices entries, the result's array: the node of a vertex on this level */
    uint32_t *community;       /* vertices entries, the first `nodes` in use: a label, which is less than nodes */
    uint64_t entries;          /* of the three arrays below */
    _Atomic uint64_t *degree;  /* the sum of a node's weights; in the refinement, by label, of the part's members */
    _Atomic uint64_t *degrees; /* by label: sum of the members' degrees */
    uint32_t *refined;         /* the label in Leiden's refinement; on the first level this is node[] */
    uint32_t *next;            /* by block: the label that its node of the class will take, or GWS_NO_VERTEX */
    _Atomic uint16_t *flags;   /* by block: one bit for each node */
    uint32_t round, class;     /* round: counted over all levels; the classes depend on it */
    _Atomic uint64_t moves;
    struct gws__tables tables;
};

static inline uint64_t gws__weight(const struct gws__level *level, const struct gws__rows *rows, uint64_t arc)
{
    if (rows->sum) return rows->sum[arc];
    if (rows->weight) return (uint64_t)rows->weight[arc];
    return rows->real_weight ? (uint64_t)((double)rows->real_weight[arc] * level->scale + 0.5) : 1;
}

static inline uint64_t gws__row_arcs(const struct gws__level *level, uint64_t node)
{
    uint64_t arcs = 0;
    for (uint32_t part = 0; part < level->parts; part++)
        arcs += level->rows[part].offset[node + 1] - level->rows[part].offset[node];
    return arcs;
}

static inline uint64_t gws__blocks(uint64_t nodes)
{
    return (nodes + communities_block - 1) / communities_block;
}

/* Flags and degrees are read and written relaxed: the loops' barriers order the phases. */
static inline bool gws__has_flag(const struct gws__communities *run, uint64_t node)
{
    return atomic_load_explicit(&run->flags[node / communities_block], memory_order_relaxed) >>
               node % communities_block &
           1;
}

static inline void gws__set_flag(const struct gws__communities *run, uint64_t node)
{
    uint16_t bit = (uint16_t)(1U << node % communities_block);
    if (!gws__has_flag(run, node))
        atomic_fetch_or_explicit(&run->flags[node / communities_block], bit, memory_order_relaxed);
}

/* Sets the flags of all nodes. */
void gws__communities_set_flags(struct gws__communities *run, bool set);

/* Runs body over the nodes. Errors: GWS_CANCELLED. */
static inline gws_status gws__for_nodes(struct gws__communities *run, gws_body *body)
{
    const struct gws_loop loop = {.count = run->level.nodes,
                                  .body = body,
                                  .context = run,
                                  .grain = communities_grain,
                                  .chunk = communities_chunk};
    return gws_parallel_try(run->runtime, &loop);
}

/* Fills in the options and replaces 0 by the defaults. options may be NULL. Errors: GWS_INVALID, GWS_NEEDS_REVERSE. */
gws_status gws__communities_options(const struct gws_graph *graph, const struct gws_communities_options *options,
                                    struct gws_communities_options *all);

/* Returns the modularity from the sum of the weights within communities and the sum of modularity_square(). */
double gws__modularity(double resolution, uint64_t inside, uint64_t total, uint64_t squares);

/* Makes the graph the first level, without tables. *longest: the number of arcs of the longest row. Errors: those of
 * gws__level_first(), without GWS_NO_MEMORY. */
gws_status gws__level_weights(struct gws__communities *run, bool ignore_weights, uint64_t *longest);

/* Makes the graph the first level. Errors: GWS_INVALID (a negative weight), GWS_TOO_LARGE, GWS_NO_MEMORY,
 * GWS_CANCELLED. */
gws_status gws__level_first(struct gws__communities *run, bool ignore_weights);

/* Replaces degree[], degrees[] and, for Leiden, refined[] by arrays for the nodes of the level. Errors:
 * GWS_NO_MEMORY. */
gws_status gws__level_reserve(struct gws__communities *run, bool refines);

/* Releases the three arrays. */
void gws__level_release(struct gws__communities *run);

/* Moves nodes to neighbouring communities while the modularity increases; *moves receives the number of moves. Errors:
 * GWS_CANCELLED, like the functions below. */
gws_status gws__communities_move(struct gws__communities *run, uint64_t *moves);

/* Fills refined[]: connected parts of the communities, each with the label of one of its nodes. Changes degree[]. */
gws_status gws__communities_refine(struct gws__communities *run);

/* Computes degree[], inside, total, and degrees[] for the labels in community[], which may be the result's. */
gws_status gws__communities_sum(struct gws__communities *run, const uint32_t *community);

/* Merges the nodes with the same label, in refined[] for Leiden and in community[] for Louvain, into one node of the
 * next level. The new nodes have the order of their smallest members. For Leiden, community[] of a new node is that of
 * its members; otherwise each new node is its own community. Does nothing if no nodes merge. degree[] and degrees[]
 * are undefined afterwards. After an error only gws__level_clear() and gws__level_release() are allowed. */
gws_status gws__communities_aggregate(struct gws__communities *run, bool refines);

void gws__level_clear(struct gws_runtime *runtime, struct gws__level *level);

/* Runs label propagation into label[]. *ran: the number of iterations until no label changed. */
gws_status gws__communities_propagate(struct gws_runtime *runtime, const struct gws_graph *graph, uint32_t iterations,
                                      uint32_t *label, uint32_t *ran);

#endif
