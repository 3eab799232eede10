/* SPDX-License-Identifier: MIT */
/* The index of likely neighbours: of each vertex the one of highest degree among those that have an arc towards it. */
#include "engine.h"

struct building {
    const struct gws_graph *graph, *in;
    uint32_t *likely;
};

static void find(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    enum { ahead = 16 };
    (void)worker;
    const struct building *all = context;
    const uint32_t *target = all->in->target;
    for (uint64_t v = begin; v < end; v++) {
        uint64_t most = 0, last = all->in->offset[v + 1];
        uint32_t best = GWS_NO_VERTEX;
        for (uint64_t arc = all->in->offset[v]; arc < last; arc++) {
            if (arc + ahead < all->in->arcs) __builtin_prefetch(&all->graph->offset[target[arc + ahead]]);
            uint64_t degree = gws_graph_degree(all->graph, target[arc]);
            best = degree > most ? target[arc] : best;
            most = degree > most ? degree : most;
        }
        all->likely[v] = best;
    }
}

void gws__engine_likely(struct gws_runtime *runtime, const struct gws_graph *graph, const struct gws_graph *in,
                        uint32_t *likely)
{
    struct building all = {graph, in, likely};
    gws__engine_uncounted(runtime, graph->vertices, 1024, find, &all);
}
