/* SPDX-License-Identifier: MIT */
/* A pass over the vertices of one level, and the sum over a part of a row. */
#ifndef GWS_TRAVERSAL_BETWEENNESS_PASS_H
#define GWS_TRAVERSAL_BETWEENNESS_PASS_H

#include "state.h"

struct gws__bc_pass {
    struct gws__bc *bc;
    const struct gws_graph *rows; /* NULL: no arcs count in this pass */
    const struct gws__bc_heavy_rows *heavy;
    bool backward;
    uint32_t level; /* level of the vertices */
    uint32_t want;  /* level of the neighbours whose values the pass adds up */
    uint64_t begin; /* first entry of the level in order[] */
};

/* Returns the pass of a level. */
struct gws__bc_pass gws__bc_pass_of(struct gws__bc *bc, uint32_t level, bool backward);

/* Returns true if the level has divided rows. */
bool gws__bc_pass_is_heavy(const struct gws__bc_pass *pass);

/* Runs the pass for order[pass->begin + begin .. pass->begin + end - 1]. The function skips divided rows. */
void gws__bc_pass_vertices(const struct gws__bc_pass *pass, uint64_t begin, uint64_t end);

/* gws__bc_pass_sum() returns the sum over arcs begin .. end - 1 of vertex. gws__bc_pass_finish() writes the results of
 * a vertex from the sum of its whole row. */
struct gws__bc_sum gws__bc_pass_sum(const struct gws__bc_pass *pass, uint32_t vertex, uint64_t begin, uint64_t end);
void gws__bc_pass_finish(const struct gws__bc_pass *pass, uint32_t vertex, struct gws__bc_sum sum);

/* Returns 2^(-512 * steps), or 0 for powers too small to change a sum of doubles. */
static inline double gws__bc_power(uint32_t steps)
{
    return steps == 0 ? 1 : steps == 1 ? 0x1p-512 : 0;
}

/* Adds two sums of parts of one row. */
static inline struct gws__bc_sum gws__bc_sum_add(struct gws__bc_sum a, struct gws__bc_sum b, bool backward)
{
    if (backward) return (struct gws__bc_sum){a.value + b.value, a.scale};
    struct gws__bc_sum high = a.scale > b.scale ? a : b, low = a.scale > b.scale ? b : a;
    return (struct gws__bc_sum){high.value + low.value * gws__bc_power(high.scale - low.scale), high.scale};
}

#endif
