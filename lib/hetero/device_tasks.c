/* SPDX-License-Identifier: MIT */
/* Immediate tasks on a device: opens the program of kernels/task/task.cl and its memory. */
#include "device_tasks.h"

#include <stdio.h>
#include <string.h>

#include "../../kernels/kernels.h"
#include "../../kernels/queue/deque_words.h"
#include "../base/services.h"
#include "../parallel.h"
#include "rank_devices.h"

enum { blocks_per_worker = 8, min_shared = 1024 };

/* Parts of the program before the source of a task, with the portability header, and behind it (kernels/programs). */
enum { parts_before = 7, parts_behind = 6 };

/* The kernel's clock may be one of cycles, which are shorter than nanoseconds. */
static const double wait_share = 0.25, cancel_slice_ms = 100;

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
        [gws__task_deques] = tasks->workers * UINT64_C(8) * (DEQUE_HEAD + gws__task_slots * TASK_WORDS + 1),
        [gws__task_control] = sizeof tasks->control,
        [gws__task_block] = (uint64_t)tasks->blocks * TASK_BLOCK * 4 * (tasks->length + TASK_RANGE),
        [gws__task_count] = tasks->blocks * UINT64_C(4),
        [gws__task_next] = tasks->blocks * UINT64_C(4),
        [gws__task_stats] = tasks->workers * UINT64_C(8) * TASK_STATS_STRIDE,
        [gws__task_peers] = TASK_PEERS_WORDS * UINT64_C(8)};
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
    gws__rank_devices_close(tasks);
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
