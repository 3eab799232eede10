/* SPDX-License-Identifier: MIT */
/* The shares of an iteration: those of a group of rows travel while the next rows are computed. They arrive in an array
 * of their own, because arcs still read the current ones. */
#include "pagerank_shares.h"

#include <string.h>

void gws__rank_shares_begin(struct gws__rank_shares *shares)
{
    const struct gws_rank_graph *graph = shares->graph;
    shares->rows = shares->pack = 0;
    if (shares->by_list) {
        gws__rank_shares_places(shares, shares->sent_to, shares->next_sent);
        gws__rank_shares_places(shares, shares->needed_of, shares->place);
        return;
    }
    for (uint64_t r = 0; r < gws_transport_ranks(graph->transport); r++) shares->place[r] = r * graph->block;
}

/* Shares of one part that are packed. */
struct packing {
    const struct gws__rank_shares *shares;
    const void *next;
    const uint32_t *sent;
    char *to;
};

static void pack(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct packing *packing = context;
    const uint64_t first = packing->shares->graph->first;
    (void)worker;
    if (packing->shares->item_bytes == sizeof(float))
        for (uint64_t i = begin; i < end; i++)
            ((float *)packing->to)[i] = ((const float *)packing->next)[packing->sent[i] - first];
    else
        for (uint64_t i = begin; i < end; i++)
            ((double *)packing->to)[i] = ((const double *)packing->next)[packing->sent[i] - first];
}

/* Returns how many of the ascending vertices are below `end`. */
static uint64_t count_below(const uint32_t *vertex, uint64_t count, uint64_t end)
{
    uint64_t low = 0;
    while (low < count) {
        const uint64_t middle = low + (count - low) / 2;
        if (vertex[middle] < end)
            low = middle + 1;
        else
            count = middle;
    }
    return low;
}

/* Packs what the parts need of the rows up to `end`, part by part. */
static void pack_rows(struct gws__rank_shares *shares, const void *next, uint64_t end)
{
    uint64_t last = 0;
    for (uint32_t r = 0; r < gws_transport_ranks(shares->graph->transport); r++) {
        const uint32_t *sent = shares->sent + shares->next_sent[r];
        last += shares->sent_to[r];
        const uint64_t count = count_below(sent, last - shares->next_sent[r], shares->graph->first + end);
        struct packing packing = {shares, next, sent, shares->packed + shares->pack * shares->item_bytes};
        gws_parallel_for(shares->runtime, count, 1 << 14, pack, &packing);
        shares->items[r] = count;
        shares->next_sent[r] += count;
        shares->pack += count;
    }
}

static void take_shares(void *context, uint32_t rank, const void *data, uint64_t items)
{
    const struct gws__rank_shares *shares = context;
    memcpy(shares->arrived + shares->place[rank] * shares->item_bytes, data, items * shares->item_bytes);
    shares->place[rank] += items;
}

/* Returns the message that has the shares of the rows up to `end`. */
static struct gws_exchange message_of(struct gws__rank_shares *shares, const void *next, uint64_t end)
{
    const struct gws_transport *transport = shares->graph->transport;
    struct gws_exchange exchange = {.items = shares->items,
                                    .item_bytes = shares->item_bytes,
                                    .to_all = !shares->by_list,
                                    .receive = take_shares,
                                    .context = shares};
    if (shares->by_list) {
        exchange.from = shares->packed + shares->pack * shares->item_bytes;
        pack_rows(shares, next, end);
    } else {
        exchange.from = (const char *)next + shares->rows * shares->item_bytes;
        for (uint32_t r = 0; r < gws_transport_ranks(transport); r++)
            shares->items[r] = r == gws_transport_rank(transport) ? 0 : end - shares->rows;
    }
    shares->rows = end;
    return exchange;
}

void gws__rank_shares_part(struct gws__rank_shares *shares, const void *next, uint64_t end)
{
    struct gws_transport *transport = shares->graph->transport;
    if (shares->shared.all || !gws_transport_overlaps(transport)) return;
    const struct gws_exchange exchange = message_of(shares, next, end);
    gws_transport_exchange_drain(transport, &exchange);
    gws_transport_exchange_part(transport, &exchange);
}

/* Writes what has arrived into `all`. */
static void spread(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct gws__rank_shares *shares = context;
    const uint64_t bytes = shares->item_bytes, first = shares->graph->first, after = first + shares->graph->rows;
    (void)worker;
    if (!shares->by_list) { /* but for the own shares */
        const uint64_t low = end < first ? end : first, high = begin > after ? begin : after;
        if (begin < low) memcpy(shares->all + begin * bytes, shares->arrived + begin * bytes, (low - begin) * bytes);
        if (high < end) memcpy(shares->all + high * bytes, shares->arrived + high * bytes, (end - high) * bytes);
    } else if (bytes == sizeof(float)) {
        for (uint64_t i = begin; i < end; i++)
            ((float *)shares->all)[shares->needed[i]] = ((const float *)shares->arrived)[i];
    } else {
        for (uint64_t i = begin; i < end; i++)
            ((double *)shares->all)[shares->needed[i]] = ((const double *)shares->arrived)[i];
    }
}

void gws__rank_shares_exchange(struct gws__rank_shares *shares, const void *next, uint64_t *sum, uint32_t sums)
{
    struct gws_transport *transport = shares->graph->transport;
    if (shares->shared.all) {
        gws_transport_sum(transport, sum, sums);
        return;
    }
    struct gws_exchange exchange = message_of(shares, next, shares->graph->rows);
    exchange.sum = sum;
    exchange.sums = sums;
    gws_transport_exchange(transport, &exchange);
    gws_parallel_for(shares->runtime, shares->arrivals, 1 << 14, spread, shares);
    gws__rank_shares_begin(shares);
}
