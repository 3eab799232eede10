/* SPDX-License-Identifier: MIT */
/* graphws distances on a device: batches of gws_bfs_batch_device_run(). The arrays of a result on the device are the
 * sums of a batch, and its distances become the rows of --out. */
#include <string.h>

#include "distances.h"

struct distances_device {
    struct gws_bfs_batch_device *batch;
    struct gws_bfs_batch_device_result result;
    uint64_t *begin; /* for each distance: the next row of a source; `levels` entries */
    uint64_t levels;
};

void distances_device_close(struct distances_state *state)
{
    struct distances_device *of = state->device;
    if (!of) return;
    gws_bfs_batch_device_result_clear(&of->result);
    gws_bfs_batch_device_close(of->batch);
    if (of->begin) gws_release(state->runtime, of->begin, of->levels, sizeof *of->begin);
    gws_release(state->runtime, of, 1, sizeof *of);
    state->device = NULL;
}

gws_status distances_device_open(struct distances_state *state, const struct algorithm_input *input,
                                 struct gws_diagnostic *where)
{
    const uint64_t max_sources = state->sources < GWS_BFS_BATCH_SOURCES ? state->sources : GWS_BFS_BATCH_SOURCES;
    const struct gws_bfs_batch_device_options options = {
        .sources = (uint32_t)max_sources, .max_distance = (uint32_t)state->hops, .distances = input->table};
    struct distances_device *made = gws_allocate(state->runtime, 1, sizeof *made);
    if (!made) return GWS_NO_MEMORY;
    *made = (struct distances_device){.batch = NULL};
    state->device = made;
    return gws_bfs_batch_device_open(input->on_device, &options, &made->batch, where);
}

/* ---- batches ---- */

static gws_status add_sums(struct distances_state *state, uint64_t first)
{
    const struct gws_bfs_batch_device_result *from = &state->device->result;
    struct distances_result *result = &state->result;
    gws_status status = from->levels ? distances_reserve(state, from->levels - 1) : GWS_OK;
    if (status != GWS_OK) return status;
    for (uint32_t d = 0; d < from->levels; d++) result->pairs[d] += from->pairs[d];
    for (uint32_t i = 0; i < from->sources; i++) {
        result->count[first + i] = from->reached[i];
        result->total[first + i] = from->total[i];
        result->farthest[first + i] = from->farthest[i];
    }
    return GWS_OK;
}

/* Returns the distance of source i of the batch to a vertex, or GWS_NO_VERTEX. */
static uint32_t distance_of(const struct gws_bfs_batch_device_result *from, uint32_t i, uint64_t vertex)
{
    const uint64_t at = i * from->vertices + vertex;
    if (from->width == 4) return ((const uint32_t *)from->distance)[at];
    const uint32_t distance =
        from->width == 1 ? ((const uint8_t *)from->distance)[at] : ((const uint16_t *)from->distance)[at];
    return distance == UINT32_MAX >> (32 - 8 * from->width) ? GWS_NO_VERTEX : distance;
}

static gws_status reserve_levels(struct distances_state *state, uint64_t levels)
{
    struct distances_device *of = state->device;
    if (levels <= of->levels) return GWS_OK;
    if (of->begin) gws_release(state->runtime, of->begin, of->levels, sizeof *of->begin);
    of->begin = gws_allocate(state->runtime, levels, sizeof *of->begin);
    of->levels = of->begin ? levels : 0;
    return of->begin ? GWS_OK : GWS_NO_MEMORY;
}

/* Stores the rows of a source in the order of distances and vertices, by counting. *row: the first row. */
static void store_source(struct distances_state *state, uint64_t first, uint32_t i, uint64_t *row)
{
    const struct gws_bfs_batch_device_result *from = &state->device->result;
    struct distances_result *result = &state->result;
    uint64_t *begin = state->device->begin;
    memset(begin, 0, from->levels * sizeof *begin);
    for (uint64_t v = 0; v < from->vertices; v++) {
        const uint32_t distance = distance_of(from, i, v);
        if (distance != GWS_NO_VERTEX) begin[distance]++;
    }
    for (uint32_t d = 0; d < from->levels; d++) {
        const uint64_t count = begin[d];
        begin[d] = *row;
        *row += count;
    }
    for (uint64_t v = 0; v < from->vertices; v++) {
        const uint32_t distance = distance_of(from, i, v);
        if (distance == GWS_NO_VERTEX) continue;
        const uint64_t to = begin[distance]++;
        result->row_source[to] = state->source[first + i];
        result->row_vertex[to] = (uint32_t)v;
        result->row_distance[to] = distance;
    }
}

static gws_status run_batch(struct distances_state *state, uint64_t first, struct gws_diagnostic *where)
{
    struct distances_device *of = state->device;
    const uint64_t left = state->sources - first;
    const uint32_t count = (uint32_t)(left < GWS_BFS_BATCH_SOURCES ? left : GWS_BFS_BATCH_SOURCES);
    gws_status status = gws_bfs_batch_device_run(of->batch, state->source + first, count, &of->result, where);
    return status == GWS_OK ? gws_bfs_batch_device_fetch(of->batch, &of->result, where) : status;
}

gws_status distances_device_run(struct distances_state *state, struct gws_diagnostic *where)
{
    struct distances_device *of = state->device;
    gws_status status = GWS_OK;
    state->result.ms = state->result.fetch_ms = 0;
    for (uint64_t first = 0; first < state->sources && status == GWS_OK; first += GWS_BFS_BATCH_SOURCES) {
        status = run_batch(state, first, where);
        if (status == GWS_OK) status = add_sums(state, first);
        state->result.ms += of->result.ms;
        state->result.fetch_ms += of->result.fetch_ms;
    }
    return status;
}

gws_status distances_device_rows(struct distances_state *state, struct gws_diagnostic *where)
{
    struct distances_device *of = state->device;
    gws_status status = GWS_OK;
    uint64_t row = 0;
    for (uint64_t first = 0; first < state->sources && status == GWS_OK; first += GWS_BFS_BATCH_SOURCES) {
        status = run_batch(state, first, where);
        if (status == GWS_OK) status = reserve_levels(state, of->result.levels);
        for (uint32_t i = 0; i < of->result.sources && status == GWS_OK; i++) store_source(state, first, i, &row);
    }
    return status;
}
