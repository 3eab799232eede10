/* SPDX-License-Identifier: MIT */
/* Searches from up to 64 or 256 sources at once, with one bit for each source, which is MS-BFS (Then, Kaufmann,
 * Chirigati, Hoang-Vu, Pham, Kemper, Neumann, Vo, "The More the Merrier: Efficient Multi-Source Graph Traversal",
 * PVLDB 8 (4), 2014). If several searches reach a vertex at the same depth, the batch visits the vertex once for all
 * of them.
 *
 * State encoding. A vertex has `words` words in each of three arrays: seen (bits of the searches that have reached
 * it), front (bits of the searches that reached it at the current depth) and next. A level with few arcs pushes from a
 * list of the frontier on one worker. Other levels pull. A worker reads the row of each vertex until no further search
 * can reach the vertex. Each word has one writer, so no access to the words is atomic. */
#ifndef GWS_TRAVERSAL_ENGINE_BATCH_H
#define GWS_TRAVERSAL_ENGINE_BATCH_H

#include <stdatomic.h>

#include "../../lib/graph.h"
#include "../../lib/parallel.h"

enum { gws__batch_words = 4, gws__batch_max = 64 * gws__batch_words, gws__batch_planes = 12 };

/* Counts set bits by position. Bit i of plane p is bit p of the counter of position i. So one addition changes about
 * two planes instead of up to 64 counters. */
struct gws__batch_counter {
    _Alignas(128) uint64_t plane[gws__batch_planes][gws__batch_words];
    uint32_t added; /* words added since the planes last moved to count[] */
    uint64_t count[gws__batch_max];
    uint64_t vertices, arcs; /* vertices and arcs of the next frontier */
};

struct gws__batch {
    struct gws_runtime *runtime;
    const struct gws_graph *graph, *in; /* in: rows of incoming arcs */
    bool serial;                        /* one worker, which may be any worker, runs every level */
    uint32_t words;                     /* 1 or gws__batch_words */
    uint32_t sources;
    uint64_t *seen, *front, *next; /* vertices * words each */
    uint32_t *list, *touched;      /* list: the frontier, if listed; touched: vertices that push has reached */
    uint64_t limit;                /* capacity of the lists, and max arcs of a frontier that pushes */
    uint64_t size, arcs;           /* vertices and arcs of the frontier */
    bool listed;
    _Atomic uint64_t tail;              /* end of list */
    uint32_t level;                     /* the frontier's depth */
    uint64_t all[gws__batch_words];     /* the bits of all sources */
    uint64_t count[gws__batch_max];     /* vertices that each source has reached at this depth */
    struct gws__batch_counter *counter; /* one counter for each worker */
    uint32_t counters;
    void *memory;
    uint64_t bytes;
};

/* Returns the bytes of a batch with `words` words per vertex. serial: see struct gws__batch. */
uint64_t gws__batch_bytes(const struct gws_runtime *runtime, const struct gws_graph *graph, uint32_t words,
                          bool serial);

/* gws__batch_open() prepares an empty batch. gws__batch_close() accepts a batch of zeros. */
gws_status gws__batch_open(struct gws_runtime *runtime, const struct gws_graph *graph, const struct gws_graph *in,
                           uint32_t words, bool serial, struct gws__batch *batch);
void gws__batch_close(struct gws__batch *batch);

/* Starts from count sources, at most 64 * words. The frontier is then at depth 0. */
void gws__batch_start(struct gws__batch *batch, const uint32_t *source, uint32_t count);

/* Moves the frontier to the next depth and fills count[]. Returns false if the frontier is empty. */
bool gws__batch_advance(struct gws__batch *batch);

#endif
