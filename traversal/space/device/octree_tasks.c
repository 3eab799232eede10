/* SPDX-License-Identifier: MIT */
/* Octrees by tasks on a device (Cederman and Tsigas, section 35.4.2), with kernels/octree/octree.cl. The runtime's
 * policy selects work stealing (abp, chunked) or the static scheme (static). CPU workers may share the deques or hand
 * octants off (octree_tasks_handoff.c).
 *
 * The runtime's workers compute the keys, since keys are smaller to transfer than points. The device divides the
 * octants and records the inner nodes. The host lays out the nodes (octree_flatten.c). The capacity for these records
 * is an estimate. If the capacity was too small, the host enlarges the capacity and repeats the build. */
#include "octree_tasks.h"

#include <string.h>

#include "../../../lib/poison.h"

/* A stack holds seven tasks per level and one per halving of the pieces (see tests/kernels/octree.h). */
enum { deque_capacity = 256 };
static const uint64_t max_points = UINT64_C(1) << 31;

/* ---- building ---- */

/* Sets the initial capacities. Uniform points use a fifth of the records. The queue of the static scheme has capacity
 * for every octant that can wait at once, in two arrays. */
void gws__octree_params_set(struct gws__octree_tasks *tasks, uint64_t points, const struct gws__octree_state *state)
{
    struct gws__octree_params *params = &tasks->params;
    uint64_t bound = 3 * points, usual = 10 * (points / state->leaf);
    uint64_t waiting = points / (state->leaf + 1) + points / params->piece + 16;
    gws__octree_tasks_release_record(tasks);
    params->points = (uint32_t)points;
    params->leaf = (uint32_t)(state->leaf < points ? state->leaf : points);
    params->depth = state->depth;
    params->inner_words =
        (usual < bound ? usual : bound) + 4096 + (uint64_t)gws__octree_tasks_workers(tasks) * INNER_BATCH;
    params->queue_capacity =
        tasks->steals ? deque_capacity : 2 * (uint32_t)(waiting < UINT32_MAX / 2 ? waiting : UINT32_MAX / 2);
}

gws_status gws__octree_tasks_check(struct gws__octree_tasks *tasks, bool *again, struct gws_diagnostic *where)
{
    const uint64_t finalised = tasks->control[CONTROL_FINALISED], why = tasks->control[CONTROL_STATE];
    *again = why == RUN_OUT_OF_INNER || why == RUN_OUT_OF_SLOTS;
    if (*again) gws__octree_tasks_release_record(tasks);
    if (why == RUN_OUT_OF_INNER) tasks->params.inner_words *= 4;
    if (why == RUN_OUT_OF_SLOTS) tasks->params.queue_capacity *= 2;
    if (*again || (finalised == tasks->params.points && why == RUN_ON)) return GWS_OK;
    return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0, "%s: %llu points reached a leaf, not %lu",
                              gws_device_describe(tasks->device)->address, (unsigned long long)finalised,
                              (unsigned long)tasks->params.points);
}

/* Divides the points with these keys. Repeats the division with larger capacities if needed. */
static gws_status divide(struct gws_octree_device *builder, const uint64_t *key, struct gws_diagnostic *where)
{
    struct gws__octree_tasks *tasks = builder->own;
    const uint32_t root[3] = {0, tasks->params.points, 0};
    bool again = true;
    gws_status status = GWS_OK;
    for (int i = 0; i < max_attempts && status == GWS_OK && again; i++) {
        double began = gws_clock_ms();
        status = gws__octree_tasks_ready(tasks, root, 1, where);
        if (status == GWS_OK)
            status = gws_device_write(tasks->array[gws__octree_key], 0, key, tasks->params.points * UINT64_C(8), where);
        if (status == GWS_OK)
            status = gws_device_wait(tasks->device, where); /* the wait counts as upload, not as device time */
        double sent = gws_clock_ms();
        builder->stats.upload_ms += sent - began;
        if (status == GWS_OK) status = gws__device_trace_begin(&tasks->trace, where);
        if (status == GWS_OK) status = gws__octree_tasks_divide(tasks, where);
        if (status == GWS_OK) status = gws__device_trace_end(&tasks->trace, where);
        builder->stats.ms = gws_clock_ms() - sent;
        if (status == GWS_OK) status = gws__octree_tasks_check(tasks, &again, where);
    }
    if (status == GWS_OK && again) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    return status == GWS_OK ? gws__octree_tasks_count(tasks, where) : status;
}

/* Converts the order of the points, out, to numbers in the given set. The index holds the numbers of the points that
 * have a key. */
static gws_status rename_points(struct gws__octree_state *state, const uint32_t *out)
{
    struct gws__octree_state named = {.runtime = state->runtime, .wide = state->wide};
    gws_status status = gws__octree_index_new(&named, state->indexed);
    if (status != GWS_OK) return status;
    struct gws__octree_index to = gws__octree_index_at(&named, 0), from = gws__octree_index_at(state, 0);
    for (uint64_t i = 0; i < state->indexed; i++) gws__octree_index_set(to, i, gws__octree_index_get(from, out[i]));
    gws_release(state->runtime, state->index32, state->indexed, sizeof *state->index32);
    gws_release(state->runtime, state->index64, state->indexed, sizeof *state->index64);
    state->index32 = named.index32;
    state->index64 = named.index64;
    return GWS_OK;
}

static gws_status fetch_index(struct gws__octree_tasks *tasks, struct gws__octree_state *state,
                              struct gws_diagnostic *where)
{
    bool direct = !state->wide && state->indexed == state->points->count;
    uint32_t *out = direct ? state->index32 : gws_allocate(tasks->runtime, state->indexed, sizeof *out);
    if (!out) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    gws_status status = gws_device_read(tasks->array[gws__octree_out], 0, out, state->indexed * sizeof *out, where);
    if (direct) return status;
    if (status == GWS_OK) status = rename_points(state, out);
    gws_release(tasks->runtime, out, state->indexed, sizeof *out);
    return status;
}

