/* SPDX-License-Identifier: MIT */
/* The cost of a level for a worker that reads rows over a bus or from memory, for the direction rule
 * (kernels/engine/direction.h).
 *
 * Beamer's rule compares numbers of arcs, which is right if a row's first word costs as much as the next one. Over a
 * bus it does not: push reads whole rows, one piece after the other; in pull each unvisited vertex fetches its row
 * piece by piece, and each piece waits for the result of the last one. So this cost model counts the pieces that each
 * direction is expected to fetch. */
#ifndef GWS_TRAVERSAL_ENGINE_ROW_COST_H
#define GWS_TRAVERSAL_ENGINE_ROW_COST_H

#include <stdint.h>

/* The cost of reading rows for one side, in ns, with all its items or threads working at once. */
struct gws__row_cost {
    double piece;  /* words fetched at once */
    double place;  /* a piece at a random place, or one that depends on the piece before */
    double next;   /* a piece that follows another in order */
    double word;   /* pull: testing whether a fetched or cached word leads to the frontier */
    double claim;  /* push: testing the vertex that a word leads to, and claiming it if it is unvisited */
    double head;   /* pull: words of each row that are cached */
    double absent; /* push: the part of all words that is not cached */
};

/* The frontier and the vertices not reached yet, and their arcs. */
struct gws__row_level {
    uint64_t size, arcs, left, left_arcs;
};

/* The cost for the device (cost[0]), and for `threads` threads of its host (cost[1]): measured with an H200 over PCIe
 * and 16 threads. */
void gws__row_costs(double head, double absent, uint32_t threads, struct gws__row_cost *cost);

/* The expected ns of each direction if this side runs alone; and the pieces of rows that pull fetches. */
double gws__row_push_ns(const struct gws__row_cost *cost, const struct gws__row_level *level);
double gws__row_pull_ns(const struct gws__row_cost *cost, const struct gws__row_level *level);
double gws__row_pull_pieces(const struct gws__row_cost *cost, const struct gws__row_level *level);

/* The expected ns of push and of pull if these sides share the level: their speeds add up. */
void gws__row_shared_ns(const struct gws__row_cost *cost, uint32_t count, const struct gws__row_level *level,
                        double *push, double *pull);

#endif
