/* SPDX-License-Identifier: MIT */
/* Breadth-first search on a graph in the host's memory by the CPU's workers and a device that shares no atomics with
 * them (kernels/hetero/bridge_words.h): the device reads the arcs in place, over the bus, and both work on every large
 * level.
 *
 * State encoding. The CPU's side is a search as bfs_state.h has it, but for visited, which lies in memory that both
 * address, and for depth and parent. parent holds those of what the CPU found: what only the device did is marked in
 * `theirs`, and has its parents there until the result is put together. depth holds those of levels that the CPU ran
 * alone: what the others found is marked in `there`. There are two bitmaps of visited vertices: in the one
 * numbered `side` the CPU searches; when a level's finds have been put together they go to the other one, which takes
 * its place, so that the device may read the old one meanwhile. Vertices without arcs are visited from the start, and
 * have no depth for ever. `before` is what had been visited when the level began. `mirror` is the device's bitmap of
 * visited vertices, its copy for us. */
#ifndef GWS_TRAVERSAL_BFS_BRIDGE_H
#define GWS_TRAVERSAL_BFS_BRIDGE_H

#include "../../../../kernels/hetero/bridge_host.h"
#include "../../../../lib/device.h"
#include "../state.h"
#include "host_resident_direction.h"
#include "host_resident_rows.h"

struct gws__bfs_bridge_options {
    bool alone;          /* the CPU's workers leave the levels that the device takes part in to it */
    uint64_t threshold;  /* the device takes part in levels of so many arcs; 0: chosen */
    uint32_t chunk;      /* vertices in a chunk, a multiple of 64; 0: chosen */
    uint32_t group_size; /* a power of two; 0: chosen */
    uint32_t groups;     /* 0: as many as run at once */
    uint32_t window;     /* chunks that the device opens at a time; 0: chosen */
    uint64_t budget;     /* bytes on the device for row bounds, which go there as they fit; 0: none */
    bool arcs;           /* what is left of the budget is for words of rows (bfs_bridge_rows.h) */
    enum gws_bfs_direction direction;
    bool time_levels; /* fill level[].ms */
    double limit_ms;  /* the longest wait for the device; 0: 10 s */
};

/* What happened in the last search. */
struct gws__bfs_bridge_stats {
    uint32_t levels, joint;                     /* levels, and those in which the device took part */
    uint64_t chunks, cpu_chunks, device_chunks; /* of joint levels; the rest of the sum ran twice */
    uint32_t launches;
    uint64_t cpu_given, device_given; /* vertices that were to be the CPU's and the device's in joint levels */
    double copy_ms;                   /* bringing depth and parent into the result */
    double wait_ms;                   /* from the end of the CPU's part of joint levels to the device's */
    double joint_ms;                  /* all of the joint levels */
};

/* Buffers that kernel arguments name, in the order of bridge_search()'s. */
enum {
    bridge_words,
    bridge_state,
    bridge_bound,
    bridge_base,
    bridge_kept,
    bridge_rest,
    bridge_in_bound,
    bridge_in_base,
    bridge_in_kept,
    bridge_in_rest,
    bridge_visited,
    bridge_before,
    bridge_front,
    bridge_own,
    bridge_depth,
    bridge_host_a,
    bridge_host_b,
    bridge_host_front,
    bridge_mirror,
    bridge_stats,
    bridge_buffers
};

/* What a CPU worker did of joint levels in a search: vertices, those of them that were to be the device's, and chunks.
 */
struct gws__bfs_bridge_count {
    alignas(64) uint64_t ran;
    uint64_t stolen, steals;
};

