/* SPDX-License-Identifier: MIT */
/* Points in balls: octants that may come near enough are descended into, in order. And squared distances. */
#include <math.h>

#include "octree_ask.h"
#include "octree_vectors.h"

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF /* gcc in ISO mode never joins a product and a sum */
#endif

/* A product by a power of two is exact, so even a fused one rounds as the header says; the sums are not fused. */
GWS__VECTOR_LOOP gws__octree_squared_loop(bool is_double, struct gws__octree_asker *asker, const double place[3],
                                          uint64_t begin, uint64_t end)
{
    const struct gws_octree *tree = asker->batch->tree;
    const void *const x = tree->x, *const y = tree->y, *const z = tree->z;
    double *restrict const squared = asker->squared, unit = asker->batch->unit;
    const double at[3] = {place[0], place[1], place[2]};
    for (uint64_t i = 0; i < end - begin; i++) {
        double dx = gws__number_at(is_double, x, begin + i) * unit - at[0];
        double dy = gws__number_at(is_double, y, begin + i) * unit - at[1];
        double dz = gws__number_at(is_double, z, begin + i) * unit - at[2];
        squared[i] = dx * dx + dy * dy + dz * dz;
    }
}
GWS__VECTORS(, gws__octree_squared, false, asker->batch->tree->is_double,
             (struct gws__octree_asker * asker, const double place[3], uint64_t begin, uint64_t end), asker, place,
             begin, end)

/* A ball times the batch's unit. */
struct ball {
    double centre[3], squared;
};

static void look_through(struct gws__octree_asker *asker, const struct gws_octree_node *node, const struct ball *ball)
{
    for (uint64_t at = node->begin, end; at < node->end; at = end) {
        end = node->end - at < gws__octree_scan ? node->end : at + gws__octree_scan;
        gws__octree_squared(asker, ball->centre, at, end);
        for (uint64_t i = at; i < end; i++)
            if (asker->squared[i - at] <= ball->squared)
                gws__octree_hit(asker, gws_octree_point(asker->batch->tree, i),
                                sqrt(asker->squared[i - at]) / asker->batch->unit);
    }
}

static bool may_hold(const struct gws__octree_batch *batch, const struct gws__octree_visit *visit,
                     const struct ball *ball)
{
    double cells = 1.0 / (double)(UINT32_C(1) << visit->level), least = 0;
    for (int a = 0; a < 3; a++)
        least += gws__octree_apart(batch, a, ball->centre[a], visit->corner[a], batch->width[a] * cells);
    return least * (1 - 0x1p-48) <= ball->squared;
}

static void visit(struct gws__octree_asker *asker, const struct ball *ball, struct gws__octree_visit here)
{
    const struct gws_octree_node *node = &asker->batch->tree->node[here.node];
    if (!may_hold(asker->batch, &here, ball)) return;
    if (node->child_mask == 0 || node->end - node->begin <= gws__octree_scan) {
        look_through(asker, node, ball);
        return;
    }
    uint64_t child = node->first_child;
    for (unsigned mask = node->child_mask; mask; mask &= mask - 1)
        visit(asker, ball, gws__octree_child(&here, (unsigned)__builtin_ctz(mask), child++));
}

static void ask(struct gws__octree_asker *asker, uint64_t question)
{
    const struct gws__octree_batch *batch = asker->batch;
    const struct gws_octree_ball *asked = (const struct gws_octree_ball *)batch->question + question;
    double radius = asked->radius * batch->unit;
    struct ball ball = {.squared = radius * radius};
    for (int a = 0; a < 3; a++) ball.centre[a] = asked->centre[a] * batch->unit;
    visit(asker, &ball, (struct gws__octree_visit){.node = 0});
}

const struct gws__octree_kind gws__octree_balls = {
    .name = "ball",
    .flaw = "is none: its centre must be finite, its radius not negative",
    .numbers = 4,
    .finite = 3,
    .radius = true,
    .distances = true,
    .ask = ask,
};

gws_status gws_octree_in_balls(struct gws_runtime *runtime, const struct gws_octree *tree,
                               const struct gws_octree_ball *ball, uint64_t count, struct gws_octree_hits *hits,
                               struct gws_where *where)
{
    return gws__octree_answer(runtime, tree, &gws__octree_balls, ball, count, 0, hits, where);
}
