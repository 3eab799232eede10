/* SPDX-License-Identifier: MIT */
/* The state of betweenness centrality on a device, and its memory. */
#ifndef GWS_TRAVERSAL_BETWEENNESS_DEVICE_STATE_H
#define GWS_TRAVERSAL_BETWEENNESS_DEVICE_STATE_H

#include "../../../kernels/graph/betweenness_words.h"
#include "../../engine/device_kernel.h"
#include "state.h"

enum buffer {
    centrality,
    root,
    report,
    depth,
    queue,
    first,
    value,
    others,
    arc,
    other_arcs,
    scale,
    row,
    piece,
    partial,
    part_scale,
    count,
    arrived,
    buffers
};

enum {
    team_sources = 4, /* max sources of a team in one launch */
};

struct gws_betweenness_device {
    struct gws__device_kernel kernel;
    struct gws_device_buffer *buffer[buffers];
    uint64_t rows, pieces;          /* max long rows of a team, and pieces of these */
    uint32_t capacity;              /* teams for which there are arrays */
    uint32_t teams;                 /* teams of the current run */
    uint32_t scaled;                /* 1 if scale has a word for each vertex */
    bool with_arcs;                 /* there are buffers for the sums of arcs */
    bool arcs;                      /* the last run has summed up the arcs */
    struct gws__bc_factors factors; /* of the last run */
};

/* Returns whether the graph is sparse, so that its levels are probably narrow. */
bool gws__bc_is_mesh(const struct gws_graph *graph);

/* Frees all buffers but the centralities. */
void gws__bc_free_buffers(struct gws_betweenness_device *betweenness);

/* Makes the arrays of `teams` teams in place of those that exist. Errors: GWS_NO_MEMORY, GWS_DEVICE. */
gws_status gws__bc_open_buffers(struct gws_betweenness_device *made, uint32_t teams, struct gws_diagnostic *where);

/* Allocates the scales. The kernel then scales the values of all further sources. Errors: GWS_NO_MEMORY, GWS_DEVICE. */
gws_status gws__bc_add_scale(struct gws_betweenness_device *betweenness, struct gws_diagnostic *where);

/* Chooses as many teams as sources, groups and memory permit, but in each round about the same number. memory: bytes
 * for the teams; 0: a part of the device's memory. */
uint32_t gws__bc_choose_teams(const struct gws_betweenness_device *betweenness, uint64_t memory, uint64_t sources);

#endif
