/* SPDX-License-Identifier: MIT */
/* Compares searches by regions with a serial search, on graphs that are large and local enough and cause many
 * corrections. Also tests allocation failures. */
#include "../../../harness.h"

#include "../../../../lib/graph.h"
#include "../../../../lib/random.h"
#include "../../../../traversal/bfs.h"
#include "../../../../traversal/graph/bfs/state.h"

enum { vertices = 530000 };

/* Makes the next search of graph run by regions (1) or level by level (0). */
static void prefer(struct gws_bfs_result *result, const struct gws_graph *graph, uint32_t strategy)
{
    struct gws__bfs_scratch *scratch = result->scratch;
    uint32_t class = gws__cost_class(graph->vertices);
    scratch->graph = graph;
    scratch->strategy = (struct gws__autotune){.choices = 1, .held = 1};
    scratch->strategy.cost[strategy].ns[class] = 1e-3;
    scratch->strategy.cost[!strategy].ns[class] = 1e9;
}

/* Returns the measured ns per vertex of a method, or 0 if unknown. */
static double cost_of(const struct gws_bfs_result *result, const struct gws_graph *graph, uint32_t strategy)
{
    return result->scratch->strategy.cost[strategy].ns[gws__cost_class(graph->vertices)];
}

static struct gws_runtime *open_runtime(const char *policy, uint32_t threads, struct gws_test_memory *memory)
{
    struct gws_options options = {.threads = threads, .policy = policy};
    if (memory) options.allocator = gws_test_allocator(memory);
    struct gws_runtime *runtime = NULL;
    gws_status status = gws_runtime_open(&options, &runtime);
    ck_assert(status == GWS_OK || memory);
    return runtime;
}

/* Makes a path with shortcuts. Most shortcuts are short, and about one in fifty leads to a random vertex. So regions
 * often receive a smaller depth late. */
static struct gws_graph *short_cuts(bool directed)
{
    struct gws_edge *edge = malloc(3 * vertices * sizeof *edge);
    uint64_t count = 0, random = 5;
    for (uint32_t v = 0; v + 1 < vertices; v++) {
        edge[count++] = (struct gws_edge){v, v + 1};
        uint32_t near = v + gws_random_below(gws_random_next(&random), 300);
        if (v % 3 == 0) edge[count++] = (struct gws_edge){near < vertices ? near : v, v};
        if (v % 53 == 0) edge[count++] = (struct gws_edge){v, gws_random_below(gws_random_next(&random), vertices)};
    }
    struct gws_edge_block block = {.edge = edge, .count = count};
    struct gws_edges edges = {.vertices = vertices, .blocks = 1, .block = &block};
    struct gws_build_options options = {.kind = directed ? GWS_BUILD_DIRECTED : GWS_BUILD_SYMMETRISE};
    struct gws_runtime *runtime = open_runtime(NULL, 1, NULL);
    struct gws_graph *graph = NULL;
    ck_assert_int_eq(gws_graph_build(runtime, &edges, &options, &graph), GWS_OK);
    gws_runtime_close(runtime);
    free(edge);
    return graph;
}

static struct gws_graph *generated(const char *description)
{
    struct gws_runtime *runtime = open_runtime(NULL, 1, NULL);
    struct gws_graph *graph = NULL;
    ck_assert_int_eq(gws_graph_generate(runtime, description, &graph, NULL), GWS_OK);
    gws_runtime_close(runtime);
    return graph;
}

/* Returns the depths of a plain serial search. */
static uint32_t *oracle(const struct gws_graph *graph, uint32_t source)
{
    uint32_t *depth = malloc(graph->vertices * sizeof *depth), *queue = malloc(graph->vertices * sizeof *queue);
    uint64_t head = 0, tail = 0;
    for (uint64_t v = 0; v < graph->vertices; v++) depth[v] = GWS_NO_VERTEX;
    depth[source] = 0;
    queue[tail++] = source;
    while (head < tail) {
        uint32_t v = queue[head++];
        for (uint64_t a = graph->offset[v]; a < graph->offset[v + 1]; a++) {
            if (depth[graph->target[a]] != GWS_NO_VERTEX) continue;
            depth[graph->target[a]] = depth[v] + 1;
            queue[tail++] = graph->target[a];
        }
    }
    free(queue);
    return depth;
}

static void check(struct gws_runtime *runtime, const struct gws_graph *graph, uint32_t source, const uint32_t *depth,
                  struct gws_bfs_result *result)
{
    struct gws_diagnostic where = {0};
    if (result->scratch) prefer(result, graph, 1);
    ck_assert_int_eq(gws_bfs(runtime, graph, source, NULL, result), GWS_OK);
    ck_assert_ptr_nonnull(result->scratch->regions);
    if (result->reached >= 1 << 16)
        ck_assert_double_gt(cost_of(result, graph, 1), 1e-3); /* the search ran by regions */
    for (uint64_t v = 0; v < graph->vertices; v++)
        if (result->depth[v] != depth[v]) ck_abort_msg("vertex %llu", (unsigned long long)v);
    gws_status status = gws_bfs_check(runtime, graph, result, &where);
    ck_assert_msg(status == GWS_OK, "%s", where.message);
}

