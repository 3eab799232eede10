/* SPDX-License-Identifier: MIT */
/* Weak components on ranks, which are threads here: those of a serial union-find, for any number of ranks; the check
 * finds every kind of fault. */
#include "graphs.h"

#include "../../../../lib/random.h"
#include "../../../../lib/transport/transport.h"

struct subject {
    const struct gws_graph *whole;
    uint32_t *component;
    uint64_t components, largest, max_rounds;
    bool apart; /* the ranks share no memory */
    void (*spoil)(const struct gws_rank_graph *graph, struct gws_rank_components_result *result);
    const char *message; /* what the check says */
};

static uint32_t root_of(const uint32_t *up, uint32_t vertex)
{
    while (up[vertex] != vertex) vertex = up[vertex];
    return vertex;
}

static void find_serially(struct subject *subject)
{
    const struct gws_graph *graph = subject->whole;
    uint32_t *up = subject->component = malloc((graph->vertices + 1) * sizeof *up);
    uint64_t *size = calloc(graph->vertices + 1, sizeof *size);
    subject->components = subject->largest = 0;
    for (uint32_t v = 0; v < graph->vertices; v++) up[v] = v;
    for (uint32_t v = 0; v < graph->vertices; v++)
        for (uint64_t arc = graph->offset[v]; arc < graph->offset[v + UINT64_C(1)]; arc++) {
            const uint32_t one = root_of(up, v), other = root_of(up, graph->target[arc]);
            if (one < other)
                up[other] = one;
            else
                up[one] = other;
        }
    for (uint32_t v = 0; v < graph->vertices; v++) {
        up[v] = root_of(up, v);
        subject->components += up[v] == v;
        if (++size[up[v]] > subject->largest) subject->largest = size[up[v]];
    }
    free(size);
}

static gws_status body(struct rank_calls *calls, struct gws_runtime *runtime, struct gws_transport *transport)
{
    const struct subject *subject = calls->context;
    const struct gws_graph *whole = gws_transport_rank(transport) == 0 ? subject->whole : NULL;
    struct gws_rank_graph *graph = NULL;
    struct gws_rank_components_result result = {0};
    struct gws_diagnostic where = {0};
    if (subject->apart && gws__links_open(transport, gws__link_auto, 1) != GWS_OK) abort();
    gws_status status = gws_rank_graph_spread(runtime, transport, whole, &graph, &where);
    for (int run = 0; run < 2 && status == GWS_OK; run++) {
        status = gws_rank_components(runtime, graph, &result, &where);
        RANK_EXPECT((status == GWS_OK) == (result.component != NULL));
        for (uint64_t row = 0; status == GWS_OK && row < graph->rows; row++)
            RANK_EXPECT(result.component[row] == subject->component[graph->first + row]);
        if (status != GWS_OK) break;
        RANK_EXPECT(result.components == subject->components && result.largest == subject->largest);
        RANK_EXPECT(subject->max_rounds == 0 || result.rounds <= subject->max_rounds);
        RANK_EXPECT(subject->apart == (result.rounds > 0));
        if (subject->spoil) subject->spoil(graph, &result);
        status = gws_rank_components_check(runtime, graph, &result, &where);
    }
    RANK_EXPECT((status == GWS_OK) == !*where.message);
    RANK_EXPECT(status == GWS_OK || !subject->message || strstr(where.message, subject->message));
    gws_rank_components_result_clear(&result);
    gws_rank_graph_destroy(graph);
    return status;
}

static void check_graph(struct gws_graph *whole, uint64_t max_rounds)
{
    struct subject subject = {.whole = whole, .max_rounds = max_rounds};
    struct rank_calls calls = {.body = body, .context = &subject, .rank = UINT32_MAX};
    find_serially(&subject);
    for (uint32_t ranks = next_test_ranks(0); ranks; ranks = next_test_ranks(ranks)) {
        subject.apart = ranks > 1;
        ck_assert_int_eq(run_rank_calls(&calls, ranks), GWS_OK);
        subject.apart = false;
        ck_assert_int_eq(run_rank_calls(&calls, ranks), GWS_OK);
    }
    free(subject.component);
    gws_graph_destroy(whole);
}

