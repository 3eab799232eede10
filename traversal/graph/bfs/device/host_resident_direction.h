/* SPDX-License-Identifier: MIT */
/* In which direction a level of a bridged search should run: by the time that either direction's reads would take.
 *
 * Beamer's rule (SC'12, section 5) weighs arcs against arcs, which is right where a row's first word costs as much as
 * the next one. Over a bus it does not: rows read from above come whole, one after the other; from below each unvisited
 * vertex fetches its row piece by piece, each piece when the one before has told nothing. So this counts the pieces
 * that either direction is expected to fetch. Every level is weighed anew, without regard to the one before: frontier
 * and visited vertices are bitmaps either way, so turning costs nothing. */
#ifndef GWS_TRAVERSAL_BFS_BRIDGE_DIRECTION_H
#define GWS_TRAVERSAL_BFS_BRIDGE_DIRECTION_H

#include <stdbool.h>
#include <stdint.h>

/* What reading rows costs one side, in ns, all its items or threads working at once. */
struct gws__bridge_reader {
    double piece;  /* words that are fetched at once */
    double place;  /* a piece at a place of its own, or one that nobody knew before would be needed */
    double next;   /* a piece that follows another in order */
    double word;   /* looking, from below, whether a word that was fetched or at hand leads to the frontier */
    double claim;  /* looking, from above, where a word leads to, and claiming that if nobody has */
    double head;   /* so many words of each row are at hand, for levels from below */
    double absent; /* the part of all words that are not, for levels from above */
};

/* The frontier and the vertices not reached yet, and the arcs that leave them. */
struct gws__bridge_level {
    uint64_t size, arcs, left, left_arcs;
};

/* What it costs the device, then so many threads of its host: measured with an H200 over PCIe and 16 threads. */
void gws__bridge_readers(double head, double absent, uint32_t threads, struct gws__bridge_reader *readers);

/* Expected pieces of rows that are fetched from below: each on its own. */
double gws__bridge_pieces_from_below(const struct gws__bridge_reader *reader, const struct gws__bridge_level *level);

/* Expected ns, if this reader were alone. */
double gws__bridge_from_above(const struct gws__bridge_reader *reader, const struct gws__bridge_level *level);
double gws__bridge_from_below(const struct gws__bridge_reader *reader, const struct gws__bridge_level *level);

/* Whether these readers, who share the level, finish it sooner from below. */
bool gws__bridge_goes_from_below(const struct gws__bridge_reader *readers, uint32_t count,
                                 const struct gws__bridge_level *level);

#endif
