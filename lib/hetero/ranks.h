/* SPDX-License-Identifier: MIT */
/* Calls that all ranks make together: they begin on all ranks or on none, and end with one status and one message. */
#ifndef GWS_HETERO_RANKS_H
#define GWS_HETERO_RANKS_H

#include "../parallel.h"
#include "../transport.h"

/* Begins a call of the runtime on every rank, or on none: returns the highest status of all ranks. The caller ends it
 * with gws_call_end() after GWS_OK. */
gws_status gws__ranks_call_begin(struct gws_runtime *runtime, struct gws_transport *transport);

/* Evaluates call between the two. */
#define GWS__RANKS_CALL(runtime, transport, where, call)                                                               \
    (gws__ranks_call_begin(runtime, transport) == GWS_OK ? gws_call_end(runtime, call)                                 \
                                                         : gws_diagnostic_status(where, GWS_BUSY))

/* gws_transport_agree_on(). */
static inline gws_status gws__ranks_agree(struct gws_transport *transport, gws_status own, struct gws_diagnostic *where)
{
    const gws_status status = gws_transport_agree_on(transport, own, where);
    return own != GWS_OK && status == GWS_OK ? own : status; /* never own: for static analysis */
}

/* Returns whether that is so on all ranks. Collective. */
static inline bool gws__ranks_all(struct gws_transport *transport, bool yes)
{
    return gws_transport_agree(transport, yes ? GWS_OK : GWS_UNSUPPORTED) == GWS_OK;
}

/* After an error that all ranks know: copies the message of the first rank that has more to say than the status's text.
 * Collective. */
void gws__ranks_share_message(struct gws_transport *transport, gws_status status, struct gws_diagnostic *where);

#endif
