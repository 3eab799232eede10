/* SPDX-License-Identifier: MIT */
/* Runs an operator with weights and buckets on every device, and compares the shortest paths with Dijkstra's
 * algorithm. */
#include "devices.h"

#include "../../../traversal/engine/device_run.h"

/* Runs Dijkstra's algorithm, which scans all vertices for the nearest one. Returns the number of reached vertices. */
static uint64_t search_by_weight(const struct gws_graph *graph, const uint32_t *weight, uint32_t source, uint32_t *far)
{
    bool *done = calloc(graph->vertices, sizeof *done);
    uint64_t reached = 0;
    memset(far, 0xff, graph->vertices * sizeof *far);
    far[source] = 0;
    for (;; reached++) {
        uint32_t nearest = GWS_NO_VERTEX;
        for (uint32_t v = 0; v < graph->vertices; v++)
            if (!done[v] && far[v] != GWS_NO_VERTEX && (nearest == GWS_NO_VERTEX || far[v] < far[nearest])) nearest = v;
        if (nearest == GWS_NO_VERTEX) break;
        done[nearest] = true;
        for (uint64_t a = graph->offset[nearest]; a < graph->offset[nearest + (uint64_t)1]; a++)
            if (far[nearest] + weight[a] < far[graph->target[a]]) far[graph->target[a]] = far[nearest] + weight[a];
    }
    free(done);
    return reached;
}

static void check_paths(const struct gws_graph *graph, const uint32_t *weight)
{
    static const uint32_t delta[] = {GWS_NO_VERTEX, 1, 100};
    uint32_t source = (uint32_t)graph->vertices / 2, *wanted = malloc(graph->vertices * sizeof *wanted);
    uint32_t *got = malloc(graph->vertices * sizeof *got);
    uint64_t reached = search_by_weight(graph, weight, source, wanted);
    struct gws_device_graph *on_device = open_graph(graph, (struct gws_device_graph_options){.without = 0});
    struct gws__device_run *run = NULL;
    struct gws__device_run_report report;
    struct gws_diagnostic where = {0};
    ck_assert_msg(gws__device_run_open(on_device, "engine_sssp", 1, NULL, false, &run, &where) == GWS_OK, "%s",
                  where.message);
    ck_assert_int_eq(gws__device_run_weigh(on_device, weight, &run->weight, &where), GWS_OK);
    for (size_t i = 0; i < sizeof delta / sizeof *delta; i++) {
        const uint32_t word[4] = {source, 0, 0, delta[i]};
        ck_assert_int_eq(gws__device_run_go(run, word, &report, &where), GWS_OK);
        ck_assert_int_eq(gws__device_run_fetch(run, 0, got, &where), GWS_OK);
        ck_assert_int_eq(memcmp(got, wanted, graph->vertices * sizeof *got), 0);
        ck_assert_uint_eq(report.counted, reached);
        ck_assert(report.rounds >= 1 && report.pulls == 0);
    }
    gws_device_buffer_free(run->weight);
    gws__device_run_close(run);
    gws_device_graph_close(on_device);
    free(wanted);
    free(got);
}

static void check_shapes(void)
{
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        if (!shape_runs(s)) continue;
        struct gws_graph *graph = make_graph(shapes[s].make, shapes[s].vertices, s % 2 ? DIRECTED : UNDIRECTED);
        uint32_t *weight = malloc((graph->arcs + 1) * sizeof *weight);
        uint64_t random = s;
        for (uint64_t a = 0; a < graph->arcs; a++) weight[a] = gws_random_below(gws_random_next(&random), 200);
        check_paths(graph, weight);
        free(weight);
        gws_graph_destroy(graph);
    }
}

START_TEST(distances_equal_the_oracles)
{
    on_devices(check_shapes);
    gws__device_run_close(NULL);
}
END_TEST

DEVICE_TEST(an_unknown_program_is_refused)
{
    struct gws_graph *graph = make_graph(grid, 100, UNDIRECTED);
    struct gws_device_graph *on_device = open_graph(graph, (struct gws_device_graph_options){.without = 0});
    struct gws__device_run *run = NULL;
    ck_assert_int_eq(gws__device_run_open(on_device, "engine_", 1, NULL, false, &run, NULL), GWS_UNSUPPORTED);
    ck_assert_ptr_null(run);
    gws_device_graph_close(on_device);
    gws_graph_destroy(graph);
}

int main(void)
{
    const struct gws_test test[] = {{distances_equal_the_oracles, 1}, {an_unknown_program_is_refused, 1}, {0}};
    return gws_test_run("runs on devices", test);
}
