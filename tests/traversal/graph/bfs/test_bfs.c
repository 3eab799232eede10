/* SPDX-License-Identifier: MIT */
/* Compares breadth-first search with a plain serial search, for graphs of every shape, every direction and every
 * policy. */
#include "shapes.h"

#include "../../../../lib/parallel.h"

/* Runs one search. The oracle and the checker verify the result. */
static void search(struct gws_runtime *runtime, const struct gws_graph *graph, uint32_t source,
                   enum gws_bfs_direction direction, const struct oracle *oracle, struct gws_bfs_result *result)
{
    struct gws_bfs_options options = {.direction = direction, .time_levels = direction == GWS_BFS_AUTO};
    gws_status status = gws_bfs(runtime, graph, source, &options, result);
    if (direction == GWS_BFS_BOTTOM_UP && graph->directed && !graph->reverse) {
        ck_assert_int_eq(status, GWS_NEEDS_REVERSE);
        return;
    }
    ck_assert_int_eq(status, GWS_OK);
    compare(graph, source, oracle, result);
    struct gws_diagnostic where;
    status = gws_bfs_check(runtime, graph, result, &where);
    ck_assert_msg(status == GWS_OK, "%s", where.message);
    for (uint32_t i = 0; i < result->levels; i++) {
        const struct gws_bfs_level *level = &result->level[i];
        bool right = direction == GWS_BFS_AUTO || level->bottom_up == (direction == GWS_BFS_BOTTOM_UP);
        if (!right || level->workers < 1 || level->workers > gws_runtime_workers(runtime))
            ck_abort_msg("level %u: bottom-up %d, %u workers", i, level->bottom_up, level->workers);
    }
}

static const uint32_t threads[] = {1, 2, 4, 8}, chunks[] = {1, 7, 0};
enum { thread_kinds = 4, chunk_kinds = 3, max_searches = 128 };

/* Searches in every direction with every fourth combination of policy, threads and chunk, starting with index. Four
 * consecutive indexes cover all combinations, and in a quick run ten. All runtimes use the same result. */
static void everywhere(const struct gws_graph *graph, uint32_t source, uint32_t index, struct gws_bfs_result *result)
{
    struct oracle oracle = oracle_new(graph, source);
    const char *policy;
    for (uint32_t p = 0; (policy = gws_policy_at(p, NULL)); p++)
        for (uint32_t t = 0; t < thread_kinds; t++)
            for (uint32_t c = 0; c < chunk_kinds; c++) {
                if ((p + t + c + index) % (gws_test_quick() ? 10 : 4)) continue;
                struct gws_runtime *runtime = open_runtime(policy, threads[t], chunks[c]);
                for (int d = GWS_BFS_AUTO; d <= GWS_BFS_BOTTOM_UP; d++)
                    search(runtime, graph, source, (enum gws_bfs_direction)d, &oracle, result);
                gws_runtime_close(runtime);
            }
    oracle_free(&oracle);
}

START_TEST(every_shape)
{
    const struct shape *shape = &shapes[_i / arc_kinds];
    struct gws_graph *graph = make_graph(shape->make, shape->vertices, (enum arcs)(_i % arc_kinds));
    struct gws_bfs_result result = {0};
    const uint32_t last = (uint32_t)(shape->vertices - 1); /* undirected stars: a leaf; directed stars: a sink */
    if (gws_test_quick()) {
        everywhere(graph, _i % 2 ? last : 0, (uint32_t)_i, &result); /* the graphs share the combinations */
    } else {
        everywhere(graph, 0, (uint32_t)_i, &result);
        everywhere(graph, last, (uint32_t)_i + 1, &result);
        if (shape->vertices > 2) everywhere(graph, (uint32_t)(shape->vertices / 2), (uint32_t)_i + 2, &result);
    }
    gws_bfs_result_clear(&result);
    gws_graph_destroy(graph);
}
END_TEST

