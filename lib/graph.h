/* SPDX-License-Identifier: MIT */
/* Graphs in compressed sparse row form (CSR), built from edges, from other graphs or by generators.
 *
 * Vertices are numbered 0 .. vertices - 1 in 32 bits. The graph keeps the input's own vertex ids (numbers, also 1-based
 * or sparse ones, or names) beside the CSR. Every output uses these ids. Graphs are immutable once built. Threads may
 * share them. */
#ifndef GWS_GRAPH_H
#define GWS_GRAPH_H

#include "runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/* No vertex. A graph therefore has at most 2^32 - 1 vertices. */
#define GWS_NO_VERTEX UINT32_MAX

/* Text ids. The name of vertex v is text[offset[v]] .. text[offset[v + 1] - 1], without a terminating 0. A name has 1
 * to GWS_MAX_NAME bytes, none of them 0, line feed or carriage return. No two names are equal. */
struct gws_names {
    const uint64_t *offset; /* vertices + 1 entries, offset[0] = 0 */
    const char *text;       /* offset[vertices] bytes; NULL: ids are numbers */
    const uint32_t *order;  /* the vertices in ascending order of their names' bytes; NULL: that order is 0, 1, 2 ... */
};

enum { GWS_MAX_NAME = 4095 };

/* Read-only to users. Row v is target[offset[v]] .. target[offset[v + 1] - 1], in ascending order. */
struct gws_graph {
    uint64_t vertices;
    uint64_t arcs;            /* entries of target; an undirected edge is two arcs, a self-loop one arc */
    const uint64_t *offset;   /* vertices + 1 entries, offset[0] = 0 */
    const uint32_t *target;   /* arcs entries */
    const int32_t *weight;    /* arcs entries beside target, or NULL */
    const float *real_weight; /* weights that are not integers; NULL if weight is not */
    const double *position;   /* x0, y0, x1, y1 ...: 2 * vertices entries, or NULL */
    const uint64_t *id;       /* the input's id of each vertex, all different, or NULL */
    const uint32_t *id_order; /* the vertices in ascending order of id; NULL: that order is 0, 1, 2 ... */
    uint64_t first_id;        /* if id is NULL, the id of vertex v is first_id + v */
    struct gws_names names;   /* with names, id and id_order are NULL and first_id is 0 */
    bool directed; /* false: every arc has a reverse arc with the same weight, so the graph is its own reverse */
    const struct gws_graph *reverse; /* from gws_graph_add_reverse(); NULL before, and for undirected graphs */
    struct gws__graph_owner *owner;  /* private: owns the arrays */
};

/* Frees the graph and its reverse. NULL is allowed. */
GWS_API void gws_graph_destroy(struct gws_graph *graph);

/* Returns the input's id of a vertex (vertex < vertices). O(1). */
GWS_API uint64_t gws_graph_id(const struct gws_graph *graph, uint32_t vertex);

/* Finds the vertex with this id of the input. Errors: GWS_OUT_OF_RANGE (no such vertex). O(1), or O(log vertices) for
 * sparse ids. */
GWS_API gws_status gws_graph_find(const struct gws_graph *graph, uint64_t id, uint32_t *vertex);

/* Returns the name of a vertex, and its length in bytes in *length. Returns NULL if ids are numbers. O(1). */
GWS_API const char *gws_graph_name(const struct gws_graph *graph, uint32_t vertex, uint64_t *length);

/* Finds the vertex with this name. Errors: GWS_OUT_OF_RANGE (no such vertex). O(log vertices) comparisons. */
GWS_API gws_status gws_graph_find_name(const struct gws_graph *graph, const char *name, uint64_t length,
                                       uint32_t *vertex);

static inline uint64_t gws_graph_degree(const struct gws_graph *graph, uint32_t vertex)
{
    return graph->offset[vertex + (uint64_t)1] - graph->offset[vertex];
}

/* Returns the smallest of the vertices with the most arcs, or GWS_NO_VERTEX in an empty graph. O(vertices) on the
 * calling thread: about 1 ms for 2^20. */
GWS_API uint32_t gws_graph_max_degree_vertex(const struct gws_graph *graph);

/* Returns the first arc in the row of `from` whose target is at least `to`, or the end of the row if there is none.
 * O(log degree). */
