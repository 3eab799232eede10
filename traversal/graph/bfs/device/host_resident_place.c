/* SPDX-License-Identifier: MIT */
/* Putting the graph of a bridged search (bfs_bridge.h) where the device reads it: row bounds, and the words that
 * bfs_bridge_rows.h chooses, on the device, in pieces through memory of a bounded size; the other words into memory of
 * the host's that the device reads, in place. */
#include "../../../../kernels/bfs/bridge_bfs_words.h"
#include "host_resident.h"

enum { stage_bytes = 1 << 24, bound_bytes = sizeof(uint64_t), word_bytes = sizeof(uint32_t) };

/* What goes into a buffer: `bytes`, made in `units` of unit_bytes each, but that the last unit may be of another size.
 */
struct load {
    const struct gws__bridge_rows *rows;
    uint32_t which; /* the buffer */
    void (*make)(struct gws_runtime *runtime, const struct gws__bridge_rows *rows, uint64_t begin, uint64_t end,
                 void *to);
    uint64_t units, unit_bytes, bytes;
};

/* Units are blocks of rows; behind the last one is one bound more. */
static void make_bounds(struct gws_runtime *runtime, const struct gws__bridge_rows *rows, uint64_t begin, uint64_t end,
                        void *to)
{
    gws__bridge_rows_bounds(runtime, rows, begin, end, to);
}

static void make_kept(struct gws_runtime *runtime, const struct gws__bridge_rows *rows, uint64_t begin, uint64_t end,
                      void *to)
{
    gws__bridge_rows_words(runtime, rows, gws__bridge_kept, begin, end, to);
}

static void make_rest(struct gws_runtime *runtime, const struct gws__bridge_rows *rows, uint64_t begin, uint64_t end,
                      void *to)
{
    gws__bridge_rows_words(runtime, rows, gws__bridge_rest, begin, end, to);
}

/* Piece by piece. */
static gws_status send(struct gws__bfs_bridge *bridge, const struct load *load, struct gws_where *where)
{
    uint64_t piece = stage_bytes / load->unit_bytes < load->units ? stage_bytes / load->unit_bytes : load->units;
    uint64_t room = piece * load->unit_bytes + bound_bytes;
    void *stage = gws_allocate(bridge->runtime, room, 1);
    gws_status status = stage ? GWS_OK : gws_where_set(where, GWS_NO_MEMORY, NULL, 0, 0, "out of memory");
    for (uint64_t begin = 0; begin < load->units && status == GWS_OK; begin += piece) {
        uint64_t end = begin + piece < load->units ? begin + piece : load->units, at = begin * load->unit_bytes;
        load->make(bridge->runtime, load->rows, begin, end, stage);
        status = gws_device_write(bridge->buffer[load->which], at, stage,
                                  end < load->units ? piece * load->unit_bytes : load->bytes - at, where);
    }
    gws_release(bridge->runtime, stage, room, 1);
    return status;
}

static gws_status place(struct gws__bfs_bridge *bridge, const struct load *load, bool near, struct gws_where *where)
{
    if (near) {
        gws_status status = gws_device_buffer_new(bridge->device, load->bytes, &bridge->buffer[load->which], where);
        return status == GWS_OK ? send(bridge, load, where) : status;
    }
    gws_status status = gws__bfs_bridge_share(bridge, load->which, load->bytes, where);
    if (status == GWS_OK) load->make(bridge->runtime, load->rows, 0, load->units, bridge->host[load->which]);
    return status;
}

static uint64_t base_bytes(const struct gws__bridge_rows *rows)
{
    return rows->blocks * gws__bridge_parts * bound_bytes;
}

static gws_status place_base(struct gws__bfs_bridge *bridge, const struct gws__bridge_rows *rows, uint32_t which,
                             bool near, struct gws_where *where)
{
    uint64_t bytes = base_bytes(rows);
    gws_status status = near ? gws_device_buffer_new(bridge->device, bytes, &bridge->buffer[which], where)
                             : gws__bfs_bridge_share(bridge, which, bytes, where);
    if (status != GWS_OK || bytes == 0) return status;
    return gws_device_write(bridge->buffer[which], 0, rows->base, bytes, where);
}

