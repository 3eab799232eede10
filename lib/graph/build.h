/* SPDX-License-Identifier: MIT */
/* The CSR builder, which gws_graph_build() and all derivations of graphs from graphs use, and ownership of graphs'
 * arrays. */
#ifndef GWS_GRAPH_BUILD_H
#define GWS_GRAPH_BUILD_H

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "../graph.h"
#include "../parallel.h"

/* The input of a build: numbered edges, which several workers read in pieces. They come from the caller's edge
 * blocks, without copying, or from the arcs of another graph, optionally reversed or renumbered. */

enum gws__weight_kind { GWS__WEIGHT_NONE, GWS__WEIGHT_INTEGER, GWS__WEIGHT_REAL };

struct gws__edge_source {
    uint64_t vertices; /* number of vertices of the graph to build */
    uint64_t targets;  /* every target is smaller, in a part of a larger graph; 0: vertices */
    uint64_t count;    /* number of edges, numbered 0 .. count - 1, including those that the build drops */
    enum gws__weight_kind weight_kind;
    const struct gws_edges *edges; /* the edges; NULL: the source is graph */
    void (*read)(void *context, uint64_t block, uint64_t begin, uint64_t end, struct gws_edge *edge); /* or NULL */
    void *context;                                                                                    /* of read */
    const struct gws_graph *graph;
    uint64_t first;             /* with graph, without new_of_old: the vertex of its first row, in a part */
    const uint32_t *new_of_old; /* with graph: new vertex numbers, GWS_NO_VERTEX removes a vertex; NULL keeps all */
    bool reversed;              /* with graph: reverse each arc */
};

static inline uint64_t gws__edge_source_targets(const struct gws__edge_source *source)
{
    return source->targets ? source->targets : source->vertices;
}

/* Make an edge source from edges and the options of their build, or NULL (GWS_INVALID, GWS_TOO_LARGE: see
 * gws_graph_build()), or from all arcs of a graph. */
gws_status gws__edge_source_of_edges(const struct gws_edges *edges, const struct gws_build_options *options,
                                     struct gws__edge_source *source);
struct gws__edge_source gws__edge_source_of_graph(const struct gws_graph *graph);

enum gws__weight_kind gws__weight_kind_of(const struct gws_graph *graph);

/* Returns the integer key by which the build sorts a real weight: the bits of the float, with the bits below the sign
 * inverted if the float is negative. Such keys have the order of the finite floats. -0 gets the key of 0. */
static inline int32_t gws__weight_key(float weight)
{
    float sum = weight + 0.0F; /* -0 + 0 is 0 */
    int32_t bits;
    memcpy(&bits, &sum, sizeof bits);
    return bits < 0 ? bits ^ INT32_MAX : bits;
}

static inline float gws__weight_of_key(int32_t key)
{
    int32_t bits = key < 0 ? key ^ INT32_MAX : key;
    float weight;
    memcpy(&weight, &bits, sizeof weight);
    return weight;
}

/* Replaces keys by the real weights that they represent, in place. */
static inline void gws__restore_weights(int32_t *weight, uint64_t count)
{
    for (uint64_t i = 0; i < count; ++i) {
        const float real = gws__weight_of_key(weight[i]);
        memcpy(&weight[i], &real, sizeof real);
    }
}

static inline bool gws__weight_is_finite(float weight)
{
    return weight - weight == 0; /* the difference is NaN if weight is infinite or NaN */
}

/* One worker's position in an edge source. */
enum { GWS__CURSOR_EDGES = 1024 };

struct gws__edge_cursor {
    const struct gws__edge_source *source;
    uint64_t at, end;                        /* the remaining edges */
    uint64_t part;                           /* block or row of edge `at` */
    uint64_t part_begin;                     /* number of the block's first edge; unused with rows */
    bool not_finite;                         /* a block had an infinite weight or NaN */
    struct gws_edge edge[GWS__CURSOR_EDGES]; /* arcs of a graph, or edges that were copied */
    int32_t weight[GWS__CURSOR_EDGES];       /* weights of these arcs, or keys of real weights */
};

/* Moves to edges begin .. end - 1. */
void gws__edge_cursor_open(struct gws__edge_cursor *cursor, const struct gws__edge_source *source, uint64_t begin,
                           uint64_t end);

/* Writes the next block to *block. Returns false at the end. A block is valid until the next call and may be empty. The
 * block's weights are integers, or keys of real weights. */
bool gws__edge_cursor_next(struct gws__edge_cursor *cursor, struct gws_edge_block *block);

/* The first half of the CSR build: scatters arcs into buckets of consecutive vertices.
 *
 * A bucket has 2^shift vertices, few enough that a worker can sort the arcs of a bucket in cache. The scatter divides
 * the edge source into pieces. A first read counts each piece's arcs in each bucket. Prefix sums of the counts give
 * each piece a range of its own in each bucket, so the second read writes without atomic operations. The scatter stores
 * an arc as its target, its weight, and the low `shift` bits of its source (2 bytes, the only memory beside the final
 * arrays). */

