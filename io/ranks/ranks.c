/* SPDX-License-Identifier: MIT */
#include "ranks.h"

#include <string.h>

bool gws__read_ranks_first(const struct gws__read_ranks *ranks)
{
    return !ranks || gws_transport_rank(ranks->transport) == 0;
}

gws_status gws__read_ranks_agree(struct gws__read_ranks *ranks, gws_status own)
{
    if (!ranks) return own;
    gws_status status = gws_transport_agree_on(ranks->transport, own, ranks->where);
    ranks->failed = status != GWS_OK;
    return status;
}

gws_status gws__read_ranks_sum(struct gws__read_ranks *ranks, gws_status own, uint64_t *number, uint32_t count)
{
    gws_status status = gws__read_ranks_agree(ranks, own);
    if (ranks && status == GWS_OK) gws_transport_sum(ranks->transport, number, count);
    return status;
}

gws_status gws__read_ranks_max(struct gws__read_ranks *ranks, gws_status own, uint64_t *number, uint32_t count)
{
    gws_status status = gws__read_ranks_agree(ranks, own);
    if (ranks && status == GWS_OK) gws_transport_max(ranks->transport, number, count);
    return status;
}

gws_status gws__read_ranks_same(struct gws__read_ranks *ranks, gws_status own, uint64_t number)
{
    uint64_t limits[] = {number, ~number};
    gws_status status = gws__read_ranks_max(ranks, own, limits, 2);
    if (!ranks || status != GWS_OK || limits[0] == ~limits[1]) return status;
    return gws_diagnostic_set(ranks->where, GWS_SYSTEM, NULL, 0, 0, "the ranks find different files");
}

/* ---- bitmaps ---- */

/* Returns the first of `total` words of a rank's slice. */
static uint64_t slice_of(uint64_t total, uint64_t rank, uint64_t ranks)
{
    return total / ranks * rank + (rank < total % ranks ? rank : total % ranks);
}

struct unite {
    uint64_t *bits;  /* of this rank's slice */
    uint64_t *place; /* of each rank's next word */
};

static void take_words(void *context, uint32_t rank, const void *data, uint64_t items)
{
    struct unite *unite = context;
    for (uint64_t i = 0; i < items; i++) {
        uint64_t word;
        memcpy(&word, (const char *)data + i * sizeof word, sizeof word);
        unite->bits[unite->place[rank]++] |= word;
    }
}

/* Each rank unites a slice. Then all ranks get all slices. */
gws_status gws__read_ranks_unite(struct gws__read_ranks *ranks, struct gws_runtime *runtime, gws_status own,
                                 uint64_t *bits, uint64_t words)
{
    if (!ranks) return own;
    const uint32_t count = gws_transport_ranks(ranks->transport), rank = gws_transport_rank(ranks->transport);
    uint64_t *items = gws_allocate(runtime, 2 * (uint64_t)count, sizeof *items);
    gws_status status = gws__read_ranks_agree(ranks, items || own != GWS_OK ? own : GWS_NO_MEMORY);
    if (status == GWS_OK && items) {
        struct unite unite = {bits + slice_of(words, rank, count), items + count};
        memset(items, 0, 2 * count * sizeof *items);
        for (uint32_t r = 0; r < count; r++)
            items[r] = slice_of(words, r + UINT64_C(1), count) - slice_of(words, r, count);
        const struct gws_exchange exchange = {
            .from = bits, .items = items, .item_bytes = sizeof *bits, .receive = take_words, .context = &unite};
        gws_transport_exchange(ranks->transport, &exchange);
        gws_transport_allgather(ranks->transport, bits, items);
    }
    gws_release(runtime, items, 2 * (uint64_t)count, sizeof *items);
    return status;
}

/* ---- gathering ---- */

gws_status gws__read_ranks_gather(struct gws__read_ranks *ranks, struct gws_runtime *runtime, gws_status own,
                                  const void *part, uint64_t bytes, struct gws__gathered *gathered)
{
    const uint32_t count = gws_transport_ranks(ranks->transport), rank = gws_transport_rank(ranks->transport);
    const uint64_t words = (bytes + 7) / 8;
    *gathered = (struct gws__gathered){.words = gws_allocate(runtime, count, sizeof *gathered->words)};
    if (gathered->words) memset(gathered->words, 0, count * sizeof *gathered->words);
    if (gathered->words) gathered->words[rank] = words;
    gws_status status = gathered->words || own != GWS_OK ? own : GWS_NO_MEMORY;
    status = gws__read_ranks_sum(ranks, status, gathered->words, count);
    if (status != GWS_OK || !gathered->words) return status;
    uint64_t place = 0;
    for (uint32_t r = 0; r < count; r++) {
        if (r == rank) place = gathered->total;
        gathered->total += gathered->words[r];
    }
    if (gathered->total > INT32_MAX) return GWS_TOO_LARGE;
    gathered->all = gws_allocate(runtime, gathered->total, sizeof *gathered->all);
    status = gws__read_ranks_agree(ranks, gathered->all ? GWS_OK : GWS_NO_MEMORY);
    if (status != GWS_OK || !gathered->all) return status;
    if (words > 0) gathered->all[place + words - 1] = 0;
    if (words > 0) memcpy(gathered->all + place, part, bytes);
    gws_transport_allgather(ranks->transport, gathered->all, gathered->words);
    return GWS_OK;
}

void gws__gathered_free(const struct gws__read_ranks *ranks, struct gws_runtime *runtime,
                        struct gws__gathered *gathered)
{
    gws_release(runtime, gathered->words, gws_transport_ranks(ranks->transport), sizeof *gathered->words);
    gws_release(runtime, gathered->all, gathered->total, sizeof *gathered->all);
    *gathered = (struct gws__gathered){0};
}
