/* SPDX-License-Identifier: MIT */
/* Octrees by tasks with handoff, for devices without shared atomics (lib/hetero/tasks.h). CPU workers build the tree
 * in place, as without a device. A batch for the device consists of unstarted octants. The host sends the keys, octant
 * after octant, and receives the order of the points and the record of inner nodes. The handles in the record already
 * point into host memory. So host and device together build each octant once, and transfer its points once.
 *
 * The device divides stably. CPU workers otherwise divide in place. While octants are large enough for a batch, CPU
 * workers also divide stably, so the points of a batch's octants are sorted by number. */
#include <string.h>

#include "octree_tasks.h"

enum { batch_octants = 64 };

/* The record of a finished batch, whose memory stays valid until the layout of the tree. */
struct returned_record {
    struct returned_record *before;
    uint64_t *inner, words;
};

struct gws__octree_handoff {
    struct gws__octree_tasks *tasks;
    struct gws__octree_work *work;
    struct gws__octree_octant octant[batch_octants]; /* octants of the current batch */
    uint32_t octants, attempts;
    uint64_t points; /* points of the current batch */
    struct returned_record *returned;
    struct gws__batch_stats stats;
    struct gws_diagnostic *where;
};

static uint64_t task_points(const void *context, const void *task)
{
    const struct gws__octree_octant *octant = task;
    const struct gws__octree_handoff *handoff = context;
    uint64_t points = octant->end - octant->begin;
    bool leaf = gws__octree_is_leaf(handoff->work->state, points, (unsigned)octant->level);
    return leaf || points < handoff->work->stable ? 0 : points;
}

static uint64_t remaining_points(const void *context)
{
    const struct gws__octree_handoff *handoff = context;
    return handoff->work->state->indexed - gws__octree_finalised(handoff->work);
}

/* ---- sending octants ---- */

static gws_status launch(struct gws__octree_handoff *handoff, struct gws_diagnostic *where)
{
    struct gws__octree_tasks *tasks = handoff->tasks;
    uint32_t octant[3 * batch_octants], begin = 0;
    for (uint32_t i = 0; i < handoff->octants; i++) {
        const struct gws__octree_octant *one = &handoff->octant[i];
        octant[3 * i] = begin;
        octant[3 * i + 1] = (uint32_t)(one->end - one->begin);
        octant[3 * i + 2] = (uint32_t)one->level;
        begin += octant[3 * i + 1];
    }
    gws_status status = gws__octree_tasks_ready(tasks, octant, handoff->octants, where);
    for (uint32_t i = 0; i < handoff->octants && status == GWS_OK; i++)
        status =
            gws_device_write(tasks->array[gws__octree_key], octant[3 * i] * UINT64_C(8),
                             handoff->work->key + handoff->octant[i].begin, octant[3 * i + 1] * UINT64_C(8), where);
    return status == GWS_OK ? gws__octree_tasks_start(tasks, where) : status;
}

static gws_status start(void *context, const void *task, uint32_t count, struct gws_diagnostic *where)
{
    struct gws__octree_handoff *handoff = context;
    memcpy(handoff->octant, task, count * sizeof *handoff->octant);
    handoff->octants = count;
    handoff->attempts = 0;
    handoff->points = 0;
    for (uint32_t i = 0; i < count; i++) handoff->points += handoff->octant[i].end - handoff->octant[i].begin;
    gws__octree_params_set(handoff->tasks, handoff->points, handoff->work->state);
    return launch(handoff, where);
}

/* ---- receiving results ---- */

/* Applies the device's order, from `at` on, to an octant's points. The octant's range of the scratch array holds the
 * old numbers. */
static void reorder(const struct gws__octree_work *work, const struct gws__octree_octant *octant, const uint32_t *order,
                    uint32_t at)
{
    const struct gws__octree_state *state = work->state;
    struct gws__octree_index index = gws__octree_index_at(state, octant->begin);
    uint64_t count = octant->end - octant->begin, bytes = state->wide ? sizeof(uint64_t) : sizeof(uint32_t);
    struct gws__octree_index from = {(char *)work->index_copy + octant->begin * bytes, state->wide};
    memcpy(from.at, index.at, count * bytes);
    for (uint64_t i = 0; i < count; i++)
        gws__octree_index_set(index, i, gws__octree_index_get(from, order[at + i] - at));
}

