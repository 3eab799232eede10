/* SPDX-License-Identifier: MIT */
/* Quicksort on several ranks. A random sample of all keys splits them into a part for each rank (Frazer, McKellar:
 * "Samplesort", J. ACM 17, 1970). Equal keys are ordered by their numbers, so all keys differ and no part is large.
 * Every rank arranges its keys by parts (quicksort_blocks.c), and the ranks exchange them. Then the parts lie in
 * memory that the ranks of a host share, and their ranges are tasks that these ranks steal (quicksort.c; Rudolph et
 * al., SPAA 1991, section 4, on the ranks of Dinan et al., SC 2009). If ranks have devices, the sample splits each
 * rank's part into several, which the sides of all ranks of a host take (quicksort_sides.c). */
#include "quicksort_ranks.h"

#include <stdlib.h>
#include <string.h>

#include "../lib/random.h"
#include "quicksort_blocks.h"
#include "quicksort_sides.h"

enum { oversampling = 512, max_parts = 1 << 16, head = 16 /* words before a rank's keys: the counter of its parts */ };
static const uint64_t max_keys = UINT64_C(1) << 48;

struct numbered_key {
    uint64_t key, number;
};

struct key_division {
    struct gws_runtime *runtime;
    struct gws_transport *transport;
    uint32_t ranks, self, each, parts; /* each: parts of a rank; parts: of all */
    const uint64_t *from;          /* this rank's keys */
    uint64_t count, first, all;    /* their number; the number of the first one; of all keys */
    uint64_t *counts;              /* ranks * parts: keys from each rank to each part */
    uint64_t *items;               /* keys from this rank to each rank */
    uint64_t *sample;              /* keys of the sample */
    struct numbered_key *splitter; /* the sample in order, then keys at equal distances in it, parts - 1 in all */
    uint64_t *arranged;            /* the keys by part */
    uint64_t *to, *next;           /* this rank's parts; by rank and part: the place of the next key that arrives */
    uint64_t **base;               /* the keys of the ranks of this host */
    struct gws__quicksort_part *part;   /* the parts of all ranks of this host */
    struct gws__quicksort_share *share; /* the ranks of this host, from this one on */
};

static uint64_t samples_of(const struct key_division *all)
{
    return (uint64_t)all->ranks * oversampling;
}

/* ---- memory ---- */

static void close(struct key_division *all)
{
    struct gws_runtime *runtime = all->runtime;
    gws_release(runtime, all->counts, (uint64_t)all->ranks * all->parts, sizeof *all->counts);
    gws_release(runtime, all->items, all->ranks, sizeof *all->items);
    gws_release(runtime, all->sample, samples_of(all), sizeof *all->sample);
    gws_release(runtime, all->splitter, samples_of(all), sizeof *all->splitter);
    gws_release(runtime, all->arranged, all->count, sizeof *all->arranged);
    gws_release(runtime, all->next, all->parts, sizeof *all->next);
    gws_release(runtime, (void *)all->base, all->ranks, sizeof *all->base);
    gws_release(runtime, all->part, all->parts, sizeof *all->part);
    gws_release(runtime, all->share, all->ranks, sizeof *all->share);
}

static gws_status open(struct key_division *all)
{
    struct gws_runtime *runtime = all->runtime;
    all->counts = gws_allocate(runtime, (uint64_t)all->ranks * all->parts, sizeof *all->counts);
    all->items = gws_allocate(runtime, all->ranks, sizeof *all->items);
    all->sample = gws_allocate(runtime, samples_of(all), sizeof *all->sample);
    all->splitter = gws_allocate(runtime, samples_of(all), sizeof *all->splitter);
    all->arranged = gws_allocate(runtime, all->count, sizeof *all->arranged);
    all->next = gws_allocate(runtime, all->parts, sizeof *all->next);
    all->base = gws_allocate(runtime, all->ranks, sizeof *all->base);
    all->part = gws_allocate(runtime, all->parts, sizeof *all->part);
    all->share = gws_allocate(runtime, all->ranks, sizeof *all->share);
    const bool made = all->counts && all->items && all->sample && all->splitter && all->arranged && all->next &&
                      all->base && all->part && all->share;
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
    for (uint64_t p = 1; p < all->parts; p++) all->splitter[p - 1] = all->splitter[p * oversampling / all->each];
}

