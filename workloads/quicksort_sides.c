/* SPDX-License-Identifier: MIT */
/* Quicksort on several sides. The calling thread's workers divide the keys into a few parts for each side. Sides take
 * parts from one counter, so a faster side sorts more. Each device has a thread, which sends a part to the device,
 * sorts it there, and gets it back to its place. The workers sort one part at a time, by tasks. On several ranks
 * (quicksort_ranks.c) each has parts and a counter, and sides without parts take those of other ranks. */
#include "quicksort_sides.h"

#include <pthread.h>
#include <string.h>

#include "../lib/parallel.h"

enum { parts_a_side = 4, min_part = 1024, grain = 1 << 16 };
static const uint64_t max_part = UINT64_C(1) << 30; /* about; a device sorts at most twice as many keys at once */

struct sides_run {
    const struct gws__quicksort_share *share;
    uint32_t shares;
    const struct gws_quicksort_options *options;
};

/* A part that a side has taken. */
struct taken {
    const uint64_t *from;
    uint64_t *to, count;
};

struct side {
    struct sides_run *run;
    struct gws_quicksort_device *device; /* NULL: the workers */
    struct gws_quicksort_side_result found;
    gws_status status;
    struct gws_diagnostic where;
    pthread_t thread;
    bool started;
};

static bool take_from(const struct gws__quicksort_share *share, struct taken *taken)
{
    /* relaxed: the number only claims a part. The parts were there before threads began and ranks met. */
    const uint64_t number = atomic_fetch_add_explicit(share->next, 1, memory_order_relaxed);
    if (number >= share->parts) return false;
    const struct gws__quicksort_part *part = &share->part[number];
    *taken = (struct taken){share->from + part->begin, share->to + part->begin, part->count};
    return true;
}

static bool take(struct side *side, struct taken *taken)
{
    const struct sides_run *run = side->run;
    for (uint32_t i = 0; i < run->shares; i++) {
        side->found.requests += i > 0;
        if (!take_from(&run->share[i], taken)) continue;
        side->found.stolen += i > 0;
        return true;
    }
    return false;
}

/* Ends the run after an error of a side: nobody takes a further part. */
static void end_run(struct side *side, gws_status status)
{
    side->status = status;
    for (uint32_t i = 0; i < side->run->shares; i++) /* relaxed: see take_from() */
        atomic_store_explicit(side->run->share[i].next, side->run->share[i].parts, memory_order_relaxed);
}

/* ---- what a side did ---- */

static void add_tree(struct gws_quicksort_result *sum, const struct gws_quicksort_result *part)
{
    sum->tasks += part->tasks;
    sum->splits += part->splits;
    if (part->depth > sum->depth) sum->depth = part->depth;
}

