/* SPDX-License-Identifier: MIT */
/* Quicksort by tasks (Rudolph, Slivkin-Allalouf, Upfal, SPAA 1991, section 4). A task is a part of the keys, all of
 * which lie between what is left and what is right of it. It is divided by a random element: smaller keys to the left.
 * Where there are none, all keys that equal the element are; then those are put to the left and are sorted. So many
 * equal keys cost two passes, and every pass leaves less to do.
 *
 * Elements are drawn by the part's bounds, not by who runs it: the tree of parts is the same in every run. */
#include <string.h>

#include "../lib/parallel.h"
#include "../lib/random.h"
#include "../lib/tasks.h"
#include "quicksort.h"

enum { default_cutoff = 2048, insertion = 16 };
static const uint64_t most_keys = UINT64_C(1) << 48;

struct part {
    uint64_t begin, end, depth;
};

/* One worker's counts, in lines of their own. */
struct tally {
    uint64_t tasks, splits, depth;
    char apart[104];
};

struct quicksort {
    uint64_t *keys;
    uint64_t cutoff, seed;
    struct tally *tally;
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

static void spawn_part(struct gws_tasker *self, uint64_t begin, uint64_t end, uint64_t depth)
{
    if (end - begin < 2) return;
    struct part part = {begin, end, depth};
    gws_spawn(self, &part);
}

/* The larger side is spawned first: it is what a thief takes, and the owner's queue stays short. */
static void run_part(const struct quicksort *sort, struct gws_tasker *self, struct tally *tally,
                     const struct part *part)
{
    tally->tasks++;
    if (part->depth > tally->depth) tally->depth = part->depth;
    if (part->end - part->begin <= sort->cutoff) {
        sort_alone(sort, part->begin, part->end);
        return;
    }
    uint64_t left, right;
    split(sort, part->begin, part->end, &left, &right);
    tally->splits++;
    bool left_is_larger = left - part->begin > part->end - right;
    if (left_is_larger) spawn_part(self, part->begin, left, part->depth + 1);
    spawn_part(self, right, part->end, part->depth + 1);
    if (!left_is_larger) spawn_part(self, part->begin, left, part->depth + 1);
}

static void run_parts(void *context, struct gws_tasker *self, uint32_t worker, const void *task, uint32_t count)
{
    const struct quicksort *sort = context;
    const struct part *part = task;
    for (uint32_t i = 0; i < count; i++) run_part(sort, self, &sort->tally[worker], &part[i]);
}

static gws_status run(struct gws_runtime *runtime, struct quicksort *sort, uint64_t count)
{
    struct part root = {0, count, 0};
    struct gws_tasks tasks = {.bytes = sizeof root, .root = &root, .roots = 1, .run = run_parts, .context = sort};
    return gws_tasks_run(runtime, &tasks);
}

static struct gws_quicksort_result sum_up(const struct gws_runtime *runtime, const struct tally *tally)
{
    struct gws_quicksort_result sum = {0};
    for (uint32_t w = 0; w < gws_runtime_workers(runtime); w++) {
        sum.tasks += tally[w].tasks;
        sum.splits += tally[w].splits;
        if (tally[w].depth > sum.depth) sum.depth = tally[w].depth;
    }
    return sum;
}

gws_status gws_quicksort(struct gws_runtime *runtime, uint64_t *keys, uint64_t count,
                         const struct gws_quicksort_options *options, struct gws_quicksort_result *result)
{
    static const struct gws_quicksort_options defaults;
    if (!options) options = &defaults;
    if (count >= most_keys) return GWS_TOO_LARGE;
    struct quicksort sort = {.keys = keys, .cutoff = options->cutoff, .seed = options->seed};
    if (sort.cutoff == 0) sort.cutoff = default_cutoff;
    uint64_t workers = gws_runtime_workers(runtime);
    sort.tally = gws_allocate(runtime, workers, sizeof *sort.tally);
    if (!sort.tally) return GWS_NO_MEMORY;
    memset(sort.tally, 0, workers * sizeof *sort.tally);
    gws_status status = run(runtime, &sort, count);
    if (status == GWS_OK) *result = sum_up(runtime, sort.tally);
    gws_release(runtime, sort.tally, workers, sizeof *sort.tally);
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
    struct gws_loop loop = {.count = count, .grain = grain, .body = fill, .context = &made, .aside = true};
    gws_parallel_run(runtime, &loop);
}
