/* SPDX-License-Identifier: MIT */
/* The checker must detect every fault of a result, and accept every correct result. */
#include "../../harness.h"

#include <math.h>

#include "../../../lib/graph.h"
#include "../../../traversal/sssp.h"

enum { vertices = 8, arcs = 11 };

/* The arcs and their weights are 0 -> 1 (4), 0 -> 2 (1), 1 -> 3 (0), 2 -> 1 (2), 2 -> 3 (9), 3 -> 1 (0), 3 -> 4 (5), 3
 * -> 4 (6), 4 -> 4 (0), 5 -> 0 (1), 5 -> 6 (3). Vertex 7 is isolated. The distances from 0 are 0 3 1 3 8. */
static const uint64_t offset[vertices + 1] = {0, 2, 3, 5, 8, 9, 11, 11, 11};
static const uint32_t target[arcs] = {1, 2, 3, 1, 3, 1, 4, 4, 4, 0, 6};

static struct {
    struct gws_runtime *runtime;
    struct gws_graph *graph;
    int32_t weight[arcs];
    float real_weight[arcs];
    uint64_t distance[vertices];
    double real_distance[vertices];
    uint32_t parent[vertices];
    struct gws_sssp_result result;
} sample;

/* Resets the sample. Real weights and distances are half of the integers. */
static void sample_reset(bool is_real)
{
    const int32_t weight[arcs] = {4, 1, 0, 2, 9, 0, 5, 6, 0, 1, 3};
    const uint64_t none = GWS_NO_DISTANCE, distance[vertices] = {0, 3, 1, 3, 8, none, none, none};
    const uint32_t lost = GWS_NO_VERTEX, parent[vertices] = {0, 2, 0, 1, 3, lost, lost, lost};
    memcpy(sample.weight, weight, sizeof weight);
    memcpy(sample.distance, distance, sizeof distance);
    memcpy(sample.parent, parent, sizeof parent);
    for (int a = 0; a < arcs; a++) sample.real_weight[a] = (float)weight[a] / 2;
    for (int v = 0; v < vertices; v++)
        sample.real_distance[v] = distance[v] == none ? (double)INFINITY : (double)distance[v] / 2;
    gws_status status =
        is_real ? gws_graph_wrap_real(sample.runtime, vertices, offset, target, sample.real_weight, true, true,
                                      &sample.graph)
                : gws_graph_wrap(sample.runtime, vertices, offset, target, sample.weight, true, true, &sample.graph);
    ck_assert_int_eq(status, GWS_OK);
    sample.result = (struct gws_sssp_result){
        .vertices = vertices, .parent = sample.parent, .reached = 5, .reached_arcs = 9, .max_distance = 8};
    if (is_real) sample.result.max_distance = 4;
    if (is_real)
        sample.result.real_distance = sample.real_distance;
    else
        sample.result.distance = sample.distance;
}

static void set_up(void)
{
    const struct gws_options options = {.threads = 2};
    ck_assert_int_eq(gws_runtime_open(&options, &sample.runtime), GWS_OK);
}

static void tear_down(void)
{
    gws_runtime_close(sample.runtime);
}

static void must_find(const char *about, const char *message)
{
    struct gws_diagnostic where = {.message = ""};
    ck_assert_msg(gws_sssp_check(sample.runtime, sample.graph, &sample.result, &where) == GWS_WRONG_RESULT,
                  "accepted: %s", about);
    ck_assert_msg(strstr(where.message, message) != NULL, "%s: %s", about, where.message);
    ck_assert_int_eq(gws_sssp_check(sample.runtime, sample.graph, &sample.result, NULL), GWS_WRONG_RESULT);
    gws_graph_destroy(sample.graph);
}

START_TEST(right_results)
{
    for (int is_real = 0; is_real < 2; is_real++) {
        sample_reset(is_real);
        ck_assert_int_eq(gws_sssp_check(sample.runtime, sample.graph, &sample.result, NULL), GWS_OK);
        gws_graph_destroy(sample.graph);
    }
}
END_TEST

enum field { DISTANCE, PARENT, WEIGHT };

static void spoil(enum field field, uint32_t at, int64_t value)
{
    if (field == PARENT) sample.parent[at] = value < 0 ? GWS_NO_VERTEX : (uint32_t)value;
    if (field == WEIGHT) sample.weight[at] = (int32_t)value;
    if (field == WEIGHT) sample.real_weight[at] = (float)value / 2;
    if (field != DISTANCE) return;
    sample.distance[at] = value < 0 ? GWS_NO_DISTANCE : (uint64_t)value;
    sample.real_distance[at] = value < 0 ? (double)INFINITY : (double)value / 2;
}

