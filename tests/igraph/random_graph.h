/* SPDX-License-Identifier: MIT */
/* Small random graphs, built twice from one list of edges: by the library, and by igraph without the adapter. They have
 * loops, parallel edges, isolated vertices, several components and weights of 0. */
#ifndef GWS_TESTS_RANDOM_GRAPH_H
#define GWS_TESTS_RANDOM_GRAPH_H

#include "../harness.h"

#include <igraph.h>
#include <math.h>

#include "../../lib/graph.h"
#include "../../lib/random.h"

enum { random_max_vertices = 30, random_max_edges = 3 * random_max_vertices };

struct random_graph {
    uint64_t seed;
    bool directed;           /* as drawn; graph->directed is false if the graph equals its reverse */
    struct gws_graph *graph; /* with its reverse */
    igraph_t peer;
    igraph_vector_t weights; /* of the edges of peer */
};

struct random_edges {
    uint64_t vertices, count;
    struct gws_edge edge[random_max_edges];
    int32_t weight[random_max_edges];
    float real_weight[random_max_edges]; /* eighths, so that sums are exact */
};

/* The number of graphs that a test compares. */
static inline uint64_t random_rounds(void)
{
    return gws_test_quick() ? 20 : 1000;
}

static inline void random_edges_draw(uint64_t seed, bool loops, struct random_edges *edges)
{
    static const uint8_t sizes[] = {1, 2, 5, 12, random_max_vertices};
    uint64_t state = seed;
    edges->vertices = sizes[gws_random_below(gws_random_next(&state), sizeof sizes)];
    uint32_t vertices = (uint32_t)edges->vertices, draws = gws_random_below(gws_random_next(&state), 3 * vertices);
    edges->count = 0;
    for (uint32_t i = 0; i < draws; i++) {
        struct gws_edge edge = {gws_random_below(gws_random_next(&state), vertices),
                                gws_random_below(gws_random_next(&state), vertices)};
        if (!loops && edge.from == edge.to) continue;
        edges->edge[edges->count] = edge;
        edges->weight[edges->count] = (int32_t)gws_random_below(gws_random_next(&state), 9);
        edges->real_weight[edges->count++] = (float)gws_random_below(gws_random_next(&state), 40) / 8;
    }
}

static inline void random_graph_build(struct gws_runtime *runtime, const struct random_edges *edges, bool real,
                                      struct random_graph *random)
{
    struct gws_build_options options = {.kind = random->directed ? GWS_BUILD_DIRECTED : GWS_BUILD_SYMMETRISE};
    struct gws_edge_block block = {.edge = edges->edge,
                                   .weight = real ? NULL : edges->weight,
                                   .real_weight = real ? edges->real_weight : NULL,
                                   .count = edges->count};
    struct gws_edges list = {.vertices = edges->vertices, .blocks = 1, .block = &block};
    random->graph = NULL;
    ck_assert_int_eq(gws_graph_build(runtime, &list, &options, &random->graph), GWS_OK);
    ck_assert_int_eq(gws_graph_add_reverse(runtime, random->graph), GWS_OK);
}

static inline void random_graph_build_peer(const struct random_edges *edges, bool real, struct random_graph *random)
{
    igraph_vector_int_t ends;
    igraph_vector_int_init(&ends, 0);
    igraph_vector_init(&random->weights, 0);
    for (uint64_t e = 0; e < edges->count; e++) {
        igraph_vector_int_push_back(&ends, edges->edge[e].from);
        igraph_vector_int_push_back(&ends, edges->edge[e].to);
        igraph_vector_push_back(&random->weights, real ? (double)edges->real_weight[e] : edges->weight[e]);
    }
    int vertices = (int)edges->vertices;
    ck_assert_int_eq(igraph_create(&random->peer, &ends, vertices, random->directed), IGRAPH_SUCCESS);
    igraph_vector_int_destroy(&ends);
}

/* Draws a graph. Odd seeds make directed graphs, and every third seed gives real weights. */
static inline struct random_graph random_graph_draw(struct gws_runtime *runtime, uint64_t seed, bool loops)
{
    struct random_graph random = {.seed = seed, .directed = seed % 2};
    struct random_edges edges;
    random_edges_draw(seed, loops, &edges);
    random_graph_build(runtime, &edges, seed % 3 == 0, &random);
    random_graph_build_peer(&edges, seed % 3 == 0, &random);
    return random;
}

static inline void random_graph_destroy(struct random_graph *random)
{
    gws_graph_destroy(random->graph);
    igraph_destroy(&random->peer);
    igraph_vector_destroy(&random->weights);
}

/* Compares two values of a vertex, an edge or the graph. */
static inline void compare(const struct random_graph *random, const char *what, uint64_t i, double ours, double peers)
{
    if (ours == peers || fabs(ours - peers) <= 1e-9 * (1 + fabs(peers))) return;
    ck_abort_msg("seed %llu, %s %llu: igraph %.12g, ours %.12g", (unsigned long long)random->seed, what,
                 (unsigned long long)i, peers, ours);
}

#endif