START_TEST(generated)
{
    static const char *const names[] = {"kron:10", "kron:11",    "kron:12",    "kron:13",
                                        "kron:14", "road:20000", "uniform:12", "grid:200x50"};
    if (gws_test_quick() && _i > 0 && _i < 5) return; /* these graphs are like kron:10, but larger */
    struct gws_graph *graph = generate(gws_test_quick() && _i == 5 ? "road:4000" : names[_i]);
    struct gws_bfs_result result = {0};
    uint32_t source = 1;
    while (gws_graph_degree(graph, source) == 0) source++;
    everywhere(graph, source, (uint32_t)_i, &result);
    gws_bfs_result_clear(&result);
    gws_graph_destroy(graph);
}
END_TEST

/* The frontiers of these graphs exceed the search's initial capacity. */
START_TEST(large)
{
    static const struct shape larges[] = {
        {"star", star, 100001}, {"path", path, 200000}, {"hubs", hubs, 150000}, {"dense", dense, 60000}};
    const struct shape *shape = &larges[_i];
    if (gws_test_quick() && shape->make == dense) return; /* the star and the hubs exceed the capacity too */
    struct gws_graph *graph = make_graph(shape->make, shape->vertices, UNDIRECTED);
    struct gws_bfs_result result = {0};
    const uint32_t sources[] = {0, (uint32_t)shape->vertices - 1};
    const char *policy;
    for (uint32_t s = 0; s < (gws_test_quick() ? 1 : 2); s++) {
        struct oracle oracle = oracle_new(graph, sources[s]);
        for (uint32_t p = 0; (policy = gws_policy_at(p, NULL)); p++)
            for (uint32_t t = 1; t <= 4; t += 3) {
                if (p % 2 != s || (gws_test_quick() && (p || t == 1))) continue; /* one source for each policy */
                struct gws_runtime *runtime = open_runtime(policy, t, 0);
                search(runtime, graph, sources[s], GWS_BFS_AUTO, &oracle, &result);
                search(runtime, graph, sources[s], GWS_BFS_TOP_DOWN, &oracle, &result);
                if (shape->make != path) search(runtime, graph, sources[s], GWS_BFS_BOTTOM_UP, &oracle, &result);
                gws_runtime_close(runtime);
            }
        oracle_free(&oracle);
    }
    gws_bfs_result_clear(&result);
    gws_graph_destroy(graph);
}
END_TEST

START_TEST(auto_switches_in_both_directions)
{
    struct gws_graph *graph = generate("kron:14");
    struct gws_runtime *runtime = open_runtime(NULL, 2, 0);
    struct gws_bfs_result result = {0};
    bool up = false, down = false;
    for (uint32_t source = 0; source < 64; source++) {
        ck_assert_int_eq(gws_bfs(runtime, graph, source, NULL, &result), GWS_OK);
        for (uint32_t i = 1; i < result.levels; i++) {
            up |= result.level[i].bottom_up && !result.level[i - 1].bottom_up;
            down |= !result.level[i].bottom_up && result.level[i - 1].bottom_up;
            if (result.level[i].ms != 0) ck_abort_msg("timed without being asked to");
        }
    }
    ck_assert(up && down);
    gws_bfs_result_clear(&result);
    gws_runtime_close(runtime);
    gws_graph_destroy(graph);
}
END_TEST

/* Reuses one result for graphs of many sizes and runtimes of several sizes, in mixed order. */
START_TEST(one_result_for_all)
{
    struct gws_graph *graph[] = {make_graph(dense, 500, UNDIRECTED), make_graph(path, 1000, DIRECTED_WITH_REVERSE),
                                 make_graph(star, 64, UNDIRECTED), make_graph(hubs, 3000, UNDIRECTED),
                                 make_graph(grid, 3000, UNDIRECTED)};
    struct gws_runtime *runtime[] = {open_runtime(NULL, 9, 0), open_runtime("static", 1, 0),
                                     open_runtime("cursor", 3, 5), open_runtime(NULL, 2, 1)};
    struct gws_bfs_result result = {0};
    uint64_t random = 17;
    for (uint32_t round = 0; round < (gws_test_quick() ? 30 : 600); round++) {
        const struct gws_graph *on = graph[gws_random_below(gws_random_next(&random), 5)];
        struct gws_runtime *by = runtime[gws_random_below(gws_random_next(&random), 4)];
        uint32_t source = gws_random_below(gws_random_next(&random), (uint32_t)on->vertices);
        struct oracle oracle = oracle_new(on, source);
        search(by, on, source, (enum gws_bfs_direction)(round % 3), &oracle, &result);
        oracle_free(&oracle);
    }
    gws_bfs_result_clear(&result);
    for (uint32_t i = 0; i < 4; i++) gws_runtime_close(runtime[i]);
    for (uint32_t i = 0; i < 5; i++) gws_graph_destroy(graph[i]);
}
END_TEST

