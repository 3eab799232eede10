/* SPDX-License-Identifier: MIT */
/* Searches on ranks, which are threads here: depths are those of one process, parents the smallest possible ones, for
 * any number of ranks; the check finds every kind of fault. */
#include "graphs.h"

#include "../../../../lib/random.h"
#include "../../../../traversal/graph/ranks/bfs_walk.h"

struct subject {
    const struct gws_graph *whole;
    uint32_t source;
    enum gws_bfs_direction direction;
    bool apart;               /* each rank on a host of its own */
    uint32_t *depth, *parent; /* what a serial search finds */
    uint64_t reached, reached_arcs;
    uint32_t levels;
    void (*spoil)(const struct gws_rank_graph *graph, struct gws_rank_bfs_result *result);
};

/* ---- the oracle ---- */

static void search_serially(struct subject *subject)
{
    const struct gws_graph *graph = subject->whole;
    uint32_t *queue = malloc((graph->vertices + 1) * sizeof *queue);
    uint64_t begin = 0, end = 0;
    subject->depth = malloc(graph->vertices * sizeof *subject->depth);
    subject->parent = malloc(graph->vertices * sizeof *subject->parent);
    for (uint64_t v = 0; v < graph->vertices; v++) subject->depth[v] = subject->parent[v] = GWS_NO_VERTEX;
    queue[end++] = subject->source;
    subject->depth[subject->source] = 0;
    subject->parent[subject->source] = subject->source;
    subject->reached = subject->reached_arcs = 0;
    for (; begin < end; begin++) {
        const uint32_t from = queue[begin];
        subject->reached++;
        subject->levels = subject->depth[from] + 1;
        for (uint64_t arc = graph->offset[from]; arc < graph->offset[from + 1]; arc++, subject->reached_arcs++) {
            const uint32_t to = graph->target[arc];
            if (subject->depth[to] == GWS_NO_VERTEX) {
                subject->depth[to] = subject->depth[from] + 1;
                queue[end++] = to;
            }
            if (subject->depth[to] == subject->depth[from] + 1 && from < subject->parent[to])
                subject->parent[to] = from;
        }
    }
    free(queue);
}

static void clear(struct subject *subject)
{
    free(subject->depth);
    free(subject->parent);
}

/* ---- on ranks ---- */

static void compare(const struct subject *subject, const struct gws_rank_graph *graph,
                    const struct gws_rank_bfs_result *result)
{
    for (uint64_t row = 0; row < graph->rows; row++) {
        RANK_EXPECT(result->depth[row] == subject->depth[graph->first + row]);
        RANK_EXPECT(result->parent[row] == subject->parent[graph->first + row]);
    }
    RANK_EXPECT(result->reached == subject->reached && result->reached_arcs == subject->reached_arcs);
    RANK_EXPECT(result->levels == subject->levels && result->source == subject->source);
    RANK_EXPECT(subject->direction != GWS_BFS_BOTTOM_UP || result->pulls == result->levels);
    RANK_EXPECT(subject->direction != GWS_BFS_TOP_DOWN || result->pulls == 0);
}

static gws_status body(struct rank_calls *calls, struct gws_runtime *runtime, struct gws_transport *transport)
{
    struct subject *subject = calls->context;
    const struct gws_graph *whole = gws_transport_rank(transport) == 0 ? subject->whole : NULL;
    struct gws_rank_graph *graph = NULL;
    struct gws_rank_bfs_result result = {0};
    struct gws_diagnostic where = {0};
    if (subject->apart) RANK_EXPECT(gws_transport_choose_links(transport, "messages") == GWS_OK);
    gws_status status = gws_rank_graph_spread(runtime, transport, whole, &graph, &where);
    for (int run = 0; run < 2 && status == GWS_OK; run++) {
        status = gws_rank_bfs(runtime, graph, subject->source, subject->direction, &result, &where);
        if (status != GWS_OK) break;
        compare(subject, graph, &result);
        if (subject->spoil) subject->spoil(graph, &result);
        if (subject->whole->directed && !subject->whole->reverse) continue;
        status = gws_rank_bfs_check(runtime, graph, &result, &where);
    }
    RANK_EXPECT((status == GWS_OK) == !*where.message);
    if (status == GWS_WRONG_RESULT) RANK_EXPECT(strncmp(where.message, "vertex ", 7) == 0 || result.reached == 1);
    gws_rank_bfs_result_clear(&result);
    gws_rank_graph_destroy(graph);
    return status;
}