static inline uint64_t gws_graph_find_arc(const struct gws_graph *graph, uint32_t from, uint64_t to)
{
    uint64_t low = graph->offset[from], high = graph->offset[from + (uint64_t)1];
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (graph->target[middle] < to)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Returns whether the graph has an arc from `from` to `to`. */
static inline bool gws_graph_has_arc(const struct gws_graph *graph, uint32_t from, uint32_t to)
{
    uint64_t arc = gws_graph_find_arc(graph, from, to);
    return arc < graph->offset[from + (uint64_t)1] && graph->target[arc] == to;
}

/* ---- from edges ---- */

struct gws_edge {
    uint32_t from, to;
};

/* Edges lie in one or several blocks, so parallel producers need not concatenate them. */
struct gws_edge_block {
    const struct gws_edge *edge; /* count entries */
    const int32_t *weight;       /* count entries, or NULL; all blocks have weights or none has */
    const float *real_weight;    /* finite weights that are not integers; NULL if weight is not */
    uint64_t count;
};

struct gws_edges {
    uint64_t vertices; /* every from and to is smaller */
    uint64_t blocks;
    const struct gws_edge_block *block;
};

enum gws_build_kind {
    GWS_BUILD_DIRECTED,   /* each edge is one arc */
    GWS_BUILD_SYMMETRISE, /* each edge is an arc in each direction (a self-loop one arc): an undirected graph */
    GWS_BUILD_SYMMETRIC   /* the edges already contain both directions: an undirected graph; not verified */
};

struct gws_build_options {
    enum gws_build_kind kind;
    bool remove_loops;              /* remove edges from a vertex to itself */
    bool remove_duplicates;         /* of parallel arcs keep the one with the smallest weight */
    void (*on_read)(void *context); /* if not NULL: called when the edges, which the caller keeps, may be freed */
    void *context;                  /* for all. A build that fails may not have called them */
    void (*on_block_read)(void *context, uint64_t block); /* if not NULL: see gws_rank_graph_build() */
    /* Copies edges begin .. end - 1 of a block whose edge is NULL. Several threads may call at once. */
    void (*read)(void *context, uint64_t block, uint64_t begin, uint64_t end, struct gws_edge *edge);
};

/* Builds a graph from edges, which the caller keeps. options may be NULL: directed, no edges removed. The build sorts
 * rows by target, then weight. The result thus does not depend on the number of threads or the order of the edges. A
 * real weight of -0 becomes 0. Errors: GWS_OUT_OF_RANGE (an endpoint not below vertices), GWS_TOO_LARGE (more than 2^32
 * - 1 vertices, or a size that overflows), GWS_INVALID (some blocks with weights, some without; two kinds of weights; a
 * real weight that is infinite or NaN), GWS_NO_MEMORY. Memory: less than twice the CSR (including duplicates that are
 * removed later) during the build, and the edges until on_read. Time: two passes over the edges and a radix sort in
 * cache, about 15 ns an arc on one core. */
GWS_API gws_status gws_graph_build(struct gws_runtime *runtime, const struct gws_edges *edges,
                                   const struct gws_build_options *options, struct gws_graph **graph);

/* Makes a graph from the caller's arrays in CSR form: offset (vertices + 1 entries), target and weight (may be NULL).
 * The caller keeps the arrays, which must outlive the graph (see gws_graph_on_destroy()). If trusted is false, the call
 * checks the rows like gws_graph_check_rows(). If it is true, the call costs O(1) and reads only offset[vertices].
 * Errors: GWS_OUT_OF_RANGE, GWS_INVALID (descending offsets, unsorted rows), GWS_TOO_LARGE, GWS_NO_MEMORY. */
GWS_API gws_status gws_graph_wrap(struct gws_runtime *runtime, uint64_t vertices, const uint64_t *offset,
                                  const uint32_t *target, const int32_t *weight, bool directed, bool trusted,
                                  struct gws_graph **graph);

/* Like gws_graph_wrap(), but with real weights, which must be finite. */
GWS_API gws_status gws_graph_wrap_real(struct gws_runtime *runtime, uint64_t vertices, const uint64_t *offset,
                                       const uint32_t *target, const float *real_weight, bool directed, bool trusted,
                                       struct gws_graph **graph);

/* Checks the rows of a graph: offset[0] = 0, offsets never descend, offset[vertices] = arcs, targets are below
 * vertices, rows ascend, real weights are finite. Errors: GWS_INVALID, GWS_OUT_OF_RANGE. where->message (where may be
 * NULL) names the first vertex with an invalid row. The check runs in parallel at memory speed, O(vertices + arcs). It
 * does not verify that an undirected graph has all reverse arcs. */
GWS_API gws_status gws_graph_check_rows(struct gws_runtime *runtime, const struct gws_graph *graph,
                                        struct gws_diagnostic *where);

/* ---- ids, names, positions and ownership, for producers of graphs ---- */

/* Sets the ids (vertices entries, strictly ascending) or the positions (2 * vertices entries) of a new graph.
 * Adopted arrays come from gws_allocate() of the runtime that made the graph. The graph owns them from then on. The
 * caller keeps borrowed arrays, which must outlive the graph. The graph releases its previous ids or positions. Ids
 * that do not ascend, but are all different, also need their order (vertices entries, see struct gws_graph), which the
 * caller sets after the ids. */
GWS_API void gws_graph_adopt_ids(struct gws_graph *graph, uint64_t *id);
GWS_API void gws_graph_adopt_id_order(struct gws_graph *graph, uint32_t *order);
GWS_API void gws_graph_adopt_positions(struct gws_graph *graph, double *position);
GWS_API void gws_graph_borrow_ids(struct gws_graph *graph, const uint64_t *id);
GWS_API void gws_graph_borrow_id_order(struct gws_graph *graph, const uint32_t *order);
GWS_API void gws_graph_borrow_positions(struct gws_graph *graph, const double *position);

/* Set the names of a new graph, which replace ids: offset of vertices + 1 entries, text of offset[vertices] bytes, and
 * order of vertices entries or NULL. Three NULL pointers (names = {0}) remove the names. The functions do not verify
 * the names. */
GWS_API void gws_graph_adopt_names(struct gws_graph *graph, uint64_t *offset, char *text, uint32_t *order);
GWS_API void gws_graph_borrow_names(struct gws_graph *graph, const struct gws_names *names);

/* Sets the id of each vertex v to first_id + v. The graph releases its previous ids. */
GWS_API void gws_graph_set_first_id(struct gws_graph *graph, uint64_t first_id);

/* Registers release(context), which gws_graph_destroy() calls once after freeing the graph's own arrays, for example to
 * unmap borrowed memory. A second call replaces the first. */
GWS_API void gws_graph_on_destroy(struct gws_graph *graph, void (*release)(void *context), void *context);

/* ---- from graphs ---- */

/* Makes graph->reverse (all arcs reversed), which bottom-up steps on a directed graph need. The call has no effect on
 * an undirected graph, or if the reverse exists. If the reverse equals the graph, the call marks the graph as
 * undirected instead and frees the reverse. Errors: GWS_NO_MEMORY. */
GWS_API gws_status gws_graph_add_reverse(struct gws_runtime *runtime, struct gws_graph *graph);

/* Makes a graph with the same vertices, ids, names and positions. Every arc of the new graph has a reverse arc, and no
 * arcs are parallel. */
GWS_API gws_status gws_graph_symmetrise(struct gws_runtime *runtime, const struct gws_graph *graph,
                                        struct gws_graph **result);

/* Replaces *graph by a simplified graph with the same ids and positions, and destroys the old one. loops: removes
 * self-loops. duplicates: of parallel arcs, keeps only the one of smallest weight. The call has no effect if there are
 * no such arcs. On failure *graph is unchanged. Time: two parallel passes over the arcs. Errors: GWS_NO_MEMORY. */
GWS_API gws_status gws_graph_simplify(struct gws_runtime *runtime, bool loops, bool duplicates,
                                      struct gws_graph **graph);

/* Makes a graph in which vertex v has the number new_of_old[v]. The value GWS_NO_VERTEX removes v and its arcs. The new
 * numbers must be 0 .. remaining - 1, each once (otherwise GWS_INVALID). Vertices keep their ids or names. Ids that no
 * longer ascend take 12 bytes a vertex. gws_graph_set_first_id() replaces them by new ones. Errors: GWS_NO_MEMORY. */
GWS_API gws_status gws_graph_relabel(struct gws_runtime *runtime, const struct gws_graph *graph,
                                     const uint32_t *new_of_old, uint64_t remaining, struct gws_graph **result);

enum gws_order {
    GWS_ORDER_DEGREE,   /* by descending degree, ties by vertex */
    GWS_ORDER_RANDOM,   /* a random permutation from the seed */
    GWS_ORDER_LOCALITY, /* neighbours get numbers near each other: the order that gws_graph_choose_order() returns */
    GWS_ORDER_HILBERT,  /* along a Hilbert curve through the positions; ties by vertex */
    GWS_ORDER_RCM       /* reverse Cuthill-McKee order: by levels of a search from the end of each component, so no arc
                           leads far. It takes arcs in both directions */
};

/* Fills new_of_old (the caller's, vertices entries) with a permutation for gws_graph_relabel(). The same graph and seed
 * give the same permutation with any number of threads. Errors: GWS_INVALID (another value of order, or
 * GWS_ORDER_HILBERT without positions), GWS_NO_MEMORY, GWS_CANCELLED.
 * GWS_ORDER_HILBERT takes 24 bytes a vertex and O(vertices) time. GWS_ORDER_RCM takes 5 bytes a vertex, and for a
 * directed graph without graph->reverse also a reverse without weights. Its at most 8 searches of each component run on
 * the caller. Their time is O(arcs log max_degree). */
GWS_API gws_status gws_graph_order(struct gws_runtime *runtime, const struct gws_graph *graph, enum gws_order order,
                                   uint64_t seed, uint32_t *new_of_old);

/* Returns the order that makes traversals of the graph fast: GWS_ORDER_HILBERT if the graph has positions. Otherwise
 * GWS_ORDER_DEGREE if vertices of more than 8 times the mean out-degree have over a quarter of the arcs, since the hubs
 * then share few cache lines. Otherwise GWS_ORDER_RCM. O(vertices). */
GWS_API enum gws_order gws_graph_choose_order(const struct gws_graph *graph);

/* The gap of an arc from u to v is |u - v|. Small gaps mean that a traversal finds what it needs in few cache lines. */
struct gws_graph_gaps {
    uint64_t max;     /* the bandwidth of the adjacency matrix */
    uint64_t median;  /* the smallest value that at least half of the gaps do not exceed */
    double mean;      /* the mean gap, which few long arcs can determine */
    double mean_bits; /* the mean number of bits of a gap: 0 for a loop, 1 for 1, 2 for 2 and 3, 3 for 4 to 7 ... */
};

/* Measures the gaps of all arcs in four parallel passes. A graph without arcs has only zeros. Memory: 16 KiB for each
 * worker. Errors: GWS_NO_MEMORY, GWS_CANCELLED. */
GWS_API gws_status gws_graph_gaps(struct gws_runtime *runtime, const struct gws_graph *graph,
                                  struct gws_graph_gaps *gaps);

/* Finds the weakly connected components. Sets component[v] (the caller's, vertices entries) to the smallest vertex of
 * v's component. *count (may be NULL) receives the number of components. The algorithm is a parallel Afforest (Sutton,
 * Ben-Nun, Barak, IPDPS 2018). Time: O(arcs), and usually two arcs a vertex if undirected. No memory. */
GWS_API gws_status gws_graph_components(struct gws_runtime *runtime, const struct gws_graph *graph, uint32_t *component,
                                        uint64_t *count);

/* Makes a graph of the largest weakly connected component. The vertices keep their order and their ids. */
GWS_API gws_status gws_graph_largest_component(struct gws_runtime *runtime, const struct gws_graph *graph,
                                               struct gws_graph **result);

struct gws_graph_summary {
    uint64_t min_degree, max_degree;
    uint64_t isolated;      /* vertices without arcs, outgoing or incoming */
    uint64_t median_degree; /* the smallest value that at least half of the degrees do not exceed */
    double mean_degree;
    uint32_t max_degree_vertex; /* the smallest vertex of max_degree; GWS_NO_VERTEX in an empty graph */
    uint64_t loops;             /* self-loops */
    uint64_t duplicates;        /* arcs equal to the previous arc of the row */
};

/* Counts out-degrees, isolated vertices, self-loops and duplicates in one parallel pass over the graph. A directed
 * graph takes two passes and one bit per vertex. Errors: GWS_NO_MEMORY. */
GWS_API gws_status gws_graph_summarise(struct gws_runtime *runtime, const struct gws_graph *graph,
                                       struct gws_graph_summary *summary);

/* ---- generators ---- */

/* Returns whether name begins with a generator: "kron:", "uniform:", "grid:", "road:". */
GWS_API bool gws_graph_is_generator(const char *name);

/* Makes a graph from a description:
 *   kron:SCALE[:EDGEFACTOR[:SEED]]     2^SCALE vertices, Graph500's A=0.57 B=0.19 C=0.19, shuffled ids; undirected,
 *   uniform:SCALE[:EDGEFACTOR[:SEED]]  both ends of each edge uniform; undirected; 16 edges a vertex by default;
 *                                      loops and duplicates are removed, as in Graph500 and gapbs
 *   grid:WxH                           the W x H lattice, vertex y * W + x, with positions
 *   road:N[:SEED]                      planar, connected, mean degree 2.65, long shortest paths; positions, weights
 * SEED is 1 by default. The same description makes the same graph with any number of threads. On an error
 * where->file is the description and where->column (line 1) points at the invalid character. Errors: GWS_SYNTAX,
 * GWS_TOO_LARGE (SCALE above 31, more than 2^32 - 1 vertices), GWS_NO_MEMORY. */
GWS_API gws_status gws_graph_generate(struct gws_runtime *runtime, const char *description, struct gws_graph **graph,
                                      struct gws_diagnostic *where);

/* Gives every arc an integer weight from min .. max (0 <= min <= max), drawn by the seed and the arc's two ends. Both
 * arcs of an edge, and parallel arcs, thus have the same weight. The call replaces the weights of the graph and of
 * graph->reverse. On failure the graph is unchanged. Errors: GWS_INVALID (min, max), GWS_NO_MEMORY. */
GWS_API gws_status gws_graph_draw_weights(struct gws_runtime *runtime, struct gws_graph *graph, int32_t min,
                                          int32_t max, uint64_t seed);

#ifdef __cplusplus
}
#endif
#endif
