/* SPDX-License-Identifier: MIT */
/* Points in balls: octants that may come near enough are descended into, in order. */
#include <math.h>

#include "octree_ask.h"

/* A ball times the batch's unit. */
struct ball {
    double centre[3], squared;
};

static void look_through(struct gws__octree_asker *asker, uint64_t begin, uint64_t end, const struct ball *ball)
{
    const struct gws_octree *tree = asker->batch->tree;
    gws__octree_squared(asker, ball->centre, begin, end);
    for (uint64_t i = begin; i < end; i++)
        if (asker->squared[i - begin] <= ball->squared)
            gws__octree_hit(asker, gws_octree_point(tree, i), sqrt(asker->squared[i - begin]) / asker->batch->unit);
}

static void look_through_all(struct gws__octree_asker *asker, const struct gws_octree_node *node,
                             const struct ball *ball)
{
    for (uint64_t at = node->begin; at < node->end; at += gws__octree_scan)
        look_through(asker, at, node->end - at < gws__octree_scan ? node->end : at + gws__octree_scan, ball);
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
        look_through_all(asker, node, ball);
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

static void near(const struct gws__octree_batch *batch, uint64_t question, double place[3])
{
    const struct gws_octree_ball *ball = (const struct gws_octree_ball *)batch->question + question;
    for (int a = 0; a < 3; a++) place[a] = ball->centre[a];
}

static bool is_fine(const struct gws_octree_ball *ball)
{
    return isfinite(ball->centre[0]) && isfinite(ball->centre[1]) && isfinite(ball->centre[2]) && ball->radius >= 0;
}

gws_status gws__octree_check_balls(const struct gws_octree_ball *ball, uint64_t count, struct gws_where *where)
{
    for (uint64_t q = 0; q < count; q++)
        if (!is_fine(&ball[q]))
            return gws_where_set(where, GWS_INVALID, NULL, 0, 0,
                                 "ball %llu is none: its centre must be finite, its radius not negative",
                                 (unsigned long long)q);
    return GWS_OK;
}

gws_status gws_octree_in_balls(struct gws_runtime *runtime, const struct gws_octree *tree,
                               const struct gws_octree_ball *ball, uint64_t count, struct gws_octree_hits *hits,
                               struct gws_where *where)
{
    gws_status status = gws__octree_can_answer(tree, where);
    if (status == GWS_OK) status = gws__octree_check_balls(ball, count, where);
    struct gws__octree_batch batch = {.runtime = runtime,
                                      .tree = tree,
                                      .question = ball,
                                      .count = count,
                                      .distances = true,
                                      .ask = ask,
                                      .near = near};
    return status == GWS_OK ? gws__octree_answer(&batch, hits) : status;
}
