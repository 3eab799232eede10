/* SPDX-License-Identifier: MIT */
/* Compares the corenesses from every device of this machine with the corenesses from CPU threads. Other tests compare
 * the CPU threads' corenesses with an oracle. */
#include "../../engine/devices.h"

#include "../../../../traversal/cores.h"

static void check(struct gws_graph *graph)
{
    struct gws_cores_result wanted = {0}, result = {0};
    struct gws_cores_device *cores = NULL;
    struct gws_diagnostic where = {0};
    struct gws_device_graph *on_device = open_graph(graph, (struct gws_device_graph_options){.without = 0});
    ck_assert_int_eq(gws_cores(runtime, graph, &wanted), GWS_OK);
    ck_assert_msg(gws_cores_device_open(on_device, &cores, &where) == GWS_OK, "%s", where.message);
    for (int run = 0; run < 2; run++) {
        gws_cores_result_clear(&result);
        ck_assert_msg(gws_cores_device_run(cores, &result, &where) == GWS_OK, "%s", where.message);
        ck_assert_uint_eq(result.max_core, wanted.max_core);
        ck_assert_uint_ge(result.rounds, wanted.max_core > 0);
        ck_assert_int_eq(gws_cores_device_fetch(cores, &result, &where), GWS_OK);
        ck_assert_uint_eq(result.vertices, graph->vertices);
        ck_assert_uint_eq(result.max_core, wanted.max_core);
        for (uint64_t v = 0; v < graph->vertices; v++)
            if (result.core[v] != wanted.core[v]) ck_abort_msg("vertex %d: %u", (int)v, result.core[v]);
        ck_assert(result.ms >= 0 && result.fetch_ms >= 0);
        uint32_t *content = content_of(gws_cores_device_buffer(cores), graph->vertices * sizeof *content);
        ck_assert_int_eq(memcmp(content, wanted.core, graph->vertices * sizeof *content), 0);
        free(content);
    }
    gws_cores_result_clear(&wanted);
    gws_cores_result_clear(&result);
    gws_cores_device_close(cores);
    gws_device_graph_close(on_device);
}

DEVICE_TEST(cores_equal_those_of_threads)
{
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        if (!shape_runs(s)) continue;
        struct gws_graph *graph = make_graph(shapes[s].make, shapes[s].vertices, s % 2 ? DIRECTED : UNDIRECTED);
        check(graph);
        gws_graph_destroy(graph);
    }
}

DEVICE_TEST(generated_graphs)
{
    static const char *const names[] = {"kron:11", "road:3000"};
    for (int i = 0; i < 2; i++) {
        struct gws_graph *graph = generate(names[i]);
        check(graph);
        gws_graph_destroy(graph);
    }
}

DEVICE_TEST(a_graph_without_vertices)
{
    struct gws_graph *graph = make_graph(nothing, 0, UNDIRECTED);
    check(graph);
    gws_graph_destroy(graph);
}

/* Checks that the library refuses host-resident graphs. */
DEVICE_TEST(graphs_that_are_refused)
{
    for (int i = 0; i < 2; i++) {
        struct gws_graph *graph = make_graph(grid, 100, i ? DIRECTED : UNDIRECTED);
        struct gws_device_graph *on_device =
            open_graph(graph, (struct gws_device_graph_options){.placement = GWS_PLACE_HOST});
        struct gws_cores_device *cores = NULL;
        struct gws_diagnostic where = {0};
        ck_assert_int_eq(gws_cores_device_open(on_device, &cores, &where), GWS_UNSUPPORTED);
        ck_assert_ptr_null(cores);
        ck_assert(where.message[0]);
        gws_cores_device_close(NULL);
        gws_device_graph_close(on_device);
        gws_graph_destroy(graph);
    }
}

int main(void)
{
    const struct gws_test test[] = {{cores_equal_those_of_threads, 1},
                                    {generated_graphs, 1},
                                    {a_graph_without_vertices, 1},
                                    {graphs_that_are_refused, 1},
                                    {0}};
    return gws_test_run("cores", test);
}