/* A runtime with many workers fills a result, and a runtime with few workers reuses the result. The second search must
 * not touch the state of the missing workers. */
START_TEST(result_of_a_larger_team)
{
    struct gws_graph *graph = make_graph(dense, 5000, UNDIRECTED);
    struct gws_bfs_result result = {0};
    struct gws_runtime *many = open_runtime(NULL, 64, 1), *one = open_runtime("cursor", 1, 1);
    struct oracle oracle = oracle_new(graph, 7);
    for (int d = GWS_BFS_AUTO; d <= GWS_BFS_BOTTOM_UP; d++) {
        search(many, graph, 7, (enum gws_bfs_direction)d, &oracle, &result);
        search(one, graph, 7, (enum gws_bfs_direction)d, &oracle, &result);
    }
    gws_runtime_close(many);
    search(one, graph, 7, GWS_BFS_AUTO, &oracle, &result);
    gws_runtime_close(one);
    gws_bfs_result_clear(&result); /* the result outlives both runtimes */
    oracle_free(&oracle);
    gws_graph_destroy(graph);
}
END_TEST

START_TEST(statistics_count_vertices)
{
    struct gws_graph *graph = make_graph(dense, 5000, UNDIRECTED);
    for (uint32_t t = 1; t <= 4; t *= 2) {
        struct gws_runtime *runtime = open_runtime(NULL, t, 0);
        struct gws_worker_stats stats[4];
        struct gws_bfs_result result = {0};
        struct gws_bfs_options options = {.direction = GWS_BFS_TOP_DOWN};
        ck_assert_int_eq(gws_bfs(runtime, graph, 0, &options, &result), GWS_OK);
        gws_runtime_stats(runtime, stats);
        uint64_t made = 0;
        for (uint32_t w = 0; w < t; w++) made += stats[w].made;
        ck_assert_uint_eq(made + 1, result.reached);
        gws_bfs_result_clear(&result);
        gws_runtime_close(runtime);
    }
    gws_graph_destroy(graph);
}
END_TEST

START_TEST(bad_arguments_keep_the_result)
{
    struct gws_graph *graph = make_graph(path, 10, DIRECTED);
    struct gws_runtime *runtime = open_runtime(NULL, 2, 0);
    struct gws_bfs_result empty = {0}, result = {0};
    struct gws_bfs_options bottom_up = {.direction = GWS_BFS_BOTTOM_UP};
    ck_assert_int_eq(gws_bfs(runtime, graph, 10, NULL, &empty), GWS_OUT_OF_RANGE);
    ck_assert_int_eq(gws_bfs(runtime, graph, GWS_NO_VERTEX, NULL, &empty), GWS_OUT_OF_RANGE);
    ck_assert_int_eq(gws_bfs(runtime, graph, 0, &bottom_up, &empty), GWS_NEEDS_REVERSE);
    ck_assert_ptr_null(empty.depth);
    ck_assert_ptr_null(empty.scratch);

    ck_assert_int_eq(gws_bfs(runtime, graph, 3, NULL, &result), GWS_OK);
    ck_assert_int_eq(gws_bfs(runtime, graph, 10, NULL, &result), GWS_OUT_OF_RANGE);
    ck_assert_int_eq(gws_bfs(runtime, graph, 0, &bottom_up, &result), GWS_NEEDS_REVERSE);
    ck_assert_int_eq(gws_bfs_check(runtime, graph, &result, NULL), GWS_OK);
    ck_assert_uint_eq(result.reached, 7);
    gws_bfs_result_clear(&result);
    gws_bfs_result_clear(&result);

    struct gws_graph *none = make_graph(nothing, 0, UNDIRECTED);
    ck_assert_int_eq(gws_bfs(runtime, none, 0, NULL, &result), GWS_OUT_OF_RANGE);
    gws_graph_destroy(none);
    gws_runtime_close(runtime);
    gws_graph_destroy(graph);
}
END_TEST

