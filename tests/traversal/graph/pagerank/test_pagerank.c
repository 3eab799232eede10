/* SPDX-License-Identifier: MIT */
/* Compares PageRank on threads with the oracle and with published ranks. */
#include "ranks.h"

#include "../../../../io/graph_io.h"

enum { enough = 80, dampings = 2, lists = 2 };

static const double damping[dampings] = {0.7, 0.3};

/* Ranks of one graph from the oracle, without and with a list of sources. */
struct wanted {
    double *rank[dampings][lists];
    uint32_t source[4];
};

static struct gws_pagerank_options options_of(const struct wanted *wanted, int d, int list)
{
    struct gws_pagerank_options options = {.damping = damping[d]};
    if (list) options.source = wanted->source;
    if (list) options.sources = sizeof wanted->source / sizeof *wanted->source;
    return options;
}

static void open_wanted(const struct gws_graph *graph, struct wanted *wanted)
{
    uint32_t last = graph->vertices ? (uint32_t)graph->vertices - 1 : 0;
    *wanted = (struct wanted){.source = {0, last, last / 2, last}};
    for (int d = 0; d < dampings; d++)
        for (int list = 0; list < (graph->vertices ? lists : 1); list++) {
            const struct gws_pagerank_options options = options_of(wanted, d, list);
            wanted->rank[d][list] = rank_serially(graph, &options, enough);
        }
}

static void close_wanted(struct wanted *wanted)
{
    for (int d = 0; d < dampings; d++)
        for (int list = 0; list < lists; list++) free(wanted->rank[d][list]);
}

static void check_options(struct gws_graph *graph, const struct gws_pagerank_options *options, const double *wanted,
                          struct gws_pagerank_result *result)
{
    struct gws_diagnostic where = {0};
    ck_assert_int_eq(gws_pagerank(runtime, graph, options, result), GWS_OK);
    ck_assert_uint_eq(result->vertices, graph->vertices);
    ck_assert_msg(gws_pagerank_check(runtime, graph, options, result, &where) == GWS_OK, "%s", where.message);
    ck_assert(result->converged);
    double bound = (result->error + 2.5e-7) * options->damping / (1 - options->damping);
    ck_assert_double_le(distance(result->rank, wanted, graph->vertices), bound + 1e-12);
}

/* Runs every precision, with and without an index, with and without sources, and reuses one result. */
static void check_graph(struct gws_graph *graph, const struct wanted *wanted)
{
    struct gws_pagerank_result result = {0};
    struct gws_pagerank_index index = {0};
    ck_assert_int_eq(gws_pagerank_index_build(runtime, graph, &index), GWS_OK);
    ck_assert_uint_eq(index.bytes, 16 * graph->vertices + 8 + 4 * graph->arcs);
    for (int d = 0; d < dampings; d++)
        for (int list = 0; list < lists; list++)
            for (int i = 0; i < 4 && wanted->rank[d][list]; i++) {
                if (gws_test_quick() && i != 2 * d + list) continue;
                struct gws_pagerank_options options = options_of(wanted, d, list);
                options.tolerance = i & 1 ? 1e-10 : 1e-5;
                if (i & 2) options.index = &index;
                check_options(graph, &options, wanted->rank[d][list], &result);
            }
    gws_pagerank_index_clear(&index);
    gws_pagerank_result_clear(&result);
}

static const struct {
    void (*make)(struct edges *, uint64_t);
    uint64_t vertices;
} cases[] = {
    {nothing, 0}, {nothing, 1}, {nothing, 7}, {path, 2},    {path, 60},
    {cycle, 33},  {star, 300},  {star, 9000}, {grid, 500},  {complete, 40},
    {tree, 1000}, {sparse, 90}, {dense, 700}, {hubs, 3000}, {loops_and_duplicates, 400},
};

static void check_kind(enum arcs arcs, int i)
{
    struct gws_graph *graph = make_graph(cases[i].make, cases[i].vertices, arcs);
    struct wanted wanted;
    open_wanted(graph, &wanted);
    for (uint32_t threads = gws_test_quick() ? 2 : 1; threads <= 4; threads += 3) {
        runtime = open_runtime(NULL, threads, 0);
        check_graph(graph, &wanted);
        gws_runtime_close(runtime);
    }
    close_wanted(&wanted);
    gws_graph_destroy(graph);
}

