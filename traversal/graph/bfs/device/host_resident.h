/* SPDX-License-Identifier: MIT */
/* Breadth-first search on a graph whose arcs stay in the host's memory. The device reads the arcs over the bus. CPU
 * workers and device run each large level together, as a two-ended range of the graph's vertices (lib/hetero/range.h,
 * kernels/bfs/host_resident.cl).
 *
 * State encoding. The CPU's state follows traversal/engine/engine.h, with three differences. First, the visited
 * bitmaps lie in shared memory. There are two bitmaps, and the CPU searches in the bitmap numbered `side`. After a
 * level, the host writes the merged bitmap to the other bitmap and changes `side`, so the device can still read the
 * old bitmap. Vertices without arcs count as visited from the start and never get a depth. Second, parent holds the
 * parents that the CPU found. found_by_device marks the vertices that only the device found. Their parents stay on the
 * device until fetch(). Third, depth holds the depths of levels that the CPU ran alone. depth_on_device marks all
 * other vertices with a depth. `before` holds the vertices visited before the level. `mirror` is the host's copy of
 * the device's bitmap of visited vertices. */
#ifndef GWS_TRAVERSAL_BFS_HOST_RESIDENT_H
#define GWS_TRAVERSAL_BFS_HOST_RESIDENT_H

#include "../../../../kernels/bfs/host_resident_words.h"
#include "../../../../lib/hetero/range.h"
#include "../../../engine/row_cost.h"
#include "../../../engine/split_rows.h"
#include "state.h"

/* The buffers that are kernel arguments, in the order of the parameters of bfs_host_resident(). */
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
    uint64_t vertices, chunk_words32, patience;         /* kernel arguments; chunk_words32: 32-bit words in a chunk */
    struct gws_device_buffer *buffer[resident_buffers]; /* the in_ buffers are NULL if bottom-up reads the graph's own
                                                         * rows or never runs */
    void *host[resident_buffers];                       /* host addresses of shared buffers; NULL: device memory */
    uint64_t words, chunk_words;                        /* 64-bit words in a bitmap and in a chunk */
    struct gws__split_rows rows, in_rows;               /* in_rows.graph is NULL if the in_ buffers are NULL */
    uint64_t isolated_count;
    uint64_t min_size;            /* minimal frontier that both sides run top-down, in vertices */
    struct gws__row_cost cost[2]; /* cost of the device and of the workers */
    uint64_t *isolated;           /* bitmap of the vertices without arcs */
    uint64_t *before, *found_by_device, *depth_on_device;
    uint32_t *depth, *parent;
    /* State of the current search. */
    uint32_t side;
    bool known;              /* the device has the current frontier and visited vertices */
    bool bottom_up;          /* direction of the current level */
    uint64_t degrees;        /* sum reported by the device so far */
    _Atomic(uint64_t) found; /* vertices of the next frontier */
    struct gws__bfs bfs;
};

/* ---- host_resident_open.c ---- */

/* Returns true if the device also reads the reverse's rows. */
bool gws__host_resident_has_reverse(const struct gws_bfs_device *search);

/* Returns the bytes of device memory that any search needs: bitmaps, depths, parents, state and row bounds. */
uint64_t gws__host_resident_min(const struct gws_bfs_device *search);

/* Implement open() and close() of the strategy. */
gws_status gws__host_resident_open(struct gws_bfs_device *search, struct gws_diagnostic *where);
void gws__host_resident_close(struct gws_bfs_device *search);

/* ---- host_resident_cpu.c ---- */

/* Functions of the range (lib/hetero/range.h) for a CPU worker's part of a level, and for the host's part of the
 * merge. After the merge, the frontier consists of the vertices that either side found. */
void gws__host_resident_run_range(void *context, uint32_t worker);
void gws__host_resident_merge(void *context);

/* Copies frontier and visited vertices to shared memory, before a level that the device joins without having them. */
void gws__host_resident_publish(struct gws__host_resident *state);

/* Marks all vertices unvisited except those without arcs. */
void gws__host_resident_clear(struct gws__host_resident *state);

#endif
