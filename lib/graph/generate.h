/* SPDX-License-Identifier: MIT */
/* The generators. Random numbers are counter-based (lib/random.h), so the same arguments make the same graph with
 * any number of threads. Errors: GWS_SYNTAX, GWS_TOO_LARGE, GWS_NO_MEMORY. */
#ifndef GWS_GRAPH_GENERATE_H
#define GWS_GRAPH_GENERATE_H

#include "../base/description.h"
#include "../graph.h"
#include "../parallel.h"
#include "../random.h"

/* Parses the description after the generator's name, and makes the graph. */
typedef gws_status gws__generator(struct gws_runtime *runtime, struct gws__description *description,
                                  struct gws_graph **graph);

gws__generator gws__generate_kron, gws__generate_uniform, gws__generate_road;

/* A random permutation of 0 .. 2^bits - 1 without memory: rounds of bijective steps on that many bits (add, xor the
 * upper half into the lower, multiply by an odd number), keyed by a seed. */

enum { gws__shuffle_rounds = 4 };

struct gws__shuffle {
    uint64_t mask;
    uint32_t half;
    uint64_t add[gws__shuffle_rounds], factor[gws__shuffle_rounds];
};

/* Returns the permutation for a seed. bits is at most 63. */
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

/* ---- edges by number, for workers and ranks that each draw a part of them ---- */

enum { gws__kron_outcomes = 256 };

/* The parameters of kron: and uniform: (kron.c). */
struct gws__kron {
    uint64_t seed, edge_factor;
    uint32_t scale;
    struct gws__shuffle shuffle;        /* these two: kron: only */
    uint32_t alias[gws__kron_outcomes]; /* see kron.c */
};

/* The parameters of road: (road.c). */
struct gws__road {
    uint64_t width, seed;
};

/* A generated graph as edges to be symmetrised. They come from items 0 .. items - 1, of which each gives at most
 * gws__item_edges edges. */
enum { gws__item_edges = 2 };

struct gws__edge_stream {
    uint64_t vertices, items;
    bool weighted;
    bool simple; /* the graph has neither loops nor duplicates: they are to be removed */
    /* Writes the edges of items begin .. end - 1, and their weights if the stream is weighted (otherwise weight is not
     * read). Returns how many. */
    uint64_t (*draw)(const struct gws__edge_stream *stream, uint64_t begin, uint64_t end, struct gws_edge *edge,
                     int32_t *weight);
    union {
        struct gws__kron kron;
        struct gws__road road;
        uint64_t width;                        /* grid: */
        const struct gws__edge_source *source; /* edges that exist already (lib/hetero/rank_graph_sources.c) */
    } of;
};

/* Makes the undirected graph of a stream whose items are an edge each, without loops and duplicates (drawn.c). Draws
 * all edges windows + 1 times. Memory: 4 bytes for each arc, duplicates included, 6 more for those of a window, about a
 * seventh of a byte for each, and 8 for each vertex. Errors: GWS_NO_MEMORY, GWS_CANCELLED. */
gws_status gws__graph_draw(struct gws_runtime *runtime, const struct gws__edge_stream *stream, uint64_t windows,
                           struct gws_graph **graph);

/* Parses the description after the generator's name. Errors: GWS_SYNTAX, GWS_TOO_LARGE. */
typedef gws_status gws__stream_opener(struct gws__description *description, struct gws__edge_stream *stream);

gws__stream_opener gws__open_kron, gws__open_uniform, gws__open_road;

/* Opens the stream of any generator's description. Errors: also GWS_SYNTAX for an unknown generator. */
gws_status gws__edge_stream_open(const char *description, struct gws__edge_stream *stream,
                                 struct gws_diagnostic *where);

#endif
