/* SPDX-License-Identifier: MIT */
/* Test keys of quicksort, and their check. A key depends only on its number, so any worker can make any key. */
#include <stdatomic.h>

#include "../lib/parallel.h"
#include "../lib/random.h"
#include <string.h>

#include "quicksort.h"

enum { values_of_few = 16, grain = 1 << 16 };

struct keys {
    uint64_t *key;
    uint64_t first, all, seed; /* the number of the first key, and of all keys */
    enum gws_quicksort_order order;
};

const char *gws_quicksort_order_at(uint32_t i)
{
    static const char *const name[] = {"random", "up", "down", "few", "equal"};
    return i < sizeof name / sizeof *name ? name[i] : NULL;
}

static uint64_t key_at(const struct keys *keys, uint64_t i)
{
    uint64_t draw = gws_random_at(keys->seed, i);
    switch (keys->order) {
    case GWS_QUICKSORT_UP:
        return i;
    case GWS_QUICKSORT_DOWN:
        return keys->all - 1 - i;
    case GWS_QUICKSORT_FEW:
        return draw % values_of_few;
    case GWS_QUICKSORT_EQUAL:
        return keys->seed;
    default:
        return draw;
    }
}

/* Runs body over the keys. */
static void run_keys(struct gws_runtime *runtime, uint64_t count, gws_body *body, void *context)
{
    struct gws_loop loop = {.count = count, .grain = grain, .body = body, .context = context, .uncounted = true};
    gws_parallel_run(runtime, &loop);
}

static void fill(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    const struct keys *keys = context;
    for (uint64_t i = begin; i < end; i++) keys->key[i] = key_at(keys, keys->first + i);
}

void gws_quicksort_fill(struct gws_runtime *runtime, enum gws_quicksort_order order, uint64_t seed, uint64_t *keys,
                        uint64_t count)
{
    gws_quicksort_fill_part(runtime, order, seed, keys, 0, count, count);
}

void gws_quicksort_fill_part(struct gws_runtime *runtime, enum gws_quicksort_order order, uint64_t seed, uint64_t *keys,
                             uint64_t first, uint64_t count, uint64_t all)
{
    struct keys made = {.key = keys, .first = first, .all = all, .seed = seed, .order = order};
    run_keys(runtime, count, fill, &made);
}

/* The checks cover the order of the keys, and a sum of the mixed keys. A lost, repeated or changed key changes the sum
 * (except with a probability of 2^-64). */

struct judged {
    const uint64_t *key;
    _Atomic uint64_t sum;
    _Atomic uint64_t wrong; /* the first key smaller than its predecessor; UINT64_MAX: none */
};

/* All operations are relaxed, because the end of the loop orders these writes before the caller's reads. */
static void add(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    struct judged *judged = context;
    uint64_t sum = 0;
    for (uint64_t i = begin; i < end; i++) sum += gws_random_mix(judged->key[i] + UINT64_C(0x9e3779b97f4a7c15));
    atomic_fetch_add_explicit(&judged->sum, sum, memory_order_relaxed);
}

static void compare(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    struct judged *judged = context;
    uint64_t i = begin ? begin : 1;
    while (i < end && judged->key[i - 1] <= judged->key[i]) i++;
    if (i >= end) return;
    uint64_t first = atomic_load_explicit(&judged->wrong, memory_order_relaxed);
    while (i < first && !atomic_compare_exchange_weak_explicit(&judged->wrong, &first, i, memory_order_relaxed,
                                                               memory_order_relaxed))
        continue;
}

uint64_t gws_quicksort_sum(struct gws_runtime *runtime, const uint64_t *keys, uint64_t count)
{
    struct judged judged = {.key = keys};
    run_keys(runtime, count, add, &judged);
    return judged.sum;
}

static gws_status quicksort_check(struct gws_runtime *runtime, const uint64_t *keys, uint64_t count, uint64_t sum,
                                  struct gws_diagnostic *where)
{
    struct judged judged = {.key = keys, .wrong = UINT64_MAX};
    run_keys(runtime, count, compare, &judged);
    uint64_t wrong = judged.wrong;
    if (wrong != UINT64_MAX)
        return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0, "key %llu is smaller than the one before it",
                                  (unsigned long long)wrong);
    if (gws_quicksort_sum(runtime, keys, count) != sum)
        return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0, "the sorted keys differ from the input");
    return GWS_OK;
}

gws_status gws_quicksort_check(struct gws_runtime *runtime, const uint64_t *keys, uint64_t count, uint64_t sum,
                               struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, quicksort_check(runtime, keys, count, sum, where));
}

/* ---- of several ranks ---- */

/* What each rank has. */
struct summary {
    uint64_t count, first, last, sum, wrong; /* wrong: the rank's own keys are not in order */
};

enum { summary_words = sizeof(struct summary) / sizeof(uint64_t) };

static gws_status check_summaries(const struct summary *summary, uint32_t ranks, uint64_t sum,
                                  struct gws_diagnostic *where)
{
    uint64_t before = 0;
    for (uint32_t r = 0; r < ranks; r++) {
        if (summary[r].wrong || (summary[r].count > 0 && summary[r].first < before))
            return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0,
                                      summary[r].wrong ? "the keys of rank %u are not in order"
                                                       : "the first key of rank %u is smaller than one before it",
                                      r);
        if (summary[r].count > 0) before = summary[r].last;
        sum -= summary[r].sum;
    }
    if (sum != 0)
        return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0, "the sorted keys differ from the input");
    return GWS_OK;
}

gws_status gws_quicksort_check_parted(struct gws_runtime *runtime, struct gws_transport *transport,
                                      const struct gws_quicksort_parted *sorted, uint64_t sum,
                                      struct gws_diagnostic *where)
{
    const uint32_t ranks = gws_transport_ranks(transport), self = gws_transport_rank(transport);
    const uint64_t count = sorted->count;
    struct summary *summary = gws_allocate(runtime, ranks, sizeof *summary);
    gws_status status = gws_transport_agree(transport, summary ? GWS_OK : GWS_NO_MEMORY);
    if (summary && status == GWS_OK) {
        memset(summary, 0, ranks * sizeof *summary);
        summary[self] = (struct summary){.count = count, .sum = gws_quicksort_sum(runtime, sorted->keys, count)};
        summary[self].wrong = gws_quicksort_check(runtime, sorted->keys, count, summary[self].sum, NULL) != GWS_OK;
        if (count > 0) summary[self].first = sorted->keys[0];
        if (count > 0) summary[self].last = sorted->keys[count - 1];
        gws_transport_sum(transport, (uint64_t *)summary, ranks * summary_words);
        status = check_summaries(summary, ranks, sum, where);
    }
    gws_release(runtime, summary, ranks, sizeof *summary);
    return status;
}
