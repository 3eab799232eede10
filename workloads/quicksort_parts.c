/* SPDX-License-Identifier: MIT */
/* Divides keys into parts for several sides: a sample's keys are the splitters. Part 2 b holds the keys between
 * splitters b - 1 and b, and part 2 b + 1 those that equal splitter b (equality buckets as in Sanders, Winkel, "Super
 * Scalar Sample Sort", ESA 2004). */
#include <stdlib.h>

#include "../lib/random.h"
#include "quicksort_blocks.h"
#include "quicksort_sides.h"

enum { oversampling = 32, max_splitters = GWS__QUICKSORT_PARTS - 1 };

struct division {
    const uint64_t *from;
    uint64_t count;
    uint64_t splitter[max_splitters];
    uint32_t splitters;
};

static int by_value(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void choose_splitters(struct division *all, uint32_t wanted, uint64_t seed)
{
    uint64_t sample[oversampling * (max_splitters + 1)];
    const uint32_t samples = oversampling * wanted;
    for (uint32_t i = 0; i < samples; i++) sample[i] = all->from[gws_random_at(seed, i) % all->count];
    qsort(sample, samples, sizeof *sample, by_value);
    all->splitters = wanted - 1;
    for (uint32_t i = 0; i < all->splitters; i++) all->splitter[i] = sample[oversampling * (i + 1)];
}

/* Returns the number of splitters below the key, twice, and 1 more if the next one equals it. */
static uint32_t number_of(const struct division *all, uint64_t key)
{
    uint32_t below = 0;
    for (uint32_t left = all->splitters; left > 0;) {
        const uint32_t half = (left + 1) / 2;
        below += all->splitter[below + half - 1] < key ? half : 0;
        left -= half;
    }
    return 2 * below + (below < all->splitters && all->splitter[below] == key);
}

static void find(const void *context, uint64_t begin, uint64_t end, uint16_t *part)
{
    const struct division *all = context;
    for (uint64_t i = begin; i < end; i++) part[i - begin] = (uint16_t)number_of(all, all->from[i]);
}

/* Lists the parts of keys between splitters. */
static void list_parts(const uint64_t *size, uint32_t numbers, struct gws__quicksort_parts *parts)
{
    uint64_t at = 0;
    for (uint32_t number = 0; number < numbers; at += size[number++])
        if (number % 2 == 0 && size[number] > 0)
            parts->part[parts->parts++] = (struct gws__quicksort_part){at, size[number]};
}

gws_status gws__quicksort_divide(struct gws_runtime *runtime, const uint64_t *keys, uint64_t count, uint32_t wanted,
                                 uint64_t seed, struct gws__quicksort_parts *parts)
{
    struct division all = {.from = keys, .count = count};
    uint64_t size[2 * max_splitters + 1], *to[2 * max_splitters + 1];
    *parts = (struct gws__quicksort_parts){.count = count};
    if (count == 0) return GWS_OK;
    choose_splitters(&all, wanted, seed);
    parts->keys = gws_allocate(runtime, count, sizeof *keys);
    if (!parts->keys) return GWS_NO_MEMORY;
    struct gws__key_blocks blocks = {
        .from = keys, .count = count, .parts = 2 * all.splitters + 1, .find = find, .context = &all};
    gws_status status = gws__key_blocks_count(runtime, &blocks, size);
    if (status == GWS_OK) {
        gws__key_blocks_line_up(blocks.parts, size, parts->keys, to);
        status = gws__key_blocks_move(runtime, &blocks, to);
    }
    gws__key_blocks_close(runtime, &blocks);
    if (status == GWS_OK) list_parts(size, blocks.parts, parts);
    return status;
}

void gws__quicksort_parts_clear(struct gws_runtime *runtime, struct gws__quicksort_parts *parts)
{
    gws_release(runtime, parts->keys, parts->count, sizeof *parts->keys);
    parts->keys = NULL;
}