/* ---- arranging ---- */

/* Returns the part of a key: the number of splitters that are not above it. */
static uint32_t part_of(const struct key_division *all, uint64_t key, uint64_t number)
{
    const struct numbered_key self = {key, number};
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
    const struct key_division *all = context;
    for (uint64_t i = begin; i < end; i++) part[i - begin] = (uint16_t)part_of(all, all->from[i], all->first + i);
}

static gws_status arrange(struct key_division *all)
{
    const struct gws__key_blocks blocks = {
        .from = all->from, .to = all->arranged, .count = all->count, .parts = all->parts, .find = find, .context = all};
    return gws__key_blocks_arrange(all->runtime, &blocks, all->counts + (uint64_t)all->self * all->parts);
}

/* ---- the exchange ---- */

/* Returns the counts of the keys from one rank to the parts of another one. */
static uint64_t *counts_of(const struct key_division *all, uint32_t from, uint32_t to)
{
    return all->counts + (uint64_t)from * all->parts + (uint64_t)to * all->each;
}

/* A rank's keys arrive by parts. */
static void receive(void *context, uint32_t rank, const void *data, uint64_t items)
{
    const struct key_division *all = context;
    const uint64_t *key = data;
    uint64_t *left = counts_of(all, rank, all->self), *next = all->next + (uint64_t)rank * all->each;
    for (uint32_t p = 0; items > 0; p++) {
        const uint64_t count = left[p] < items ? left[p] : items;
        memcpy(all->to + next[p], key, count * sizeof *key);
        next[p] += count, left[p] -= count, key += count, items -= count;
    }
}

/* Counts the keys for each rank, and those that this one receives. Places them by parts, and by ranks in a part. */
static uint64_t place_keys(struct key_division *all)
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
static void list_parts(const struct key_division *all, uint32_t rank)
{
    struct gws__quicksort_part *part = all->part + (uint64_t)rank * all->each;
    uint64_t begin = 0;
    for (uint32_t p = 0; p < all->each; p++) {
        part[p] = (struct gws__quicksort_part){begin, 0};
        for (uint32_t r = 0; r < all->ranks; r++) part[p].count += counts_of(all, r, rank)[p];
        begin += part[p].count;
    }
}

