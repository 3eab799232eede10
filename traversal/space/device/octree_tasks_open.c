/* SPDX-License-Identifier: MIT */
/* Checks and chooses the options of octrees by tasks on a device, and opens the builder (see octree_tasks.c). */
#define _POSIX_C_SOURCE 200809L
#include "octree_tasks.h"

#include <stdio.h>
#include <string.h>

#include "../../../kernels/kernels.h"

enum {
    gpu_group_size = 128,
    cpu_group_size = 1,
    gpu_piece = 4096,
    cpu_piece = 65536,
    min_part = 32,
    max_chunk = 32,
    default_chunk = 4
};

/* ---- options ---- */

/* The supported policies, each with a queue of the same name. */
static const struct queue_strategy {
    const char *policy;
    gws__octree_worker *worker; /* the loop of CPU workers on shared deques; NULL: unsupported */
} strategies[] = {{"abp", gws__octree_worker_abp}, {"chunked", gws__octree_worker_chunked}, {"static", NULL}};

/* Returns NULL for an unsupported policy. */
static const struct queue_strategy *queue_strategy_of(const struct gws_octree_device *builder)
{
    for (size_t i = 0; i < sizeof strategies / sizeof *strategies; i++)
        if (strcmp(strategies[i].policy, gws_runtime_policy(builder->runtime)) == 0) return &strategies[i];
    return NULL;
}

static bool refuse(struct gws_diagnostic *where, const char *why)
{
    (void)gws_diagnostic_set(where, GWS_UNSUPPORTED, NULL, 0, 0, "%s", why);
    return false;
}

/* Returns the number of tasks that a thief takes at once, or 0 for an automatic choice. */
static uint32_t chunk_of(const struct gws_octree_device *builder)
{
    return builder->options.chunk ? builder->options.chunk : gws_runtime_chunk(builder->runtime);
}

static bool supports_hybrid(const struct gws_octree_device *builder, struct gws_diagnostic *where)
{
    const struct gws_octree_device_options *options = &builder->options;
    if (options->form > GWS_OCTREE_FORM_DEVICE && !options->cpu)
        return refuse(where, "the forms shared and handoff require CPU workers");
    if (!options->cpu) return true;
    if (options->form == GWS_OCTREE_FORM_DEVICE) return refuse(where, "the form device excludes CPU workers");
    if (!queue_strategy_of(builder)->worker) return refuse(where, "CPU workers require the policy abp or chunked");
    if (options->form == GWS_OCTREE_FORM_SHARED && gws__sharing_of(builder->device) != gws__sharing_deques)
        return refuse(where, "the form shared requires atomics that are coherent between host and device");
    return true;
}

bool gws__octree_tasks_supports(const struct gws_octree_device *builder, struct gws_diagnostic *where)
{
    const struct gws_octree_device_options *options = &builder->options;
    bool cuda = gws_device_describe(builder->device)->api == GWS_DEVICE_CUDA;
    bool rows = cuda && options->group_size > 0 && options->group_size < 32;
    if (!queue_strategy_of(builder))
        return refuse(where, "building by task requires the policy abp, chunked or static");
    if (!supports_hybrid(builder, where)) return false;
    if (options->group_size > RANK_ITEMS || rows)
        return refuse(where, "building by task requires groups of at most 128 items, and on CUDA of at least 32");
    if (chunk_of(builder) > max_chunk) return refuse(where, "building by task limits a chunk to 32 tasks");
    if (chunk_of(builder) > 0 && strcmp(queue_strategy_of(builder)->policy, "chunked") != 0)
        return refuse(where, "building by task supports chunks only with the policy chunked");
    return true;
}

static void choose_sizes(struct gws_octree_device *builder)
{
    const struct gws_device_info *info = gws_device_describe(builder->device);
    struct gws_octree_device_options *options = &builder->options;
    bool gpu = info->type == GWS_DEVICE_GPU;
    if (options->group_size == 0) options->group_size = gpu ? gpu_group_size : cpu_group_size;
    while (options->group_size > info->max_group_size) options->group_size /= 2;
    if (options->piece == 0) options->piece = gpu ? gpu_piece : cpu_piece;
    options->chunk = chunk_of(builder) ? chunk_of(builder) : default_chunk;
}

/* ---- opening ---- */

