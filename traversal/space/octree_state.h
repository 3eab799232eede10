/* SPDX-License-Identifier: MIT */
/* Shared declarations of the octree builders. */
#ifndef GWS_SPACE_OCTREE_STATE_H
#define GWS_SPACE_OCTREE_STATE_H

#include <stdatomic.h>

#include "../../lib/parallel.h"
#include "../../lib/tasks.h"
#include "octree_owner.h"

/* The tree during construction. Several workers build the tree at the same time, in any order. Each octant has a handle
 * of 8 bytes. Exactly one worker writes the handle, once. octree_flatten.c converts the handles to nodes.
 *
 * A handle is 0 for an octant without points. The handle of a leaf is the number of points times 2 plus 1. The handle
 * of a divided octant is a pointer to its inner node, plus 2 if several workers should lay out the octant. An inner
 * node is a mask of the children that hold points, then their handles, in order. */

typedef uint64_t gws__octree_handle;

struct gws__octree_inner {
    uint64_t mask;
    gws__octree_handle child[];
};

/* Memory for one worker's inner nodes, as a list of chunks, which gws__octree_arenas_free() frees together. */
struct gws__octree_arena {
    struct gws__octree_chunk *chunk; /* the newest chunk, which links to the others */
    uint64_t *next;                  /* the first of `left` free words */
    uint64_t left;
    uint64_t words; /* size of the next chunk */
    bool failed;
    char padding[88];
};

static inline gws__octree_handle gws__octree_leaf(uint64_t points)
{
    return points << 1 | 1;
}

static inline bool gws__octree_handle_is_leaf(gws__octree_handle handle)
{
    return (handle & 1) != 0;
}

static inline bool gws__octree_is_shared(gws__octree_handle handle)
{
    return (handle & 3) == 2;
}

static inline struct gws__octree_inner *gws__octree_inner_of(gws__octree_handle handle)
{
    return (struct gws__octree_inner *)(uintptr_t)(handle & ~UINT64_C(2)); // NOLINT(performance-no-int-to-ptr)
}

static inline gws__octree_handle gws__octree_branch(const struct gws__octree_inner *inner)
{
    return (uintptr_t)inner;
}

static inline gws__octree_handle gws__octree_shared_branch(const struct gws__octree_inner *inner)
{
    return (uintptr_t)inner | 2;
}

/* Allocates an inner node for the children in mask, without setting their handles. Returns NULL and sets arena->failed
 * when memory is short. */
struct gws__octree_inner *gws__octree_inner_new(struct gws_runtime *runtime, struct gws__octree_arena *arena,
                                                unsigned mask);

/* Allocates one arena per worker. Returns NULL when memory is short. */
struct gws__octree_arena *gws__octree_arenas_new(struct gws_runtime *runtime);
bool gws__octree_arenas_failed(const struct gws_runtime *runtime, const struct gws__octree_arena *arena);
void gws__octree_arenas_free(struct gws_runtime *runtime, struct gws__octree_arena *arena); /* accepts NULL */

/* A tree under construction. The builder sets the fields after the line. */
struct gws__octree_state {
    struct gws_runtime *runtime;
    const struct gws_points *points;
    struct gws__octree_grid grid;
    uint64_t leaf;  /* K */
    unsigned depth; /* 1 .. GWS_OCTREE_DEPTH */
    bool drop, wide;
    struct gws_diagnostic *where;
    /* ---- */
    uint64_t indexed;  /* points in the tree */
    uint32_t *index32; /* `indexed` entries; NULL when wide */
    uint64_t *index64; /* `indexed` entries; NULL unless wide */
    struct gws__octree_arena *arena;
    void *reusable; /* the builder's scratch memory, which the nodes may reuse, or NULL */
    uint64_t reusable_bytes;
    gws__octree_handle root;
    uint64_t tasks, finalised;
};

/* A part of the state's index, from a position of the leaf order on. */
struct gws__octree_index {
    void *at; /* uint64_t when wide, else uint32_t */
    bool wide;
};

static inline struct gws__octree_index gws__octree_index_at(const struct gws__octree_state *state, uint64_t position)
{
    return state->wide ? (struct gws__octree_index){state->index64 + position, true}
                       : (struct gws__octree_index){state->index32 + position, false};
}

static inline void gws__octree_index_set(struct gws__octree_index index, uint64_t at, uint64_t number)
{
    if (index.wide)
        ((uint64_t *)index.at)[at] = number;
    else
        ((uint32_t *)index.at)[at] = (uint32_t)number;
}

static inline uint64_t gws__octree_index_get(struct gws__octree_index index, uint64_t at)
{
    return index.wide ? ((const uint64_t *)index.at)[at] : ((const uint32_t *)index.at)[at];
}

/* Returns true if an octant of that level with that many points is a leaf. */
static inline bool gws__octree_is_leaf(const struct gws__octree_state *state, uint64_t points, unsigned level)
{
    return points <= state->leaf || level == state->depth;
}

