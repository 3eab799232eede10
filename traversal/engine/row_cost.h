/* SPDX-License-Identifier: MIT */
/* The cost of a level for a worker that reads rows over a bus or from memory, for the direction rule
 * (kernels/engine/direction.h).
 *
 * Beamer's rule compares numbers of arcs. This rule is right if the first word of a row costs as much as the next
 * word. Over a bus the first word costs more. Push reads whole rows, one piece after the other. Pull fetches the row
 * of each unvisited vertex piece by piece, and each piece waits for the result of the previous piece. So this cost
 * model counts the pieces that each direction is expected to fetch. */
#ifndef GWS_TRAVERSAL_ENGINE_ROW_COST_H
#define GWS_TRAVERSAL_ENGINE_ROW_COST_H

#include <stdint.h>

/* The cost of reading rows for one side, in ns, with all its items or threads working at once. */
struct gws__row_cost {
    double piece;  /* words in a piece, which one access fetches */
    double place;  /* reading a piece at a random address, or one that depends on the piece before */
    double next;   /* reading a piece that follows another one in order */
    double word;   /* pull: testing whether a fetched or cached word leads to the frontier */
    double claim;  /* push: testing the vertex that a word leads to, and claiming an unvisited vertex */
    double head;   /* pull: words of each row that are cached */
    double absent; /* push: the uncached part of all words */
};

/* The frontier and the unreached vertices, and their arcs. */
struct gws__row_level {
    uint64_t size, arcs, left, left_arcs;
};

/* Sets cost[0] for the device and cost[1] for `threads` threads of its host. The costs are measurements with an H200
 * over PCIe and 16 threads. */
void gws__row_costs(double head, double absent, uint32_t threads, struct gws__row_cost *cost);

/* Return the expected ns of push and of pull if this side runs alone, and the expected pieces of rows that pull
 * fetches. */
double gws__row_push_ns(const struct gws__row_cost *cost, const struct gws__row_level *level);
double gws__row_pull_ns(const struct gws__row_cost *cost, const struct gws__row_level *level);
double gws__row_pull_pieces(const struct gws__row_cost *cost, const struct gws__row_level *level);

/* Computes the expected ns of push and of pull if these sides share the level. The speeds of the sides add up. */
void gws__row_shared_ns(const struct gws__row_cost *cost, uint32_t count, const struct gws__row_level *level,
                        double *push, double *pull);

#endif
