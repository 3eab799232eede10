/* SPDX-License-Identifier: MIT */
/* The kernel for an order, the groups that run it, and launching them (kernels/madness/madness.cl). */
#include <stdio.h>
#include <string.h>

#include "../../../kernels/kernels.h"
#include "madness_device_state.h"

enum {
    near_most = 13,        /* CUDA's kernels for larger orders are far alone */
    table_spare = 1 << 12, /* local memory that a group needs besides its array and the matrices, at most */
    columns_an_item = 3,
    warp = 32,
    parameters = madness_buffers + 8
};

/* ---- sizes ---- */

static uint64_t array_bytes(const struct gws_madness_device *builder)
{
    const uint64_t k = builder->order, entries = 12 * k * k * k, sums = UINT64_C(2) * builder->options.group_size;
    return (entries > sums ? entries : sums) * sizeof(double);
}

/* All items have the same number of columns along the first axis where that works out. A CPU's groups are one thread,
 * and the fewer their items, the less is kept between barriers. */
static uint32_t choose_group_size(const struct gws_madness_device *builder)
{
    const struct gws_device_info *info = gws_device_describe(builder->device);
    const uint32_t most =
        info->max_group_size < MADNESS_MOST_GROUP ? (uint32_t)info->max_group_size : MADNESS_MOST_GROUP;
    if (builder->options.group_size) return builder->options.group_size;
    if (info->type == GWS_DEVICE_CPU) return most < MADNESS_MOST_SERIAL ? most : MADNESS_MOST_SERIAL;
    uint32_t items = 8 * builder->order * builder->order / columns_an_item, size = (items + warp - 1) / warp * warp;
    return size < most ? size : most;
}

static bool is_far(const struct gws_madness_device *builder)
{
    const struct gws_device_info *info = gws_device_describe(builder->device);
    if (builder->cuda) return builder->order > near_most;
    return array_bytes(builder) + gws__madness_device_table_bytes(builder->order) + table_spare > info->local_memory;
}

/* ---- the program ---- */

static gws_status build_program(struct gws_madness_device *builder, struct gws_where *where)
{
    char options[128];
    snprintf(options, sizeof options, "-DMADNESS_ORDER=%u -DMADNESS_FAR=%d -DGWS_GROUP_SIZE=%u", builder->order,
             builder->far, builder->options.group_size);
    gws_status status = gws__kernel_program_build(builder->device, "madness", options, &builder->program, where);
    if (status != GWS_INVALID || builder->cuda) return status;
    return GWS_UNSUPPORTED; /* the text compiles, so the device lacks something */
}

/* A kernel's last argument: the groups' arrays. With CUDA local memory is no parameter, and the pointer is one in any
 * case. */
static uint32_t add_array(const struct gws_madness_device *builder, struct gws_device_argument *argument)
{
    uint32_t count = 0;
    struct gws_device_buffer *scratch = builder->buffer[builder->far ? madness_scratch : madness_control];
    if (builder->cuda || builder->far) argument[count++] = (struct gws_device_argument){.buffer = scratch};
    if (!builder->far) argument[count++] = (struct gws_device_argument){.bytes = array_bytes(builder)};
    return count;
}

static gws_status count_resident(struct gws_madness_device *builder, uint64_t *groups, struct gws_where *where)
{
    const struct gws_device_argument array = {.bytes = builder->far ? 0 : array_bytes(builder)};
    const struct gws_device_launch launch = {.program = builder->program,
                                             .kernel = builder->kernel,
                                             .group_size = builder->options.group_size,
                                             .argument = &array,
                                             .arguments = 1,
                                             .resident = true};
    return gws_device_resident(builder->device, &launch, groups, where);
}

static gws_status choose_kernel(struct gws_madness_device *builder, uint64_t *groups, struct gws_where *where)
{
    if (!builder->cuda)
        snprintf(builder->kernel, sizeof builder->kernel, "madness");
    else
        snprintf(builder->kernel, sizeof builder->kernel, builder->far ? "madness_far_%u" : "madness_%u",
                 builder->order);
    return count_resident(builder, groups, where);
}

