/* SPDX-License-Identifier: MIT */
/* What a level costs a worker that reads rows over a bus or from memory, for the direction rule
 * (kernels/engine/direction.h).
 *
 * Beamer's rule weighs arcs against arcs, which is right where a row's first word costs as much as the next one. Over a
 * bus it does not: push reads whole rows, one piece after the other; in pull each unvisited vertex fetches its row
 * piece by piece, each when the one before has told nothing. So this counts the pieces that either direction is
 * expected to fetch. */
#ifndef GWS_TRAVERSAL_ENGINE_ROW_COST_H
#define GWS_TRAVERSAL_ENGINE_ROW_COST_H

#include <stdint.h>

/* What reading rows costs one side, in ns, all its items or threads working at once. */
struct gws__row_cost {
    double piece;  /* words that are fetched at once */
    double place;  /* a piece at a place of its own, or one that nobody knew before would be needed */
    double next;   /* a piece that follows another in order */
    double word;   /* pull: looking whether a word that was fetched or at hand leads to the frontier */
    double claim;  /* push: looking where a word leads to, and claiming that if nobody has */
    double head;   /* pull: so many words of each row are at hand */
    double absent; /* push: the part of all words that are not */
};

/* The frontier and the vertices not reached yet, and the arcs that leave them. */
struct gws__row_level {
    uint64_t size, arcs, left, left_arcs;
};

/* What it costs the device, then so many threads of its host: measured with an H200 over PCIe and 16 threads. */
void gws__row_costs(double head, double absent, uint32_t threads, struct gws__row_cost *cost);

/* Expected ns of either direction, if this side were alone; and pieces of rows that pull fetches. */
double gws__row_push_ns(const struct gws__row_cost *cost, const struct gws__row_level *level);
double gws__row_pull_ns(const struct gws__row_cost *cost, const struct gws__row_level *level);
double gws__row_pull_pieces(const struct gws__row_cost *cost, const struct gws__row_level *level);

/* Expected ns of push and of pull where these sides share the level: their speeds add up. */
void gws__row_shared_ns(const struct gws__row_cost *cost, uint32_t count, const struct gws__row_level *level,
                        double *push, double *pull);

#endif
