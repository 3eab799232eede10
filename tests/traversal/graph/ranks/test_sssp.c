/* SPDX-License-Identifier: MIT */
/* Shortest paths on ranks, which are threads here: distances are those of a serial search, parents follow the rule of
 * the header, for any number of ranks and every kind of weights; the check finds every kind of fault. */
#include "../../../lib/transport/rank_calls.h"
#include "../sssp/weights.h"

#include "../../../../lib/transport/transport.h"
#include "../../../../traversal/rank_sssp.h"

struct subject {
    const struct gws_graph *whole;
    uint32_t source;
    struct gws_sssp_options options;
    double *distance; /* what a serial search finds */
    uint32_t *parent;
    bool apart; /* the ranks share no memory */
    void (*spoil)(const struct gws_rank_graph *graph, struct gws_rank_sssp_result *result);
    const char *message; /* of a failure */
};

/* ---- the oracle ---- */

/* Offers all vertices of a level as parents at the same distance. Returns whether any vertex took one. */
static bool run_level(const struct subject *subject, uint32_t *level, uint32_t number)
{
    const struct gws_graph *graph = subject->whole;
    const double *distance = subject->distance;
    bool found = false;
    for (uint32_t v = 0; v < graph->vertices; v++)
        for (uint64_t a = graph->offset[v]; level[v] == number && a < graph->offset[v + UINT64_C(1)]; a++) {
            const uint32_t to = graph->target[a];
            if (level[to] <= number || distance[v] + weight_at(graph, a) != distance[to] || distance[v] != distance[to])
                continue;
            found = true;
            level[to] = number + 1;
            if (v < subject->parent[to]) subject->parent[to] = v;
        }
    return found;
}

static void find_parents(struct subject *subject)
{
    const struct gws_graph *graph = subject->whole;
    uint32_t *level = malloc(graph->vertices * sizeof *level);
    subject->parent = malloc(graph->vertices * sizeof *subject->parent);
    for (uint64_t v = 0; v < graph->vertices; v++) subject->parent[v] = level[v] = GWS_NO_VERTEX;
    subject->parent[subject->source] = subject->source;
    level[subject->source] = 0;
    for (uint32_t v = 0; v < graph->vertices; v++)
        for (uint64_t a = graph->offset[v]; a < graph->offset[v + UINT64_C(1)]; a++) {
            const uint32_t to = graph->target[a];
            if (!(subject->distance[v] < subject->distance[to])) continue;
            if (subject->distance[v] + weight_at(graph, a) != subject->distance[to]) continue;
            level[to] = 0;
            if (v < subject->parent[to]) subject->parent[to] = v;
        }
    for (uint32_t number = 0; run_level(subject, level, number); number++) continue;
    free(level);
}

static void search(struct subject *subject)
{
    subject->distance = search_serially(subject->whole, subject->source);
    find_parents(subject);
}

static void clear(struct subject *subject)
{
    free(subject->distance);
    free(subject->parent);
}

/* ---- on ranks ---- */

static void compare_rows(const struct subject *subject, const struct gws_rank_graph *graph,
                         const struct gws_rank_sssp_result *result)
{
    uint64_t reached = 0;
    double max = 0;
    for (uint64_t v = 0; v < graph->vertices; v++) {
        if (!(subject->distance[v] < (double)INFINITY)) continue;
        reached++;
        if (subject->distance[v] > max) max = subject->distance[v];
    }
    for (uint64_t row = 0; row < graph->rows; row++) {
        const double found = result->real_distance                      ? result->real_distance[row]
                             : result->distance[row] == GWS_NO_DISTANCE ? (double)INFINITY
                                                                        : (double)result->distance[row];
        RANK_EXPECT(!(found < subject->distance[graph->first + row]) &&
                    !(found > subject->distance[graph->first + row]));
        RANK_EXPECT(result->parent[row] == subject->parent[graph->first + row]);
    }
    RANK_EXPECT(result->reached == reached && result->source == subject->source && result->delta > 0);
    RANK_EXPECT(!(result->max_distance < max) && !(result->max_distance > max));
    RANK_EXPECT(result->relaxations >= result->reached_arcs && result->rounds > 0);
}

