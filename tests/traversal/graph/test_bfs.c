/* SPDX-License-Identifier: MIT */
/* Breadth-first search against a plain serial one, on graphs of every shape, in every direction, by every policy. */
#include "../../harness.h"

#include "../../../lib/graph.h"
#include "../../../lib/parallel.h"
#include "../../../lib/random.h"
#include "../../../traversal/bfs.h"

static struct gws_runtime *open_runtime(const char *policy, uint32_t threads, uint32_t chunk)
{
    struct gws_options options = {.threads = threads, .chunk = chunk, .policy = policy};
    struct gws_runtime *runtime = NULL;
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
    return runtime;
}

/* ---- graphs ---- */

struct edges {
    struct gws_edge *edge;
    uint64_t count, room;
};

static void add(struct edges *edges, uint64_t from, uint64_t to)
{
    if (edges->count == edges->room) {
        edges->room = edges->room ? 2 * edges->room : 64;
        edges->edge = realloc(edges->edge, edges->room * sizeof *edges->edge);
    }
    edges->edge[edges->count++] = (struct gws_edge){(uint32_t)from, (uint32_t)to};
}

static void path(struct edges *edges, uint64_t n)
{
    for (uint64_t v = 1; v < n; v++) add(edges, v - 1, v);
}

static void cycle(struct edges *edges, uint64_t n)
{
    for (uint64_t v = 0; v < n; v++) add(edges, v, (v + 1) % n);
}

static void star(struct edges *edges, uint64_t n)
{
    for (uint64_t v = 1; v < n; v++) add(edges, 0, v);
}

static void complete(struct edges *edges, uint64_t n)
{
    for (uint64_t v = 0; v < n; v++)
        for (uint64_t u = 0; u < v; u++) add(edges, u, v);
}

static void grid(struct edges *edges, uint64_t n)
{
    const uint64_t width = 40;
    for (uint64_t v = 0; v < n; v++) {
        if ((v + 1) % width && v + 1 < n) add(edges, v, v + 1);
        if (v + width < n) add(edges, v, v + width);
    }
}

static void tree(struct edges *edges, uint64_t n)
{
    for (uint64_t v = 1; v < n; v++) add(edges, (v - 1) / 2, v);
}

/* Twenty hubs in a row, each with its share of spokes, and the spokes joined at random: small, large, small levels. */
static void hubs(struct edges *edges, uint64_t n)
{
    uint64_t count = n < 40 ? 1 : 20, random = 3;
    for (uint64_t v = 1; v < count; v++) add(edges, v - 1, v);
    for (uint64_t v = count; v < n; v++) {
        add(edges, v % count, v);
        add(edges, v, gws_random_next(&random) % n);
    }
}

static void random_edges(struct edges *edges, uint64_t n, uint64_t many, uint64_t seed)
{
    for (uint64_t i = 0; i < many; i++) {
        uint64_t from = gws_random_next(&seed) % n;
        add(edges, from, gws_random_next(&seed) % n);
    }
}

static void sparse(struct edges *edges, uint64_t n)
{
    random_edges(edges, n, n / 2, 11); /* in many components, with isolated vertices */
}

static void dense(struct edges *edges, uint64_t n)
{
    random_edges(edges, n, 20 * n, 12);
}

static void loops_and_twins(struct edges *edges, uint64_t n)
{
    random_edges(edges, n, 2 * n, 13);
    for (uint64_t v = 0; v < n; v += 3) add(edges, v, v);
    for (uint64_t i = 0, count = edges->count; i < count; i += 2) add(edges, edges->edge[i].from, edges->edge[i].to);
}

static void nothing(struct edges *edges, uint64_t n)
{
    (void)edges;
    (void)n;
}

enum arcs { UNDIRECTED, DIRECTED, DIRECTED_WITH_REVERSE, arc_kinds };

