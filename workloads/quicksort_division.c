/* SPDX-License-Identifier: MIT */
/* Divides the keys of all ranks into a part for each rank, or several, by a random sample of them (Frazer, McKellar:
 * "Samplesort", J. ACM 17, 1970). Equal keys are ordered by their numbers, so all keys differ and no part is large.
 * If all ranks share memory, each writes its keys to their parts there (quicksort_blocks.c). Otherwise it arranges them
 * by parts in memory of its own, and the ranks exchange them. */
#include "quicksort_division.h"

#include <stdlib.h>
#include <string.h>

#include "../lib/random.h"

enum { oversampling = 512, head = GWS__QUICKSORT_HEAD };
static const uint64_t max_keys = UINT64_C(1) << 48;

static uint64_t samples_of(const struct gws__key_division *all)
{
    return (uint64_t)all->ranks * oversampling;
}

/* ---- memory ---- */

void gws__key_division_close(struct gws__key_division *all)
{
    struct gws_runtime *runtime = all->runtime;
    gws_release(runtime, all->counts, (uint64_t)all->ranks * all->parts, sizeof *all->counts);
    gws_release(runtime, all->items, all->ranks, sizeof *all->items);
    gws_release(runtime, all->sample, samples_of(all), sizeof *all->sample);
    gws_release(runtime, all->splitter, samples_of(all), sizeof *all->splitter);
    gws__key_blocks_close(runtime, &all->blocks);
    gws_release(runtime, (void *)all->target, all->parts, sizeof *all->target);
    gws_release(runtime, all->arranged, all->count, sizeof *all->arranged);
    gws_release(runtime, all->next, all->parts, sizeof *all->next);
    gws_release(runtime, (void *)all->base, all->ranks, sizeof *all->base);
    gws_release(runtime, all->part, all->parts, sizeof *all->part);
    gws_release(runtime, all->share, all->ranks, sizeof *all->share);
}

gws_status gws__key_division_open(struct gws__key_division *all)
{
    struct gws_runtime *runtime = all->runtime;
    all->counts = gws_allocate(runtime, (uint64_t)all->ranks * all->parts, sizeof *all->counts);
    all->items = gws_allocate(runtime, all->ranks, sizeof *all->items);
    all->sample = gws_allocate(runtime, samples_of(all), sizeof *all->sample);
    all->splitter = gws_allocate(runtime, samples_of(all), sizeof *all->splitter);
    all->target = gws_allocate(runtime, all->parts, sizeof *all->target);
    all->next = gws_allocate(runtime, all->parts, sizeof *all->next);
    all->base = gws_allocate(runtime, all->ranks, sizeof *all->base);
    all->part = gws_allocate(runtime, all->parts, sizeof *all->part);
    all->share = gws_allocate(runtime, all->ranks, sizeof *all->share);
    const bool made = all->counts && all->items && all->sample && all->splitter && all->target && all->next &&
                      all->base && all->part && all->share;
    const gws_status own = made ? GWS_OK : GWS_NO_MEMORY, status = gws_transport_agree(all->transport, own);
    return made ? status : own; /* for static analysis, too */
}

/* ---- the splitters ---- */

static int in_order(const void *a, const void *b)
{
    const struct gws__numbered_key *x = a, *y = b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key) : (x->number > y->number) - (x->number < y->number);
}

/* Numbers the keys of all ranks. */
static gws_status number_keys(struct gws__key_division *all)
{
    uint64_t *counts = all->counts;
    if (all->parts > GWS__QUICKSORT_ALL_PARTS) return GWS_TOO_LARGE;
    memset(counts, 0, all->ranks * sizeof *counts);
    counts[all->self] = all->count;
    gws_transport_sum(all->transport, counts, all->ranks);
    for (uint32_t r = 0; r < all->ranks; r++) {
        if (counts[r] >= max_keys - all->all) return GWS_TOO_LARGE;
        if (r < all->self) all->first += counts[r];
        all->all += counts[r];
    }
    return GWS_OK;
}

