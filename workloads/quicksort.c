/* SPDX-License-Identifier: MIT */
/* Quicksort by tasks (Rudolph, Slivkin-Allalouf, Upfal, SPAA 1991, section 4). A task is a part of the keys, all of
 * which lie between what is left and what is right of it. It is divided by a random element: smaller keys to the left.
 * Where there are none, all keys that equal the element are; then those are put to the left and are sorted. So many
 * equal keys cost two passes, and every pass leaves less to do.
 *
 * Elements are drawn by the part's bounds, not by who runs it: the tree of parts is the same in every run. */
#include "quicksort.h"

#include <stdatomic.h>

#include "../lib/parallel.h"
#include "../lib/random.h"
#include "../lib/tasks.h"
#include "load.h"

enum { default_cutoff = 2048, insertion = 16 };
static const uint64_t most_keys = UINT64_C(1) << 48;

struct part {
    uint64_t begin, end, depth;
};

struct quicksort {
    uint64_t *keys;
    uint64_t cutoff, seed;
    struct gws__load_tally *tally; /* makers: parts that are divided; workers: the others */
};

/* Moves the keys below element to the front and returns where they end. Without a branch on the keys, which nobody can
 * predict (Lomuto's scheme as in Edelkamp and Weiss, "BlockQuicksort", ESA 2016, section 3). */
static uint64_t divide(uint64_t *keys, uint64_t begin, uint64_t end, uint64_t element)
{
    uint64_t front = begin;
    for (uint64_t i = begin; i < end; i++) {
        uint64_t key = keys[i];
        keys[i] = keys[front];
        keys[front] = key;
        front += key < element;
    }
    return front;
}

/* Divides a part of two keys or more: what is left to do is begin .. *left - 1 and *right .. end - 1, each less than
 * the part. */
static void split(const struct quicksort *sort, uint64_t begin, uint64_t end, uint64_t *left, uint64_t *right)
{
    uint64_t draw = gws_random_at(sort->seed ^ begin, end);
    uint64_t element = sort->keys[begin + draw % (end - begin)];
    *left = *right = divide(sort->keys, begin, end, element);
    if (*left > begin) return;
    *right = element == UINT64_MAX ? end : divide(sort->keys, begin, end, element + 1);
}

static void sort_few(uint64_t *keys, uint64_t begin, uint64_t end)
{
    for (uint64_t i = begin + 1; i < end; i++) {
        uint64_t key = keys[i], at = i;
        for (; at > begin && keys[at - 1] > key; at--) keys[at] = keys[at - 1];
        keys[at] = key;
    }
}

/* Sorts a part alone. Calls itself for the smaller side only, so at most 64 deep. */
static void sort_alone(const struct quicksort *sort, uint64_t begin, uint64_t end)
{
    while (end - begin > insertion) {
        uint64_t left, right;
        split(sort, begin, end, &left, &right);
        if (left - begin < end - right) {
            sort_alone(sort, begin, left);
            begin = right;
        } else {
            sort_alone(sort, right, end);
            end = left;
        }
    }
    sort_few(sort->keys, begin, end);
}

static void spawn_part(struct gws_task_worker *self, uint64_t begin, uint64_t end, uint64_t depth)
{
    if (end - begin < 2) return;
    struct part part = {begin, end, depth};
    gws_spawn(self, &part);
}

/* The larger side is spawned first: it is what a thief takes, and the owner's queue stays short. */
static void run_part(const struct quicksort *sort, struct gws_task_worker *self, struct gws__load_tally *tally,
                     const struct part *part)
{
    if (part->depth > tally->deepest) tally->deepest = part->depth;
    if (part->end - part->begin <= sort->cutoff) {
        tally->workers++;
        sort_alone(sort, part->begin, part->end);
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
    const struct part *part = task;
    for (uint32_t i = 0; i < count; i++) run_part(sort, self, &sort->tally[worker], &part[i]);
}

gws_status gws_quicksort(struct gws_runtime *runtime, uint64_t *keys, uint64_t count,
                         const struct gws_quicksort_options *options, struct gws_quicksort_result *result)
{
    if (count >= most_keys) return GWS_TOO_LARGE;
    struct quicksort sort = {.keys = keys, .cutoff = options->cutoff, .seed = options->seed};
    if (sort.cutoff == 0) sort.cutoff = default_cutoff;
    sort.tally = gws__load_tallies(runtime);
    if (!sort.tally) return GWS_NO_MEMORY;
    const struct part root = {0, count, 0};
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

/* Keys to sort, addressed by number so that any worker can make any of them. */

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

/* Takes the keys apart, for body. */
static void run_keys(struct gws_runtime *runtime, uint64_t count, gws_body *body, void *context)
{
    struct gws_loop loop = {.count = count, .grain = grain, .body = body, .context = context, .aside = true};
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

/* Checks: order, and a sum over what each key is mixed to, which a key lost, doubled or changed shifts (but for a
 * chance of 2^-64). */

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

uint64_t gws_quicksort_sum(struct gws_runtime *runtime, const uint64_t *keys, uint64_t count)
{
    struct judged judged = {.key = keys};
    run_keys(runtime, count, add, &judged);
    return judged.sum;
}

gws_status gws_quicksort_check(struct gws_runtime *runtime, const uint64_t *keys, uint64_t count, uint64_t sum,
                               struct gws_diagnostic *where)
{
    struct judged judged = {.key = keys, .wrong = UINT64_MAX};
    run_keys(runtime, count, compare, &judged);
    uint64_t wrong = judged.wrong;
    if (wrong != UINT64_MAX)
        return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0, "key %llu is smaller than the one before it",
                                  (unsigned long long)wrong);
    if (gws_quicksort_sum(runtime, keys, count) != sum)
        return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0, "the keys are not those that were to be sorted");
    return GWS_OK;
}
