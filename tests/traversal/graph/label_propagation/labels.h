/* SPDX-License-Identifier: MIT */
/* A serial oracle of label propagation, independent of the library. It runs one search from each unlabelled vertex. */
#ifndef GWS_TESTS_LABELS_H
#define GWS_TESTS_LABELS_H

#include "../../engine/devices.h"

#include "../../../../traversal/label_propagation.h"

struct labels {
    uint32_t *label; /* vertices entries: the smallest vertex from which a path leads to the vertex */
    uint64_t roots;
};

static inline struct labels label_serially(const struct gws_graph *graph)
{
    struct labels labels = {.label = malloc((graph->vertices + 1) * sizeof *labels.label)};
    uint32_t *stack = malloc((graph->vertices + 1) * sizeof *stack);
    for (uint64_t v = 0; v < graph->vertices; v++) labels.label[v] = GWS_NO_VERTEX;
    for (uint32_t v = 0; v < graph->vertices; v++) {
        uint64_t size = 0;
        if (labels.label[v] != GWS_NO_VERTEX) continue;
        labels.roots++;
        labels.label[v] = v;
        stack[size++] = v;
        while (size > 0) {
            uint32_t from = stack[--size];
            for (uint64_t a = graph->offset[from]; a < graph->offset[from + (uint64_t)1]; a++)
                if (labels.label[graph->target[a]] == GWS_NO_VERTEX) {
                    labels.label[graph->target[a]] = v;
                    stack[size++] = graph->target[a];
                }
        }
    }
    free(stack);
    return labels;
}

static inline void check_labels(const struct gws_graph *graph, const struct labels *wanted,
                                const struct gws_label_propagation_result *result)
{
    for (uint64_t v = 0; v < graph->vertices; v++)
        if (result->label[v] != wanted->label[v])
            ck_abort_msg("vertex %llu: %u for %u", (unsigned long long)v, result->label[v], wanted->label[v]);
    ck_assert_uint_eq(result->roots, wanted->roots);
    ck_assert(graph->vertices == 0 || result->rounds >= 1);
    ck_assert(result->ms >= 0);
}

/* Calls check() for every shape with arcs of every kind, or of one kind if the tests must be quick. */
static inline void on_shapes(void (*check)(struct gws_graph *graph, const struct labels *wanted))
{
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (int arcs = 0; arcs < arc_kinds; arcs++) {
            if (gws_test_quick() && s % arc_kinds != (size_t)arcs) continue;
            struct gws_graph *graph = make_graph(shapes[s].make, shapes[s].vertices, (enum arcs)arcs);
            struct labels wanted = label_serially(graph);
            check(graph, &wanted);
            free(wanted.label);
            gws_graph_destroy(graph);
        }
}

/* Checks that the run refuses a host-resident graph and does not change the result. */
static inline void check_refuses(gws_status (*run)(struct gws_device_graph *, struct gws_label_propagation_result *,
                                                   struct gws_diagnostic *))
{
    struct gws_graph *graph = make_graph(grid, 100, UNDIRECTED);
    struct gws_device_graph *on_device =
        open_graph(graph, (struct gws_device_graph_options){.placement = GWS_PLACE_HOST});
    struct gws_label_propagation_result result = {.rounds = 77};
    struct gws_diagnostic where = {0};
    ck_assert_int_eq(run(on_device, &result, &where), GWS_UNSUPPORTED);
    ck_assert_uint_eq(result.rounds, 77);
    ck_assert(where.message[0]);
    gws_device_graph_close(on_device);
    gws_graph_destroy(graph);
}

#endif
