/* SPDX-License-Identifier: MIT */
/* A rank sends its names as a list: for each name a word with its length, and the text in whole words. */
#include <string.h>

#include "../ranks/ranks.h"
#include "name_table.h"

static uint64_t words_of(uint64_t length)
{
    return 1 + (length + 7) / 8;
}

static uint64_t count_words(const struct gws__name_tables *names)
{
    uint64_t words = 0;
    for (uint32_t worker = 0; worker < names->workers; worker++)
        for (uint64_t i = 0; i < names->table[worker].count; i++)
            words += words_of(names->table[worker].name[i].length);
    return words;
}

static void write_names(const struct gws__name_tables *names, uint64_t *to)
{
    for (uint32_t worker = 0; worker < names->workers; worker++) {
        const struct gws__name_table *table = &names->table[worker];
        for (uint64_t i = 0; i < table->count; i++) {
            const uint64_t length = table->name[i].length, words = words_of(length);
            to[words - 1] = 0;
            to[0] = length;
            memcpy(to + 1, table->text + table->name[i].offset, length);
            to += words;
        }
    }
}

/* Adds the names of a list to the first table, unless they are there. */
static gws_status add_names(struct gws__name_tables *names, const uint64_t *from, uint64_t words)
{
    uint32_t number;
    gws_status status = GWS_OK;
    for (const uint64_t *end = from + words; from < end && status == GWS_OK; from += words_of(*from)) {
        if (gws_cancelled(names->runtime)) return GWS_CANCELLED;
        status = gws__names_number(names, 0, (const char *)(from + 1), *from, &number);
    }
    return status;
}

gws_status gws__names_exchange(struct gws__read_ranks *ranks, struct gws__name_tables *names)
{
    struct gws__gathered gathered;
    if (!ranks) return GWS_OK;
    const uint64_t words = count_words(names);
    uint64_t *own = gws_allocate(names->runtime, words, sizeof *own);
    if (own) write_names(names, own);
    gws_status status = gws__read_ranks_gather(ranks, names->runtime, own ? GWS_OK : GWS_NO_MEMORY, own,
                                               words * sizeof *own, &gathered);
    gws_release(names->runtime, own, words, sizeof *own);
    const uint64_t *list = gathered.all;
    for (uint32_t r = 0; status == GWS_OK && r < gws_transport_ranks(ranks->transport); list += gathered.words[r++])
        if (r != gws_transport_rank(ranks->transport)) status = add_names(names, list, gathered.words[r]);
    gws__gathered_free(ranks, names->runtime, &gathered);
    return status;
}
