/* SPDX-License-Identifier: MIT */
/* Runs the boxes of a MADNESS tree on a device. The device runs until all boxes are done or one of its lists is full,
 * and continues with the remaining tasks. The host fetches the families at the end, and before when they fill their
 * list. On several ranks a launch makes few families, so that it takes some milliseconds, and all ranks may take what
 * it leaves. */
#include <string.h>

#include "../../../lib/hetero/tasks.h"
#include "madness_device_state.h"

enum { max_batch = 4096 };
static const double short_ms = 2, long_ms = 8; /* of a launch on ranks */

gws_status gws__madness_device_tasks(struct gws_madness_device *builder, uint64_t tasks, struct gws_diagnostic *where)
{
    gws_release(builder->runtime, builder->task, builder->allocated * MADNESS_TASK_WORDS, sizeof *builder->task);
    builder->task = gws_allocate(builder->runtime, tasks * MADNESS_TASK_WORDS, sizeof *builder->task);
    builder->tasks = builder->allocated = builder->task ? tasks : 0;
    return builder->task ? GWS_OK : gws_diagnostic_status(where, GWS_NO_MEMORY);
}

static gws_status start(void *context, const void *tasks, uint32_t count, struct gws_diagnostic *where)
{
    struct gws_madness_device *builder = context;
    gws_status status = gws__madness_device_tasks(builder, count, where);
    for (uint32_t i = 0; i < count && status == GWS_OK; i++) {
        const struct gws__madness_task *task = gws__madness_task_at(tasks, i);
        uint32_t *word = builder->task + (uint64_t)MADNESS_TASK_WORDS * i;
        memset(word, 0, MADNESS_TASK_WORDS * sizeof *word);
        word[MADNESS_FUNCTION] = task->function;
        word[MADNESS_LEVEL] = task->level;
        memcpy(word + MADNESS_AT, task->at, sizeof task->at);
    }
    return status == GWS_OK ? gws__madness_device_launch(builder, where) : status;
}

/* Spawns the tasks that a launch has left, so that all ranks can steal them. The device made them in the order of their
 * levels, and thieves get the first ones, which have more below them. */
static void spawn_remaining(const struct gws_madness_device *builder, struct gws_task_worker *self)
{
    for (uint64_t i = 0; i < builder->tasks; i++) {
        const uint32_t *word = builder->task + MADNESS_TASK_WORDS * i;
        struct gws__madness_task *task = gws_spawn_reserve(self);
        *task = (struct gws__madness_task){.function = word[MADNESS_FUNCTION], .level = word[MADNESS_LEVEL]};
        memcpy(task->at, word + MADNESS_AT, sizeof task->at);
        gws_spawn_commit(self);
    }
}

/* Sets the capacity of the next launch: one that was full should take some milliseconds. */
static void adapt_slots(struct gws_madness_device *builder, double ms)
{
    if (ms < short_ms && 2 * builder->slots <= builder->family_capacity) builder->slots *= 2;
    if (ms > long_ms && builder->slots / 2 >= gws__madness_min_families(builder)) builder->slots /= 2;
}

static gws_status merge(void *context, struct gws_task_worker *self, bool *again, struct gws_diagnostic *where)
{
    struct gws_madness_device *builder = context;
    gws_status status = gws__madness_device_finish(builder, again, where);
    if (status != GWS_OK || !*again) return status;
    if (!self) return gws__madness_device_launch(builder, where);
    adapt_slots(builder, gws_clock_ms() - builder->launched_ms);
    spawn_remaining(builder, self);
    *again = false;
    return GWS_OK;
}

static uint64_t work(const void *context, const void *task)
{
    (void)context;
    (void)task;
    return 1;
}

/* The cost of a box is unknown before its computation, so every task counts as one unit of work. */
gws_status gws__madness_device_run_batches(void *context, const struct gws_tasks *tasks)
{
    struct gws_madness_device *builder = context;
    const struct gws__batches batches = {.cpu = *tasks,
                                         .tasks = max_batch,
                                         .min_work = 1,
                                         .context = builder,
                                         .work = work,
                                         .start = start,
                                         .merge = merge,
                                         .ranks = builder->ranks,
                                         .device_only = !builder->options.cpu,
                                         .at_once = builder->options.groups};
    struct gws__batch_stats stats;
    gws_status status = gws__batches_run(builder->runtime, builder->device, &batches, &stats, builder->where);
    if (status == GWS_OK) status = gws__madness_device_fetch(builder, builder->where);
    builder->stats.cpu = stats.cpu;
    stats.device.run = builder->stats.device.run;
    stats.device.made = stats.device.run - stats.device.stolen_from_cpu;
    builder->stats.device = stats.device;
    return status;
}

gws_status gws__madness_device_run_alone(void *context, const struct gws_tasks *tasks)
{
    struct gws_madness_device *builder = context;
    bool again = true;
    if (tasks->roots > UINT32_MAX / 8) return GWS_TOO_LARGE;
    gws_status status = start(builder, tasks->root, (uint32_t)tasks->roots, builder->where);
    while (status == GWS_OK && again) status = merge(builder, NULL, &again, builder->where);
    if (status == GWS_OK) status = gws__madness_device_fetch(builder, builder->where);
    builder->stats.device.made = builder->stats.device.run;
    return status;
}