START_TEST(ranks_are_right)
{
    check_kind(UNDIRECTED, _i);
    check_kind(DIRECTED_WITH_REVERSE, _i);
}
END_TEST

/* Each vertex has an arc to the first one, whose row has several pieces. */
static void hub_and_random_edges(struct edges *edges, uint64_t n)
{
    star(edges, n);
    for (uint64_t i = 0; i + 1 < n; i++) edges->edge[i] = (struct gws_edge){edges->edge[i].to, 0};
    random_edges(edges, n, 2 * n, 14);
}

/* The ranks must be bitwise equal for any number of threads and any policy. */
START_TEST(workers_change_no_bit)
{
    struct gws_graph *graph = make_graph(hub_and_random_edges, gws_test_quick() ? 6000 : 12000, DIRECTED_WITH_REVERSE);
    struct gws_pagerank_result first = {0}, result = {0};
    const char *policy;
    runtime = open_runtime(NULL, 1, 0);
    ck_assert_int_eq(gws_pagerank(runtime, graph, NULL, &first), GWS_OK);
    gws_runtime_close(runtime);
    for (uint32_t i = 0; (policy = gws_policy_at(i, NULL)); i++) {
        runtime = open_runtime(policy, 3 + i, 0);
        ck_assert_int_eq(gws_pagerank(runtime, graph, NULL, &result), GWS_OK);
        ck_assert_uint_eq(result.iterations, first.iterations);
        ck_assert(result.error == first.error);
        ck_assert_int_eq(memcmp(result.rank, first.rank, graph->vertices * sizeof *result.rank), 0);
        gws_runtime_close(runtime);
    }
    gws_pagerank_result_clear(&result);
    gws_pagerank_result_clear(&first);
    gws_graph_destroy(graph);
}
END_TEST

/* With a negative tolerance, the library must run as many steps as the oracle. */
START_TEST(iterations_can_be_counted)
{
    struct gws_graph *graph = make_graph(sparse, 1000, DIRECTED_WITH_REVERSE);
    runtime = open_runtime(NULL, 2, 0);
    for (uint32_t steps = 1; steps <= 30; steps += 7) {
        const struct gws_pagerank_options options = {.tolerance = -1, .max_iterations = steps};
        struct gws_pagerank_result result = {0};
        double *wanted = rank_serially(graph, &options, steps);
        ck_assert_int_eq(gws_pagerank(runtime, graph, &options, &result), GWS_OK);
        ck_assert_uint_eq(result.iterations, steps);
        ck_assert(!result.converged);
        ck_assert_int_eq(gws_pagerank_check(runtime, graph, &options, &result, NULL), GWS_OK);
        ck_assert_double_le(distance(result.rank, wanted, graph->vertices), 1e-12);
        gws_pagerank_result_clear(&result);
        free(wanted);
    }
    gws_runtime_close(runtime);
    gws_graph_destroy(graph);
}
END_TEST

