/* SPDX-License-Identifier: MIT */
/* The kernel of an order, the choice of its groups, and its launches (kernels/madness/madness.cl). */
#include <stdio.h>
#include <string.h>

#include "../../../kernels/kernels.h"
#include "madness_device_state.h"

enum {
    max_local_order = 13,        /* CUDA kernels of larger orders only support arrays in global memory */
    extra_local_bytes = 1 << 12, /* maximum local memory of a group besides its array and the matrices */
    columns_an_item = 3,
    warp = 32,
    parameters = madness_buffers + 6,
    initial_tasks = 1 << 20
};
static const uint64_t max_tasks = UINT64_C(1) << 31;

/* ---- sizes ---- */

static uint64_t array_bytes(const struct gws_madness_device *builder)
{
    const uint64_t k = builder->order, entries = 12 * k * k * k, sums = UINT64_C(2) * builder->options.group_size;
    return (entries > sums ? entries : sums) * sizeof(double);
}

/* Gives all items the same number of columns along the first axis if possible. On a CPU, a group is one thread, and
 * fewer items have less state across barriers. */
static uint32_t choose_group_size(const struct gws_madness_device *builder)
{
    const struct gws_device_info *info = gws_device_describe(builder->device);
    const uint32_t max_size =
        info->max_group_size < MADNESS_MAX_GROUP ? (uint32_t)info->max_group_size : MADNESS_MAX_GROUP;
    if (builder->options.group_size) return builder->options.group_size;
    if (info->type == GWS_DEVICE_CPU) return max_size < MADNESS_MAX_SERIAL ? max_size : MADNESS_MAX_SERIAL;
    uint32_t items = 8 * builder->order * builder->order / columns_an_item, size = (items + warp - 1) / warp * warp;
    return size < max_size ? size : max_size;
}

static bool needs_global_arrays(const struct gws_madness_device *builder)
{
    const struct gws_device_info *info = gws_device_describe(builder->device);
    if (builder->cuda) return builder->order > max_local_order;
    return array_bytes(builder) + gws__madness_device_table_bytes(builder->order) + extra_local_bytes >
           info->local_memory;
}

/* ---- the program ---- */

static gws_status build_program(struct gws_madness_device *builder, struct gws_diagnostic *where)
{
    char options[128];
    snprintf(options, sizeof options, "-DMADNESS_ORDER=%u -DMADNESS_GLOBAL=%d -DGWS_GROUP_SIZE=%u", builder->order,
             builder->global_arrays, builder->options.group_size);
    gws_status status = gws__kernel_program_build(builder->device, "madness", options, &builder->program, where);
    if (status != GWS_INVALID || builder->cuda) return status;
    return GWS_UNSUPPORTED; /* the kernel source is valid, so the device lacks a feature */
}

/* Adds the kernel's last argument, the groups' arrays. On CUDA, local memory is not a parameter, but the pointer always
 * is a parameter. */
static uint32_t add_array(const struct gws_madness_device *builder, struct gws_device_argument *argument)
{
    uint32_t count = 0;
    struct gws_device_buffer *scratch = builder->buffer[builder->global_arrays ? madness_scratch : madness_control];
    if (builder->cuda || builder->global_arrays) argument[count++] = (struct gws_device_argument){.buffer = scratch};
    if (!builder->global_arrays) argument[count++] = (struct gws_device_argument){.bytes = array_bytes(builder)};
    return count;
}

/* Finds the number of groups of the kernel that can run at the same time. Uses global memory if the array does not fit
 * on a multiprocessor. */
static gws_status choose_kernel(struct gws_madness_device *builder, uint64_t *groups, struct gws_diagnostic *where)
{
    const char *name = !builder->cuda ? "madness" : builder->global_arrays ? "madness_global_%u" : "madness_%u";
    snprintf(builder->kernel, sizeof builder->kernel, name, builder->order);
    const struct gws_device_argument array = {.bytes = builder->global_arrays ? 0 : array_bytes(builder)};
    const struct gws_device_launch launch = {.program = builder->program,
                                             .kernel = builder->kernel,
                                             .group_size = builder->options.group_size,
                                             .argument = &array,
                                             .arguments = 1,
                                             .resident = true};
    gws_status status = gws_device_resident(builder->device, &launch, groups, where);
    if (status != GWS_UNSUPPORTED || !builder->cuda || builder->global_arrays) return status;
    builder->global_arrays = true;
    return choose_kernel(builder, groups, where);
}

