/* SPDX-License-Identifier: MIT */
/* Immediate tasks on a device: opens the program of kernels/task/task.cl, and launches the kernel until no task is
 * left. The kernel ends early if it needs a free block, or after a slice of time. Then the host moves tasks
 * (device_blocks.c) and launches again. */
#include "device_tasks.h"

#include <stdio.h>
#include <string.h>

#include "../../kernels/kernels.h"
#include "../../kernels/queue/deque_words.h"
#include "../base/services.h"
#include "../parallel.h"

enum { deque_slots = 128, max_chunk = 4, blocks_per_worker = 8, min_shared = 1024 };

/* Parts of the program before the source of a task, with the portability header, and behind it (kernels/programs). */
enum { parts_before = 7, parts_behind = 4 };

/* The kernel's clock may be one of cycles, which are shorter than nanoseconds. */
static const double wait_share = 0.25, cancel_slice_ms = 100;
static const uint64_t shared_slice = 20000000; /* on one of several sides that cannot ask the device to pause */

/* ---- opening ---- */

uint32_t gws_device_tasks_source(const char *source, const char **part)
{
    const struct gws__kernel_program *program = gws__kernel_program_find("task_uts");
    memcpy(part, program->part, parts_before * sizeof *part);
    part[parts_before] = source;
    memcpy(part + parts_before + 1, program->part + program->parts - parts_behind, parts_behind * sizeof *part);
    return parts_before + 1 + parts_behind;
}

bool gws_device_tasks_program(const char *name, struct gws_device_source *source)
{
    char full[64];
    snprintf(full, sizeof full, "task_%s", name);
    const struct gws__kernel_program *program = gws__kernel_program_find(full);
    if (!program) return false;
    *source = (struct gws_device_source){.name = program->name,
                                         .part = program->part,
                                         .parts = program->parts,
                                         .image = program->image,
                                         .image_bytes = program->image_bytes};
    return true;
}

static gws_status choose_group_size(struct gws_device_tasks *tasks, struct gws_diagnostic *where)
{
    const struct gws_device_info *info = gws_device_describe(tasks->device);
    if (info->warp != 32 && info->type != GWS_DEVICE_CPU)
        return gws_diagnostic_set(where, GWS_UNSUPPORTED, NULL, 0, 0, "%s: no warps of 32 items", info->address);
    tasks->group_size = info->warp == 32 ? TASK_GROUP : 1;
    return GWS_OK;
}

static gws_status build_program(struct gws_device_tasks *tasks, const struct gws_device_source *source,
                                struct gws_diagnostic *where)
{
    char options[64];
    struct gws_device_source built = *source;
    snprintf(options, sizeof options, "-DGWS_GROUP_SIZE=%u%s", tasks->group_size,
             tasks->group_size > 1 ? " -DGWS_WARP=32" : "");
    built.options = options;
    return gws_device_program_build(tasks->device, &built, &tasks->program, where);
}

static gws_status choose_groups(struct gws_device_tasks *tasks, struct gws_diagnostic *where)
{
    const struct gws_device_launch launch = {
        .program = tasks->program, .kernel = "task_run", .group_size = tasks->group_size, .resident = true};
    uint64_t groups = 0;
    gws_status status = gws_device_resident(tasks->device, &launch, &groups, where);
    if (tasks->groups == 0 || tasks->groups > groups) tasks->groups = (uint32_t)groups;
    tasks->workers = tasks->groups * (tasks->group_size > 1 ? tasks->group_size / 32 : 1);
    return status;
}

static gws_status choose_blocks(struct gws_device_tasks *tasks, uint64_t blocks, struct gws_diagnostic *where)
{
    const uint64_t own = (uint64_t)tasks->workers * TASK_RESERVE, shared = own + (uint64_t)tasks->workers * TASK_OWN;
    if (blocks == 0) blocks = (uint64_t)blocks_per_worker * tasks->workers + min_shared;
    if (shared + blocks >= UINT32_MAX) return gws_diagnostic_status(where, GWS_TOO_LARGE);
    tasks->own = (uint32_t)own;
    tasks->shared = (uint32_t)shared;
    tasks->blocks = (uint32_t)(shared + blocks);
    return GWS_OK;
}

