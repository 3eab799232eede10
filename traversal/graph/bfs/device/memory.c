/* SPDX-License-Identifier: MIT */
/* A device's arrays and program for a search, and launching its kernels. */
#include <stdio.h>
#include <string.h>

#include "../../../../kernels/kernels.h"
#include "../../../../lib/poison.h"
#include "state.h"

gws_status gws__bfs_device_no_memory(struct gws_where *where)
{
    return gws_where_set(where, GWS_NO_MEMORY, NULL, 0, 0, "%s", gws_status_text(GWS_NO_MEMORY));
}

/* ---- arrays ---- */

gws_status gws__bfs_device_array(struct gws_bfs_device *search, enum gws__bfs_array which, uint64_t count,
                                 uint64_t size, const void *from, struct gws_where *where)
{
    struct gws_device_buffer *buffer;
    gws_status status = gws_device_buffer_new(search->device, count * size, &buffer, where);
    if (status != GWS_OK) return status;
    search->array[which] = buffer;
    return from && count ? gws_device_write(buffer, 0, from, count * size, where) : GWS_OK;
}

/* Without a reverse graph bottom-up never runs, and any buffer does for its rows. */
gws_status gws__bfs_device_graph(struct gws_bfs_device *search, struct gws_where *where)
{
    const bool reversed = search->in && search->in != search->graph;
    gws_status status = gws_device_graph_upload(search->there, where);
    if (status == GWS_OK && reversed) status = gws_device_graph_prepare(search->there, GWS_INDEX_REVERSE, where);
    const enum gws_device_graph_array offset = reversed ? GWS_ARRAY_IN_OFFSET : GWS_ARRAY_OFFSET;
    search->array[gws__bfs_offset] = gws_device_graph_buffer(search->there, GWS_ARRAY_OFFSET);
    search->array[gws__bfs_target] = gws_device_graph_buffer(search->there, GWS_ARRAY_TARGET);
    search->array[gws__bfs_in_offset] = gws_device_graph_buffer(search->there, offset);
    search->array[gws__bfs_source] = gws_device_graph_buffer(search->there, offset + 1);
    return status;
}

gws_status gws__bfs_device_arrays(struct gws_bfs_device *search, struct gws_where *where)
{
    const struct {
        enum gws__bfs_array which;
        uint64_t count, size;
    } need[] = {
        {gws__bfs_depth, search->graph->vertices, 4},
        {gws__bfs_parent, search->graph->vertices, 4},
        {gws__bfs_visited, (search->graph->vertices + 31) / 32, 4},
        {gws__bfs_list, search->graph->vertices, 4},
        {gws__bfs_control, bfs_control_words, 4},
        {gws__bfs_sums, bfs_sum_words, 8},
        {gws__bfs_queue, (uint64_t)search->options.groups * bfs_queue_words, 8},
        {gws__bfs_stats, (uint64_t)search->options.groups * bfs_stats_words, 8},
    };
    gws_status status = GWS_OK;
    for (size_t i = 0; i < sizeof need / sizeof *need && status == GWS_OK; i++)
        status = gws__bfs_device_array(search, need[i].which, need[i].count, need[i].size, NULL, where);
    for (int i = gws__bfs_control; i <= gws__bfs_stats && status == GWS_OK; i++)
        status = gws_device_fill(search->array[i], 0, 0, gws_device_buffer_bytes(search->array[i]) / 4, where);
    return status;
}

gws_status gws__bfs_device_poison_arrays(struct gws_bfs_device *search, struct gws_where *where)
{
    gws_status status = gws_buffer_poison(search->array[gws__bfs_depth], GWS_POISON, where);
    return status == GWS_OK ? gws_buffer_poison(search->array[gws__bfs_parent], GWS_POISON, where) : status;
}

