/* SPDX-License-Identifier: MIT */
/* Graphs that ranks (threads here) generate together, or that rank 0 parts among them: the parts are the rows of the
 * graph of one process. */
#include "../transport/rank_calls.h"

#include "../../../lib/random.h"

struct subject {
    const char *description; /* NULL: the graph is parted */
    const struct gws_graph *whole;
    bool everywhere;               /* every rank has the graph that is parted */
    const char *message;           /* of the failure, or NULL */
    const struct gws_graph *drawn; /* the whole graph with weights that are drawn in the end, or NULL */
};

enum { min_weight = 3, max_weight = 50, seed = 9 };

static void check_rows(const struct gws_rank_graph *part, const struct gws_graph *whole)
{
    RANK_EXPECT(part->first + part->rows <= whole->vertices && part->block % 64 == 0);
    RANK_EXPECT(part->vertices == whole->vertices && part->arcs == whole->arcs && part->directed == whole->directed);
    RANK_EXPECT(whole->arcs == 0 || (part->weight != NULL) == (whole->weight != NULL));
    RANK_EXPECT((part->real_weight != NULL) == (whole->real_weight != NULL));
    RANK_EXPECT(part->offset[0] == 0);
    for (uint64_t row = 0; row < part->rows; row++) {
        const uint64_t first = whole->offset[part->first + row], end = whole->offset[part->first + row + 1];
        RANK_EXPECT(gws_rank_graph_owner(part, part->first + row) == gws_transport_rank(part->transport));
        RANK_EXPECT(part->offset[row + 1] - part->offset[row] == end - first);
        for (uint64_t own = part->offset[row], arc = first; arc < end; own++, arc++) {
            RANK_EXPECT(part->target[own] == whole->target[arc]);
            RANK_EXPECT(!part->weight || part->weight[own] == whole->weight[arc]);
            RANK_EXPECT(!part->real_weight ||
                        (whole->real_weight && part->real_weight[own] == whole->real_weight[arc]));
        }
    }
}

/* Each rank gives the squares of its vertices. */
static gws_status check_gather(struct gws_runtime *runtime, const struct gws_rank_graph *graph)
{
    const bool first = gws_transport_rank(graph->transport) == 0;
    uint64_t *own = malloc((graph->rows + 1) * sizeof *own), *all = malloc(graph->vertices * sizeof *all);
    RANK_EXPECT(own && all);
    for (uint64_t row = 0; row < graph->rows; row++) own[row] = (graph->first + row) * (graph->first + row);
    gws_status status = gws_rank_graph_gather(runtime, graph, own, sizeof *own, first ? all : NULL);
    for (uint64_t v = 0; first && status == GWS_OK && v < graph->vertices; v++) RANK_EXPECT(all[v] == v * v);
    free(own);
    free(all);
    return status;
}

static gws_status body(struct rank_calls *calls, struct gws_runtime *runtime, struct gws_transport *transport)
{
    struct subject *subject = calls->context;
    struct gws_rank_graph *graph = NULL;
    struct gws_diagnostic where = {0};
    const struct gws_graph *whole = subject->whole;
    const bool first = gws_transport_rank(transport) == 0;
    gws_status status =
        subject->description  ? gws_rank_graph_generate(runtime, transport, subject->description, &graph, &where)
        : subject->everywhere ? gws_rank_graph_part(runtime, transport, whole, &graph, &where)
                              : gws_rank_graph_spread(runtime, transport, first ? whole : NULL, &graph, &where);
    RANK_EXPECT((status == GWS_OK) == (graph != NULL) && (status == GWS_OK) == !*where.message);
    if (subject->message) RANK_EXPECT(strstr(where.message, subject->message) != NULL);
    if (!graph) return status;
    check_rows(graph, whole);
    RANK_EXPECT((graph->reverse != NULL) == (whole->directed && whole->reverse));
    if (graph->reverse) check_rows(graph->reverse, whole->reverse);
    RANK_EXPECT((graph->names != NULL) == first);
    for (uint32_t v = 0; first && v < whole->vertices; v += 97)
        RANK_EXPECT(gws_graph_id(graph->names, v) == gws_graph_id(whole, v));
    status = check_gather(runtime, graph);
    if (status == GWS_OK && subject->drawn) {
        status = gws_rank_graph_draw_weights(runtime, graph, min_weight, max_weight, seed, &where);
        if (status == GWS_OK) check_rows(graph, subject->drawn);
        if (status == GWS_OK && graph->reverse) check_rows(graph->reverse, subject->drawn->reverse);
    }
    gws_rank_graph_destroy(graph);
    return status;
}