static gws_status exchange(struct key_division *all, struct gws_quicksort_parted *sorted, struct gws_diagnostic *where)
{
    for (uint32_t r = 0; r < all->ranks; r++) all->items[r] = all->parts; /* words of each */
    gws_transport_allgather(all->transport, all->counts, all->items);
    const uint64_t count = place_keys(all);
    gws_status status = gws_transport_memory_open(all->transport, head + count, all->base, &sorted->memory);
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
    sorted->count = count;
    const struct gws_exchange blocks = {
        .from = all->arranged, .items = all->items, .item_bytes = sizeof *all->to, .receive = receive, .context = all};
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

/* ---- on devices ---- */

/* Lists the ranks of this host, from this one on. Returns their number. */
static uint32_t list_shares(const struct key_division *all)
{
    uint32_t shares = 0;
    for (uint32_t i = 0; i < all->ranks; i++) {
        const uint32_t rank = (all->self + i) % all->ranks;
        uint64_t *keys = all->base[rank];
        if (!keys) continue;
        all->share[shares++] = (struct gws__quicksort_share){.part = all->part + (uint64_t)rank * all->each,
                                                             .parts = all->each,
                                                             .from = keys,
                                                             .to = keys,
                                                             .next = (_Atomic uint64_t *)(keys - head)};
    }
    return shares;
}

/* Counts the parts that moved between ranks. */
static void count_parts(const struct key_division *all, const struct gws_quicksort_side_result *found, uint32_t sides,
                        struct gws_rank_stats *stats)
{
    uint64_t own = 0;
    *stats = (struct gws_rank_stats){.by_shared = gws_transport_ranks_here(all->transport) - 1};
    for (uint32_t i = 0; i < sides; i++) {
        stats->requests += found[i].requests;
        stats->stolen += found[i].stolen;
        own += found[i].parts - found[i].stolen;
    }
    stats->steals = stats->stolen;
    stats->refused = stats->requests - stats->steals;
    stats->given = all->each - own;
}

static gws_status sort_on_sides(const struct key_division *all, const struct gws_quicksort_sides *sides,
                                const struct gws_quicksort_options *options, struct gws_rank_stats *stats,
                                struct gws_quicksort_result *result, struct gws_diagnostic *where)
{
    struct gws_quicksort_side_result found[GWS_DEVICE_TASK_SIDES + 1];
    struct gws_quicksort_sides own = *sides;
    struct gws_diagnostic message = {0};
    const uint32_t count = sides->devices + sides->workers;
    own.found = found;
    (void)gws_transport_agree(all->transport, GWS_OK); /* all keys have arrived */
    gws_status status =
        gws__quicksort_sort_shares(all->runtime, &own, all->share, list_shares(all), options, result, &message);
    status = gws_transport_agree_on(all->transport, status, &message);
    if (status != GWS_OK) {
        if (where) *where = message;
        return status;
    }
    if (stats) count_parts(all, found, count, stats);
    if (sides->found) memcpy(sides->found, found, count * sizeof *found);
    return status;
}

/* ---- the call ---- */

/* Finds the number of parts of each rank. Returns whether some rank has a device. */
static bool choose_parts(struct key_division *all, const struct gws_quicksort_sides *sides)
{
    uint64_t max[] = {sides->devices, sides->devices + sides->workers, all->count};
    gws_transport_max(all->transport, max, sizeof max / sizeof *max);
    const uint32_t wanted = max[0] > 0 ? gws__quicksort_wanted(max[2], (uint32_t)max[1]) : 1;
    const uint32_t limit = max_parts / all->ranks;
    all->each = wanted < limit ? wanted : limit > 0 ? limit : 1;
    all->parts = all->each * all->ranks;
    return max[0] > 0;
}

static gws_status sort_on_ranks(struct key_division *all, const struct gws_ranks *ranks,
                                const struct gws_quicksort_sides *sides, const struct gws_quicksort_options *options,
                                struct gws_quicksort_result *result, struct gws_quicksort_parted *sorted,
                                struct gws_diagnostic *where)
{
    struct gws_ranks own = *ranks;
    struct gws_quicksort_result found;
    const bool on_devices = choose_parts(all, sides);
    gws_status status = open(all);
    if (status == GWS_OK) status = divide(all, options->seed, sorted, where);
    gws_release(all->runtime, all->arranged, all->count, sizeof *all->arranged);
    all->arranged = NULL;
    own.all_roots = true;
    own.reach = all->base;
    if (status == GWS_OK)
        status = on_devices ? sort_on_sides(all, sides, options, ranks->stats, &found, where)
                            : gws__quicksort_sort_parts(all->runtime, &own, sorted->count, options, &found);
    if (status == GWS_OK) {
        *result = found;
        sum_results(all->transport, result);
    }
    close(all);
    if (status != GWS_OK) gws_quicksort_parted_free(all->transport, sorted);
    return status;
}

gws_status gws_quicksort_on_ranks(struct gws_runtime *runtime, const struct gws_ranks *ranks,
                                  const struct gws_quicksort_sides *sides, const uint64_t *keys, uint64_t count,
                                  const struct gws_quicksort_options *options, struct gws_quicksort_result *result,
                                  struct gws_quicksort_parted *sorted, struct gws_diagnostic *where)
{
    static const struct gws_quicksort_sides workers = {.workers = true};
    struct key_division all = {.runtime = runtime,
                               .transport = ranks->transport,
                               .ranks = gws_transport_ranks(ranks->transport),
                               .self = gws_transport_rank(ranks->transport),
                               .from = keys,
                               .count = count};
    gws_quicksort_parted_free(ranks->transport, sorted);
    return GWS_CALL(runtime, where,
                    sort_on_ranks(&all, ranks, sides ? sides : &workers, options, result, sorted, where));
}

void gws_quicksort_parted_free(struct gws_transport *transport, struct gws_quicksort_parted *sorted)
{
    gws_transport_memory_close(transport, sorted->memory);
    *sorted = (struct gws_quicksort_parted){0};
}
