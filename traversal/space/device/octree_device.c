/* SPDX-License-Identifier: MIT */
/* Octrees on a device, with options, the table of strategies, and the calls of octree_device.h. */
#include "octree_device_state.h"

#include <string.h>

/* The strategies, fastest first. */
const struct gws__octree_strategy *const gws__octree_strategies[] = {&gws__octree_sort_cuda, &gws__octree_tasks, NULL};

enum { max_groups = 60000, max_group_size = 1024 };

gws_status gws__octree_buffer_reserve(struct gws_device *device, struct gws_device_buffer **buffer, uint64_t bytes,
                                      struct gws_diagnostic *where)
{
    if (*buffer && gws_device_buffer_bytes(*buffer) >= bytes) return GWS_OK;
    gws_device_buffer_free(*buffer);
    *buffer = NULL;
    return gws_device_buffer_new(device, bytes, buffer, where);
}

/* ---- opening ---- */

static gws_status check_options(const struct gws_octree_device *builder, struct gws_diagnostic *where)
{
    const struct gws_octree_device_options *options = &builder->options;
    const struct gws_device_info *info = gws_device_describe(builder->device);
    uint32_t size = options->group_size;
    const struct gws_points none = {0};
    gws_status status = gws__octree_check_options(&options->tree, &none, where);
    if (status != GWS_OK) return status;
    if (size > max_group_size || (size & (size - 1)) || size > info->max_group_size)
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0,
                                  "the group size %u is not a power of two up to %u and the device's limit", size,
                                  max_group_size);
    if ((unsigned)options->form > GWS_OCTREE_FORM_HANDOFF) return gws_diagnostic_status(where, GWS_INVALID);
    if (options->groups > max_groups)
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "%u groups exceed the limit of %u", options->groups,
                                  max_groups);
    return GWS_OK;
}

static bool requires_tasks(const struct gws_octree_device_options *options)
{
    return options->cpu || options->form > GWS_OCTREE_FORM_DEVICE || options->groups || options->group_size ||
           options->chunk || options->piece;
}

/* Chooses the first strategy that supports the options. Sorting does not use CPU workers. */
static gws_status choose_strategy(struct gws_octree_device *builder, struct gws_diagnostic *where)
{
    enum gws_octree_builder wanted = builder->options.tree.builder;
    bool tasks = requires_tasks(&builder->options);
    struct gws_diagnostic why = {0};
    if (tasks && wanted == GWS_OCTREE_SORT)
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0,
                                  "groups, chunks and CPU workers require the builder task");
    if (tasks) wanted = GWS_OCTREE_BY_TASK;
    for (uint32_t i = 0; gws__octree_strategies[i]; i++) {
        const struct gws__octree_strategy *strategy = gws__octree_strategies[i];
        if (wanted != GWS_OCTREE_AUTO && wanted != strategy->builder) continue;
        if (!strategy->supports(builder, &why)) continue;
        builder->strategy = strategy;
        builder->options.tree.builder = strategy->builder;
        if (!builder->options.cpu) builder->options.form = GWS_OCTREE_FORM_DEVICE;
        return GWS_OK;
    }
    return gws_diagnostic_set(where, GWS_UNSUPPORTED, NULL, 0, 0, "%s: no octree builder %s%s%s",
                              gws_device_describe(builder->device)->address, gws_octree_builder_at(wanted, NULL),
                              *why.message ? ": " : "", why.message);
}

static gws_status open_builder(struct gws_octree_device *builder, struct gws_diagnostic *where)
{
    gws_status status = check_options(builder, where);
    if (status == GWS_OK) status = choose_strategy(builder, where);
    return builder->strategy ? builder->strategy->open(builder, where) : status;
}

static gws_status octree_device_open(struct gws_runtime *runtime, struct gws_device *device,
                                     const struct gws_octree_device_options *options,
                                     struct gws_octree_device **builder, struct gws_diagnostic *where)
{
    struct gws_octree_device *made = gws_allocate(runtime, 1, sizeof *made);
    if (!made) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    *made = (struct gws_octree_device){.runtime = runtime, .device = device};
    if (options) made->options = *options;
    gws_status status = open_builder(made, where);
    if (status == GWS_OK)
        *builder = made;
    else
        gws_octree_device_close(made);
    return status;
}

gws_status gws_octree_device_open(struct gws_runtime *runtime, struct gws_device *device,
                                  const struct gws_octree_device_options *options, struct gws_octree_device **builder,
                                  struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, octree_device_open(runtime, device, options, builder, where));
}

void gws_octree_device_close(struct gws_octree_device *builder)
{
    if (!builder) return;
    if (builder->strategy) builder->strategy->close(builder);
    gws_release(builder->runtime, builder, 1, sizeof *builder);
}

/* ---- building ---- */

static gws_status run(struct gws_octree_device *builder, struct gws__octree_state *state, struct gws_octree *tree,
                      struct gws_diagnostic *where)
{
    const struct gws_octree_options *options = &builder->options.tree;
    gws_status status = GWS_OK;
    if (options->has_box) status = gws__octree_grid_make(&state->grid, options->low, options->high);
    builder->stats = (struct gws_octree_device_stats){0};
    if (status == GWS_OK) status = builder->strategy->run(builder, state, tree, where);
    if (status != GWS_OK) return status;
    tree->stats.builder = builder->strategy->builder;
    gws__octree_state_finish(state, tree);
    return GWS_OK;
}

static gws_status octree_device_build(struct gws_octree_device *builder, const struct gws_points *points,
                                      struct gws_octree **tree, struct gws_diagnostic *where)
{
    struct gws__octree_state state;
    gws_status status = gws__octree_check_options(&builder->options.tree, points, where);
    if (status != GWS_OK) return status;
    gws__octree_state_set(&state, builder->runtime, points, &builder->options.tree, where);
    struct gws_octree *made = gws__octree_new(builder->runtime);
    status = made ? run(builder, &state, made, where) : gws_diagnostic_status(where, GWS_NO_MEMORY);
    gws__octree_state_clear(&state);
    if (status == GWS_OK)
        *tree = made;
    else
        gws_octree_destroy(made);
    return status;
}

gws_status gws_octree_device_build(struct gws_octree_device *builder, const struct gws_points *points,
                                   struct gws_octree **tree, struct gws_diagnostic *where)
{
    return GWS_CALL(builder->runtime, where, octree_device_build(builder, points, tree, where));
}

static gws_status octree_device_poison(struct gws_octree_device *builder, struct gws_diagnostic *where)
{
    gws_status status = builder->strategy->poison(builder, where);
    return status == GWS_OK ? gws_device_wait(builder->device, where) : status;
}

gws_status gws_octree_device_poison(struct gws_octree_device *builder, struct gws_diagnostic *where)
{
    return GWS_CALL(builder->runtime, where, octree_device_poison(builder, where));
}

/* ---- options in use, and statistics ---- */

void gws_octree_device_stats(const struct gws_octree_device *builder, struct gws_octree_device_stats *stats)
{
    *stats = builder->stats;
}

const char *gws_octree_form_name(enum gws_octree_form form)
{
    static const char *const name[] = {"auto", "device", "shared", "handoff"};
    return (unsigned)form <= GWS_OCTREE_FORM_HANDOFF ? name[form] : NULL;
}

void gws_octree_device_chosen(const struct gws_octree_device *builder, struct gws_octree_device_options *options)
{
    *options = builder->options;
}