void gws__bfs_device_free(struct gws_bfs_device *search)
{
    if (search->program) gws_device_program_free(search->program);
    for (int i = gws__bfs_depth; i < gws__bfs_arrays; i++) gws_device_buffer_free(search->array[i]);
    memset(search->array, 0, sizeof search->array);
    search->program = NULL;
}

/* ---- the program ---- */

gws_status gws__bfs_device_program_named(struct gws_bfs_device *search, const char *name, const char *more,
                                         struct gws_where *where)
{
    const struct gws_device_info *info = gws_device_describe(search->device);
    if (!info->translates && search->options.order == GWS_BFS_SEQ_CST)
        return gws_where_set(where, GWS_UNSUPPORTED, NULL, 0, 0, "%s: its programs come in the weakest orders only",
                             info->address);
    char options[128];
    snprintf(options, sizeof options, "-DGWS_GROUP_SIZE=%u%s%s%s%s", search->options.group_size,
             info->collectives ? " -DGWS_WITH_GROUP_SCAN" : "", info->warp == 32 ? " -DGWS_WARP=32" : "",
             search->options.order == GWS_BFS_SEQ_CST ? " -DGWS_SEQ_CST" : "", more);
    return gws__kernel_program_build(search->device, name, options, &search->program, where);
}

gws_status gws__bfs_device_program(struct gws_bfs_device *search, const char *more, struct gws_where *where)
{
    static const char *const name[gws__bfs_containers] = {"bfs_static", "bfs_cursor", "bfs_chunked", "bfs_abp"};
    return gws__bfs_device_program_named(search, name[search->container], more, where);
}

static gws_status launch(struct gws_bfs_device *search, const char *kernel, uint32_t groups, bool resident,
                         const struct gws__bfs_more *more, struct gws_where *where)
{
    struct gws_device_argument argument[gws__bfs_arrays + bfs_most_arguments];
    for (int i = 0; i < gws__bfs_arrays; i++) argument[i] = (struct gws_device_argument){.buffer = search->array[i]};
    if (more) memcpy(argument + gws__bfs_arrays, more->argument, more->count * sizeof *argument);
    struct gws_device_launch launch = {.program = search->program,
                                       .kernel = kernel,
                                       .groups = groups,
                                       .resident = resident,
                                       .group_size = search->options.group_size,
                                       .argument = argument,
                                       .arguments = gws__bfs_arrays + (more ? more->count : 0)};
    return gws_device_run(search->device, &launch, where);
}

gws_status gws__bfs_device_launch(struct gws_bfs_device *search, const char *kernel, uint32_t groups,
                                  const struct gws__bfs_more *more, struct gws_where *where)
{
    return launch(search, kernel, groups, false, more, where);
}

gws_status gws__bfs_device_launch_resident(struct gws_bfs_device *search, const char *kernel, uint32_t groups,
                                           const struct gws__bfs_more *more, struct gws_where *where)
{
    return launch(search, kernel, groups, true, more, where);
}

gws_status gws__bfs_device_players(struct gws_bfs_device *search, const char *kernel, uint32_t *players,
                                   struct gws_where *where)
{
    struct gws_device_launch launch = {
        .program = search->program, .kernel = kernel, .group_size = search->options.group_size, .resident = true};
    uint64_t most;
    gws_status status = gws_device_resident(search->device, &launch, &most, where);
    if (status != GWS_OK) return status;
    if (most == 0)
        return gws_where_set(where, GWS_UNSUPPORTED, NULL, 0, 0, "groups of %u items: not even one of them fits",
                             search->options.group_size);
    uint32_t suit = gws__bfs_device_free_units(search);
    if (most > suit) most = suit;
    *players = search->options.groups < most ? search->options.groups : (uint32_t)most;
    return GWS_OK;
}

/* ---- the result ---- */

gws_status gws__bfs_device_level(struct gws_bfs_device *search, struct gws_bfs_level level, struct gws_where *where)
{
    return gws__bfs_level_add(search->result, level) == GWS_OK ? GWS_OK : gws__bfs_device_no_memory(where);
}
