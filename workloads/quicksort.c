/* SPDX-License-Identifier: MIT */
/* Quicksort by tasks (Rudolph, Slivkin-Allalouf, Upfal, SPAA 1991, section 4). A task is a range of keys. All keys on
 * its left are smaller or equal, and all on its right are larger or equal. A random pivot divides the range, and
 * smaller keys go left. If no key is smaller, the keys equal to the pivot go left, which are then sorted. A range of
 * equal keys thus costs two passes, and every pass leaves less work.
 *
 * The pivot depends on the bounds of the range, not on the worker, so the tree of ranges is the same in every run. */
#include "quicksort.h"

#include <stdatomic.h>

#include "../lib/parallel.h"
#include "../lib/random.h"
#include "../lib/tasks.h"
#include "load.h"

enum { insertion = 16 };
static const uint64_t max_keys = UINT64_C(1) << 48;

struct key_range {
    uint64_t begin, end, depth;
};

struct quicksort {
    uint64_t *keys;
    uint64_t cutoff, seed;
    struct gws__load_tally *tally; /* counts, in which makers are divided ranges, and workers the other ranges */
};

/* Moves the keys below the pivot to the front and returns their end. The function has no branch that depends on a key,
 * because such branches are unpredictable (Lomuto's scheme as in Edelkamp and Weiss, "BlockQuicksort", ESA 2016,
 * section 3). */
static uint64_t divide(uint64_t *keys, uint64_t begin, uint64_t end, uint64_t pivot)
{
    uint64_t front = begin;
    for (uint64_t i = begin; i < end; i++) {
        uint64_t key = keys[i];
        keys[i] = keys[front];
        keys[front] = key;
        front += key < pivot;
    }
    return front;
}

/* Divides a range of two keys or more. The remaining work is the ranges begin .. *left - 1 and *right .. end - 1. Each
 * of them is smaller than the original range. */
static void split(const struct quicksort *sort, uint64_t begin, uint64_t end, uint64_t *left, uint64_t *right)
{
    uint64_t draw = gws_random_at(sort->seed ^ begin, end);
    uint64_t pivot = sort->keys[begin + draw % (end - begin)];
    *left = *right = divide(sort->keys, begin, end, pivot);
    if (*left > begin) return;
    *right = pivot == UINT64_MAX ? end : divide(sort->keys, begin, end, pivot + 1);
}

static void sort_few(uint64_t *keys, uint64_t begin, uint64_t end)
{
    for (uint64_t i = begin + 1; i < end; i++) {
        uint64_t key = keys[i], at = i;
        for (; at > begin && keys[at - 1] > key; at--) keys[at] = keys[at - 1];
        keys[at] = key;
    }
}

/* Sorts a range serially. The function recurses only into the smaller side, so the recursion is at most 64 deep. */
static void sort_serial(const struct quicksort *sort, uint64_t begin, uint64_t end)
{
    while (end - begin > insertion) {
        uint64_t left, right;
        split(sort, begin, end, &left, &right);
        if (left - begin < end - right) {
            sort_serial(sort, begin, left);
            begin = right;
        } else {
            sort_serial(sort, right, end);
            end = left;
        }
    }
    sort_few(sort->keys, begin, end);
}

static void spawn_part(struct gws_task_worker *self, uint64_t begin, uint64_t end, uint64_t depth)
{
    if (end - begin < 2) return;
    struct key_range part = {begin, end, depth};
    gws_spawn(self, &part);
}

/* Runs one task. The task spawns the larger side first, so a thief steals that side and the owner's queue stays
 * short. */
static void run_part(const struct quicksort *sort, struct gws_task_worker *self, struct gws__load_tally *tally,
                     const struct key_range *part)
{
    if (part->depth > tally->deepest) tally->deepest = part->depth;
    if (part->end - part->begin <= sort->cutoff) {
        tally->workers++;
        sort_serial(sort, part->begin, part->end);
        return;
    }
    uint64_t left, right;
    split(sort, part->begin, part->end, &left, &right);
    tally->makers++;
    bool left_is_larger = left - part->begin > part->end - right;
    if (left_is_larger) spawn_part(self, part->begin, left, part->depth + 1);
    spawn_part(self, right, part->end, part->depth + 1);
    if (!left_is_larger) spawn_part(self, part->begin, left, part->depth + 1);
}

static void run_parts(void *context, struct gws_task_worker *self, uint32_t worker, const void *task, uint32_t count)
{
    const struct quicksort *sort = context;
    const struct key_range *part = task;
    for (uint32_t i = 0; i < count; i++) run_part(sort, self, &sort->tally[worker], &part[i]);
}

static gws_status quicksort(struct gws_runtime *runtime, uint64_t *keys, uint64_t count,
                            const struct gws_quicksort_options *options, struct gws_quicksort_result *result)
{
    if (count >= max_keys) return GWS_TOO_LARGE;
    struct quicksort sort = {.keys = keys, .cutoff = options->cutoff, .seed = options->seed};
    if (sort.cutoff == 0) sort.cutoff = GWS_QUICKSORT_CUTOFF;
    sort.tally = gws__load_tallies(runtime);
    if (!sort.tally) return GWS_NO_MEMORY;
    const struct key_range root = {0, count, 0};
    const struct gws_tasks tasks = {
        .bytes = sizeof root, .root = &root, .roots = 1, .run = run_parts, .context = &sort};
    gws_status status = gws_tasks_run(runtime, &tasks);
    const struct gws__load_tally sum = gws__load_sum(runtime, sort.tally);
    if (status == GWS_OK)
        *result = (struct gws_quicksort_result){
            .tasks = sum.makers + sum.workers, .splits = sum.makers, .depth = sum.deepest};
    gws__load_release(runtime, sort.tally);
    return status;
}

gws_status gws_quicksort(struct gws_runtime *runtime, uint64_t *keys, uint64_t count,
                         const struct gws_quicksort_options *options, struct gws_quicksort_result *result)
{
    return GWS_CALL(runtime, NULL, quicksort(runtime, keys, count, options, result));
}

/* Test keys. A key depends only on its number, so any worker can make any key. */

enum { values_of_few = 16, grain = 1 << 16 };

struct keys {
    uint64_t *key;
    uint64_t count, seed;
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
        return keys->count - 1 - i;
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
    for (uint64_t i = begin; i < end; i++) keys->key[i] = key_at(keys, i);
}

void gws_quicksort_fill(struct gws_runtime *runtime, enum gws_quicksort_order order, uint64_t seed, uint64_t *keys,
                        uint64_t count)
{
    struct keys made = {.key = keys, .count = count, .seed = seed, .order = order};
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
