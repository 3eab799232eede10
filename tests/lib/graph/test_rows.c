/* SPDX-License-Identifier: MIT */
/* Sorting rows in place: the rows are those of a build from the same arcs. */
#include "naive.h"

#include "../../../lib/graph/build.h"
#include "../../../lib/random.h"

/* Makes the graph of these arcs with rows in the order of the arcs. */
static struct gws_graph *place_arcs(struct gws_runtime *runtime, const struct gws_edge_block *block, uint64_t vertices)
{
    struct gws_graph *graph = NULL;
    ck_assert_int_eq(gws__graph_allocate(runtime, vertices, block->count,
                                         block->weight ? GWS__WEIGHT_INTEGER : GWS__WEIGHT_NONE, &graph),
                     GWS_OK);
    uint64_t *offset = graph->owner->owned[GWS__PART_OFFSET].memory;
    uint32_t *target = graph->owner->owned[GWS__PART_TARGET].memory;
    int32_t *weight = graph->owner->owned[GWS__PART_WEIGHT].memory;
    memset(offset, 0, (vertices + 1) * sizeof *offset);
    for (uint64_t i = 0; i < block->count; i++) offset[block->edge[i].from]++;
    gws__prefix_sum(offset, vertices + 1);
    for (uint64_t i = 0; i < block->count; i++) {
        const uint64_t place = offset[block->edge[i].from]++;
        target[place] = block->edge[i].to;
        if (weight) weight[place] = block->weight[i];
    }
    memmove(offset + 1, offset, vertices * sizeof *offset);
    offset[0] = 0;
    return graph;
}

static void check(struct gws_runtime *runtime, const struct gws_edge_block *block, uint64_t vertices, bool drop)
{
    const struct gws_edges edges = {.vertices = vertices, .blocks = 1, .block = block};
    const struct gws_build_options options = {.kind = GWS_BUILD_DIRECTED, .remove_duplicates = drop};
    struct gws_graph *graph = place_arcs(runtime, block, vertices), *wanted = NULL;
    ck_assert_int_eq(gws_graph_build(runtime, &edges, &options, &wanted), GWS_OK);
    ck_assert_int_eq(gws__graph_sort_rows(runtime, graph, vertices, drop), GWS_OK);
    ck_assert_uint_eq(graph->arcs, wanted->arcs);
    ck_assert_mem_eq(graph->offset, wanted->offset, (vertices + 1) * sizeof *graph->offset);
    if (graph->arcs) ck_assert_mem_eq(graph->target, wanted->target, graph->arcs * sizeof *graph->target);
    if (graph->weight) ck_assert_mem_eq(graph->weight, wanted->weight, graph->arcs * sizeof *graph->weight);
    gws_graph_destroy(graph);
    gws_graph_destroy(wanted);
}

/* Vertex 3 has a third of the arcs: its bucket is larger than a worker's arrays. */
START_TEST(test_rows)
{
    enum { arcs = 150000 };
    static const uint64_t vertices[] = {5, 1000, 300000};
    if (gws_test_races() && _i == 0) return; /* one thread */
    struct gws_runtime *runtime = naive_runtime((uint32_t)_i + 1);
    struct gws_edge *edge = malloc(arcs * sizeof *edge);
    int32_t *weight = malloc(arcs * sizeof *weight);
    for (size_t n = 0; n < sizeof vertices / sizeof *vertices; n++) {
        for (uint64_t i = 0; i < arcs; i++) {
            const uint32_t from = (uint32_t)(gws_random_at(1, i) % vertices[n]);
            edge[i] = (struct gws_edge){i % 3 ? from : 3, (uint32_t)(gws_random_at(2, i) % vertices[n])};
            weight[i] = (int32_t)(gws_random_at(3, i) % 7) - 3;
        }
        for (int i = 0; i < 4; i++)
            check(runtime,
                  &(struct gws_edge_block){.edge = edge, .weight = i % 2 ? weight : NULL, .count = n + i ? arcs : 0},
                  vertices[n], i / 2);
    }
    free(edge);
    free(weight);
    gws_runtime_close(runtime);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{test_rows, 3}, {0}};
    return gws_test_run("rows", test);
}
