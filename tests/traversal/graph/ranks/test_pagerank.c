/* SPDX-License-Identifier: MIT */
/* PageRank on ranks of a job, which are threads here: the same to the last bit for any number of them, and equal to
 * that of one process but for rounding; the check finds every kind of fault. */
#include "graphs.h"

#include <math.h>

#include "../../../../lib/random.h"
#include "../../../../lib/transport/transport.h"
#include "../../../../traversal/rank_pagerank.h"

struct subject {
    const struct gws_graph *whole;
    struct gws_pagerank_options options;
    struct gws_pagerank_result wanted; /* of one process */
    double bound;                      /* the largest difference of a rank, as a part of the mean rank */
    double *first;                     /* the ranks of the first run; vertices entries */
    bool compares;                     /* first is filled */
    bool apart;                        /* the ranks share no memory */
    void (*spoil)(const struct gws_rank_graph *graph, struct gws_rank_pagerank_result *result);
    const char *message; /* of a failure */
};

static void compare(const struct subject *subject, const struct gws_rank_graph *graph,
                    const struct gws_rank_pagerank_result *result)
{
    const double bound = subject->bound / (double)graph->vertices;
    for (uint64_t row = 0; row < graph->rows; row++) {
        const uint64_t vertex = graph->first + row;
        RANK_EXPECT(fabs(result->rank[row] - subject->wanted.rank[vertex]) <=
                    bound + 1e-6 * subject->wanted.rank[vertex]);
        RANK_EXPECT(!subject->compares || memcmp(&result->rank[row], &subject->first[vertex], sizeof(double)) == 0);
        subject->first[vertex] = result->rank[row];
    }
    RANK_EXPECT(result->converged == subject->wanted.converged);
    RANK_EXPECT(result->iterations + 1 >= subject->wanted.iterations &&
                result->iterations <= subject->wanted.iterations + 1);
}

static gws_status body(struct rank_calls *calls, struct gws_runtime *runtime, struct gws_transport *transport)
{
    const struct subject *subject = calls->context;
    const struct gws_graph *whole = gws_transport_rank(transport) == 0 ? subject->whole : NULL;
    struct gws_rank_graph *graph = NULL;
    struct gws_rank_pagerank_result result = {0};
    struct gws_diagnostic where = {0};
    if (subject->apart && gws__links_open(transport, gws__link_auto, 1) != GWS_OK) abort();
    gws_status status = gws_rank_graph_spread(runtime, transport, whole, &graph, &where);
    for (int run = 0; run < 2 && status == GWS_OK; run++) {
        status = gws_rank_pagerank(runtime, graph, &subject->options, &result, &where);
        RANK_EXPECT((status == GWS_OK) == (result.rank != NULL));
        if (status != GWS_OK) break;
        if (subject->first) compare(subject, graph, &result);
        if (subject->spoil) subject->spoil(graph, &result);
        status = gws_rank_pagerank_check(runtime, graph, &subject->options, &result, &where);
    }
    RANK_EXPECT((status == GWS_OK) == !*where.message);
    if (subject->message && status != GWS_OK) RANK_EXPECT(strstr(where.message, subject->message) != NULL);
    gws_rank_pagerank_result_clear(&result);
    gws_rank_graph_destroy(graph);
    return status;
}

static void check_graph(struct gws_runtime *runtime, const struct gws_graph *whole,
                        const struct gws_pagerank_options *options)
{
    struct subject subject = {.whole = whole, .options = *options, .bound = 1e-3};
    struct rank_calls calls = {.body = body, .context = &subject, .rank = UINT32_MAX};
    ck_assert_int_eq(gws_pagerank(runtime, whole, options, &subject.wanted), GWS_OK);
    subject.first = malloc((whole->vertices + 1) * sizeof *subject.first);
    for (uint32_t ranks = next_test_ranks(0); ranks; ranks = next_test_ranks(ranks)) {
        ck_assert_int_eq(run_rank_calls(&calls, ranks), GWS_OK);
        subject.compares = true;
        subject.apart = ranks > 1;
        ck_assert_int_eq(run_rank_calls(&calls, ranks), GWS_OK);
        subject.apart = false;
    }
    free(subject.first);
    gws_pagerank_result_clear(&subject.wanted);
}

