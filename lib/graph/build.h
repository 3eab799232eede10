/* SPDX-License-Identifier: MIT */
/* The CSR builder, which gws_graph_build() and all derivations of graphs from graphs use, and ownership of graphs'
 * arrays. */
#ifndef GWS_GRAPH_BUILD_H
#define GWS_GRAPH_BUILD_H

#include <stdatomic.h>
#include <stdint.h>

#include "../graph.h"

/* The input of a build: numbered edges, which several workers read in pieces. They come from the caller's edge
 * blocks, without copying, or from the arcs of another graph, optionally reversed or renumbered. */

struct gws__edge_source {
    uint64_t vertices; /* of the graph to build */
    uint64_t count;    /* edges numbered 0 .. count - 1, before any are dropped */
    bool weighted;
    const struct gws_edges *edges; /* the edges, or else graph: */
    const struct gws_graph *graph;
    const uint32_t *new_of_old; /* with graph: new vertex numbers, GWS_NO_VERTEX removes a vertex; NULL keeps all */
    bool reversed;              /* with graph: reverse each arc */
};

/* Edge sources from edges (GWS_INVALID, GWS_TOO_LARGE: see gws_graph_build()), and from all arcs of a graph. */
gws_status gws__edge_source_of_edges(const struct gws_edges *edges, struct gws__edge_source *source);
struct gws__edge_source gws__edge_source_of_graph(const struct gws_graph *graph);

/* The first half of the CSR build: scatters arcs into buckets of consecutive vertices.
 *
 * A bucket is 2^shift vertices, so that its arcs can be sorted in cache. The edge source is divided into pieces. A
 * first read counts each piece's arcs in each bucket. Prefix sums of the counts give each piece a range of its own
 * in each bucket, so the second read writes without atomic operations. An arc is stored as its target, its weight,
 * and the low `shift` bits of its source (2 bytes, the only memory beside the final arrays). */

struct gws__scatter {
    struct gws_runtime *runtime;
    const struct gws__edge_source *source;
    bool both; /* each edge is an arc in each direction */
    bool drop_loops;
    uint32_t shift;   /* at most 16 */
    uint64_t buckets; /* 0 only without vertices */
    uint64_t pieces;
    uint64_t *place; /* [piece * buckets + bucket]: number of arcs, then position of the piece's next arc */
    uint64_t *start; /* buckets + 1 entries: the start of each bucket */
    uint64_t arcs;   /* start[buckets] */
    atomic_bool out_of_range;

    uint32_t *target; /* these three arrays are the caller's: arcs entries each; weight NULL if the source has none */
    int32_t *weight;
    uint16_t *low;
};

/* Plans buckets and pieces, and counts. Sets all fields except the caller's arrays. Errors: GWS_OUT_OF_RANGE,
 * GWS_NO_MEMORY; call gws__scatter_clear() in any case. */
gws_status gws__scatter_count(struct gws__scatter *scatter);

/* Fills the caller's arrays. */
void gws__scatter_move(struct gws__scatter *scatter);

void gws__scatter_clear(struct gws__scatter *scatter);

/* ---- sorting the arcs of a bucket ---- */

/* The arcs of a bucket in three parallel arrays. The low bits of a source count from the bucket's first vertex. */
struct gws__arcs {
    uint16_t *low;
    uint32_t *target;
    int32_t *weight; /* or NULL */
    uint64_t count;
    uint32_t low_bits, target_bits; /* the bits that can be nonzero; low_bits <= 16 */
};

/* One worker's arrays of capacity entries each; weight[] only with weights. */
struct gws__arc_scratch {
    uint64_t *key[2];
    int32_t *weight[2];
    uint64_t capacity;
};

/* Sorts by source, then target, then weight: by row or by radix through the scratch if the arcs fit; otherwise (a
 * bucket with a hub) first partitions in place. Linear in count for all inputs. */
void gws__arcs_sort(const struct gws__arcs *arcs, const struct gws__arc_scratch *scratch);

/* Like gws_graph_build(), from any edge source. The new graph has no ids and no positions. */
gws_status gws__graph_build(struct gws_runtime *runtime, const struct gws__edge_source *source,
                            const struct gws_build_options *options, struct gws_graph **graph);

/* Makes a graph with arrays of its own for the caller to fill: offset and target, and weight if weighted. Errors:
 * GWS_NO_MEMORY. */
gws_status gws__graph_allocate(struct gws_runtime *runtime, uint64_t vertices, uint64_t arcs, bool weighted,
                               struct gws_graph **graph);

/* Exclusive prefix sum, in place. Returns the total. */
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

enum gws__graph_part { GWS__PART_OFFSET, GWS__PART_TARGET, GWS__PART_WEIGHT, GWS__PART_POSITION, GWS__PART_ID };
enum { GWS__GRAPH_PARTS = GWS__PART_ID + 1 };

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

/* A directed graph of that many vertices and arcs; all arrays are NULL. Errors: GWS_NO_MEMORY. */
gws_status gws__graph_new(struct gws_runtime *runtime, uint64_t vertices, uint64_t arcs, struct gws_graph **graph);

/* Transfers memory (count items of the part's size, from the runtime's allocator) to the graph, sets the graph's
 * pointer, and frees the part's previous memory. NULL memory only frees. */
void gws__graph_own(struct gws_graph *graph, enum gws__graph_part part, void *memory, uint64_t count);

/* Sets a part's pointer to memory that the graph does not own. */
void gws__graph_borrow(struct gws_graph *graph, enum gws__graph_part part, const void *memory);

/* Copies ids, first_id and positions to a graph with the same number of vertices. Errors: GWS_NO_MEMORY. */
gws_status gws__graph_copy_names(struct gws_runtime *runtime, const struct gws_graph *from, struct gws_graph *to);

#endif
