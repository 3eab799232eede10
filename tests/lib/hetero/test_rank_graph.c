/* SPDX-License-Identifier: MIT */
/* Graphs that ranks (threads here) generate together, or that rank 0 parts among them: the parts are the rows of the
 * graph of one process. */
#include "../transport/rank_calls.h"

#include <math.h>

#include "../../../lib/random.h"

struct subject {
    const char *description; /* NULL: the graph is parted */
    const struct gws_graph *whole;
    bool by_rows;                  /* each rank reads its rows */
    const char *message;           /* of the failure, or NULL */
    const struct gws_graph *drawn; /* the whole graph with weights that are drawn in the end, or NULL */
};

enum { min_weight = 3, max_weight = 50, seed = 9 };

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

static gws_status read_offsets(void *context, uint64_t first, uint64_t count, uint64_t *offset)
{
    const struct gws_graph *whole = context;
    memcpy(offset, whole->offset + first, count * sizeof *offset);
    return GWS_OK;
}

static gws_status read_arcs(void *context, uint64_t first, uint64_t count, uint32_t *target, void *weight)
{
    const struct gws_graph *whole = context;
    if (count == 0) return GWS_OK;
    memcpy(target, whole->target + first, count * sizeof *target);
    if (whole->weight) memcpy(weight, whole->weight + first, count * sizeof *whole->weight);
    if (whole->real_weight) memcpy(weight, whole->real_weight + first, count * sizeof *whole->real_weight);
    return GWS_OK;
}

static struct gws_rank_rows rows_of(const struct gws_graph *whole)
{
    return (struct gws_rank_rows){.vertices = whole->vertices,
                                  .arcs = whole->arcs,
                                  .directed = whole->directed,
                                  .weights = whole->weight != NULL,
                                  .reals = whole->real_weight != NULL,
                                  .read_offsets = read_offsets,
                                  .read_arcs = read_arcs,
                                  .context = (void *)whole};
}

static gws_status body(struct rank_calls *calls, struct gws_runtime *runtime, struct gws_transport *transport)
{
    struct subject *subject = calls->context;
    struct gws_rank_graph *graph = NULL;
    struct gws_diagnostic where = {0};
    const struct gws_graph *whole = subject->whole;
    const bool first = gws_transport_rank(transport) == 0;
    const struct gws_rank_rows rows = whole ? rows_of(whole) : (struct gws_rank_rows){0};
    gws_status status =
        subject->description ? gws_rank_graph_generate(runtime, transport, subject->description, &graph, &where)
        : subject->by_rows   ? gws_rank_graph_from_rows(runtime, transport, &rows, &graph, &where)
                             : gws_rank_graph_spread(runtime, transport, first ? whole : NULL, &graph, &where);
    RANK_EXPECT((status == GWS_OK) == (graph != NULL) && (status == GWS_OK) == !*where.message);
    if (subject->message) RANK_EXPECT(strstr(where.message, subject->message) != NULL);
    if (!graph) return status;
    check_rank_rows(graph, whole);
    RANK_EXPECT((graph->reverse != NULL) == (whole->directed && whole->reverse && !subject->by_rows));
    if (graph->reverse) check_rank_rows(graph->reverse, whole->reverse);
    RANK_EXPECT((graph->names != NULL) == first);
    for (uint32_t v = 0; first && !subject->by_rows && v < whole->vertices; v += 97)
        RANK_EXPECT(gws_graph_id(graph->names, v) == gws_graph_id(whole, v));
    status = check_gather(runtime, graph);
    if (status == GWS_OK && subject->drawn) {
        status = gws_rank_graph_draw_weights(runtime, graph, min_weight, max_weight, seed, &where);
        if (status == GWS_OK) check_rank_rows(graph, subject->drawn);
        if (status == GWS_OK && graph->reverse) check_rank_rows(graph->reverse, subject->drawn->reverse);
    }
    gws_rank_graph_destroy(graph);
    return status;
}

static void check_all(struct subject *subject)
{
    struct rank_calls calls = {.body = body, .context = subject, .rank = UINT32_MAX};
    for (uint32_t ranks = next_test_ranks(0); ranks; ranks = next_test_ranks(ranks))
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
        check_all(&(struct subject){.whole = whole[i], .by_rows = true});
        gws_graph_destroy(whole[i]);
    }
    gws_runtime_close(runtime);
}
END_TEST

/* ---- edges that the ranks have ---- */

enum { built_edges = 3000, built_vertices = 700 };

