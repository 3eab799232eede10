/* SPDX-License-Identifier: MIT */
#include "rank_outbox.h"

#include <string.h>

uint64_t gws__outbox_capacity(const struct gws_rank_graph *graph)
{
    uint64_t longest = gws__outbox_step;
    for (uint64_t row = 0; row < graph->rows; row++) {
        const uint64_t degree = graph->offset[row + 1] - graph->offset[row];
        if (degree > longest) longest = degree;
    }
    return longest;
}

gws_status gws__outbox_open(struct gws_runtime *runtime, const struct gws_rank_graph *graph, uint64_t capacity,
                            struct gws__outbox *outbox)
{
    *outbox = (struct gws__outbox){.runtime = runtime, .graph = graph, .capacity = capacity};
    outbox->workers = gws_runtime_workers(runtime);
    outbox->pair = gws_allocate(runtime, capacity, sizeof *outbox->pair);
    outbox->sorted = gws_allocate(runtime, capacity, sizeof *outbox->sorted);
    outbox->items = gws_allocate(runtime, gws_transport_ranks(graph->transport), sizeof *outbox->items);
    outbox->worker = gws_allocate(runtime, outbox->workers, sizeof *outbox->worker);
    if (!outbox->pair || !outbox->sorted || !outbox->items || !outbox->worker) return GWS_NO_MEMORY;
    for (uint32_t i = 0; i < outbox->workers; i++) outbox->worker[i].count = 0;
    gws__outbox_reset(outbox);
    return GWS_OK;
}

void gws__outbox_close(struct gws__outbox *outbox)
{
    struct gws_runtime *runtime = outbox->runtime;
    if (!runtime) return;
    gws_release(runtime, outbox->pair, outbox->capacity, sizeof *outbox->pair);
    gws_release(runtime, outbox->sorted, outbox->capacity, sizeof *outbox->sorted);
    gws_release(runtime, outbox->items, gws_transport_ranks(outbox->graph->transport), sizeof *outbox->items);
    gws_release(runtime, outbox->worker, outbox->workers, sizeof *outbox->worker);
}

void gws__outbox_reset(struct gws__outbox *outbox)
{
    for (uint32_t i = 0; i < outbox->workers; i++)
        memset(outbox->worker[i].last, 0xff, sizeof outbox->worker[i].last); /* no vertex */
}

void gws__outbox_flush(struct gws__outbox *outbox, struct gws__outbox_worker *worker)
{
    if (worker->count == 0) return;
    /* relaxed: the caller reads the pairs after the loop's barrier. */
    const uint64_t place = atomic_fetch_add_explicit(&outbox->count, worker->count, memory_order_relaxed);
    memcpy(outbox->pair + place, worker->pair, worker->count * sizeof *worker->pair);
    worker->count = 0;
}

/* Sorts the pairs by owner: counts, then places. */
static void sort_pairs(struct gws__outbox *outbox, uint64_t count)
{
    const uint32_t ranks = gws_transport_ranks(outbox->graph->transport);
    uint64_t *items = outbox->items, sum = 0;
    memset(items, 0, ranks * sizeof *items);
    if (count == 0) return;
    for (uint64_t i = 0; i < count; i++) items[gws_rank_graph_owner(outbox->graph, outbox->pair[i].vertex)]++;
    for (uint32_t r = 0; r < ranks; r++) {
        const uint64_t own = items[r];
        items[r] = sum;
        sum += own;
    }
    for (uint64_t i = 0; i < count; i++)
        outbox->sorted[items[gws_rank_graph_owner(outbox->graph, outbox->pair[i].vertex)]++] = outbox->pair[i];
    for (uint32_t r = ranks; --r > 0;) items[r] -= items[r - 1]; /* each is the end of its owner's pairs */
}

void gws__outbox_send(struct gws__outbox *outbox,
                      void (*receive)(void *context, uint32_t rank, const void *data, uint64_t items), void *context,
                      uint64_t *sum, uint32_t sums)
{
    sort_pairs(outbox, atomic_load_explicit(&outbox->count, memory_order_relaxed));
    const struct gws_exchange exchange = {.from = outbox->sorted,
                                          .items = outbox->items,
                                          .item_bytes = sizeof *outbox->sorted,
                                          .receive = receive,
                                          .context = context,
                                          .sum = sum,
                                          .sums = sums};
    gws_transport_exchange(outbox->graph->transport, &exchange);
}
