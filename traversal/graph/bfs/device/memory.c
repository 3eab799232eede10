/* SPDX-License-Identifier: MIT */
/* A search's arrays and program on a device, and its kernel launches. */
#include <stdio.h>
#include <string.h>

#include "../../../../kernels/kernels.h"
#include "../../../../lib/poison.h"
#include "state.h"

/* ---- arrays ---- */

gws_status gws__bfs_device_buffers(struct gws_bfs_device *search, const struct gws__bfs_need *need, size_t count,
                                   struct gws_diagnostic *where)
{
    gws_status status = GWS_OK;
    for (const struct gws__bfs_need *end = need + count; need < end && status == GWS_OK; need++) {
        if (need->host) {
            status = gws_device_shared_new(search->device, need->bytes, need->buffer, need->host, where);
            if (status == GWS_OK) memset(*need->host, 0, need->bytes);
        } else {
            status = gws_device_buffer_new(search->device, need->bytes, need->buffer, where);
            if (status == GWS_OK && need->clear) status = gws_device_fill(*need->buffer, 0, 0, need->bytes / 4, where);
        }
    }
    return status;
}

/* Sets the buffers of the graph. Without a reverse graph, bottom-up never runs, so the arguments for its rows may be
 * any buffers. */
gws_status gws__bfs_device_graph(struct gws_bfs_device *search, struct gws_diagnostic *where)
{
    const bool reversed = search->in && search->in != search->graph;
    gws_status status = gws_device_graph_upload(search->device_graph, where);
    if (status == GWS_OK && reversed) status = gws_device_graph_prepare(search->device_graph, GWS_INDEX_REVERSE, where);
    const enum gws_device_graph_array offset = reversed ? GWS_ARRAY_IN_OFFSET : GWS_ARRAY_OFFSET;
    search->array[gws__bfs_offset] = gws_device_graph_buffer(search->device_graph, GWS_ARRAY_OFFSET);
    search->array[gws__bfs_target] = gws_device_graph_buffer(search->device_graph, GWS_ARRAY_TARGET);
    search->array[gws__bfs_in_offset] = gws_device_graph_buffer(search->device_graph, offset);
    search->array[gws__bfs_source] = gws_device_graph_buffer(search->device_graph, offset + 1);
    return status;
}

gws_status gws__bfs_device_arrays(struct gws_bfs_device *search, void **host, struct gws_diagnostic *where)
{
    uint64_t vertices = search->graph->vertices;
    const uint64_t bytes[gws__bfs_arrays] = {
        [gws__bfs_depth] = vertices * 4,
        [gws__bfs_parent] = vertices * 4,
        [gws__bfs_visited] = (vertices + 31) / 32 * 4,
        [gws__bfs_list] = vertices * 4,
        [gws__bfs_control] = CONTROL_WORDS * 4,
        [gws__bfs_sums] = SUM_WORDS * 8,
        [gws__bfs_queue] = (uint64_t)search->workers * QUEUE_STRIDE * 8,
        [gws__bfs_stats] = (uint64_t)search->workers * STATS_STRIDE * 8,
    };
    struct gws__bfs_need need[gws__bfs_arrays];
    for (int i = gws__bfs_depth; i < gws__bfs_arrays; i++)
        need[i] = (struct gws__bfs_need){&search->array[i], bytes[i], i >= gws__bfs_control, host ? &host[i] : NULL};
    return gws__bfs_device_buffers(search, need + gws__bfs_depth, gws__bfs_arrays - gws__bfs_depth, where);
}

gws_status gws__bfs_device_poison(struct gws_bfs_device *search, struct gws_diagnostic *where)
{
    const struct {
        struct gws_device_buffer *buffer;
        uint32_t word;
    } row[] = {{search->array[gws__bfs_depth], GWS_POISON},
               {search->array[gws__bfs_parent], GWS_POISON},
               {search->results.level, 0},
               {search->results.summary, 0}};
    gws_status status = GWS_OK;
    for (size_t i = 0; i < sizeof row / sizeof *row && status == GWS_OK; i++)
        if (row[i].buffer) status = gws_buffer_poison(row[i].buffer, row[i].word, where);
    return status;
}

void gws__bfs_device_free(struct gws_bfs_device *search)
{
    if (search->program) gws_device_program_free(search->program);
    for (int i = gws__bfs_depth; i < gws__bfs_arrays; i++) gws_device_buffer_free(search->array[i]);
    memset(search->array, 0, sizeof search->array);
    search->program = NULL;
}

gws_status gws__bfs_device_budget(const struct gws_bfs_device *search, uint64_t min, uint64_t *left,
                                  struct gws_diagnostic *where)
{
    uint64_t memory = search->memory, open = 0;
    gws_status status = gws_device_memory_left(search->device, &open, where);
    if (status != GWS_OK) return status;
    if (memory > open - open / 32) memory = open - open / 32;
    if (memory < min)
        return gws_diagnostic_set(where, GWS_TOO_LARGE, NULL, 0, 0,
                                  "the search needs %llu bytes on the device, but only %llu are available",
                                  (unsigned long long)min, (unsigned long long)memory);
    *left = memory - min;
    return GWS_OK;
}

/* ---- the program ---- */

gws_status gws__bfs_device_program(struct gws_bfs_device *search, const char *name, const char *defines,
                                   struct gws_diagnostic *where)
{
    static const char *const of[gws__bfs_work_queues] = {"bfs_static", "bfs_cursor", "bfs_chunked", "bfs_abp"};
    const struct gws_device_info *info = gws_device_describe(search->device);
    if (!info->compiles && search->options.order == GWS_BFS_SEQ_CST)
        return gws_diagnostic_set(where, GWS_UNSUPPORTED, NULL, 0, 0,
                                  "%s: programs exist for the weakest memory orders only", info->address);
    char options[128];
    snprintf(options, sizeof options, "-DGWS_GROUP_SIZE=%u%s%s%s%s", search->options.group_size,
             info->collectives ? " -DGWS_WITH_GROUP_SCAN" : "", info->warp == 32 ? " -DGWS_WARP=32" : "",
             search->options.order == GWS_BFS_SEQ_CST ? " -DGWS_SEQ_CST" : "", defines);
    return gws__kernel_program_build(search->device, name ? name : of[search->work_queue], options, &search->program,
                                     where);
}

gws_status gws__bfs_device_launch(struct gws_bfs_device *search, struct gws_device_launch launch,
                                  struct gws_diagnostic *where)
{
    struct gws_device_argument argument[gws__bfs_arrays + 1 + bfs_max_arguments];
    for (int i = 0; i < gws__bfs_arrays; i++) argument[i] = (struct gws_device_argument){.buffer = search->array[i]};
    argument[gws__bfs_arrays] = gws__device_trace_argument(&search->trace);
    for (uint32_t i = 0; i < launch.arguments; i++) argument[gws__bfs_arrays + 1 + i] = launch.argument[i];
    launch.program = search->program;
    launch.group_size = search->options.group_size;
    launch.argument = argument;
    launch.arguments += gws__bfs_arrays + 1;
    return gws_device_run(search->device, &launch, where);
}
