/* SPDX-License-Identifier: MIT */
#include "records.h"

#include <string.h>

#include "../base/memory.h"

static uint64_t block_words(const struct gws__records *records)
{
    return (uint64_t)gws__block_records * records->words;
}

static bool add_room(struct gws__records *records)
{
    uint64_t rooms = records->rooms ? 2 * records->rooms : 16;
    uint64_t **block = gws__memory_new(records->allocator, rooms, sizeof *block);
    if (!block) return false;
    if (records->blocks) memcpy(block, records->block, records->blocks * sizeof *block);
    gws__memory_free(records->allocator, records->block, records->rooms, sizeof *block);
    records->block = block;
    records->rooms = rooms;
    return true;
}

static bool add_block(struct gws__records *records)
{
    if (records->blocks == records->rooms && !add_room(records)) return false;
    uint64_t *block = gws__memory_new(records->allocator, block_words(records), sizeof *block);
    if (!block) return false;
    records->block[records->blocks++] = block;
    return true;
}

uint64_t *gws__records_place(struct gws__records *records)
{
    if (records->count == records->blocks * gws__block_records && !add_block(records)) return NULL;
    return gws__records_at(records, records->count);
}

uint32_t gws__records_pop(struct gws__records *records, uint32_t most, uint64_t *out)
{
    uint32_t taken = records->count < most ? (uint32_t)records->count : most;
    for (uint32_t i = 0; i < taken; i++)
        memcpy(out + (uint64_t)i * records->words, gws__records_at(records, --records->count),
               records->words * sizeof *out);
    return taken;
}

void gws__records_clear(struct gws__records *records)
{
    for (uint64_t i = 0; i < records->blocks; i++)
        gws__memory_free(records->allocator, records->block[i], block_words(records), sizeof **records->block);
    gws__memory_free(records->allocator, records->block, records->rooms, sizeof *records->block);
    records->block = NULL;
    records->rooms = records->blocks = records->count = 0;
}
