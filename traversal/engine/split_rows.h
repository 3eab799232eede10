/* SPDX-License-Identifier: MIT */
/* The rows of a graph in the host's memory, split between the device and the host: which words the device caches, and
 * where it finds the others.
 *
 * The value of a cached word is the bus traffic that it saves, which was counted
 * (datasets/bench/results/host-resident.md). If levels run bottom-up, a row's first words save most: each unvisited
 * vertex reads its row from the front, and most find a parent soon, so a few words of many rows save more than whole
 * rows. Rows of hubs are not read then, as hubs are reached earlier. Top-down levels run while frontiers are small,
 * except for hubs in them: so hubs' rows come next. If all levels run top-down, every row is read once: then the
 * shortest rows come first, as each would transfer a whole piece for a few words.
 *
 * kernels/engine/split_rows.h specifies the layout: the device's words of the rows and the host's are packed
 * separately. */
#ifndef GWS_TRAVERSAL_ENGINE_SPLIT_ROWS_H
#define GWS_TRAVERSAL_ENGINE_SPLIT_ROWS_H

#include "../../kernels/engine/split_rows.h"
#include "../../lib/device.h"
#include "../../lib/graph.h"
#include "../../lib/parallel.h"

enum {
    gws__row_on_device, /* the part of a row on the device */
    gws__row_on_host,
    gws__row_parts
};

enum {
    gws__row_head = SPLIT_ROWS_PIECE,
    gws__row_all = 0x7fffffff
}; /* words: cached of each row at most; of any row */

struct gws__split_rows {
    const struct gws_graph *graph;
    /* The first `head` words of every row are cached, one more from vertex head_from on. Rows of more than `hub` words
     * are cached whole, and those of hub words from vertex hub_from on. The same holds for rows of fewer than `small`
     * words, and for those of small words from vertex small_from on. */
    uint64_t head, head_from, hub, hub_from, small, small_from;
    uint64_t blocks;
    uint64_t
        *base; /* gws__row_parts x (blocks + 1) numbers: the words of each part before a block; last, of all rows */
    _Atomic(uint64_t) touched, whole; /* rows with cached words, and rows cached whole */
};

static inline uint64_t gws__split_rows_length(const struct gws__split_rows *rows, uint64_t vertex)
{
    return rows->graph->offset[vertex + 1] - rows->graph->offset[vertex];
}

/* The number of cached words of a vertex's row. */
static inline uint64_t gws__split_rows_cached(const struct gws__split_rows *rows, uint64_t vertex)
{
    uint64_t arcs = gws__split_rows_length(rows, vertex);
    if (arcs > rows->hub || (arcs == rows->hub && vertex >= rows->hub_from)) return arcs;
    if (arcs < rows->small || (arcs == rows->small && vertex >= rows->small_from)) return arcs;
    uint64_t head = rows->head + (vertex >= rows->head_from ? 1 : 0);
    return arcs < head ? arcs : head;
}

/* The bytes of the bounds of a graph's rows, and of their base. */
static inline uint64_t gws__split_rows_bound_bytes(const struct gws_graph *graph)
{
    uint64_t blocks = (graph->vertices + SPLIT_ROWS_BLOCK - 1) / SPLIT_ROWS_BLOCK;
    return (graph->vertices + 1 + blocks * gws__row_parts) * sizeof(uint64_t);
}

/* Starts without cached words. Close it, whatever this returned. Errors: GWS_NO_MEMORY, GWS_TOO_LARGE (too many arcs in
 * a block of rows). */
gws_status gws__split_rows_open(struct gws_runtime *runtime, const struct gws_graph *graph,
                                struct gws__split_rows *rows, struct gws_diagnostic *where);
void gws__split_rows_close(struct gws_runtime *runtime, struct gws__split_rows *rows);

/* Each chooses as many words as *capacity allows, and subtracts them from it: the first words of all rows, at most
 * `max` of each; then the longest of the rows that the first words have not covered; or instead of both, the shortest
 * rows. Among equal rows the last ones come first. Some thirty passes over the bounds, by all workers. */
void gws__split_rows_cache_heads(struct gws_runtime *runtime, struct gws__split_rows *rows, uint64_t max,
                                 uint64_t *capacity);
void gws__split_rows_cache_hubs(struct gws_runtime *runtime, struct gws__split_rows *rows, uint64_t *capacity);
void gws__split_rows_cache_small(struct gws_runtime *runtime, struct gws__split_rows *rows, uint64_t *capacity);

/* Fills base and the counts; call it after the last choice. */
void gws__split_rows_layout(struct gws_runtime *runtime, struct gws__split_rows *rows);

/* Writes the bounds of blocks begin .. end - 1 to *to, with the final bound after the last block; and words begin ..
 * end - 1 of a part. Both use all workers; call them after the layout. */
void gws__split_rows_bounds(struct gws_runtime *runtime, const struct gws__split_rows *rows, uint64_t begin,
                            uint64_t end, uint64_t *to);
void gws__split_rows_words(struct gws_runtime *runtime, const struct gws__split_rows *rows, uint32_t part,
                           uint64_t begin, uint64_t end, uint32_t *to);

/* The buffers that the device reads; the caller frees them, also after an error. */
enum { gws__split_bound, gws__split_base, gws__split_on_device, gws__split_on_host, gws__split_buffers };

/* Computes the layout and writes the rows to new buffers: bounds, base and the device's words to the device, through a
 * staging copy of 16 MB; the other words to host memory, at *host, that the device reads in place. Errors: those of
 * buffers, with a message. */
gws_status gws__split_rows_upload(struct gws_runtime *runtime, struct gws_device *device, struct gws__split_rows *rows,
                                  struct gws_device_buffer *buffer[gws__split_buffers], void **host,
                                  struct gws_diagnostic *where);

#endif
