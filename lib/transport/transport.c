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
        gws__watch_open(made);
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
    (void)gws_transport_agree(transport, GWS_OK); /* the last wait that is watched */
    gws__watch_close(transport);
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
    if (!transport) return;
    gws__call_begin(transport, GWS__CALL_SUM);
    transport->kind->reduce(transport->state, value, count, GWS__TRANSPORT_SUM);
    gws__call_end(transport);
}

void gws_transport_max(struct gws_transport *transport, uint64_t *value, uint32_t count)
{
    if (!transport) return;
    gws__call_begin(transport, GWS__CALL_MAX);
    transport->kind->reduce(transport->state, value, count, GWS__TRANSPORT_MAX);
    gws__call_end(transport);
}

void gws_transport_gather(struct gws_transport *transport, const void *from, uint64_t bytes, void *to)
{
    if (!transport) {
        if (bytes > 0) memcpy(to, from, (size_t)bytes);
        return;
    }
    gws__call_begin(transport, GWS__CALL_GATHER);
    transport->kind->gather(transport->state, from, (size_t)bytes, to);
    gws__call_end(transport);
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
    if (!transport) {
        take_own(exchange);
        return;
    }
    gws__call_begin(transport, GWS__CALL_EXCHANGE);
    transport->kind->exchange(transport->state, exchange);
    gws__call_end(transport);
}

bool gws_transport_overlaps(const struct gws_transport *transport)
{
    return transport && !transport->kind->uses_shared(transport->state);
}

void gws_transport_exchange_part(struct gws_transport *transport, const struct gws_exchange *exchange)
{
    gws__call_begin_part(transport);
    transport->kind->exchange_part(transport->state, exchange);
    gws__call_end(transport);
}

void gws_transport_exchange_drain(struct gws_transport *transport, const struct gws_exchange *exchange)
{
    gws__call_begin_part(transport);
    transport->kind->exchange_drain(transport->state, exchange);
    gws__call_end(transport);
}

void gws_transport_allgather(struct gws_transport *transport, uint64_t *all, const uint64_t *words)
{
    if (!transport) return;
    gws__call_begin(transport, GWS__CALL_ALLGATHER);
    transport->kind->allgather(transport->state, all, words);
    gws__call_end(transport);
}

gws_status gws_transport_agree(struct gws_transport *transport, gws_status status)
{
    if (!transport) return status;
    /* The maximum has the highest status and, of the ranks that have it, the first. */
    uint64_t highest = ((uint64_t)status << 32) | (UINT32_MAX - gws_transport_rank(transport));
    gws_transport_max(transport, &highest, 1);
    const gws_status found = (gws_status)(highest >> 32);
    if (found != transport->failed_with) transport->failed_rank = UINT32_MAX - (uint32_t)highest;
    transport->failed_with = found;
    return found;
}

uint32_t gws_transport_failed_rank(const struct gws_transport *transport)
{
    return transport ? transport->failed_rank : 0;
}

void gws_transport_describe_links(const struct gws_transport *transport, struct gws_transport_links *links)
{
    const uint32_t others = gws_transport_ranks(transport) - 1;
    *links = (struct gws_transport_links){0};
    if (!transport) return;
    if (transport->kind->uses_shared(transport->state))
        links->by_shared = others;
    else
        links->by_messages = others;
    links->shared_bytes = transport->scratch_words * sizeof(uint64_t);
}

/* ---- shared memory ---- */

void *gws__transport_share(struct gws_transport *transport, uint64_t words, uint32_t per_host, uint64_t **base)
{
    gws__call_begin(transport, GWS__CALL_WINDOWS);
    void *shared = transport->kind->share(transport->state, words, per_host, base);
    gws__call_end(transport);
    return shared;
}

void gws__transport_unshare(struct gws_transport *transport, void *shared)
{
    gws__call_begin(transport, GWS__CALL_WINDOWS);
    transport->kind->unshare(transport->state, shared);
    gws__call_end(transport);
}

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
            made->shared = gws__transport_share(transport, made->words, transport->links.per_host, base);
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
    if (memory->shared) gws__transport_unshare(transport, memory->shared);
    gws__memory_free(&gws__memory_default, memory->own, memory->words, sizeof *memory->own);
    gws__memory_free(&gws__memory_default, memory, 1, sizeof *memory);
}

void gws__transport_close_scratch(struct gws_transport *transport)
{
    gws_transport_memory_close(transport, transport->scratch);
    transport->scratch = NULL;
    transport->scratch_at = NULL;
    transport->scratch_words = 0;
}

bool gws__transport_shares(const struct gws_transport *transport)
{
    if (!transport || transport->info.here < transport->info.ranks) return false;
    const struct gws__links *links = &transport->links;
    return !links->kind || (links->shared && (links->per_host == 0 || links->per_host >= transport->info.ranks));
}

/* Sets the scratch memory, or leaves none. base: an entry for each rank. */
static void open_scratch(struct gws_transport *transport, uint64_t words, uint64_t **base)
{
    if (gws_transport_agree(transport, base ? GWS_OK : GWS_NO_MEMORY) != GWS_OK || !base) return;
    const uint64_t own = transport->info.rank == 0 ? words : 0;
    if (gws_transport_memory_open(transport, own, base, &transport->scratch) != GWS_OK) return;
    transport->scratch_at = base[0];
    transport->scratch_words = words;
}

uint64_t *gws_transport_scratch(struct gws_transport *transport, uint64_t words)
{
    if (!gws__transport_shares(transport)) return NULL;
    if (words <= transport->scratch_words) return transport->scratch_at;
    const uint32_t ranks = transport->info.ranks;
    uint64_t **base = gws__memory_zero(&gws__memory_default, ranks, sizeof *base);
    gws__transport_close_scratch(transport);
    open_scratch(transport, words, base);
    gws__memory_free(&gws__memory_default, base, ranks, sizeof *base);
    return transport->scratch_at;
}
