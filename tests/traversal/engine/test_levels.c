/* SPDX-License-Identifier: MIT */
/* Tests the engine on CPU threads by the results of breadth-first search. Teams of every size run narrow levels. The
 * level after a wide level commits the claims, in either direction. */
#include "../graph/bfs/shapes.h"

#include "../../../traversal/graph/bfs/state.h"

static void search(struct gws_runtime *runtime, const struct gws_graph *graph, uint32_t source,
                   struct gws_bfs_result *result)
{
    struct oracle oracle = oracle_new(graph, source);
    struct gws_diagnostic where;
    ck_assert_int_eq(gws_bfs(runtime, graph, source, NULL, result), GWS_OK);
    compare(graph, source, &oracle, result);
    gws_status status = gws_bfs_check(runtime, graph, result, &where);
    ck_assert_msg(status == GWS_OK, "%s", where.message);
    oracle_free(&oracle);
}

/* Sets the measured costs so that teams of 2^alternative workers are the cheapest for every frontier. */
static void prefer(struct gws__engine_memory *memory, uint32_t alternative)
{
    memory->team = (struct gws__autotune){.choices = 1, .held = 2};
    for (uint32_t a = 0; a < gws__autotune_max; a++)
        for (uint32_t class = 0; class < gws__cost_classes; class ++)
            memory->team.cost[a].ns[class] = a == alternative ? 1e-3 : 1e9;
}

START_TEST(teams)
{
    struct gws_graph *graph = generate("grid:300x300");
    struct gws_runtime *runtime = open_runtime(NULL, 1u << _i, 0);
    struct gws_bfs_result result = {0};
    search(runtime, graph, 0, &result);
    for (uint32_t alternative = 0; alternative <= (uint32_t)_i; alternative++) {
        uint32_t members = 0;
        prefer(result.scratch->memory, alternative);
        search(runtime, graph, 45150, &result);
        for (uint32_t level = 0; level < result.levels; level++)
            if (result.level[level].workers > members) members = result.level[level].workers;
        /* The team is smaller if the pool suspended workers for their stalls. */
        ck_assert_uint_le(members, 1u << alternative);
    }
    gws_bfs_result_clear(&result);
    gws_runtime_close(runtime);
    gws_graph_destroy(graph);
}
END_TEST

/* Makes many vertices with arcs to the same few vertices, at which a path begins. So a wide level finds few
 * vertices. */
static void bottleneck(struct edges *edges, uint64_t n)
{
    const uint64_t many = 100, few = 60;
    for (uint64_t v = 1; v <= many; v++) {
        add(edges, 0, v);
        for (uint64_t u = 1; u <= few; u++) add(edges, v, many + u);
    }
    for (uint64_t v = many + few; v + 1 < n; v++) add(edges, v, v + 1);
}

START_TEST(wide_then_queue)
{
    struct gws_graph *graph = make_graph(bottleneck, 20000, UNDIRECTED);
    struct gws_bfs_result result = {0};
    for (uint32_t threads = gws_test_races() ? 2 : 1; threads <= 4; threads *= 2) {
        struct gws_runtime *runtime = open_runtime(NULL, threads, 0);
        search(runtime, graph, 0, &result);
        search(runtime, graph, 19999, &result);
        gws_runtime_close(runtime);
    }
    gws_bfs_result_clear(&result);
    gws_graph_destroy(graph);
}
END_TEST

START_TEST(wide_then_pull)
{
    static const char *const names[] = {"uniform:13:16", "uniform:14:8", "kron:13", "uniform:15:4"};
    struct gws_graph *graph = generate(names[_i]);
    struct gws_bfs_result result = {0};
    for (uint32_t threads = gws_test_races() ? 2 : 1; threads <= 4; threads *= 2) {
        struct gws_runtime *runtime = open_runtime(NULL, threads, 0);
        for (uint32_t source = 0; source < 40; source += gws_test_quick() ? 9 : 3)
            if (gws_graph_degree(graph, source)) search(runtime, graph, source, &result);
        gws_runtime_close(runtime);
    }
    gws_bfs_result_clear(&result);
    gws_graph_destroy(graph);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{teams, 5}, {wide_then_queue, 1}, {wide_then_pull, 4}, {0}};
    return gws_test_run("levels", test);
}
