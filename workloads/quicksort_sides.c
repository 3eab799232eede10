/* SPDX-License-Identifier: MIT */
/* Quicksort on several sides. The calling thread's workers divide the keys into a few parts for each side. Sides take
 * parts from one counter, so a faster side sorts more. Each device has a thread, which sends a part to the device,
 * sorts it there, and gets it back to its place. The workers sort one part at a time, by tasks. */
#include "quicksort_sides.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "../lib/parallel.h"

enum { parts_a_side = 4, min_part = 1024, grain = 1 << 16 };
static const uint64_t max_part = UINT64_C(1) << 30; /* about; a device sorts at most twice as many keys at once */

struct sides_run {
    struct gws__quicksort_parts parts;
    uint64_t *keys; /* sorted parts go there */
    const struct gws_quicksort_options *options;
    _Atomic uint32_t next; /* the next part that no side has taken */
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

static bool take(struct sides_run *run, struct gws__quicksort_part *part)
{
    /* relaxed: the number only claims a part, and the threads began after the parts were there. */
    const uint32_t number = atomic_fetch_add_explicit(&run->next, 1, memory_order_relaxed);
    if (number >= run->parts.parts) return false;
    *part = run->parts.part[number];
    return true;
}

/* Ends the run after an error of a side: nobody takes a further part. */
static void end_run(struct side *side, gws_status status)
{
    side->status = status;
    atomic_store_explicit(&side->run->next, side->run->parts.parts, memory_order_relaxed); /* relaxed: see take() */
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

static void add_part(struct side *side, const struct gws__quicksort_part *part, const struct gws_quicksort_result *tree)
{
    side->found.keys += part->count;
    side->found.parts++;
    add_tree(&side->found.tree, tree);
}

/* ---- sides ---- */

static void *drive_device(void *context)
{
    struct side *side = context;
    struct sides_run *run = side->run;
    struct gws__quicksort_part part;
    const double began = gws_clock_ms();
    while (side->status == GWS_OK && take(run, &part)) {
        struct gws_quicksort_result tree;
        struct gws_device_tasks_result stats;
        gws_status status = gws__quicksort_on_device(side->device, run->parts.keys + part.begin, run->keys + part.begin,
                                                     part.count, run->options, &tree, &stats, &side->where);
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

static void copy_part(struct gws_runtime *runtime, const struct sides_run *run, const struct gws__quicksort_part *part)
{
    struct copying copying = {run->keys + part->begin, run->parts.keys + part->begin};
    const struct gws_loop loop = {
        .count = part->count, .grain = grain, .body = copy_keys, .context = &copying, .uncounted = true};
    gws_parallel_run(runtime, &loop);
}

static void sort_on_workers(struct gws_runtime *runtime, struct side *side)
{
    struct sides_run *run = side->run;
    struct gws__quicksort_part part;
    const double began = gws_clock_ms();
    while (side->status == GWS_OK && take(run, &part)) {
        struct gws_quicksort_result tree;
        copy_part(runtime, run, &part);
        gws_status status = gws_quicksort(runtime, run->keys + part.begin, part.count, run->options, &tree);
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

/* After an error all keys go back, because some parts are only partly there. */
static gws_status sort_parts(struct gws_runtime *runtime, struct sides_run *run, struct side *side, uint32_t count,
                             struct gws_quicksort_result *result, struct gws_quicksort_side_result *found,
                             struct gws_diagnostic *where)
{
    const struct gws__quicksort_part all = {0, run->parts.count};
    uint64_t at = 0;
    for (uint32_t i = 0; i <= run->parts.parts && run->parts.keys; i++) { /* the keys between the parts */
        const uint64_t begin = i < run->parts.parts ? run->parts.part[i].begin : all.count;
        memcpy(run->keys + at, run->parts.keys + at, (begin - at) * sizeof *run->keys);
        at = i < run->parts.parts ? begin + run->parts.part[i].count : begin;
    }
    run_sides(runtime, side, count);
    gws_status status = collect(side, count, result, found, where);
    if (status != GWS_OK && run->parts.keys) copy_part(runtime, run, &all);
    return status;
}

static uint32_t wanted_parts(uint64_t count, uint32_t sides)
{
    const uint64_t max = count / min_part + 1, wanted = (uint64_t)parts_a_side * sides + count / max_part;
    const uint64_t parts = wanted < max ? wanted : max;
    return parts < GWS__QUICKSORT_PARTS ? (uint32_t)parts : GWS__QUICKSORT_PARTS;
}

gws_status gws__quicksort_on_sides(struct gws_runtime *runtime, const struct gws_quicksort_sides *sides,
                                   const uint64_t *from, uint64_t *to, uint64_t count,
                                   const struct gws_quicksort_options *options, struct gws_quicksort_result *result,
                                   struct gws_diagnostic *where)
{
    const uint32_t all = sides->devices + sides->workers;
    struct sides_run run = {.keys = to, .options = options};
    if (all == 0) return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "no device and no workers");
    if (count >= UINT64_C(1) << 37) return gws_diagnostic_status(where, GWS_TOO_LARGE);
    struct side *side = gws_allocate(runtime, all, sizeof *side);
    if (!side) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    for (uint32_t i = 0; i < all; i++)
        side[i] = (struct side){.run = &run, .device = i < sides->devices ? sides->device[i] : NULL};
    gws_status status =
        gws__quicksort_divide(runtime, from, count, wanted_parts(count, all), options->seed, &run.parts);
    status = status == GWS_OK ? sort_parts(runtime, &run, side, all, result, sides->found, where)
                              : gws_diagnostic_status(where, status);
    gws__quicksort_parts_clear(runtime, &run.parts);
    gws_release(runtime, side, all, sizeof *side);
    return status;
}

gws_status gws_quicksort_on_sides(struct gws_runtime *runtime, const struct gws_quicksort_sides *sides, uint64_t *keys,
                                  uint64_t count, const struct gws_quicksort_options *options,
                                  struct gws_quicksort_result *result, struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, gws__quicksort_on_sides(runtime, sides, keys, keys, count, options, result, where));
}