static struct gws_graph *make_graph(void (*shape)(struct edges *, uint64_t), uint64_t n, enum arcs arcs)
{
    struct edges edges = {0};
    shape(&edges, n);
    struct gws_runtime *runtime = open_runtime(NULL, 1, 0);
    struct gws_edge_block block = {.edge = edges.edge, .count = edges.count};
    struct gws_edges input = {.vertices = n, .blocks = 1, .block = &block};
    struct gws_build_options options = {.kind = arcs == UNDIRECTED ? GWS_BUILD_SYMMETRISE : GWS_BUILD_DIRECTED};
    struct gws_graph *graph = NULL;
    ck_assert_int_eq(gws_graph_build(runtime, &input, &options, &graph), GWS_OK);
    if (arcs == DIRECTED_WITH_REVERSE) ck_assert_int_eq(gws_graph_add_reverse(runtime, graph), GWS_OK);
    gws_runtime_close(runtime);
    free(edges.edge);
    return graph;
}

static struct gws_graph *generate(const char *description)
{
    struct gws_runtime *runtime = open_runtime(NULL, 1, 0);
    struct gws_graph *graph = NULL;
    ck_assert_int_eq(gws_graph_generate(runtime, description, &graph, NULL), GWS_OK);
    gws_runtime_close(runtime);
    return graph;
}

/* ---- the oracle ---- */

struct oracle {
    uint32_t *depth;
    uint64_t reached, arcs;
    uint64_t *size; /* of each level */
    uint32_t levels;
};

static struct oracle oracle_new(const struct gws_graph *graph, uint32_t source)
{
    uint32_t *queue = malloc(graph->vertices * sizeof *queue);
    struct oracle oracle = {.depth = malloc(graph->vertices * sizeof *oracle.depth)};
    oracle.size = calloc(graph->vertices + 1, sizeof *oracle.size);
    for (uint64_t v = 0; v < graph->vertices; v++) oracle.depth[v] = GWS_NO_VERTEX;
    oracle.depth[source] = 0;
    queue[oracle.reached++] = source;
    for (uint64_t head = 0; head < oracle.reached; head++) {
        uint32_t v = queue[head];
        oracle.size[oracle.depth[v]]++;
        oracle.levels = oracle.depth[v] + 1;
        for (uint64_t a = graph->offset[v]; a < graph->offset[v + 1]; a++, oracle.arcs++) {
            uint32_t to = graph->target[a];
            if (oracle.depth[to] != GWS_NO_VERTEX) continue;
            oracle.depth[to] = oracle.depth[v] + 1;
            queue[oracle.reached++] = to;
        }
    }
    free(queue);
    return oracle;
}

static void oracle_free(struct oracle *oracle)
{
    free(oracle->depth);
    free(oracle->size);
}

static void compare(const struct gws_graph *graph, uint32_t source, const struct oracle *oracle,
                    const struct gws_bfs_result *result)
{
    ck_assert_uint_eq(result->vertices, graph->vertices);
    ck_assert_uint_eq(result->source, source);
    ck_assert_uint_eq(result->reached, oracle->reached);
    ck_assert_uint_eq(result->reached_arcs, oracle->arcs);
    ck_assert_uint_eq(result->levels, oracle->levels);
    for (uint64_t v = 0; v < graph->vertices; v++)
        if (result->depth[v] != oracle->depth[v] ||
            (result->parent[v] == GWS_NO_VERTEX) != (oracle->depth[v] == GWS_NO_VERTEX))
            ck_abort_msg("vertex %u: depth %u, not %u", (uint32_t)v, result->depth[v], oracle->depth[v]);
    for (uint32_t i = 0; i < oracle->levels; i++)
        if (result->level[i].size != oracle->size[i]) ck_abort_msg("level %u has another size", i);
}

/* One search, judged by the oracle and by the checker. */
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
    struct gws_where where;
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
enum { thread_kinds = 4, chunk_kinds = 3, most_searches = 128 };

/* Every direction by every second policy, number of threads and chunk, beginning with turn, so that two turns try all
 * of them. One result serves all, so it goes from runtime to runtime. */
