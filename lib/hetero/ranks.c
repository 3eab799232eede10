/* SPDX-License-Identifier: MIT */
#include "ranks.h"

#include <stdio.h>
#include <string.h>

union message {
    struct gws_diagnostic where;
    uint64_t word[sizeof(struct gws_diagnostic) / sizeof(uint64_t)];
};

_Static_assert(sizeof(struct gws_diagnostic) % sizeof(uint64_t) == 0, "a diagnostic is sent as words");

gws_status gws__ranks_call_begin(struct gws_runtime *runtime, struct gws_transport *transport)
{
    const gws_status own = gws_call_begin(runtime), status = gws_transport_agree(transport, own);
    if (own == GWS_OK && status != GWS_OK) (void)gws_call_end(runtime, status);
    return status;
}

/* Fills the message of the first rank with this status, and zeros on the other ranks, whose sum is that message. */
static void write_message(struct gws_transport *transport, gws_status own, gws_status status,
                          const struct gws_diagnostic *where, union message *message)
{
    const uint32_t rank = gws_transport_rank(transport), ranks = gws_transport_ranks(transport);
    uint64_t before_end = own == status ? ranks - rank : 0;
    char text[sizeof message->where.message];
    memset(message, 0, sizeof *message);
    gws_transport_max(transport, &before_end, 1);
    if (own != status || before_end != ranks - rank) return;
    if (where) message->where = *where;
    snprintf(text, sizeof text, "%s", where && *where->message ? where->message : gws_status_text(status));
    const bool of_file = *message->where.file && (message->where.line > 0 || rank == 0);
    if (of_file || ranks == 1)
        snprintf(message->where.message, sizeof message->where.message, "%s", text);
    else
        snprintf(message->where.message, sizeof message->where.message, "rank %u: %.200s", rank, text);
}

gws_status gws_transport_agree_on(struct gws_transport *transport, gws_status own, struct gws_diagnostic *where)
{
    const gws_status status = gws_transport_agree(transport, own);
    union message message;
    if (status == GWS_OK) return GWS_OK;
    write_message(transport, own, status, where, &message);
    gws_transport_sum(transport, message.word, sizeof message.word / sizeof *message.word);
    if (where) *where = message.where;
    return status;
}

void gws__ranks_share_message(struct gws_transport *transport, gws_status status, struct gws_diagnostic *where)
{
    struct gws_diagnostic message = *where;
    const bool knows = *where->message && strcmp(where->message, gws_status_text(status)) != 0;
    if (gws_transport_agree_on(transport, knows ? status : GWS_OK, &message) != GWS_OK)
        *where = message;
    else
        (void)gws_diagnostic_status(where, status);
}