static struct gws_graph *shape(int i)
{
    static const char *const names[] = {"grid:900x600", "road:530000", "grid:530000x1"};
    return i < 3 ? generated(names[i]) : short_cuts(i == 4);
}

START_TEST(depths_are_exact)
{
    struct gws_graph *graph = shape(_i);
    struct gws_bfs_result result = {0};
    const char *policy;
    struct gws_runtime *two = open_runtime(NULL, 2, NULL);
    ck_assert_int_eq(gws_bfs(two, graph, 0, NULL, &result), GWS_OK); /* the first search of a single worker would run
                                                                      * level by level */
    gws_runtime_close(two);
    for (uint32_t s = 0; s < 3; s++) {
        if (gws_test_quick() && s != (uint32_t)_i % 3) continue;
        uint32_t source = (uint32_t)((graph->vertices - 1) * s / 2);
        uint32_t *depth = oracle(graph, source);
        for (uint32_t p = 0; (policy = gws_policy_at(p, NULL)); p++)
            for (uint32_t threads = 1; threads <= 5; threads += threads == 1 ? 1 : 3) {
                if (gws_test_quick() ? s != p || threads <= 2 : s != p && threads != 2) continue;
                struct gws_runtime *runtime = open_runtime(policy, threads, NULL);
                check(runtime, graph, source, depth, &result);
                gws_runtime_close(runtime);
            }
        free(depth);
    }
    gws_bfs_result_clear(&result);
    gws_graph_destroy(graph);
}
END_TEST

/* The first two searches try both methods. Later searches use the cheaper method, and occasionally retry the other
 * method. */
START_TEST(strategies_are_measured)
{
    struct gws_graph *mesh = generated("grid:1024x512");
    for (uint32_t threads = gws_test_races() ? 2 : 1; threads <= 2; threads++) {
        struct gws_runtime *runtime = open_runtime(NULL, threads, NULL);
        struct gws_bfs_result result = {0};
        ck_assert_int_eq(gws_bfs(runtime, mesh, 0, NULL, &result), GWS_OK);
        ck_assert_double_gt(cost_of(&result, mesh, threads > 1), 0);
        ck_assert_double_eq(cost_of(&result, mesh, threads == 1), 0);
        ck_assert_int_eq(gws_bfs(runtime, mesh, 0, NULL, &result), GWS_OK);
        ck_assert_double_gt(cost_of(&result, mesh, threads == 1), 0);
        for (uint32_t dear = 0; dear < 2; dear++) {
            prefer(&result, mesh, !dear);
            ck_assert_int_eq(gws_bfs(runtime, mesh, 0, NULL, &result), GWS_OK);
            ck_assert_double_eq(cost_of(&result, mesh, dear), 1e9);
            ck_assert_double_gt(cost_of(&result, mesh, !dear), 1e-3);
            result.scratch->strategy.choices = 32;
            ck_assert_int_eq(gws_bfs(runtime, mesh, 0, NULL, &result), GWS_OK);
            ck_assert_double_lt(cost_of(&result, mesh, dear), 1e9);
        }
        gws_bfs_result_clear(&result);
        gws_runtime_close(runtime);
    }
    gws_graph_destroy(mesh);
}
END_TEST

/* Reuses one result for graphs of the same size. Both methods search each graph. */
START_TEST(strategies_alternate)
{
    struct gws_graph *mesh = generated("grid:1024x512"), *random = generated("uniform:19:2");
    struct gws_runtime *runtime = open_runtime(NULL, 2, NULL);
    struct gws_bfs_options by_level = {.time_levels = true};
    struct gws_bfs_result result = {0};
    struct gws_diagnostic where = {0};
    for (uint32_t i = gws_test_quick() ? 2 : 0; i < 6; i++) {
        const struct gws_graph *graph = i % 2 ? random : mesh;
        ck_assert_int_eq(gws_bfs(runtime, graph, i * 1000, i == 4 ? &by_level : NULL, &result), GWS_OK);
        gws_status status = gws_bfs_check(runtime, graph, &result, &where);
        ck_assert_msg(status == GWS_OK, "%s", where.message);
    }
    gws_bfs_result_clear(&result);
    gws_runtime_close(runtime);
    gws_graph_destroy(mesh);
    gws_graph_destroy(random);
}
END_TEST

static gws_status search_once(struct gws_runtime *runtime, const void *graph)
{
    struct gws_bfs_result result = {0};
    const gws_status status = gws_bfs(runtime, graph, 130000, NULL, &result);
    ck_assert_int_eq(result.depth != NULL, status == GWS_OK);
    gws_bfs_result_clear(&result);
    return status;
}

START_TEST(memory_runs_out)
{
    struct gws_graph *graph = generated("grid:265000x2");
    gws_test_each_allocation(2, search_once, graph);
    gws_graph_destroy(graph);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {
        {depths_are_exact, 5}, {strategies_are_measured, 1}, {strategies_alternate, 1}, {memory_runs_out, 1}, {0}};
    return gws_test_run("bfs_regions", test);
}