static void check_all(struct subject *subject)
{
    struct rank_calls calls = {.body = body, .context = subject, .rank = UINT32_MAX};
    for (uint32_t ranks = 1; ranks <= 5; ranks += ranks == 3 ? 2 : 1)
        ck_assert_int_eq(run_rank_calls(&calls, ranks), GWS_OK);
}

static struct gws_graph *generate(struct gws_runtime *runtime, const char *description)
{
    struct gws_graph *graph = NULL;
    ck_assert_int_eq(gws_graph_generate(runtime, description, &graph, NULL), GWS_OK);
    return graph;
}

START_TEST(test_generators)
{
    static const char *const description[] = {"kron:0",    "kron:1",     "kron:12:5:77", "uniform:10",  "uniform:6:300",
                                              "grid:1x1",  "grid:70x33", "grid:1x200",   "road:1",      "road:3",
                                              "road:3333", "road:129:5", "kron:14:32",   "uniform:0:9", "road:64"};
    struct gws_runtime *runtime = NULL;
    ck_assert_int_eq(gws_runtime_open(NULL, &runtime), GWS_OK);
    for (size_t i = 0; i < sizeof description / sizeof *description; i++) {
        struct gws_graph *whole = generate(runtime, description[i]);
        check_all(&(struct subject){.description = description[i], .whole = whole});
        gws_graph_destroy(whole);
    }
    gws_runtime_close(runtime);
}
END_TEST

/* A directed graph with its reverse, real weights and ids. */
static struct gws_graph *make_directed(struct gws_runtime *runtime)
{
    enum { vertices = 300, arcs = 2000 };
    static struct gws_edge edge[arcs];
    static float weight[arcs];
    const struct gws_edge_block block = {.edge = edge, .real_weight = weight, .count = arcs};
    const struct gws_edges edges = {.vertices = vertices, .blocks = 1, .block = &block};
    struct gws_graph *graph = NULL;
    for (uint32_t i = 0; i < arcs; i++) {
        edge[i] =
            (struct gws_edge){(uint32_t)(gws_random_at(1, i) % vertices), (uint32_t)(gws_random_at(2, i) % vertices)};
        weight[i] = (float)i / 8;
    }
    ck_assert_int_eq(gws_graph_build(runtime, &edges, NULL, &graph), GWS_OK);
    ck_assert_int_eq(gws_graph_add_reverse(runtime, graph), GWS_OK);
    gws_graph_set_first_id(graph, 1000);
    return graph;
}

START_TEST(test_spread)
{
    struct gws_runtime *runtime = NULL;
    ck_assert_int_eq(gws_runtime_open(NULL, &runtime), GWS_OK);
    struct gws_graph *whole[] = {make_directed(runtime), generate(runtime, "road:1000"), generate(runtime, "kron:8")};
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
        check_all(&(struct subject){.whole = whole[i]});
        check_all(&(struct subject){.whole = whole[i], .everywhere = true});
        gws_graph_destroy(whole[i]);
    }
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(test_refused)
{
    struct subject subject = {.description = "kron:99", .message = "the scale"};
    struct rank_calls calls = {.body = body, .context = &subject, .rank = UINT32_MAX};
    ck_assert_int_eq(run_rank_calls(&calls, 3), GWS_TOO_LARGE);
    subject.description = "kron:9x";
    subject.message = "expected";
    ck_assert_int_eq(run_rank_calls(&calls, 2), GWS_SYNTAX);
    subject.description = "nonsense:9";
    ck_assert_int_eq(run_rank_calls(&calls, 2), GWS_SYNTAX);
}
END_TEST

static gws_status part_different(struct rank_calls *calls, struct gws_runtime *runtime, struct gws_transport *transport)
{
    struct gws_graph *const *whole = calls->context;
    struct gws_rank_graph *graph = NULL;
    struct gws_diagnostic where = {0};
    gws_status status =
        gws_rank_graph_part(runtime, transport, whole[gws_transport_rank(transport) == 1], &graph, &where);
    RANK_EXPECT(!graph && strstr(where.message, "different graphs"));
    return status;
}

/* The ranks have different graphs; or the offsets of a graph descend, which no rank checked. */
START_TEST(test_bad_graphs)
{
    struct gws_runtime *runtime = NULL;
    ck_assert_int_eq(gws_runtime_open(NULL, &runtime), GWS_OK);
    struct gws_graph *whole[] = {generate(runtime, "road:1000"), generate(runtime, "road:1001")}, bad = *whole[0];
    struct rank_calls calls = {.body = part_different, .context = whole, .rank = UINT32_MAX};
    ck_assert_int_eq(run_rank_calls(&calls, 3), GWS_INVALID);
    uint64_t *offset = malloc((bad.vertices + 1) * sizeof *offset);
    memcpy(offset, bad.offset, (bad.vertices + 1) * sizeof *offset);
    offset[512] = bad.arcs + 1;
    bad.offset = offset;
    struct subject subject = {.whole = &bad, .everywhere = true};
    calls = (struct rank_calls){.body = body, .context = &subject, .rank = UINT32_MAX};
    ck_assert_int_eq(run_rank_calls(&calls, 2), GWS_CORRUPT);
    free(offset);
    for (int i = 0; i < 2; i++) gws_graph_destroy(whole[i]);
    gws_runtime_close(runtime);
}
END_TEST

