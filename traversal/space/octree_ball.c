/* SPDX-License-Identifier: MIT */
/* Finds points in balls. A query traverses, in order, the octants that may intersect the ball. This file also computes
 * squared distances. */
#include <math.h>

#include "octree_query_state.h"

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF /* gcc in ISO mode never fuses a product and a sum */
#endif

/* Computes squared distances. A product with a power of two is exact, so a fused subtraction rounds as octree_query.h
 * specifies. Compilers do not fuse the sums. */
GWS__VECTOR_LOOP gws__octree_squared_loop(bool is_double, struct gws__octree_query_context *context,
                                          const double position[3], uint64_t begin, uint64_t end)
{
    const struct gws_octree *tree = context->batch->tree;
    const void *const x = tree->x, *const y = tree->y, *const z = tree->z;
    double *restrict const squared = context->squared, unit = context->batch->unit;
    const double at[3] = {position[0], position[1], position[2]};
    for (uint64_t i = 0; i < end - begin; i++) {
        double dx = gws__number_at(is_double, x, begin + i) * unit - at[0];
        double dy = gws__number_at(is_double, y, begin + i) * unit - at[1];
        double dz = gws__number_at(is_double, z, begin + i) * unit - at[2];
        squared[i] = dx * dx + dy * dy + dz * dz;
    }
}
GWS__VECTORS(, gws__octree_squared, false, context->batch->tree->is_double,
             (struct gws__octree_query_context * context, const double position[3], uint64_t begin, uint64_t end),
             context, position, begin, end)

/* A ball scaled by the batch's unit. */
struct scaled_ball {
    double centre[3], squared;
};

static void scan_octant(struct gws__octree_query_context *context, const struct gws_octree_node *node,
                        const struct scaled_ball *ball)
{
    for (uint64_t at = node->begin, end; at < node->end; at = end) {
        end = node->end - at < gws__octree_scan ? node->end : at + gws__octree_scan;
        gws__octree_squared(context, ball->centre, at, end);
        for (uint64_t i = at; i < end; i++)
            if (context->squared[i - at] <= ball->squared)
                gws__octree_hit(context, gws_octree_point(context->batch->tree, i),
                                sqrt(context->squared[i - at]) / context->batch->unit);
    }
}

static bool may_hold(const struct gws__octree_batch *batch, const struct gws__octree_visit *visit,
                     const struct scaled_ball *ball)
{
    double cells = 1.0 / (double)(UINT32_C(1) << visit->level), min_squared = 0;
    for (int a = 0; a < 3; a++)
        min_squared += gws__octree_min_squared(batch, a, ball->centre[a], visit->corner[a], batch->width[a] * cells);
    return min_squared * (1 - 0x1p-48) <= ball->squared;
}

/* Returns whether all points of the octant certainly lie in the ball. */
static bool is_inside(const struct gws__octree_batch *batch, const struct gws__octree_visit *visit,
                      const struct scaled_ball *ball)
{
    double cells = 1.0 / (double)(UINT32_C(1) << visit->level), max_squared = 0;
    for (int a = 0; a < 3; a++) {
        double cell = batch->width[a] * cells, low = batch->low[a] + visit->corner[a] * cell;
        double far = fmax(ball->centre[a] - low, low + cell - ball->centre[a]) + batch->slack[a];
        max_squared += far * far;
    }
    return max_squared * (1 + 0x1p-48) <= ball->squared;
}

static void visit(struct gws__octree_query_context *context, const struct scaled_ball *ball,
                  struct gws__octree_visit here)
{
    const struct gws_octree_node *node = &context->batch->tree->node[here.node];
    if (!may_hold(context->batch, &here, ball)) return;
    if (gws__octree_only_counts(context) && is_inside(context->batch, &here, ball)) {
        context->count += node->end - node->begin;
        return;
    }
    if (node->child_mask == 0 || node->end - node->begin <= gws__octree_scan) {
        scan_octant(context, node, ball);
        return;
    }
    uint64_t child = node->first_child;
    for (unsigned mask = node->child_mask; mask; mask &= mask - 1)
        visit(context, ball, gws__octree_child(&here, (unsigned)__builtin_ctz(mask), child++));
}

static void run(struct gws__octree_query_context *context, uint64_t query)
{
    const struct gws__octree_batch *batch = context->batch;
    const struct gws_octree_ball *given = (const struct gws_octree_ball *)batch->query + query;
    double radius = given->radius * batch->unit;
    struct scaled_ball ball = {.squared = radius * radius};
    for (int a = 0; a < 3; a++) ball.centre[a] = given->centre[a] * batch->unit;
    visit(context, &ball, (struct gws__octree_visit){.node = 0});
}

const struct gws__octree_kind gws__octree_balls = {
    .name = "ball",
    .flaw = "is invalid: its centre must be finite and its radius must not be negative",
    .numbers = 4,
    .finite = 3,
    .radius = true,
    .distances = true,
    .run = run,
};

gws_status gws_octree_in_balls(struct gws_runtime *runtime, const struct gws_octree *tree,
                               const struct gws_octree_ball *ball, uint64_t count, struct gws_octree_hits *hits,
                               struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, gws__octree_answer(runtime, tree, &gws__octree_balls, ball, count, 0, hits, where));
}

gws_status gws_octree_count_in_balls(struct gws_runtime *runtime, const struct gws_octree *tree,
                                     const struct gws_octree_ball *ball, uint64_t count,
                                     const struct gws_octree_totals *totals, struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, gws__octree_total(runtime, tree, &gws__octree_balls, ball, count, totals, where));
}
