/* SPDX-License-Identifier: MIT */
/* The state of PageRank on a graph that is parted among devices. */
#ifndef GWS_TRAVERSAL_PAGERANK_DEVICES_STATE_H
#define GWS_TRAVERSAL_PAGERANK_DEVICES_STATE_H

#include "../../engine/parts.h"
#include "../../pagerank_devices.h"

/* A part's buffers on its device; those before ranks_exchange are in the order of the kernel's arguments. */
enum gws__ranks_buffer {
    ranks_degree,
    ranks_restarts,
    ranks_listed,
    ranks_long_row,
    ranks_heavy,
    ranks_heavy_sum,
    ranks_piece,
    ranks_rank,
    ranks_count,
    ranks_sums,
    ranks_stats,
    ranks_arrived,
    ranks_exchange,
    ranks_buffers
};

struct gws__ranks_part {
    struct gws_graph rows; /* the incoming arcs of the part, as rows whose targets have the numbers of the graph */
    uint64_t *bounds;      /* of the rows, from 0 on */
    struct gws_device_graph *on_device;
    struct gws__device_kernel kernel;
    struct gws_device_buffer *buffer[ranks_buffers];
    uint64_t sending; /* vertices with outgoing arcs */
    uint64_t stats_bytes;
    double idle; /* of the last run */
};

struct gws_pagerank_devices {
    struct gws_runtime *runtime;
    const struct gws_graph *graph;
    struct gws_graph in;                 /* the rows that pull reads, of the graph or of the index */
    struct gws_pagerank_options options; /* .source is NULL: the list of sources is not kept; .index may be NULL */
    bool personal;
    bool has_degrees;    /* the out-degrees are not the lengths of the rows */
    uint32_t iterations; /* of the last run */
    struct gws__parts parts;
    struct gws__ranks_part part[PARTED_MAX];
};

static inline uint64_t gws__ranks_share(const struct gws_pagerank_devices *pagerank)
{
    return pagerank->options.precision == GWS_PAGERANK_FLOAT ? sizeof(float) : sizeof(double);
}

#endif