static uint64_t max_of(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Adds a run of a device to earlier ones. idle is weighted by time. */
static void add_device(struct gws_device_tasks_result *sum, const struct gws_device_tasks_result *part)
{
    struct gws_device_tasks_result all = *part;
    all.created += sum->created, all.parents += sum->parents;
    all.steals += sum->steals, all.failed += sum->failed, all.stolen += sum->stolen;
    all.pushes += sum->pushes, all.listed += sum->listed, all.steps += sum->steps;
    all.launches += sum->launches, all.spilled += sum->spilled;
    all.high_water = max_of(all.high_water, sum->high_water);
    for (int i = 0; i < GWS_DEVICE_TASK_SUMS; i++) all.sum[i] += sum->sum[i];
    for (int i = 0; i < GWS_DEVICE_TASK_MAXES; i++) all.max[i] = (uint32_t)max_of(all.max[i], sum->max[i]);
    all.ms += sum->ms;
    if (all.ms > 0) all.idle = (part->idle * part->ms + sum->idle * sum->ms) / all.ms;
    *sum = all;
}

static void add_part(struct side *side, const struct taken *part, const struct gws_quicksort_result *tree)
{
    side->found.keys += part->count;
    side->found.parts++;
    add_tree(&side->found.tree, tree);
}

/* ---- sides ---- */

static void *drive_device(void *context)
{
    struct side *side = context;
    struct taken part;
    const double began = gws_clock_ms();
    while (side->status == GWS_OK && take(side, &part)) {
        struct gws_quicksort_result tree;
        struct gws_device_tasks_result stats;
        gws_status status = gws__quicksort_on_device(side->device, part.from, part.to, part.count, side->run->options,
                                                     &tree, &stats, &side->where);
        if (status == GWS_OK) {
            add_part(side, &part, &tree);
            add_device(&side->found.device, &stats);
        } else {
            end_run(side, status);
        }
    }
    side->found.ms = gws_clock_ms() - began;
    return NULL;
}

struct copying {
    uint64_t *to;
    const uint64_t *from;
};

static void copy_keys(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct copying *copying = context;
    (void)worker;
    memcpy(copying->to + begin, copying->from + begin, (end - begin) * sizeof *copying->to);
}

static void copy_part(struct gws_runtime *runtime, const struct taken *part)
{
    struct copying copying = {part->to, part->from};
    const struct gws_loop loop = {
        .count = part->count, .grain = grain, .body = copy_keys, .context = &copying, .uncounted = true};
    gws_parallel_run(runtime, &loop);
}

static void sort_on_workers(struct gws_runtime *runtime, struct side *side)
{
    struct taken part;
    const double began = gws_clock_ms();
    while (side->status == GWS_OK && take(side, &part)) {
        struct gws_quicksort_result tree;
        if (part.to != part.from) copy_part(runtime, &part);
        gws_status status = gws_quicksort(runtime, part.to, part.count, side->run->options, &tree);
        if (status == GWS_OK)
            add_part(side, &part, &tree);
        else
            end_run(side, status);
    }
    side->found.ms = gws_clock_ms() - began;
}

/* ---- the run ---- */

static void run_sides(struct gws_runtime *runtime, struct side *side, uint32_t count)
{
    struct side *workers = NULL;
    for (uint32_t i = 0; i < count; i++) {
        if (!side[i].device) {
            workers = &side[i];
            continue;
        }
        side[i].started = pthread_create(&side[i].thread, NULL, drive_device, &side[i]) == 0;
        if (!side[i].started) end_run(&side[i], GWS_SYSTEM);
    }
    if (workers) sort_on_workers(runtime, workers);
    for (uint32_t i = 0; i < count; i++)
        if (side[i].started) (void)pthread_join(side[i].thread, NULL);
}

/* Copies what the sides did. Returns the first error of a side. */
static gws_status collect(const struct side *side, uint32_t count, struct gws_quicksort_result *result,
                          struct gws_quicksort_side_result *found, struct gws_diagnostic *where)
{
    struct gws_quicksort_result all = {.tasks = 0};
    for (uint32_t i = 0; i < count; i++) {
        if (side[i].status == GWS_OK) continue;
        if (*side[i].where.message == '\0') return gws_diagnostic_status(where, side[i].status);
        if (where) *where = side[i].where;
        return side[i].status;
    }
    for (uint32_t i = 0; i < count; i++) {
        add_tree(&all, &side[i].found.tree);
        if (found) found[i] = side[i].found;
    }
    *result = all;
    return GWS_OK;
}

gws_status gws__quicksort_sort_shares(struct gws_runtime *runtime, const struct gws_quicksort_sides *sides,
                                      const struct gws__quicksort_share *share, uint32_t shares,
                                      const struct gws_quicksort_options *options, struct gws_quicksort_result *result,
                                      struct gws_diagnostic *where)
{
    const uint32_t count = sides->devices + sides->workers;
    struct sides_run run = {share, shares, options};
    struct side *side = gws_allocate(runtime, count, sizeof *side);
    if (!side) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    for (uint32_t i = 0; i < count; i++)
        side[i] = (struct side){.run = &run, .device = i < sides->devices ? sides->device[i] : NULL};
    run_sides(runtime, side, count);
    gws_status status = collect(side, count, result, sides->found, where);
    gws_release(runtime, side, count, sizeof *side);
    return status;
}

/* ---- of one process ---- */

/* After an error all keys go back, because some parts are only partly there. */
static gws_status sort_parts(struct gws_runtime *runtime, const struct gws_quicksort_sides *sides, uint64_t *keys,
                             const struct gws__quicksort_parts *parts, const struct gws_quicksort_options *options,
                             struct gws_quicksort_result *result, struct gws_diagnostic *where)
{
    const struct taken all = {parts->keys, keys, parts->count};
    _Atomic uint64_t next = 0;
    const struct gws__quicksort_share share = {parts->part, parts->parts, parts->keys, keys, &next};
    uint64_t at = 0;
    for (uint32_t i = 0; i <= parts->parts && parts->keys; i++) { /* the keys between the parts */
        const uint64_t begin = i < parts->parts ? parts->part[i].begin : all.count;
        memcpy(keys + at, parts->keys + at, (begin - at) * sizeof *keys);
        at = i < parts->parts ? begin + parts->part[i].count : begin;
    }
    gws_status status = gws__quicksort_sort_shares(runtime, sides, &share, 1, options, result, where);
    if (status != GWS_OK && parts->keys) copy_part(runtime, &all);
    return status;
}

uint32_t gws__quicksort_wanted(uint64_t count, uint32_t sides)
{
    const uint64_t max = count / min_part + 1, wanted = (uint64_t)parts_a_side * sides + count / max_part;
    const uint64_t parts = wanted < max ? wanted : max;
    return parts < GWS__QUICKSORT_PARTS ? (uint32_t)parts : GWS__QUICKSORT_PARTS;
}

static gws_status quicksort_on_sides(struct gws_runtime *runtime, const struct gws_quicksort_sides *sides,
                                     uint64_t *keys, uint64_t count, const struct gws_quicksort_options *options,
                                     struct gws_quicksort_result *result, struct gws_diagnostic *where)
{
    const uint32_t all = sides->devices + sides->workers;
    struct gws__quicksort_parts parts;
    if (all == 0) return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "no device and no workers");
    if (count >= UINT64_C(1) << 37) return gws_diagnostic_status(where, GWS_TOO_LARGE);
    gws_status status =
        gws__quicksort_divide(runtime, keys, count, gws__quicksort_wanted(count, all), options->seed, &parts);
    status = status == GWS_OK ? sort_parts(runtime, sides, keys, &parts, options, result, where)
                              : gws_diagnostic_status(where, status);
    gws__quicksort_parts_clear(runtime, &parts);
    return status;
}

gws_status gws_quicksort_on_sides(struct gws_runtime *runtime, const struct gws_quicksort_sides *sides, uint64_t *keys,
                                  uint64_t count, const struct gws_quicksort_options *options,
                                  struct gws_quicksort_result *result, struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, quicksort_on_sides(runtime, sides, keys, count, options, result, where));
}
