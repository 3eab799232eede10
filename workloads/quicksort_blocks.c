/* SPDX-License-Identifier: MIT */
/* Each block of keys counts its keys of each part; the sums of these counts, by parts and then by blocks, are the
 * places to which each block then copies its keys. */
#include "quicksort_blocks.h"

#include <string.h>

enum { block_keys = 1 << 16 };

struct arrangement {
    const struct gws__key_blocks *keys;
    uint64_t blocks;
    uint16_t *part;  /* by key */
    uint64_t *place; /* by block and part: the number of keys, then the place of the next one */
};

static uint64_t end_of(const struct arrangement *all, uint64_t block)
{
    const uint64_t end = (block + 1) * block_keys;
    return end < all->keys->count ? end : all->keys->count;
}

static void count_blocks(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct arrangement *all = context;
    const struct gws__key_blocks *keys = all->keys;
    (void)worker;
    for (uint64_t block = begin; block < end; block++) {
        uint64_t *place = all->place + block * keys->parts;
        const uint64_t first = block * block_keys, last = end_of(all, block);
        keys->find(keys->context, first, last, all->part + first);
        memset(place, 0, keys->parts * sizeof *place);
        for (uint64_t i = first; i < last; i++) place[all->part[i]]++;
    }
}

static void move_blocks(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct arrangement *all = context;
    (void)worker;
    for (uint64_t block = begin; block < end; block++) {
        uint64_t *place = all->place + block * all->keys->parts;
        for (uint64_t i = block * block_keys; i < end_of(all, block); i++)
            all->keys->to[place[all->part[i]]++] = all->keys->from[i];
    }
}

/* Turns the numbers of keys into places. */
static void place_parts(const struct arrangement *all, uint64_t *size)
{
    const uint32_t parts = all->keys->parts;
    uint64_t at = 0;
    for (uint32_t part = 0; part < parts; part++) {
        const uint64_t begin = at;
        for (uint64_t block = 0; block < all->blocks; block++) {
            uint64_t *place = &all->place[block * parts + part], keys = *place;
            *place = at;
            at += keys;
        }
        size[part] = at - begin;
    }
}

static gws_status arrange(struct gws_runtime *runtime, struct arrangement *all, uint64_t *size)
{
    const struct gws_loop counting = {.count = all->blocks, .body = count_blocks, .context = all, .uncounted = true};
    const struct gws_loop moving = {.count = all->blocks, .body = move_blocks, .context = all, .uncounted = true};
    gws_status status = gws_parallel_try(runtime, &counting);
    if (status != GWS_OK) return status;
    place_parts(all, size);
    return gws_parallel_try(runtime, &moving);
}

gws_status gws__key_blocks_arrange(struct gws_runtime *runtime, const struct gws__key_blocks *keys, uint64_t *size)
{
    struct arrangement all = {.keys = keys, .blocks = (keys->count + block_keys - 1) / block_keys};
    all.part = gws_allocate(runtime, keys->count, sizeof *all.part);
    all.place = gws_allocate(runtime, all.blocks * keys->parts, sizeof *all.place);
    gws_status status = all.part && all.place ? arrange(runtime, &all, size) : GWS_NO_MEMORY;
    gws_release(runtime, all.part, keys->count, sizeof *all.part);
    gws_release(runtime, all.place, all.blocks * keys->parts, sizeof *all.place);
    return status;
}
