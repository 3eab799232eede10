/* SPDX-License-Identifier: MIT */
/* Finds out how ranks reach each other, and opens the windows. */
#define _POSIX_C_SOURCE 200809L
#include "links.h"

#include <string.h>
#include <time.h>

#include "../base/memory.h"
#include "../parallel.h"
#include "transport.h"

/* Rank 0 computes for that long, and one access to its window may take so long. */
static const double compute_ms = 20, max_access_ms = 10;

static const char *const kind_name[gws__link_kinds + 1] = {"messages", "rma", "shared", "auto"};

/* ---- shared memory ---- */

static void open_shared(struct gws_transport *transport, uint32_t per_host)
{
    struct gws__links *links = &transport->links;
    void *shared = gws__transport_share(transport, gws__window_words, per_host, links->base);
    if (!shared) return;
    links->shared = shared;
    links->window[GWS__LINK_SHARED] = (struct gws__window){&gws__link_shared, links->base};
    for (uint32_t r = 0; r < transport->info.ranks; r++)
        if (links->base[r]) links->kind[r] = GWS__LINK_SHARED;
}

/* ---- remote memory access ---- */

static void open_rma(struct gws_transport *transport)
{
    gws__call_begin(transport, GWS__CALL_WINDOWS);
    void *exposed = transport->kind->expose(transport->state, gws__window_words);
    gws__call_end(transport);
    if (exposed) transport->links.window[GWS__LINK_RMA] = (struct gws__window){transport->kind->rma, exposed};
}

static void close_rma(struct gws_transport *transport)
{
    struct gws__window *window = &transport->links.window[GWS__LINK_RMA];
    if (window->link) {
        gws__call_begin(transport, GWS__CALL_WINDOWS);
        transport->kind->conceal(transport->state, window->memory);
        gws__call_end(transport);
    }
    *window = (struct gws__window){0};
}

/* Returns whether ranks of other hosts can read rank 0's window while it computes. Collective. */
static bool is_one_sided(struct gws_transport *transport)
{
    const struct gws__window *window = &transport->links.window[GWS__LINK_RMA];
    const bool asks = transport->links.kind[0] != GWS__LINK_SHARED;
    uint64_t word, late = 0;
    if (asks) window->link->load(window->memory, 0, 0, 1, &word); /* connects the ranks */
    gws_transport_max(transport, &late, 1);
    const double began = gws_clock_ms();
    if (asks) window->link->load(window->memory, 0, 0, 1, &word);
    late = gws_clock_ms() - began > max_access_ms;
    while (transport->info.rank == 0 && gws_clock_ms() - began < compute_ms) continue;
    gws_transport_max(transport, &late, 1);
    return !late;
}

/* ---- all ---- */

/* Counts the other ranks by kind. Returns whether all ranks reach all others by `kind`, if it is one. Collective. */
static bool count_links(struct gws_transport *transport, uint32_t kind)
{
    struct gws__links *links = &transport->links;
    memset(links->count, 0, sizeof links->count);
    for (uint32_t r = 0; r < transport->info.ranks; r++) links->count[links->kind[r]] += r != transport->info.rank;
    uint64_t others = kind == gws__link_auto ? 0 : transport->info.ranks - 1 - links->count[kind];
    gws_transport_max(transport, &others, 1);
    return others == 0;
}

/* Uses RMA for all ranks that share no memory with this one, if it is useful. */
static void use_rma(struct gws_transport *transport, uint32_t kind)
{
    struct gws__links *links = &transport->links;
    uint64_t far = 0;
    for (uint32_t r = 0; r < transport->info.ranks; r++) far += links->kind[r] == GWS__LINK_MESSAGES;
    gws_transport_max(transport, &far, 1);
    if (far == 0) return;
    open_rma(transport);
    if (!links->window[GWS__LINK_RMA].link) return;
    if (kind == gws__link_auto && !is_one_sided(transport)) {
        close_rma(transport);
        return;
    }
    for (uint32_t r = 0; r < transport->info.ranks; r++)
        if (links->kind[r] == GWS__LINK_MESSAGES) links->kind[r] = GWS__LINK_RMA;
}

gws_status gws__links_open(struct gws_transport *transport, uint32_t kind, uint32_t per_host)
{
    struct gws__links *links = &transport->links;
    const uint32_t ranks = transport->info.ranks;
    gws__links_close(transport);
    links->per_host = per_host;
    transport->kind->use_shared(transport->state, (kind == gws__link_auto || kind == GWS__LINK_SHARED) &&
                                                      (per_host == 0 || per_host >= ranks));
    links->kind = gws__memory_zero(&gws__memory_default, ranks, sizeof *links->kind);
    links->base = gws__memory_zero(&gws__memory_default, ranks, sizeof *links->base);
    gws_status status = gws_transport_agree(transport, links->kind && links->base ? GWS_OK : GWS_NO_MEMORY);
    if (status == GWS_OK && kind != GWS__LINK_MESSAGES && kind != GWS__LINK_RMA) open_shared(transport, per_host);
    if (status == GWS_OK && kind != GWS__LINK_MESSAGES && kind != GWS__LINK_SHARED) use_rma(transport, kind);
    if (status == GWS_OK && !count_links(transport, kind)) status = GWS_UNSUPPORTED;
    if (status != GWS_OK) gws__links_close(transport);
    return status;
}

void gws__links_close(struct gws_transport *transport)
{
    struct gws__links *links = &transport->links;
    gws__transport_close_scratch(transport);
    close_rma(transport);
    if (links->shared) gws__transport_unshare(transport, links->shared);
    gws__memory_free(&gws__memory_default, links->kind, transport->info.ranks, sizeof *links->kind);
    gws__memory_free(&gws__memory_default, links->base, transport->info.ranks, sizeof *links->base);
    *links = (struct gws__links){0};
}

gws_status gws_transport_choose_links(struct gws_transport *transport, const char *name)
{
    for (uint32_t kind = 0; name && kind <= gws__link_auto; kind++)
        if (strcmp(name, kind_name[kind]) == 0) return gws__links_open(transport, kind, 0);
    return name ? GWS_INVALID : gws__links_open(transport, gws__link_auto, 0);
}