/* Graphs with and without locality, with heavy rows, isolated vertices and fewer vertices than ranks. */
START_TEST(test_ranks)
{
    static const char *const description[] = {"kron:10:4",  "uniform:9:1", "road:900",
                                              "grid:1x300", "kron:0",      "kron:14:40"};
    static const uint32_t source[] = {0, 5, 0, 299};
    static const struct gws_pagerank_options options[] = {{0},
                                                          {.tolerance = 1e-10, .damping = 0.5},
                                                          {.precision = GWS_PAGERANK_DOUBLE, .max_iterations = 7},
                                                          {.source = source, .sources = 4}};
    struct gws_runtime *runtime = open_runtime();
    for (size_t i = 0; i < sizeof description / sizeof *description; i++) {
        struct gws_graph *whole = generate(runtime, description[i]);
        for (size_t o = gws_test_quick() ? i % 2 : 0; o < sizeof options / sizeof *options;
             o += gws_test_quick() ? 2 : 1)
            if (whole->vertices > 299 || !options[o].source) check_graph(runtime, whole, &options[o]);
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
            (struct gws_edge){(uint32_t)(gws_random_at(1, i) % 200 * 2), (uint32_t)(gws_random_at(2, i) % vertices)};
    ck_assert_int_eq(gws_graph_build(runtime, &edges, NULL, &graph), GWS_OK);
    return graph;
}

/* Half of the vertices are dangling. */
START_TEST(test_directed)
{
    struct gws_runtime *runtime = open_runtime();
    struct gws_graph *whole = make_directed(runtime);
    struct subject subject = {.whole = whole, .options = {.tolerance = 1e-9}};
    struct rank_calls calls = {.body = body, .context = &subject, .rank = UINT32_MAX};
    ck_assert_int_eq(run_rank_calls(&calls, 2), GWS_NEEDS_REVERSE);
    ck_assert_int_eq(gws_graph_add_reverse(runtime, whole), GWS_OK);
    check_graph(runtime, whole, &subject.options);
    gws_graph_destroy(whole);
    gws_runtime_close(runtime);
}
END_TEST

/* Without a transport, one rank has the whole graph. */
START_TEST(test_one_process)
{
    struct gws_runtime *runtime = open_runtime();
    struct gws_graph *whole = generate(runtime, "road:500"), *empty = NULL;
    const struct gws_edges none = {0};
    struct subject subject = {.whole = whole};
    struct rank_calls calls = {.context = &subject};
    ck_assert_int_eq(body(&calls, runtime, NULL), GWS_OK);
    ck_assert_int_eq(gws_graph_build(runtime, &none, NULL, &empty), GWS_OK);
    ck_assert_int_eq(gws_graph_add_reverse(runtime, empty), GWS_OK);
    subject.whole = empty;
    ck_assert_int_eq(body(&calls, runtime, NULL), GWS_OK);
    gws_graph_destroy(empty);
    gws_graph_destroy(whole);
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(test_refused)
{
    static const uint32_t source[] = {3, 500};
    struct gws_runtime *runtime = open_runtime();
    struct gws_graph *whole = generate(runtime, "road:500");
    struct subject subject = {.whole = whole};
    struct rank_calls calls = {.body = body, .context = &subject, .rank = UINT32_MAX};
    subject.options = (struct gws_pagerank_options){.damping = 1};
    ck_assert_int_eq(run_rank_calls(&calls, 2), GWS_INVALID);
    subject.options = (struct gws_pagerank_options){.source = source};
    ck_assert_int_eq(run_rank_calls(&calls, 2), GWS_INVALID);
    subject.options = (struct gws_pagerank_options){.source = source, .sources = 2};
    ck_assert_int_eq(run_rank_calls(&calls, 2), GWS_OUT_OF_RANGE);
    gws_graph_destroy(whole);
    gws_runtime_close(runtime);
}
END_TEST

/* ---- faults ---- */

static void spoil_rank(const struct gws_rank_graph *graph, struct gws_rank_pagerank_result *result)
{
    if (40 - graph->first < graph->rows) result->rank[40 - graph->first] = -1;
}

static void spoil_sum(const struct gws_rank_graph *graph, struct gws_rank_pagerank_result *result)
{
    if (40 - graph->first < graph->rows) result->rank[40 - graph->first] *= 2;
}

static void spoil_two(const struct gws_rank_graph *graph, struct gws_rank_pagerank_result *result)
{
    if (0 - graph->first < graph->rows) result->rank[0 - graph->first] += 1e-4;
    if (99 - graph->first < graph->rows) result->rank[99 - graph->first] -= 1e-4;
}

static void spoil_error(const struct gws_rank_graph *graph, struct gws_rank_pagerank_result *result)
{
    (void)graph;
    result->error = 1;
}

static void spoil_iterations(const struct gws_rank_graph *graph, struct gws_rank_pagerank_result *result)
{
    (void)graph;
    result->iterations = 2000;
}

static void spoil_array(const struct gws_rank_graph *graph, struct gws_rank_pagerank_result *result)
{
    (void)graph;
    gws_rank_pagerank_result_clear(result);
}

START_TEST(test_faults)
{
    static const struct {
        void (*spoil)(const struct gws_rank_graph *graph, struct gws_rank_pagerank_result *result);
        const char *message;
    } fault[] = {{spoil_rank, "vertex 40 has a rank"},      {spoil_sum, "the ranks sum to"},
                 {spoil_two, "one more step changes"},      {spoil_error, "is said to be within the tolerance"},
                 {spoil_iterations, "2000 iterations and"}, {spoil_array, "belongs to another graph"}};
    struct gws_runtime *runtime = open_runtime();
    struct gws_graph *whole = generate(runtime, "grid:10x10");
    for (size_t i = 0; i < sizeof fault / sizeof *fault; i++)
        for (uint32_t ranks = 1; ranks <= 3; ranks++) {
            struct subject subject = {.whole = whole, .spoil = fault[i].spoil, .message = fault[i].message};
            struct rank_calls calls = {.body = body, .context = &subject, .rank = UINT32_MAX};
            ck_assert_msg(run_rank_calls(&calls, ranks) == GWS_WRONG_RESULT, "fault %zu, %u ranks", i, ranks);
        }
    gws_graph_destroy(whole);
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(test_failing)
{
    static const uint32_t source[] = {7};
    static const char *const description[] = {"road:300", "kron:7"}; /* in shared memory, by list, and all shares */
    struct gws_runtime *runtime = open_runtime();
    for (int i = 0; i < 3; i++) {
        struct gws_graph *whole = generate(runtime, description[i / 2]);
        struct subject subject = {
            .whole = whole, .apart = i > 0, .options = {.source = source, .sources = 1, .max_iterations = 3}};
        struct rank_calls calls = {.body = body, .context = &subject};
        run_failing_ranks(&calls);
        gws_graph_destroy(whole);
    }
    gws_runtime_close(runtime);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{test_ranks, 1},
                                    {test_directed, 1},
                                    {test_one_process, 1},
                                    {test_refused, 1},
                                    {test_faults, 1},
                                    {test_failing, 1},
                                    {0}};
    return gws_test_run("rank_pagerank", test);
}
