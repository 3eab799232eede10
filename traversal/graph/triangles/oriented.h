/* SPDX-License-Identifier: MIT */
/* The oriented graph in which workers count triangles. Ranks number the vertices by descending degree. Each vertex has
 * an arc to each neighbour of lower rank. The oriented graph has no loops and no parallel arcs. */
#ifndef GWS_TRIANGLES_ORIENTED_H
#define GWS_TRIANGLES_ORIENTED_H

#include <stdatomic.h>

#include "../../../lib/parallel.h"
#include "../../triangles.h"

enum {
    gws__triangles_hubs = 1 << 16, /* number of lowest ranks, whose rows may have bitmaps */
    gws__triangles_short = 32,     /* max arcs of a row in a graph whose unchanged rows the workers merge */
    gws__triangles_vector = 8,     /* words of a vector, of which a bitmap has a whole number */
    gws__triangles_vector_bits = 64 * gws__triangles_vector,
};

/* A row that has a bitmap of its targets below 512 * vectors. These targets are also the first `covered` entries of the
 * row. */
struct gws__triangles_hub {
    uint64_t word; /* first word in bits */
    uint32_t vectors, covered;
};

struct gws__oriented {
    struct gws_runtime *runtime;
    const struct gws_graph *graph; /* an undirected graph */
    uint32_t *rank;                /* indexed by vertex of graph */
    uint64_t *offset;              /* vertices + 1 entries, indexed by rank */
    uint32_t *target;              /* ranks, in any order within a row */
    uint32_t hubs;
    struct gws__triangles_hub *hub; /* hubs entries */
    uint64_t *bits, words;
    _Atomic uint64_t wedges; /* number of wedges of the graph */
};

static inline uint64_t gws__oriented_arcs(const struct gws__oriented *oriented)
{
    return oriented->offset[oriented->graph->vertices];
}

/* Fills *oriented, of which the caller has set runtime and graph. The caller must release *oriented, also after a
 * failure. */
gws_status gws__oriented_make(struct gws__oriented *oriented);
void gws__oriented_release(struct gws__oriented *oriented);

/* Counts the triangles of the graph. count (may be NULL) has an entry for each rank, initially 0. */
gws_status gws__oriented_count(const struct gws__oriented *oriented, _Atomic uint64_t *count, uint64_t *triangles);

/* Counts the triangles and wedges of an undirected graph with short rows. count (may be NULL) has an entry for each
 * vertex. Returns false, possibly with a changed count, if a row is too long or the call is cancelled. */
bool gws__triangles_merge(struct gws_runtime *runtime, const struct gws_graph *graph, _Atomic uint64_t *count,
                          uint64_t *triangles, uint64_t *wedges);

#endif
