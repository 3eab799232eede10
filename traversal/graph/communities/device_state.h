/* SPDX-License-Identifier: MIT */
/* The host's side of kernels/graph/communities.cl: device.c opens it, and device_levels.c runs its steps. */
#ifndef GWS_TRAVERSAL_COMMUNITIES_DEVICE_STATE_H
#define GWS_TRAVERSAL_COMMUNITIES_DEVICE_STATE_H

#include "../../communities_device.h"
#include "../../engine/device_kernel.h"
#include "state.h"

#include "../../../kernels/graph/communities_words.h"

/* The buffers, in the order of the kernel's arguments. The rows of levels stand before them and between them. */
enum communities_buffer {
    COMMUNITIES_NODE,
    COMMUNITIES_LABELS,
    COMMUNITIES_DEGREE,
    COMMUNITIES_DEGREES,
    COMMUNITIES_NEXT,
    COMMUNITIES_FLAGS,
    COMMUNITIES_LIST,
    COMMUNITIES_LAST,
    COMMUNITIES_LONG_ROW,
    COMMUNITIES_TABLE_LABEL,
    COMMUNITIES_TABLE_SUM,
    COMMUNITIES_PART,
    COMMUNITIES_FOUND,
    COMMUNITIES_TALLY,
    COMMUNITIES_ARRIVED,
    COMMUNITIES_BUFFERS
};

/* A level. The device graph owns the rows of the first one, and the search owns its weights. */
struct communities_rows {
    struct gws_device_buffer *offset, *target, *weight; /* weight: NULL if every arc weighs 1 */
    struct gws_device_buffer *in_offset, *source, *in_weight;
    struct gws_device_buffer *refined; /* NULL for the first level: the array node[] */
};

struct gws_communities_device {
    struct gws__device_kernel kernel;
    struct gws_communities_options options;
    struct gws_device_buffer *buffer[COMMUNITIES_BUFFERS];
    struct gws_device_buffer *weight, *in_weight; /* of the graph, or NULL */
    struct communities_rows level, made;          /* the current level and the next one */
    struct gws__communities_step step;            /* of the next launch */
    uint32_t first_weights;                       /* the type of the graph's weights */
    uint32_t found[COMMUNITIES_COUNTS];           /* what the last launch has found */
    uint64_t tally[COMMUNITIES_SUMS];
    bool ran; /* the last run has succeeded */
};

/* Runs all passes, and then sums up the modularity. Sets .count, .largest, .modularity and .levels. Errors:
 * GWS_CANCELLED, GWS_DEVICE, GWS_NO_MEMORY. */
gws_status gws__communities_device_find(struct gws_communities_device *of, struct gws_communities_result *result,
                                        struct gws_diagnostic *where);

#endif