/* Random edges, of few or many components. */
static struct gws_graph *draw(struct gws_runtime *runtime, uint64_t arcs, enum gws_build_kind kind)
{
    enum { vertices = 1000, max_arcs = 1200 };
    static struct gws_edge edge[max_arcs];
    const struct gws_edge_block block = {.edge = edge, .count = arcs};
    const struct gws_edges edges = {.vertices = vertices, .blocks = 1, .block = &block};
    const struct gws_build_options options = {.kind = kind};
    struct gws_graph *graph = NULL;
    for (uint64_t i = 0; i < arcs; i++)
        edge[i] = (struct gws_edge){(uint32_t)(gws_random_at(arcs, 2 * i) % vertices),
                                    (uint32_t)(gws_random_at(arcs, 2 * i + 1) % vertices)};
    ck_assert_int_eq(gws_graph_build(runtime, &edges, &options, &graph), GWS_OK);
    return graph;
}

START_TEST(test_components)
{
    static const char *const description[] = {"kron:10:4",  "uniform:9:1", "road:900",
                                              "grid:1x300", "kron:0",      "kron:14:40"};
    struct gws_runtime *runtime = open_runtime();
    for (size_t i = 0; i < sizeof description / sizeof *description; i++)
        check_graph(generate(runtime, description[i]), 0);
    for (uint64_t arcs = 0; arcs <= 1200; arcs += 400) check_graph(draw(runtime, arcs, GWS_BUILD_SYMMETRISE), 0);
    gws_runtime_close(runtime);
}
END_TEST