static void check_graph(const struct gws_graph *whole, uint32_t source, bool pulls)
{
    struct subject subject = {.whole = whole, .source = source};
    struct rank_calls calls = {.body = body, .context = &subject, .rank = UINT32_MAX};
    search_serially(&subject);
    for (uint32_t ranks = next_test_ranks(0); ranks; ranks = next_test_ranks(ranks))
        for (int direction = GWS_BFS_AUTO; direction <= (pulls ? GWS_BFS_BOTTOM_UP : GWS_BFS_TOP_DOWN); direction++) {
            subject.direction = (enum gws_bfs_direction)direction;
            for (int apart = 0; apart <= (direction == GWS_BFS_TOP_DOWN || whole->vertices < 2000); apart++) {
                subject.apart = apart > 0;
                ck_assert_int_eq(run_rank_calls(&calls, ranks), GWS_OK);
            }
        }
    clear(&subject);
}

START_TEST(test_undirected)
{
    static const char *const description[] = {"kron:11", "uniform:10:3", "road:900",   "grid:40x9",
                                              "kron:0",  "road:70",      "kron:14:40", "road:9000"};
    struct gws_runtime *runtime = open_runtime();
    for (size_t i = 0; i < sizeof description / sizeof *description; i++) {
        struct gws_graph *whole = generate(runtime, description[i]);
        check_graph(whole, 0, true);
        check_graph(whole, (uint32_t)whole->vertices - 1, true);
        gws_graph_destroy(whole);
    }
    gws_runtime_close(runtime);
}
END_TEST

static struct gws_graph *make_directed(struct gws_runtime *runtime)
{
    enum { vertices = 400, arcs = 1500 };
    static struct gws_edge edge[arcs];
    const struct gws_edge_block block = {.edge = edge, .count = arcs};
    const struct gws_edges edges = {.vertices = vertices, .blocks = 1, .block = &block};
    struct gws_graph *graph = NULL;
    for (uint32_t i = 0; i < arcs; i++)
        edge[i] =
            (struct gws_edge){(uint32_t)(gws_random_at(1, i) % vertices), (uint32_t)(gws_random_at(2, i) % vertices)};
    ck_assert_int_eq(gws_graph_build(runtime, &edges, NULL, &graph), GWS_OK);
    return graph;
}

/* Ranks apart, which have enough vertices to send their words of a bitmap piece by piece. */
START_TEST(test_pieces)
{
    struct gws_runtime *runtime = open_runtime();
    struct gws_graph *whole = generate(runtime, "kron:17:2");
    struct subject subject = {.whole = whole, .source = 1, .apart = true};
    struct rank_calls calls = {.body = body, .context = &subject, .rank = UINT32_MAX};
    while (whole->offset[subject.source] == whole->offset[subject.source + 1]) subject.source++;
    search_serially(&subject);
    for (uint32_t ranks = 2; ranks <= 3; ranks++) {
        subject.direction = ranks == 2 ? GWS_BFS_AUTO : GWS_BFS_BOTTOM_UP;
        ck_assert_int_eq(run_rank_calls(&calls, ranks), GWS_OK);
    }
    clear(&subject);
    gws_graph_destroy(whole);
    gws_runtime_close(runtime);
}
END_TEST

