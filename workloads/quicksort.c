/* SPDX-License-Identifier: MIT */
/* Quicksort by tasks (Rudolph, Slivkin-Allalouf, Upfal, SPAA 1991, section 4). A task is a range of keys. All keys on
 * its left are smaller or equal, and all on its right are larger or equal. A random pivot divides the range, and
 * smaller keys go left. If no key is smaller, the keys equal to the pivot go left, which are then sorted. A range of
 * equal keys thus costs two passes, and every pass leaves less work.
 *
 * The pivot depends on the bounds of the range, not on the worker, so the tree of ranges is the same in every run. */
#include "quicksort.h"

#include "../lib/parallel.h"
#include "../lib/random.h"
#include "../lib/tasks.h"
#include "load.h"
#include "quicksort_ranks.h"
#include "simulate.h"
#include <math.h>

enum { insertion = 16 };
static const uint64_t max_keys = UINT64_C(1) << 48;

struct key_range {
    uint64_t begin, end;
    uint32_t depth, owner; /* the rank that has the keys */
};

/* A task spawns on a worker, or in a simulation. */
struct spawner {
    struct gws_task_worker *self;
    struct gws_sim *sim; /* NULL: on a worker */
};

struct quicksort {
    uint64_t *keys;
    uint64_t *const *base; /* on several ranks: the keys of each rank; NULL: in one process */
    uint64_t cutoff, seed;
    double key_ns;                 /* in a simulation */
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

static void spawn_part(struct spawner spawner, const struct key_range *parent, uint64_t begin, uint64_t end)
{
    if (end - begin < 2) return;
    struct key_range part = {begin, end, parent->depth + 1, parent->owner};
    if (spawner.sim)
        gws_sim_spawn(spawner.sim, &part);
    else
        gws_spawn(spawner.self, &part);
}

/* Runs one task. The task spawns the larger side first, so a thief steals that side and the owner's queue stays
 * short. */
static void run_part(const struct quicksort *sort, struct spawner spawner, struct gws__load_tally *tally,
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
    if (left_is_larger) spawn_part(spawner, part, part->begin, left);
    spawn_part(spawner, part, right, part->end);
    if (!left_is_larger) spawn_part(spawner, part, part->begin, left);
}

static void run_parts(void *context, struct gws_task_worker *self, uint32_t worker, const void *task, uint32_t count)
{
    struct quicksort sort = *(const struct quicksort *)context;
    const struct key_range *part = task;
    for (uint32_t i = 0; i < count; i++) {
        if (sort.base) sort.keys = sort.base[part[i].owner];
        run_part(&sort, (struct spawner){.self = self}, &sort.tally[worker], &part[i]);
    }
}

/* ---- in virtual time ---- */

static double cost(void *context, const void *task)
{
    const struct quicksort *sort = context;
    const struct key_range *part = task;
    const double keys = (double)(part->end - part->begin);
    return sort->key_ns * keys * (keys <= (double)sort->cutoff && keys > 2 ? log2(keys) : 1);
}

static void run_simulated(void *context, struct gws_sim *sim, uint32_t worker, const void *task)
{
    (void)worker;
    const struct quicksort *sort = context;
    run_part(sort, (struct spawner){.sim = sim}, sort->tally, task);
}

static struct gws_quicksort_result result_of(struct gws__load_tally sum)
{
    return (struct gws_quicksort_result){.tasks = sum.makers + sum.workers, .splits = sum.makers, .depth = sum.deepest};
}

gws_status gws_quicksort_simulate(struct gws_runtime *runtime, const struct gws_sim_options *options, uint64_t *keys,
                                  uint64_t count, const struct gws_quicksort_options *how,
                                  struct gws_quicksort_result *result, struct gws_sim_result *found,
                                  struct gws_diagnostic *where)
{
    if (count >= max_keys) return GWS_TOO_LARGE;
    struct gws__load_tally sum = {0};
    struct quicksort sort = {.keys = keys, .cutoff = how->cutoff, .seed = how->seed, .tally = &sum};
    if (sort.cutoff == 0) sort.cutoff = GWS_QUICKSORT_CUTOFF;
    sort.key_ns = options->machine.cost[GWS_SIM_key];
    const struct key_range root = {.end = count};
    const struct gws_sim_tasks tasks = {
        .bytes = sizeof root, .root = &root, .roots = 1, .cost = cost, .run = run_simulated, .context = &sort};
    gws_status status = gws_sim_run(runtime, options, &tasks, found, where);
    if (status == GWS_OK) *result = result_of(sum);
    return status;
}

/* ---- on workers ---- */

/* Sorts all keys of this rank, or of the only process, with those of other ranks. ranks->reach: the keys of each
 * rank. */
static gws_status sort_tasks(struct gws_runtime *runtime, const struct gws_ranks *ranks, struct quicksort *sort,
                             uint64_t count, struct gws_quicksort_result *result)
{
    struct gws_transport *transport = ranks ? ranks->transport : NULL;
    if (sort->cutoff == 0) sort->cutoff = GWS_QUICKSORT_CUTOFF;
    sort->tally = gws__load_tallies(runtime);
    const struct key_range root = {.end = count, .owner = gws_transport_rank(transport)};
    const struct gws_tasks tasks = {.bytes = sizeof root, .root = &root, .roots = 1, .run = run_parts, .context = sort};
    gws_status status = gws_transport_agree(transport, sort->tally ? GWS_OK : GWS_NO_MEMORY);
    if (status == GWS_OK) status = gws_rank_tasks_run(runtime, ranks, &tasks);
    if (status == GWS_OK) *result = result_of(gws__load_sum(runtime, sort->tally));
    gws__load_release(runtime, sort->tally);
    return status;
}

gws_status gws__quicksort_sort_parts(struct gws_runtime *runtime, const struct gws_ranks *ranks, uint64_t count,
                                     const struct gws_quicksort_options *options, struct gws_quicksort_result *result)
{
    struct quicksort sort = {.base = ranks->reach, .cutoff = options->cutoff, .seed = options->seed};
    return sort_tasks(runtime, ranks, &sort, count, result);
}

static gws_status quicksort(struct gws_runtime *runtime, uint64_t *keys, uint64_t count,
                            const struct gws_quicksort_options *options, struct gws_quicksort_result *result)
{
    struct quicksort sort = {.keys = keys, .cutoff = options->cutoff, .seed = options->seed};
    return count < max_keys ? sort_tasks(runtime, NULL, &sort, count, result) : GWS_TOO_LARGE;
}

gws_status gws_quicksort(struct gws_runtime *runtime, uint64_t *keys, uint64_t count,
                         const struct gws_quicksort_options *options, struct gws_quicksort_result *result)
{
    return GWS_CALL(runtime, NULL, quicksort(runtime, keys, count, options, result));
}
