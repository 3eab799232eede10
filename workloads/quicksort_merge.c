/* SPDX-License-Identifier: MIT */
/* Quicksort on ranks with devices: each rank sorts its keys where they are, and all merge (Shi, Schaeffer: "Parallel
 * Sorting by Regular Sampling", J. Parallel and Distributed Computing 14, 1992). The sorted keys lie in memory that all
 * ranks share. A random sample of them cuts them into parts, several for each rank, and a rank's workers merge its
 * parts from the keys of all ranks. Equal keys are ordered by their places, so no part is large. Between hosts the
 * ranks exchange their sorted keys before. */
#include <string.h>

#include "../lib/parallel.h"
#include "quicksort_division.h"

/* Sorted keys. */
struct key_run {
    const uint64_t *keys;
    uint64_t count;
};

struct run_merging {
    struct gws__key_division *all;
    uint64_t *shared;    /* the sorted keys of all ranks in their order; NULL: not all ranks share memory */
    uint64_t *own;       /* otherwise those of this rank; else untouched, to count the shared memory */
    uint64_t *arrived;   /* and those that others sent to it */
    uint64_t *scratch;   /* of more than two ranks: as many keys as the result */
    struct key_run *run; /* by part and rank: keys that this rank merges */
    uint64_t *to;        /* the result, of `count` keys */
    uint64_t count;
};

/* ---- sorting ---- */

static gws_status sort_on_device(struct gws__key_division *all, const struct gws_quicksort_sides *sides, uint64_t *to,
                                 const struct gws_quicksort_options *options, struct gws_quicksort_result *result,
                                 struct gws_diagnostic *where)
{
    struct gws_quicksort_side_result found = {.keys = all->count, .parts = 1};
    const double began = gws_clock_ms();
    const gws_status status =
        gws__quicksort_on_device(*sides->device, all->from, to, all->count, options, result, &found.device, where);
    if (status != GWS_OK || !sides->found) return status;
    found.ms = gws_clock_ms() - began;
    found.tree = *result;
    *sides->found = found;
    return status;
}

/* Sorts this rank's keys into `to`. */
static gws_status sort_own(struct gws__key_division *all, const struct gws_quicksort_sides *sides, uint64_t *to,
                           const struct gws_quicksort_options *options, struct gws_quicksort_result *result,
                           struct gws_diagnostic *where)
{
    if (sides->devices == 1 && !sides->workers) return sort_on_device(all, sides, to, options, result, where);
    return gws__quicksort_on_sides(all->runtime, sides, all->from, to, all->count, options, result, where);
}

/* ---- cutting ---- */

