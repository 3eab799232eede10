/* SPDX-License-Identifier: MIT */
/* Compares weak components on every device of this machine with the threads' components. Other tests compare the
 * threads' components with an oracle. */
#include "../../engine/devices.h"

#include "../../../../traversal/components.h"

static void check(struct gws_graph *graph)
{
    struct gws_components_result wanted = {0}, result = {0};
    struct gws_components_device *components = NULL;
    struct gws_diagnostic where = {0};
    struct gws_device_graph *on_device = open_graph(graph, (struct gws_device_graph_options){.without = 0});
    ck_assert_int_eq(gws_components(runtime, graph, NULL, &wanted), GWS_OK);
    ck_assert_msg(gws_components_device_open(on_device, &components, &where) == GWS_OK, "%s", where.message);
    for (int run = 0; run < 2; run++) {
        gws_components_result_clear(&result);
        ck_assert_msg(gws_components_device_run(components, &result, &where) == GWS_OK, "%s", where.message);
        ck_assert_uint_eq(result.components, wanted.components);
        ck_assert_uint_eq(result.largest, wanted.largest);
        ck_assert_int_eq(gws_components_device_fetch(components, &result, &where), GWS_OK);
        ck_assert_mem_eq(result.component, wanted.component, graph->vertices * sizeof *wanted.component);
        ck_assert(result.ms >= 0 && result.fetch_ms >= 0);
        uint32_t *content = content_of(gws_components_device_buffer(components), graph->vertices * sizeof *content);
        ck_assert_mem_eq(content, wanted.component, graph->vertices * sizeof *content);
        free(content);
    }
    gws_components_result_clear(&wanted);
    gws_components_result_clear(&result);
    gws_components_device_close(components);
    gws_device_graph_close(on_device);
}

DEVICE_TEST(components_equal_those_of_threads)
{
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (int arcs = 0; arcs < arc_kinds; arcs++) {
            if (!shape_runs(s)) continue;
            struct gws_graph *graph = make_graph(shapes[s].make, shapes[s].vertices, (enum arcs)arcs);
            check(graph);
            gws_graph_destroy(graph);
        }
}

DEVICE_TEST(a_graph_with_the_host_is_refused)
{
    struct gws_graph *graph = make_graph(grid, 100, UNDIRECTED);
    struct gws_device_graph *on_device =
        open_graph(graph, (struct gws_device_graph_options){.placement = GWS_PLACE_HOST});
    struct gws_components_device *components = NULL;
    struct gws_diagnostic where = {0};
    ck_assert_int_eq(gws_components_device_open(on_device, &components, &where), GWS_UNSUPPORTED);
    ck_assert_ptr_null(components);
    ck_assert(where.message[0]);
    gws_components_device_close(NULL);
    gws_device_graph_close(on_device);
    gws_graph_destroy(graph);
}

int main(void)
{
    const struct gws_test test[] = {{components_equal_those_of_threads, 1}, {a_graph_with_the_host_is_refused, 1}, {0}};
    return gws_test_run("components", test);
}
