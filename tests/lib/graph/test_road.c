/* SPDX-License-Identifier: MIT */
#include "naive.h"

/* Edges connect only lattice neighbours, whose points lie near their cells, so the graph is planar. The graph is
 * connected and has the documented degree and weights. */
START_TEST(roads)
{
    struct gws_runtime *runtime = naive_runtime(2);
    const char *const descriptions[] = {"road:40000", "road:39999:7", "road:40001:8", "road:90211:9"};
    struct gws_graph *graph = naive_generate(descriptions[_i], 2);
    uint32_t *component = malloc(graph->vertices * sizeof *component);
    uint64_t components = 0, width = 0;
    while ((width + 1) * (width + 1) <= graph->vertices) width++;
    ck_assert_int_eq(gws_graph_components(runtime, graph, component, &components), GWS_OK);
    ck_assert_uint_eq(components, 1);
    double degree = (double)graph->arcs / (double)graph->vertices;
    ck_assert_msg(degree > 2.6 && degree < 2.7, "mean degree %g", degree);
    for (uint64_t v = 0; v < graph->vertices; v++) {
        double x = graph->position[2 * v], y = graph->position[2 * v + 1];
        ck_assert(x == (double)(int64_t)x && y == (double)(int64_t)y);
        double dx = x - 1000.0 * (double)(v % width), dy = y - 1000.0 * (double)(v / width);
        ck_assert(dx > -250 && dx < 250 && dy > -250 && dy < 250);
        for (uint64_t arc = graph->offset[v]; arc < graph->offset[v + 1]; arc++) {
            uint64_t u = graph->target[arc];
            double ex = x - graph->position[2 * u], ey = y - graph->position[2 * u + 1];
            double square = ex * ex + ey * ey, weight = graph->weight[arc];
            if (!naive_are_neighbours(width, v, u)) ck_abort_msg("an arc over more than one cell");
            ck_assert((weight - 0.5) * (weight - 0.5) <= square && square <= (weight + 0.5) * (weight + 0.5));
        }
    }
    free(component);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{roads, 4}, {0}};
    return gws_test_run("road", test);
}