/* An array that no multiprocessor has room for is far. */
gws_status gws__madness_device_program(struct gws_madness_device *builder, struct gws_where *where)
{
    uint64_t groups = 0;
    builder->cuda = gws_device_describe(builder->device)->api == GWS_DEVICE_CUDA;
    builder->options.group_size = choose_group_size(builder);
    builder->far = is_far(builder);
    gws_status status = build_program(builder, where);
    if (status == GWS_OK) status = choose_kernel(builder, &groups, where);
    if (status == GWS_OK && groups == 0 && builder->cuda && !builder->far) {
        builder->far = true;
        status = choose_kernel(builder, &groups, where);
    }
    if (status != GWS_OK) return status;
    if (groups == 0 || (builder->options.form == GWS_MADNESS_QUEUE && builder->options.groups > groups))
        return gws_where_set(where, groups ? GWS_INVALID : GWS_UNSUPPORTED, NULL, 0, 0,
                             "%u groups of %u items: %llu run at the same time", builder->options.groups,
                             builder->options.group_size, (unsigned long long)groups);
    if (!builder->options.groups) builder->options.groups = (uint32_t)groups;
    if (!builder->far) return GWS_OK;
    return gws__madness_device_room(
        builder, madness_scratch,
        (uint64_t)MADNESS_ARRAY((uint64_t)builder->order) * sizeof(double) * builder->options.groups, where);
}

/* ---- launching ---- */

/* With end above 0, the tasks from begin to end; else all that there are and come of them. */
static gws_status run(const struct gws__madness_order *order, uint32_t begin, uint32_t end, struct gws_where *where)
{
    struct gws_madness_device *builder = order->builder;
    const struct gws_madness_problem *problem = order->problem;
    const uint32_t value[] = {problem->specials,
                              problem->values == gws_madness_gaussian ? MADNESS_GAUSSIAN : MADNESS_POTENTIAL,
                              problem->max_level,
                              (uint32_t)builder->tasks,
                              (uint32_t)builder->places,
                              begin,
                              end};
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
                                             .resident = end == 0};
    builder->stats.launches++;
    gws_status status = gws_device_run(builder->device, &launch, where);
    return status == GWS_OK ? gws_device_wait(builder->device, where) : status;
}

static gws_status read_control(struct gws__madness_order *order, struct gws_where *where)
{
    return gws_device_read(order->builder->buffer[madness_control], 0, order->control, sizeof order->control, where);
}

static gws_status run_levels(struct gws__madness_order *order, struct gws_where *where)
{
    gws_status status = GWS_OK;
    for (uint32_t begin = 0, end = (uint32_t)order->tasks; begin < end && status == GWS_OK;) {
        status = run(order, begin, end, where);
        if (status == GWS_OK) status = read_control(order, where);
        if (order->control[MADNESS_STOP]) break;
        begin = end;
        end = order->control[MADNESS_TAIL];
    }
    return status;
}

/* The tasks and all counters as they are at the beginning. */
static gws_status prepare(const struct gws__madness_order *order, struct gws_where *where)
{
    struct gws_device_buffer *const *buffer = order->builder->buffer;
    const uint32_t tasks = (uint32_t)order->tasks;
    uint32_t control[MADNESS_CONTROL_WORDS] = {[MADNESS_TAIL] = tasks, [MADNESS_PENDING] = tasks};
    gws_status status = gws_device_write(buffer[madness_task], 0, order->task,
                                         order->tasks * MADNESS_TASK_WORDS * sizeof *order->task, where);
    if (status == GWS_OK) status = gws_device_write(buffer[madness_control], 0, control, sizeof control, where);
    if (status == GWS_OK) status = gws_device_fill(buffer[madness_state], 0, MADNESS_WAITING, tasks, where);
    if (status == GWS_OK)
        status = gws_device_fill(buffer[madness_state], tasks, MADNESS_NOTHING, order->builder->tasks - tasks, where);
    if (status == GWS_OK)
        status = gws_device_fill(buffer[madness_stats], 0, 0,
                                 UINT64_C(2) * order->builder->options.groups * MADNESS_STATS_WORDS, where);
    return status == GWS_OK ? gws_device_wait(order->builder->device, where) : status;
}

gws_status gws__madness_device_launch(struct gws__madness_order *order, struct gws_where *where)
{
    gws_status status = prepare(order, where);
    if (status != GWS_OK) return status;
    const double began = gws_clock_ms();
    if (order->builder->options.form == GWS_MADNESS_LEVELS)
        status = run_levels(order, where);
    else {
        status = run(order, 0, 0, where);
        if (status == GWS_OK) status = read_control(order, where);
    }
    order->builder->stats.ms += gws_clock_ms() - began;
    return status;
}