static gws_status open_buffers(struct gws_device_tasks *tasks, struct gws_diagnostic *where)
{
    const uint64_t bytes[gws__task_buffers] = {
        [gws__task_deques] = tasks->workers * UINT64_C(8) * (DEQUE_HEAD + deque_slots * TASK_WORDS),
        [gws__task_control] = sizeof tasks->control,
        [gws__task_block] = (uint64_t)tasks->blocks * TASK_BLOCK * 4 * (tasks->length + 1),
        [gws__task_count] = tasks->blocks * UINT64_C(4),
        [gws__task_next] = tasks->blocks * UINT64_C(4),
        [gws__task_stats] = tasks->workers * UINT64_C(8) * TASK_STATS_STRIDE};
    gws_status status = GWS_OK;
    for (int i = 0; i < gws__task_buffers && status == GWS_OK; i++)
        status = gws_device_buffer_new(tasks->device, bytes[i], &tasks->buffer[i], where);
    if (status != GWS_OK) return status;
    tasks->stats = gws_allocate(tasks->runtime, tasks->workers, TASK_STATS_STRIDE * sizeof *tasks->stats);
    status = tasks->stats ? gws__task_blocks_open(tasks) : GWS_NO_MEMORY;
    return status == GWS_OK ? GWS_OK : gws_diagnostic_status(where, status);
}

/* Sets the time until the kernel pauses: well below a wait's limit, and short if only pauses see a cancelled call. */
static void choose_slice(struct gws_device_tasks *tasks)
{
    double ms = wait_share * gws_device_limit_ms(tasks->device);
    if (tasks->runtime->cancel && !tasks->stop.buffer && ms > cancel_slice_ms) ms = cancel_slice_ms;
    tasks->slice = (uint64_t)(ms * 1e6);
}

static gws_status open_all(struct gws_device_tasks *tasks, const struct gws_device_source *source, uint64_t blocks,
                           struct gws_diagnostic *where)
{
    gws_status status = choose_group_size(tasks, where);
    if (status == GWS_OK) status = build_program(tasks, source, where);
    if (status == GWS_OK) status = choose_groups(tasks, where);
    if (status == GWS_OK) status = choose_blocks(tasks, blocks, where);
    if (status == GWS_OK) status = open_buffers(tasks, where);
    if (status == GWS_OK) status = gws__stop_open(&tasks->stop, NULL, tasks->device, where);
    choose_slice(tasks);
    if (status == GWS_OK) status = gws__device_trace_open(&tasks->trace, tasks->runtime, tasks->device, where);
    gws__device_trace_tracks(&tasks->trace);
    return status;
}

static gws_status device_tasks_open(struct gws_runtime *runtime, struct gws_device *device,
                                    const struct gws_device_source *source,
                                    const struct gws_device_tasks_options *options, struct gws_device_tasks **tasks,
                                    struct gws_diagnostic *where)
{
    if (options->length < 1 || options->length > GWS_DEVICE_TASK_WORDS)
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "a task has 1 to %d words", GWS_DEVICE_TASK_WORDS);
    struct gws_device_tasks *made = gws_allocate(runtime, 1, sizeof *made);
    if (!made) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    *made = (struct gws_device_tasks){
        .runtime = runtime, .device = device, .length = options->length, .groups = options->groups};
    made->is_static = options->is_static;
    gws_status status = open_all(made, source, options->blocks, where);
    if (status == GWS_OK) *tasks = made;
    if (status != GWS_OK) gws_device_tasks_close(made);
    return status;
}

gws_status gws_device_tasks_open(struct gws_runtime *runtime, struct gws_device *device,
                                 const struct gws_device_source *source, const struct gws_device_tasks_options *options,
                                 struct gws_device_tasks **tasks, struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, device_tasks_open(runtime, device, source, options, tasks, where));
}

void gws_device_tasks_close(struct gws_device_tasks *tasks)
{
    if (!tasks) return;
    for (int i = 0; i < gws__task_buffers; i++) gws_device_buffer_free(tasks->buffer[i]);
    gws__stop_close(&tasks->stop);
    gws__device_trace_close(&tasks->trace);
    gws_device_program_free(tasks->program);
    gws__task_blocks_close(tasks);
    gws_release(tasks->runtime, tasks->stats, tasks->workers, TASK_STATS_STRIDE * sizeof *tasks->stats);
    gws_release(tasks->runtime, tasks, 1, sizeof *tasks);
}

uint32_t gws_device_tasks_workers(const struct gws_device_tasks *tasks)
{
    return tasks->workers;
}

/* ---- running ---- */

static struct gws_device_argument buffer_argument(struct gws_device_buffer *buffer)
{
    static const void *const none;
    if (buffer) return (struct gws_device_argument){.buffer = buffer};
    return (struct gws_device_argument){.value = &none, .bytes = sizeof none};
}

