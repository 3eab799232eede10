/* SPDX-License-Identifier: MIT */
/* The state of searches of a graph that is parted among devices. */
#ifndef GWS_TRAVERSAL_BFS_PARTED_H
#define GWS_TRAVERSAL_BFS_PARTED_H

#include "../../../../kernels/engine/parted_words.h"
#include "../../../bfs_devices.h"
#include "../../../engine/parts.h"
#include "../state.h"

/* A part's buffers on its device; the first ones in the order of the kernel's arguments. */
enum gws__parted_buffer {
    parted_depth,
    parted_parent,
    parted_list,
    parted_control,
    parted_sums,
    parted_queue,
    parted_stats,
    parted_hub,
    parted_isolated,
    parted_segments,
    parted_record,
    parted_result,
    parted_exchange,
    parted_buffers
};

struct gws__parted_part {
    struct gws_graph rows, reverse; /* the part's rows as a graph; their targets have the numbers of the whole graph */
    uint64_t *bounds[2];            /* of both, from 0 on */
    struct gws_device_graph *on_device;
    struct gws__device_kernel kernel;
    struct gws_device_buffer *buffer[parted_buffers], *narrow;
    uint64_t stats_bytes;
    /* Of the last search: */
    uint64_t reached, sent, gathered;
    double idle;
};

struct gws_bfs_devices {
    struct gws_runtime *runtime;
    const struct gws_graph *graph;
    const struct gws_graph *in; /* the graph whose rows pull reads; NULL: none */
    struct gws_bfs_devices_options options;
    uint32_t heavy;
    bool hubs;           /* the index "hubs" exists */
    uint64_t candidates; /* vertices that pull may read */
    struct gws__parts parts;
    struct gws__parted_part part[PARTED_MAX];
    struct gws_bfs_result *result; /* of the last search; NULL: none */
};

#endif