struct gws__scatter {
    struct gws_runtime *runtime;
    const struct gws__edge_source *source;
    bool both; /* each edge is an arc in each direction */
    bool drop_loops;
    uint32_t shift;   /* at most 16 */
    uint64_t buckets; /* 0 only if there are no vertices */
    uint64_t pieces;
    uint64_t *place; /* [piece * buckets + bucket]: number of arcs, then position of the piece's next arc */
    uint64_t *start; /* buckets + 1 entries: the start of each bucket */
    uint64_t arcs;   /* start[buckets] */
    atomic_bool out_of_range, not_finite;

    /* The window: the buckets that are moved now, without weights perhaps not all. The caller owns the three arrays,
     * with an entry for each of their arcs; weight is NULL if the source has none. */
    uint64_t window, window_end;
    uint32_t *target;
    int32_t *weight; /* integers, or keys of real weights */
    uint16_t *low;
};

/* Plans buckets and pieces, and counts the arcs. Sets all fields except the caller's arrays; the window is all buckets.
 * Errors: GWS_OUT_OF_RANGE, GWS_INVALID (a real weight is not finite), GWS_NO_MEMORY. The caller must call
 * gws__scatter_clear() in any case. */
gws_status gws__scatter_count(struct gws__scatter *scatter);

/* Fills the caller's arrays. No bucket may be moved twice. */
gws_status gws__scatter_move(struct gws__scatter *scatter);

void gws__scatter_clear(struct gws__scatter *scatter);

/* ---- sorting the arcs of a bucket ---- */

/* The arcs of a bucket in three parallel arrays. The low bits of a source count from the bucket's first vertex. */
struct gws__arcs {
    uint16_t *low;
    uint32_t *target;
    int32_t *weight; /* NULL: no weights */
    uint64_t count;
    uint32_t low_bits, target_bits; /* the bits that can be nonzero; low_bits <= 16 */
};

/* Returns the bits that numbers below the limit have, at most 32. */
static inline uint32_t gws__bits_below(uint64_t limit)
{
    uint32_t bits = 0;
    while (bits < 32 && limit > UINT64_C(1) << bits) ++bits;
    return bits;
}

/* One worker's arrays of capacity entries each. weight[] exists only with weights. */
struct gws__arc_scratch {
    uint64_t *key[2];
    int32_t *weight[2];
    uint64_t capacity;
};

/* Sorts by source, then target, then weight. The function sorts arcs that fit the scratch by row or by radix. Otherwise
 * (a bucket with a hub) it first partitions the arcs in place. The time is linear in count for all inputs. */
void gws__arcs_sort(const struct gws__arcs *arcs, const struct gws__arc_scratch *scratch);

/* The scratch of all workers of a runtime. */
struct gws__arc_scratches {
    struct gws__arc_scratch *scratch; /* one for each worker, pointing to parts of the next two arrays */
    uint64_t *key;                    /* 2 * capacity for each worker */
    int32_t *weight;                  /* the same, or NULL without weights */
    uint64_t capacity;
};

/* The caller closes them in any case. Errors: GWS_NO_MEMORY. */
gws_status gws__arc_scratches_open(struct gws_runtime *runtime, uint64_t capacity, bool weighted,
                                   struct gws__arc_scratches *scratches);
void gws__arc_scratches_close(struct gws_runtime *runtime, const struct gws__arc_scratches *scratches);

/* Writes the offsets of the `rows` vertices of a sorted bucket that begins at arc `begin`, and removes duplicates if
 * that is wanted. Returns the number of remaining arcs. */
uint64_t gws__arcs_write_rows(const struct gws__arcs *arcs, bool drop_duplicates, uint64_t *offset, uint64_t rows,
                              uint64_t begin);

/* ---- rows that are filled in order ---- */

/* Arcs in buckets of 2^shift consecutive rows. */
struct gws__row_source {
    void *context;
    uint32_t shift, target_bits;
    uint64_t buckets;
    const uint64_t *start; /* buckets + 1 entries: the first arc of each bucket, and the number of arcs */
    uint64_t windows;      /* parts of the arcs, about, whose buckets the workers fill together */
    /* Prepares the buckets first .. end - 1 of a window. NULL: there is nothing to prepare. */
    gws_status (*prepare)(void *context, uint64_t first, uint64_t end);
    /* Writes the arcs of a bucket, in any order. Several workers call at once, each with another bucket. */
    void (*fill)(void *context, uint64_t bucket, const struct gws__arcs *arcs);
    /* The buckets before `end` are filled. */
    void (*filled)(void *context, uint64_t end);
};

/* Returns the shift with which buckets have at most about bucket_arcs arcs; at most 16. */
uint32_t gws__rows_shift(uint64_t rows, uint64_t arcs, uint64_t bucket_arcs);