gws_status gws__madness_device_program(struct gws_madness_device *builder, struct gws_diagnostic *where)
{
    uint64_t groups = 0;
    builder->cuda = gws_device_describe(builder->device)->api == GWS_DEVICE_CUDA;
    builder->options.group_size = choose_group_size(builder);
    builder->global_arrays = needs_global_arrays(builder);
    gws_status status = build_program(builder, where);
    if (status == GWS_OK) status = choose_kernel(builder, &groups, where);
    if (status != GWS_OK) return status;
    if (builder->options.groups > groups)
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0,
                                  "%u groups of %u items: only %llu can run at the same time", builder->options.groups,
                                  builder->options.group_size, (unsigned long long)groups);
    if (!builder->options.groups) builder->options.groups = (uint32_t)groups;
    if (!builder->global_arrays) return GWS_OK;
    return gws__madness_device_reserve(
        builder, madness_scratch,
        (uint64_t)MADNESS_ARRAY((uint64_t)builder->order) * sizeof(double) * builder->options.groups, where);
}

/* ---- launching ---- */

/* Runs the given tasks and all tasks that they create. */
static gws_status run(struct gws_madness_device *builder, struct gws_diagnostic *where)
{
    const struct gws_madness_problem *problem = builder->problem;
    const uint32_t value[] = {
        problem->specials, problem->values == gws_madness_gaussian ? MADNESS_GAUSSIAN : MADNESS_POTENTIAL,
        problem->max_level, (uint32_t)builder->task_capacity, (uint32_t)gws__madness_limit(builder)};
    struct gws_device_argument argument[parameters];
    uint32_t count = 0;
    for (; count < madness_scratch; count++)
        argument[count] = (struct gws_device_argument){.buffer = builder->buffer[count]};
    for (size_t i = 0; i < sizeof value / sizeof *value; i++)
        argument[count++] = (struct gws_device_argument){.value = &value[i], .bytes = sizeof value[i]};
    count += add_array(builder, argument + count);
    const struct gws_device_launch launch = {.program = builder->program,
                                             .kernel = builder->kernel,
                                             .groups = builder->options.groups,
                                             .group_size = builder->options.group_size,
                                             .argument = argument,
                                             .arguments = count,
                                             .resident = true};
    builder->stats.launches++;
    return gws_device_run(builder->device, &launch, where);
}

/* Reserves space for several times the given tasks, so the list does not fill at once. */
static gws_status reserve_tasks(struct gws_madness_device *builder, struct gws_diagnostic *where)
{
    const uint64_t wanted = builder->options.capacity;
    uint64_t capacity = builder->task_capacity ? builder->task_capacity : wanted ? (wanted + 7) / 8 * 8 : initial_tasks;
    while (capacity < 4 * builder->tasks) capacity *= 2;
    if (capacity > max_tasks)
        return gws_diagnostic_set(where, GWS_TOO_LARGE, NULL, 0, 0, "too many boxes for the device");
    gws_status status = gws__madness_device_reserve(builder, madness_task,
                                                    capacity * MADNESS_TASK_WORDS * sizeof *builder->task, where);
    if (status == GWS_OK)
        status = gws__madness_device_reserve(builder, madness_state, capacity * sizeof(uint32_t), where);
    builder->task_capacity = status == GWS_OK ? capacity : 0;
    return status;
}

/* Initialises the tasks and all counters. */
static gws_status prepare(struct gws_madness_device *builder, struct gws_diagnostic *where)
{
    struct gws_device_buffer *const *buffer = builder->buffer;
    const uint32_t tasks = (uint32_t)builder->tasks;
    uint32_t control[MADNESS_CONTROL_WORDS] = {
        [MADNESS_TAIL] = tasks, [MADNESS_PENDING] = tasks, [MADNESS_SLOTS] = (uint32_t)builder->held};
    gws_status status = reserve_tasks(builder, where);
    if (status == GWS_OK)
        status = gws_device_write(buffer[madness_task], 0, builder->task,
                                  builder->tasks * MADNESS_TASK_WORDS * sizeof *builder->task, where);
    if (status == GWS_OK) status = gws_device_write(buffer[madness_control], 0, control, sizeof control, where);
    if (status == GWS_OK) status = gws_device_fill(buffer[madness_state], 0, MADNESS_WAITING, tasks, where);
    if (status == GWS_OK)
        status = gws_device_fill(buffer[madness_state], tasks, MADNESS_NOTHING, builder->task_capacity - tasks, where);
    if (status == GWS_OK)
        status = gws_device_fill(buffer[madness_stats], 0, 0,
                                 UINT64_C(2) * builder->options.groups * MADNESS_STATS_WORDS, where);
    return status == GWS_OK && !builder->options.cpu ? gws_device_wait(builder->device, where) : status;
}

gws_status gws__madness_device_launch(struct gws_madness_device *builder, struct gws_diagnostic *where)
{
    gws_status status = prepare(builder, where);
    builder->launched_ms = gws_clock_ms();
    return status == GWS_OK ? run(builder, where) : status;
}
