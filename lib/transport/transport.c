/* SPDX-License-Identifier: MIT */
/* Calls of an open transport. */
#include "transport.h"

#include <string.h>

#include "../base/memory.h"

gws_status gws__transport_open(const struct gws__transport_kind *kind, struct gws_transport **transport)
{
    struct gws_transport *made = gws__memory_zero(&gws__memory_default, 1, sizeof *made);
    if (!made) return GWS_NO_MEMORY;
    *made = (struct gws_transport){.kind = kind};
    made->state = kind->open(&made->info);
    if (made->state) {
        *transport = made;
        return GWS_OK;
    }
    gws__memory_free(&gws__memory_default, made, 1, sizeof *made);
    return GWS_NO_MEMORY;
}

void gws_transport_close(struct gws_transport *transport)
{
    if (!transport) return;
    gws__links_close(transport);
    transport->kind->close(transport->state);
    gws__memory_free(&gws__memory_default, transport, 1, sizeof *transport);
}

uint32_t gws_transport_rank(const struct gws_transport *transport)
{
    return transport ? transport->info.rank : 0;
}

uint32_t gws_transport_ranks(const struct gws_transport *transport)
{
    return transport ? transport->info.ranks : 1;
}

uint32_t gws_transport_ranks_here(const struct gws_transport *transport)
{
    return transport ? transport->info.here : 1;
}

uint32_t gws_transport_rank_here(const struct gws_transport *transport)
{
    return transport ? transport->info.rank_here : 0;
}

const char *gws_transport_name(const struct gws_transport *transport)
{
    return transport->info.name;
}

void gws_transport_sum(struct gws_transport *transport, uint64_t *value, uint32_t count)
{
    if (transport) transport->kind->reduce(transport->state, value, count, GWS__TRANSPORT_SUM);
}

void gws_transport_max(struct gws_transport *transport, uint64_t *value, uint32_t count)
{
    if (transport) transport->kind->reduce(transport->state, value, count, GWS__TRANSPORT_MAX);
}

void gws_transport_gather(struct gws_transport *transport, const void *from, uint64_t bytes, void *to)
{
    if (transport)
        transport->kind->gather(transport->state, from, (size_t)bytes, to);
    else if (bytes > 0)
        memcpy(to, from, (size_t)bytes);
}

/* Gives the items to receive(), block by block. */
static void take_own(const struct gws_exchange *exchange)
{
    const uint64_t max = (1 << 18) / exchange->item_bytes;
    const char *at = exchange->from;
    for (uint64_t left = exchange->items[0], items; left > 0; left -= items, at += items * exchange->item_bytes) {
        items = left < max ? left : max;
        exchange->receive(exchange->context, 0, at, items);
    }
}

void gws_transport_exchange(struct gws_transport *transport, const struct gws_exchange *exchange)
{
    if (transport)
        transport->kind->exchange(transport->state, exchange);
    else
        take_own(exchange);
}

void gws_transport_allgather(struct gws_transport *transport, uint64_t *all, const uint64_t *words)
{
    if (transport) transport->kind->allgather(transport->state, all, words);
}

gws_status gws_transport_agree(struct gws_transport *transport, gws_status status)
{
    uint64_t highest = status;
    if (transport) gws_transport_max(transport, &highest, 1);
    return (gws_status)highest;
}

/* ---- shared memory ---- */

/* What share() returned, or the memory of a job of one rank. */
struct gws_transport_memory {
    void *shared;
    uint64_t *own, words;
};

gws_status gws_transport_memory_open(struct gws_transport *transport, uint64_t words, uint64_t **base,
                                     struct gws_transport_memory **memory)
{
    struct gws_transport_memory *made = gws__memory_zero(&gws__memory_default, 1, sizeof *made);
    if (gws_transport_agree(transport, made ? GWS_OK : GWS_NO_MEMORY) == GWS_OK && made) {
        made->words = words > 0 ? words : 1; /* so that each rank has an address */
        for (uint32_t r = 0; r < gws_transport_ranks(transport); r++) base[r] = NULL;
        if (transport)
            made->shared = transport->kind->share(transport->state, made->words, transport->links.per_host, base);
        else
            base[0] = made->own = gws__memory_zero(&gws__memory_default, made->words, sizeof *made->own);
        if (made->shared || made->own) {
            *memory = made;
            return GWS_OK;
        }
    }
    gws__memory_free(&gws__memory_default, made, 1, sizeof *made);
    return GWS_NO_MEMORY;
}

void gws_transport_memory_close(struct gws_transport *transport, struct gws_transport_memory *memory)
{
    if (!memory) return;
    if (memory->shared) transport->kind->unshare(transport->state, memory->shared);
    gws__memory_free(&gws__memory_default, memory->own, memory->words, sizeof *memory->own);
    gws__memory_free(&gws__memory_default, memory, 1, sizeof *memory);
}
