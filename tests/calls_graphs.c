/* SPDX-License-Identifier: MIT */
/* The calls of tests/calls.h that make and change graphs. */
#include "harness.h"

#include "calls.h"

static uint64_t sum_of(const struct gws_graph *graph)
{
    uint64_t sum = graph->vertices;
    for (uint64_t a = 0; a < graph->arcs; a++) sum += a * graph->target[a];
    return sum;
}

gws_status gws_test_made(struct gws_graph *graph, gws_status status, uint64_t *answer)
{
    if (status == GWS_OK) *answer = sum_of(graph);
    if (status == GWS_OK) gws_graph_destroy(graph);
    return status;
}

GWS_TEST_CALL(generate)
{
    struct gws_graph *graph = NULL;
    gws_status status = gws_graph_generate(runtime, "road:3000", &graph, NULL);
    return gws_test_made(graph, status, answer);
}

GWS_TEST_CALL(symmetrise)
{
    struct gws_graph *graph = NULL;
    gws_status status = gws_graph_symmetrise(runtime, world->graph, &graph);
    return gws_test_made(graph, status, answer);
}

static gws_status relabel(struct gws_runtime *runtime, const struct gws_graph *from, enum gws_order order,
                          uint64_t *answer)
{
    uint32_t *new_of_old = gws_allocate(runtime, from->vertices, sizeof *new_of_old);
    struct gws_graph *graph = NULL;
    gws_status status = gws_graph_order(runtime, from, order, 0, new_of_old);
    if (status == GWS_OK) status = gws_graph_relabel(runtime, from, new_of_old, from->vertices, &graph);
    gws_release(runtime, new_of_old, from->vertices, sizeof *new_of_old);
    return gws_test_made(graph, status, answer);
}

GWS_TEST_CALL(order)
{
    return relabel(runtime, world->graph, GWS_ORDER_DEGREE, answer);
}

GWS_TEST_CALL(order_rcm)
{
    return relabel(runtime, world->graph, GWS_ORDER_RCM, answer);
}

GWS_TEST_CALL(order_hilbert)
{
    struct gws_graph *graph = NULL;
    gws_status status = gws_graph_generate(runtime, "grid:40x30", &graph, NULL);
    if (status == GWS_OK) status = relabel(runtime, graph, GWS_ORDER_HILBERT, answer);
    gws_graph_destroy(graph);
    return status;
}

GWS_TEST_CALL(simplify)
{
    struct gws_graph *graph = NULL;
    gws_status status = gws_graph_generate(runtime, "kron:9", &graph, NULL);
    if (status == GWS_OK) status = gws_graph_simplify(runtime, true, true, &graph);
    if (status == GWS_OK) return gws_test_made(graph, status, answer);
    gws_graph_destroy(graph);
    return status;
}

GWS_TEST_CALL(largest_component)
{
    struct gws_graph *graph = NULL;
    gws_status status = gws_graph_largest_component(runtime, world->graph, &graph);
    return gws_test_made(graph, status, answer);
}

GWS_TEST_CALL(wrap)
{
    const struct gws_graph *from = world->graph;
    struct gws_graph *graph = NULL;
    gws_status status = gws_graph_wrap(runtime, from->vertices, from->offset, from->target, NULL, false, false, &graph);
    return gws_test_made(graph, status, answer);
}

GWS_TEST_CALL(graph_components)
{
    uint64_t count = 0;
    uint32_t *component = gws_allocate(runtime, world->graph->vertices, sizeof *component);
    if (!component) return GWS_NO_MEMORY;
    gws_status status = gws_graph_components(runtime, world->graph, component, &count);
    gws_release(runtime, component, world->graph->vertices, sizeof *component);
    *answer = count;
    return status;
}

GWS_TEST_CALL(gaps)
{
    struct gws_graph_gaps gaps;
    gws_status status = gws_graph_gaps(runtime, world->graph, &gaps);
    *answer = status == GWS_OK ? gaps.median : 0;
    return status;
}

GWS_TEST_CALL(summarise)
{
    struct gws_graph_summary summary;
    gws_status status = gws_graph_summarise(runtime, world->graph, &summary);
    *answer = summary.max_degree;
    return status;
}

const struct gws_test_call gws_test_graph_calls[] = {GWS_TEST_ROW(generate),
                                                     GWS_TEST_ROW(symmetrise),
                                                     GWS_TEST_ROW(order),
                                                     GWS_TEST_ROW(order_rcm),
                                                     GWS_TEST_ROW(order_hilbert),
                                                     GWS_TEST_ROW(simplify),
                                                     GWS_TEST_ROW(largest_component),
                                                     GWS_TEST_ROW(wrap),
                                                     GWS_TEST_ROW(graph_components),
                                                     GWS_TEST_ROW(gaps),
                                                     GWS_TEST_ROW(summarise),
                                                     {0}};
