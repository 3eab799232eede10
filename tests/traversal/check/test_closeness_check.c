/* SPDX-License-Identifier: MIT */
/* The checker of closeness centrality. The tests break each rule by hand, and the checker must find each fault. */
#include "../graph/bfs/shapes.h"

#include "../../../traversal/closeness.h"

static struct gws_runtime *by;
static struct gws_graph *graph;
static struct gws_closeness_result result;
static struct gws_closeness_options options;

static void must_fail(const char *message)
{
    struct gws_diagnostic where = {0};
    ck_assert_int_eq(gws_closeness_check(by, graph, &options, &result, &where), GWS_WRONG_RESULT);
    ck_assert_msg(strstr(where.message, message) != NULL, "%s", where.message);
}

#define MUST_FAIL_WITH(field, wrong, message)                                                                          \
    do {                                                                                                               \
        __typeof__(field) right = (field);                                                                             \
        (field) = (wrong);                                                                                             \
        must_fail(message);                                                                                            \
        (field) = right;                                                                                               \
    } while (0)

START_TEST(faults)
{
    uint32_t v = 5, alone = GWS_NO_VERTEX;
    by = open_runtime(NULL, 2, 0);
    graph = generate(_i ? "road:2000" : "kron:9");
    options = (struct gws_closeness_options){.samples = 0};
    ck_assert_int_eq(gws_closeness(by, graph, &options, &result), GWS_OK);
    while (gws_graph_degree(graph, v) == 0) v++;
    MUST_FAIL_WITH(result.vertices, 7, "another graph");
    MUST_FAIL_WITH(result.sources, 7, "another graph");
    MUST_FAIL_WITH(result.source, &alone, "a source");
    MUST_FAIL_WITH(result.closeness, NULL, "another graph");
    MUST_FAIL_WITH(result.reached[v], 0, "invalid number of reached");
    MUST_FAIL_WITH(result.reached[v], (uint32_t)graph->vertices + 1, "invalid number of reached");
    MUST_FAIL_WITH(result.eccentricity[v], 0, "invalid eccentricity");
    MUST_FAIL_WITH(result.eccentricity[v], (uint32_t)graph->vertices, "invalid eccentricity");
    MUST_FAIL_WITH(result.total[v], 1, "invalid sum");
    MUST_FAIL_WITH(result.total[v], result.total[v] << 20, "invalid sum");
    MUST_FAIL_WITH(result.closeness[v], result.closeness[v] * 1.001, "invalid closeness");
    MUST_FAIL_WITH(result.harmonic[v], result.harmonic[v] * 1.001, "other distances");
    MUST_FAIL_WITH(result.diameter, result.diameter + 1, "invalid diameter");
    MUST_FAIL_WITH(result.radius, result.radius + 1, "invalid diameter");
    if (result.reached[v] < graph->vertices) MUST_FAIL_WITH(options.unscaled, true, "invalid closeness");
    uint32_t eccentricity = result.eccentricity[v];
    result.eccentricity[v] = result.diameter + 2;
    MUST_FAIL_WITH(result.diameter, result.diameter + 2, "a neighbour");
    result.eccentricity[v] = eccentricity;
    ck_assert_int_eq(gws_closeness_check(by, graph, &options, &result, NULL), GWS_OK);
    gws_closeness_result_clear(&result);
    gws_graph_destroy(graph);
    gws_runtime_close(by);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{faults, 2}, {0}};
    return gws_test_run("closeness_check", test);
}