/* A path whose vertices lie in random order on the ranks needs far fewer rounds than it has vertices. */
START_TEST(test_path)
{
    enum { length = 4096 };
    static uint32_t new_of_old[length];
    struct gws_runtime *runtime = open_runtime();
    struct gws_graph *path = generate(runtime, "grid:4096x1"), *mixed = NULL;
    ck_assert_int_eq(gws_graph_order(runtime, path, GWS_ORDER_RANDOM, 1, new_of_old), GWS_OK);
    ck_assert_int_eq(gws_graph_relabel(runtime, path, new_of_old, length, &mixed), GWS_OK);
    check_graph(mixed, 40);
    gws_graph_destroy(path);
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(test_directed)
{
    struct gws_runtime *runtime = open_runtime();
    struct gws_graph *whole = draw(runtime, 800, GWS_BUILD_DIRECTED);
    struct subject subject = {.whole = whole};
    struct rank_calls calls = {.body = body, .context = &subject, .rank = UINT32_MAX};
    ck_assert_int_eq(run_rank_calls(&calls, 2), GWS_NEEDS_REVERSE);
    ck_assert_int_eq(gws_graph_add_reverse(runtime, whole), GWS_OK);
    check_graph(whole, 0);
    gws_runtime_close(runtime);
}
END_TEST

/* ---- faults, of the rank that owns the vertex of two paths 0 .. 49 and 50 .. 99 ---- */

#define SPOIL(name, vertex, change)                                                                                    \
    static void name(const struct gws_rank_graph *graph, struct gws_rank_components_result *result)                    \
    {                                                                                                                  \
        const uint64_t row = (vertex)-graph->first;                                                                    \
        if (row < graph->rows) (change);                                                                               \
    }
SPOIL(spoil_one, 49, result->component[row] = 49)
SPOIL(spoil_range, 30, result->component[row] = 31)
SPOIL(spoil_large, 0, result->component[row] = GWS_NO_VERTEX)

/* The second path, with a name that it does not have: of the first path, and of its second vertex. */
static void rename_second(const struct gws_rank_graph *graph, struct gws_rank_components_result *result, uint32_t name)
{
    for (uint64_t v = name; v < 100; v++)
        if (v >= 50 && v - graph->first < graph->rows) result->component[v - graph->first] = name;
}

static void spoil_joined(const struct gws_rank_graph *graph, struct gws_rank_components_result *result)
{
    rename_second(graph, result, 0);
}

static void spoil_name(const struct gws_rank_graph *graph, struct gws_rank_components_result *result)
{
    rename_second(graph, result, 51);
}

static void spoil_count(const struct gws_rank_graph *graph, struct gws_rank_components_result *result)
{
    (void)graph;
    result->components = 1;
}

static void spoil_largest(const struct gws_rank_graph *graph, struct gws_rank_components_result *result)
{
    (void)graph;
    result->largest = 51;
}

static void spoil_all(const struct gws_rank_graph *graph, struct gws_rank_components_result *result)
{
    (void)graph;
    gws_rank_components_result_clear(result);
}

static struct gws_graph *make_paths(struct gws_runtime *runtime)
{
    static struct gws_edge edge[98];
    const struct gws_edge_block block = {.edge = edge, .count = 98};
    const struct gws_edges edges = {.vertices = 100, .blocks = 1, .block = &block};
    const struct gws_build_options options = {.kind = GWS_BUILD_SYMMETRISE};
    struct gws_graph *graph = NULL;
    for (uint32_t i = 0; i < 98; i++) edge[i] = (struct gws_edge){i + i / 49, i + i / 49 + 1};
    ck_assert_int_eq(gws_graph_build(runtime, &edges, &options, &graph), GWS_OK);
    return graph;
}

START_TEST(test_faults)
{
    static const struct {
        void (*spoil)(const struct gws_rank_graph *graph, struct gws_rank_components_result *result);
        gws_status status;
        const char *message;
    } fault[] = {{spoil_one, GWS_WRONG_RESULT, "vertex 48 is not in the component of a neighbour"},
                 {spoil_range, GWS_WRONG_RESULT, "vertex 29 is not in the component of a neighbour"},
                 {spoil_large, GWS_WRONG_RESULT, "vertex 0 has a component that is not a vertex up to it"},
                 {spoil_joined, GWS_WRONG_RESULT, "vertex 50 is in a component that does not have the vertex"},
                 {spoil_name, GWS_WRONG_RESULT, "vertex 50 "},
                 {spoil_count, GWS_WRONG_RESULT, "there are 2 components, the largest of 50 vertices"},
                 {spoil_largest, GWS_WRONG_RESULT, "there are 2 components, the largest of 50 vertices"},
                 {spoil_all, GWS_INVALID, "the result is empty"}};
    struct gws_runtime *runtime = open_runtime();
    struct gws_graph *whole = make_paths(runtime);
    struct subject subject = {.whole = whole};
    struct rank_calls calls = {.body = body, .context = &subject, .rank = UINT32_MAX};
    find_serially(&subject);
    for (size_t i = 0; i < sizeof fault / sizeof *fault; i++)
        for (uint32_t ranks = 1; ranks <= 3; ranks++) {
            subject.spoil = fault[i].spoil;
            subject.message = fault[i].message;
            ck_assert_msg(run_rank_calls(&calls, ranks) == fault[i].status, "fault %zu, %u ranks", i, ranks);
        }
    free(subject.component);
    gws_graph_destroy(whole);
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(test_failing)
{
    struct gws_runtime *runtime = open_runtime();
    struct subject subject = {.whole = generate(runtime, "road:300")};
    struct rank_calls calls = {.body = body, .context = &subject};
    find_serially(&subject);
    run_failing_ranks(&calls);
    subject.apart = true;
    run_failing_ranks(&calls);
    free(subject.component);
    gws_graph_destroy((struct gws_graph *)subject.whole);
    gws_runtime_close(runtime);
}
END_TEST

static Suite *rank_components_suite(void)
{
    Suite *suite = suite_create("rank_components");
    TCase *tests = tcase_create("rank_components");
    tcase_add_test(tests, test_components);
    tcase_add_test(tests, test_path);
    tcase_add_test(tests, test_directed);
    tcase_add_test(tests, test_faults);
    tcase_add_test(tests, test_failing);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return gws_test_main(rank_components_suite);
}