static gws_status body(struct rank_calls *calls, struct gws_runtime *runtime, struct gws_transport *transport)
{
    struct subject *subject = calls->context;
    const struct gws_graph *whole = gws_transport_rank(transport) == 0 ? subject->whole : NULL;
    struct gws_rank_graph *graph = NULL;
    struct gws_rank_sssp_result result = {0};
    struct gws_diagnostic where = {0};
    /* Not gws__link_auto: to try RMA, rank 0 computes for 20 ms, in each of some hundred jobs. */
    if (subject->apart && gws__links_open(transport, GWS__LINK_MESSAGES, 1) != GWS_OK) abort();
    gws_status status = gws_rank_graph_spread(runtime, transport, whole, &graph, &where);
    for (int run = 0; run < 2 && status == GWS_OK; run++) {
        status = gws_rank_sssp(runtime, graph, subject->source, &subject->options, &result, &where);
        if (status != GWS_OK) break;
        compare_rows(subject, graph, &result);
        if (subject->spoil) subject->spoil(graph, &result);
        status = gws_rank_sssp_check(runtime, graph, &result, &where);
    }
    RANK_EXPECT((status == GWS_OK) == !*where.message);
    RANK_EXPECT(status == GWS_OK || !subject->message || strstr(where.message, subject->message));
    gws_rank_sssp_result_clear(&result);
    gws_rank_graph_destroy(graph);
    return status;
}

/* Ranks share memory or not, in turn; the other way round for the next graph. */
static void check_source(const struct gws_graph *whole, uint32_t source, double delta)
{
    static uint32_t turn;
    struct subject subject = {.whole = whole, .source = source, .options = {.delta = delta}};
    struct rank_calls calls = {.body = body, .context = &subject, .rank = UINT32_MAX};
    search(&subject);
    for (uint32_t ranks = next_test_ranks(0), i = turn++; ranks; ranks = next_test_ranks(ranks), i++) {
        subject.apart = ranks > 1 && i % 2;
        ck_assert_int_eq(run_rank_calls(&calls, ranks), GWS_OK);
    }
    clear(&subject);
}

/* Each run of the test takes one kind of weights. In a quick run each shape has two of the six kinds. */
START_TEST(distances_and_parents)
{
    static const double delta[] = {0, 1, 0.01, 1e12};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (int arcs = UNDIRECTED; arcs <= DIRECTED; arcs++) {
            if (gws_test_quick() && (i + (size_t)_i) % 3 != 0) continue;
            const uint64_t vertices = shapes[i].vertices < 600 ? shapes[i].vertices : 600;
            struct weighted made = add_weights(make_graph(shapes[i].make, vertices, (enum arcs)arcs), (enum weights)_i);
            check_source(made.graph, (uint32_t)(i % 2 ? vertices / 2 : 0), delta[(i + (size_t)arcs + (size_t)_i) % 4]);
            weighted_free(&made);
        }
}
END_TEST

/* The rows are longer than a segment. */
START_TEST(long_rows)
{
    static const char *const name[] = {"kron:12:8", "road:3000", "kron:14:40"};
    const size_t names = gws_test_quick() ? 2 : 3;
    for (size_t i = 0; i < names; i++) {
        struct weighted made = add_weights(generate(name[i]), i == 1 ? REAL : i == 2 ? NO_WEIGHTS : ZEROS);
        check_source(made.graph, 5, 0);
        weighted_free(&made);
    }
}
END_TEST

/* After the arcs of vertex 0, the outbox of rank 0 has no space for those of vertex 1, which are in the same bucket: it
 * waits until the outbox has been sent. */
