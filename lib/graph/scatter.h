/* SPDX-License-Identifier: MIT */
/* The first half of the CSR build: arcs, from anywhere, into buckets of neighbouring vertices.
 *
 * A bucket is 2^shift vertices, so that its arcs can be sorted in cache. The feed is cut into pieces. Pieces count
 * their arcs for each bucket; sums of the counts give each piece a place of its own in each bucket, so that the second
 * read writes without an atomic operation. An arc is written as its target, its weight, and the low `shift` bits of its
 * source: 2 bytes, which is all that is needed beside the final arrays. */
#ifndef GWS_GRAPH_SCATTER_H
#define GWS_GRAPH_SCATTER_H

#include <stdatomic.h>

#include "feed.h"

struct gws__scatter {
    struct gws_runtime *runtime;
    const struct gws__feed *feed;
    bool both; /* each edge is an arc each way */
    bool drop_loops;
    uint32_t shift;   /* at most 16 */
    uint64_t buckets; /* 0 only without vertices */
    uint64_t pieces;
    uint64_t *place; /* [piece * buckets + bucket]: arcs counted, then where the piece's next one goes */
    uint64_t *start; /* buckets + 1 entries: where each bucket begins */
    uint64_t arcs;   /* start[buckets] */
    atomic_bool out_of_range;

    uint32_t *target; /* these three are the caller's: arcs entries each; weight NULL if the feed has none */
    int32_t *weight;
    uint16_t *low;
};

/* Plans buckets and pieces, and counts. Fills all but the caller's arrays. GWS_OUT_OF_RANGE, GWS_NO_MEMORY; to be
 * cleared in any case. */
gws_status gws__scatter_count(struct gws__scatter *scatter);

/* Fills the caller's arrays. */
void gws__scatter_move(struct gws__scatter *scatter);

void gws__scatter_clear(struct gws__scatter *scatter);

#endif
