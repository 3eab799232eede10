/* SPDX-License-Identifier: MIT */
/* The CPU's side of a search on both sides: its workers take and steal by the device's own words, and run ranges in
 * their own way, a batch of claims for one reservation (as in traversal/engine/advance_body.h). The arrays are shared
 * with the device (shared.c).
 *
 * The runtime's workers play the CPU workers of the search, a task of one loop each; nobody waits for another in it. */
#ifndef GWS_TRAVERSAL_BFS_DEVICE_SHARED_H
#define GWS_TRAVERSAL_BFS_DEVICE_SHARED_H

#include "../../../../lib/hetero/flags.h"
#include "state.h"

enum { bfs_buffer_capacity = 2048 };

/* What a CPU worker has found in a level and not put into the list yet; its own. */
struct gws__bfs_worker_buffer {
    alignas(128) uint64_t degrees; /* of all it found in this level */
    uint32_t count;
    uint32_t found[bfs_buffer_capacity];
};

/* Where both sides, or the CPU's alone, meet. Constant in a level but for what is atomic. */
struct gws__bfs_hybrid {
    struct gws_bfs_device *search;
    const struct gws__bfs_order_calls *call;
    struct gws__flags flags; /* of the persistent kernel, whose groups play all workers of the device */
    /* Arrays, as in kernels/bfs/bfs.cl. */
    _Atomic uint32_t *depth, *parent, *visited, *control, *tail;
    _Atomic uint64_t *found, *queue; /* found: the degrees of what the level found */
    uint32_t *list;
    uint64_t *stats;
    void *buffer_memory;
    struct gws__bfs_worker_buffer *buffer; /* one for each CPU worker */
    /* The level. */
    uint32_t level, begin, end;
    bool bottom_up;
    bool joined, cpu;        /* the device takes part, and the CPU's side */
    bool serial;             /* one CPU worker runs it without any deque */
    uint32_t first, workers; /* those that take part */
    uint64_t count, chunk;   /* tasks, and how many of them are taken at once */
    uint64_t degrees, unexplored;
};

/* A row of the table of lib/hetero/queues_body.h. queue and stats are those of the first worker that the level is cut
 * for. */
struct gws__queue_calls {
    void (*fill)(_Atomic uint64_t *queue, uint32_t part, uint32_t parts, uint64_t count, uint64_t chunk);
    uint64_t (*given)(_Atomic uint64_t *queue, uint32_t part);
    /* Whether its owner would still get something. */
    bool (*left)(_Atomic uint64_t *queue, uint32_t part);
    /* The next range for self, whose statistics these are; empty when there is none. */
    void (*take)(_Atomic uint64_t *queue, uint64_t *stats, uint32_t self, uint32_t workers, uint32_t gpu, bool steals,
                 uint64_t *range);
};

/* All that is compiled with one choice of memory orders (shared_orders.h). */
struct gws__bfs_order_calls {
    struct gws__queue_calls queue[gws__bfs_work_queues];
    void (*top_down)(struct gws__bfs_hybrid *hybrid, struct gws__bfs_worker_buffer *buffer, const uint64_t *range);
    void (*bottom_up)(struct gws__bfs_hybrid *hybrid, struct gws__bfs_worker_buffer *buffer, const uint64_t *range);
    void (*flush)(struct gws__bfs_hybrid *hybrid, struct gws__bfs_worker_buffer *buffer);
};

extern const struct gws__bfs_order_calls gws__bfs_weakest, gws__bfs_seq_cst;

/* Clears the arrays, with the source as the frontier. */
void gws__bfs_hybrid_begin(struct gws__bfs_hybrid *hybrid);

/* Decides how the next level runs, puts it into the result, and cuts it for the workers that take part. */
gws_status gws__bfs_hybrid_plan(struct gws__bfs_hybrid *hybrid, struct gws_where *where);

/* Runs the CPU workers until no deque that they may touch holds anything. */
void gws__bfs_hybrid_run(struct gws__bfs_hybrid *hybrid);

/* The level is done on all sides: its successors are the frontier. */
void gws__bfs_hybrid_advance(struct gws__bfs_hybrid *hybrid);

/* Copies depth and parent into the result; the statistics to search->ran. */
void gws__bfs_hybrid_fetch(struct gws__bfs_hybrid *hybrid);

#endif
