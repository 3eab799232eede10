/* SPDX-License-Identifier: MIT */
/* Compares diameters on every device of this machine with those of the threads, which make the same searches. */
#include "../../engine/devices.h"

#include "../../../../traversal/closeness_device.h"

/* The bounds after a run contain the eccentricity of each vertex of the undirected graph. */
static void check_bounds(const struct gws_graph *graph, const struct gws_diameter_device *diameter, uint64_t step)
{
    const uint64_t bytes = graph->vertices * sizeof(uint32_t);
    uint32_t *lower = content_of(gws_diameter_device_buffer(diameter, GWS_DIAMETER_LOWER), bytes);
    uint32_t *upper = content_of(gws_diameter_device_buffer(diameter, GWS_DIAMETER_UPPER), bytes);
    for (uint64_t v = 0; v < graph->vertices && !graph->directed; v += step) {
        struct oracle oracle = oracle_new(graph, (uint32_t)v);
        ck_assert_uint_le(lower[v], oracle.levels - 1);
        ck_assert_uint_ge(upper[v], oracle.levels - 1);
        oracle_free(&oracle);
    }
    free(lower);
    free(upper);
}

static void check_graph(struct gws_graph *graph)
{
    struct gws_device_graph *on_device = open_graph(graph, (struct gws_device_graph_options){.without = 0});
    struct gws_diameter_device *diameter = NULL;
    struct gws_diameter_result wanted = {0}, result = {0};
    struct gws_diagnostic where = {0};
    ck_assert_int_eq(gws_diameter(runtime, graph, &wanted), GWS_OK);
    ck_assert_msg(gws_diameter_device_open(on_device, &diameter, &where) == GWS_OK, "%s", where.message);
    for (int run = 0; run < 2; run++) {
        result = (struct gws_diameter_result){0};
        ck_assert_msg(gws_diameter_device_run(diameter, &result, &where) == GWS_OK, "%s", where.message);
        ck_assert_uint_eq(result.vertices, wanted.vertices);
        ck_assert_uint_eq(result.diameter, wanted.diameter);
        ck_assert_uint_eq(result.from, wanted.from);
        ck_assert_uint_eq(result.to, wanted.to);
        ck_assert_uint_eq(result.searches, wanted.searches);
        ck_assert(result.ms >= 0 && result.prepare_ms >= 0);
        ck_assert_msg(gws_diameter_check(runtime, graph, &result, &where) == GWS_OK, "%s", where.message);
    }
    check_bounds(graph, diameter, graph->vertices / 20 + 1);
    gws_diameter_device_close(diameter);
    gws_device_graph_close(on_device);
    gws_graph_destroy(graph);
}

DEVICE_TEST(results_equal_those_of_threads)
{
    const uint64_t max_vertices = gws_test_quick() ? 200 : 700;
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        if (!shape_runs(s)) continue;
        uint64_t vertices = shapes[s].vertices < max_vertices ? shapes[s].vertices : max_vertices;
        check_graph(make_graph(shapes[s].make, vertices, s % 2 ? UNDIRECTED : DIRECTED));
    }
    check_graph(generate("kron:11"));
    check_graph(generate(gws_test_quick() ? "road:1000" : "road:3000"));
}

DEVICE_TEST(no_vertices_rows_on_the_host)
{
    check_graph(make_graph(nothing, 0, UNDIRECTED));
    check_graph(make_graph(nothing, 5, UNDIRECTED));
    check_graph(make_graph(nothing, 0, DIRECTED));
    struct gws_graph *graph = make_graph(grid, 100, UNDIRECTED);
    struct gws_device_graph *on_device =
        open_graph(graph, (struct gws_device_graph_options){.placement = GWS_PLACE_HOST});
    struct gws_diameter_device *diameter = NULL;
    struct gws_diagnostic where = {0};
    ck_assert_int_eq(gws_diameter_device_open(on_device, &diameter, &where), GWS_UNSUPPORTED);
    ck_assert_ptr_null(diameter);
    ck_assert(where.message[0]);
    gws_diameter_device_close(NULL);
    gws_device_graph_close(on_device);
    gws_graph_destroy(graph);
}

static uint64_t searches;

static bool ask(void *context)
{
    (void)context;
    return searches >= 2;
}

static void count_search(void *context, const char *work, uint64_t done, uint64_t total)
{
    (void)context;
    (void)total;
    if (strcmp(work, "bounding the diameter") == 0) searches = done;
}

/* A cancelled run leaves the result unchanged. */
DEVICE_TEST(runs_are_cancelled_between_searches)
{
    const struct gws_options with = {.threads = 1, .cancel = ask, .progress = count_search};
    struct gws_graph *graph = make_graph(cycle, 400, UNDIRECTED); /* all eccentricities are equal */
    struct gws_diameter_device *diameter = NULL;
    struct gws_diameter_result result = {.vertices = 77};
    struct gws_diagnostic where = {0};
    searches = 0;
    const struct outer outer = open_inner(&with);
    struct gws_device_graph *on_device = open_graph(graph, (struct gws_device_graph_options){.without = 0});
    ck_assert_int_eq(gws_diameter_device_open(on_device, &diameter, &where), GWS_OK);
    ck_assert_int_eq(gws_diameter_device_run(diameter, &result, &where), GWS_CANCELLED);
    ck_assert_uint_eq(searches, 2);
    ck_assert_uint_eq(result.vertices, 77);
    gws_diameter_device_close(diameter);
    gws_device_graph_close(on_device);
    close_inner(outer);
    gws_graph_destroy(graph);
}

int main(void)
{
    const struct gws_test test[] = {{results_equal_those_of_threads, 1},
                                    {no_vertices_rows_on_the_host, 1},
                                    {runs_are_cancelled_between_searches, 1},
                                    {0}};
    return gws_test_run("diameter_device", test);
}
