/* SPDX-License-Identifier: MIT */
/* MADNESS trees on a device: the calls of madness_device.h. The device works until all boxes are done or one of its
 * lists is full; then what there is comes to the host, and the device goes on with what is left. */
#include <string.h>

#include "../../../lib/poison.h"
#include "madness_device_state.h"

enum { most_groups = 60000, usual_tasks = 1 << 20, usual_share = 4, most_places = 1 << 18 };
static const uint64_t most_bytes = UINT64_C(4) << 30, most_tasks = UINT64_C(1) << 31;

gws_status gws__madness_device_room(struct gws_madness_device *builder, uint32_t which, uint64_t bytes,
                                    struct gws_where *where)
{
    struct gws_device_buffer **buffer = &builder->buffer[which];
    if (*buffer && gws_device_buffer_bytes(*buffer) >= bytes) return GWS_OK;
    gws_device_buffer_free(*buffer);
    *buffer = NULL;
    return gws_device_buffer_new(builder->device, bytes, buffer, where);
}

/* ---- opening ---- */

static gws_status check_options(const struct gws_madness_device *builder, struct gws_where *where)
{
    const struct gws_madness_device_options *options = &builder->options;
    const struct gws_device_info *info = gws_device_describe(builder->device);
    const char *wrong = NULL;
    if (builder->order == 0 || builder->order > GWS_MADNESS_ORDER) wrong = "the order is not 1 to 30";
    if ((unsigned)options->form > GWS_MADNESS_LEVELS) wrong = "no such form";
    if (options->groups > most_groups) wrong = "there are more than 60000 groups";
    if (options->group_size > MADNESS_MOST_GROUP || options->group_size > info->max_group_size)
        wrong = "groups have more than 512 items, or than the device takes";
    if (info->type == GWS_DEVICE_CPU && options->group_size > MADNESS_MOST_SERIAL)
        wrong = "groups of a CPU have more than 8 items, for which its compiler runs out of memory";
    if (options->room > UINT32_MAX) wrong = "room for too many families";
    return wrong ? gws_where_set(where, GWS_INVALID, NULL, 0, 0, "%s", wrong) : GWS_OK;
}

/* Every group holds a place from the first box on. */
static gws_status choose_places(struct gws_madness_device *builder, struct gws_where *where)
{
    const uint64_t k = builder->order, each = 8 * k * k * k * sizeof(double),
                   least = UINT64_C(2) * builder->options.groups;
    uint64_t left;
    gws_status status = gws_device_memory_left(builder->device, &left, where);
    if (status != GWS_OK) return status;
    const uint64_t most = gws_device_describe(builder->device)->max_buffer;
    uint64_t bytes = left / usual_share < most_bytes ? left / usual_share : most_bytes;
    if (bytes > most) bytes = most;
    builder->places = bytes / each < most_places ? bytes / each : most_places;
    if (builder->options.room) builder->places = builder->options.room;
    if (builder->places < least) builder->places = least;
    return GWS_OK;
}

static gws_status open_lists(struct gws_madness_device *builder, struct gws_where *where)
{
    const uint64_t k = builder->order;
    const struct {
        uint32_t which;
        uint64_t bytes;
    } need[] = {
        {madness_control, MADNESS_CONTROL_WORDS * sizeof(uint32_t)},
        {madness_family, builder->places * MADNESS_FAMILY_WORDS * sizeof(uint32_t)},
        {madness_number, builder->places * MADNESS_FAMILY_NUMBERS * sizeof(double)},
        {madness_coefficient, builder->places * 8 * k * k * k * sizeof(double)},
        {madness_table, gws__madness_device_table_bytes(builder->order)},
        {madness_stats, builder->options.groups * MADNESS_STATS_WORDS * sizeof(uint64_t)},
    };
    gws_status status = GWS_OK;
    for (size_t i = 0; i < sizeof need / sizeof *need && status == GWS_OK; i++)
        status = gws__madness_device_room(builder, need[i].which, need[i].bytes, where);
    return status;
}

static gws_status open_builder(struct gws_madness_device *builder, struct gws_where *where)
{
    gws_status status = check_options(builder, where);
    if (status == GWS_OK) status = gws__madness_device_program(builder, where);
    if (status == GWS_OK) status = choose_places(builder, where);
    return status == GWS_OK ? open_lists(builder, where) : status;
}

gws_status gws_madness_device_open(struct gws_runtime *runtime, struct gws_device *device, uint32_t order,
                                   const struct gws_madness_device_options *options,
                                   struct gws_madness_device **builder, struct gws_where *where)
{
    struct gws_madness_device *made = gws_allocate(runtime, 1, sizeof *made);
    if (!made) return gws__madness_device_no_memory(where);
    *made = (struct gws_madness_device){.runtime = runtime, .device = device, .order = order};
    if (options) made->options = *options;
    gws_status status = open_builder(made, where);
    if (status == GWS_OK)
        *builder = made;
    else
        gws_madness_device_close(made);
    return status;
}

void gws_madness_device_close(struct gws_madness_device *builder)
{
    if (!builder) return;
    for (int i = 0; i < madness_buffers; i++) gws_device_buffer_free(builder->buffer[i]);
    if (builder->program) gws_device_program_free(builder->program);
    gws_release(builder->runtime, builder, 1, sizeof *builder);
}

/* ---- building ---- */

