/* SPDX-License-Identifier: MIT */
/* The rows of a graph in the host's memory, split between the device and the host: which words the device has, and
 * where it finds the others.
 *
 * What a word is worth there is what it saves on the bus, and that was counted (datasets/bench/RESULTS.md, "What to
 * keep of the arcs"). A row's first words are worth most where levels run bottom-up: each unvisited vertex looks at its
 * row from the front, and most find a parent soon, so few words of many rows save more than whole rows; of the hubs'
 * rows nothing is read then, as hubs are found before. Top-down levels are run while frontiers are small, but for the
 * hubs in them: so hubs' rows come next. Where all levels run top-down, every row is read once: then the shortest rows
 * come first, of which a whole piece would cross the bus for a few words.
 *
 * A row's place is what kernels/engine/split_rows.h says: its words on the device and the others are packed apart. */
#ifndef GWS_TRAVERSAL_ENGINE_SPLIT_ROWS_H
#define GWS_TRAVERSAL_ENGINE_SPLIT_ROWS_H

#include "../../kernels/engine/split_rows.h"
#include "../../lib/device.h"
#include "../../lib/graph.h"
#include "../../lib/parallel.h"

enum {
    gws__row_on_device, /* the part of a row that the device has */
    gws__row_on_host,
    gws__row_parts
};

enum { gws__row_head = SPLIT_ROWS_PIECE, gws__row_all = 0x7fffffff }; /* words: kept of each row at most; of any row */

struct gws__split_rows {
    const struct gws_graph *graph;
    /* Of every row the first `head` words are kept, one more from vertex head_from on. Rows of more than `hub` words
     * are kept whole, and those of hub words from vertex hub_from on; as are those of less than `small` words, and
     * those of small words from vertex small_from on. */
    uint64_t head, head_from, hub, hub_from, small, small_from;
    uint64_t blocks;
    uint64_t *base; /* gws__row_parts x (blocks + 1) numbers: words of each part before a block; last, of all */
    _Atomic(uint64_t) touched, whole; /* rows of which words are kept, and all words */
};

static inline uint64_t gws__split_rows_length(const struct gws__split_rows *rows, uint64_t vertex)
{
    return rows->graph->offset[vertex + 1] - rows->graph->offset[vertex];
}

/* Words of that vertex's row that are kept. */
static inline uint64_t gws__split_rows_cached(const struct gws__split_rows *rows, uint64_t vertex)
{
    uint64_t arcs = gws__split_rows_length(rows, vertex);
    if (arcs > rows->hub || (arcs == rows->hub && vertex >= rows->hub_from)) return arcs;
    if (arcs < rows->small || (arcs == rows->small && vertex >= rows->small_from)) return arcs;
    uint64_t head = rows->head + (vertex >= rows->head_from ? 1 : 0);
    return arcs < head ? arcs : head;
}

/* Bytes of the bounds of a graph's rows, and of their base. */
static inline uint64_t gws__split_rows_bound_bytes(const struct gws_graph *graph)
{
    uint64_t blocks = (graph->vertices + SPLIT_ROWS_BLOCK - 1) / SPLIT_ROWS_BLOCK;
    return (graph->vertices + 1 + blocks * gws__row_parts) * sizeof(uint64_t);
}

/* Nothing is kept yet. Close it, whatever this returned. Errors: GWS_NO_MEMORY, GWS_TOO_LARGE (too many arcs in a block
 * of rows). */
gws_status gws__split_rows_open(struct gws_runtime *runtime, const struct gws_graph *graph,
                                struct gws__split_rows *rows, struct gws_diagnostic *where);
void gws__split_rows_close(struct gws_runtime *runtime, struct gws__split_rows *rows);

/* Chooses as many words as there is room for, and takes them off *room: the first words of all rows, at most `max` of
 * each; then, of what the first words leave, the longest rows; or instead of both, the shortest rows. Of rows that are
 * equal the last ones. Some thirty passes over the bounds, by all workers. */
void gws__split_rows_cache_heads(struct gws_runtime *runtime, struct gws__split_rows *rows, uint64_t max,
                                 uint64_t *room);
void gws__split_rows_cache_hubs(struct gws_runtime *runtime, struct gws__split_rows *rows, uint64_t *room);
void gws__split_rows_cache_small(struct gws_runtime *runtime, struct gws__split_rows *rows, uint64_t *room);

/* Fills base and the counts; after the last choice. */
void gws__split_rows_layout(struct gws_runtime *runtime, struct gws__split_rows *rows);

/* Writes the bounds of blocks begin .. end - 1 to *to, with the last block's the one behind all rows; and words begin
 * .. end - 1 of a part. By all workers; after the place is known. */
void gws__split_rows_bounds(struct gws_runtime *runtime, const struct gws__split_rows *rows, uint64_t begin,
                            uint64_t end, uint64_t *to);
void gws__split_rows_words(struct gws_runtime *runtime, const struct gws__split_rows *rows, uint32_t part,
                           uint64_t begin, uint64_t end, uint32_t *to);

/* Where the device reads them: buffers that the caller frees, also after an error. */
enum { gws__split_bound, gws__split_base, gws__split_on_device, gws__split_on_host, gws__split_buffers };

/* Places the rows and writes them to new buffers: bounds, base and the device's words to the device, in pieces through
 * 16 MB of the host's memory; the other words to memory of the host's, at *host, that the device reads in place.
 * Errors: those of buffers, with a message. */
gws_status gws__split_rows_upload(struct gws_runtime *runtime, struct gws_device *device, struct gws__split_rows *rows,
                                  struct gws_device_buffer *buffer[gws__split_buffers], void **host,
                                  struct gws_diagnostic *where);

#endif
