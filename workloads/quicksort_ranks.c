/* SPDX-License-Identifier: MIT */
/* Quicksort on several ranks. A random sample of all keys splits them into a part for each rank (Frazer, McKellar:
 * "Samplesort", J. ACM 17, 1970). Equal keys are ordered by their numbers, so all keys differ and no part is large.
 * Every rank arranges its keys by parts (quicksort_blocks.c), and the ranks exchange them. Then the parts lie in
 * memory that the ranks of a host share, and their ranges are tasks that these ranks steal (quicksort.c; Rudolph et
 * al., SPAA 1991, section 4, on the ranks of Dinan et al., SC 2009). */
#include "quicksort_ranks.h"

#include <stdlib.h>
#include <string.h>

#include "../lib/random.h"
#include "quicksort_blocks.h"

enum { oversampling = 512, max_ranks = 1 << 16 };
static const uint64_t max_keys = UINT64_C(1) << 48;

struct numbered_key {
    uint64_t key, number;
};

struct key_division {
    struct gws_runtime *runtime;
    struct gws_transport *transport;
    uint32_t ranks, self;
    const uint64_t *from;          /* this rank's keys */
    uint64_t count, first, all;    /* their number; the number of the first one; of all keys */
    uint64_t *counts;              /* ranks^2: keys from each rank to each rank */
    uint64_t *sample;              /* keys of the sample */
    struct numbered_key *splitter; /* the sample in order, then every oversampling-th of it, ranks - 1 in all */
    uint64_t *arranged;            /* the keys by rank */
    uint64_t *to, *next;           /* the part; by rank: the place of the next key that arrives */
    uint64_t **base;               /* the parts of the ranks of this host */
};

static uint64_t samples_of(const struct key_division *all)
{
    return (uint64_t)all->ranks * oversampling;
}

/* ---- memory ---- */

static void close(struct key_division *all)
{
    struct gws_runtime *runtime = all->runtime;
    gws_release(runtime, all->counts, (uint64_t)all->ranks * all->ranks, sizeof *all->counts);
    gws_release(runtime, all->sample, samples_of(all), sizeof *all->sample);
    gws_release(runtime, all->splitter, samples_of(all), sizeof *all->splitter);
    gws_release(runtime, all->arranged, all->count, sizeof *all->arranged);
    gws_release(runtime, all->next, all->ranks, sizeof *all->next);
    gws_release(runtime, (void *)all->base, all->ranks, sizeof *all->base);
}

static gws_status open(struct key_division *all)
{
    struct gws_runtime *runtime = all->runtime;
    all->counts = gws_allocate(runtime, (uint64_t)all->ranks * all->ranks, sizeof *all->counts);
    all->sample = gws_allocate(runtime, samples_of(all), sizeof *all->sample);
    all->splitter = gws_allocate(runtime, samples_of(all), sizeof *all->splitter);
    all->arranged = gws_allocate(runtime, all->count, sizeof *all->arranged);
    all->next = gws_allocate(runtime, all->ranks, sizeof *all->next);
    all->base = gws_allocate(runtime, all->ranks, sizeof *all->base);
    const bool made = all->counts && all->sample && all->splitter && all->arranged && all->next && all->base;
    const gws_status own = made ? GWS_OK : GWS_NO_MEMORY, status = gws_transport_agree(all->transport, own);
    return made ? status : own; /* for static analysis, too */
}

/* ---- the splitters ---- */

static int in_order(const void *a, const void *b)
{
    const struct numbered_key *x = a, *y = b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key) : (x->number > y->number) - (x->number < y->number);
}

/* Numbers the keys of all ranks. */
static gws_status number_keys(struct key_division *all)
{
    uint64_t *counts = all->counts;
    if (all->ranks > max_ranks) return GWS_TOO_LARGE;
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
static void choose_splitters(struct key_division *all, uint64_t seed)
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
    for (uint32_t r = 1; r < all->ranks; r++) all->splitter[r - 1] = all->splitter[r * oversampling];
}

/* ---- arranging ---- */

/* Returns the rank of a key: the number of splitters that are not above it. */
static uint32_t rank_of(const struct key_division *all, uint64_t key, uint64_t number)
{
    const struct numbered_key self = {key, number};
    uint32_t below = 0;
    for (uint32_t left = all->ranks - 1; left > 0;) {
        const uint32_t half = (left + 1) / 2;
        below += in_order(&all->splitter[below + half - 1], &self) <= 0 ? half : 0;
        left -= half;
    }
    return below;
}

static void find(const void *context, uint64_t begin, uint64_t end, uint16_t *part)
{
    const struct key_division *all = context;
    for (uint64_t i = begin; i < end; i++) part[i - begin] = (uint16_t)rank_of(all, all->from[i], all->first + i);
}