struct gws__bfs_bridge {
    struct gws_runtime *runtime;
    struct gws_device *device;
    const struct gws_graph *graph, *in; /* in: the reverse */
    struct gws__bfs_bridge_options options;
    struct gws_device_program *program;
    struct gws_device_buffer *buffer[bridge_buffers]; /* in_ ones are NULL where the graph's own rows serve, or none */
    void *host[bridge_buffers];                       /* where the host finds it; NULL: it does not */
    struct gws__bridge bridge;
    uint64_t launches, launched;           /* kernels so far; the bridge's orders when the last one was launched */
    bool running;                          /* a kernel is there, or will be when it has to */
    uint64_t words, chunks;                /* 64-bit words of a bitmap, chunks of a level */
    struct gws__bridge_rows rows, in_rows; /* in_rows.graph is NULL where there are no buffers of it */
    uint64_t isolated, groups, window;
    uint64_t fewest;                     /* vertices of a frontier that both sides run top-down */
    struct gws__bridge_reader reader[2]; /* the device, the workers */
    double share;   /* of a level's chunks that are to be the CPU's, from what the last level showed */
    uint64_t split; /* so many of this level's; who goes beyond steals */
    struct gws__bfs_bridge_count *count; /* one for each CPU worker */
    uint64_t *rest;                      /* vertices without arcs, as a bitmap */
    uint64_t *before, *theirs, *there;
    uint32_t *depth, *parent;
    /* Of the search under way. */
    uint32_t side;
    bool knows;       /* the device has seen all so far */
    uint64_t degrees; /* that the device has summed up */
    uint64_t order;   /* of the level that is being run */
    bool bottom_up;
    uint64_t ran;              /* chunks that the device ran of it */
    _Atomic(uint64_t) found;   /* vertices of the next frontier */
    _Atomic(uint64_t) cpu_ran; /* chunks that the CPU ran */
    struct gws__bfs_bridge_stats stats;
};

/* The graph must not change, and it, runtime and device must outlive the search. Errors: as gws_bfs_device_open(). */
gws_status gws__bfs_bridge_open(struct gws_runtime *runtime, struct gws_device *device, const struct gws_graph *graph,
                                const struct gws__bfs_bridge_options *options, struct gws__bfs_bridge **opened,
                                struct gws_where *where);
void gws__bfs_bridge_close(struct gws__bfs_bridge *bridge);

/* Errors: as gws_bfs_device_run(). */
gws_status gws__bfs_bridge_run(struct gws__bfs_bridge *bridge, uint32_t source, struct gws_bfs_result *result,
                               struct gws_where *where);

/* Brings depth and parent of the search that ran last into its result. Errors: GWS_DEVICE. */
gws_status gws__bfs_bridge_fetch(struct gws__bfs_bridge *bridge, struct gws_bfs_result *result,
                                 struct gws_where *where);

/* ---- among its own files ---- */

/* The CPU's part of the level whose order was given; the frontier is bfs->front. */
void gws__bfs_bridge_eat(struct gws__bfs_bridge *bridge, struct gws__bfs *bfs);

/* Before a level for which the device does not know where the search stands: leaves it a copy. */
void gws__bfs_bridge_show(struct gws__bfs_bridge *bridge, struct gws__bfs *bfs);

/* After a level: what both found becomes the frontier; its size. */
uint64_t gws__bfs_bridge_merge(struct gws__bfs_bridge *bridge, struct gws__bfs *bfs);

/* Puts the graph where the device reads it: as much as the budget allows on the device. */
gws_status gws__bfs_bridge_place(struct gws__bfs_bridge *bridge, struct gws_where *where);

/* Memory that both sides address, for a buffer. */
gws_status gws__bfs_bridge_share(struct gws__bfs_bridge *bridge, uint32_t which, uint64_t bytes,
                                 struct gws_where *where);

/* Bytes on the device whatever the budget: bitmaps, parents, state. */
uint64_t gws__bfs_bridge_least(uint64_t vertices);

/* All vertices unvisited but for those without arcs. */
void gws__bfs_bridge_clear(struct gws__bfs_bridge *bridge);

/* Has a kernel run, if none does. Waits for the reply to an order. */
gws_status gws__bfs_bridge_launch(struct gws__bfs_bridge *bridge, struct gws_where *where);
gws_status gws__bfs_bridge_await(struct gws__bfs_bridge *bridge, uint64_t order, struct gws_where *where);

#endif
