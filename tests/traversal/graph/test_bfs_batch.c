/* SPDX-License-Identifier: MIT */
/* Searches from many sources at once. The tests compare every depth from every source with a serial search. */
#include "bfs/shapes.h"

struct visits {
    const struct gws_graph *graph;
    const uint32_t *source;
    uint64_t sources, next;  /* next: the first source of the next batch */
    uint32_t **depth;        /* the depths from each source */
    uint32_t depths, end_at; /* depths: number of the batch's depths; end_at: the visit that fails */
};

static gws_status visit(void *context, const struct gws_bfs_batch_level *level)
{
    struct visits *visits = context;
    if (level->depth == 0) {
        ck_assert_uint_eq(level->first, visits->next);
        visits->next += level->sources;
        visits->depths = 0;
    }
    ck_assert_uint_eq(level->depth, visits->depths++);
    uint64_t count[256] = {0};
    for (uint64_t v = 0; v < visits->graph->vertices; v++)
        for (uint32_t i = 0; i < 64 * level->words; i++) {
            if (!(level->reached[v * level->words + i / 64] >> i % 64 & 1)) continue;
            if (i >= level->sources || visits->depth[level->first + i][v] != level->depth)
                ck_abort_msg("source %u reaches vertex %u at depth %u", i, (uint32_t)v, level->depth);
            count[i]++;
        }
    for (uint32_t i = 0; i < level->sources; i++) ck_assert_uint_eq(count[i], level->count[i]);
    for (uint64_t v = 0; v < visits->graph->vertices; v++)
        for (uint32_t i = 0; i < level->sources; i++)
            if (visits->depth[level->first + i][v] == level->depth &&
                !(level->reached[v * level->words + i / 64] >> i % 64 & 1))
                ck_abort_msg("source %u misses vertex %u at depth %u", i, (uint32_t)v, level->depth);
    return level->depth == visits->end_at ? GWS_UNSUPPORTED : GWS_OK;
}

enum { max_vertices = 600, source_count = 300 };

START_TEST(every_shape)
{
    const struct shape *shape = &shapes[_i / arc_kinds];
    if ((enum arcs)(_i % arc_kinds) == DIRECTED) return;
    uint64_t limit = gws_test_quick() ? max_vertices / 4 : max_vertices, random = 5;
    uint64_t vertices = shape->vertices < limit ? shape->vertices : limit;
    struct gws_graph *graph = make_graph(shape->make, vertices, (enum arcs)(_i % arc_kinds));
    uint32_t source[source_count], *depth[source_count];
    for (uint32_t i = 0; i < source_count; i++) {
        source[i] = gws_random_below(gws_random_next(&random), (uint32_t)vertices);
        struct oracle oracle = oracle_new(graph, source[i]);
        depth[i] = oracle.depth;
        free(oracle.size);
    }
    for (uint32_t threads = 1; threads <= 3; threads += 2)
        for (int wide = 0; wide < 2; wide++) {
            struct gws_runtime *by = open_runtime(NULL, threads, 0);
            struct visits visits = {graph, source, source_count, 0, depth, 0, GWS_NO_VERTEX};
            ck_assert_int_eq(gws_bfs_batch(by, graph, source, source_count, wide, visit, &visits), GWS_OK);
            ck_assert_uint_eq(visits.next, source_count);
            gws_runtime_close(by);
        }
    for (uint32_t i = 0; i < source_count; i++) free(depth[i]);
    gws_graph_destroy(graph);
}
END_TEST

/* Some levels pull, and later levels push again. */
START_TEST(large)
{
    static const char *const names[][2] = {{"kron:14", "kron:11"}, {"uniform:13", "uniform:11"}};
    struct gws_graph *graph = generate(names[_i][gws_test_quick()]);
    enum { few = 70 };
    uint32_t source[few], *depth[few];
    for (uint32_t i = 0; i < few; i++) {
        source[i] = 29 * i;
        struct oracle oracle = oracle_new(graph, source[i]);
        depth[i] = oracle.depth;
        free(oracle.size);
    }
    struct gws_runtime *by = open_runtime(NULL, 4, 0);
    for (int wide = 0; wide < 2; wide++) {
        struct visits visits = {graph, source, few, 0, depth, 0, GWS_NO_VERTEX};
        ck_assert_int_eq(gws_bfs_batch(by, graph, source, few, wide, visit, &visits), GWS_OK);
    }
    for (uint32_t i = 0; i < few; i++) free(depth[i]);
    gws_runtime_close(by);
    gws_graph_destroy(graph);
}
END_TEST

START_TEST(calls)
{
    struct gws_graph *graph = make_graph(path, 10, DIRECTED);
    struct gws_runtime *by = open_runtime(NULL, 2, 0);
    const uint32_t source[] = {0, 10};
    uint32_t depth[10], *depths[] = {depth};
    struct visits visits = {graph, source, 1, 0, depths, 0, 3};
    for (uint32_t v = 0; v < 10; v++) depth[v] = v;
    ck_assert_int_eq(gws_bfs_batch(by, graph, source, 2, false, visit, &visits), GWS_OUT_OF_RANGE);
    ck_assert_int_eq(gws_bfs_batch(by, graph, source, 1, false, visit, &visits), GWS_NEEDS_REVERSE);
    ck_assert_int_eq(gws_graph_add_reverse(by, graph), GWS_OK);
    ck_assert_int_eq(gws_bfs_batch(by, graph, source, 1, false, visit, &visits), GWS_UNSUPPORTED);
    ck_assert_uint_eq(visits.depths, 4);
    ck_assert_int_eq(gws_bfs_batch(by, graph, source, 0, false, visit, &visits), GWS_OK);
    gws_runtime_close(by);
    struct gws_test_memory memory = {.fail_at = 0};
    struct gws_options with = {.threads = 2, .allocator = gws_test_allocator(&memory)};
    ck_assert_int_eq(gws_runtime_open(&with, &by), GWS_OK);
    memory.fail_at = memory.calls + 1;
    ck_assert_int_eq(gws_bfs_batch(by, graph, source, 1, false, visit, &visits), GWS_NO_MEMORY);
    gws_runtime_close(by);
    gws_test_memory_check(&memory);
    gws_graph_destroy(graph);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{every_shape, shape_count * arc_kinds}, {large, 2}, {calls, 1}, {0}};
    return gws_test_run("bfs_batch", test);
}
