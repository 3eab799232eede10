/* SPDX-License-Identifier: MIT */
/* Implements the calls of madness_device.h for MADNESS trees on a device (madness_device_run.c runs the boxes). */
#include <string.h>

#include "../../../lib/poison.h"
#include "madness_device_state.h"

enum { max_groups = 60000, memory_share = 4, max_families = 1 << 18 };
static const uint64_t max_bytes = UINT64_C(4) << 30;

gws_status gws__madness_device_reserve(struct gws_madness_device *builder, uint32_t which, uint64_t bytes,
                                       struct gws_diagnostic *where)
{
    struct gws_device_buffer **buffer = &builder->buffer[which];
    if (*buffer && gws_device_buffer_bytes(*buffer) >= bytes) return GWS_OK;
    gws_device_buffer_free(*buffer);
    *buffer = NULL;
    return gws_device_buffer_new(builder->device, bytes, buffer, where);
}

/* ---- opening ---- */

static gws_status check_options(const struct gws_madness_device *builder, struct gws_diagnostic *where)
{
    const struct gws_madness_device_options *options = &builder->options;
    const struct gws_device_info *info = gws_device_describe(builder->device);
    const char *wrong = NULL;
    if (builder->order == 0 || builder->order > GWS_MADNESS_ORDER) wrong = "the order is not 1 to 30";
    if (options->groups > max_groups) wrong = "there are more than 60000 groups";
    if (options->group_size > MADNESS_MAX_GROUP || options->group_size > info->max_group_size)
        wrong = "the group size exceeds 512 items or the device's limit";
    if (info->type == GWS_DEVICE_CPU && options->group_size > MADNESS_MAX_SERIAL)
        wrong = "the group size exceeds 8 items, above which the compiler of a CPU device runs out of memory";
    if (options->capacity > UINT32_MAX) wrong = "the family capacity exceeds 2^32 - 1";
    return wrong ? gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "%s", wrong) : GWS_OK;
}

/* Chooses the capacity for families. */
static gws_status choose_family_capacity(struct gws_madness_device *builder, struct gws_diagnostic *where)
{
    const uint64_t each = builder->entries * sizeof(double);
    uint64_t left;
    gws_status status = gws_device_memory_left(builder->device, &left, where);
    if (status != GWS_OK) return status;
    const uint64_t max_buffer = gws_device_describe(builder->device)->max_buffer;
    uint64_t bytes = left / memory_share < max_bytes ? left / memory_share : max_bytes;
    if (bytes > max_buffer) bytes = max_buffer;
    builder->family_capacity = bytes / each < max_families ? bytes / each : max_families;
    if (builder->options.capacity) builder->family_capacity = builder->options.capacity;
    if (builder->family_capacity < gws__madness_min_families(builder))
        builder->family_capacity = gws__madness_min_families(builder);
    return GWS_OK;
}

static gws_status open_lists(struct gws_madness_device *builder, struct gws_diagnostic *where)
{
    const struct {
        uint32_t which;
        uint64_t bytes;
    } need[] = {
        {madness_control, MADNESS_CONTROL_WORDS * sizeof(uint32_t)},
        {madness_family, builder->family_capacity * MADNESS_FAMILY_WORDS * sizeof(uint32_t)},
        {madness_number, builder->family_capacity * MADNESS_FAMILY_NUMBERS * sizeof(double)},
        {madness_coefficient, builder->family_capacity * builder->entries * sizeof(double)},
        {madness_table, gws__madness_device_table_bytes(builder->order)},
        {madness_stats, builder->options.groups * MADNESS_STATS_WORDS * sizeof(uint64_t)},
    };
    gws_status status = GWS_OK;
    for (size_t i = 0; i < sizeof need / sizeof *need && status == GWS_OK; i++)
        status = gws__madness_device_reserve(builder, need[i].which, need[i].bytes, where);
    return status;
}

static gws_status open_builder(struct gws_madness_device *builder, struct gws_diagnostic *where)
{
    gws_status status = check_options(builder, where);
    if (status == GWS_OK) status = gws__madness_device_program(builder, where);
    if (status == GWS_OK) status = choose_family_capacity(builder, where);
    return status == GWS_OK ? open_lists(builder, where) : status;
}

static gws_status madness_device_open(struct gws_runtime *runtime, struct gws_device *device, uint32_t order,
                                      const struct gws_madness_device_options *options,
                                      struct gws_madness_device **builder, struct gws_diagnostic *where)
{
    struct gws_madness_device *made = gws_allocate(runtime, 1, sizeof *made);
    if (!made) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    *made = (struct gws_madness_device){.runtime = runtime, .device = device, .order = order};
    made->entries = UINT64_C(8) * order * order * order;
    if (options) made->options = *options;
    gws_status status = open_builder(made, where);
    if (status == GWS_OK)
        *builder = made;
    else
        gws_madness_device_close(made);
    return status;
}

gws_status gws_madness_device_open(struct gws_runtime *runtime, struct gws_device *device, uint32_t order,
                                   const struct gws_madness_device_options *options,
                                   struct gws_madness_device **builder, struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, madness_device_open(runtime, device, order, options, builder, where));
}

void gws_madness_device_close(struct gws_madness_device *builder)
{
    if (!builder) return;
    for (int i = 0; i < madness_buffers; i++) gws_device_buffer_free(builder->buffer[i]);
    if (builder->program) gws_device_program_free(builder->program);
    gws_release(builder->runtime, builder, 1, sizeof *builder);
}

/* ---- building ---- */