static gws_status limited(struct rank_calls *calls, struct gws_runtime *runtime, struct gws_transport *transport)
{
    struct gws_options options = {.max_memory = 8000000};
    struct gws_runtime *small = NULL;
    RANK_EXPECT(gws_runtime_open(&options, &small) == GWS_OK);
    gws_status status = body(calls, gws_transport_rank(transport) == 2 ? small : runtime, transport);
    gws_runtime_close(small);
    return status;
}

/* A rank that lacks memory is named before the build. */
START_TEST(test_little_memory)
{
    struct subject subject = {.description = "kron:16",
                              .message = "rank 2: out of memory: this rank's part of the graph"};
    struct rank_calls calls = {.body = limited, .context = &subject, .rank = UINT32_MAX};
    ck_assert_int_eq(run_rank_calls(&calls, 3), GWS_NO_MEMORY);
}
END_TEST

static void draw(struct gws_runtime *runtime, struct gws_graph *graph)
{
    ck_assert_int_eq(gws_graph_draw_weights(runtime, graph, min_weight, max_weight, seed), GWS_OK);
}

static gws_status refused_weights(struct rank_calls *calls, struct gws_runtime *runtime,
                                  struct gws_transport *transport)
{
    struct gws_rank_graph *graph = NULL;
    struct gws_diagnostic where = {0};
    (void)calls;
    RANK_EXPECT(gws_rank_graph_generate(runtime, transport, "road:99", &graph, &where) == GWS_OK);
    gws_status status = gws_rank_graph_draw_weights(runtime, graph, 5, 4, 1, &where);
    RANK_EXPECT(*where.message);
    gws_rank_graph_destroy(graph);
    return status;
}

START_TEST(test_weights)
{
    struct gws_runtime *runtime = NULL;
    struct rank_calls calls = {.body = refused_weights, .rank = UINT32_MAX};
    ck_assert_int_eq(gws_runtime_open(NULL, &runtime), GWS_OK);
    struct gws_graph *kron = generate(runtime, "kron:9"), *drawn = generate(runtime, "kron:9");
    struct gws_graph *directed = make_directed(runtime), *drawn_directed = make_directed(runtime);
    draw(runtime, drawn);
    draw(runtime, drawn_directed);
    check_all(&(struct subject){.description = "kron:9", .whole = kron, .drawn = drawn});
    check_all(&(struct subject){.whole = directed, .drawn = drawn_directed});
    ck_assert_int_eq(run_rank_calls(&calls, 2), GWS_INVALID);
    gws_graph_destroy(kron);
    gws_graph_destroy(drawn);
    gws_graph_destroy(directed);
    gws_graph_destroy(drawn_directed);
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(test_failing)
{
    struct gws_runtime *runtime = NULL;
    ck_assert_int_eq(gws_runtime_open(NULL, &runtime), GWS_OK);
    struct gws_graph *road = generate(runtime, "road:500"), *directed = make_directed(runtime);
    struct subject subject = {.description = "road:500", .whole = road};
    struct rank_calls calls = {.body = body, .context = &subject};
    run_failing_ranks(&calls);
    struct gws_graph *drawn = make_directed(runtime);
    draw(runtime, drawn);
    subject = (struct subject){.whole = directed, .drawn = drawn};
    run_failing_ranks(&calls);
    subject.everywhere = true;
    run_failing_ranks(&calls);
    gws_graph_destroy(drawn);
    gws_graph_destroy(road);
    gws_graph_destroy(directed);
    gws_runtime_close(runtime);
}
END_TEST

static Suite *rank_graph_suite(void)
{
    Suite *suite = suite_create("rank_graph");
    TCase *tests = tcase_create("rank_graph");
    tcase_add_test(tests, test_generators);
    tcase_add_test(tests, test_spread);
    tcase_add_test(tests, test_refused);
    tcase_add_test(tests, test_bad_graphs);
    tcase_add_test(tests, test_little_memory);
    tcase_add_test(tests, test_weights);
    tcase_add_test(tests, test_failing);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return gws_test_main(rank_graph_suite);
}