static void everywhere(const struct gws_graph *graph, uint32_t source, uint32_t turn, struct gws_bfs_result *result)
{
    struct oracle oracle = oracle_new(graph, source);
    const char *policy;
    for (uint32_t p = 0; (policy = gws_policy_at(p, NULL)); p++)
        for (uint32_t t = 0; t < thread_kinds; t++)
            for (uint32_t c = 0; c < chunk_kinds; c++) {
                if ((p + t + c + turn) % (gws_test_quick() ? 6 : 2)) continue;
                struct gws_runtime *runtime = open_runtime(policy, threads[t], chunks[c]);
                for (int d = GWS_BFS_AUTO; d <= GWS_BFS_BOTTOM_UP; d++)
                    search(runtime, graph, source, (enum gws_bfs_direction)d, &oracle, result);
                gws_runtime_close(runtime);
            }
    oracle_free(&oracle);
}

static const struct shape {
    const char *name;
    void (*make)(struct edges *, uint64_t);
    uint64_t vertices;
} shapes[] = {
    {"one vertex", nothing, 1},
    {"no edges", nothing, 130},
    {"path", path, 300},
    {"cycle", cycle, 63},
    {"star", star, 128},
    {"complete", complete, 65},
    {"grid", grid, 3000},
    {"tree", tree, 4095},
    {"hubs", hubs, 5000},
    {"sparse", sparse, 2000},
    {"dense", dense, 1500},
    {"loops and twins", loops_and_twins, 1000},
    {"63 vertices", dense, 63},
    {"64 vertices", sparse, 64},
    {"65 vertices", tree, 65},
    {"127 vertices", path, 127},
    {"128 vertices", dense, 128},
    {"129 vertices", sparse, 129},
    {"sparse, large", sparse, 20000},
};

enum { shape_count = sizeof shapes / sizeof shapes[0] };

START_TEST(every_shape)
{
    const struct shape *shape = &shapes[_i / arc_kinds];
    struct gws_graph *graph = make_graph(shape->make, shape->vertices, (enum arcs)(_i % arc_kinds));
    struct gws_bfs_result result = {0};
    everywhere(graph, 0, 0, &result);
    everywhere(graph, (uint32_t)(shape->vertices - 1), 1,
               &result); /* undirected stars: a leaf; directed ones: a sink */
    if (shape->vertices > 2) everywhere(graph, (uint32_t)(shape->vertices / 2), 0, &result);
    gws_bfs_result_clear(&result);
    gws_graph_destroy(graph);
}
END_TEST

START_TEST(generated)
{
    static const char *const names[] = {"kron:10", "kron:11",    "kron:12",    "kron:13",
                                        "kron:14", "road:20000", "uniform:12", "grid:200x50"};
    struct gws_graph *graph = generate(names[_i]);
    struct gws_bfs_result result = {0};
    uint32_t source = 1;
    while (gws_graph_degree(graph, source) == 0) source++;
    everywhere(graph, source, (uint32_t)_i, &result);
    gws_bfs_result_clear(&result);
    gws_graph_destroy(graph);
}
END_TEST

