/* SPDX-License-Identifier: MIT */
/* Runs immediate tasks on a device (kernels/task/task.cl): launches the kernel until no task is left. The kernel ends
 * early if it needs a free block, or after a slice of time. Then the host moves tasks (device_blocks.c) and launches
 * again. The kernels of a group of devices run at the same time, and steal from each other. */
#include "device_tasks.h"

#include <string.h>

#include "../../kernels/queue/deque_words.h"
#include "../base/services.h"
#include "../parallel.h"

enum { max_chunk = 4 };

static const uint64_t shared_slice = 20000000; /* on one of several sides that cannot ask the device to pause */

static struct gws_device_argument buffer_argument(struct gws_device_buffer *buffer)
{
    static const void *const none;
    if (buffer) return (struct gws_device_argument){.buffer = buffer};
    return (struct gws_device_argument){.value = &none, .bytes = sizeof none};
}

/* ---- a launch ---- */

gws_status gws__device_tasks_prepare(struct gws_device_tasks *tasks, struct gws_diagnostic *where)
{
    const uint64_t words = gws_device_buffer_bytes(tasks->buffer[gws__task_deques]) / 4;
    /* The writes below return when they are complete, and so is the command before them. */
    gws_status status = gws_device_fill(tasks->buffer[gws__task_deques], 0, 0, words, where);
    if (status == GWS_OK) status = gws__task_blocks_upload(tasks, where);
    tasks->control[TASK_OPEN] = tasks->peers + UINT64_C(1);
    if (status == GWS_OK)
        status = gws_device_write(tasks->buffer[gws__task_control], 0, tasks->control, sizeof tasks->control, where);
    return status == GWS_OK ? gws__device_trace_begin(&tasks->trace, where) : status;
}

gws_status gws__device_tasks_start(struct gws_device_tasks *tasks, const struct gws_device_task_roots *roots,
                                   struct gws_diagnostic *where)
{
    const uint32_t word[] = {tasks->workers, gws__task_slots, tasks->is_static ? 0 : max_chunk};
    const bool is_unasked = tasks->side && !tasks->stop.buffer && tasks->slice > shared_slice;
    const uint64_t slice = is_unasked ? shared_slice : tasks->slice;
    struct gws_device_argument argument[gws__task_buffers + 8];
    uint32_t count = 0;
    for (int i = 0; i < gws__task_peers; i++) argument[count++] = buffer_argument(tasks->buffer[i]);
    argument[count++] = buffer_argument(roots->data);
    argument[count++] = buffer_argument(roots->more);
    argument[count++] = gws__stop_argument(&tasks->stop);
    for (int i = 0; i < 3; i++) argument[count++] = (struct gws_device_argument){.value = &word[i], .bytes = 4};
    argument[count++] = (struct gws_device_argument){.value = &slice, .bytes = 8};
    argument[count++] = gws__device_trace_argument(&tasks->trace);
    if (tasks->peers > 0) argument[count++] = buffer_argument(tasks->buffer[gws__task_peers]);
    const struct gws_device_launch run = {.program = tasks->program,
                                          .kernel = tasks->peers > 0 ? "task_run_peers" : "task_run",
                                          .groups = tasks->peers > 0 ? tasks->peer_groups : tasks->groups,
                                          .group_size = tasks->group_size,
                                          .argument = argument,
                                          .arguments = count};
    return gws_device_run(tasks->device, &run, where);
}

gws_status gws__device_tasks_finish(struct gws_device_tasks *tasks, struct gws_device_tasks_result *result,
                                    struct gws_diagnostic *where)
{
    result->launches++;
    gws_status status = gws__device_trace_end(&tasks->trace, where);
    if (status == GWS_OK)
        status = gws_device_read(tasks->buffer[gws__task_control], 0, tasks->control, sizeof tasks->control, where);
    return status == GWS_OK ? gws__task_blocks_download(tasks, &result->spilled, where) : status;
}

