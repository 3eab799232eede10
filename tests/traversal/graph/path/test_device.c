/* SPDX-License-Identifier: MIT */
/* Compares paths on every device of this machine with serial searches. */
#include "../../engine/devices.h"

#include "../../../../traversal/path_device.h"
#include "../sssp/weights.h"

static double length_of(const struct gws_path_result *result)
{
    if (result->length == 0) return (double)INFINITY;
    return result->real_distance ? result->real_distance[result->length - 1]
                                 : (double)result->distance[result->length - 1];
}

static void compare_content(const struct gws_path_device *path, const struct gws_path_result *result)
{
    uint32_t *vertex = malloc((result->length + 1) * sizeof *vertex);
    uint64_t *distance = malloc((result->length + 1) * sizeof *distance);
    struct gws_device_buffer *from = gws_path_device_buffer(path, GWS_PATH_VERTICES);
    ck_assert_int_eq(gws_device_read(from, 0, vertex, result->length * sizeof *vertex, NULL), GWS_OK);
    from = gws_path_device_buffer(path, GWS_PATH_DISTANCES);
    ck_assert_int_eq(gws_device_read(from, 0, distance, result->length * sizeof *distance, NULL), GWS_OK);
    const void *wanted = result->real_distance ? (const void *)result->real_distance : result->distance;
    ck_assert_int_eq(memcmp(vertex, result->vertex, result->length * sizeof *vertex), 0);
    ck_assert_int_eq(memcmp(distance, wanted, result->length * sizeof *distance), 0);
    free(vertex);
    free(distance);
}

static void find_path(const struct gws_graph *graph, struct gws_path_device *path, uint32_t source, uint32_t target,
                      double wanted, struct gws_path_result *result)
{
    struct gws_diagnostic where = {0};
    ck_assert_msg(gws_path_device_run(path, source, target, result, &where) == GWS_OK, "%s", where.message);
    ck_assert_ptr_null(result->vertex);
    ck_assert_msg(gws_path_device_fetch(path, result, &where) == GWS_OK, "%s", where.message);
    ck_assert_uint_eq(result->source, source);
    ck_assert_uint_eq(result->target, target);
    ck_assert(result->ms >= 0 && result->visited > 0);
    gws_status status = gws_path_check(runtime, graph, result, &where);
    ck_assert_msg(status == GWS_OK, "%u to %u: %s", source, target, where.message);
    double length = length_of(result);
    if (length != wanted && !(fabs(length - wanted) <= (graph->real_weight ? 1e-12 * wanted : 0)))
        ck_abort_msg("%u to %u: %.17g, not %.17g", source, target, length, wanted);
    if (result->length > 0) compare_content(path, result);
}

static void check_paths(const struct weighted *made, bool hops)
{
    const struct gws_graph *graph = made->graph;
    const struct gws_path_options options = {.hops = hops};
    const uint32_t last = (uint32_t)graph->vertices - 1, source[] = {0, last / 2};
    struct gws_device_graph *on_device = open_graph(graph, (struct gws_device_graph_options){.without = 0});
    struct gws_path_device *path = NULL;
    struct gws_path_result result = {0};
    struct gws_diagnostic where = {0};
    ck_assert_msg(gws_path_device_open(on_device, &options, &path, &where) == GWS_OK, "%s", where.message);
    for (int s = 0; s < 2; s++) {
        double *wanted = search_serially(hops ? made->plain : graph, source[s]);
        for (int t = 0; t < 4; t++) {
            const uint32_t target = t == 0 ? source[s] : t == 1 ? last : last / (uint32_t)(t + 1);
            find_path(graph, path, source[s], target, wanted[target], &result);
        }
        free(wanted);
    }
    ck_assert_int_eq(gws_path(runtime, graph, 0, last, &options, &result, NULL), GWS_OK); /* reuses the result */
    ck_assert_int_eq(gws_path_device_run(path, 0, last, &result, NULL), GWS_OK);
    ck_assert_int_eq(gws_path_device_fetch(path, &result, NULL), GWS_OK);
    ck_assert_int_eq(gws_path(runtime, graph, 0, last, &options, &result, NULL), GWS_OK);
    ck_assert_int_eq(gws_path_check(runtime, graph, &result, NULL), GWS_OK);
    gws_path_result_clear(&result);
    gws_path_device_close(path);
    gws_device_graph_close(on_device);
}

