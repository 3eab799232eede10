/* SPDX-License-Identifier: MIT */
/* Breadth-first search on a graph whose arcs stay in the host's memory: the device reads them in place, over the bus,
 * and CPU workers and device run each large level together, as a two-ended range of the graph's vertices
 * (lib/hetero/range.h, kernels/bfs/host_resident.cl).
 *
 * State encoding. The CPU's side is a search as traversal/engine/engine.h has it, but for visited, which lies in memory
 * that both address, and for depth and parent. parent holds those of what the CPU found: what only the device did is
 * marked in found_by_device, and has its parents there until the result is fetched. depth holds those of levels that
 * the CPU ran alone: what the others found is marked in depth_on_device. There are two bitmaps of visited vertices: in
 * the one numbered `side` the CPU searches; when a level's finds have been merged they go to the other one, which takes
 * its place, so that the device may read the old one meanwhile. Vertices without arcs are visited from the start, and
 * have no depth for ever. `before` is what had been visited when the level began. `mirror` is the device's bitmap of
 * visited vertices, its copy for us. */
#ifndef GWS_TRAVERSAL_BFS_HOST_RESIDENT_H
#define GWS_TRAVERSAL_BFS_HOST_RESIDENT_H

#include "../../../../kernels/bfs/host_resident_words.h"
#include "../../../../lib/hetero/range.h"
#include "../../../engine/row_cost.h"
#include "../../../engine/split_rows.h"
#include "state.h"

/* Buffers that kernel arguments name, in the order of bfs_host_resident()'s. */
enum {
    resident_words,
    resident_state,
    resident_bound,
    resident_base,
    resident_cached,
    resident_rest,
    resident_in_bound,
    resident_in_base,
    resident_in_cached,
    resident_in_rest,
    resident_visited,
    resident_before,
    resident_front,
    resident_parent,
    resident_depth,
    resident_host_a,
    resident_host_b,
    resident_host_front,
    resident_mirror,
    resident_stats,
    resident_buffers
};

enum { resident_arguments = resident_buffers + 5 };

struct gws__host_resident {
    struct gws_bfs_device *search;
    struct gws__range range;
    struct gws_device_argument argument[resident_arguments];
    uint64_t vertices, chunk_words32, patience; /* arguments: words of 32 bits in a chunk */
    struct gws_device_buffer
        *buffer[resident_buffers];        /* in_ ones are NULL where the graph's own rows serve, or none */
    void *host[resident_buffers];         /* where the host finds it; NULL: it does not */
    uint64_t words, chunk_words;          /* 64-bit words of a bitmap, and of a chunk */
    struct gws__split_rows rows, in_rows; /* in_rows.graph is NULL where there are no buffers of it */
    uint64_t isolated_count;
    uint64_t min_size;            /* vertices of a frontier that both sides run top-down */
    struct gws__row_cost cost[2]; /* the device's, the workers' */
    uint64_t *isolated;           /* vertices without arcs, as a bitmap */
    uint64_t *before, *found_by_device, *depth_on_device;
    uint32_t *depth, *parent;
    /* Of the search under way. */
    uint32_t side;
    bool known;              /* the device has seen all so far */
    bool bottom_up;          /* the level that is being run */
    uint64_t degrees;        /* that the device has summed up */
    _Atomic(uint64_t) found; /* vertices of the next frontier */
    struct gws__bfs bfs;
};

/* ---- host_resident_open.c ---- */

/* Does the device read the reverse's rows, too? */
bool gws__host_resident_has_reverse(const struct gws_bfs_device *search);

/* Bytes on the device whatever the budget: bitmaps, depths, parents, state and row bounds. */
uint64_t gws__host_resident_min(const struct gws_bfs_device *search);

/* What open() and close() of the strategy do. */
gws_status gws__host_resident_open(struct gws_bfs_device *search, struct gws_where *where);
void gws__host_resident_close(struct gws_bfs_device *search);

/* ---- host_resident_cpu.c ---- */

/* A CPU worker's part of a level: the run_range of the algorithm (lib/hetero/range.h), and the host's part of merging:
 * what both found becomes the frontier. */
void gws__host_resident_run_range(void *context, uint32_t worker);
void gws__host_resident_merge(void *context);

/* Before a level for which the device does not know where the search stands: leaves it a copy. */
void gws__host_resident_publish(struct gws__host_resident *state);

/* All vertices unvisited but for those without arcs. */
void gws__host_resident_clear(struct gws__host_resident *state);

#endif
