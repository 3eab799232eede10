/* SPDX-License-Identifier: MIT */
/* Pairs of numbers, or paths, for the owners of vertices. Workers add them in a loop; between two loops the calling
 * thread sends them all. */
#ifndef GWS_TRAVERSAL_ENGINE_RANK_OUTBOX_H
#define GWS_TRAVERSAL_ENGINE_RANK_OUTBOX_H

#include <stdatomic.h>
#include <stdbool.h>

#include "../../lib/hetero/ranks.h"
#include "../../lib/rank_graph.h"

struct gws__pair {
    uint32_t vertex, value;
};

/* A path to a vertex: its length, of an encoding that compares like integers, and the last vertex but one. */
struct gws__path {
    uint32_t vertex, parent;
    uint64_t length;
};

enum {
    gws__outbox_step = 1 << 18,
    gws__outbox_part = 1 << 15,
    gws__outbox_batch = 256,
    gws__outbox_min_last = 1 << 10,
    gws__outbox_max_last = 1 << 17
};

/* What a worker adds next, and what it added last: a vertex often comes again with no better value. */
struct gws__outbox_worker {
    uint32_t count;
    uint64_t reserved; /* items that the worker may still add, if the workers reserve */
    union {
        struct gws__pair pair[gws__outbox_batch];
        struct gws__path path[gws__outbox_batch];
    };
    union { /* outbox->max_last entries */
        void *last;
        struct gws__pair *last_pair;
        struct gws__path *last_path;
    };
};

struct gws__outbox {
    struct gws_runtime *runtime;
    const struct gws_rank_graph *graph;
    uint64_t capacity;   /* items between two sendings */
    uint32_t item_bytes; /* of a pair or of a path */
    union {
        void *item;
        struct gws__pair *pair;
        struct gws__path *path;
    };
    union {
        void *sorted_item;
        struct gws__pair *sorted;
    };
    _Atomic uint64_t count;
    _Atomic uint64_t reserved; /* items that workers have reserved since the last sending */
    uint64_t *items;           /* items for each rank */
    uint64_t sent;             /* items of the parts since the last gws__outbox_send() */
    struct gws__outbox_worker *worker;
    uint32_t workers;
    uint32_t last_items, max_last; /* powers of two: the items that a worker remembers now, and at most */
    uint32_t min_last;             /* last_items after a reset */
    void *last;                    /* of all workers */
};

/* Makes an empty outbox for pairs of `capacity` arcs at a time. Not collective. The caller closes it in any case. The
 * workers remember gws__outbox_max_last pairs together as soon as they send a part: before, a few, because each search
 * forgets all. Of paths, each worker always remembers as many, or more if it has many arcs.
 * Errors: GWS_NO_MEMORY. */
gws_status gws__outbox_open(struct gws_runtime *runtime, const struct gws_rank_graph *graph, uint64_t capacity,
                            struct gws__outbox *outbox);
gws_status gws__outbox_open_paths(struct gws_runtime *runtime, const struct gws_rank_graph *graph, uint64_t capacity,
                                  struct gws__outbox *outbox);
void gws__outbox_close(struct gws__outbox *outbox);

/* Returns after how many arcs, or a longer row, the outbox is to be sent: a part is smaller than a step, so that much
 * of a level travels while its rest is expanded. */
uint64_t gws__outbox_limit(const struct gws__outbox *outbox);

/* Returns the arcs of a step for this part of a graph: gws__outbox_step, or its longest row. */
uint64_t gws__outbox_capacity(const struct gws_rank_graph *graph);

/* Forgets what the workers added last, for values that mean something else from now on. */
void gws__outbox_reset(struct gws__outbox *outbox);

/* Adds what the worker still has, or, between loops, all workers. flush_all() returns the number of items in the
 * outbox.
 */
void gws__outbox_flush(struct gws__outbox *outbox, struct gws__outbox_worker *worker);
uint64_t gws__outbox_flush_all(struct gws__outbox *outbox);

/* Adds a pair, unless the worker remembers the same pair. */
static inline void gws__outbox_add_pair(struct gws__outbox *outbox, uint32_t worker, struct gws__pair pair)
{
    struct gws__outbox_worker *self = &outbox->worker[worker];
    struct gws__pair *last = &self->last_pair[pair.vertex & (outbox->last_items - 1)];
    if (last->vertex == pair.vertex && last->value == pair.value) return;
    *last = pair;
    self->pair[self->count++] = pair;
    if (self->count == gws__outbox_batch) gws__outbox_flush(outbox, self);
}

/* Adds a pair, unless the worker remembers the same vertex with a value that is not larger. */
static inline void gws__outbox_add(struct gws__outbox *outbox, uint32_t worker, struct gws__pair pair)
{
    struct gws__outbox_worker *self = &outbox->worker[worker];
    struct gws__pair *last = &self->last_pair[pair.vertex & (outbox->last_items - 1)];
    if (last->vertex == pair.vertex && last->value <= pair.value) return;
    *last = pair;
    self->pair[self->count++] = pair;
    if (self->count == gws__outbox_batch) gws__outbox_flush(outbox, self);
}

/* Loads what gws__outbox_add_path() reads for this vertex. */
static inline void gws__outbox_prefetch_path(const struct gws__outbox *outbox, uint32_t worker, uint32_t vertex)
{
    __builtin_prefetch(&outbox->worker[worker].last_path[vertex & (outbox->last_items - 1)]);
}

/* The same for paths. Most are no better than an earlier one to the same vertex, and are not sent: the shorter one is
 * better, and of equal ones that with the smaller parent. */
static inline void gws__outbox_add_path(struct gws__outbox *outbox, uint32_t worker, struct gws__path path)
{
    struct gws__outbox_worker *self = &outbox->worker[worker];
    struct gws__path *last = &self->last_path[path.vertex & (outbox->last_items - 1)];
    if (last->vertex == path.vertex &&
        (last->length < path.length || (last->length == path.length && last->parent <= path.parent)))
        return;
    *last = path;
    self->path[self->count++] = path;
    if (self->reserved > 0) self->reserved--;
    if (self->count == gws__outbox_batch) gws__outbox_flush(outbox, self);
}

/* Reserves space, so that the worker may add `items` items before the next sending, whatever the others add. Returns
 * false if there is no space. An empty outbox has space for one row. gws__outbox_send() ends all reservations. */
bool gws__outbox_reserve(struct gws__outbox *outbox, uint32_t worker, uint64_t items);

typedef void gws__outbox_receive(void *context, uint32_t rank, const void *data, uint64_t items);

/* Sends all items to the owners of their vertices. Collective. receive() and sum: see struct gws_exchange. The items
 * that were sent stay in outbox->sorted until the next call of it: outbox->count of them, which the caller sets to 0.
 */
void gws__outbox_send(struct gws__outbox *outbox, gws__outbox_receive *receive, void *context, uint64_t *sum,
                      uint32_t sums);

/* Begins to send all items, which travel while the caller adds others, and empties the outbox. Returns false if this
 * gains nothing: then it did nothing, and all ranks call gws__outbox_send(). Not collective. */
bool gws__outbox_send_part(struct gws__outbox *outbox, gws__outbox_receive *receive, void *context);

#endif