static gws_status launch(struct gws_device_tasks *tasks, const struct gws_device_task_roots *roots,
                         struct gws_device_tasks_result *result, struct gws_diagnostic *where)
{
    gws_status status = gws__device_tasks_prepare(tasks, where);
    const double began = gws_clock_ms();
    if (status == GWS_OK && gws_cancelled(tasks->runtime)) status = gws_diagnostic_status(where, GWS_CANCELLED);
    if (status == GWS_OK) status = gws__device_tasks_start(tasks, roots, where);
    if (status == GWS_OK) status = gws__stop_wait(&tasks->stop, tasks->device, where);
    result->ms += gws_clock_ms() - began;
    return status == GWS_OK ? gws__device_tasks_finish(tasks, result, where) : status;
}

/* ---- a run ---- */

static void sum_stats(const struct gws_device_tasks *tasks, struct gws_device_tasks_result *result)
{
    uint64_t idle = 0, ticks = 0;
    for (uint32_t w = 0; w < tasks->workers; w++) {
        const uint64_t *stats = tasks->stats + (uint64_t)w * TASK_STATS_STRIDE;
        result->created += stats[TASK_STATS_MADE];
        result->parents += stats[TASK_STATS_PARENTS];
        result->steals += stats[TASK_STATS_STEALS];
        result->stolen += stats[TASK_STATS_STOLEN];
        result->failed += stats[TASK_STATS_FAILED];
        result->pushes += stats[TASK_STATS_PUSHES];
        result->listed += stats[TASK_STATS_LISTED];
        result->steps += stats[TASK_STATS_STEPS];
        idle += stats[TASK_STATS_IDLE];
        ticks += stats[TASK_STATS_TICKS];
    }
    result->high_water = tasks->high_water;
    result->idle = ticks > 0 ? (double)idle / (double)ticks : 0;
    for (int i = 0; i < GWS_DEVICE_TASK_SUMS; i++) result->sum[i] = tasks->control[TASK_SUM + i];
    for (int i = 0; i < GWS_DEVICE_TASK_MAXES; i++) result->max[i] = (uint32_t)tasks->control[TASK_MAX + i];
    for (uint32_t i = 0; i < TASK_PEERS; i++) result->across += tasks->control[TASK_ACROSS + i];
    if (result->across > 0) result->across_us = (double)tasks->control[TASK_ACROSS_TIME] / 1e3 / (double)result->across;
}

gws_status gws__device_tasks_begin(struct gws_device_tasks *tasks, struct gws_device_tasks_result *result,
                                   struct gws_diagnostic *where)
{
    struct gws_device_buffer *stats = tasks->buffer[gws__task_stats];
    const uint32_t groups = tasks->peers > 0 ? tasks->peer_groups : tasks->groups;
    *result = (struct gws_device_tasks_result){
        .workers = tasks->workers / tasks->groups * groups, .groups = groups, .group_size = tasks->group_size};
    gws__task_blocks_clear(tasks);
    memset(tasks->control, 0, sizeof tasks->control);
    return gws_device_fill(stats, 0, 0, gws_device_buffer_bytes(stats) / 4, where);
}

gws_status gws__device_tasks_end(struct gws_device_tasks *tasks, struct gws_device_tasks_result *result,
                                 struct gws_diagnostic *where)
{
    struct gws_device_buffer *stats = tasks->buffer[gws__task_stats];
    gws_status status = gws_device_read(stats, 0, tasks->stats, gws_device_buffer_bytes(stats), where);
    if (status == GWS_OK) sum_stats(tasks, result);
    return status;
}

static gws_status device_tasks_run(struct gws_device_tasks *tasks, const struct gws_device_task_roots *roots,
                                   struct gws_device_tasks_result *result, struct gws_diagnostic *where)
{
    struct gws_device_tasks_result made;
    gws_status status = gws__device_tasks_begin(tasks, &made, where);
    if (status != GWS_OK) return status;
    status = gws__task_blocks_add(tasks, roots->task, roots->count, tasks->length + 1);
    if (status != GWS_OK) return gws_diagnostic_status(where, status);
    while (status == GWS_OK && gws__task_blocks_left(tasks)) status = launch(tasks, roots, &made, where);
    if (status == GWS_OK) status = gws__device_tasks_end(tasks, &made, where);
    if (status == GWS_OK) *result = made;
    return status;
}

gws_status gws_device_tasks_run(struct gws_device_tasks *tasks, const struct gws_device_task_roots *roots,
                                struct gws_device_tasks_result *result, struct gws_diagnostic *where)
{
    return GWS_CALL(tasks->runtime, where, device_tasks_run(tasks, roots, result, where));
}
