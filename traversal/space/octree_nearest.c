/* SPDX-License-Identifier: MIT */
/* The k nearest points: octants are visited nearest child first, and left out when they cannot hold a point nearer than
 * the k-th so far (Friedman, Bentley, Finkel, ACM TOMS 1977, for trees of boxes). The best so far lie behind the
 * worker's answers: in order while k is small, as a heap with the worst on top otherwise. */
#include <math.h>
#include <string.h>

#include "octree_ask.h"

enum { small = 32 };

/* Of the points seen, the nearest; distance[] holds squares until the end. */
struct best {
    struct gws__octree_asker *asker;
    double place[3]; /* times the batch's unit */
    uint64_t *point;
    double *squared;
    uint64_t count, k;
    double worst; /* the k-th square, or infinity */
};

static bool before(double squared, uint64_t point, double than, uint64_t other)
{
    return squared < than || (squared == than && point < other);
}

static void insert(struct best *best, double squared, uint64_t point)
{
    uint64_t at = best->count < best->k ? best->count++ : best->k - 1;
    for (; at > 0 && before(squared, point, best->squared[at - 1], best->point[at - 1]); at--) {
        best->squared[at] = best->squared[at - 1];
        best->point[at] = best->point[at - 1];
    }
    best->squared[at] = squared;
    best->point[at] = point;
}

/* Puts a point where `at` is free, among count, and moves worse ones up. */
static void sift(struct best *best, uint64_t at, uint64_t count, double squared, uint64_t point)
{
    for (uint64_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count &&
            before(best->squared[child], best->point[child], best->squared[child + 1], best->point[child + 1]))
            child++;
        if (!before(squared, point, best->squared[child], best->point[child])) break;
        best->squared[at] = best->squared[child];
        best->point[at] = best->point[child];
        at = child;
    }
    best->squared[at] = squared;
    best->point[at] = point;
}

static void push(struct best *best, double squared, uint64_t point)
{
    if (best->count == best->k) {
        sift(best, 0, best->count, squared, point);
        return;
    }
    uint64_t at = best->count++;
    for (; at > 0; at = (at - 1) / 2) {
        uint64_t parent = (at - 1) / 2;
        if (!before(best->squared[parent], best->point[parent], squared, point)) break;
        best->squared[at] = best->squared[parent];
        best->point[at] = best->point[parent];
    }
    best->squared[at] = squared;
    best->point[at] = point;
}

static void offer(struct best *best, double squared, uint64_t point)
{
    bool full = best->count == best->k, sorted = best->k <= small;
    uint64_t last = sorted ? best->k - 1 : 0;
    if (full && !before(squared, point, best->squared[last], best->point[last])) return;
    if (sorted)
        insert(best, squared, point);
    else
        push(best, squared, point);
    if (best->count == best->k) best->worst = best->squared[last];
}

static void look_through(struct best *best, const struct gws_octree_node *node)
{
    const double *squared = best->asker->squared;
    for (uint64_t at = node->begin, end; at < node->end; at = end) {
        end = node->end - at < gws__octree_scan ? node->end : at + gws__octree_scan;
        gws__octree_squared(best->asker, best->place, at, end);
        for (uint64_t i = at; i < end; i++)
            if (squared[i - at] <= best->worst)
                offer(best, squared[i - at], gws_octree_point(best->asker->batch->tree, i));
    }
}

/* ---- the way down ---- */

/* What lies at the two sides of an octant's middle: least squared distances along each axis. */
struct halves {
    double least[3][2];
    unsigned nearest; /* the child whose side the place is on, along each axis */
};

static struct halves halve(const struct best *best, const struct gws__octree_visit *here)
{
    const struct gws__octree_batch *batch = best->asker->batch;
    double cells = 0.5 / (double)(UINT32_C(1) << here->level);
    struct halves halves = {.nearest = 0};
    for (int a = 0; a < 3; a++) {
        double cell = batch->width[a] * cells;
        halves.least[a][0] = gws__octree_apart(batch, a, best->place[a], here->corner[a] << 1, cell);
        halves.least[a][1] = gws__octree_apart(batch, a, best->place[a], here->corner[a] << 1 | 1, cell);
        if (best->place[a] >= batch->low[a] + (here->corner[a] * 2.0 + 1) * cell) halves.nearest |= 4U >> a;
    }
    return halves;
}

static void visit(struct best *best, struct gws__octree_visit here)
{
    static const uint8_t order[8] = {0, 1, 2, 4, 3, 5, 6, 7}; /* one side over, then two, then three */
    const struct gws_octree_node *node = &best->asker->batch->tree->node[here.node];
    if (node->child_mask == 0 || node->end - node->begin <= gws__octree_scan) {
        look_through(best, node);
        return;
    }
    struct halves halves = halve(best, &here);
    for (int i = 0; i < 8; i++) {
        unsigned c = halves.nearest ^ order[i];
        if (!(node->child_mask >> c & 1)) continue;
        double least = halves.least[0][c >> 2] + halves.least[1][c >> 1 & 1] + halves.least[2][c & 1];
        if (least * (1 - 0x1p-48) <= best->worst)
            visit(best, gws__octree_child(&here, c, gws__octree_child_at(node, c)));
    }
}

/* ---- */

/* The heap becomes a list, nearest first. */
static void sort_heap(struct best *best)
{
    for (uint64_t rest = best->count; rest-- > 1;) {
        double squared = best->squared[rest];
        uint64_t point = best->point[rest];
        best->squared[rest] = best->squared[0];
        best->point[rest] = best->point[0];
        sift(best, 0, rest, squared, point);
    }
}

static void ask(struct gws__octree_asker *asker, uint64_t question)
{
    const struct gws__octree_batch *batch = asker->batch;
    const double *place = (const double *)batch->question + 3 * question;
    if (batch->k == 0 || !gws__octree_make_room(asker, batch->k)) return;
    struct best best = {.asker = asker,
                        .point = asker->point + asker->hits,
                        .squared = asker->distance + asker->hits,
                        .k = batch->k,
                        .worst = INFINITY};
    for (int a = 0; a < 3; a++) best.place[a] = place[a] * batch->unit;
    visit(&best, (struct gws__octree_visit){.node = 0});
    if (best.k > small) sort_heap(&best);
    for (uint64_t i = 0; i < best.count; i++) best.squared[i] = sqrt(best.squared[i]) / batch->unit;
    asker->hits += best.count;
}

const struct gws__octree_kind gws__octree_places = {
    .name = "place", .flaw = "is not finite", .numbers = 3, .finite = 3, .distances = true, .ask = ask};

gws_status gws_octree_nearest(struct gws_runtime *runtime, const struct gws_octree *tree, const double *place,
                              uint64_t count, uint64_t k, struct gws_octree_hits *hits, struct gws_where *where)
{
    return gws__octree_answer(runtime, tree, &gws__octree_places, place, count, k, hits, where);
}
