/* SPDX-License-Identifier: MIT */
/* Compares triangles on every device of this machine with the threads' triangles. Other tests compare the threads'
 * triangles with an oracle. */
#include "../../engine/devices.h"

#include <math.h>

#include "../../../../traversal/triangles.h"

enum { all_parts = GWS_TRIANGLES_COUNT | GWS_TRIANGLES_CLUSTERING };

static void compare_results(const struct gws_triangles_result *result, const struct gws_triangles_result *wanted)
{
    ck_assert_uint_eq(result->vertices, wanted->vertices);
    ck_assert_uint_eq(result->triangles, wanted->triangles);
    ck_assert_uint_eq(result->wedges, wanted->wedges);
    ck_assert(fabs(result->transitivity - wanted->transitivity) < 1e-12);
    ck_assert(fabs(result->mean_clustering - wanted->mean_clustering) < 1e-12);
    ck_assert(result->ms >= 0 && result->fetch_ms >= 0);
    ck_assert_int_eq(result->count != NULL, wanted->count != NULL);
    ck_assert_int_eq(result->clustering != NULL, wanted->clustering != NULL);
    for (uint64_t v = 0; v < wanted->vertices; v++)
        if ((wanted->count && result->count[v] != wanted->count[v]) ||
            (wanted->clustering && result->clustering[v] != wanted->clustering[v]))
            ck_abort_msg("vertex %d", (int)v);
}

static void check(struct gws_graph *graph, bool directed, uint32_t parts)
{
    const struct gws_triangles_options options = {.parts = parts, .directed = directed};
    struct gws_triangles_result wanted = {0}, result = {0};
    struct gws_triangles_device *triangles = NULL;
    struct gws_diagnostic where = {0};
    struct gws_device_graph *on_device = open_graph(graph, (struct gws_device_graph_options){.without = 0});
    ck_assert_int_eq(gws_triangles(runtime, graph, &options, &wanted), GWS_OK);
    ck_assert_int_eq(wanted.directed, directed && parts & GWS_TRIANGLES_CLUSTERING);
    ck_assert_msg(gws_triangles_device_open(on_device, parts ? &options : NULL, &triangles, &where) == GWS_OK, "%s",
                  where.message);
    for (int run = 0; run < 3; run++) {
        if (run == 1) gws_triangles_result_clear(&result);
        ck_assert_msg(gws_triangles_device_run(triangles, &result, &where) == GWS_OK, "%s", where.message);
        ck_assert_int_eq(gws_triangles_device_fetch(triangles, &result, &where), GWS_OK);
        compare_results(&result, &wanted);
        ck_assert_int_eq(result.directed, wanted.directed);
    }
    ck_assert_int_eq(gws_triangles_device_buffer(triangles) != NULL, parts != 0);
    if (parts & GWS_TRIANGLES_COUNT) {
        uint64_t *content = content_of(gws_triangles_device_buffer(triangles), graph->vertices * sizeof *content);
        ck_assert_int_eq(memcmp(content, wanted.count, graph->vertices * sizeof *content), 0);
        free(content);
    }
    gws_triangles_result_clear(&wanted);
    gws_triangles_result_clear(&result);
    gws_triangles_device_close(triangles);
    gws_device_graph_close(on_device);
}

DEVICE_TEST(triangles_equal_those_of_threads)
{
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        if (!shape_runs(s)) continue;
        struct gws_graph *graph = make_graph(shapes[s].make, shapes[s].vertices, UNDIRECTED);
        check(graph, false, (uint32_t)s % 4);
        gws_graph_destroy(graph);
        graph = make_graph(shapes[s].make, shapes[s].vertices, DIRECTED);
        check(graph, true, s % 2 ? all_parts : GWS_TRIANGLES_CLUSTERING);
        check(graph, false, (uint32_t)s % 4);
        gws_graph_destroy(graph);
    }
}

DEVICE_TEST(generated_graphs)
{
    static const char *const names[] = {"kron:11", "road:3000"};
    for (int i = 0; i < 2; i++) {
        struct gws_graph *graph = generate(names[i]);
        check(graph, false, 0);
        check(graph, false, all_parts);
        gws_graph_destroy(graph);
    }
}

DEVICE_TEST(a_graph_without_vertices)
{
    struct gws_graph *graph = make_graph(nothing, 0, UNDIRECTED);
    check(graph, false, GWS_TRIANGLES_CLUSTERING);
    gws_graph_destroy(graph);
}

/* Checks that the library refuses host-resident graphs and unknown parts. */
DEVICE_TEST(graphs_that_are_refused)
{
    for (int i = 0; i < 3; i++) {
        struct gws_graph *graph = make_graph(grid, 100, i == 1 ? DIRECTED : UNDIRECTED);
        struct gws_device_graph *on_device = open_graph(
            graph, (struct gws_device_graph_options){.placement = i == 2 ? GWS_PLACE_DEVICE : GWS_PLACE_HOST});
        const struct gws_triangles_options options = {.parts = i == 2 ? 4 : 0};
        struct gws_triangles_device *triangles = NULL;
        struct gws_diagnostic where = {0};
        ck_assert_int_eq(gws_triangles_device_open(on_device, &options, &triangles, &where),
                         i == 2 ? GWS_INVALID : GWS_UNSUPPORTED);
        ck_assert_ptr_null(triangles);
        ck_assert(where.message[0]);
        gws_triangles_device_close(NULL);
        gws_device_graph_close(on_device);
        gws_graph_destroy(graph);
    }
}

int main(void)
{
    const struct gws_test test[] = {{triangles_equal_those_of_threads, 1},
                                    {generated_graphs, 1},
                                    {a_graph_without_vertices, 1},
                                    {graphs_that_are_refused, 1},
                                    {0}};
    return gws_test_run("triangles", test);
}
