/* SPDX-License-Identifier: MIT */
/* The state of graphws distances. distances.c runs the searches, distances_device.c runs them on a device,
 * distances_sources.c selects their sources, and distances_check.c repeats searches one by one. */
#ifndef TOOLS_GRAPHWS_DISTANCES_H
#define TOOLS_GRAPHWS_DISTANCES_H

#include "algorithm.h"

/* A reached pair has a source and a vertex, which may be the source itself. Arrays by source have `sources` entries. */
struct distances_result {
    double ms, fetch_ms, mean; /* mean: of the distances above 0; NAN if there are none */
    uint64_t sources, reached;
    uint32_t max_distance;
    uint64_t *pairs, capacity; /* pairs[d]: reached pairs at distance d, up to max_distance */
    uint32_t *farthest;        /* the largest distance from each source */
    uint64_t *count, *total;   /* the vertices that each source reaches, and the sum of their distances */
    /* The rows of --out, `reached` of them, by source, then distance, then vertex. NULL: not wanted. */
    uint32_t *row_source, *row_vertex, *row_distance;
};

struct distances_state {
    uint64_t samples, hops; /* 0: all vertices; no limit */
    const char *list;       /* --sources; NULL: not given. Not the first member: see struct algorithm. */
    struct gws_runtime *runtime;
    uint32_t *source;
    uint64_t sources;
    struct distances_result result;
    uint64_t rows;                   /* capacity of the rows */
    struct distances_device *device; /* NULL: threads */
};

/* Makes space for the pairs at this distance. */
gws_status distances_reserve(struct distances_state *of, uint32_t distance);

/* Allocates and fills state->source. */
gws_status distances_choose(struct distances_state *state, const struct algorithm_input *input,
                            struct gws_diagnostic *where);

/* ---- distances_device.c ---- */

/* The caller closes the device, also after an error. */
gws_status distances_device_open(struct distances_state *state, const struct algorithm_input *input,
                                 struct gws_diagnostic *where);
void distances_device_close(struct distances_state *state);

/* Searches from all sources, and adds up the result. The arrays of the result are zero before. */
gws_status distances_device_run(struct distances_state *state, struct gws_diagnostic *where);

/* Searches again, and stores the rows of --out. */
gws_status distances_device_rows(struct distances_state *state, struct gws_diagnostic *where);

/* Repeats serial searches from sources spread over the list, from all if that takes little work, and compares. */
gws_status distances_check(const struct distances_state *state, const struct gws_graph *graph,
                           struct gws_diagnostic *where);

#endif
