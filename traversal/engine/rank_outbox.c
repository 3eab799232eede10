/* SPDX-License-Identifier: MIT */
#include "rank_outbox.h"

#include <string.h>

enum { reserved_at_once = 1 << 12, arcs_per_last = 32 };

uint64_t gws__outbox_capacity(const struct gws_rank_graph *graph)
{
    uint64_t longest = gws__outbox_step;
    for (uint64_t row = 0; row < graph->rows; row++) {
        const uint64_t degree = graph->offset[row + 1] - graph->offset[row];
        if (degree > longest) longest = degree;
    }
    return longest;
}

uint64_t gws__outbox_limit(const struct gws__outbox *outbox)
{
    return gws_transport_overlaps(outbox->graph->transport) ? gws__outbox_part : outbox->capacity;
}

static uint32_t last_of(const struct gws_rank_graph *graph, uint64_t items)
{
    uint32_t last = gws__outbox_min_last;
    while (last < items && last < graph->vertices) last *= 2;
    return last;
}

/* The outbox has item_bytes, min_last and max_last. */
static gws_status open_items(struct gws_runtime *runtime, const struct gws_rank_graph *graph, uint64_t capacity,
                             struct gws__outbox *outbox)
{
    const uint32_t workers = outbox->workers = gws_runtime_workers(runtime);
    outbox->runtime = runtime;
    outbox->graph = graph;
    outbox->capacity = capacity;
    outbox->item = gws_allocate(runtime, capacity, outbox->item_bytes);
    outbox->sorted_item = gws_allocate(runtime, capacity, outbox->item_bytes);
    outbox->items = gws_allocate(runtime, gws_transport_ranks(graph->transport), sizeof *outbox->items);
    outbox->worker = gws_allocate(runtime, workers, sizeof *outbox->worker);
    outbox->last = gws_allocate(runtime, workers * (uint64_t)outbox->max_last, outbox->item_bytes);
    if (!outbox->item || !outbox->sorted_item || !outbox->items || !outbox->worker || !outbox->last)
        return GWS_NO_MEMORY;
    for (uint32_t i = 0; i < workers; i++) {
        outbox->worker[i].count = 0;
        outbox->worker[i].reserved = 0;
        outbox->worker[i].last = (char *)outbox->last + i * (uint64_t)outbox->max_last * outbox->item_bytes;
    }
    gws__outbox_reset(outbox);
    return GWS_OK;
}

gws_status gws__outbox_open(struct gws_runtime *runtime, const struct gws_rank_graph *graph, uint64_t capacity,
                            struct gws__outbox *outbox)
{
    const uint32_t last = last_of(graph, gws__outbox_max_last / gws_runtime_workers(runtime));
    *outbox = (struct gws__outbox){
        .item_bytes = sizeof(struct gws__pair), .min_last = gws__outbox_min_last, .max_last = last};
    return open_items(runtime, graph, capacity, outbox);
}

gws_status gws__outbox_open_paths(struct gws_runtime *runtime, const struct gws_rank_graph *graph, uint64_t capacity,
                                  struct gws__outbox *outbox)
{
    const uint64_t by_arcs = graph->offset[graph->rows] / arcs_per_last / gws_runtime_workers(runtime);
    const uint32_t last = last_of(graph, by_arcs > gws__outbox_max_last ? by_arcs : gws__outbox_max_last);
    *outbox = (struct gws__outbox){.item_bytes = sizeof(struct gws__path), .min_last = last, .max_last = last};
    return open_items(runtime, graph, capacity, outbox);
}

void gws__outbox_close(struct gws__outbox *outbox)
{
    struct gws_runtime *runtime = outbox->runtime;
    if (!runtime) return;
    gws_release(runtime, outbox->item, outbox->capacity, outbox->item_bytes);
    gws_release(runtime, outbox->sorted_item, outbox->capacity, outbox->item_bytes);
    gws_release(runtime, outbox->items, gws_transport_ranks(outbox->graph->transport), sizeof *outbox->items);
    gws_release(runtime, outbox->last, outbox->workers * (uint64_t)outbox->max_last, outbox->item_bytes);
    gws_release(runtime, outbox->worker, outbox->workers, sizeof *outbox->worker);
}

/* Empties the workers' memory, which has `items` items from now on. */
static void set_last(struct gws__outbox *outbox, uint32_t items)
{
    outbox->last_items = items;
    for (uint32_t i = 0; i < outbox->workers; i++)
        memset(outbox->worker[i].last, 0xff, items * (uint64_t)outbox->item_bytes); /* no vertex */
}

void gws__outbox_reset(struct gws__outbox *outbox)
{
    set_last(outbox, outbox->min_last);
}

void gws__outbox_flush(struct gws__outbox *outbox, struct gws__outbox_worker *worker)
{
    if (worker->count == 0) return;
    /* relaxed: the caller reads the items after the loop's barrier. */
    const uint64_t place = atomic_fetch_add_explicit(&outbox->count, worker->count, memory_order_relaxed);
    memcpy((char *)outbox->item + place * outbox->item_bytes, worker->pair,
           worker->count * (uint64_t)outbox->item_bytes);
    worker->count = 0;
}

