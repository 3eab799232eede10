/* SPDX-License-Identifier: MIT */
/* The CSR build behind gws_graph_build() and everything that makes one graph out of another, and what graphs own. */
#ifndef GWS_GRAPH_BUILD_H
#define GWS_GRAPH_BUILD_H

#include <stdatomic.h>
#include <stdint.h>

#include "../graph.h"

/* What a graph is built from, seen as numbered edges that several workers read in pieces: the caller's edge blocks as
 * they lie, or the arcs of another graph, reversed round or renamed on the way. */

struct gws__edge_source {
    uint64_t vertices; /* of the graph to build */
    uint64_t count;    /* edges numbered 0 .. count - 1, before any are dropped */
    bool weighted;
    const struct gws_edges *edges; /* set, or else: */
    const struct gws_graph *graph;
    const uint32_t *new_of_old; /* with graph: new names, GWS_NO_VERTEX drops a vertex; NULL keeps all */
    bool reversed;              /* with graph: each arc the other way */
};

/* Feeds of edges (GWS_INVALID, GWS_TOO_LARGE: see gws_graph_build()) and of all arcs of a graph. */
gws_status gws__edge_source_of_edges(const struct gws_edges *edges, struct gws__edge_source *source);
struct gws__edge_source gws__edge_source_of_graph(const struct gws_graph *graph);

/* The first half of the CSR build: arcs, from anywhere, into buckets of neighbouring vertices.
 *
 * A bucket is 2^shift vertices, so that its arcs can be sorted in cache. The source is cut into pieces. Pieces count
 * their arcs for each bucket; sums of the counts give each piece a place of its own in each bucket, so that the second
 * read writes without an atomic operation. An arc is written as its target, its weight, and the low `shift` bits of its
 * source: 2 bytes, which is all that is needed beside the final arrays. */

struct gws__scatter {
    struct gws_runtime *runtime;
    const struct gws__edge_source *source;
    bool both; /* each edge is an arc each way */
    bool drop_loops;
    uint32_t shift;   /* at most 16 */
    uint64_t buckets; /* 0 only without vertices */
    uint64_t pieces;
    uint64_t *place; /* [piece * buckets + bucket]: arcs counted, then where the piece's next one goes */
    uint64_t *start; /* buckets + 1 entries: where each bucket begins */
    uint64_t arcs;   /* start[buckets] */
    atomic_bool out_of_range;

    uint32_t *target; /* these three are the caller's: arcs entries each; weight NULL if the source has none */
    int32_t *weight;
    uint16_t *low;
};

/* Plans buckets and pieces, and counts. Fills all but the caller's arrays. GWS_OUT_OF_RANGE, GWS_NO_MEMORY; to be
 * cleared in any case. */
gws_status gws__scatter_count(struct gws__scatter *scatter);

/* Fills the caller's arrays. */
void gws__scatter_move(struct gws__scatter *scatter);

void gws__scatter_clear(struct gws__scatter *scatter);

/* Sorts the arcs of a bucket: neighbouring vertices' arcs, in three arrays side by side. */

/* An arc's source is the low bits of it, counted from the bucket's first vertex. */
struct gws__arcs {
    uint16_t *low;
    uint32_t *target;
    int32_t *weight; /* or NULL */
    uint64_t count;
    uint32_t low_bits, target_bits; /* how many of them can be other than 0; low_bits <= 16 */
};

/* Room for `capacity` arcs in each array, of one worker; weight[] only where there are weights. */
struct gws__arc_scratch {
    uint64_t *key[2];
    int32_t *weight[2];
    uint64_t capacity;
};

/* Sorts by source, then target, then weight. Row by row or by radix through the scratch where the arcs fit there, else
 * (a bucket with a hub) first apart in place. Linear in count, whatever the arcs. */
void gws__arcs_sort(const struct gws__arcs *arcs, const struct gws__arc_scratch *scratch);

/* As gws_graph_build(), from any source. The new graph has no ids and no positions. */
gws_status gws__graph_build(struct gws_runtime *runtime, const struct gws__edge_source *source,
                            const struct gws_build_options *options, struct gws_graph **graph);

/* Gives a new graph arrays of its own for what its vertices and arcs say: offset and target to be filled, and weight
 * if it is weighted. GWS_NO_MEMORY. */
gws_status gws__graph_allocate(struct gws_runtime *runtime, uint64_t vertices, uint64_t arcs, bool weighted,
                               struct gws_graph **graph);

/* Exclusive prefix sums: each of the counts becomes the sum of those before it. Returns the sum of all. */
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

/* ---- who frees a graph's arrays ----
 *
 * Every graph is made as an empty shell by gws__graph_new(); arrays are then owned (they came from the shell's
 * allocator and go with the graph) or borrowed (only the pointer in struct gws_graph is set). */

enum gws__graph_part { GWS__PART_OFFSET, GWS__PART_TARGET, GWS__PART_WEIGHT, GWS__PART_POSITION, GWS__PART_ID };
enum { GWS__GRAPH_PARTS = GWS__PART_ID + 1 };

struct gws__graph_array {
    void *memory;   /* NULL: this part is borrowed or absent */
    uint64_t count; /* as it was allocated, which may be more than the graph needs */
};

struct gws__graph_owner {
    struct gws_allocator allocator; /* a copy: graphs outlive their runtime */
    struct gws__graph_array owned[GWS__GRAPH_PARTS];
    void (*release)(void *context); /* called last but for the shell itself; may be NULL */
    void *context;
};

/* A directed graph of that many vertices and arcs whose arrays are all NULL. GWS_NO_MEMORY. */
gws_status gws__graph_new(struct gws_runtime *runtime, uint64_t vertices, uint64_t arcs, struct gws_graph **graph);

/* Makes memory (count items of the part's size, from the runtime's allocator) the graph's, pointer included, and lets
 * go what the part held before. NULL memory just lets go. */
void gws__graph_own(struct gws_graph *graph, enum gws__graph_part part, void *memory, uint64_t count);

/* The same for memory that starts_kept_run somebody else's. */
void gws__graph_borrow(struct gws_graph *graph, enum gws__graph_part part, const void *memory);

/* Copies ids, first_id and positions of one graph into another of as many vertices. GWS_NO_MEMORY. */
gws_status gws__graph_copy_names(struct gws_runtime *runtime, const struct gws_graph *from, struct gws_graph *to);

#endif
