/* SPDX-License-Identifier: MIT */
/* Builds octrees and queries them for datasets/bench/octree, and prints the times.
 *
 * usage: octree build SET POINTS float|double LEAF BUILDER POLICY THREADS REPEAT
 *        octree query SET POINTS float|double LEAF QUERIES THREADS REPEAT
 *
 * SET: uniform, gauss, plummer, shell, equal, clusters (two, 2^-40 apart), line, diagonal, or outlier (uniform, but
 * one point is far away). "build" prints a line for each tree. The line has the milliseconds in total, for the
 * bounding box, for the points, for the nodes, and for a copy of the points in leaf order, then the bytes per point at
 * the peak, the nodes and the depth. The first tree is a warm-up. "query" prints a line for each round of queries at
 * random points. The line has the microseconds for each query and worker, then the points found by all queries. The
 * queries are for the 8 nearest points, for balls and boxes that hold about 8 points, and for rays with balls that
 * hold a point each. */
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../graphws.h"

/* Counts the runtime's allocations. */
struct memory {
    struct gws_allocator plain;
    atomic_llong live, peak;
};

static void *allocate(void *context, size_t bytes)
{
    struct memory *memory = context;
    void *block = memory->plain.allocate(memory->plain.context, bytes);
    long long live = atomic_fetch_add(&memory->live, (long long)bytes) + (long long)bytes;
    long long peak = atomic_load(&memory->peak);
    while (peak < live && !atomic_compare_exchange_weak(&memory->peak, &peak, live)) continue;
    return block;
}

static void release(void *context, void *block, size_t bytes)
{
    struct memory *memory = context;
    atomic_fetch_sub(&memory->live, (long long)bytes);
    memory->plain.release(memory->plain.context, block, bytes);
}

static void stop(const char *what)
{
    fprintf(stderr, "octree: %s\n", what);
    exit(1);
}

static double draw(uint64_t i, int axis)
{
    return (double)(gws_random_at(1, 3 * i + (uint64_t)axis) >> 11) * 0x1p-53;
}

static double at(const char *set, uint64_t i, uint64_t count, int axis)
{
    if (strcmp(set, "equal") == 0) return 0.25 * (axis + 1);
    if (strcmp(set, "clusters") == 0) return i < 2 ? (double)i : i % 2 ? 0.5 - 0x1p-41 : 0.5 + 0x1p-41;
    if (strcmp(set, "line") == 0) return axis == 0 ? draw(i, 0) : 0.3;
    if (strcmp(set, "diagonal") == 0) return draw(i, 0);
    if (strcmp(set, "outlier") == 0) return i == count / 2 ? 1e4 : draw(i, axis);
    stop("no such set");
    return 0;
}

static struct gws_points make(struct gws_runtime *runtime, const char *set, uint64_t count, bool is_double)
{
    static const char *const generators[] = {"uniform", "gauss", "plummer", "shell"};
    struct gws_points points = {.count = 0};
    struct gws_diagnostic where = {.line = 0};
    char description[64];
    snprintf(description, sizeof description, "%s:%llu", set, (unsigned long long)count);
    for (int g = 0; g < 4; g++) {
        if (strcmp(set, generators[g]) != 0) continue;
        if (gws_points_generate(runtime, description, is_double, &points, &where) != GWS_OK) stop(where.message);
        return points;
    }
    if (gws_points_make(runtime, count, is_double, 0, NULL, &points) != GWS_OK) stop("no memory");
    void *axis[3] = {points.x, points.y, points.z};
    for (int a = 0; a < 3; a++)
        for (uint64_t i = 0; i < count; i++) {
            if (is_double)
                ((double *)axis[a])[i] = at(set, i, count, a);
            else
                ((float *)axis[a])[i] = (float)at(set, i, count, a);
        }
    return points;
}

static struct gws_octree *build(struct gws_runtime *runtime, const struct gws_points *points,
                                const struct gws_octree_options *options)
{
    struct gws_octree *tree = NULL;
    struct gws_diagnostic where = {.line = 0};
    if (gws_octree_build(runtime, points, options, &tree, &where) != GWS_OK) stop(where.message);
    return tree;
}

static void build_many(struct gws_runtime *runtime, struct memory *memory, const struct gws_points *points,
                       const struct gws_octree_options *options, int repeat)
{
    for (int r = 0; r <= repeat; r++) {
        long long before = atomic_load(&memory->live);
        atomic_store(&memory->peak, before);
        struct gws_octree *tree = build(runtime, points, options);
        double peak = (double)(atomic_load(&memory->peak) - before) / (double)points->count, begin = gws_clock_ms();
        if (gws_octree_copy_points(runtime, tree, points) != GWS_OK) stop("no memory");
        if (r)
            printf("%.6g %.6g %.6g %.6g %.6g %.4g %llu %u\n", tree->stats.ms, tree->stats.bounds_ms,
                   tree->stats.sort_ms, tree->stats.flatten_ms, gws_clock_ms() - begin, peak,
                   (unsigned long long)tree->nodes, tree->depth);
        gws_octree_destroy(tree);
    }
}

