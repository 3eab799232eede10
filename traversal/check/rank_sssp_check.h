/* SPDX-License-Identifier: MIT */
/* The state of a check of shortest paths in a parted graph; rank_sssp_check.c explains it. */
#ifndef GWS_TRAVERSAL_CHECK_RANK_SSSP_CHECK_H
#define GWS_TRAVERSAL_CHECK_RANK_SSSP_CHECK_H

#include <math.h>
#include <string.h>

#include "../../lib/parallel.h"
#include "../engine/rank_outbox.h"
#include "../rank_sssp.h"

enum gws__sssp_fault {
    SSSP_FAULT_HALF = 1,
    SSSP_FAULT_ROOT,
    SSSP_FAULT_RANGE,
    SSSP_FAULT_TREE_ARC,
    SSSP_FAULT_ARC,
    SSSP_FAULT_WEIGHT,
    SSSP_FAULT_CYCLE
};

enum gws__sssp_state {
    SSSP_UNREACHED,
    SSSP_ASKS,
    SSSP_ANSWERED
}; /* SSSP_ANSWERED: the parents lead to the source, or a fault is recorded */

struct gws__sssp_check {
    struct gws_runtime *runtime;
    const struct gws_rank_graph *graph;
    const struct gws_rank_sssp_result *result;
    struct gws__outbox outbox;
    unsigned char *state; /* rows entries */
    bool again;           /* the tree arcs are checked */
    uint64_t answers;     /* in outbox.path */
    uint64_t first;       /* the smallest faulty vertex and its fault: vertex << 8 | fault */
    uint64_t reached, reached_arcs;
    double max;
};

static inline void record(struct gws__sssp_check *check, uint64_t vertex, enum gws__sssp_fault fault)
{
    const uint64_t mine = vertex << 8 | fault;
    if (mine < check->first) check->first = mine;
}

/* ---- lengths: bits that have the order of the distances ---- */

static inline uint64_t bits_of(double real)
{
    uint64_t bits;
    memcpy(&bits, &real, sizeof bits);
    return bits;
}

static inline bool is_reached(const struct gws__sssp_check *check, uint64_t row)
{
    return check->result->distance ? check->result->distance[row] != GWS_NO_DISTANCE
                                   : check->result->real_distance[row] != (double)INFINITY;
}

static inline bool is_distance(const struct gws__sssp_check *check, uint64_t row)
{
    return check->result->distance ? check->result->distance[row] <= INT64_MAX : check->result->real_distance[row] >= 0;
}

static inline uint64_t length_to(const struct gws__sssp_check *check, uint64_t row)
{
    return check->result->distance ? check->result->distance[row] : bits_of(check->result->real_distance[row] + 0.0);
}

static inline double weight_of(const struct gws_rank_graph *graph, uint64_t arc)
{
    return graph->real_weight ? (double)graph->real_weight[arc] : graph->weight ? (double)graph->weight[arc] : 1;
}

/* Returns the length of a path to the row and over the arc. */
static inline uint64_t length_over(const struct gws__sssp_check *check, uint64_t row, uint64_t arc)
{
    const double weight = weight_of(check->graph, arc);
    return check->result->distance ? check->result->distance[row] + (uint64_t)weight
                                   : bits_of(check->result->real_distance[row] + weight);
}

/* rank_sssp_parents.c: lets all vertices ask their parents. Collective. Errors: GWS_CANCELLED, on all ranks. */
gws_status gws__rank_sssp_check_parents(struct gws__sssp_check *check);

#endif