static gws_status fetch_order(struct gws__octree_handoff *handoff, struct gws_diagnostic *where)
{
    struct gws__octree_tasks *tasks = handoff->tasks;
    uint32_t *order = gws_allocate(tasks->runtime, handoff->points, sizeof *order), at = 0;
    if (!order) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    gws_status status =
        gws_device_read(tasks->array[gws__octree_out], 0, order, handoff->points * sizeof *order, where);
    for (uint32_t i = 0; i < handoff->octants && status == GWS_OK; i++) {
        reorder(handoff->work, &handoff->octant[i], order, at);
        at += (uint32_t)(handoff->octant[i].end - handoff->octant[i].begin);
    }
    gws_release(tasks->runtime, order, handoff->points, sizeof *order);
    return status;
}

static gws_status fetch_record(struct gws__octree_handoff *handoff, struct gws_diagnostic *where)
{
    struct gws__octree_tasks *tasks = handoff->tasks;
    struct returned_record *made = gws_allocate(tasks->runtime, 1, sizeof *made);
    if (!made) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    *made = (struct returned_record){handoff->returned, tasks->inner, tasks->params.inner_words};
    handoff->returned = made;
    tasks->inner = NULL;
    return gws_device_read(tasks->array[gws__octree_inner], 0, made->inner,
                           tasks->control[CONTROL_INNER] * sizeof *made->inner, where);
}

static gws_status merge(void *context, struct gws_task_worker *self, bool *again, struct gws_diagnostic *where)
{
    (void)self;
    struct gws__octree_handoff *handoff = context;
    struct gws__octree_tasks *tasks = handoff->tasks;
    gws_status status = gws__octree_tasks_read_control(tasks, where);
    if (status == GWS_OK) status = gws__octree_tasks_check(tasks, again, where);
    if (status == GWS_OK && *again)
        return ++handoff->attempts < max_attempts ? launch(handoff, where)
                                                  : gws_diagnostic_status(where, GWS_NO_MEMORY);
    if (status == GWS_OK) status = fetch_order(handoff, where);
    if (status == GWS_OK) status = fetch_record(handoff, where);
    if (status == GWS_OK) status = gws__octree_tasks_count(tasks, where);
    if (status != GWS_OK) return status;
    for (uint32_t i = 0; i < handoff->octants; i++) *handoff->octant[i].handle = handoff->returned->inner[i];
    handoff->work->finalised_on_device += handoff->points;
    return GWS_OK;
}

/* ---- the build ---- */

static gws_status run(void *context, struct gws__octree_work *work, const struct gws_tasks *tasks)
{
    struct gws__octree_handoff *handoff = context;
    const struct gws__batches batches = {.cpu = *tasks,
                                         .tasks = batch_octants,
                                         .min_work = work->stable,
                                         .context = handoff,
                                         .work = task_points,
                                         .left = remaining_points,
                                         .start = start,
                                         .merge = merge};
    return gws__batches_run(work->state->runtime, handoff->tasks->device, &batches, &handoff->stats, handoff->where);
}

static void release_records(struct gws__octree_handoff *handoff)
{
    gws__octree_tasks_release_record(handoff->tasks);
    while (handoff->returned) {
        struct returned_record *returned = handoff->returned;
        handoff->returned = returned->before;
        gws_release(handoff->tasks->runtime, returned->inner, returned->words, sizeof *returned->inner);
        gws_release(handoff->tasks->runtime, returned, 1, sizeof *returned);
    }
}

gws_status gws__octree_handoff_build(struct gws_octree_device *builder, struct gws__octree_state *state,
                                     struct gws_octree *tree, struct gws_diagnostic *where)
{
    struct gws__octree_tasks *tasks = builder->own;
    struct gws__octree_work work = {.state = state, .stable = tasks->min_points};
    struct gws__octree_handoff handoff = {.tasks = tasks, .work = &work, .where = where};
    double began = gws_clock_ms();
    memset(tasks->stats, 0, (uint64_t)tasks->groups * STATS_STRIDE * sizeof *tasks->stats);
    gws_status status = gws__octree_work_open(&work);
    double opened = gws_clock_ms();
    if (status == GWS_OK) status = gws__octree_work_run(&work, run, &handoff);
    builder->stats.ms = gws_clock_ms() - opened;
    tree->stats.bounds_ms += opened - began;
    if (status == GWS_OK) status = gws__octree_flatten(state, tree);
    tree->stats.flatten_ms = gws_clock_ms() - opened - builder->stats.ms;
    handoff.stats.cpu.run = state->tasks;
    tasks->launches = handoff.stats.launches;
    tasks->handed_off = handoff.stats.device.stolen_from_cpu;
    builder->stats.cpu = handoff.stats.cpu;
    builder->stats.device = handoff.stats.device;
    release_records(&handoff);
    gws__octree_work_close(&work);
    return status;
}
