/* SPDX-License-Identifier: MIT */
/* Graphs in compressed sparse row form (CSR), and what makes them: edges, other graphs, generators.
 *
 * Vertices are numbered 0 .. vertices - 1 in 32 bits; an input's own names for them (1-based, sparse) are kept beside
 * the CSR and come back in every output. Graphs are immutable once built and may be shared between threads. */
#ifndef GWS_GRAPH_H
#define GWS_GRAPH_H

#include "runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/* No vertex; so a graph has at most 2^32 - 1 of them. */
#define GWS_NO_VERTEX UINT32_MAX

/* Read-only to users. Row v is target[offset[v]] .. target[offset[v + 1] - 1], in ascending order. */
struct gws_graph {
    uint64_t vertices;
    uint64_t arcs;          /* entries of target; an undirected edge is two arcs, a self-loop one */
    const uint64_t *offset; /* vertices + 1 entries, offset[0] = 0 */
    const uint32_t *target; /* arcs entries */
    const int32_t *weight;  /* arcs entries beside target, or NULL */
    const double *position; /* x0, y0, x1, y1 ...: 2 * vertices entries, or NULL */
    const uint64_t *id;     /* the input's own name of each vertex, strictly ascending, or NULL: */
    uint64_t first_id;      /* then vertex v is called first_id + v */
    bool directed;          /* false: every arc has its twin (with the same weight), so the graph is its own reverse */
    const struct gws_graph *reverse; /* set by gws_graph_add_reverse(); NULL until then, also when undirected */
    struct gws__graph_owner *owner;  /* private: who frees the arrays */
};

/* Frees the graph and its reverse; NULL is allowed. */
GWS_API void gws_graph_destroy(struct gws_graph *graph);

/* The input's own name of vertex v (v < vertices); O(1). */
GWS_API uint64_t gws_graph_id(const struct gws_graph *graph, uint32_t vertex);

/* The vertex that the input calls id; GWS_OUT_OF_RANGE when there is none. O(1), or O(log vertices) for sparse ids. */
GWS_API gws_status gws_graph_find(const struct gws_graph *graph, uint64_t id, uint32_t *vertex);

static inline uint64_t gws_graph_degree(const struct gws_graph *graph, uint32_t vertex)
{
    return graph->offset[vertex + (uint64_t)1] - graph->offset[vertex];
}

/* ---- from edges ---- */

struct gws_edge {
    uint32_t from, to;
};

/* Edges lie in one or several blocks, so that parallel producers need not copy them together. */
struct gws_edge_block {
    const struct gws_edge *edge; /* count entries */
    const int32_t *weight;       /* count entries, or NULL; all blocks have it or none */
    uint64_t count;
};

struct gws_edges {
    uint64_t vertices; /* every from and to is below this */
    uint64_t blocks;
    const struct gws_edge_block *block;
};

enum gws_build_kind {
    GWS_BUILD_DIRECTED,   /* each edge is one arc */
    GWS_BUILD_SYMMETRISE, /* each edge is an arc each way (a self-loop one): an undirected graph */
    GWS_BUILD_SYMMETRIC   /* the edges already hold both ways: an undirected graph, taken at its word */
};

struct gws_build_options {
    enum gws_build_kind kind;
    bool remove_loops;      /* drop edges from a vertex to itself */
    bool remove_duplicates; /* of parallel arcs keep the one of least weight */
};

/* Builds a graph from edges, which stay the caller's. options may be NULL: directed, everything kept. Rows come out
 * sorted by target, then weight: the result does not depend on the number of threads or the order of the edges.
 * Errors: GWS_OUT_OF_RANGE (an endpoint not below vertices), GWS_TOO_LARGE (more than 2^32 - 1 vertices, or a size
 * that overflows), GWS_INVALID (some blocks with weights, some without), GWS_NO_MEMORY.
 * Memory: less than twice the CSR (with the duplicates, if they are to go) while it runs. Time: two passes over the
 * edges and a radix sort in cache, about 15 ns an arc on one core. */
GWS_API gws_status gws_graph_build(struct gws_runtime *runtime, const struct gws_edges *edges,
                                   const struct gws_build_options *options, struct gws_graph **graph);

/* Wraps arrays that the caller already has in CSR form: offset (vertices + 1 entries), target and weight (may be NULL).
 * The arrays stay the caller's and must outlive the graph (see gws_graph_on_destroy()). Unless they are trusted, the
 * rows are checked as gws_graph_check_rows() does; trusted costs O(1) and reads only offset[vertices].
 * Errors: GWS_OUT_OF_RANGE, GWS_INVALID (offsets that fall, rows out of order), GWS_TOO_LARGE, GWS_NO_MEMORY. */
GWS_API gws_status gws_graph_wrap(struct gws_runtime *runtime, uint64_t vertices, const uint64_t *offset,
                                  const uint32_t *target, const int32_t *weight, bool directed, bool trusted,
                                  struct gws_graph **graph);

/* Checks that a graph is sound: offset[0] = 0, offsets never fall, offset[vertices] = arcs, targets below vertices,
 * rows ascending. Errors: GWS_INVALID, GWS_OUT_OF_RANGE; where->message (where may be NULL) names the first vertex
 * whose row is wrong. In parallel, O(vertices + arcs), at the speed of memory. Twins of an undirected graph are taken
 * at its word. */
GWS_API gws_status gws_graph_check_rows(struct gws_runtime *runtime, const struct gws_graph *graph,
                                        struct gws_where *where);

/* ---- what else belongs to a graph: for whoever makes one ---- */

/* Gives a new graph its ids (vertices entries, strictly ascending) or its positions (2 * vertices entries). Adopted
 * arrays come from gws_allocate() of the runtime that made the graph and are the graph's from here on; borrowed ones
 * stay the caller's and must outlive it. What the graph had before is let go. */
