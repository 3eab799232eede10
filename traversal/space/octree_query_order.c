/* SPDX-License-Identifier: MIT */
/* The order in which the queries of a batch run. */
#include "octree_query_state.h"

enum { min_ordered = 2048 };

struct query_positions {
    const struct gws__octree_batch *batch;
    double *const *axis; /* destination of the queries' positions */
};

static void find_query_positions(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct query_positions *positions = context;
    const struct gws__octree_kind *kind = positions->batch->kind;
    double *const *axis = positions->axis;
    (void)worker;
    for (uint64_t q = begin; q < end; q++) {
        const double *values = (const double *)positions->batch->query + q * kind->numbers;
        double position[3] = {values[0], values[1], values[2]};
        if (kind->position) kind->position(positions->batch, q, position);
        for (int a = 0; a < 3; a++) axis[a][q] = position[a];
    }
}

struct gws_octree *gws__octree_query_order(const struct gws__octree_batch *batch)
{
    struct gws_octree *order = NULL;
    if (batch->count < min_ordered || batch->tree->nodes < min_ordered) return NULL;
    double *position = gws_allocate(batch->runtime, 3 * batch->count, sizeof *position);
    if (!position) return NULL;
    double *axis[3] = {position, position + batch->count, position + 2 * batch->count};
    struct query_positions positions = {.batch = batch, .axis = axis};
    gws_parallel_for(batch->runtime, batch->count, min_ordered, find_query_positions, &positions);
    struct gws_points points = {.count = batch->count, .is_double = true, .x = axis[0], .y = axis[1], .z = axis[2]};
    struct gws_octree_options options = {.leaf = 8, .max_depth = 10};
    (void)gws_octree_build(batch->runtime, &points, &options, &order, NULL);
    gws_release(batch->runtime, position, 3 * batch->count, sizeof *position);
    return order;
}
