/* SPDX-License-Identifier: MIT */
#include "rank_memory.h"

#include <inttypes.h>

#include "../transport/transport.h"
#include "ranks.h"

static gws_status hold_share(struct gws__rank_memory *memory, struct gws_diagnostic *where)
{
    memory->share = gws_allocate(memory->runtime, memory->share_bytes, 1);
    if (memory->share) return GWS_OK;
    return gws_diagnostic_set(where, GWS_NO_MEMORY, NULL, 0, 0,
                              "out of memory: this rank's share of the ranks' shared memory takes about %" PRIu64 " MB",
                              memory->share_bytes / 1000000 + 1);
}

gws_status gws__rank_memory_open(struct gws_runtime *runtime, struct gws_transport *transport, uint64_t words,
                                 struct gws__rank_memory *memory, struct gws_diagnostic *where)
{
    const uint64_t ranks = gws_transport_ranks(transport);
    *memory = (struct gws__rank_memory){.runtime = runtime, .share_bytes = (words + ranks - 1) / ranks * sizeof words};
    if (!gws__transport_shares(transport)) return GWS_OK;
    const gws_status status = gws__ranks_agree(transport, hold_share(memory, where), where);
    if (status == GWS_OK) memory->all = gws_transport_scratch(transport, words);
    if (!memory->all) gws__rank_memory_close(memory);
    return status;
}

void gws__rank_memory_close(struct gws__rank_memory *memory)
{
    if (memory->runtime) gws_release(memory->runtime, memory->share, memory->share_bytes, 1);
    *memory = (struct gws__rank_memory){0};
}
