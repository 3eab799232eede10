/* SPDX-License-Identifier: MIT */
/* Finds the k nearest points. A query visits the nearest child first, and prunes octants that cannot hold a point
 * nearer than the k-th best so far (Friedman, Bentley, Finkel, ACM TOMS 1977, for trees of boxes). The worker stores
 * the best points so far after its answers, as a sorted list for small k, otherwise as a heap with the worst point on
 * top. */
#include <math.h>
#include <string.h>

#include "octree_query_state.h"

enum { small = 32 };

/* The nearest of the points visited so far. distance[] holds squares until the end. */
struct best {
    struct gws__octree_query_context *context;
    double position[3]; /* scaled by the batch's unit */
    uint64_t *point;
    double *squared;
    uint64_t count, k;
    double worst; /* the k-th best square, or infinity */
};

static bool is_nearer(double squared, uint64_t point, double than, uint64_t other)
{
    return squared < than || (squared == than && point < other);
}

static void insert(struct best *best, double squared, uint64_t point)
{
    uint64_t at = best->count < best->k ? best->count++ : best->k - 1;
    for (; at > 0 && is_nearer(squared, point, best->squared[at - 1], best->point[at - 1]); at--) {
        best->squared[at] = best->squared[at - 1];
        best->point[at] = best->point[at - 1];
    }
    best->squared[at] = squared;
    best->point[at] = point;
}

/* Inserts a point at the free entry `at` of a heap of count entries and moves worse points up. */
static void sift(struct best *best, uint64_t at, uint64_t count, double squared, uint64_t point)
{
    for (uint64_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count &&
            is_nearer(best->squared[child], best->point[child], best->squared[child + 1], best->point[child + 1]))
            child++;
        if (!is_nearer(squared, point, best->squared[child], best->point[child])) break;
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
        if (!is_nearer(best->squared[parent], best->point[parent], squared, point)) break;
        best->squared[at] = best->squared[parent];
        best->point[at] = best->point[parent];
    }
    best->squared[at] = squared;
    best->point[at] = point;
}

static void consider(struct best *best, double squared, uint64_t point)
{
    bool full = best->count == best->k, sorted = best->k <= small;
    uint64_t last = sorted ? best->k - 1 : 0;
    if (full && !is_nearer(squared, point, best->squared[last], best->point[last])) return;
    if (sorted)
        insert(best, squared, point);
    else
        push(best, squared, point);
    if (best->count == best->k) best->worst = best->squared[last];
}

static void scan_octant(struct best *best, const struct gws_octree_node *node)
{
    const double *squared = best->context->squared;
    for (uint64_t at = node->begin, end; at < node->end; at = end) {
        end = node->end - at < gws__octree_scan ? node->end : at + gws__octree_scan;
        gws__octree_squared(best->context, best->position, at, end);
        for (uint64_t i = at; i < end; i++)
            if (squared[i - at] <= best->worst)
                consider(best, squared[i - at], gws_octree_point(best->context->batch->tree, i));
    }
}

/* ---- traversal ---- */

/* The two halves of an octant along each axis, as lower bounds of their squared distances. */
struct halves {
    double min_squared[3][2];
    unsigned nearest; /* the child on the position's side of the middle of each axis */
};

static struct halves halve(const struct best *best, const struct gws__octree_visit *here)
{
    const struct gws__octree_batch *batch = best->context->batch;
    double cells = 0.5 / (double)(UINT32_C(1) << here->level);
    struct halves halves = {.nearest = 0};
    for (int a = 0; a < 3; a++) {
        double cell = batch->width[a] * cells;
        halves.min_squared[a][0] = gws__octree_min_squared(batch, a, best->position[a], here->corner[a] << 1, cell);
        halves.min_squared[a][1] = gws__octree_min_squared(batch, a, best->position[a], here->corner[a] << 1 | 1, cell);
        if (best->position[a] >= batch->low[a] + (here->corner[a] * 2.0 + 1) * cell) halves.nearest |= 4U >> a;
    }
    return halves;
}

static void visit(struct best *best, struct gws__octree_visit here)
{
    static const uint8_t order[8] = {
        0, 1, 2, 4,
        3, 5, 6, 7}; /* children that differ from the nearest child in no axis, in one, in two, then in three */
    const struct gws_octree_node *node = &best->context->batch->tree->node[here.node];
    if (node->child_mask == 0 || node->end - node->begin <= gws__octree_scan) {
        scan_octant(best, node);
        return;
    }
    struct halves halves = halve(best, &here);
    for (int i = 0; i < 8; i++) {
        unsigned c = halves.nearest ^ order[i];
        if (!(node->child_mask >> c & 1)) continue;
        double min_squared =
            halves.min_squared[0][c >> 2] + halves.min_squared[1][c >> 1 & 1] + halves.min_squared[2][c & 1];
        if (min_squared * (1 - 0x1p-48) <= best->worst)
            visit(best, gws__octree_child(&here, c, gws__octree_child_at(node, c)));
    }
}

/* ---- */

/* Converts the heap to a list, nearest first. */
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

static void run(struct gws__octree_query_context *context, uint64_t query)
{
    const struct gws__octree_batch *batch = context->batch;
    const double *position = (const double *)batch->query + 3 * query;
    if (batch->k == 0 || !gws__octree_reserve_hits(context, batch->k)) return;
    struct best best = {.context = context,
                        .point = context->point + context->hits,
                        .squared = context->distance + context->hits,
                        .k = batch->k,
                        .worst = INFINITY};
    for (int a = 0; a < 3; a++) best.position[a] = position[a] * batch->unit;
    visit(&best, (struct gws__octree_visit){.node = 0});
    if (best.k > small) sort_heap(&best);
    for (uint64_t i = 0; i < best.count; i++) best.squared[i] = sqrt(best.squared[i]) / batch->unit;
    context->hits += best.count;
}

const struct gws__octree_kind gws__octree_nearest = {
    .name = "position", .flaw = "is not finite", .numbers = 3, .finite = 3, .distances = true, .run = run};

gws_status gws_octree_nearest(struct gws_runtime *runtime, const struct gws_octree *tree, const double *position,
                              uint64_t count, uint64_t k, struct gws_octree_hits *hits, struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where,
                    gws__octree_answer(runtime, tree, &gws__octree_nearest, position, count, k, hits, where));
}
