/* SPDX-License-Identifier: MIT */
/* Slow and simple graph operations, as the reference for the library's. A graph is a sorted list of arcs. */
#ifndef GWS_TESTS_NAIVE_H
#define GWS_TESTS_NAIVE_H

#include "../../harness.h"

#include "../../../lib/graph.h"
#include "../../../lib/parallel.h"
#include "../../../lib/random.h"

struct naive_arc {
    uint32_t from, to;
    double weight; /* a double represents both kinds of weights exactly */
};

enum naive_weights { NAIVE_NO_WEIGHTS, NAIVE_INTEGERS, NAIVE_REALS };

struct naive {
    uint64_t vertices, arcs;
    struct naive_arc *arc; /* sorted by from, to, weight */
    enum naive_weights weights;
};

/* Returns combination i of the build options, 0 .. 11. */
struct gws_build_options naive_build_options(int i);

/* Returns the expected result of gws_graph_build() for these edges. */
struct naive naive_build(const struct gws_edges *edges, const struct gws_build_options *options);

/* Returns the arcs of a graph as a list, in the graph's order. */
struct naive naive_of(const struct gws_graph *graph);

void naive_sort(struct naive *naive);
void naive_remove_duplicates(
    struct naive *naive); /* Removes parallel arcs from a sorted list, and keeps the smallest weight. */
void naive_clear(struct naive *naive);

/* Fails the test unless the graph is valid and has exactly these arcs in this order. */
void naive_check(const struct gws_graph *graph, const struct naive *naive);

/* Edges in several blocks. All memory is from malloc(). */
struct naive_edges {
    struct gws_edges edges;
    struct gws_edge_block *block;
};

/* Draws count edges among vertices, including loops, parallel edges and hubs. */
struct naive_edges naive_random_edges(uint64_t vertices, uint64_t count, uint64_t blocks, enum naive_weights weights,
                                      uint64_t seed);
void naive_edges_clear(struct naive_edges *edges);

/* Opens a runtime with that many threads and the library's own allocator. */
struct gws_runtime *naive_runtime(uint32_t threads);

/* Returns a hash of all arrays of the graph. */
uint64_t naive_hash(const struct gws_graph *graph);

/* Makes a random graph by the library's builder, which test_build.c tests. */
struct gws_graph *naive_random_graph(struct gws_runtime *runtime, uint64_t vertices, uint64_t count,
                                     enum naive_weights weights, enum gws_build_kind kind, uint64_t seed);

/* Makes a graph from a description by gws_graph_generate(), with that many threads, and checks that it is valid. */
struct gws_graph *naive_generate(const char *description, uint32_t threads);

/* Returns the order of a graph as an array of malloc(), after a check that it is a permutation. */
uint32_t *naive_order(struct gws_runtime *runtime, const struct gws_graph *graph, enum gws_order order);

/* Make the graph with its vertices in that order, and a generated graph with its vertices in random order. */
struct gws_graph *naive_relabelled(struct gws_runtime *runtime, const struct gws_graph *graph, enum gws_order order);
struct gws_graph *naive_shuffled(struct gws_runtime *runtime, const char *description);

/* Returns the library's statistics of gaps, which test_gaps.c tests. */
struct gws_graph_gaps naive_gaps(struct gws_runtime *runtime, const struct gws_graph *graph);

/* Returns true if the vertices are neighbours in a lattice of that width. */
bool naive_are_neighbours(uint64_t width, uint64_t a, uint64_t b);

#endif