/* A graph's buffers, the first of which is its bounds'. */
static gws_status place_rows(struct gws__bfs_bridge *bridge, struct gws__bridge_rows *rows, uint32_t bound, bool near,
                             struct gws_where *where)
{
    gws__bridge_rows_place(bridge->runtime, rows);
    const uint64_t *words = rows->base + rows->blocks * gws__bridge_parts;
    uint64_t vertices = rows->graph->vertices, kept = words[gws__bridge_kept], rest = words[gws__bridge_rest];
    struct load loads[] = {
        {rows, bound, make_bounds, rows->blocks, BRIDGE_BLOCK * bound_bytes, (vertices + 1) * bound_bytes},
        {rows, bound + bridge_kept - bridge_bound, make_kept, kept, word_bytes, kept * word_bytes},
        {rows, bound + bridge_rest - bridge_bound, make_rest, rest, word_bytes, rest * word_bytes}};
    gws_status status = place(bridge, &loads[0], near, where);
    if (status == GWS_OK) status = place_base(bridge, rows, bound + bridge_base - bridge_bound, near, where);
    if (status == GWS_OK) status = place(bridge, &loads[1], true, where);
    if (status == GWS_OK) status = place(bridge, &loads[2], false, where);
    return status;
}

/* Are the bounds to be on the device? */
static bool bounds_fit(const struct gws__bfs_bridge *bridge, const struct gws__bridge_rows *rows, uint64_t *budget)
{
    uint64_t bounds = (rows->graph->vertices + 1) * bound_bytes, bytes = bounds + base_bytes(rows);
    if (bytes > *budget || bounds > gws_device_describe(bridge->device)->max_buffer) return false;
    *budget -= bytes;
    return true;
}

/* Of what the levels will read: bottom-up the reverse, top-down the graph. */
static gws_status choose(struct gws__bfs_bridge *bridge, uint64_t budget, struct gws_where *where)
{
    struct gws_runtime *runtime = bridge->runtime;
    enum gws_bfs_direction direction = bridge->options.direction;
    struct gws__bridge_rows *out = &bridge->rows, *in = bridge->in_rows.graph ? &bridge->in_rows : out;
    uint64_t largest = gws_device_describe(bridge->device)->max_buffer;
    uint64_t room = (budget < largest ? budget : largest) / word_bytes;
    if (!bridge->in || direction == GWS_BFS_TOP_DOWN) return gws__bridge_keep_small(runtime, out, &room, where);
    if (direction == GWS_BFS_BOTTOM_UP) return gws__bridge_keep_heads(runtime, in, gws__bridge_all, &room, where);
    gws_status status = gws__bridge_keep_heads(runtime, in, gws__bridge_head, &room, where);
    if (status == GWS_OK) status = gws__bridge_keep_hubs(runtime, out, &room, where);
    if (status == GWS_OK && in != out) status = gws__bridge_keep_hubs(runtime, in, &room, where);
    return status;
}

static void set_readers(struct gws__bfs_bridge *bridge)
{
    const struct gws__bridge_rows *out = &bridge->rows, *in = bridge->in_rows.graph ? &bridge->in_rows : out;
    double vertices = (double)out->graph->vertices, more = (vertices - (double)in->head_from) / vertices;
    double rest = (double)out->base[out->blocks * gws__bridge_parts + gws__bridge_rest];
    gws__bridge_readers((double)in->head + more, rest / (double)out->graph->arcs, gws_runtime_workers(bridge->runtime),
                        bridge->reader);
}

gws_status gws__bfs_bridge_place(struct gws__bfs_bridge *bridge, struct gws_where *where)
{
    bool apart = bridge->in && bridge->in != bridge->graph && bridge->options.direction != GWS_BFS_TOP_DOWN;
    uint64_t budget = bridge->options.budget;
    gws_status status = gws__bridge_rows_open(bridge->runtime, bridge->graph, &bridge->rows, where);
    if (status == GWS_OK && apart) status = gws__bridge_rows_open(bridge->runtime, bridge->in, &bridge->in_rows, where);
    if (status != GWS_OK) return status;
    bool near = bounds_fit(bridge, &bridge->rows, &budget);
    bool in_near = apart && bounds_fit(bridge, &bridge->in_rows, &budget);
    if (bridge->options.arcs) status = choose(bridge, budget, where);
    if (status == GWS_OK) status = place_rows(bridge, &bridge->rows, bridge_bound, near, where);
    if (status == GWS_OK && apart) status = place_rows(bridge, &bridge->in_rows, bridge_in_bound, in_near, where);
    if (status == GWS_OK) set_readers(bridge);
    return status;
}