START_TEST(waiting_vertices)
{
    enum { vertices = 12000, first = 6500, targets = 5000, row0 = 299000, row1 = 300000 };
    struct edges list = {0};
    struct gws_runtime *runtime = open_runtime(NULL, 1, 0);
    struct gws_graph *graph = NULL;
    add(&list, 0, 1);
    for (uint64_t i = 1; i < row0; i++) add(&list, 0, first + i % targets);
    for (uint64_t i = 0; i < row1; i++) add(&list, 1, first + i % (targets + 1));
    const struct gws_edge_block block = {.edge = list.edge, .count = list.count};
    const struct gws_edges input = {.vertices = vertices, .blocks = 1, .block = &block};
    ck_assert_int_eq(gws_graph_build(runtime, &input, NULL, &graph), GWS_OK);
    check_source(graph, 0, 1e12);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
    free(list.edge);
}
END_TEST

/* A path so long that distances leave no space for the parents of so many vertices: the search starts again. */
START_TEST(far_vertices)
{
    enum { vertices = 1 << 20, length = 6000 };
    static struct gws_edge edge[length];
    struct gws_runtime *runtime = open_runtime(NULL, 1, 0);
    for (uint32_t i = 0; i < length; i++) edge[i] = (struct gws_edge){i * 170, (i + 1) * 170};
    for (int kind = GWS_BUILD_DIRECTED; kind <= GWS_BUILD_SYMMETRISE; kind++) {
        const struct gws_edge_block block = {.edge = edge, .count = length};
        const struct gws_edges input = {.vertices = vertices, .blocks = 1, .block = &block};
        const struct gws_build_options options = {.kind = (enum gws_build_kind)kind};
        struct gws_graph *graph = NULL;
        ck_assert_int_eq(gws_graph_build(runtime, &input, &options, &graph), GWS_OK);
        struct weighted made = add_weights(graph, LARGE);
        struct subject subject = {.whole = made.graph, .options = {.delta = 0x1p62}};
        struct rank_calls calls = {.body = body, .context = &subject, .rank = UINT32_MAX};
        search(&subject);
        ck_assert(subject.distance[length * 170] > 0x1p42);
        ck_assert_int_eq(run_rank_calls(&calls, 2), GWS_OK);
        clear(&subject);
        weighted_free(&made);
    }
    gws_runtime_close(runtime);
}
END_TEST

/* Without a transport, one rank has the whole graph. */
START_TEST(one_process)
{
    struct gws_runtime *runtime = open_runtime(NULL, 2, 0);
    struct gws_graph *whole = generate("road:500");
    struct subject subject = {.whole = whole, .source = 3};
    struct rank_calls calls = {.context = &subject};
    search(&subject);
    ck_assert_int_eq(body(&calls, runtime, NULL), GWS_OK);
    clear(&subject);
    gws_graph_destroy(whole);
    gws_runtime_close(runtime);
}
END_TEST

/* The arcs 0 -> 100 -> 200 -> 300 of 400 vertices; one has an invalid weight. */
static void check_weight(double weight, bool is_real, uint32_t source, gws_status wanted, const char *message)
{
    static uint64_t offset[401];
    static const uint32_t target[] = {100, 200, 300};
    const int32_t integer[] = {1, is_real ? 1 : (int32_t)weight, 1};
    const float real[] = {1, (float)weight, 1};
    struct gws_runtime *runtime = open_runtime(NULL, 1, 0);
    struct gws_graph *graph = NULL;
    for (uint32_t v = 0; v <= 400; v++) offset[v] = v > 200 ? 3 : v > 100 ? 2 : v > 0;
    const gws_status made = is_real ? gws_graph_wrap_real(runtime, 400, offset, target, real, true, true, &graph)
                                    : gws_graph_wrap(runtime, 400, offset, target, integer, true, true, &graph);
    ck_assert_int_eq(made, GWS_OK);
    struct subject subject = {.whole = graph, .source = source, .message = message};
    struct rank_calls calls = {.body = body, .context = &subject, .rank = UINT32_MAX};
    search(&subject);
    for (uint32_t ranks = 1; ranks <= 4; ranks++) {
        subject.apart = ranks % 2 == 0;
        ck_assert_int_eq(run_rank_calls(&calls, ranks), wanted);
    }
    clear(&subject);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
}

