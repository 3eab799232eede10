/* SPDX-License-Identifier: MIT */
/* Divides the keys of all ranks into a part for each rank, by a random sample of them (Frazer, McKellar:
 * "Samplesort", J. ACM 17, 1970). Equal keys are ordered by their numbers, so all keys differ and no part is large.
 * If all ranks share memory, each writes its keys to their parts there (quicksort_blocks.c). Otherwise it arranges them
 * by parts in memory of its own, and the ranks exchange them. */
#include "quicksort_division.h"

#include <stdlib.h>
#include <string.h>

#include "../lib/random.h"

enum { oversampling = 512, max_parts = 1 << 16 };
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
    gws_release(runtime, all->next, all->ranks, sizeof *all->next);
    gws_release(runtime, (void *)all->base, all->ranks, sizeof *all->base);
}

gws_status gws__key_division_open(struct gws__key_division *all)
{
    struct gws_runtime *runtime = all->runtime;
    all->counts = gws_allocate(runtime, (uint64_t)all->ranks * all->parts, sizeof *all->counts);
    all->items = gws_allocate(runtime, all->ranks, sizeof *all->items);
    all->sample = gws_allocate(runtime, samples_of(all), sizeof *all->sample);
    all->splitter = gws_allocate(runtime, samples_of(all), sizeof *all->splitter);
    all->target = gws_allocate(runtime, all->parts, sizeof *all->target);
    all->next = gws_allocate(runtime, all->ranks, sizeof *all->next);
    all->base = gws_allocate(runtime, all->ranks, sizeof *all->base);
    const bool made =
        all->counts && all->items && all->sample && all->splitter && all->target && all->next && all->base;
    const gws_status own = made ? GWS_OK : GWS_NO_MEMORY, status = gws_transport_agree(all->transport, own);
    return made ? status : own; /* for static analysis, too */
}

/* ---- the splitters ---- */

static int in_order(const void *a, const void *b)
{
    const struct gws__numbered_key *x = a, *y = b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key) : (x->number > y->number) - (x->number < y->number);
}

bool gws__key_is_below(const struct gws__numbered_key *a, const struct gws__numbered_key *b)
{
    return in_order(a, b) < 0;
}

gws_status gws__key_division_number(struct gws__key_division *all)
{
    uint64_t *counts = all->counts;
    if (all->parts > max_parts) return GWS_TOO_LARGE;
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
void gws__key_division_sample(struct gws__key_division *all, uint64_t seed)
{
    if (all->all == 0) return;
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

uint64_t gws__key_division_place(struct gws__key_division *all)
{
    uint64_t count = 0;
    for (uint32_t r = 0; r < all->ranks; r++) all->items[r] = all->parts; /* words of each */
    gws_transport_allgather(all->transport, all->counts, all->items);
    for (uint32_t r = 0; r < all->ranks; r++) {
        const uint64_t *to = gws__key_division_counts(all, all->self, r),
                       *from = gws__key_division_counts(all, r, all->self);
        all->items[r] = 0;
        all->next[r] = count;
        for (uint32_t p = 0; p < all->each; p++) all->items[r] += to[p], count += from[p];
    }
    return count;
}

/* Counts the memory of this rank's sorted keys, or refuses it on all ranks. */
static gws_status count_memory(const struct gws__key_division *all, struct gws_quicksort_parted *sorted,
                               struct gws_diagnostic *where)
{
    const uint64_t words = sorted->count;
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

/* Opens the memory of the parts. */
static gws_status open_parts(struct gws__key_division *all, struct gws_quicksort_parted *sorted,
                             struct gws_diagnostic *where)
{
    const uint64_t count = sorted->count = gws__key_division_place(all);
    gws_status status = count_memory(all, sorted, where);
    if (status != GWS_OK) return status;
    status = gws_transport_memory_open(all->transport, count, all->base, &sorted->memory);
    if (status != GWS_OK)
        return gws_diagnostic_set(where, status, NULL, 0, 0,
                                  "no shared memory for the %llu keys of this rank; /dev/shm may be too small",
                                  (unsigned long long)count);
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
        all->target[p] = all->base[p];
        for (uint32_t r = 0; r < all->self; r++) all->target[p] += all->counts[(uint64_t)r * all->parts + p];
    }
    return gws_transport_agree(all->transport, gws__key_blocks_move(all->runtime, &all->blocks, all->target));
}

static void receive(void *context, uint32_t rank, const void *data, uint64_t items)
{
    const struct gws__key_division *all = context;
    memcpy(all->to + all->next[rank], data, items * sizeof *all->to);
    all->next[rank] += items;
}

void gws__key_division_exchange(struct gws__key_division *all, const uint64_t *keys)
{
    const struct gws_exchange exchange = {
        .from = keys, .items = all->items, .item_bytes = sizeof *keys, .receive = receive, .context = all};
    gws_transport_exchange(all->transport, &exchange);
}

/* Arranges the keys by parts. */
static gws_status arrange(struct gws__key_division *all)
{
    all->arranged = gws_allocate(all->runtime, all->count, sizeof *all->arranged);
    if (!all->arranged) return GWS_NO_MEMORY;
    gws__key_blocks_line_up(all->parts, gws__key_division_counts(all, all->self, 0), all->arranged, all->target);
    return gws__key_blocks_move(all->runtime, &all->blocks, all->target);
}

static gws_status exchange(struct gws__key_division *all)
{
    gws_status status = gws_transport_agree(all->transport, arrange(all));
    if (status == GWS_OK) gws__key_division_exchange(all, all->arranged);
    return status;
}

/* ---- the division ---- */

gws_status gws__key_division_run(struct gws__key_division *all, uint64_t seed, struct gws_quicksort_parted *sorted,
                                 struct gws_diagnostic *where)
{
    gws_status status = gws__key_division_number(all);
    if (status != GWS_OK) return status;
    gws__key_division_sample(all, seed);
    all->blocks = (struct gws__key_blocks){
        .from = all->from, .count = all->count, .parts = all->parts, .find = find, .context = all};
    status = gws__key_blocks_count(all->runtime, &all->blocks, gws__key_division_counts(all, all->self, 0));
    status = gws_transport_agree(all->transport, status);
    if (status == GWS_OK) status = open_parts(all, sorted, where);
    if (status != GWS_OK) return status;
    return reaches_all(all) ? write_to_parts(all) : exchange(all);
}
