/* SPDX-License-Identifier: MIT */
/* The rows of a graph in the host's memory, split between the device and the host. The functions here choose the words
 * that the device caches, and lay out both parts.
 *
 * The value of a cached word is the bus traffic that it saves (counts: datasets/bench/results/host-resident.md). If
 * levels run bottom-up, a row's first words save most. A bottom-up level reads the row of each unvisited vertex from
 * the front, and most of these vertices soon find a parent. So a few words of many rows save more than whole rows.
 * Bottom-up levels do not read the rows of hubs, because earlier levels reach the hubs. Top-down levels have small
 * frontiers, which may contain hubs, so the rows of hubs come next. If all levels run top-down, the search reads every
 * row once. Then the shortest rows come first, because each of them would transfer a whole piece for a few words.
 *
 * kernels/engine/split_rows.h specifies the layout, which packs the device's words and the host's words of the rows
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
}; /* gws__row_head: max cached words of each row; gws__row_all: max words of any row */

struct gws__split_rows {
    const struct gws_graph *graph;
    /* The device caches the first `head` words of every row, and one more word from vertex head_from on. The device
     * caches whole the rows of more than `hub` words, and from vertex hub_from on the rows of exactly `hub` words. The
     * device also caches whole the rows of fewer than `small` words, and from vertex small_from on the rows of exactly
     * `small` words. */
    uint64_t head, head_from, hub, hub_from, small, small_from;
    uint64_t blocks;
    uint64_t *base; /* gws__row_parts x (blocks + 1) numbers, the words of each part before a block, and at last of all
                       rows */
    _Atomic(uint64_t) touched, whole; /* rows with cached words, and rows cached whole */
};

static inline uint64_t gws__split_rows_length(const struct gws__split_rows *rows, uint64_t vertex)
{
    return rows->graph->offset[vertex + 1] - rows->graph->offset[vertex];
}

/* Returns the number of cached words of a vertex's row. */
static inline uint64_t gws__split_rows_cached(const struct gws__split_rows *rows, uint64_t vertex)
{
    uint64_t arcs = gws__split_rows_length(rows, vertex);
    if (arcs > rows->hub || (arcs == rows->hub && vertex >= rows->hub_from)) return arcs;
    if (arcs < rows->small || (arcs == rows->small && vertex >= rows->small_from)) return arcs;
    uint64_t head = rows->head + (vertex >= rows->head_from ? 1 : 0);
    return arcs < head ? arcs : head;
}

/* Returns the bytes of the bounds of a graph's rows, and of their base. */
static inline uint64_t gws__split_rows_bound_bytes(const struct gws_graph *graph)
{
    uint64_t blocks = (graph->vertices + SPLIT_ROWS_BLOCK - 1) / SPLIT_ROWS_BLOCK;
    return (graph->vertices + 1 + blocks * gws__row_parts) * sizeof(uint64_t);
}

/* Opens split rows without cached words. The caller must close them, also after an error. Errors: GWS_NO_MEMORY,
 * GWS_TOO_LARGE (too many arcs in a block of rows). */
gws_status gws__split_rows_open(struct gws_runtime *runtime, const struct gws_graph *graph,
                                struct gws__split_rows *rows, struct gws_diagnostic *where);
void gws__split_rows_close(struct gws_runtime *runtime, struct gws__split_rows *rows);

/* Each function chooses as many words as *capacity allows, and subtracts their number from *capacity.
 * gws__split_rows_cache_heads() chooses the first words of all rows, at most `max` of each.
 * gws__split_rows_cache_hubs() then chooses the longest of the rows that the first words do not cover. Instead of both,
 * gws__split_rows_cache_small() chooses the shortest rows. Among rows of equal length, the last rows come first. A
 * function makes some thirty passes over the bounds on all workers. */
void gws__split_rows_cache_heads(struct gws_runtime *runtime, struct gws__split_rows *rows, uint64_t max,
                                 uint64_t *capacity);
void gws__split_rows_cache_hubs(struct gws_runtime *runtime, struct gws__split_rows *rows, uint64_t *capacity);
void gws__split_rows_cache_small(struct gws_runtime *runtime, struct gws__split_rows *rows, uint64_t *capacity);

/* Fills base and the counts. Call this function after the last choice. */
void gws__split_rows_layout(struct gws_runtime *runtime, struct gws__split_rows *rows);

/* gws__split_rows_bounds() writes the bounds of blocks begin .. end - 1 to *to, with the final bound after the last
 * block. gws__split_rows_words() writes words begin .. end - 1 of a part. Both functions use all workers. Call them
 * after the layout. */
void gws__split_rows_bounds(struct gws_runtime *runtime, const struct gws__split_rows *rows, uint64_t begin,
                            uint64_t end, uint64_t *to);
void gws__split_rows_words(struct gws_runtime *runtime, const struct gws__split_rows *rows, uint32_t part,
                           uint64_t begin, uint64_t end, uint32_t *to);

/* The buffers that the device reads. The caller frees them, also after an error. */
enum { gws__split_bound, gws__split_base, gws__split_on_device, gws__split_on_host, gws__split_buffers };

/* Computes the layout and writes the rows to new buffers. Bounds, base and the device's words go to the device, through
 * a staging copy of 16 MB. The other words go to host memory, at *host, where the device reads them. Errors: those of
 * buffers, with a message. */
gws_status gws__split_rows_upload(struct gws_runtime *runtime, struct gws_device *device, struct gws__split_rows *rows,
                                  struct gws_device_buffer *buffer[gws__split_buffers], void **host,
                                  struct gws_diagnostic *where);

#endif
