/* SPDX-License-Identifier: MIT */
/* The edges that readers find. Each worker appends to its own blocks; together the blocks are the input of
 * gws_graph_build(). Ids are stored in 32 bits; the edges of a chunk with a larger id go to a wide block. */
#ifndef GWS_IO_EDGES_H
#define GWS_IO_EDGES_H

#include "../../lib/graph.h"
#include "../input/input.h"

struct gws__wide_edge {
    uint64_t from, to;
};

struct gws__block {
    union {
        struct gws_edge *edge;
        struct gws__wide_edge *wide;
        void *memory;
    };
    int32_t *weight; /* NULL: no weights */
    uint64_t count, capacity;
};

struct gws__block_list {
    struct gws__block *block;
    uint64_t count, capacity;
};

/* One worker's edges. */
struct gws__edge_buffer {
    struct gws__block_list list[2]; /* narrow, wide */
    uint64_t padding[2];            /* fills a cache line, against false sharing */
};

struct gws__edges {
    struct gws_runtime *runtime;
    struct gws__edge_buffer *buffer; /* one for each worker */
    bool weighted;
};

gws_status gws__edges_open(struct gws__edges *edges, struct gws_runtime *runtime, bool weighted);
void gws__edges_close(struct gws__edges *edges);

/* Returns a block of the worker with capacity for so many more edges; NULL when memory is short. The caller writes from
 * edge[count] on and then increases count. */
struct gws__block *gws__edges_reserve(struct gws__edges *edges, uint32_t worker, bool wide, uint64_t capacity);

/* The number of edges in narrow or wide blocks. */
uint64_t gws__edges_count(const struct gws__edges *edges, bool wide);

/* The i-th narrow or wide block of all workers; NULL past the end. */
struct gws__block *gws__edges_block(const struct gws__edges *edges, bool wide, uint64_t i);

/* Builds the graph of the narrow blocks. */
gws_status gws__edges_build(const struct gws__edges *edges, uint64_t vertices, const struct gws_build_options *options,
                            struct gws_graph **graph);

#endif
