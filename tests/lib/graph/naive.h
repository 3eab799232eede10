/* SPDX-License-Identifier: MIT */
/* Graphs done the slow and obvious way, to judge the quick ones by: a graph is a sorted list of arcs. */
#ifndef GWS_TESTS_NAIVE_H
#define GWS_TESTS_NAIVE_H

#include "../../harness.h"

#include "../../../lib/graph.h"
#include "../../../lib/parallel.h"
#include "../../../lib/random.h"

struct naive_arc {
    uint32_t from, to;
    int32_t weight;
};

struct naive {
    uint64_t vertices, arcs;
    struct naive_arc *arc; /* sorted by from, to, weight */
    bool weighted;
};

/* What gws_graph_build() should make of these edges. */
struct naive naive_build(const struct gws_edges *edges, const struct gws_build_options *options);

/* The arcs of a graph as a list, in its own order. */
struct naive naive_of(const struct gws_graph *graph);

void naive_sort(struct naive *naive);
void naive_remove_duplicates(struct naive *naive); /* of a sorted list; keeps the least weight */
void naive_clear(struct naive *naive);

/* Fails the test unless the graph is sound and has exactly these arcs, in this order. */
void naive_check(const struct gws_graph *graph, const struct naive *naive);

/* Edges in several blocks, all from malloc. */
struct naive_edges {
    struct gws_edges edges;
    struct gws_edge_block *block;
};

/* count edges among vertices, drawn so that loops, parallel edges and hubs occur; seed names the draw. */
struct naive_edges naive_random_edges(uint64_t vertices, uint64_t count, uint64_t blocks, bool weighted, uint64_t seed);
void naive_edges_clear(struct naive_edges *edges);

/* A runtime of so many threads with the library's own memory. */
struct gws_runtime *naive_runtime(uint32_t threads);

/* A number that depends on every array of the graph. */
uint64_t naive_hash(const struct gws_graph *graph);

/* A random graph built by the library (which test_build.c judges). */
struct gws_graph *naive_random_graph(struct gws_runtime *runtime, uint64_t vertices, uint64_t count, bool weighted,
                                     enum gws_build_kind kind, uint64_t seed);

#endif
