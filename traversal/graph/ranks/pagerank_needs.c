/* SPDX-License-Identifier: MIT */
/* How parts get shares from others. Ranks of one host have one array of shares in shared memory. Otherwise a part finds
 * out which shares it needs: a bitmap of the vertices that its incoming arcs come from, then a list, which it sends to
 * their owners once. If the lists have most vertices, as of a graph without locality, every part gets all shares
 * instead. */
#include "pagerank_shares.h"

#include <stdatomic.h>
#include <string.h>

#include "../../../lib/hetero/rank_graph.h"

struct marking {
    const struct gws__rank_shares *shares;
    _Atomic uint64_t *bit;
};

static bool is_own(const struct gws_rank_graph *graph, uint64_t vertex)
{
    return vertex - graph->first < graph->rows;
}

/* relaxed: the caller reads the bits after the loop has ended. */
static void mark_rows(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct marking *marking = context;
    const struct gws_rank_graph *in = marking->shares->in;
    (void)worker;
    for (uint64_t arc = in->offset[begin]; arc < in->offset[end]; arc++) {
        const uint32_t from = in->target[arc];
        const uint64_t bit = UINT64_C(1) << from % 64;
        if (is_own(marking->shares->graph, from)) continue;
        if (!(atomic_load_explicit(&marking->bit[from / 64], memory_order_relaxed) & bit))
            atomic_fetch_or_explicit(&marking->bit[from / 64], bit, memory_order_relaxed);
    }
}

/* Counts the marked vertices by owner. */
static void count_needs(struct gws__rank_shares *shares, const _Atomic uint64_t *bit)
{
    const uint64_t words = (shares->graph->vertices + 63) / 64;
    for (uint64_t word = 0; word < words; word++) {
        const uint64_t bits = atomic_load_explicit(&bit[word], memory_order_relaxed);
        const uint64_t count = (uint64_t)__builtin_popcountll(bits);
        if (count) shares->needed_of[gws_rank_graph_owner(shares->graph, word * 64)] += count; /* block % 64 == 0 */
        shares->needs += count;
    }
}

static void list_needs(const struct gws__rank_shares *shares, const _Atomic uint64_t *bit)
{
    const uint64_t words = (shares->graph->vertices + 63) / 64;
    for (uint64_t word = 0, at = 0; word < words; word++)
        for (uint64_t left = atomic_load_explicit(&bit[word], memory_order_relaxed); left; left &= left - 1)
            shares->needed[at++] = (uint32_t)(word * 64 + (uint64_t)__builtin_ctzll(left));
}

/* ---- telling the owners ---- */

static void take_count(void *context, uint32_t rank, const void *data, uint64_t items)
{
    struct gws__rank_shares *shares = context;
    memcpy(&shares->sent_to[rank], data, items * sizeof *shares->sent_to);
}

static void take_vertices(void *context, uint32_t rank, const void *data, uint64_t items)
{
    struct gws__rank_shares *shares = context;
    memcpy(shares->sent + shares->next_sent[rank], data, items * sizeof *shares->sent);
    shares->next_sent[rank] += items;
}

void gws__rank_shares_places(const struct gws__rank_shares *shares, const uint64_t *items, uint64_t *place)
{
    uint64_t sum = 0;
    for (uint32_t r = 0; r < gws_transport_ranks(shares->graph->transport); r++) {
        place[r] = sum;
        sum += items[r];
    }
}

static gws_status tell_owners(struct gws__rank_shares *shares, struct gws_diagnostic *where)
{
    struct gws_transport *transport = shares->graph->transport;
    const uint32_t ranks = gws_transport_ranks(transport);
    for (uint32_t r = 0; r < ranks; r++) shares->items[r] = 1;
    const struct gws_exchange counts = {.from = shares->needed_of,
                                        .items = shares->items,
                                        .item_bytes = sizeof *shares->needed_of,
                                        .receive = take_count,
                                        .context = shares};
    gws_transport_exchange(transport, &counts);
    for (uint32_t r = 0; r < ranks; r++) shares->sends += shares->sent_to[r];
    shares->sent = gws_allocate(shares->runtime, shares->sends, sizeof *shares->sent);
    shares->packed = gws_allocate(shares->runtime, shares->sends, shares->item_bytes);
    const bool all = shares->sent && shares->packed;
    gws_status status = gws__ranks_agree(transport, all ? GWS_OK : GWS_NO_MEMORY, where);
    if (status != GWS_OK) return status;
    gws__rank_shares_places(shares, shares->sent_to, shares->next_sent);
    const struct gws_exchange lists = {.from = shares->needed,
                                       .items = shares->needed_of,
                                       .item_bytes = sizeof *shares->needed,
                                       .receive = take_vertices,
                                       .context = shares};
    gws_transport_exchange(transport, &lists);
    return GWS_OK;
}

/* ---- opening ---- */

