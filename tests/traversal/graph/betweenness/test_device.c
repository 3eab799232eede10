/* SPDX-License-Identifier: MIT */
/* Compares betweenness centrality on every device of this machine with the threads' results. Other tests compare the
 * threads' results with an oracle. */
#include "../../engine/devices.h"

#include <math.h>

#include "../../../../traversal/graph/betweenness/device_state.h"

static void compare_results(const struct gws_betweenness_result *wanted, const struct gws_betweenness_result *result)
{
    ck_assert_uint_eq(result->sources, wanted->sources);
    ck_assert_uint_eq(result->reached, wanted->reached);
    ck_assert_uint_eq(result->levels, wanted->levels);
    ck_assert_uint_eq(result->vertices, wanted->vertices);
    for (uint64_t v = 0; v < wanted->vertices; v++)
        if (!(fabs(result->centrality[v] - wanted->centrality[v]) <= 1e-9 * (wanted->centrality[v] + 1e-3)))
            ck_abort_msg("vertex %u: %.17g for %.17g", (uint32_t)v, result->centrality[v], wanted->centrality[v]);
    ck_assert_uint_eq(result->arcs, wanted->arcs);
    ck_assert_int_eq(!result->arc, !wanted->arc);
    for (uint64_t a = 0; wanted->arc && a < wanted->arcs; a++)
        if (!(fabs(result->arc[a] - wanted->arc[a]) <= 1e-9 * (wanted->arc[a] + 1e-3)))
            ck_abort_msg("arc %u: %.17g for %.17g", (uint32_t)a, result->arc[a], wanted->arc[a]);
}

static void check(struct gws_graph *graph)
{
    struct gws_betweenness_result wanted = {0}, result = {0};
    struct gws_betweenness_device *betweenness = NULL;
    struct gws_diagnostic where = {0};
    struct gws_device_graph *on_device = open_graph(graph, (struct gws_device_graph_options){.without = 0});
    ck_assert_msg(gws_betweenness_device_open(on_device, &betweenness, &where) == GWS_OK, "%s", where.message);
    for (uint32_t run = 0; run < 4; run++) {
        /* Odd runs have one team, and the others several if the device has several groups. The runs between sum up the
         * arcs as well. */
        const struct gws_betweenness_options options = {
            .samples = 11, .seed = run, .normalised = run & 1, .arcs = run == 1 || run == 2, .memory = run & 1};
        ck_assert_int_eq(gws_betweenness(runtime, graph, &options, &wanted), GWS_OK);
        ck_assert_msg(gws_betweenness_device_run(betweenness, &options, &result, &where) == GWS_OK, "%s",
                      where.message);
        ck_assert_int_eq(gws_betweenness_device_fetch(betweenness, &result, &where), GWS_OK);
        compare_results(&wanted, &result);
        ck_assert(result.ms >= 0 && result.fetch_ms >= 0);
        ck_assert_msg(gws_betweenness_check(runtime, graph, &options, &result, &where) == GWS_OK, "%s", where.message);
        double *content = content_of(gws_betweenness_device_buffer(betweenness), graph->vertices * sizeof *content);
        free(content);
        ck_assert_int_eq(gws_betweenness_device_arcs(betweenness) != NULL, options.arcs);
    }
    gws_betweenness_result_clear(&wanted);
    gws_betweenness_result_clear(&result);
    gws_betweenness_device_close(betweenness);
    gws_device_graph_close(on_device);
}

DEVICE_TEST(values_equal_those_of_threads)
{
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (int arcs = 0; arcs < arc_kinds; arcs++) {
            if (!shape_runs(s)) continue;
            if ((enum arcs)arcs == DIRECTED) continue;
            struct gws_graph *graph = make_graph(shapes[s].make, shapes[s].vertices, (enum arcs)arcs);
            check(graph);
            gws_graph_destroy(graph);
        }
}

static void two_hubs(struct edges *edges, uint64_t n)
{
    for (uint64_t v = 2; v < n; v++) add(edges, v % 2, v);
    for (uint64_t v = 2; v < n; v += 3) add(edges, (v + 1) % 2, v);
}

