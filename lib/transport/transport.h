/* SPDX-License-Identifier: MIT */
/* An open transport, and its messages. */
#ifndef GWS_TRANSPORT_TRANSPORT_H
#define GWS_TRANSPORT_TRANSPORT_H

#include "../transport.h"
#include "kind.h"
#include "links.h"

struct gws_transport {
    const struct gws__transport_kind *kind;
    void *state;
    struct gws__transport_info info;
    struct gws__links links;
};

/* Opens a transport of this kind. Errors: GWS_NO_MEMORY. */
gws_status gws__transport_open(const struct gws__transport_kind *kind, struct gws_transport **transport);

#endif
