/* SPDX-License-Identifier: MIT */
/* How this rank reaches each other rank, which the transport finds out when it runs: by shared memory on one host;
 * between hosts by RMA if the network serves it without the owner's help, otherwise by messages. */
#ifndef GWS_TRANSPORT_LINKS_H
#define GWS_TRANSPORT_LINKS_H

#include "../status.h"
#include "link.h"

struct gws_transport;

enum gws__link_kind { GWS__LINK_MESSAGES, GWS__LINK_RMA, GWS__LINK_SHARED, gws__link_kinds };

enum {
    gws__window_words = 1 << 17, /* of a rank: 1 MiB */
    gws__link_auto = gws__link_kinds
};

struct gws__window {
    const struct gws__link *link; /* NULL: not open */
    void *memory;
};

struct gws__links {
    uint8_t *kind;   /* of each rank; NULL: not open */
    uint64_t **base; /* of each rank: its words of shared memory, or NULL */
    void *shared;    /* what share() returned */
    struct gws__window window[gws__link_kinds];
    uint32_t count[gws__link_kinds]; /* other ranks that this rank reaches so */
    uint32_t per_host;               /* as given to gws__links_open() */
};

/* Opens the windows. Collective. kind: one kind for all pairs, or gws__link_auto. per_host > 0: as if a host had at
 * most so many ranks, for tests. If the links are open, they are closed first. Errors: GWS_NO_MEMORY, GWS_UNSUPPORTED
 * (some ranks cannot be reached so). */
gws_status gws__links_open(struct gws_transport *transport, uint32_t kind, uint32_t per_host);
void gws__links_close(struct gws_transport *transport);

#endif
