/* SPDX-License-Identifier: MIT */
/* Putting the graph of a search in the host's memory (host_resident.h) where the device reads it: row bounds, and the
 * words that host_resident_rows.h chooses, on the device, in pieces through memory of a bounded size; the other words
 * into memory of the host's that the device reads, in place. */
#include "host_resident.h"

enum { stage_bytes = 1 << 24, bound_bytes = sizeof(uint64_t), word_bytes = sizeof(uint32_t) };

/* What goes into a buffer: `bytes`, made in `units` of unit_bytes each, but that the last unit may be of another size.
 */
struct load {
    const struct gws__rows *rows;
    uint32_t which; /* the buffer */
    uint32_t part;  /* gws__row_parts: bounds, whose units are blocks; behind the last is one more */
    uint64_t units, unit_bytes, bytes;
};

static void make(struct gws_runtime *runtime, const struct load *load, uint64_t begin, uint64_t end, void *to)
{
    if (load->part == gws__row_parts)
        gws__rows_bounds(runtime, load->rows, begin, end, to);
    else
        gws__rows_words(runtime, load->rows, load->part, begin, end, to);
}

static gws_status place_on_device(struct gws__host_resident *state, const struct load *load, struct gws_where *where)
{
    struct gws_runtime *runtime = state->search->runtime;
    uint64_t piece = stage_bytes / load->unit_bytes < load->units ? stage_bytes / load->unit_bytes : load->units;
    uint64_t room = piece * load->unit_bytes + bound_bytes;
    struct gws_device_buffer **buffer = &state->buffer[load->which];
    gws_status status = gws_device_buffer_new(state->search->device, load->bytes, buffer, where);
    if (status != GWS_OK) return status;
    void *stage = gws_allocate(runtime, room, 1);
    if (!stage) status = gws__bfs_device_no_memory(where);
    for (uint64_t begin = 0; begin < load->units && status == GWS_OK; begin += piece) {
        uint64_t end = begin + piece < load->units ? begin + piece : load->units, at = begin * load->unit_bytes;
        uint64_t bytes = end < load->units ? piece * load->unit_bytes : load->bytes - at;
        make(runtime, load, begin, end, stage);
        status = gws_device_write(*buffer, at, stage, bytes, where);
    }
    gws_release(runtime, stage, room, 1);
    return status;
}

/* A graph's buffers, the first of which is its bounds'. */
static gws_status place_rows(struct gws__host_resident *state, struct gws__rows *rows, uint32_t bound,
                             struct gws_where *where)
{
    struct gws_device *device = state->search->device;
    gws__rows_place(state->search->runtime, rows);
    uint32_t base = bound + resident_base - resident_bound, far = bound + resident_rest - resident_bound;
    uint64_t bytes = rows->blocks * gws__row_parts * bound_bytes, vertices = rows->graph->vertices;
    uint64_t kept = rows->base[rows->blocks * gws__row_parts + gws__row_kept], rest = rows->graph->arcs - kept;
    struct load bounds = {
        rows, bound, gws__row_parts, rows->blocks, BFS_ROW_BLOCK * bound_bytes, (vertices + 1) * bound_bytes};
    struct load words = {
        rows, bound + resident_kept - resident_bound, gws__row_kept, kept, word_bytes, kept * word_bytes};
    gws_status status = place_on_device(state, &bounds, where);
    if (status == GWS_OK) status = gws_device_buffer_new(device, bytes, &state->buffer[base], where);
    if (status == GWS_OK && bytes > 0) status = gws_device_write(state->buffer[base], 0, rows->base, bytes, where);
    if (status == GWS_OK) status = place_on_device(state, &words, where);
    if (status == GWS_OK)
        status = gws_device_shared_new(device, rest * word_bytes, &state->buffer[far], &state->host[far], where);
    if (status == GWS_OK) gws__rows_words(state->search->runtime, rows, gws__row_rest, 0, rest, state->host[far]);
    return status;
}

/* Of what the levels will read: bottom-up the reverse, top-down the graph. */
static void choose(struct gws__host_resident *state, uint64_t budget)
{
    struct gws_runtime *runtime = state->search->runtime;
    enum gws_bfs_direction direction = state->search->options.direction;
    struct gws__rows *out = &state->rows, *in = state->in_rows.graph ? &state->in_rows : out;
    uint64_t largest = gws_device_describe(state->search->device)->max_buffer;
    uint64_t room = (budget < largest ? budget : largest) / word_bytes;
    if (!state->search->in || direction == GWS_BFS_TOP_DOWN) {
        gws__rows_keep_small(runtime, out, &room);
        return;
    }
    gws__rows_keep_heads(runtime, in, direction == GWS_BFS_BOTTOM_UP ? gws__row_all : gws__row_head, &room);
    if (direction == GWS_BFS_BOTTOM_UP) return;
    gws__rows_keep_hubs(runtime, out, &room);
    if (in != out) gws__rows_keep_hubs(runtime, in, &room);
}

static void set_costs(struct gws__host_resident *state)
{
    const struct gws__rows *out = &state->rows, *in = state->in_rows.graph ? &state->in_rows : out;
    double vertices = (double)out->graph->vertices, more = (vertices - (double)in->head_from) / vertices;
    double rest = (double)out->base[out->blocks * gws__row_parts + gws__row_rest];
    gws__row_costs((double)in->head + more, rest / (double)out->graph->arcs,
                   gws_runtime_workers(state->search->runtime), state->cost);
}

gws_status gws__host_resident_place(struct gws__host_resident *state, uint64_t budget, struct gws_where *where)
{
    const struct gws_bfs_device *search = state->search;
    bool apart = gws__host_resident_has_reverse(search);
    gws_status status = gws__rows_open(search->runtime, search->graph, &state->rows, where);
    if (status == GWS_OK && apart) status = gws__rows_open(search->runtime, search->in, &state->in_rows, where);
    if (status != GWS_OK) return status;
    if (search->budgeted) choose(state, budget);
    status = place_rows(state, &state->rows, resident_bound, where);
    if (status == GWS_OK && apart) status = place_rows(state, &state->in_rows, resident_in_bound, where);
    if (status == GWS_OK) set_costs(state);
    return status;
}