/* Fills and sorts the rows of a graph that owns its arrays, which have an entry for each arc of the source, and then
 * removes duplicates if that is wanted: graph->arcs and offset[vertices] become smaller, and the arrays keep their
 * size. The weights, if there are any, are integers. Memory: about a seventh of a byte for each arc, at least 0.6 MB a
 * worker, and 2 bytes for each arc of a larger bucket. Errors: GWS_NO_MEMORY, GWS_CANCELLED. */
gws_status gws__graph_fill_rows(struct gws_runtime *runtime, struct gws_graph *graph,
                                const struct gws__row_source *source, bool drop_duplicates);

/* Like gws_graph_build(), from any edge source. The new graph has no ids and no positions. */
gws_status gws__graph_build(struct gws_runtime *runtime, const struct gws__edge_source *source,
                            const struct gws_build_options *options, struct gws_graph **graph);

/* Makes a graph with arrays of its own for the caller to fill: offset and target, and weights of that kind. Errors:
 * GWS_NO_MEMORY. */
gws_status gws__graph_allocate(struct gws_runtime *runtime, uint64_t vertices, uint64_t arcs,
                               enum gws__weight_kind weight_kind, struct gws_graph **graph);

/* Returns whether the runtime may have so much memory now, at once. */
static inline bool gws__has_memory(struct gws_runtime *runtime, uint64_t bytes)
{
    void *memory = gws_allocate(runtime, bytes, 1);
    gws_release(runtime, memory, bytes, 1);
    return memory != NULL;
}

/* Replaces counts by their exclusive prefix sums. Returns the total. */
static inline uint64_t gws__prefix_sum(uint64_t *count, uint64_t entries)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; i < entries; ++i) {
        uint64_t own = count[i];
        count[i] = sum;
        sum += own;
    }
    return sum;
}

/* ---- ownership of a graph's arrays ----
 *
 * gws__graph_new() makes every graph as an empty shell. The graph then owns an array (from the shell's allocator,
 * freed with the graph) or borrows it (only the pointer in struct gws_graph is set). */

enum gws__graph_part {
    GWS__PART_OFFSET,
    GWS__PART_TARGET,
    GWS__PART_WEIGHT,
    GWS__PART_REAL_WEIGHT,
    GWS__PART_POSITION,
    GWS__PART_ID,
    GWS__PART_NAME_OFFSET,
    GWS__PART_NAME_TEXT,
    GWS__PART_NAME_ORDER,
    GWS__PART_ID_ORDER
};
enum { GWS__GRAPH_PARTS = GWS__PART_ID_ORDER + 1 };

struct gws__graph_array {
    void *memory;   /* NULL: the graph borrows this part or has none */
    uint64_t count; /* the allocated size, which may exceed the graph's */
};

struct gws__graph_owner {
    struct gws_allocator allocator; /* a copy: graphs outlive their runtime */
    struct gws__graph_array owned[GWS__GRAPH_PARTS];
    void (*release)(void *context); /* called last, before the shell is freed; may be NULL */
    void *context;
};

/* Makes a directed graph of that many vertices and arcs. All arrays are NULL. Errors: GWS_NO_MEMORY. */
gws_status gws__graph_new(struct gws_runtime *runtime, uint64_t vertices, uint64_t arcs, struct gws_graph **graph);

/* Transfers memory (count items of the part's size, from the runtime's allocator) to the graph, sets the graph's
 * pointer, and frees the part's previous memory. If memory is NULL, the function only frees. */
void gws__graph_own(struct gws_graph *graph, enum gws__graph_part part, void *memory, uint64_t count);

/* Sets a part's pointer to memory that the graph does not own. */
void gws__graph_borrow(struct gws_graph *graph, enum gws__graph_part part, const void *memory);

/* Copies names (if there are any) to a graph in which vertex v is new_of_old[v] or, if that is GWS_NO_VERTEX, missing.
 * new_of_old is NULL if the vertices are the same. Errors: GWS_NO_MEMORY, GWS_CANCELLED. */
gws_status gws__graph_move_names(struct gws_runtime *runtime, const struct gws_graph *from, const uint32_t *new_of_old,
                                 struct gws_graph *to);

/* Moves an order of vertices (NULL: 0, 1, 2 ...) to another graph with the numbers new_of_old (NULL: all vertices
 * stay). Returns true if the new order is 0, 1, 2 ... */
bool gws__graph_move_order(const uint32_t *old_order, uint64_t vertices, const uint32_t *new_of_old, uint32_t *order);

/* Copies ids, first_id, names and positions to a graph with the same number of vertices. Errors: GWS_NO_MEMORY. */
gws_status gws__graph_copy_names(struct gws_runtime *runtime, const struct gws_graph *from, struct gws_graph *to);

/* gws_graph_draw_weights() of a part of a graph, whose row 0 is vertex `first`, inside a call. */
gws_status gws__graph_draw_weights(struct gws_runtime *runtime, struct gws_graph *graph, uint64_t first, int32_t min,
                                   int32_t max, uint64_t seed);

#endif
