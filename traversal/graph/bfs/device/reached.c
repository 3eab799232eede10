/* SPDX-License-Identifier: MIT */
/* How many arcs a device's search has reached, which is summed up here, beside what has come to the host anyway. */
#include <stdatomic.h>

#include "state.h"

struct arcs {
    const struct gws_bfs_device *search;
    _Atomic uint64_t sum;
};

/* Without a branch: which vertices are reached nobody could guess. */
static void add_arcs(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct arcs *arcs = context;
    const uint64_t *offset = arcs->search->graph->offset;
    const uint32_t *depth = arcs->search->result->depth;
    uint64_t sum = 0;
    (void)worker;
    for (uint64_t v = begin; v < end; v++) sum += (offset[v + 1] - offset[v]) * (depth[v] != GWS_NO_VERTEX);
    atomic_fetch_add_explicit(&arcs->sum, sum, memory_order_relaxed);
}

uint64_t gws__bfs_device_reached_arcs(const struct gws_bfs_device *search)
{
    enum { worth_waking = 1 << 17 };
    struct arcs arcs = {.search = search};
    const struct gws_loop loop = {
        .count = search->graph->vertices, .grain = worth_waking, .body = add_arcs, .context = &arcs, .aside = true};
    if (search->result->reached == search->graph->vertices) return search->graph->arcs;
    gws_parallel_run(search->runtime, &loop);
    return atomic_load_explicit(&arcs.sum, memory_order_relaxed);
}
