/* SPDX-License-Identifier: MIT */
/* Each block of keys counts its keys of each part; the sums of these counts, by parts and then by blocks, are the
 * places to which each block then copies its keys. */
#include "quicksort_blocks.h"

#include <string.h>

enum { block_keys = 1 << 16 };

static uint64_t end_of(const struct gws__key_blocks *keys, uint64_t block)
{
    const uint64_t end = (block + 1) * block_keys;
    return end < keys->count ? end : keys->count;
}

static void count_blocks(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct gws__key_blocks *keys = context;
    (void)worker;
    for (uint64_t block = begin; block < end; block++) {
        uint64_t *place = keys->place + block * keys->parts;
        const uint64_t first = block * block_keys, last = end_of(keys, block);
        keys->find(keys->context, first, last, keys->part + first);
        memset(place, 0, keys->parts * sizeof *place);
        for (uint64_t i = first; i < last; i++) place[keys->part[i]]++;
    }
}

static void move_blocks(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct gws__key_blocks *keys = context;
    (void)worker;
    for (uint64_t block = begin; block < end; block++) {
        uint64_t *place = keys->place + block * keys->parts;
        for (uint64_t i = block * block_keys; i < end_of(keys, block); i++)
            keys->to[keys->part[i]][place[keys->part[i]]++] = keys->from[i];
    }
}

/* Turns the numbers of keys into places. */
static void place_parts(const struct gws__key_blocks *keys, uint64_t *size)
{
    for (uint32_t part = 0; part < keys->parts; part++) {
        size[part] = 0;
        for (uint64_t block = 0; block < keys->blocks; block++) {
            uint64_t *place = &keys->place[block * keys->parts + part], count = *place;
            *place = size[part];
            size[part] += count;
        }
    }
}

gws_status gws__key_blocks_count(struct gws_runtime *runtime, struct gws__key_blocks *keys, uint64_t *size)
{
    keys->blocks = (keys->count + block_keys - 1) / block_keys;
    const struct gws_loop loop = {.count = keys->blocks, .body = count_blocks, .context = keys, .uncounted = true};
    keys->part = gws_allocate(runtime, keys->count, sizeof *keys->part);
    keys->place = gws_allocate(runtime, keys->blocks * keys->parts, sizeof *keys->place);
    if (!keys->part || !keys->place) return GWS_NO_MEMORY;
    gws_status status = gws_parallel_try(runtime, &loop);
    if (status == GWS_OK) place_parts(keys, size);
    return status;
}

gws_status gws__key_blocks_move(struct gws_runtime *runtime, struct gws__key_blocks *keys, uint64_t *const *to)
{
    const struct gws_loop loop = {.count = keys->blocks, .body = move_blocks, .context = keys, .uncounted = true};
    keys->to = to;
    return gws_parallel_try(runtime, &loop);
}

void gws__key_blocks_close(struct gws_runtime *runtime, struct gws__key_blocks *keys)
{
    gws_release(runtime, keys->part, keys->count, sizeof *keys->part);
    gws_release(runtime, keys->place, keys->blocks * keys->parts, sizeof *keys->place);
    keys->part = NULL;
    keys->place = NULL;
}
