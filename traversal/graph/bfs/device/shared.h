/* SPDX-License-Identifier: MIT */
/* The CPU's side of a search on both sides. CPU workers take and steal ranges with the atomics of the device's work
 * queues. A CPU worker expands a range with one reservation per batch of claims (as in
 * traversal/engine/advance_body.h). The CPU workers and the device share the arrays (shared.c).
 *
 * The runtime's workers emulate the CPU workers of the search. One loop runs each CPU worker as a task. No task waits
 * for another task. */
#ifndef GWS_TRAVERSAL_BFS_DEVICE_SHARED_H
#define GWS_TRAVERSAL_BFS_DEVICE_SHARED_H

#include "../../../../lib/hetero/flags.h"
#include "state.h"

enum { bfs_buffer_capacity = 2048 };

/* Vertices that a CPU worker has found in a level but not yet added to the list. Each worker has its own buffer. */
struct gws__bfs_worker_buffer {
    alignas(128) uint64_t degrees; /* sum of the degrees of all vertices that the worker found in this level */
    uint32_t count;
    uint32_t found[bfs_buffer_capacity];
};

/* State shared by both sides. The fields are constant during a level, except for the atomic ones. */
struct gws__bfs_hybrid {
    struct gws_bfs_device *search;
    const struct gws__bfs_order_calls *call;
    struct gws__flags flags; /* flags of the persistent kernel, whose groups emulate all workers of the device */
    /* The arrays, which kernels/bfs/bfs.cl documents. */
    _Atomic uint32_t *depth, *parent, *visited, *control, *tail;
    _Atomic uint64_t *found, *queue; /* found: sum of the degrees of the vertices that the level found */
    uint32_t *list;
    uint64_t *stats;
    void *buffer_memory;
    struct gws__bfs_worker_buffer *buffer; /* one per CPU worker */
    /* State of the level. */
    uint32_t level, begin, end;
    bool bottom_up;
    bool joined, cpu;        /* true if the device or the CPU workers take part */
    bool serial;             /* one CPU worker runs the level without deques */
    uint32_t first, workers; /* the workers that take part */
    uint64_t count, chunk;   /* tasks of the level, and tasks in a chunk */
    uint64_t degrees, unexplored;
};

/* Functions of a work queue (lib/hetero/queues_body.h). The parameters queue and stats belong to the first worker that
 * takes part in the level. */
struct gws__queue_calls {
    void (*fill)(_Atomic uint64_t *queue, uint32_t part, uint32_t parts, uint64_t count, uint64_t chunk);
    uint64_t (*given)(_Atomic uint64_t *queue, uint32_t part);
    /* Returns true if the queue still has tasks for its owner. */
    bool (*left)(_Atomic uint64_t *queue, uint32_t part);
    /* Takes the next range for worker self, and counts its tasks in stats. The range is empty if there are no tasks. */
    void (*take)(_Atomic uint64_t *queue, uint64_t *stats, uint32_t self, uint32_t workers, uint32_t gpu, bool steals,
                 uint64_t *range);
};

/* Functions compiled for one choice of memory orders (shared_orders.h). */
struct gws__bfs_order_calls {
    struct gws__queue_calls queue[gws__bfs_work_queues];
    void (*top_down)(struct gws__bfs_hybrid *hybrid, struct gws__bfs_worker_buffer *buffer, const uint64_t *range);
    void (*bottom_up)(struct gws__bfs_hybrid *hybrid, struct gws__bfs_worker_buffer *buffer, const uint64_t *range);
    void (*flush)(struct gws__bfs_hybrid *hybrid, struct gws__bfs_worker_buffer *buffer);
};

extern const struct gws__bfs_order_calls gws__bfs_weakest, gws__bfs_seq_cst;

/* Initialises the arrays, with the source as the frontier. */
void gws__bfs_hybrid_begin(struct gws__bfs_hybrid *hybrid);

/* Decides how the next level runs, appends it to the result, and partitions it among the workers that take part. */
gws_status gws__bfs_hybrid_plan(struct gws__bfs_hybrid *hybrid, struct gws_diagnostic *where);

/* Runs the CPU workers until all deques that they may access are empty. */
void gws__bfs_hybrid_run(struct gws__bfs_hybrid *hybrid);

/* Ends a level on both sides. The vertices that the level found become the frontier. */
void gws__bfs_hybrid_advance(struct gws__bfs_hybrid *hybrid);

/* Copies depth and parent into the result, and the statistics to search->ran. */
void gws__bfs_hybrid_fetch(struct gws__bfs_hybrid *hybrid);

#endif
