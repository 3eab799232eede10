/* SPDX-License-Identifier: MIT */
/* Checks a sort: order, and a sum over what each key is mixed to, which a key lost, doubled or changed shifts (but for
 * a chance of 2^-64). */
#include <stdatomic.h>

#include "../lib/parallel.h"
#include "../lib/random.h"
#include "quicksort.h"

enum { grain = 1 << 16 };

struct judged {
    const uint64_t *key;
    _Atomic uint64_t sum;
    _Atomic uint64_t wrong; /* the first key that is smaller than the one before it; UINT64_MAX: none */
};

/* relaxed everywhere: the loop's end orders what was written before what the caller reads. */
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

static void run(struct gws_runtime *runtime, uint64_t count, gws_body *body, struct judged *judged)
{
    struct gws_loop loop = {.count = count, .grain = grain, .body = body, .context = judged, .aside = true};
    gws_parallel_run(runtime, &loop);
}

uint64_t gws_quicksort_sum(struct gws_runtime *runtime, const uint64_t *keys, uint64_t count)
{
    struct judged judged = {.key = keys};
    run(runtime, count, add, &judged);
    return judged.sum;
}

gws_status gws_quicksort_check(struct gws_runtime *runtime, const uint64_t *keys, uint64_t count, uint64_t sum,
                               struct gws_where *where)
{
    struct judged judged = {.key = keys, .wrong = UINT64_MAX};
    run(runtime, count, compare, &judged);
    uint64_t wrong = judged.wrong;
    if (wrong != UINT64_MAX)
        return gws_where_set(where, GWS_WRONG_RESULT, NULL, 0, 0, "key %llu is smaller than the one before it",
                             (unsigned long long)wrong);
    if (gws_quicksort_sum(runtime, keys, count) != sum)
        return gws_where_set(where, GWS_WRONG_RESULT, NULL, 0, 0, "the keys are not those that were to be sorted");
    return GWS_OK;
}
