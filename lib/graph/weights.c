/* SPDX-License-Identifier: MIT */
/* Random weights. A weight is a hash of the arc's ends, so both arcs of an edge get the same weight without a search
 * for the reverse arc. */
#include "build.h"

#include "../parallel.h"
#include "../random.h"

struct draw {
    const struct gws_graph *graph;
    int32_t *weight;
    int32_t min;
    uint32_t count; /* number of possible weights */
    uint64_t seed, first;
};

static void draw_rows(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    const struct draw *draw = context;
    for (uint64_t v = begin; v < end; v++)
        for (uint64_t a = draw->graph->offset[v]; a < draw->graph->offset[v + 1]; a++) {
            uint64_t from = draw->first + v, to = draw->graph->target[a];
            uint64_t low = from < to ? from : to, high = from < to ? to : from;
            uint64_t bits = gws_random_at(draw->seed, low << 32 | high);
            draw->weight[a] = (int32_t)(draw->min + (int64_t)gws_random_below(bits, draw->count));
        }
}

static gws_status draw_side(struct gws_runtime *runtime, const struct draw *draw)
{
    return gws_parallel_try_for(runtime, draw->graph->vertices, 1024, draw_rows, (void *)draw);
}

gws_status gws__graph_draw_weights(struct gws_runtime *runtime, struct gws_graph *graph, uint64_t first, int32_t min,
                                   int32_t max, uint64_t seed)
{
    struct gws_graph *side[2] = {graph, (struct gws_graph *)graph->reverse};
    int32_t *weight[2] = {NULL, NULL};
    gws_status status = GWS_OK;
    if (min < 0 || max < min) return GWS_INVALID;
    for (int i = 0; i < 2 && side[i] && status == GWS_OK; i++) {
        weight[i] = gws_allocate(runtime, side[i]->arcs, sizeof **weight);
        const struct draw draw = {side[i], weight[i], min, (uint32_t)(max - min) + 1, seed, first};
        status = weight[i] ? draw_side(runtime, &draw) : GWS_NO_MEMORY;
    }
    for (int i = 0; i < 2 && side[i]; i++) {
        if (status != GWS_OK) {
            gws_release(runtime, weight[i], side[i]->arcs, sizeof **weight);
            continue;
        }
        gws__graph_own(side[i], GWS__PART_WEIGHT, weight[i], side[i]->arcs);
        gws__graph_own(side[i], GWS__PART_REAL_WEIGHT, NULL, 0);
    }
    return status;
}

gws_status gws_graph_draw_weights(struct gws_runtime *runtime, struct gws_graph *graph, int32_t min, int32_t max,
                                  uint64_t seed)
{
    return GWS_CALL(runtime, NULL, gws__graph_draw_weights(runtime, graph, 0, min, max, seed));
}