/* The problem is a valid one. */
static gws_status check_problem(const struct gws_madness_device *builder, const struct gws_madness_problem *problem,
                                struct gws_diagnostic *where)
{
    if (problem->order != builder->order || problem->kernel)
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0,
                                  problem->kernel ? "devices have no selectable kernels"
                                                  : "the builder has another order");
    if (problem->values != gws_madness_gaussian && problem->values != gws_madness_potential)
        return gws_diagnostic_set(where, GWS_UNSUPPORTED, NULL, 0, 0, "devices support only Gaussians and potentials");
    return GWS_OK;
}

/* Begins a build, and writes the problem to the device. */
static gws_status begin(void *context, const struct gws_madness_problem *problem, struct gws__madness_owner *owner,
                        struct gws_diagnostic *where)
{
    struct gws_madness_device *builder = context;
    gws_status status = check_problem(builder, problem, where);
    if (status != GWS_OK) return status;
    builder->stats = (struct gws_madness_device_stats){
        .min_boxes = UINT64_MAX, .groups = builder->options.groups, .group_size = builder->options.group_size};
    builder->problem = problem;
    builder->where = where;
    builder->owner = owner;
    builder->held = 0;
    builder->slots = builder->ranks ? gws__madness_min_families(builder) : builder->family_capacity;
    double began = gws_clock_ms();
    status = gws__madness_device_upload(builder, problem, where);
    builder->stats.upload_ms = gws_clock_ms() - began;
    return status;
}

static void end(struct gws_madness_device *builder)
{
    if (builder->stats.min_boxes > builder->stats.max_boxes) builder->stats.min_boxes = 0;
    gws_release(builder->runtime, builder->task, builder->allocated * MADNESS_TASK_WORDS, sizeof *builder->task);
    builder->task = NULL;
}

/* Returns a string that outlives the device. */
static const char *kernel_of(const struct gws_madness_device *builder)
{
    return gws_device_kind_at(gws_device_describe(builder->device)->api, NULL, NULL);
}

static gws_status madness_device_build(struct gws_madness_device *builder, const struct gws_madness_problem *problem,
                                       struct gws_madness_tree **tree, struct gws_diagnostic *where)
{
    gws_status status = gws__madness_problem_check(problem, where);
    if (status != GWS_OK) return status;
    struct gws__madness_owner *owner = gws__madness_owner_new(builder->runtime, problem);
    builder->ranks = NULL;
    status = owner ? begin(builder, problem, owner, where) : gws_diagnostic_status(where, GWS_NO_MEMORY);
    if (status == GWS_OK)
        status = gws__madness_run(
            builder->runtime, problem, owner,
            builder->options.cpu ? gws__madness_device_run_batches : gws__madness_device_run_alone, builder);
    if (status == GWS_OK) owner->tree.kernel = kernel_of(builder);
    end(builder);
    return gws__madness_finish(builder->runtime, problem, status, owner, tree, where);
}

gws_status gws_madness_device_build(struct gws_madness_device *builder, const struct gws_madness_problem *problem,
                                    struct gws_madness_tree **tree, struct gws_diagnostic *where)
{
    return GWS_CALL(builder->runtime, where, madness_device_build(builder, problem, tree, where));
}

/* ---- on several ranks ---- */

static gws_status build_on_ranks(struct gws_madness_device *builder, const struct gws_ranks *ranks,
                                 const struct gws_madness_problem *problem, struct gws_madness_tree **tree,
                                 struct gws_diagnostic *where)
{
    const struct gws__madness_part part = {
        .run = gws__madness_device_run_batches, .context = builder, .prepare = begin, .kernel = kernel_of(builder)};
    builder->ranks = ranks;
    gws_status status = gws__madness_build_parts(builder->runtime, ranks, problem, &part, tree, where);
    gws_transport_sum(ranks->transport, &builder->stats.near_tolerance, 1);
    end(builder);
    return status;
}

gws_status gws_madness_device_build_on_ranks(struct gws_madness_device *builder, const struct gws_ranks *ranks,
                                             const struct gws_madness_problem *problem, struct gws_madness_tree **tree,
                                             struct gws_diagnostic *where)
{
    if (!ranks || !ranks->transport) return gws_madness_device_build(builder, problem, tree, where);
    return GWS_CALL(builder->runtime, where, build_on_ranks(builder, ranks, problem, tree, where));
}

/* ---- afterwards ---- */

/* Overwrites the memory that any launch has filled. Family words become zero, which describes no family, because the
 * host follows these words. */
static gws_status madness_device_poison(struct gws_madness_device *builder, struct gws_diagnostic *where)
{
    const uint64_t filled = builder->filled;
    struct gws_device_buffer *const *buffer = builder->buffer;
    gws_status status = gws_device_fill(buffer[madness_family], 0, 0, filled * MADNESS_FAMILY_WORDS, where);
    if (status == GWS_OK)
        status = gws_device_fill(buffer[madness_number], 0, GWS_POISON, filled * MADNESS_FAMILY_NUMBERS * 2, where);
    if (status == GWS_OK)
        status = gws_device_fill(buffer[madness_coefficient], 0, GWS_POISON, filled * builder->entries * 2, where);
    return status == GWS_OK ? gws_device_wait(builder->device, where) : status;
}

gws_status gws_madness_device_poison(struct gws_madness_device *builder, struct gws_diagnostic *where)
{
    return GWS_CALL(builder->runtime, where, madness_device_poison(builder, where));
}

void gws_madness_device_stats(const struct gws_madness_device *builder, struct gws_madness_device_stats *stats)
{
    *stats = builder->stats;
}