/* Fetches the records and the order of the points, and lays out the nodes. */
static gws_status fetch(struct gws_octree_device *builder, struct gws__octree_state *state, struct gws_octree *tree,
                        struct gws_diagnostic *where)
{
    struct gws__octree_tasks *tasks = builder->own;
    double began = gws_clock_ms();
    gws_status status = gws_device_read(tasks->array[gws__octree_inner], 0, tasks->inner,
                                        tasks->control[CONTROL_INNER] * sizeof *tasks->inner, where);
    state->root = tasks->inner[0];
    if (status == GWS_OK) status = fetch_index(tasks, state, where);
    double fetched = gws_clock_ms();
    if (status == GWS_OK) status = gws__octree_flatten(state, tree);
    tree->stats.flatten_ms = gws_clock_ms() - fetched;
    builder->stats.download_ms = fetched - began;
    return status;
}

static gws_status build_on_device(struct gws_octree_device *builder, struct gws__octree_state *state,
                                  struct gws_octree *tree, struct gws_diagnostic *where)
{
    struct gws__octree_tasks *tasks = builder->own;
    struct gws__octree_work work = {.state = state};
    double began = gws_clock_ms();
    gws_status status = gws__octree_gather_points(&work, false);
    tree->stats.bounds_ms += gws_clock_ms() - began;
    memset(tasks->stats, 0, (uint64_t)gws__octree_tasks_workers(tasks) * STATS_STRIDE * sizeof *tasks->stats);
    if (status == GWS_OK && state->indexed > max_points)
        status = gws_diagnostic_set(where, GWS_TOO_LARGE, NULL, 0, 0, "more than 2^31 points");
    if (status == GWS_OK && state->indexed <= state->leaf) { /* the root is a leaf */
        state->root = gws__octree_leaf(state->indexed);
        status = gws__octree_flatten(state, tree);
    } else if (status == GWS_OK) {
        gws__octree_params_set(tasks, state->indexed, state);
        status = divide(builder, work.key, where);
        if (status == GWS_OK) status = fetch(builder, state, tree, where);
        gws__octree_tasks_release_record(tasks);
    }
    gws_release(builder->runtime, work.key, state->indexed, sizeof *work.key);
    return status;
}

/* ---- statistics ---- */

static void add_worker(struct gws_side_stats *side, const uint64_t *words)
{
    side->run += words[STATS_TASKS];
    side->steals += words[STATS_STEALS];
    side->failed += words[STATS_FAILED];
    side->stolen_from_cpu += words[STATS_FROM_CPU];
    side->stolen_from_device += words[STATS_FROM_DEVICE];
}

static void sum_stats(struct gws_octree_device *builder, struct gws_octree *tree)
{
    const struct gws__octree_tasks *tasks = builder->own;
    struct gws_octree_device_stats *stats = &builder->stats;
    uint64_t high = 0, workers = gws__octree_tasks_workers(tasks);
    for (uint32_t w = 0; w < workers; w++) {
        const uint64_t *words = tasks->stats + (uint64_t)w * STATS_STRIDE;
        add_worker(w < tasks->groups ? &stats->device : &stats->cpu, words);
        if (words[STATS_HIGH] > high) high = words[STATS_HIGH];
    }
    stats->cpu.made = stats->cpu.run - stats->cpu.stolen_from_device + stats->device.stolen_from_cpu;
    stats->device.made = stats->device.run - stats->device.stolen_from_cpu + stats->cpu.stolen_from_device;
    stats->high_water = tasks->steals ? high * workers : tasks->control[CONTROL_HIGH];
    stats->launches = tasks->launches;
    stats->handed_off = tasks->handed_off;
    stats->rounds = tasks->steals ? 0 : tasks->control[CONTROL_ROUNDS];
    stats->memory = gws__octree_tasks_bytes(tasks);
    tree->stats.tasks = stats->cpu.run + stats->device.run;
    tree->stats.sort_ms = stats->ms;
    tree->stats.ms = tree->stats.sort_ms + tree->stats.flatten_ms;
}

static gws_status run_tasks(struct gws_octree_device *builder, struct gws__octree_state *state, struct gws_octree *tree,
                            struct gws_diagnostic *where)
{
    double began = gws_clock_ms();
    gws_status status = builder->options.tree.has_box ? GWS_OK : gws__octree_find_box(state);
    tree->stats.bounds_ms = gws_clock_ms() - began;
    if (status != GWS_OK) return status;
    bool handoff = builder->options.form == GWS_OCTREE_FORM_HANDOFF;
    status = (handoff ? gws__octree_handoff_build : build_on_device)(builder, state, tree, where);
    sum_stats(builder, tree);
    return status;
}

/* Overwrites the results on the device. The host follows these values, so every point becomes the first point, and
 * every octant becomes a leaf. */
static gws_status poison_tasks(struct gws_octree_device *builder, struct gws_diagnostic *where)
{
    enum { first_point = 0, leaves = 1 };
    const struct gws__octree_tasks *tasks = builder->own;
    gws_status status = gws_buffer_poison(tasks->array[gws__octree_out], first_point, where);
    return status == GWS_OK ? gws_buffer_poison(tasks->array[gws__octree_inner], leaves, where) : status;
}

const struct gws__octree_strategy gws__octree_tasks = {
    .builder = GWS_OCTREE_BY_TASK,
    .supports = gws__octree_tasks_supports,
    .open = gws__octree_tasks_open,
    .close = gws__octree_tasks_close,
    .run = run_tasks,
    .poison = poison_tasks,
};