static gws_status allocate(struct gws__rank_shares *shares)
{
    struct gws_runtime *runtime = shares->runtime;
    const uint64_t ranks = gws_transport_ranks(shares->graph->transport);
    shares->all = gws_allocate(runtime, shares->all_words, 8);
    shares->needed_of = gws_allocate(runtime, ranks, sizeof *shares->needed_of);
    shares->sent_to = gws_allocate(runtime, ranks, sizeof *shares->sent_to);
    shares->next_sent = gws_allocate(runtime, ranks, sizeof *shares->next_sent);
    shares->place = gws_allocate(runtime, ranks, sizeof *shares->place);
    shares->items = gws_allocate(runtime, ranks, sizeof *shares->items);
    if (!shares->all || !shares->needed_of || !shares->sent_to || !shares->next_sent || !shares->place ||
        !shares->items)
        return GWS_NO_MEMORY;
    memset(shares->needed_of, 0, ranks * sizeof *shares->needed_of);
    memset(shares->sent_to, 0, ranks * sizeof *shares->sent_to);
    return GWS_OK;
}

/* Decides how shares move, the same on all parts. */
static void choose(struct gws__rank_shares *shares)
{
    const uint64_t others = gws_transport_ranks(shares->graph->transport) - UINT64_C(1);
    shares->received = shares->needs;
    gws_transport_sum(shares->graph->transport, &shares->received, 1);
    shares->by_list = shares->received < others * shares->graph->vertices / 2;
    if (!shares->by_list) shares->received = others * shares->graph->vertices;
}

static gws_status find_needs(struct gws__rank_shares *shares, struct gws_diagnostic *where)
{
    const uint64_t words = shares->graph->vertices / 64 + 1;
    uint64_t *bit = gws_allocate(shares->runtime, words, sizeof *bit);
    struct marking marking = {shares, (_Atomic uint64_t *)bit};
    gws_status status = bit ? GWS_OK : GWS_NO_MEMORY;
    if (bit) {
        memset(bit, 0, words * sizeof *bit);
        status = gws_parallel_try_for(shares->runtime, shares->graph->rows, 4096, mark_rows, &marking);
        if (status == GWS_OK) count_needs(shares, marking.bit);
    }
    status = gws__ranks_agree(shares->graph->transport, status, where);
    if (status == GWS_OK) {
        choose(shares);
        if (shares->by_list) shares->needed = gws_allocate(shares->runtime, shares->needs, sizeof *shares->needed);
        shares->arrivals = shares->by_list ? shares->needs : shares->graph->vertices;
        shares->arrived = gws_allocate(shares->runtime, shares->arrivals, shares->item_bytes);
        if (!shares->arrived || (shares->by_list && !shares->needed)) status = GWS_NO_MEMORY;
        if (shares->needed) list_needs(shares, marking.bit);
        status = gws__ranks_agree(shares->graph->transport, status, where);
    }
    gws_release(shares->runtime, bit, words, sizeof *bit);
    return status;
}

gws_status gws__rank_shares_open(struct gws__rank_shares *shares, struct gws_diagnostic *where)
{
    shares->all_words = (shares->graph->vertices * shares->item_bytes + 7) / 8;
    gws_status status =
        gws__rank_memory_open(shares->runtime, shares->graph->transport, shares->all_words, &shares->shared, where);
    shares->all = (char *)shares->shared.all;
    if (status != GWS_OK || shares->all) return status;
    status = gws__ranks_agree(shares->graph->transport, allocate(shares), where);
    if (status == GWS_OK) status = find_needs(shares, where);
    if (status == GWS_OK && shares->by_list) status = tell_owners(shares, where);
    if (status == GWS_OK) gws__rank_shares_begin(shares);
    return status;
}

void gws__rank_shares_close(struct gws__rank_shares *shares)
{
    struct gws_runtime *runtime = shares->runtime;
    const uint64_t ranks = gws_transport_ranks(shares->graph->transport);
    if (!shares->shared.all) gws_release(runtime, shares->all, shares->all_words, 8);
    gws__rank_memory_close(&shares->shared);
    gws_release(runtime, shares->needed_of, ranks, sizeof *shares->needed_of);
    gws_release(runtime, shares->sent_to, ranks, sizeof *shares->sent_to);
    gws_release(runtime, shares->next_sent, ranks, sizeof *shares->next_sent);
    gws_release(runtime, shares->place, ranks, sizeof *shares->place);
    gws_release(runtime, shares->items, ranks, sizeof *shares->items);
    gws_release(runtime, shares->arrived, shares->arrivals, shares->item_bytes);
    gws_release(runtime, shares->needed, shares->needs, sizeof *shares->needed);
    gws_release(runtime, shares->sent, shares->sends, sizeof *shares->sent);
    gws_release(runtime, shares->packed, shares->sends, shares->item_bytes);
}