/* Builds the program for that kind of queue. */
static gws_status build_program(struct gws__octree_tasks *tasks, const char *queue, struct gws_diagnostic *where)
{
    const struct gws_device_info *info = gws_device_describe(tasks->device);
    char name[32], options[96];
    snprintf(name, sizeof name, "octree_%s", queue);
    snprintf(options, sizeof options, "-DGWS_GROUP_SIZE=%u%s%s", tasks->group_size,
             info->collectives ? " -DGWS_WITH_GROUP_SCAN" : "", tasks->shares ? " -DGWS_SCOPE=GWS_HOST_SCOPE" : "");
    return gws__kernel_program_build(tasks->device, name, options, &tasks->program, where);
}

static gws_status choose_groups(struct gws_octree_device *builder, struct gws__octree_tasks *tasks,
                                struct gws_diagnostic *where)
{
    uint64_t groups = 0;
    tasks->groups = builder->options.groups;
    if (tasks->groups > 0) return GWS_OK;
    gws_status status = gws__octree_tasks_resident(tasks, &groups, where);
    uint32_t cores = gws_device_cores_left(builder->device, tasks->threads); /* at least one group always runs */
    if (tasks->threads && groups > cores) groups = cores > 0 ? cores : 1;
    tasks->groups = builder->options.groups = (uint32_t)groups;
    return status;
}

static void choose_workers(struct gws_octree_device *builder, struct gws__octree_tasks *tasks)
{
    enum gws_octree_form *form = &builder->options.form;
    if (*form == GWS_OCTREE_FORM_AUTO)
        *form =
            gws__sharing_of(builder->device) == gws__sharing_deques ? GWS_OCTREE_FORM_SHARED : GWS_OCTREE_FORM_HANDOFF;
    if (builder->options.cpu) tasks->threads = gws_runtime_workers(builder->runtime);
    tasks->worker = queue_strategy_of(builder)->worker;
    tasks->shares = *form == GWS_OCTREE_FORM_SHARED;
}

gws_status gws__octree_tasks_open(struct gws_octree_device *builder, struct gws_diagnostic *where)
{
    struct gws_runtime *runtime = builder->runtime;
    struct gws__octree_tasks *tasks = gws_allocate(runtime, 1, sizeof *tasks);
    if (!tasks) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    const char *queue = queue_strategy_of(builder)->policy;
    uint32_t piece = builder->options.piece ? builder->options.piece : cpu_piece;
    choose_sizes(builder);
    *tasks = (struct gws__octree_tasks){.runtime = runtime,
                                        .device = builder->device,
                                        .steals = strcmp(queue, "static") != 0,
                                        .group_size = builder->options.group_size,
                                        .min_points = (piece < cpu_piece ? piece : cpu_piece) / min_part};
    if (tasks->min_points == 0) tasks->min_points = 1;
    choose_workers(builder, tasks);
    tasks->params.piece = builder->options.piece;
    tasks->params.chunk = builder->options.chunk;
    builder->own = tasks;
    gws_status status = gws__device_trace_open(&tasks->trace, runtime, builder->device, where);
    if (status == GWS_OK) status = build_program(tasks, queue, where);
    if (status == GWS_OK) status = choose_groups(builder, tasks, where);
    if (status != GWS_OK) return status;
    tasks->stats =
        gws_allocate(runtime, (uint64_t)gws__octree_tasks_workers(tasks) * STATS_STRIDE, sizeof *tasks->stats);
    return tasks->stats ? GWS_OK : gws_diagnostic_status(where, GWS_NO_MEMORY);
}

void gws__octree_tasks_close(struct gws_octree_device *builder)
{
    struct gws__octree_tasks *tasks = builder->own;
    if (!tasks) return;
    gws__octree_tasks_release_record(tasks);
    for (int i = 0; i < gws__octree_arrays; i++) gws_device_buffer_free(tasks->array[i]);
    gws_device_buffer_free(tasks->octant);
    gws__device_trace_close(&tasks->trace);
    if (tasks->program) gws_device_program_free(tasks->program);
    gws_release(tasks->runtime, tasks->stats, (uint64_t)gws__octree_tasks_workers(tasks) * STATS_STRIDE,
                sizeof *tasks->stats);
    gws_release(builder->runtime, tasks, 1, sizeof *tasks);
}
