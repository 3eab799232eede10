/* SPDX-License-Identifier: MIT */
/* The edges that readers read. A block's weights are integers until its first weight that is not a 32-bit integer.
 * Then all weights of the block become reals. Each worker appends to its own blocks. Together the blocks are the input
 * of gws_graph_build(). Ids have 32 bits. The edges of a chunk with a larger id go to a wide block. */
#ifndef GWS_IO_EDGES_H
#define GWS_IO_EDGES_H

#include "../../lib/graph.h"
#include "../input/input.h"
#include "edge_pack.h"

struct gws__wide_edge {
    uint64_t from, to;
};

struct gws__block {
    union {
        struct gws_edge *edge;
        struct gws__wide_edge *wide;
        void *memory;
    };
    union {
        int32_t *weight; /* NULL: no weights */
        float *real_weight;
        void *weights;
    };
    bool real; /* true: real_weight; false: weight */
    uint64_t count, capacity;
    struct gws__edge_pack *pack; /* the edges of a narrow block without memory, or NULL */
};

struct gws__block_list {
    struct gws__block *block;
    uint64_t count, capacity;
};

/* One worker's edges. */
struct gws__edge_buffer {
    struct gws__block_list list[2]; /* list[0]: narrow blocks; list[1]: wide blocks */
    uint64_t padding[2];            /* fills a cache line, against false sharing */
};

struct gws__edges {
    struct gws_runtime *runtime;
    struct gws__read_ranks *ranks;   /* which have all edges together; NULL: one process (io/ranks/ranks.h) */
    struct gws__edge_buffer *buffer; /* one for each worker */
    bool weighted;
    bool real;  /* new blocks have real weights */
    bool packs; /* narrow blocks are packed when they are full */
};

/* A weight as a number. An integer has both values. */
struct gws__weight {
    bool real;
    int32_t integer; /* valid unless real */
    float number;
};

/* Opens a buffer for the edges of an input. */
gws_status gws__edges_open(struct gws__edges *edges, const struct gws__input *input, bool weighted);
void gws__edges_close(struct gws__edges *edges);

/* Returns a block of the worker with capacity for `capacity` more edges, or NULL when memory is short. The caller
 * writes from edge[count] on and then increases count. */
struct gws__block *gws__edges_reserve(struct gws__edges *edges, uint32_t worker, bool wide, uint64_t capacity);

/* Returns edges of a narrow block from `begin` on, a multiple of GWS__PACK_EDGES, or a copy in the buffer if they are
 * packed. *count: how many, up to `end` and at most GWS__PACK_EDGES (out). */
static inline struct gws_edge *gws__block_edges(const struct gws__block *block, uint64_t begin, uint64_t end,
                                                uint64_t *count, struct gws_edge buffer[GWS__PACK_EDGES])
{
    *count = end - begin < GWS__PACK_EDGES ? end - begin : GWS__PACK_EDGES;
    if (!block->pack) return block->edge + begin;
    gws__edge_pack_read(block->pack, begin, begin + *count, buffer);
    return buffer;
}

/* The same, and the block has no edges yet. */
struct gws__block *gws__edges_begin_block(struct gws__edges *edges, uint32_t worker, bool wide, uint64_t capacity);

/* Converts the first count weights of a block to reals. Later weights of the block are real, too. */
void gws__block_make_real(struct gws__block *block, uint64_t count);

/* Stores a weight at entry i. An integer block with a real weight becomes real. */
void gws__block_put_weight(struct gws__block *block, uint64_t i, const struct gws__weight *weight);

/* Converts the weights of all blocks to reals if one block, of any rank, has real weights. Readers call this function
 * after the last edge. */
gws_status gws__edges_unify_weights(struct gws__edges *edges);

/* Returns the number of edges in narrow or wide blocks of this rank. */
uint64_t gws__edges_count(const struct gws__edges *edges, bool wide);

/* Sets total[0] and total[1] to the numbers of edges in narrow and wide blocks of all ranks. */
gws_status gws__edges_total(const struct gws__edges *edges, uint64_t total[2]);

/* Returns the i-th narrow or wide block of all workers, or NULL past the end. */
struct gws__block *gws__edges_block(const struct gws__edges *edges, bool wide, uint64_t i);

/* Builds the graph of the narrow blocks, and closes the edges when the build has read them. With ranks, see
 * gws__read_ranks_build(). */
gws_status gws__edges_build(struct gws__edges *edges, uint64_t vertices, const struct gws_build_options *options,
                            struct gws_graph **graph);

#endif