/* Every rank draws the same numbers, and adds the keys that it has. */
static void choose_splitters(struct gws__key_division *all, uint64_t seed)
{
    const uint32_t samples = (uint32_t)samples_of(all);
    for (uint32_t i = 0; i < samples; i++) {
        const uint64_t number = gws_random_at(seed, i) % all->all, here = number - all->first;
        all->splitter[i].number = number;
        all->sample[i] = number >= all->first && here < all->count ? all->from[here] : 0;
    }
    gws_transport_sum(all->transport, all->sample, samples);
    for (uint32_t i = 0; i < samples; i++) all->splitter[i].key = all->sample[i];
    qsort(all->splitter, samples, sizeof *all->splitter, in_order);
    for (uint64_t p = 1; p < all->parts; p++) all->splitter[p - 1] = all->splitter[p * oversampling / all->each];
}

/* ---- arranging ---- */

/* Returns the part of a key: the number of splitters that are not above it. */
static uint32_t part_of(const struct gws__key_division *all, uint64_t key, uint64_t number)
{
    const struct gws__numbered_key self = {key, number};
    uint32_t below = 0;
    for (uint32_t left = all->parts - 1; left > 0;) {
        const uint32_t half = (left + 1) / 2;
        below += in_order(&all->splitter[below + half - 1], &self) <= 0 ? half : 0;
        left -= half;
    }
    return below;
}

static void find(const void *context, uint64_t begin, uint64_t end, uint16_t *part)
{
    const struct gws__key_division *all = context;
    for (uint64_t i = begin; i < end; i++) part[i - begin] = (uint16_t)part_of(all, all->from[i], all->first + i);
}

/* ---- the places ---- */

/* Returns the counts of the keys from one rank to the parts of another one. */
static uint64_t *counts_of(const struct gws__key_division *all, uint32_t from, uint32_t to)
{
    return all->counts + (uint64_t)from * all->parts + (uint64_t)to * all->each;
}

/* Counts the keys for each rank, and those that this one receives. Places them by parts, and by ranks in a part. */
static uint64_t place_keys(struct gws__key_division *all)
{
    uint64_t count = 0;
    for (uint32_t r = 0; r < all->ranks; r++) {
        all->items[r] = 0;
        for (uint32_t p = 0; p < all->each; p++) all->items[r] += counts_of(all, all->self, r)[p];
    }
    for (uint32_t p = 0; p < all->each; p++)
        for (uint32_t r = 0; r < all->ranks; r++) {
            all->next[(uint64_t)r * all->each + p] = count;
            count += counts_of(all, r, all->self)[p];
        }
    return count;
}

/* Lists the parts of a rank of this host. */
static void list_parts(const struct gws__key_division *all, uint32_t rank)
{
    struct gws__quicksort_part *part = all->part + (uint64_t)rank * all->each;
    uint64_t begin = 0;
    for (uint32_t p = 0; p < all->each; p++) {
        part[p] = (struct gws__quicksort_part){begin, 0};
        for (uint32_t r = 0; r < all->ranks; r++) part[p].count += counts_of(all, r, rank)[p];
        begin += part[p].count;
    }
}

/* Counts the memory of this rank's sorted keys, or refuses it on all ranks. */
static gws_status count_memory(const struct gws__key_division *all, struct gws_quicksort_parted *sorted,
                               struct gws_diagnostic *where)
{
    const uint64_t words = head + sorted->count;
    struct gws_diagnostic message = {0};
    sorted->runtime = all->runtime;
    sorted->counted = gws_allocate(all->runtime, words, sizeof words);
    gws_status status = GWS_OK;
    if (!sorted->counted)
        status = gws_diagnostic_set(&message, GWS_NO_MEMORY, NULL, 0, 0,
                                    "out of memory: this rank's share of the ranks' shared memory takes about %llu MB",
                                    (unsigned long long)(words * sizeof words / 1000000 + 1));
    status = gws_transport_agree_on(all->transport, status, &message);
    if (status != GWS_OK && where) *where = message;
    return status;
}