DEVICE_TEST(lengths_equal_the_oracles)
{
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        if (!shape_runs(s)) continue;
        if (shapes[s].vertices == 0) continue;
        uint64_t vertices = shapes[s].vertices < 900 ? shapes[s].vertices : 900;
        struct gws_graph *plain = make_graph(shapes[s].make, vertices, (enum arcs)(s % arc_kinds));
        struct weighted made = add_weights(plain, (enum weights)(s % weight_kinds));
        if (made.graph->directed && plain->reverse)
            ck_assert_int_eq(gws_graph_add_reverse(runtime, made.graph), GWS_OK);
        check_paths(&made, false);
        if (s % 3 == 0) check_paths(&made, true);
        weighted_free(&made);
    }
}

/* A path of more vertices than the buffers have at first. */
DEVICE_TEST(long_paths)
{
    struct weighted made = add_weights(make_graph(path, 6000, UNDIRECTED), NO_WEIGHTS);
    check_paths(&made, true);
    weighted_free(&made);
}

DEVICE_TEST(bad_arguments_are_refused)
{
    struct gws_graph *graph = make_graph(grid, 100, UNDIRECTED), *none = make_graph(nothing, 0, UNDIRECTED);
    struct gws_device_graph *on_device =
        open_graph(graph, (struct gws_device_graph_options){.placement = GWS_PLACE_HOST});
    struct gws_path_device *path = NULL;
    struct gws_path_result result = {0};
    struct gws_diagnostic where = {0};
    ck_assert_int_eq(gws_path_device_open(on_device, NULL, &path, &where), GWS_UNSUPPORTED);
    ck_assert(where.message[0]);
    gws_device_graph_close(on_device);
    on_device = open_graph(graph, (struct gws_device_graph_options){.without = 0});
    ck_assert_int_eq(gws_path_device_open(on_device, NULL, &path, &where), GWS_OK);
    ck_assert_int_eq(gws_path_device_fetch(path, &result, &where), GWS_INVALID);
    ck_assert_int_eq(gws_path_device_run(path, 0, 100, &result, &where), GWS_OUT_OF_RANGE);
    ck_assert_int_eq(gws_path_device_run(path, 0, 99, &result, &where), GWS_OK);
    struct gws_path_result other = result;
    other.target = 98;
    ck_assert_int_eq(gws_path_device_fetch(path, &other, &where), GWS_INVALID);
    gws_path_device_close(path);
    gws_path_device_close(NULL);
    gws_device_graph_close(on_device);
    on_device = open_graph(none, (struct gws_device_graph_options){.without = 0});
    ck_assert_int_eq(gws_path_device_open(on_device, NULL, &path, &where), GWS_OK);
    ck_assert_int_eq(gws_path_device_run(path, 0, 0, &result, &where), GWS_OUT_OF_RANGE);
    gws_path_device_close(path);
    gws_device_graph_close(on_device);
    gws_graph_destroy(graph);
    gws_graph_destroy(none);
}

static bool cancels;

static bool ask(void *context)
{
    (void)context;
    return cancels;
}

DEVICE_TEST(runs_are_cancelled)
{
    const struct gws_options with = {.threads = 1, .cancel = ask};
    struct gws_graph *graph = make_graph(grid, 100, UNDIRECTED);
    struct gws_path_device *path = NULL;
    struct gws_path_result result = {0};
    cancels = false;
    const struct outer outer = open_inner(&with);
    struct gws_device_graph *on_device = open_graph(graph, (struct gws_device_graph_options){.without = 0});
    ck_assert_int_eq(gws_path_device_open(on_device, NULL, &path, NULL), GWS_OK);
    cancels = true;
    ck_assert_int_eq(gws_path_device_run(path, 0, 99, &result, NULL), GWS_CANCELLED);
    cancels = false;
    ck_assert_int_eq(gws_path_device_fetch(path, &result, NULL), GWS_INVALID);
    ck_assert_int_eq(gws_path_device_run(path, 0, 99, &result, NULL), GWS_OK);
    gws_path_device_close(path);
    gws_device_graph_close(on_device);
    close_inner(outer);
    gws_graph_destroy(graph);
}

int main(void)
{
    const struct gws_test test[] = {
        {lengths_equal_the_oracles, 1}, {long_paths, 1}, {bad_arguments_are_refused, 1}, {runs_are_cancelled, 1}, {0}};
    return gws_test_run("path_device", test);
}