/* Fails the k-th allocation in a first search, and in a second search that needs larger arrays and more levels. */
START_TEST(short_memory)
{
    const uint64_t length = gws_test_quick() ? 500 : 5000;
    struct gws_graph *small = make_graph(star, 100, UNDIRECTED), *large = make_graph(path, length, UNDIRECTED);
    struct gws_bfs_options options = {.direction = (enum gws_bfs_direction)(_i / 2)};
    for (uint64_t k = 1;; k += gws_test_step()) {
        struct gws_test_memory memory = {.fail_at = k, .fail_after = _i % 2};
        struct gws_options with = {.threads = 2, .allocator = gws_test_allocator(&memory)};
        struct gws_runtime *runtime = NULL;
        struct gws_bfs_result result = {0};
        gws_status status = gws_runtime_open(&with, &runtime);
        if (status == GWS_OK) {
            status = gws_bfs(runtime, small, 1, &options, &result);
            if (status != GWS_OK) {
                ck_assert_ptr_null(result.depth);
                ck_assert_ptr_null(result.scratch);
            } else {
                status = gws_bfs(runtime, large, 0, &options, &result);
                if (status == GWS_OK) ck_assert_uint_eq(result.levels, length);
                /* The result is empty after an error, or still holds the previous search. */
                if (status != GWS_OK) ck_assert(result.depth == NULL || result.vertices == 100);
            }
        }
        ck_assert_int_eq(status, memory.failed ? GWS_NO_MEMORY : GWS_OK);
        gws_bfs_result_clear(&result);
        gws_runtime_close(runtime);
        gws_test_memory_check(&memory);
        if (!memory.failed) break;
        ck_assert_uint_lt(k, 100);
    }
    gws_graph_destroy(small);
    gws_graph_destroy(large);
}
END_TEST

/* ---- many searches ---- */

struct visits {
    const struct gws_graph *graph;
    const uint32_t *source;
    uint64_t seen, end_at;
};

static gws_status visit(void *context, uint64_t index, const struct gws_bfs_result *result)
{
    struct visits *visits = context;
    ck_assert_uint_eq(index, visits->seen++);
    struct oracle oracle = oracle_new(visits->graph, visits->source[index]);
    compare(visits->graph, visits->source[index], &oracle, result);
    oracle_free(&oracle);
    return visits->seen == visits->end_at ? GWS_UNSUPPORTED : GWS_OK;
}

START_TEST(many)
{
    struct gws_graph *graph = make_graph(sparse, 2000, UNDIRECTED);
    struct gws_runtime *runtime = open_runtime(NULL, 3, 0);
    uint32_t source[max_searches];
    for (uint32_t i = 0; i < max_searches; i++) source[i] = i * 7 % 2000;
    struct visits visits = {.graph = graph, .source = source};
    ck_assert_int_eq(gws_bfs_many(runtime, graph, source, max_searches, NULL, visit, &visits), GWS_OK);
    ck_assert_uint_eq(visits.seen, max_searches);
    visits.seen = 0;
    visits.end_at = 5;
    ck_assert_int_eq(gws_bfs_many(runtime, graph, source, max_searches, NULL, visit, &visits), GWS_UNSUPPORTED);
    ck_assert_uint_eq(visits.seen, 5);
    visits = (struct visits){.graph = graph, .source = source};
    ck_assert_int_eq(gws_bfs_many(runtime, graph, source, 0, NULL, visit, &visits), GWS_OK);
    ck_assert_uint_eq(visits.seen, 0);
    source[3] = 2000;
    ck_assert_int_eq(gws_bfs_many(runtime, graph, source, max_searches, NULL, visit, &visits), GWS_OUT_OF_RANGE);
    ck_assert_uint_eq(visits.seen, 3);
    gws_runtime_close(runtime);
    gws_graph_destroy(graph);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{every_shape, shape_count * arc_kinds},
                                    {generated, 8},
                                    {large, 4},
                                    {auto_switches_in_both_directions, 1},
                                    {one_result_for_all, 1},
                                    {result_of_a_larger_team, 1},
                                    {statistics_count_vertices, 1},
                                    {bad_arguments_keep_the_result, 1},
                                    {short_memory, 6},
                                    {many, 1},
                                    {0}};
    return gws_test_run("bfs", test);
}