START_TEST(invalid_weights)
{
    static const char message[] = "the arc from vertex 100 to vertex 200 has the weight";
    check_weight(-3, false, 200, GWS_OK, NULL); /* not reached */
    check_weight(5, true, 0, GWS_OK, NULL);
    check_weight((double)INFINITY, true, 0, GWS_INVALID, message);
    check_weight((double)NAN, true, 0, GWS_INVALID, message);
}
END_TEST

static gws_status bad_weight_body(struct rank_calls *calls, struct gws_runtime *runtime,
                                  struct gws_transport *transport)
{
    struct gws_rank_graph *graph = NULL;
    struct gws_rank_sssp_result result = {0};
    struct gws_diagnostic where = {0};
    gws_status status = gws_rank_graph_spread(
        runtime, transport, gws_transport_rank(transport) == 0 ? calls->context : NULL, &graph, &where);
    RANK_EXPECT(status == GWS_OK);
    status = gws_rank_sssp(runtime, graph, 0, NULL, &result, &where);
    RANK_EXPECT(strstr(where.message, "has the weight -7;") != NULL);
    RANK_EXPECT(!result.parent);
    gws_rank_graph_destroy(graph);
    return status;
}

START_TEST(negative_weights)
{
    struct weighted made = add_weights(generate("grid:20x20"), SMALL);
    struct rank_calls calls = {.body = bad_weight_body, .context = made.graph, .rank = UINT32_MAX};
    ((int32_t *)made.weight)[made.graph->offset[320]] = -7;
    for (uint32_t ranks = 1; ranks <= 4; ranks++) ck_assert_int_eq(run_rank_calls(&calls, ranks), GWS_INVALID);
    weighted_free(&made);
}
END_TEST

START_TEST(refused)
{
    struct gws_graph *whole = generate("grid:10x10");
    struct subject subject = {.whole = whole, .source = 100, .message = "the source is not a vertex"};
    struct rank_calls calls = {.body = body, .context = &subject, .rank = UINT32_MAX};
    ck_assert_int_eq(run_rank_calls(&calls, 2), GWS_OUT_OF_RANGE);
    subject = (struct subject){.whole = whole, .options = {.delta = -1}, .message = "delta is negative"};
    ck_assert_int_eq(run_rank_calls(&calls, 2), GWS_INVALID);
    gws_graph_destroy(whole);
}
END_TEST

static gws_status empty_body(struct rank_calls *calls, struct gws_runtime *runtime, struct gws_transport *transport)
{
    struct gws_rank_graph *graph = NULL;
    const struct gws_rank_sssp_result result = {0};
    struct gws_diagnostic where = {0};
    gws_status status = gws_rank_graph_spread(
        runtime, transport, gws_transport_rank(transport) == 0 ? calls->context : NULL, &graph, &where);
    RANK_EXPECT(status == GWS_OK);
    status = gws_rank_sssp_check(runtime, graph, &result, &where);
    RANK_EXPECT(strstr(where.message, "cannot be checked") != NULL);
    gws_rank_graph_destroy(graph);
    return status;
}

START_TEST(empty_result)
{
    struct gws_graph *whole = generate("grid:10x10");
    struct rank_calls calls = {.body = empty_body, .context = whole, .rank = UINT32_MAX};
    ck_assert_int_eq(run_rank_calls(&calls, 2), GWS_INVALID);
    gws_graph_destroy(whole);
}
END_TEST

/* ---- faults, of the rank that owns the vertex of grid:10x10 ---- */

#define SPOIL(name, vertex, change)                                                                                    \
    static void name(const struct gws_rank_graph *graph, struct gws_rank_sssp_result *result)                          \
    {                                                                                                                  \
        const uint64_t row = (vertex)-graph->first;                                                                    \
        if (row < graph->rows) (change);                                                                               \
    }
