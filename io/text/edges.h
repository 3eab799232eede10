/* SPDX-License-Identifier: MIT */
/* Where readers put the edges they find: each worker appends to blocks of its own, which together are what
 * gws_graph_build() takes. Ids are kept in 32 bits; a chunk of text with a larger one goes to a wide block. */
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
    int32_t *weight; /* NULL: without */
    uint64_t count, capacity;
};

struct gws__block_list {
    struct gws__block *block;
    uint64_t count, capacity;
};

/* One worker's edges. */
struct gws__edge_buffer {
    struct gws__block_list list[2]; /* narrow, wide */
    uint64_t padding[2];            /* a cache line each */
};

struct gws__edges {
    struct gws_runtime *runtime;
    struct gws__edge_buffer *buffer; /* one for each worker */
    bool weighted;
};

gws_status gws__edges_open(struct gws__edges *edges, struct gws_runtime *runtime, bool weighted);
void gws__edges_close(struct gws__edges *edges);

/* A block of the worker with capacity for so many more edges; NULL when memory is short. The caller fills from
 * edge[count] on and adds to count. */
struct gws__block *gws__edges_reserve(struct gws__edges *edges, uint32_t worker, bool wide, uint64_t capacity);

/* Edges in blocks of one kind. */
uint64_t gws__edges_count(const struct gws__edges *edges, bool wide);

/* The i-th block of a kind, over all workers; NULL past the end. */
struct gws__block *gws__edges_block(const struct gws__edges *edges, bool wide, uint64_t i);

/* Builds the graph of the narrow blocks. */
gws_status gws__edges_build(const struct gws__edges *edges, uint64_t vertices, const struct gws_build_options *options,
                            struct gws_graph **graph);

#endif
