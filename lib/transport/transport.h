/* SPDX-License-Identifier: MIT */
/* An open transport, and its messages. */
#ifndef GWS_TRANSPORT_TRANSPORT_H
#define GWS_TRANSPORT_TRANSPORT_H

#include "../transport.h"
#include "kind.h"
#include "links.h"
#include "watch.h"

struct gws__rank_group;

struct gws_transport {
    const struct gws__transport_kind *kind;
    void *state;
    struct gws__transport_info info;
    struct gws__links links;
    struct gws_transport_memory *scratch; /* gws_transport_scratch(); NULL: none */
    uint64_t *scratch_at, scratch_words;
    struct gws__rank_group *devices; /* those that steal from each other (hetero/rank_devices.c); NULL: none */
    struct gws__watch watch;
    gws_status failed_with; /* what gws_transport_agree() found last, and the rank that had it first */
    uint32_t failed_rank;
};

/* share() and unshare() of the kind. */
void *gws__transport_share(struct gws_transport *transport, uint64_t words, uint32_t per_host, uint64_t **base);
void gws__transport_unshare(struct gws_transport *transport, void *shared);

/* Opens a transport of this kind. Errors: GWS_NO_MEMORY. */
gws_status gws__transport_open(const struct gws__transport_kind *kind, struct gws_transport **transport);

/* Returns whether all ranks run on one host and may share memory: gws_transport_choose_links() may forbid it. The same
 * on all ranks. transport may be NULL, and shares nothing. */
bool gws__transport_shares(const struct gws_transport *transport);

/* Frees the memory of gws_transport_scratch(). Collective. */
void gws__transport_close_scratch(struct gws_transport *transport);

#endif