/* Graphs so large that frontiers do not fit what the search keeps for small ones. */
START_TEST(large)
{
    static const struct shape larges[] = {
        {"star", star, 100001}, {"path", path, 200000}, {"hubs", hubs, 150000}, {"dense", dense, 60000}};
    const struct shape *shape = &larges[_i];
    struct gws_graph *graph = make_graph(shape->make, shape->vertices, UNDIRECTED);
    struct gws_bfs_result result = {0};
    const uint32_t sources[] = {0, (uint32_t)shape->vertices - 1};
    const char *policy;
    for (uint32_t s = 0; s < 2; s++) {
        struct oracle oracle = oracle_new(graph, sources[s]);
        for (uint32_t p = 0; (policy = gws_policy_at(p, NULL)); p++)
            for (uint32_t t = 1; t <= 4; t += 3) {
                if (gws_test_quick() && (p || t == 1)) continue;
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

START_TEST(auto_switches_both_ways)
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

/* One result for graphs of many sizes and runtimes of many workers, in a jumble. */
START_TEST(one_result_for_all)
{
    struct gws_graph *graph[] = {make_graph(dense, 500, UNDIRECTED), make_graph(path, 1000, DIRECTED_WITH_REVERSE),
                                 make_graph(star, 64, UNDIRECTED), make_graph(hubs, 3000, UNDIRECTED),
                                 make_graph(grid, 3000, UNDIRECTED)};
    struct gws_runtime *runtime[] = {open_runtime(NULL, 9, 0), open_runtime("static", 1, 0),
                                     open_runtime("cursor", 3, 5), open_runtime(NULL, 2, 1)};
    struct gws_bfs_result result = {0};
    uint64_t random = 17;
    for (uint32_t round = 0; round < (gws_test_quick() ? 60 : 600); round++) {
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

/* A result of a runtime of many workers, then a search by one of few: nothing of the larger crew may be touched. */
START_TEST(result_of_a_larger_crew)
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
    gws_bfs_result_clear(&result); /* outlives both */
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

START_TEST(bad_arguments_leave_the_result_alone)
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

/* The k-th allocation fails, in a first search and in one that needs larger arrays and a longer list of levels. */
START_TEST(short_memory)
{
    struct gws_graph *small = make_graph(star, 100, UNDIRECTED), *large = make_graph(path, 5000, UNDIRECTED);
    struct gws_bfs_options options = {.direction = (enum gws_bfs_direction)(_i / 2)};
    for (uint64_t k = 1;; k++) {
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
                if (status == GWS_OK) ck_assert_uint_eq(result.levels, 5000);
                /* Then it is empty, or still that of the search before. */
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
    uint32_t source[most_searches];
    for (uint32_t i = 0; i < most_searches; i++) source[i] = i * 7 % 2000;
    struct visits visits = {.graph = graph, .source = source};
    ck_assert_int_eq(gws_bfs_many(runtime, graph, source, most_searches, NULL, visit, &visits), GWS_OK);
    ck_assert_uint_eq(visits.seen, most_searches);
    visits.seen = 0;
    visits.end_at = 5;
    ck_assert_int_eq(gws_bfs_many(runtime, graph, source, most_searches, NULL, visit, &visits), GWS_UNSUPPORTED);
    ck_assert_uint_eq(visits.seen, 5);
    visits = (struct visits){.graph = graph, .source = source};
    ck_assert_int_eq(gws_bfs_many(runtime, graph, source, 0, NULL, visit, &visits), GWS_OK);
    ck_assert_uint_eq(visits.seen, 0);
    source[3] = 2000;
    ck_assert_int_eq(gws_bfs_many(runtime, graph, source, most_searches, NULL, visit, &visits), GWS_OUT_OF_RANGE);
    ck_assert_uint_eq(visits.seen, 3);
    gws_runtime_close(runtime);
    gws_graph_destroy(graph);
}
END_TEST

static Suite *bfs_suite(void)
{
    Suite *suite = suite_create("bfs");
    TCase *results = tcase_create("results"), *calls = tcase_create("calls");
    tcase_add_loop_test(results, every_shape, 0, shape_count * arc_kinds);
    tcase_add_loop_test(results, generated, 0, 8);
    tcase_add_loop_test(results, large, 0, 4);
    tcase_add_test(results, auto_switches_both_ways);
    tcase_add_test(calls, one_result_for_all);
    tcase_add_test(calls, result_of_a_larger_crew);
    tcase_add_test(calls, statistics_count_vertices);
    tcase_add_test(calls, bad_arguments_leave_the_result_alone);
    tcase_add_loop_test(calls, short_memory, 0, 6);
    tcase_add_test(calls, many);
    suite_add_tcase(suite, results);
    suite_add_tcase(suite, calls);
    return suite;
}

int main(void)
{
    return gws_test_main(bfs_suite);
}
