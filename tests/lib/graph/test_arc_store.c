/* SPDX-License-Identifier: MIT */
/* Arcs that arrive in any order, in small and large pieces: the rows are those of a build from the same arcs. */
#include "naive.h"

#include "../../../lib/graph/arc_store.h"
#include "../../../lib/random.h"

/* Adds the arcs to a store, in pieces of growing size. */
static gws_status add_arcs(struct gws__arc_store *store, const struct gws_edge_block *block)
{
    const uint64_t bytes = gws__arc_item_bytes(block->weight != NULL);
    gws_status status = GWS_OK;
    for (uint64_t first = 0, count = 1; first < block->count && status == GWS_OK; first += count, count += 977) {
        if (count > block->count - first) count = block->count - first;
        char *items = malloc(count * bytes);
        ck_assert(items != NULL);
        for (uint64_t i = 0; i < count; i++) {
            struct gws__arc_item item = {.edge = block->edge[first + i]};
            if (block->weight) item.weight = block->weight[first + i];
            memcpy(items + i * bytes, &item, bytes);
        }
        status = gws__arc_store_add(store, items, count);
        free(items);
    }
    return status;
}

/* Makes a graph of the arcs through a store. */
static gws_status place_arcs(struct gws_runtime *runtime, const struct gws_edge_block *block, uint64_t vertices,
                             uint64_t expected, bool drop, struct gws_graph **graph)
{
    struct gws__arc_store store;
    struct gws_graph *made = NULL;
    uint64_t arcs = 0;
    gws_status status = gws__arc_store_open(runtime, vertices, vertices, expected, block->weight != NULL, &store);
    if (status == GWS_OK) status = add_arcs(&store, block);
    if (status == GWS_OK) status = gws__arc_store_end(&store, &arcs);
    if (status == GWS_OK) ck_assert_uint_eq(arcs, block->count);
    if (status == GWS_OK)
        status =
            gws__graph_allocate(runtime, vertices, arcs, block->weight ? GWS__WEIGHT_INTEGER : GWS__WEIGHT_NONE, &made);
    if (status == GWS_OK) status = gws__arc_store_move(&store, made, drop);
    gws__arc_store_close(&store);
    if (status == GWS_OK)
        *graph = made;
    else
        gws_graph_destroy(made);
    return status;
}

static void check(struct gws_runtime *runtime, const struct gws_edge_block *block, uint64_t vertices, uint64_t expected,
                  bool drop)
{
    const struct gws_edges edges = {.vertices = vertices, .blocks = 1, .block = block};
    const struct gws_build_options options = {.kind = GWS_BUILD_DIRECTED, .remove_duplicates = drop};
    struct gws_graph *graph = NULL, *wanted = NULL;
    ck_assert_int_eq(gws_graph_build(runtime, &edges, &options, &wanted), GWS_OK);
    ck_assert_int_eq(place_arcs(runtime, block, vertices, expected, drop, &graph), GWS_OK);
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
                  vertices[n], i == 2 ? 0 : arcs / 2 + i * arcs, i / 2);
    }
    free(edge);
    free(weight);
    gws_runtime_close(runtime);
}
END_TEST

struct failing {
    struct gws_edge_block block;
    uint64_t vertices;
};

static gws_status place_once(struct gws_runtime *runtime, const void *context)
{
    const struct failing *failing = context;
    struct gws_graph *graph = NULL;
    gws_status status = place_arcs(runtime, &failing->block, failing->vertices, 70000, true, &graph);
    gws_graph_destroy(graph);
    return status;
}

START_TEST(test_failing)
{
    enum { arcs = 70000 };
    struct gws_edge *edge = malloc(arcs * sizeof *edge);
    int32_t *weight = malloc(arcs * sizeof *weight);
    for (uint32_t i = 0; i < arcs; i++) {
        edge[i] = (struct gws_edge){i % 2 ? 7 : (uint32_t)(gws_random_at(1, i) % 900), i % 900};
        weight[i] = (int32_t)i;
    }
    struct failing failing = {{.edge = edge, .weight = weight, .count = arcs}, 900};
    gws_test_each_allocation(2, place_once, &failing);
    free(edge);
    free(weight);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{test_rows, 3}, {test_failing, 1}, {0}};
    return gws_test_run("arc_store", test);
}
