/* SPDX-License-Identifier: MIT */
/* Divides keys into parts for several sides: a sample's keys are the splitters; each block of keys counts its keys of
 * each part, and then copies them to their places. Part 2 b holds the keys between splitters b - 1 and b, and part 2 b
 * + 1 those that equal splitter b (equality buckets as in Sanders, Winkel, "Super Scalar Sample Sort", ESA 2004). */
#include <stdlib.h>
#include <string.h>

#include "../lib/parallel.h"
#include "../lib/random.h"
#include "quicksort_sides.h"

enum { oversampling = 32, block_keys = 1 << 16, max_splitters = GWS__QUICKSORT_PARTS - 1 };

struct division {
    const uint64_t *from;
    uint64_t *to;
    uint64_t count, blocks;
    uint8_t *number;  /* by key: its part */
    uint64_t *place;  /* by block and part: the number of keys, then the place of the next one */
    uint32_t numbers; /* of parts, also empty ones and those of equal keys */
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
    all->numbers = 2 * all->splitters + 1;
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

static uint64_t end_of(const struct division *all, uint64_t block)
{
    const uint64_t end = (block + 1) * block_keys;
    return end < all->count ? end : all->count;
}

static void count_blocks(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct division *all = context;
    (void)worker;
    for (uint64_t block = begin; block < end; block++) {
        uint64_t *place = all->place + block * all->numbers;
        memset(place, 0, all->numbers * sizeof *place);
        for (uint64_t i = block * block_keys; i < end_of(all, block); i++) {
            const uint32_t number = number_of(all, all->from[i]);
            all->number[i] = (uint8_t)number;
            place[number]++;
        }
    }
}

static void move_blocks(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct division *all = context;
    (void)worker;
    for (uint64_t block = begin; block < end; block++) {
        uint64_t *place = all->place + block * all->numbers;
        for (uint64_t i = block * block_keys; i < end_of(all, block); i++)
            all->to[place[all->number[i]]++] = all->from[i];
    }
}

/* Turns the numbers of keys into places, and lists the parts. */
static void place_parts(const struct division *all, struct gws__quicksort_parts *parts)
{
    uint64_t at = 0;
    for (uint32_t number = 0; number < all->numbers; number++) {
        const uint64_t begin = at;
        for (uint64_t block = 0; block < all->blocks; block++) {
            uint64_t *place = &all->place[block * all->numbers + number], keys = *place;
            *place = at;
            at += keys;
        }
        if (number % 2 == 0 && at > begin)
            parts->part[parts->parts++] = (struct gws__quicksort_part){begin, at - begin};
    }
}

static gws_status divide(struct gws_runtime *runtime, struct division *all, struct gws__quicksort_parts *parts)
{
    const struct gws_loop counting = {.count = all->blocks, .body = count_blocks, .context = all, .uncounted = true};
    const struct gws_loop moving = {.count = all->blocks, .body = move_blocks, .context = all, .uncounted = true};
    gws_status status = gws_parallel_try(runtime, &counting);
    if (status != GWS_OK) return status;
    place_parts(all, parts);
    return gws_parallel_try(runtime, &moving);
}

gws_status gws__quicksort_divide(struct gws_runtime *runtime, const uint64_t *keys, uint64_t count, uint32_t wanted,
                                 uint64_t seed, struct gws__quicksort_parts *parts)
{
    struct division all = {.from = keys, .count = count, .blocks = (count + block_keys - 1) / block_keys};
    *parts = (struct gws__quicksort_parts){.count = count};
    if (count == 0) return GWS_OK;
    choose_splitters(&all, wanted < GWS__QUICKSORT_PARTS ? wanted : GWS__QUICKSORT_PARTS, seed);
    all.to = parts->keys = gws_allocate(runtime, count, sizeof *keys);
    all.number = gws_allocate(runtime, count, 1);
    all.place = gws_allocate(runtime, all.blocks * all.numbers, sizeof *all.place);
    gws_status status = all.to && all.number && all.place ? divide(runtime, &all, parts) : GWS_NO_MEMORY;
    gws_release(runtime, all.number, count, 1);
    gws_release(runtime, all.place, all.blocks * all.numbers, sizeof *all.place);
    return status;
}

void gws__quicksort_parts_clear(struct gws_runtime *runtime, struct gws__quicksort_parts *parts)
{
    gws_release(runtime, parts->keys, parts->count, sizeof *parts->keys);
    parts->keys = NULL;
}
