/* SPDX-License-Identifier: MIT */
/* The checker must detect every fault of a path, and accept every correct path. */
#include "../../harness.h"

#include "../../../lib/graph.h"
#include "../../../traversal/path.h"

enum { vertices = 6, arcs = 7, max_length = 4 };

/* The arcs and their weights are 0 -> 1 (2), 0 -> 3 (9), 1 -> 2 (3), 1 -> 2 (4), 2 -> 3 (1), 3 -> 0 (1), 4 -> 0 (1).
 * The shortest path by weights is 0, 1, 2, 3. */
static const uint64_t offset[vertices + 1] = {0, 2, 4, 5, 6, 7, 7};
static const uint32_t target[arcs] = {1, 3, 2, 2, 3, 0, 0};
static const int32_t weight[arcs] = {2, 9, 3, 4, 1, 1, 1};
static const float real_weight[arcs] = {1, 4.5f, 1.5f, 2, 0.5f, 0.5f, 0.5f};

static struct {
    struct gws_runtime *runtime;
    struct gws_graph *graph[2];
    uint32_t vertex[max_length];
    uint64_t distance[max_length];
    double real_distance[max_length];
    struct gws_path_result result;
} sample;

static void set_up(void)
{
    const struct gws_options options = {.threads = 2};
    ck_assert_int_eq(gws_runtime_open(&options, &sample.runtime), GWS_OK);
    ck_assert_int_eq(gws_graph_wrap(sample.runtime, vertices, offset, target, weight, true, false, &sample.graph[0]),
                     GWS_OK);
    ck_assert_int_eq(
        gws_graph_wrap_real(sample.runtime, vertices, offset, target, real_weight, true, false, &sample.graph[1]),
        GWS_OK);
}

static void tear_down(void)
{
    gws_graph_destroy(sample.graph[0]);
    gws_graph_destroy(sample.graph[1]);
    gws_runtime_close(sample.runtime);
}

/* Resets the sample. kind is 0 for weights, 1 for real weights, 2 for hops. */
static void reset(int kind)
{
    const uint32_t vertex[max_length] = {0, 1, 2, 3};
    const uint64_t distance[max_length] = {0, 2, 5, 6};
    for (int i = 0; i < max_length; i++) {
        sample.vertex[i] = vertex[i];
        sample.distance[i] = distance[i];
        sample.real_distance[i] = (double)distance[i] / 2;
    }
    sample.result = (struct gws_path_result){
        .vertices = vertices, .source = 0, .target = 3, .length = max_length, .vertex = sample.vertex};
    if (kind == 1)
        sample.result.real_distance = sample.real_distance;
    else
        sample.result.distance = sample.distance;
    if (kind != 2) return;
    sample.result.hops = true;
    sample.result.length = 2;
    sample.vertex[1] = 3;
    sample.distance[1] = 1;
}

static gws_status check(int kind, struct gws_diagnostic *where)
{
    return gws_path_check(sample.runtime, sample.graph[kind == 1], &sample.result, where);
}

static void must_find(int kind, const char *message)
{
    struct gws_diagnostic where = {.message = ""};
    ck_assert_msg(check(kind, &where) == GWS_WRONG_RESULT, "accepted: %s", message);
    ck_assert_msg(strstr(where.message, message) != NULL, "%s", where.message);
}

START_TEST(right_results)
{
    for (int kind = 0; kind < 3; kind++) {
        reset(kind);
        ck_assert_int_eq(check(kind, NULL), GWS_OK);
        sample.result.target = 4; /* no arc leads to vertex 4 */
        sample.result.length = 0;
        ck_assert_int_eq(check(kind, NULL), GWS_OK);
        sample.result.source = sample.result.target = sample.vertex[0] = 5;
        sample.result.length = 1;
        ck_assert_int_eq(check(kind, NULL), GWS_OK);
    }
}
END_TEST

START_TEST(wrong_paths)
{
    for (int kind = 0; kind < 3; kind++) {
        reset(kind);
        sample.vertex[1] = 5;
        must_find(kind, kind == 2 ? "does not lead" : "no arc from 0 to 5");
        reset(kind);
        sample.vertex[sample.result.length - 1] = vertices;
        must_find(kind, "invalid vertex");
        reset(kind);
        sample.distance[1]++;
        sample.real_distance[1]++;
        must_find(kind, "no arc from 0 to");
        reset(kind);
        sample.distance[0] = 1;
        sample.real_distance[0] = 1;
        must_find(kind, "distance 0");
        reset(kind);
        sample.result.source = 1;
        must_find(kind, "does not lead");
        reset(kind);
        sample.result.length = 0;
        must_find(kind, "there is a path");
        reset(kind);
        sample.result.vertices++;
        must_find(kind, "another graph");
        reset(kind);
        sample.result.distance = NULL;
        sample.result.real_distance = NULL;
        must_find(kind, "no path or no distances");
    }
}
END_TEST

START_TEST(longer_paths)
{
    reset(0);
    sample.distance[2] = 6; /* the distance over the longer of two parallel arcs */
    sample.distance[3] = 7;
    must_find(0, "the shortest 6");
    reset(1);
    sample.result.length = 2;
    sample.vertex[1] = 3;
    sample.real_distance[1] = 4.5;
    must_find(1, "the shortest 3");
    reset(2);
    sample.result.length = max_length;
    for (uint32_t i = 0; i < max_length; i++) sample.vertex[i] = i;
    for (uint32_t i = 0; i < max_length; i++) sample.distance[i] = i;
    must_find(2, "the shortest 1");
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{right_results, 1}, {wrong_paths, 1}, {longer_paths, 1}, {0}};
    return gws_test_run_between("path check", test, set_up, tear_down);
}
