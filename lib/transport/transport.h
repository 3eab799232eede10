/* SPDX-License-Identifier: MIT */
/* An open transport, and its messages. */
#ifndef GWS_TRANSPORT_TRANSPORT_H
#define GWS_TRANSPORT_TRANSPORT_H

#include "../transport.h"
#include "kind.h"
#include "links.h"
#include "watch.h"

struct gws_transport {
    const struct gws__transport_kind *kind;
    void *state;
    struct gws__transport_info info;
    struct gws__links links;
    struct gws__watch watch;
};

/* share() and unshare() of the kind. */
void *gws__transport_share(struct gws_transport *transport, uint64_t words, uint32_t per_host, uint64_t **base);
void gws__transport_unshare(struct gws_transport *transport, void *shared);

/* Opens a transport of this kind. Errors: GWS_NO_MEMORY. */
gws_status gws__transport_open(const struct gws__transport_kind *kind, struct gws_transport **transport);

#endif