SPOIL(spoil_half, 40, result->distance[row] = GWS_NO_DISTANCE)
SPOIL(spoil_missed, 99, (result->distance[row] = GWS_NO_DISTANCE, result->parent[row] = GWS_NO_VERTEX))
SPOIL(spoil_far, 99, result->distance[row] += 1)
SPOIL(spoil_near, 99, result->distance[row] -= 1)
SPOIL(spoil_own_parent, 40, result->parent[row] = 40)
SPOIL(spoil_parent, 40, result->parent[row] = 77)
SPOIL(spoil_range, 40, result->parent[row] = 100)
SPOIL(spoil_large, 40, result->distance[row] = UINT64_C(1) << 63)
SPOIL(spoil_source, 0, result->distance[row] = 1)

static void spoil_count(const struct gws_rank_graph *graph, struct gws_rank_sssp_result *result)
{
    (void)graph;
    result->reached = 1;
}

static void spoil_max(const struct gws_rank_graph *graph, struct gws_rank_sssp_result *result)
{
    (void)graph;
    result->max_distance += 1;
}

/* Two neighbours at the same distance, over an arc of weight 0. */
static void spoil_cycle(const struct gws_rank_graph *graph, struct gws_rank_sssp_result *result)
{
    for (uint32_t v = 98; v < 100; v++)
        if (v - graph->first < graph->rows) result->parent[v - graph->first] = v == 98 ? 99 : 98;
}

START_TEST(faults)
{
    static const struct {
        void (*spoil)(const struct gws_rank_graph *graph, struct gws_rank_sssp_result *result);
        const char *message;
    } fault[] = {{spoil_half, "vertex 40 has a distance without a parent"},
                 {spoil_missed, "vertex 99 is unreached or too far"},
                 {spoil_far, "vertex 99 "},
                 {spoil_near, "vertex "},
                 {spoil_own_parent, "vertex 40 is its own parent"},
                 {spoil_parent, "vertex 40 has no arc from its parent"},
                 {spoil_range, "vertex 40 has an invalid"},
                 {spoil_large, "vertex "},
                 {spoil_source, "vertex 0 is "},
                 {spoil_count, "the result says 1 and"},
                 {spoil_max, "the largest distance"},
                 {spoil_cycle, "vertex 98 is on a cycle"}};
    struct weighted made = add_weights(generate("grid:10x10"), SMALL);
    ((int32_t *)made.weight)[made.graph->arcs - 1] = 0; /* between 99 and its largest neighbour, 98 */
    for (uint64_t a = made.graph->offset[98]; a < made.graph->offset[99]; a++)
        if (made.graph->target[a] == 99) ((int32_t *)made.weight)[a] = 0;
    struct subject subject = {.whole = made.graph};
    struct rank_calls calls = {.body = body, .context = &subject, .rank = UINT32_MAX};
    search(&subject);
    for (size_t i = 0; i < sizeof fault / sizeof *fault; i++)
        for (uint32_t ranks = 1; ranks <= 3; ranks++) {
            subject.spoil = fault[i].spoil;
            subject.message = fault[i].message;
            ck_assert_msg(run_rank_calls(&calls, ranks) == GWS_WRONG_RESULT, "fault %zu, %u ranks", i, ranks);
        }
    clear(&subject);
    weighted_free(&made);
}
END_TEST

START_TEST(failing)
{
    struct weighted made = add_weights(generate("road:300"), ZEROS);
    struct subject subject = {.whole = made.graph};
    struct rank_calls calls = {.body = body, .context = &subject};
    search(&subject);
    for (int apart = 0; apart < 2; apart++) {
        subject.apart = apart > 0;
        run_failing_ranks(&calls);
    }
    clear(&subject);
    weighted_free(&made);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{distances_and_parents, weight_kinds},
                                    {long_rows, 1},
                                    {waiting_vertices, 1},
                                    {far_vertices, 1},
                                    {one_process, 1},
                                    {invalid_weights, 1},
                                    {negative_weights, 1},
                                    {refused, 1},
                                    {empty_result, 1},
                                    {faults, 1},
                                    {failing, 1},
                                    {0}};
    return gws_test_run("rank_sssp", test);
}