static gws_status check_problem(const struct gws_madness_device *builder, const struct gws_madness_problem *problem,
                                struct gws_where *where)
{
    gws_status status = gws__madness_problem_check(problem, where);
    if (status != GWS_OK) return status;
    if (problem->order != builder->order || problem->kernel)
        return gws_where_set(where, GWS_INVALID, NULL, 0, 0,
                             problem->kernel ? "a device has no kernels to choose from"
                                             : "the builder has another order");
    if (problem->values != gws_madness_gaussian && problem->values != gws_madness_potential)
        return gws_where_set(where, GWS_UNSUPPORTED, NULL, 0, 0, "devices know Gaussians and potentials only");
    return GWS_OK;
}

static gws_status make_roots(struct gws__madness_order *order, struct gws_where *where)
{
    order->tasks = UINT64_C(8) * order->problem->functions;
    order->task = gws_allocate(order->builder->runtime, order->tasks * MADNESS_TASK_WORDS, sizeof *order->task);
    if (!order->task) return gws__madness_device_no_memory(where);
    memset(order->task, 0, order->tasks * MADNESS_TASK_WORDS * sizeof *order->task);
    for (uint64_t i = 0; i < order->tasks; i++) {
        uint32_t *task = order->task + MADNESS_TASK_WORDS * i;
        task[MADNESS_FUNCTION] = (uint32_t)(i / 8);
        task[MADNESS_LEVEL] = 1;
        for (uint32_t a = 0; a < 3; a++) task[MADNESS_AT + a] = i >> (2 - a) & 1;
    }
    return GWS_OK;
}

/* Room for several times the tasks that there are, or it would be full at once. */
static gws_status find_room(const struct gws__madness_order *order, struct gws_where *where)
{
    struct gws_madness_device *builder = order->builder;
    const uint64_t room = builder->options.room;
    uint64_t tasks = builder->tasks ? builder->tasks : room ? (room + 7) / 8 * 8 : usual_tasks;
    while (tasks < 4 * order->tasks) tasks *= 2;
    if (tasks > most_tasks) return gws_where_set(where, GWS_TOO_LARGE, NULL, 0, 0, "too many boxes for the device");
    gws_status status =
        gws__madness_device_room(builder, madness_task, tasks * MADNESS_TASK_WORDS * sizeof *order->task, where);
    if (status == GWS_OK) status = gws__madness_device_room(builder, madness_state, tasks * sizeof(uint32_t), where);
    builder->tasks = status == GWS_OK ? tasks : 0;
    return status;
}

static gws_status run_all(struct gws__madness_order *order, struct gws_where *where)
{
    gws_status status = GWS_OK;
    while (order->tasks > 0 && status == GWS_OK) {
        status = find_room(order, where);
        if (status == GWS_OK) status = gws__madness_device_launch(order, where);
        if (status == GWS_OK && order->control[MADNESS_STOP] == MADNESS_NOT_FINITE) status = GWS_OUT_OF_RANGE;
        if (status == GWS_OK) status = gws__madness_device_count(order, where);
        if (status == GWS_OK) status = gws__madness_device_fetch(order, where);
        if (order->control[MADNESS_STOP] != MADNESS_FULL) break;
        if (status == GWS_OK) status = gws__madness_device_remaining(order, where);
    }
    return status;
}

/* The kind's name, which stays when the device is gone. */
static const char *kind_of(const struct gws_device *device)
{
    return gws_device_kind_at(gws_device_describe(device)->api, NULL, NULL);
}

gws_status gws_madness_device_build(struct gws_madness_device *builder, const struct gws_madness_problem *problem,
                                    struct gws_madness_tree **tree, struct gws_where *where)
{
    gws_status status = check_problem(builder, problem, where);
    if (status != GWS_OK) return status;
    struct gws__madness_order order = {.builder = builder, .problem = problem};
    builder->stats = (struct gws_madness_device_stats){
        .least = UINT64_MAX, .groups = builder->options.groups, .group_size = builder->options.group_size};
    order.owner = gws__madness_owner_new(builder->runtime, problem);
    status = order.owner ? make_roots(&order, where) : gws__madness_device_no_memory(where);
    double began = gws_clock_ms();
    if (status == GWS_OK) status = gws__madness_device_upload(builder, problem, where);
    builder->stats.upload_ms = gws_clock_ms() - began;
    if (status == GWS_OK) status = run_all(&order, where);
    if (status == GWS_OK) order.owner->tree.kernel = kind_of(builder->device);
    gws_release(builder->runtime, order.task, order.tasks * MADNESS_TASK_WORDS, sizeof *order.task);
    return gws__madness_finish(builder->runtime, problem, status, order.owner, tree, where);
}

/* As far as it was ever filled. The host follows what a family says: there are none. */
gws_status gws_madness_device_poison(struct gws_madness_device *builder, struct gws_where *where)
{
    const uint64_t k = builder->order, filled = builder->filled;
    struct gws_device_buffer *const *buffer = builder->buffer;
    gws_status status = gws_device_fill(buffer[madness_family], 0, 0, filled * MADNESS_FAMILY_WORDS, where);
    if (status == GWS_OK)
        status = gws_device_fill(buffer[madness_number], 0, GWS_POISON, filled * MADNESS_FAMILY_NUMBERS * 2, where);
    if (status == GWS_OK)
        status = gws_device_fill(buffer[madness_coefficient], 0, GWS_POISON, filled * 8 * k * k * k * 2, where);
    return status == GWS_OK ? gws_device_wait(builder->device, where) : status;
}

void gws_madness_device_stats(const struct gws_madness_device *builder, struct gws_madness_device_stats *stats)
{
    *stats = builder->stats;
}