struct built {
    struct gws_edge edge[built_edges];
    int32_t weight[built_edges];
    float real_weight[built_edges];
    int kind; /* of the weights: 0 none, 1 integers, 2 reals */
    struct gws_build_options options;
    struct gws_graph *whole;
};

/* Rank r passes every ranks-th edge. Rank 0 has none if there are others. */
static gws_status build_edges(struct rank_calls *calls, struct gws_runtime *runtime, struct gws_transport *transport)
{
    const struct built *built = calls->context;
    const uint32_t ranks = gws_transport_ranks(transport), rank = gws_transport_rank(transport);
    const uint64_t each = ranks > 1 ? built_edges / (ranks - 1) : built_edges, first = rank > 0 ? (rank - 1) * each : 0;
    struct gws_edge_block block = {.edge = built->edge + first, .count = each};
    const struct gws_edges edges = {.vertices = built_vertices, .blocks = rank > 0 || ranks == 1, .block = &block};
    struct gws_rank_graph *graph = NULL;
    struct gws_diagnostic where = {0};
    if (built->kind == 1) block.weight = built->weight + first;
    if (built->kind == 2) block.real_weight = built->real_weight + first;
    gws_status status = gws_rank_graph_build(runtime, transport, &edges, &built->options, &graph, &where);
    RANK_EXPECT((status == GWS_OK) == (graph != NULL) && (status == GWS_OK) == !*where.message);
    if (graph) check_rank_rows(graph, built->whole);
    gws_rank_graph_destroy(graph);
    return status;
}

static struct gws_graph *build_alone(struct gws_runtime *runtime, const struct built *built)
{
    const struct gws_edge_block block = {.edge = built->edge,
                                         .weight = built->kind == 1 ? built->weight : NULL,
                                         .real_weight = built->kind == 2 ? built->real_weight : NULL,
                                         .count = built_edges};
    const struct gws_edges edges = {.vertices = built_vertices, .blocks = 1, .block = &block};
    struct gws_graph *graph = NULL;
    ck_assert_int_eq(gws_graph_build(runtime, &edges, &built->options, &graph), GWS_OK);
    return graph;
}

/* ---- edges that the build may drop ---- */

enum { dropped_blocks = 7 };

/* A rank's edges in blocks of unequal size, as copies that are freed with their block. */
struct dropped {
    struct gws_edge_block block[dropped_blocks];
    uint32_t frees;
    bool read;
};

static void drop_block(void *context, uint64_t i)
{
    struct dropped *dropped = context;
    RANK_EXPECT(i < dropped_blocks && dropped->block[i].edge && !dropped->read);
    free((void *)(uintptr_t)dropped->block[i].edge);
    free((void *)(uintptr_t)dropped->block[i].weight);
    free((void *)(uintptr_t)dropped->block[i].real_weight);
    dropped->block[i] = (struct gws_edge_block){0};
    dropped->frees++;
}

static void drop_all(void *context)
{
    struct dropped *dropped = context;
    dropped->read = true;
}

static void *copy(const void *from, uint64_t first, uint64_t count, size_t size)
{
    void *to = malloc(count * size + 1);
    RANK_EXPECT(to != NULL);
    return memcpy(to, (const char *)from + first * size, count * size);
}

/* Copies edges first .. end - 1 of the subject. Block 2 has no edges. */
static void fill_blocks(const struct built *built, uint64_t first, uint64_t end, struct dropped *dropped)
{
    for (uint64_t i = 0; i < dropped_blocks; i++) {
        const uint64_t left = end - first, count = i == 2 ? 0 : i + 1 == dropped_blocks ? left : left / (9 - i);
        struct gws_edge_block *block = &dropped->block[i];
        *block = (struct gws_edge_block){.edge = copy(built->edge, first, count, sizeof *block->edge), .count = count};
        if (built->kind == 1) block->weight = copy(built->weight, first, count, sizeof *block->weight);
        if (built->kind == 2) block->real_weight = copy(built->real_weight, first, count, sizeof *block->real_weight);
        first += count;
    }
}