static gws_status arrange(struct key_division *all)
{
    const struct gws__key_blocks blocks = {
        .from = all->from, .to = all->arranged, .count = all->count, .parts = all->ranks, .find = find, .context = all};
    return gws__key_blocks_arrange(all->runtime, &blocks, all->counts + (uint64_t)all->self * all->ranks);
}

/* ---- the exchange ---- */

static void receive(void *context, uint32_t rank, const void *data, uint64_t items)
{
    const struct key_division *all = context;
    memcpy(all->to + all->next[rank], data, items * sizeof *all->to);
    all->next[rank] += items;
}

static gws_status exchange(struct key_division *all, struct gws_quicksort_parted *sorted, struct gws_diagnostic *where)
{
    uint64_t *own = all->counts + (uint64_t)all->self * all->ranks, count = 0;
    for (uint32_t r = 0; r < all->ranks; r++) all->next[r] = all->ranks; /* words of each */
    gws_transport_allgather(all->transport, all->counts, all->next);
    for (uint32_t r = 0; r < all->ranks; r++) {
        all->next[r] = count;
        count += all->counts[(uint64_t)r * all->ranks + all->self];
    }
    gws_status status = gws_transport_memory_open(all->transport, count, all->base, &sorted->memory);
    if (status != GWS_OK)
        return gws_diagnostic_set(where, status, NULL, 0, 0,
                                  "no shared memory for the %llu keys of this rank; /dev/shm may be too small",
                                  (unsigned long long)count);
    sorted->keys = all->to = all->base[all->self];
    sorted->count = count;
    const struct gws_exchange blocks = {
        .from = all->arranged, .items = own, .item_bytes = sizeof *all->to, .receive = receive, .context = all};
    gws_transport_exchange(all->transport, &blocks);
    return GWS_OK;
}

/* ---- the sort ---- */

/* Moves the keys to their ranks. */
static gws_status divide(struct key_division *all, uint64_t seed, struct gws_quicksort_parted *sorted,
                         struct gws_diagnostic *where)
{
    gws_status status = number_keys(all);
    if (status != GWS_OK) return status;
    if (all->all > 0) choose_splitters(all, seed);
    status = gws_transport_agree(all->transport, arrange(all));
    return status == GWS_OK ? exchange(all, sorted, where) : status;
}

static void sum_results(struct gws_transport *transport, struct gws_quicksort_result *result)
{
    uint64_t counts[] = {result->tasks, result->splits}, depth = result->depth;
    gws_transport_sum(transport, counts, 2);
    gws_transport_max(transport, &depth, 1);
    *result = (struct gws_quicksort_result){.tasks = counts[0], .splits = counts[1], .depth = depth};
}

static gws_status sort_on_ranks(struct key_division *all, const struct gws_ranks *ranks,
                                const struct gws_quicksort_options *options, struct gws_quicksort_result *result,
                                struct gws_quicksort_parted *sorted, struct gws_diagnostic *where)
{
    struct gws_ranks own = *ranks;
    gws_status status = open(all);
    if (status == GWS_OK) status = divide(all, options->seed, sorted, where);
    gws_release(all->runtime, all->arranged, all->count, sizeof *all->arranged);
    all->arranged = NULL;
    own.all_roots = true;
    own.reach = all->base;
    if (status == GWS_OK) status = gws__quicksort_sort_parts(all->runtime, &own, sorted->count, options, result);
    if (status == GWS_OK) sum_results(all->transport, result);
    close(all);
    if (status != GWS_OK) gws_quicksort_parted_free(all->transport, sorted);
    return status;
}

gws_status gws_quicksort_on_ranks(struct gws_runtime *runtime, const struct gws_ranks *ranks, const uint64_t *keys,
                                  uint64_t count, const struct gws_quicksort_options *options,
                                  struct gws_quicksort_result *result, struct gws_quicksort_parted *sorted,
                                  struct gws_diagnostic *where)
{
    struct key_division all = {.runtime = runtime,
                               .transport = ranks->transport,
                               .ranks = gws_transport_ranks(ranks->transport),
                               .self = gws_transport_rank(ranks->transport),
                               .from = keys,
                               .count = count};
    gws_quicksort_parted_free(ranks->transport, sorted);
    return GWS_CALL(runtime, where, sort_on_ranks(&all, ranks, options, result, sorted, where));
}

void gws_quicksort_parted_free(struct gws_transport *transport, struct gws_quicksort_parted *sorted)
{
    gws_transport_memory_close(transport, sorted->memory);
    *sorted = (struct gws_quicksort_parted){0};
}