/* A path, at whose end a vertex has very many neighbours: small levels, and then a large one. */
START_TEST(test_large_level)
{
    enum { path = 50, leaves = 40000, edges = path + leaves };
    static struct gws_edge edge[edges];
    const struct gws_edge_block block = {.edge = edge, .count = edges};
    const struct gws_edges of = {.vertices = edges + 1, .blocks = 1, .block = &block};
    const struct gws_build_options options = {.kind = GWS_BUILD_SYMMETRISE};
    struct gws_runtime *runtime = open_runtime();
    struct gws_graph *graph = NULL;
    for (uint32_t i = 0; i < edges; i++) edge[i] = (struct gws_edge){i < path ? i : path, i + 1};
    ck_assert_int_eq(gws_graph_build(runtime, &of, &options, &graph), GWS_OK);
    check_graph(graph, 0, false);
    check_graph(graph, edges, false);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
}
END_TEST

/* A ladder whose vertices lie in random order on the ranks: small levels, most of whose arcs cross. */
START_TEST(test_scattered)
{
    enum { length = 3000 };
    static uint32_t new_of_old[length];
    struct gws_runtime *runtime = open_runtime();
    struct gws_graph *grid = generate(runtime, "grid:1500x2"), *mixed = NULL;
    ck_assert_int_eq(gws_graph_order(runtime, grid, GWS_ORDER_RANDOM, 1, new_of_old), GWS_OK);
    ck_assert_int_eq(gws_graph_relabel(runtime, grid, new_of_old, length, &mixed), GWS_OK);
    check_graph(mixed, 7, false);
    gws_graph_destroy(grid);
    gws_graph_destroy(mixed);
    gws_runtime_close(runtime);
}
END_TEST