/* Exchanges the counts, and opens the memory of the parts. */
static gws_status open_parts(struct gws__key_division *all, struct gws_quicksort_parted *sorted,
                             struct gws_diagnostic *where)
{
    for (uint32_t r = 0; r < all->ranks; r++) all->items[r] = all->parts; /* words of each */
    gws_transport_allgather(all->transport, all->counts, all->items);
    const uint64_t count = sorted->count = place_keys(all);
    gws_status status = count_memory(all, sorted, where);
    if (status != GWS_OK) return status;
    status = gws_transport_memory_open(all->transport, head + count, all->base, &sorted->memory);
    if (status != GWS_OK)
        return gws_diagnostic_set(where, status, NULL, 0, 0,
                                  "no shared memory for the %llu keys of this rank; /dev/shm may be too small",
                                  (unsigned long long)count);
    for (uint32_t r = 0; r < all->ranks; r++) {
        if (!all->base[r]) continue;
        all->base[r] += head;
        list_parts(all, r);
    }
    sorted->keys = all->to = all->base[all->self];
    return GWS_OK;
}

/* ---- the ways of the keys ---- */

/* Returns whether all ranks share memory, the same on all ranks. */
static bool reaches_all(const struct gws__key_division *all)
{
    for (uint32_t r = 0; r < all->ranks; r++)
        if (!all->base[r]) return false;
    return true;
}

/* Writes the keys to the parts of all ranks. In a part, those of rank 0 come first. */
static gws_status write_to_parts(struct gws__key_division *all)
{
    for (uint32_t p = 0; p < all->parts; p++) {
        all->target[p] = all->base[p / all->each] + all->part[p].begin;
        for (uint32_t r = 0; r < all->self; r++) all->target[p] += all->counts[(uint64_t)r * all->parts + p];
    }
    return gws_transport_agree(all->transport, gws__key_blocks_move(all->runtime, &all->blocks, all->target));
}

/* A rank's keys arrive by parts. */
static void receive(void *context, uint32_t rank, const void *data, uint64_t items)
{
    const struct gws__key_division *all = context;
    const uint64_t *key = data;
    uint64_t *left = counts_of(all, rank, all->self), *next = all->next + (uint64_t)rank * all->each;
    for (uint32_t p = 0; items > 0; p++) {
        const uint64_t count = left[p] < items ? left[p] : items;
        memcpy(all->to + next[p], key, count * sizeof *key);
        next[p] += count, left[p] -= count, key += count, items -= count;
    }
}

/* Arranges the keys by parts. */
static gws_status arrange(struct gws__key_division *all)
{
    all->arranged = gws_allocate(all->runtime, all->count, sizeof *all->arranged);
    if (!all->arranged) return GWS_NO_MEMORY;
    gws__key_blocks_line_up(all->parts, counts_of(all, all->self, 0), all->arranged, all->target);
    return gws__key_blocks_move(all->runtime, &all->blocks, all->target);
}

static gws_status exchange(struct gws__key_division *all)
{
    gws_status status = gws_transport_agree(all->transport, arrange(all));
    if (status != GWS_OK) return status;
    const struct gws_exchange keys = {
        .from = all->arranged, .items = all->items, .item_bytes = sizeof *all->to, .receive = receive, .context = all};
    gws_transport_exchange(all->transport, &keys);
    return GWS_OK;
}

/* ---- the division ---- */

gws_status gws__key_division_run(struct gws__key_division *all, uint64_t seed, struct gws_quicksort_parted *sorted,
                                 struct gws_diagnostic *where)
{
    gws_status status = number_keys(all);
    if (status != GWS_OK) return status;
    if (all->all > 0) choose_splitters(all, seed);
    all->blocks = (struct gws__key_blocks){
        .from = all->from, .count = all->count, .parts = all->parts, .find = find, .context = all};
    status = gws__key_blocks_count(all->runtime, &all->blocks, counts_of(all, all->self, 0));
    status = gws_transport_agree(all->transport, status);
    if (status == GWS_OK) status = open_parts(all, sorted, where);
    if (status != GWS_OK) return status;
    return reaches_all(all) ? write_to_parts(all) : exchange(all);
}
