/* SPDX-License-Identifier: MIT */
/* The generators, once their descriptions are read. Each draws by number (lib/random.h), so the same arguments make the
 * same graph on any number of threads. GWS_TOO_LARGE, GWS_NO_MEMORY. */
#ifndef GWS_GRAPH_GENERATE_H
#define GWS_GRAPH_GENERATE_H

#include "../graph.h"
#include "../parallel.h"
#include "../random.h"

/* scale is at most 31. */
gws_status gws__generate_kron(struct gws_runtime *runtime, uint32_t scale, uint64_t edge_factor, uint64_t seed,
                              struct gws_graph **graph);
gws_status gws__generate_uniform(struct gws_runtime *runtime, uint32_t scale, uint64_t edge_factor, uint64_t seed,
                                 struct gws_graph **graph);

/* width and height are at least 1. */
gws_status gws__generate_grid(struct gws_runtime *runtime, uint64_t width, uint64_t height, struct gws_graph **graph);

/* 1 <= vertices <= 2^32 - 1. */
gws_status gws__generate_road(struct gws_runtime *runtime, uint64_t vertices, uint64_t seed, struct gws_graph **graph);

/* What kron and uniform share: makes `count` edges with draw (a loop body whose context is a struct
 * gws__edge_maker or starts with one), then the undirected graph of them without loops and duplicates. */
struct gws__edge_maker {
    struct gws_edge *edge;
    uint64_t seed;
    uint32_t scale;
};

gws_status gws__generate_edges(struct gws_runtime *runtime, uint32_t scale, uint64_t edge_factor, gws_body *draw,
                               struct gws__edge_maker *maker, struct gws_graph **graph);

/* A random permutation of 0 .. 2^bits - 1 without memory: rounds of steps that are each a bijection of that many bits
 * (add, fold the upper half into the lower, multiply by an odd number), keyed by a seed. */

enum { gws__shuffle_rounds = 4 };

struct gws__shuffle {
    uint64_t mask;
    uint32_t half;
    uint64_t add[gws__shuffle_rounds], factor[gws__shuffle_rounds];
};

/* bits is at most 63. */
static inline struct gws__shuffle gws__shuffle_of(uint32_t bits, uint64_t seed)
{
    struct gws__shuffle shuffle = {.mask = (UINT64_C(1) << bits) - 1, .half = (bits + 1) / 2};
    for (uint32_t round = 0; round < gws__shuffle_rounds; ++round) {
        shuffle.add[round] = gws_random_at(seed, 2 * (uint64_t)round);
        shuffle.factor[round] = gws_random_at(seed, 2 * (uint64_t)round + 1) | 1;
    }
    return shuffle;
}

static inline uint64_t gws__shuffle_at(const struct gws__shuffle *shuffle, uint64_t x)
{
    for (uint32_t round = 0; round < gws__shuffle_rounds; ++round) {
        x = ((x + shuffle->add[round]) * shuffle->factor[round]) & shuffle->mask;
        x ^= x >> shuffle->half;
    }
    return x;
}

#endif