/* Waits for the kernel of a device that shares a pool of tasks with other sides. */
static gws_status wait_on_side(struct gws_device_tasks *tasks, gws_status status, struct gws_diagnostic *where)
{
    if (status == GWS_OK) status = gws_device_wait(tasks->device, where);
    tasks->gives = gws__task_pool_landed(tasks->side);
    if (status != GWS_OK || !gws__task_pool_over(tasks->side->pool)) return status;
    return gws_diagnostic_status(where, GWS_CANCELLED);
}

static gws_status launch(struct gws_device_tasks *tasks, const struct gws_device_task_roots *roots,
                         struct gws_diagnostic *where)
{
    const uint32_t word[] = {tasks->workers, deque_slots, tasks->is_static ? 0 : max_chunk};
    const bool is_unasked = tasks->side && !tasks->stop.buffer && tasks->slice > shared_slice;
    const uint64_t slice = is_unasked ? shared_slice : tasks->slice;
    struct gws_device_argument argument[gws__task_buffers + 8];
    uint32_t count = 0;
    for (int i = 0; i < gws__task_buffers; i++) argument[count++] = buffer_argument(tasks->buffer[i]);
    argument[count++] = buffer_argument(roots->data);
    argument[count++] = buffer_argument(roots->more);
    argument[count++] = gws__stop_argument(&tasks->stop);
    for (int i = 0; i < 3; i++) argument[count++] = (struct gws_device_argument){.value = &word[i], .bytes = 4};
    argument[count++] = (struct gws_device_argument){.value = &slice, .bytes = 8};
    argument[count++] = gws__device_trace_argument(&tasks->trace);
    const struct gws_device_launch run = {.program = tasks->program,
                                          .kernel = "task_run",
                                          .groups = tasks->groups,
                                          .group_size = tasks->group_size,
                                          .argument = argument,
                                          .arguments = count};
    bool cancelled = gws_cancelled(tasks->runtime) || (tasks->side && !gws__task_pool_launch(tasks->side));
    if (cancelled) return gws_diagnostic_status(where, GWS_CANCELLED);
    gws_status status = gws_device_run(tasks->device, &run, where);
    if (tasks->side) return wait_on_side(tasks, status, where);
    return status == GWS_OK ? gws__stop_wait(&tasks->stop, tasks->device, where) : status;
}

gws_status gws__device_tasks_launch(struct gws_device_tasks *tasks, const struct gws_device_task_roots *roots,
                                    struct gws_device_tasks_result *result, struct gws_diagnostic *where)
{
    const uint64_t words = gws_device_buffer_bytes(tasks->buffer[gws__task_deques]) / 4;
    gws_status status = gws__task_blocks_upload(tasks, where);
    if (status == GWS_OK)
        status = gws_device_write(tasks->buffer[gws__task_control], 0, tasks->control, sizeof tasks->control, where);
    if (status == GWS_OK) status = gws_device_fill(tasks->buffer[gws__task_deques], 0, 0, words, where);
    if (status == GWS_OK) status = gws__device_trace_begin(&tasks->trace, where);
    double began = gws_clock_ms();
    if (status == GWS_OK) status = launch(tasks, roots, where);
    result->ms += gws_clock_ms() - began;
    result->launches++;
    if (status == GWS_OK) status = gws__device_trace_end(&tasks->trace, where);
    if (status == GWS_OK)
        status = gws_device_read(tasks->buffer[gws__task_control], 0, tasks->control, sizeof tasks->control, where);
    return status == GWS_OK ? gws__task_blocks_download(tasks, &result->spilled, where) : status;
}

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
}

gws_status gws__device_tasks_begin(struct gws_device_tasks *tasks, struct gws_device_tasks_result *result,
                                   struct gws_diagnostic *where)
{
    struct gws_device_buffer *stats = tasks->buffer[gws__task_stats];
    *result = (struct gws_device_tasks_result){
        .workers = tasks->workers, .groups = tasks->groups, .group_size = tasks->group_size};
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
    while (status == GWS_OK && gws__task_blocks_left(tasks))
        status = gws__device_tasks_launch(tasks, roots, &made, where);
    if (status == GWS_OK) status = gws__device_tasks_end(tasks, &made, where);
    if (status == GWS_OK) *result = made;
    return status;
}

gws_status gws_device_tasks_run(struct gws_device_tasks *tasks, const struct gws_device_task_roots *roots,
                                struct gws_device_tasks_result *result, struct gws_diagnostic *where)
{
    return GWS_CALL(tasks->runtime, where, device_tasks_run(tasks, roots, result, where));
}