uint64_t gws__outbox_flush_all(struct gws__outbox *outbox)
{
    for (uint32_t i = 0; i < outbox->workers; i++) gws__outbox_flush(outbox, &outbox->worker[i]);
    return atomic_load_explicit(&outbox->count, memory_order_relaxed);
}

bool gws__outbox_reserve(struct gws__outbox *outbox, uint32_t worker, uint64_t items)
{
    struct gws__outbox_worker *self = &outbox->worker[worker];
    if (items <= self->reserved) return true;
    const uint64_t missing = items - self->reserved, wanted = missing > reserved_at_once ? missing : reserved_at_once;
    const uint64_t part = gws__outbox_limit(outbox) + outbox->workers * (uint64_t)reserved_at_once;
    const uint64_t limit = part < outbox->capacity ? part : outbox->capacity;
    /* relaxed: the number is all that the workers share. */
    uint64_t reserved = atomic_load_explicit(&outbox->reserved, memory_order_relaxed), more;
    do {
        const uint64_t end = reserved == 0 ? outbox->capacity : limit, left = end > reserved ? end - reserved : 0;
        if (left < missing) return false;
        more = left < wanted ? left : wanted;
    } while (!atomic_compare_exchange_weak_explicit(&outbox->reserved, &reserved, reserved + more, memory_order_relaxed,
                                                    memory_order_relaxed));
    self->reserved += more;
    return true;
}

static inline uint32_t owner_of(const struct gws__outbox *outbox, const char *item)
{
    uint32_t vertex; /* the first member of a pair, and of a path */
    memcpy(&vertex, item, sizeof vertex);
    return gws_rank_graph_owner(outbox->graph, vertex);
}

/* Sorts the items by owner: counts, then places. bytes: outbox->item_bytes, as a constant. */
static inline void sort_items(struct gws__outbox *outbox, uint64_t count, uint64_t bytes)
{
    const uint32_t ranks = gws_transport_ranks(outbox->graph->transport);
    const char *item = outbox->item, *end = item + count * bytes;
    char *sorted = outbox->sorted_item;
    uint64_t *items = outbox->items, sum = 0;
    memset(items, 0, ranks * sizeof *items);
    if (count == 0) return;
    for (const char *at = item; at < end; at += bytes) items[owner_of(outbox, at)]++;
    for (uint32_t r = 0; r < ranks; r++) {
        const uint64_t own = items[r];
        items[r] = sum;
        sum += own;
    }
    for (const char *at = item; at < end; at += bytes)
        memcpy(sorted + items[owner_of(outbox, at)]++ * bytes, at, bytes);
    for (uint32_t r = ranks; --r > 0;) items[r] -= items[r - 1]; /* each is the end of its owner's items */
}

/* Sorts the items for their owners, and ends all reservations. */
static void pack_items(struct gws__outbox *outbox)
{
    const uint64_t count = atomic_load_explicit(&outbox->count, memory_order_relaxed);
    if (outbox->item_bytes == sizeof(struct gws__pair))
        sort_items(outbox, count, sizeof(struct gws__pair));
    else
        sort_items(outbox, count, sizeof(struct gws__path));
    atomic_store_explicit(&outbox->reserved, 0, memory_order_relaxed);
    for (uint32_t i = 0; i < outbox->workers; i++) outbox->worker[i].reserved = 0;
}

static struct gws_exchange exchange_of(const struct gws__outbox *outbox, gws__outbox_receive *receive, void *context)
{
    return (struct gws_exchange){.from = outbox->sorted_item,
                                 .items = outbox->items,
                                 .item_bytes = outbox->item_bytes,
                                 .receive = receive,
                                 .context = context};
}

bool gws__outbox_send_part(struct gws__outbox *outbox, gws__outbox_receive *receive, void *context)
{
    struct gws_transport *transport = outbox->graph->transport;
    if (!gws_transport_overlaps(transport)) return false;
    const struct gws_exchange exchange = exchange_of(outbox, receive, context);
    outbox->sent += gws__outbox_flush_all(outbox);
    gws_transport_exchange_drain(transport, &exchange);
    pack_items(outbox);
    gws_transport_exchange_part(transport, &exchange);
    atomic_store_explicit(&outbox->count, 0, memory_order_relaxed);
    if (outbox->last_items < outbox->max_last) set_last(outbox, outbox->max_last);
    return true;
}

void gws__outbox_send(struct gws__outbox *outbox, gws__outbox_receive *receive, void *context, uint64_t *sum,
                      uint32_t sums)
{
    struct gws_transport *transport = outbox->graph->transport;
    struct gws_exchange exchange = exchange_of(outbox, receive, context);
    exchange.sum = sum;
    exchange.sums = sums;
    if (gws_transport_overlaps(transport)) gws_transport_exchange_drain(transport, &exchange);
    pack_items(outbox);
    outbox->sent = 0;
    gws_transport_exchange(transport, &exchange);
}