/* Returns the number of this rank's keys below a splitter. */
static uint64_t keys_below(const struct gws__key_division *all, const struct gws__numbered_key *splitter)
{
    uint64_t begin = 0, end = all->count;
    while (begin < end) {
        const uint64_t middle = begin + (end - begin) / 2;
        const struct gws__numbered_key key = {all->from[middle], all->first + middle};
        if (gws__key_is_below(&key, splitter))
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

static void count_parts(const struct gws__key_division *all)
{
    uint64_t *counts = gws__key_division_counts(all, all->self, 0), begin = 0;
    for (uint32_t p = 0; p < all->parts; p++) {
        const uint64_t end = p + 1 < all->parts ? keys_below(all, &all->splitter[p]) : all->count;
        counts[p] = end - begin;
        begin = end;
    }
}

/* ---- merging ---- */

/* Merges a .. a_end - 1 and b .. b_end - 1. There is no branch on keys: it would be guessed wrong half of the time. */
static void merge_rest(const uint64_t *a, const uint64_t *a_end, const uint64_t *b, const uint64_t *b_end, uint64_t *to)
{
    while (a < a_end && b < b_end) {
        const uint64_t second = *b < *a;
        *to++ = second ? *b : *a;
        a += 1 - second;
        b += second;
    }
    memcpy(to, a, (size_t)(a_end - a) * sizeof *to);
    memcpy(to + (a_end - a), b, (size_t)(b_end - b) * sizeof *to);
}

/* Returns how many keys of a are among the first `first` ones of both. */
static uint64_t keys_among(struct key_run a, struct key_run b, uint64_t first)
{
    uint64_t begin = first > b.count ? first - b.count : 0, end = first < a.count ? first : a.count;
    while (begin < end) {
        const uint64_t middle = begin + (end - begin) / 2;
        if (a.keys[middle] < b.keys[first - middle - 1])
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

/* Merges a and b, and in the same loop the second half of both, c and d: each key waits for the one before it. */
static void merge_two(struct key_run all_a, struct key_run all_b, uint64_t *to)
{
    const uint64_t half = (all_a.count + all_b.count) / 2, among = keys_among(all_a, all_b, half);
    const uint64_t *a = all_a.keys, *const a_end = a + among, *c = a_end, *const c_end = a + all_a.count;
    const uint64_t *b = all_b.keys, *const b_end = b + (half - among), *d = b_end, *const d_end = b + all_b.count;
    while (a < a_end && b < b_end && c < c_end && d < d_end) {
        const uint64_t from_a = *a, from_b = *b, from_c = *c, from_d = *d, low = from_b < from_a,
                       high = from_d < from_c;
        to[0] = low ? from_b : from_a;
        to[half] = high ? from_d : from_c;
        to++;
        a += 1 - low, b += low;
        c += 1 - high, d += high;
    }
    merge_rest(a, a_end, b, b_end, to);
    merge_rest(c, c_end, d, d_end, to + half);
}

/* Merges runs, with a scratch array of the same length. Returns where they are: in `to`, unless there is only one. */
static struct key_run merge_runs(const struct key_run *run, uint32_t runs, uint64_t *to, uint64_t *scratch)
{
    if (runs == 1) return *run;
    const struct key_run a = merge_runs(run, runs / 2, scratch, to);
    const struct key_run b = merge_runs(run + runs / 2, runs - runs / 2, scratch + a.count, to + a.count);
    merge_two(a, b, to);
    return (struct key_run){to, a.count + b.count};
}

static uint64_t count_of(const struct key_run *run, uint64_t runs)
{
    uint64_t count = 0;
    for (uint64_t i = 0; i < runs; i++) count += run[i].count;
    return count;
}

static void merge_parts(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct run_merging *merging = context;
    const uint32_t ranks = merging->all->ranks;
    (void)worker;
    for (uint64_t p = begin; p < end; p++) {
        const struct key_run *run = merging->run + p * ranks;
        const uint64_t at = count_of(merging->run, p * ranks);
        uint64_t *to = merging->to + at, *scratch = merging->scratch ? merging->scratch + at : to;
        const struct key_run merged = merge_runs(run, ranks, to, scratch);
        if (merged.keys != to) memcpy(to, merged.keys, merged.count * sizeof *to);
    }
}

/* Lists the keys of each rank for each part of this one. */
static void list_runs(const struct run_merging *merging)
{
    const struct gws__key_division *all = merging->all;
    const uint64_t *from = merging->shared ? merging->shared : merging->arrived;
    for (uint32_t r = 0; r < all->ranks; r++) {
        const uint64_t *counts = gws__key_division_counts(all, r, 0);
        for (uint32_t p = 0; p < all->parts; p++) {
            const bool mine = p / all->each == all->self;
            if (mine) merging->run[(uint64_t)(p % all->each) * all->ranks + r] = (struct key_run){from, counts[p]};
            if (mine || merging->shared) from += counts[p];
        }
    }
}

/* ---- the call ---- */

static gws_status allocate(struct run_merging *merging)
{
    struct gws__key_division *all = merging->all;
    struct gws_runtime *runtime = all->runtime;
    merging->run = gws_allocate(runtime, all->parts, sizeof *merging->run);
    merging->to = gws_allocate(runtime, merging->count, sizeof *merging->to);
    if (!merging->shared) all->to = merging->arrived = gws_allocate(runtime, merging->count, sizeof *merging->to);
    if (all->ranks > 2) merging->scratch = gws_allocate(runtime, merging->count, sizeof *merging->to);
    return merging->run && merging->to && (merging->shared || merging->arrived) && (all->ranks <= 2 || merging->scratch)
               ? GWS_OK
               : GWS_NO_MEMORY;
}

static gws_status merge(struct run_merging *merging)
{
    struct gws__key_division *all = merging->all;
    const struct gws_loop loop = {
        .count = all->each, .chunk = 1, .grain = 1, .body = merge_parts, .context = merging, .uncounted = true};
    merging->count = gws__key_division_place(all);
    gws_status status = gws_transport_agree(all->transport, allocate(merging));
    if (status != GWS_OK) return status;
    if (!merging->shared) gws__key_division_exchange(all, merging->own);
    list_runs(merging);
    return gws_transport_agree(all->transport, gws_parallel_try(all->runtime, &loop));
}

static void close_merging(struct run_merging *merging)
{
    struct gws__key_division *all = merging->all;
    gws_release(all->runtime, merging->run, all->parts, sizeof *merging->run);
    gws_release(all->runtime, merging->own, all->count, sizeof *merging->own);
    gws_release(all->runtime, merging->arrived, merging->count, sizeof *merging->arrived);
    gws_release(all->runtime, merging->scratch, merging->count, sizeof *merging->scratch);
}

gws_status gws__quicksort_merge(struct gws__key_division *all, const struct gws_quicksort_sides *sides,
                                const struct gws_quicksort_options *options, struct gws_quicksort_result *result,
                                struct gws_quicksort_parted *sorted, struct gws_diagnostic *where)
{
    struct run_merging merging = {.all = all};
    struct gws_diagnostic message = {0};
    gws_status status = gws__key_division_number(all);
    if (status != GWS_OK) return status;
    merging.shared = gws_transport_scratch(all->transport, all->all);
    merging.own = gws_allocate(all->runtime, all->count, sizeof *merging.own);
    uint64_t *const to = merging.shared ? merging.shared + all->first : merging.own;
    status = merging.own ? sort_own(all, sides, to, options, result, &message) : GWS_NO_MEMORY;
    status = gws_transport_agree_on(all->transport, status, &message);
    if (status == GWS_OK) {
        all->from = to;
        gws__key_division_sample(all, options->seed);
        count_parts(all);
        status = merge(&merging);
    } else if (where) {
        *where = message;
    }
    close_merging(&merging);
    *sorted = (struct gws_quicksort_parted){.keys = merging.to, .count = merging.count, .runtime = all->runtime};
    return status;
}