/* Without a transport, one rank has the whole graph. */
START_TEST(test_one_process)
{
    struct gws_runtime *runtime = open_runtime();
    struct gws_graph *whole = generate(runtime, "road:500");
    struct subject subject = {.whole = whole, .source = 3};
    struct rank_calls calls = {.context = &subject};
    search_serially(&subject);
    ck_assert_int_eq(body(&calls, runtime, NULL), GWS_OK);
    clear(&subject);
    gws_graph_destroy(whole);
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(test_directed)
{
    struct gws_runtime *runtime = open_runtime();
    struct gws_graph *whole = make_directed(runtime);
    check_graph(whole, 5, false);
    ck_assert_int_eq(gws_graph_add_reverse(runtime, whole), GWS_OK);
    check_graph(whole, 5, true);
    gws_graph_destroy(whole);
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(test_refused)
{
    struct gws_runtime *runtime = open_runtime();
    struct gws_graph *whole = make_directed(runtime);
    struct subject subject = {.whole = whole, .source = 400};
    struct rank_calls calls = {.body = body, .context = &subject, .rank = UINT32_MAX};
    ck_assert_int_eq(run_rank_calls(&calls, 2), GWS_OUT_OF_RANGE);
    subject.source = 0;
    subject.direction = GWS_BFS_BOTTOM_UP;
    ck_assert_int_eq(run_rank_calls(&calls, 2), GWS_NEEDS_REVERSE);
    gws_graph_destroy(whole);
    gws_runtime_close(runtime);
}
END_TEST

/* ---- faults, of the rank that owns vertex 40 of grid:10x10 unless the fault says otherwise ---- */

static bool owns(const struct gws_rank_graph *graph, uint64_t vertex)
{
    return vertex - graph->first < graph->rows;
}

#define SPOIL(name, vertex, change)                                                                                    \
    static void name(const struct gws_rank_graph *graph, struct gws_rank_bfs_result *result)                           \
    {                                                                                                                  \
        const uint64_t row = (vertex)-graph->first;                                                                    \
        if (owns(graph, vertex)) (change);                                                                             \
    }
SPOIL(spoil_half, 40, result->depth[row] = GWS_NO_VERTEX)
SPOIL(spoil_missed, 99, result->depth[row] = result->parent[row] = GWS_NO_VERTEX)
SPOIL(spoil_deep, 99, result->depth[row] += 1)
SPOIL(spoil_shallow, 90, result->depth[row] -= 2)
SPOIL(spoil_own_parent, 40, result->parent[row] = 40)
SPOIL(spoil_parent, 40, result->parent[row] = 77)
SPOIL(spoil_range, 40, result->parent[row] = 100)
SPOIL(spoil_far, 40, result->depth[row] = 1000000)
SPOIL(spoil_source, 0, result->depth[row] = 1)

static void spoil_count(const struct gws_rank_graph *graph, struct gws_rank_bfs_result *result)
{
    (void)graph;
    result->reached = 1;
}

START_TEST(test_faults)
{
    void (*const spoil[])(const struct gws_rank_graph *, struct gws_rank_bfs_result *) = {
        spoil_half,   spoil_missed, spoil_deep, spoil_shallow, spoil_own_parent,
        spoil_parent, spoil_range,  spoil_far,  spoil_source,  spoil_count};
    struct gws_runtime *runtime = open_runtime();
    struct gws_graph *whole = generate(runtime, "grid:10x10");
    struct subject subject = {.whole = whole};
    struct rank_calls calls = {.body = body, .context = &subject, .rank = UINT32_MAX};
    search_serially(&subject);
    for (size_t i = 0; i < sizeof spoil / sizeof *spoil; i++)
        for (uint32_t ranks = 1; ranks <= 3; ranks++) {
            subject.spoil = spoil[i];
            ck_assert_msg(run_rank_calls(&calls, ranks) == GWS_WRONG_RESULT, "fault %zu, %u ranks", i, ranks);
        }
    clear(&subject);
    gws_graph_destroy(whole);
    gws_runtime_close(runtime);
}
END_TEST

/* The multiplication gives the owner that the division gives. */
START_TEST(test_owner)
{
    for (uint64_t i = 0; i < 20000; i++) {
        const uint64_t words = 1 + (gws_random_at(5, i) & UINT32_MAX >> (6 + i % 26));
        const struct gws_rank_graph graph = {.block = i == 0 ? UINT64_C(1) << 32 : words * 64};
        const uint64_t inverse = gws__rank_walk_inverse(&graph);
        for (uint64_t k = 0; k < 8; k++) {
            uint64_t vertex = gws_random_at(6, 8 * i + k) & UINT32_MAX;
            if (k % 4 > 0 && vertex >= graph.block)
                vertex = vertex / graph.block * graph.block - k % 2; /* at a border */
            const uint32_t owner = gws_rank_graph_owner(&graph, vertex);
            if (owner < gws__rank_walk_ranks) ck_assert_uint_eq(gws__rank_walk_owner(inverse, (uint32_t)vertex), owner);
        }
    }
}
END_TEST

START_TEST(test_failing)
{
    struct gws_runtime *runtime = open_runtime();
    struct gws_graph *whole = generate(runtime, "road:300");
    struct subject subject = {.whole = whole};
    struct rank_calls calls = {.body = body, .context = &subject};
    search_serially(&subject);
    run_failing_ranks(&calls);
    clear(&subject);
    gws_graph_destroy(whole);
    gws_runtime_close(runtime);
}
END_TEST

static Suite *rank_bfs_suite(void)
{
    Suite *suite = suite_create("rank_bfs");
    TCase *tests = tcase_create("rank_bfs");
    tcase_add_test(tests, test_undirected);
    tcase_add_test(tests, test_pieces);
    tcase_add_test(tests, test_large_level);
    tcase_add_test(tests, test_scattered);
    tcase_add_test(tests, test_one_process);
    tcase_add_test(tests, test_directed);
    tcase_add_test(tests, test_refused);
    tcase_add_test(tests, test_faults);
    tcase_add_test(tests, test_owner);
    tcase_add_test(tests, test_failing);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return gws_test_main(rank_bfs_suite);
}
