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

#endif
