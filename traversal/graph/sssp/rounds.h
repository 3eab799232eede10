/* SPDX-License-Identifier: MIT */
/* Rounds of a search for shortest paths, which searches on one process and among ranks have in common. */
#ifndef GWS_TRAVERSAL_SSSP_ROUNDS_H
#define GWS_TRAVERSAL_SSSP_ROUNDS_H

#include "state.h"

/* The faults that workers have found since the search began. */
struct gws__sssp_faults {
    bool no_memory, bad_weight, too_far;
    bool cancelled; /* the call was cancelled */
};

struct gws__sssp_faults gws__sssp_faults_of(const struct sssp *search);

/* Returns the lowest bucket that has entries, or UINT64_MAX. */
uint64_t gws__sssp_lowest_bucket(const struct sssp *search);

/* Processes the entries of the buckets base .. base + fused - 1. Errors: GWS_NO_MEMORY, GWS_CANCELLED. */
gws_status gws__sssp_round(struct sssp *search);

/* Returns the number of arcs that the workers have relaxed. */
uint64_t gws__sssp_arcs(const struct sssp *search);

/* Adds buckets to rounds that are too small for the workers, and removes buckets from large rounds, because small
 * rounds repeat less work. arcs: of all rounds so far. */
void gws__sssp_adapt(struct sssp *search, uint64_t arcs, uint64_t workers);

/* Runs an auxiliary loop. */
gws_status gws__sssp_uncounted(struct sssp *search, uint64_t count, gws_body *body);

#endif