static gws_status build_dropped(struct rank_calls *calls, struct gws_runtime *runtime, struct gws_transport *transport)
{
    const struct built *built = calls->context;
    const uint64_t ranks = gws_transport_ranks(transport), rank = gws_transport_rank(transport);
    struct dropped dropped = {0};
    struct gws_build_options options = built->options;
    struct gws_rank_graph *graph = NULL;
    fill_blocks(built, built_edges * rank / ranks, built_edges * (rank + 1) / ranks, &dropped);
    options.on_read = drop_all;
    options.on_block_read = drop_block;
    options.context = &dropped;
    const struct gws_edges edges = {.vertices = built_vertices, .blocks = dropped_blocks, .block = dropped.block};
    const gws_status status = gws_rank_graph_build(runtime, transport, &edges, &options, &graph, NULL);
    if (graph) check_rank_rows(graph, built->whole);
    RANK_EXPECT(!graph || (dropped.read && dropped.frees > 0));
    dropped.read = false;
    for (uint64_t i = 0; i < dropped_blocks; i++)
        if (dropped.block[i].edge) drop_block(&dropped, i);
    gws_rank_graph_destroy(graph);
    return status;
}

START_TEST(test_build)
{
    static struct built built;
    struct gws_runtime *runtime = NULL;
    struct rank_calls calls = {.body = build_edges, .context = &built, .rank = UINT32_MAX};
    ck_assert_int_eq(gws_runtime_open(NULL, &runtime), GWS_OK);
    for (uint32_t i = 0; i < built_edges; i++) {
        built.edge[i] =
            (struct gws_edge){(uint32_t)(gws_random_at(1, i) % built_vertices), (uint32_t)(gws_random_at(2, i) % 40)};
        built.weight[i] = (int32_t)(gws_random_at(3, i) % 9) - 4;
        built.real_weight[i] = (float)built.weight[i] / 8;
    }
    for (int i = 0; i < 12; i++) {
        built.kind = i % 3;
        built.options = (struct gws_build_options){.kind = i / 3 % 2 ? GWS_BUILD_DIRECTED : GWS_BUILD_SYMMETRISE,
                                                   .remove_loops = i > 5,
                                                   .remove_duplicates = i > 5};
        built.whole = build_alone(runtime, &built);
        for (uint32_t ranks = 1; ranks <= 4; ranks += ranks) ck_assert_int_eq(run_rank_calls(&calls, ranks), GWS_OK);
        if (i == 5) run_failing_ranks(&calls);
        calls.body = build_dropped;
        for (uint32_t ranks = 1; ranks <= 3; ranks++) ck_assert_int_eq(run_rank_calls(&calls, ranks), GWS_OK);
        if (i == 5) run_failing_ranks(&calls);
        calls.body = build_edges;
        gws_graph_destroy(built.whole);
    }
    built.edge[built_edges - 1].to = built_vertices;
    ck_assert_int_eq(run_rank_calls(&calls, 2), GWS_OUT_OF_RANGE);
    built.edge[built_edges - 1].to = 0;
    built.real_weight[7] = INFINITY;
    built.kind = 2;
    ck_assert_int_eq(run_rank_calls(&calls, 3), GWS_INVALID);
    gws_runtime_close(runtime);
}
END_TEST

static gws_status build_different(struct rank_calls *calls, struct gws_runtime *runtime,
                                  struct gws_transport *transport)
{
    const struct gws_edges edges = {.vertices = 5 + gws_transport_rank(transport)};
    struct gws_rank_graph *graph = NULL;
    struct gws_diagnostic where = {0};
    (void)calls;
    gws_status status = gws_rank_graph_build(runtime, transport, &edges, NULL, &graph, &where);
    RANK_EXPECT(!graph && strstr(where.message, "different graphs"));
    return status;
}

START_TEST(test_build_different)
{
    struct rank_calls calls = {.body = build_different, .rank = UINT32_MAX};
    ck_assert_int_eq(run_rank_calls(&calls, 2), GWS_INVALID);
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
    const struct gws_rank_rows rows = rows_of(whole[gws_transport_rank(transport) == 1]);
    gws_status status = gws_rank_graph_from_rows(runtime, transport, &rows, &graph, &where);
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
    struct subject subject = {.whole = &bad, .by_rows = true};
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
    subject.by_rows = true;
    run_failing_ranks(&calls);
    gws_graph_destroy(drawn);
    gws_graph_destroy(road);
    gws_graph_destroy(directed);
    gws_runtime_close(runtime);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {
        {test_generators, 1}, {test_spread, 1},        {test_build, 1},   {test_build_different, 1}, {test_refused, 1},
        {test_bad_graphs, 1}, {test_little_memory, 1}, {test_weights, 1}, {test_failing, 1},         {0}};
    return gws_test_run("rank_graph", test);
}