/* Queries at random points of the set. */
struct query_set {
    uint64_t count;
    double *place;
    struct gws_octree_ball *ball;
    struct gws_octree_box *box;
    struct gws_octree_ray *ray;
};

/* Draws queries. size: about the side of a cube that holds one point. */
static struct query_set draw_queries(const struct gws_points *points, uint64_t count, double size)
{
    struct query_set queries = {count, malloc(count * 3 * sizeof(double)), malloc(count * sizeof *queries.ball),
                                malloc(count * sizeof *queries.box), malloc(count * sizeof *queries.ray)};
    if (!queries.place || !queries.ball || !queries.box || !queries.ray) stop("no memory");
    const void *axis[3] = {points->x, points->y, points->z};
    for (uint64_t q = 0; q < count; q++) {
        uint64_t i = gws_random_at(2, q) % points->count;
        for (int a = 0; a < 3; a++) {
            double x = gws_points_at(points, axis[a], i);
            queries.place[3 * q + (uint64_t)a] = queries.ball[q].centre[a] = x;
            queries.box[q].low[a] = x - size;
            queries.box[q].high[a] = x + size;
            queries.ray[q].direction[a] = draw(q, a) - 0.5;
            queries.ray[q].origin[a] = x - 100 * size * queries.ray[q].direction[a];
        }
        queries.ball[q].radius = 1.24 * size;
        queries.ray[q].radius = 0.2 * size;
    }
    return queries;
}

static gws_status run_queries(struct gws_runtime *runtime, const struct gws_octree *tree,
                              const struct query_set *queries, int kind, struct gws_octree_hits *hits)
{
    uint64_t count = queries->count;
    if (kind == 0) return gws_octree_nearest(runtime, tree, queries->place, count, 8, hits, NULL);
    if (kind == 1) return gws_octree_in_balls(runtime, tree, queries->ball, count, hits, NULL);
    if (kind == 2) return gws_octree_in_boxes(runtime, tree, queries->box, count, hits, NULL);
    return gws_octree_first_on_rays(runtime, tree, queries->ray, count, hits, NULL);
}

static void query_many(struct gws_runtime *runtime, const struct gws_points *points,
                       const struct gws_octree_options *options, uint64_t count, int repeat)
{
    struct gws_octree *tree = build(runtime, points, options);
    if (gws_octree_copy_points(runtime, tree, points) != GWS_OK) stop("no memory");
    struct query_set queries = draw_queries(points, count, cbrt(1.0 / (double)points->count));
    struct gws_octree_hits hits = {.queries = 0};
    for (int r = 0; r <= repeat; r++) {
        uint64_t found = 0;
        for (int kind = 0; kind < 4; kind++) {
            double begin = gws_clock_ms();
            if (run_queries(runtime, tree, &queries, kind, &hits) != GWS_OK) stop("no answer");
            double us = (gws_clock_ms() - begin) * 1e3 * gws_runtime_workers(runtime) / (double)count;
            found += hits.offset[count];
            if (r) printf("%.5g ", us);
        }
        if (r) printf("%llu\n", (unsigned long long)found);
    }
    gws_octree_hits_clear(&hits);
    gws_octree_destroy(tree);
    free(queries.place);
    free(queries.ball);
    free(queries.box);
    free(queries.ray);
}

static enum gws_octree_builder builder_named(const char *name)
{
    for (uint32_t i = 0; gws_octree_builder_at(i, NULL); i++)
        if (strcmp(name, gws_octree_builder_at(i, NULL)) == 0) return (enum gws_octree_builder)i;
    stop("no such builder");
    return GWS_OCTREE_AUTO;
}

int main(int argc, char **argv)
{
    bool builds = argc == 10 && strcmp(argv[1], "build") == 0;
    if (!builds && !(argc == 9 && strcmp(argv[1], "query") == 0)) stop("see the head of octree.c");
    struct gws_runtime *plain = NULL, *runtime = NULL;
    if (gws_runtime_open(&(struct gws_options){.threads = 1}, &plain) != GWS_OK) stop("no runtime");
    struct memory memory = {.plain = *gws_runtime_allocator(plain)};
    struct gws_options settings = {.threads = (uint32_t)atoi(argv[builds ? 8 : 7]),
                                   .policy = builds ? argv[7] : NULL,
                                   .allocator = {allocate, release, &memory}};
    if (gws_runtime_open(&settings, &runtime) != GWS_OK) stop("no runtime, or no such policy");
    struct gws_points points = make(runtime, argv[2], strtoull(argv[3], NULL, 10), strcmp(argv[4], "double") == 0);
    struct gws_octree_options options = {.leaf = strtoull(argv[5], NULL, 10)};
    if (builds) {
        options.builder = builder_named(argv[6]);
        build_many(runtime, &memory, &points, &options, atoi(argv[9]));
    } else {
        query_many(runtime, &points, &options, strtoull(argv[6], NULL, 10), atoi(argv[8]));
    }
    gws_points_clear(&points);
    gws_runtime_close(runtime);
    gws_runtime_close(plain);
    return 0;
}