GWS_API void gws_graph_adopt_ids(struct gws_graph *graph, uint64_t *id);
GWS_API void gws_graph_adopt_positions(struct gws_graph *graph, double *position);
GWS_API void gws_graph_borrow_ids(struct gws_graph *graph, const uint64_t *id);
GWS_API void gws_graph_borrow_positions(struct gws_graph *graph, const double *position);

/* Vertex v is called first_id + v from here on; ids that the graph had are let go. */
GWS_API void gws_graph_set_first_id(struct gws_graph *graph, uint64_t first_id);

/* Has release(context) called once, when the graph is destroyed and its own arrays are gone: to unmap borrowed memory.
 * A second call takes the first one's place. */
GWS_API void gws_graph_on_destroy(struct gws_graph *graph, void (*release)(void *context), void *context);

/* ---- from graphs ---- */

/* Makes graph->reverse (each arc turned round), which bottom-up steps on a directed graph need. Does nothing on an
 * undirected graph or when it is there. If the reverse equals the graph, the graph is marked undirected instead and
 * nothing is kept. Errors: GWS_NO_MEMORY. */
GWS_API gws_status gws_graph_add_reverse(struct gws_runtime *runtime, struct gws_graph *graph);

/* A new graph of the same vertices in which every arc has its twin, without parallel arcs; ids and positions are kept.
 */
GWS_API gws_status gws_graph_symmetrise(struct gws_runtime *runtime, const struct gws_graph *graph,
                                        struct gws_graph **result);

/* Puts in *graph's place (and destroys that) the same graph without self-loops, if asked, and with one of each run of
 * parallel arcs, the one of least weight, if asked; ids and positions are kept. Nothing is done when there are none. On
 * failure *graph stays. In parallel, two passes over the arcs. Errors: GWS_NO_MEMORY. */
GWS_API gws_status gws_graph_simplify(struct gws_runtime *runtime, bool loops, bool duplicates,
                                      struct gws_graph **graph);

/* A new graph in which vertex v is called new_of_old[v], and vertices with GWS_NO_VERTEX there are dropped with their
 * arcs. The numbers given must be 0 .. kept - 1, each once (GWS_INVALID otherwise). Ids follow their vertices; since
 * ids are ascending, result->id is dropped (ids are then 0 ..) when the new order breaks that. */
GWS_API gws_status gws_graph_relabel(struct gws_runtime *runtime, const struct gws_graph *graph,
                                     const uint32_t *new_of_old, uint64_t kept, struct gws_graph **result);

enum gws_order {
    GWS_ORDER_DEGREE, /* by falling degree, ties by vertex */
    GWS_ORDER_RANDOM  /* a random permutation of the seed */
};

/* Fills new_of_old (vertices entries, the caller's) with a permutation for gws_graph_relabel(). */
GWS_API gws_status gws_graph_order(struct gws_runtime *runtime, const struct gws_graph *graph, enum gws_order order,
                                   uint64_t seed, uint32_t *new_of_old);

/* Weakly connected components: component[v] (vertices entries, the caller's) becomes the smallest vertex in v's.
 * count (may be NULL) receives how many there are. Parallel union-find; O(arcs), 8 bytes a vertex. */
GWS_API gws_status gws_graph_components(struct gws_runtime *runtime, const struct gws_graph *graph, uint32_t *component,
                                        uint64_t *count);

/* The largest weakly connected component as a graph of its own, in the old order, with the old ids. */
GWS_API gws_status gws_graph_largest_component(struct gws_runtime *runtime, const struct gws_graph *graph,
                                               struct gws_graph **result);

struct gws_graph_summary {
    uint64_t min_degree, max_degree, isolated;
    uint64_t median_degree; /* the smallest that at least half of the vertices do not exceed */
    double mean_degree;
    uint32_t max_degree_vertex; /* the smallest vertex of max_degree; GWS_NO_VERTEX in an empty graph */
    uint64_t loops;             /* self-loops */
    uint64_t duplicates;        /* arcs equal to their left neighbour in the row */
};

/* Out-degrees and oddities of a graph in one parallel pass. */
GWS_API gws_status gws_graph_summarise(struct gws_runtime *runtime, const struct gws_graph *graph,
                                       struct gws_graph_summary *summary);

/* ---- generators ---- */

/* True if name starts like a generator: "kron:", "uniform:", "grid:", "road:". */
GWS_API bool gws_graph_is_generator(const char *name);

/* Makes a graph from its description:
 *   kron:SCALE[:EDGEFACTOR[:SEED]]     2^SCALE vertices, Graph500's A=0.57 B=0.19 C=0.19, shuffled ids; undirected,
 *   uniform:SCALE[:EDGEFACTOR[:SEED]]  both ends of each edge uniform; undirected; 16 edges a vertex by default;
 *                                      loops and duplicates are removed, as Graph500 and gapbs do
 *   grid:WxH                           the W x H lattice, vertex y * W + x, with positions
 *   road:N[:SEED]                      planar, connected, mean degree 2.65, long shortest paths; positions, weights
 * SEED is 1 by default. Same description, same graph, whatever the number of threads. On an error where->file is the
 * description and where->column (line 1) points at the bad character. Errors: GWS_SYNTAX, GWS_TOO_LARGE (SCALE above
 * 31, more than 2^32 - 1 vertices), GWS_NO_MEMORY. */
GWS_API gws_status gws_graph_generate(struct gws_runtime *runtime, const char *description, struct gws_graph **graph,
                                      struct gws_where *where);

#ifdef __cplusplus
}
#endif
#endif