/* The expected ranks of Zachary's karate club are those that networkx prints. */
START_TEST(karate)
{
    static const struct {
        uint32_t vertex;
        double rank;
    } known[] = {{0, 0.096997}, {2, 0.057079}, {32, 0.071693}, {33, 0.100919}};
    const char *path = gws_test_dataset("mtx/karate.mtx.gz");
    struct gws_graph *graph = NULL;
    struct gws_pagerank_result result = {0};
    if (!path) return;
    runtime = open_runtime(NULL, 2, 0);
    ck_assert_int_eq(gws_graph_read(runtime, path, NULL, &graph, NULL), GWS_OK);
    ck_assert_int_eq(gws_pagerank(runtime, graph, NULL, &result), GWS_OK);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        ck_assert_double_eq_tol(result.rank[known[i].vertex], known[i].rank, 2e-6);
    gws_pagerank_result_clear(&result);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(refusals_change_nothing)
{
    static const uint32_t outside = 60;
    const struct gws_pagerank_options wrong[] = {{.damping = 1},
                                                 {.damping = -0.1},
                                                 {.damping = NAN},
                                                 {.tolerance = NAN},
                                                 {.source = &outside},
                                                 {.precision = 3},
                                                 {.source = &outside, .sources = 1}};
    struct gws_graph *graph = make_graph(path, 60, UNDIRECTED), *directed = make_graph(path, 60, DIRECTED);
    struct gws_pagerank_result result = {0}, before;
    struct gws_pagerank_index index = {0};
    runtime = open_runtime(NULL, 2, 0);
    ck_assert_int_eq(gws_pagerank(runtime, graph, NULL, &result), GWS_OK);
    before = result;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        gws_status wanted = wrong[i].sources ? GWS_OUT_OF_RANGE : GWS_INVALID;
        ck_assert_int_eq(gws_pagerank(runtime, graph, &wrong[i], &result), wanted);
        ck_assert_int_eq(memcmp(&result, &before, sizeof result), 0);
    }
    ck_assert_int_eq(gws_pagerank(runtime, directed, NULL, &result), GWS_NEEDS_REVERSE);
    ck_assert_int_eq(gws_pagerank_index_build(runtime, directed, &index), GWS_NEEDS_REVERSE);
    ck_assert_ptr_null(index.number);
    gws_pagerank_result_clear(&result);
    gws_pagerank_result_clear(NULL);
    gws_pagerank_index_clear(NULL);
    gws_runtime_close(runtime);
    gws_graph_destroy(graph);
    gws_graph_destroy(directed);
}
END_TEST

static gws_status rank_once(struct gws_runtime *by, const void *graph)
{
    static const uint32_t source = 5;
    struct gws_pagerank_index index = {0};
    struct gws_pagerank_result result = {0};
    const struct gws_pagerank_options personal = {.source = &source, .sources = 1, .index = &index};
    gws_status status = gws_pagerank_index_build(by, graph, &index);
    if (status == GWS_OK) status = gws_pagerank(by, graph, &personal, &result);
    ck_assert_int_eq(result.rank != NULL, status == GWS_OK);
    if (status == GWS_OK) status = gws_pagerank_check(by, graph, &personal, &result, NULL);
    gws_pagerank_result_clear(&result);
    gws_pagerank_index_clear(&index);
    return status;
}

START_TEST(short_memory_is_reported)
{
    struct gws_graph *graph = make_graph(star, 20000, UNDIRECTED);
    gws_test_each_allocation(2, rank_once, graph);
    gws_graph_destroy(graph);
}
END_TEST

/* The bound is the memory that the header states. */
START_TEST(memory_is_bounded)
{
    struct gws_graph *graph = make_graph(grid, gws_test_quick() ? 40000 : 200000, DIRECTED_WITH_REVERSE);
    static const uint32_t source = 5;
    for (int i = 0; i < 4; i++) {
        struct gws_test_memory memory = {0};
        const struct gws_options options = {.threads = 2, .allocator = gws_test_allocator(&memory)};
        const struct gws_pagerank_options run = {
            .source = i & 1 ? &source : NULL, .sources = 1, .tolerance = i & 2 ? 1e-9 : 0, .max_iterations = 2};
        struct gws_pagerank_result result = {0};
        ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
        uint64_t before = memory.live;
        memory.peak = before;
        ck_assert_int_eq(gws_pagerank(runtime, graph, &run, &result), GWS_OK);
        ck_assert_uint_le(memory.peak - before, graph->vertices * (i & 1 ? 20 : 16) + 65536);
        gws_pagerank_result_clear(&result);
        gws_runtime_close(runtime);
    }
    gws_graph_destroy(graph);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{ranks_are_right, sizeof cases / sizeof *cases},
                                    {workers_change_no_bit, 1},
                                    {iterations_can_be_counted, 1},
                                    {karate, 1},
                                    {refusals_change_nothing, 1},
                                    {short_memory_is_reported, 1},
                                    {memory_is_bounded, 1},
                                    {0}};
    return gws_test_run("pagerank", test);
}