/* Validates the options and the points. Errors: GWS_INVALID, GWS_TOO_LARGE (see gws_octree_build()). */
gws_status gws__octree_check_options(const struct gws_octree_options *options, const struct gws_points *points,
                                     struct gws_diagnostic *where);

/* Initialises the state from the options, except for the grid. */
void gws__octree_state_set(struct gws__octree_state *state, struct gws_runtime *runtime,
                           const struct gws_points *points, const struct gws_octree_options *options,
                           struct gws_diagnostic *where);

/* Moves the index to the tree and sets the tree's remaining fields. */
void gws__octree_state_finish(struct gws__octree_state *state, struct gws_octree *tree);

/* Sets the grid to the bounding cube of the finite points, found in parallel. Errors: GWS_OUT_OF_RANGE (some points
 * are not finite, and drop is not set). */
gws_status gws__octree_find_box(struct gws__octree_state *state);

/* The two builders. Both set `indexed`, the index, the arenas and the root. The caller frees the index and the arenas
 * with gws__octree_state_clear(), also after an error. Errors: GWS_OUT_OF_RANGE (a point has no key, and drop is not
 * set). */
gws_status gws__octree_sort(struct gws__octree_state *state);
gws_status gws__octree_by_task(struct gws__octree_state *state);

/* Allocates an index of `indexed` point numbers. */
gws_status gws__octree_index_new(struct gws__octree_state *state, uint64_t indexed);
void gws__octree_state_clear(struct gws__octree_state *state);

/* Returns GWS_OUT_OF_RANGE, with a message about the first point without a key. */
gws_status gws__octree_no_key(const struct gws__octree_state *state);

/* Writes the nodes of the built tree in their order. On success the tree owns the nodes. The state gives up the
 * reusable memory in any case. */
gws_status gws__octree_flatten(struct gws__octree_state *state, struct gws_octree *tree);

/* ---- octants as tasks, shared by both widths of point numbers ---- */

/* A task has the octant of points begin .. end - 1 of the current order, and the destination of the octant's handle. */
struct gws__octree_octant {
    uint64_t begin, end;
    gws__octree_handle *handle;
    uint64_t level;
};

enum { gws__octree_max_parts = 64 }; /* parts of the points, by the first two digits of their keys */

/* The counters of one worker. */
struct gws__octree_tally {
    _Atomic uint64_t
        finalised;  /* points in leaves so far. relaxed: other workers read this number only for an estimate */
    uint64_t tasks; /* octants divided */
    char padding[112];
};

struct gws__octree_work {
    struct gws__octree_state *state;
    uint64_t *key;      /* key of each point in the index, in index order */
    uint64_t stable;    /* workers divide octants of at least this many points stably; 0: none. Each leaf in smaller
                           octants sorts its points */
    uint64_t *key_copy; /* scratch for stable division, as long as key; NULL when stable is 0 */
    void *index_copy;
    struct gws__octree_tally *tally;
    uint64_t finalised_on_device; /* points in leaves on the device, which the caller of gws__octree_finalised() updates
                                     during the run */
    uint64_t part[gws__octree_max_parts + 1]; /* first position of each part, if the points are ordered by part */
    struct gws__octree_octant root[gws__octree_max_parts];
    uint32_t roots;
};

/* Writes keys and numbers of the points that have a key, in their order or grouped by part. Allocates work->key and
 * the state's index. The caller frees work->key. */
gws_status gws__octree_gather_points(struct gws__octree_work *work, bool by_part);

/* Prepares the first tasks of work->state. On entry, all other fields of work are zero. The caller calls
 * gws__octree_work_close() even after an error. */
gws_status gws__octree_work_open(struct gws__octree_work *work);
void gws__octree_work_close(struct gws__octree_work *work);

/* Runs the first tasks and all tasks that they spawn, with runner(context, work, tasks) or, if runner is NULL, with
 * gws_tasks_run(). */
typedef gws_status gws__octree_runner(void *context, struct gws__octree_work *work, const struct gws_tasks *tasks);
gws_status gws__octree_work_run(struct gws__octree_work *work, gws__octree_runner *runner, void *context);

/* Returns the number of points in leaves so far. */
static inline uint64_t gws__octree_finalised(const struct gws__octree_work *work)
{
    uint64_t finalised = work->finalised_on_device;
    for (uint32_t w = 0; w < gws_runtime_workers(work->state->runtime); w++)
        finalised += atomic_load_explicit(&work->tally[w].finalised, memory_order_relaxed);
    return finalised;
}

/* Functions of type gws_task_run, whose context is a struct gws__octree_work. */
void gws__octree_run_narrow(void *context, struct gws_task_worker *self, uint32_t worker, const void *task,
                            uint32_t count);
void gws__octree_run_wide(void *context, struct gws_task_worker *self, uint32_t worker, const void *task,
                          uint32_t count);

#endif