static const struct {
    const char *about, *message;
    struct {
        enum field field;
        uint32_t at;
        int64_t value;
    } change[2];
} spoils[] = {
    {"a distance too large", "vertex 3 has an arc that", {{DISTANCE, 4, 9}, {WEIGHT, 0, 4}}},
    {"a distance too large that an arc explains", "vertex 3 has an arc that", {{DISTANCE, 4, 9}, {WEIGHT, 7, 6}}},
    {"a distance too small", "vertex 4 has no arc from its parent", {{DISTANCE, 4, 7}, {WEIGHT, 0, 4}}},
    {"a parent without an arc", "vertex 4 has no arc from its parent", {{PARENT, 4, 2}, {WEIGHT, 0, 4}}},
    {"a parent on a longer path", "vertex 1 has no arc from its parent", {{PARENT, 1, 0}, {WEIGHT, 0, 4}}},
    {"a cycle of arcs of weight 0", "is on a cycle", {{PARENT, 1, 3}, {PARENT, 3, 1}}},
    {"its own parent", "vertex 4 is its own parent", {{PARENT, 4, 4}, {WEIGHT, 0, 4}}},
    {"a distance without a parent", "vertex 4 has a distance without", {{PARENT, 4, -1}, {WEIGHT, 0, 4}}},
    {"a parent without a distance", "vertex 7 has a distance without", {{PARENT, 7, 0}, {WEIGHT, 0, 4}}},
    {"a parent that is not reached", "vertex 4 has an invalid", {{PARENT, 4, 5}, {WEIGHT, 0, 4}}},
    {"a parent that is no vertex", "vertex 4 has an invalid", {{PARENT, 4, vertices}, {WEIGHT, 0, 4}}},
    {"a vertex missed", "vertex 3 has an arc that", {{PARENT, 4, -1}, {DISTANCE, 4, -1}}},
    {"reached without a path", "vertex 6 has no arc from its parent", {{PARENT, 6, 4}, {DISTANCE, 6, 9}}},
    {"a negative weight", "vertex 3 has an arc of a negative", {{WEIGHT, 7, -1}, {WEIGHT, 0, 4}}},
    {"the source has a distance", "source", {{DISTANCE, 0, 1}, {WEIGHT, 0, 4}}},
    {"the source has a parent", "source", {{PARENT, 0, 1}, {WEIGHT, 0, 4}}},
};
enum { spoil_count = sizeof spoils / sizeof spoils[0] };

START_TEST(spoiled_arrays)
{
    for (int is_real = 0; is_real < 2; is_real++) {
        sample_reset(is_real);
        for (int i = 0; i < 2; i++)
            spoil(spoils[_i].change[i].field, spoils[_i].change[i].at, spoils[_i].change[i].value);
        must_find(spoils[_i].about, spoils[_i].message);
    }
}
END_TEST

START_TEST(spoiled_counts)
{
    sample_reset(false);
    sample.result.reached++;
    must_find("reached", "5 vertices");
    sample_reset(false);
    sample.result.reached_arcs++;
    must_find("arcs", "9 arcs");
    sample_reset(true);
    sample.result.max_distance = 8;
    must_find("the largest distance", "largest distance");
    sample_reset(true);
    sample.result.vertices++;
    must_find("vertices", "another graph");
    sample_reset(false);
    sample.result.source = vertices;
    must_find("no source", "another graph");
    sample_reset(false);
    sample.distance[4] = UINT64_MAX - 1;
    must_find("a distance near the largest number", "vertex 3 ");
    sample_reset(true);
    sample.real_distance[4] = (double)NAN;
    must_find("a distance that is no number", "vertex 4 ");
}
END_TEST

START_TEST(results_that_cannot_be_checked)
{
    for (int i = 0; i < 4; i++) {
        sample_reset(i % 2);
        if (i < 2)
            sample.result.distance = NULL, sample.result.real_distance = NULL;
        else
            sample.result.parent = NULL;
        ck_assert_int_eq(gws_sssp_check(sample.runtime, sample.graph, &sample.result, NULL), GWS_INVALID);
        gws_graph_destroy(sample.graph);
    }
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{right_results, 1},
                                    {spoiled_arrays, spoil_count},
                                    {spoiled_counts, 1},
                                    {results_that_cannot_be_checked, 1},
                                    {0}};
    return gws_test_run_between("sssp check", test, set_up, tear_down);
}