/* Makes a chain of squares with 2^(n / 3) shortest paths from end to end. */
static void squares(struct edges *edges, uint64_t n)
{
    for (uint64_t v = 0; v + 3 < n; v += 3) {
        add(edges, v, v + 1);
        add(edges, v, v + 2);
        add(edges, v + 1, v + 3);
        add(edges, v + 2, v + 3);
    }
}

DEVICE_TEST(long_rows_and_many_paths)
{
    for (int arcs = 0; arcs < 2; arcs++) {
        enum arcs kind = arcs ? DIRECTED_WITH_REVERSE : UNDIRECTED;
        struct gws_graph *graph[] = {make_graph(two_hubs, 30000, kind), make_graph(squares, 7000, kind)};
        for (int i = 0; i < 2; i++) {
            check(graph[i]);
            gws_graph_destroy(graph[i]);
        }
    }
}

/* Runs as many teams as fit into 1.9 times, and then 3 times, the memory that the header states for one team. */
DEVICE_TEST(teams_keep_to_the_memory)
{
    struct gws_graph *graph = make_graph(grid, 10000, UNDIRECTED);
    struct gws_betweenness_device *betweenness = NULL;
    struct gws_betweenness_result result = {0};
    struct gws_diagnostic where = {0};
    struct gws_device_graph *on_device = open_graph(graph, (struct gws_device_graph_options){.without = 0});
    ck_assert_msg(gws_betweenness_device_open(on_device, &betweenness, &where) == GWS_OK, "%s", where.message);
    for (int arcs = 0; arcs < 2; arcs++) {
        const double team = 24.25 * (double)graph->vertices + (arcs ? 8.0 : 1.0 / 16) * (double)graph->arcs;
        struct gws_betweenness_options options = {.samples = 2, .arcs = arcs, .memory = (uint64_t)(1.9 * team)};
        ck_assert_int_eq(gws_betweenness_device_run(betweenness, &options, &result, &where), GWS_OK);
        ck_assert_uint_eq(betweenness->teams, 1);
        options.memory = (uint64_t)(3 * team);
        ck_assert_int_eq(gws_betweenness_device_run(betweenness, &options, &result, &where), GWS_OK);
        ck_assert_uint_eq(betweenness->teams, betweenness->kernel.groups > 1 ? 2 : 1);
    }
    gws_betweenness_result_clear(&result);
    gws_betweenness_device_close(betweenness);
    gws_device_graph_close(on_device);
    gws_graph_destroy(graph);
}

DEVICE_TEST(bad_arguments_are_refused)
{
    const uint32_t source[] = {100};
    const struct gws_betweenness_options options = {.source = source, .sources = 1};
    struct gws_graph *graph = make_graph(grid, 100, DIRECTED);
    struct gws_betweenness_device *betweenness = NULL;
    struct gws_betweenness_result result = {0};
    struct gws_diagnostic where = {0};
    struct gws_device_graph *on_device = open_graph(graph, (struct gws_device_graph_options){.without = 0});
    ck_assert_int_eq(gws_betweenness_device_open(on_device, &betweenness, &where), GWS_NEEDS_REVERSE);
    gws_device_graph_close(on_device);
    ck_assert_int_eq(gws_graph_add_reverse(runtime, graph), GWS_OK);
    on_device = open_graph(graph, (struct gws_device_graph_options){.placement = GWS_PLACE_HOST});
    ck_assert_int_eq(gws_betweenness_device_open(on_device, &betweenness, &where), GWS_UNSUPPORTED);
    ck_assert_ptr_null(betweenness);
    gws_device_graph_close(on_device);
    on_device = open_graph(graph, (struct gws_device_graph_options){.without = 0});
    ck_assert_int_eq(gws_betweenness_device_open(on_device, &betweenness, &where), GWS_OK);
    ck_assert_int_eq(gws_betweenness_device_run(betweenness, &options, &result, &where), GWS_OUT_OF_RANGE);
    ck_assert_ptr_null(result.scratch);
    gws_betweenness_device_close(betweenness);
    gws_betweenness_device_close(NULL);
    gws_device_graph_close(on_device);
    gws_graph_destroy(graph);
}

int main(void)
{
    const struct gws_test test[] = {{values_equal_those_of_threads, 1},
                                    {long_rows_and_many_paths, 1},
                                    {teams_keep_to_the_memory, 1},
                                    {bad_arguments_are_refused, 1},
                                    {0}};
    return gws_test_run("betweenness_device", test);
}
