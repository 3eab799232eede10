/* SPDX-License-Identifier: MIT */
/* What the parts of building a tree share. */
#ifndef GWS_SPACE_OCTREE_STATE_H
#define GWS_SPACE_OCTREE_STATE_H

#include <stdatomic.h>

#include "../../lib/parallel.h"
#include "../../lib/tasks.h"
#include "octree_owner.h"

/* The tree while it grows, on several workers at once and in any order: a handle for each octant, 8 bytes, which the
 * one worker that settles the octant writes once. Laid out afterwards (octree_flatten.c).
 *
 * A handle is a leaf's number of points times 2 plus 1, or a pointer to the inner node of a divided octant, plus 2
 * where the octant is too much for one worker to lay out, or 0 for an octant without points. An inner node is a mask of
 * the children that hold points, then their handles, in order. */

typedef uint64_t gws__octree_handle;

struct gws__octree_inner {
    uint64_t mask;
    gws__octree_handle child[];
};

/* Memory for one worker's inner nodes: chunks, all given back together. */
struct gws__octree_arena {
    struct gws__octree_chunk *chunk; /* the newest, which knows the others */
    uint64_t *next;                  /* left words are free from here on */
    uint64_t left;
    uint64_t words; /* of the next chunk */
    bool failed;
    char apart[88];
};

static inline gws__octree_handle gws__octree_leaf(uint64_t points)
{
    return points << 1 | 1;
}

static inline bool gws__octree_is_leaf(gws__octree_handle handle)
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

/* An inner node for the children in mask, whose handles are not set; NULL when memory is short, which the arena
 * remembers. */
struct gws__octree_inner *gws__octree_inner_new(struct gws_runtime *runtime, struct gws__octree_arena *arena,
                                                unsigned mask);

/* One arena for each worker; NULL when memory is short. */
struct gws__octree_arena *gws__octree_arenas_new(struct gws_runtime *runtime);
bool gws__octree_arenas_failed(const struct gws_runtime *runtime, const struct gws__octree_arena *arena);
void gws__octree_arenas_free(struct gws_runtime *runtime, struct gws__octree_arena *arena); /* NULL is allowed */

/* One tree being built. The builder sets what is below the line. */
struct gws__octree_state {
    struct gws_runtime *runtime;
    const struct gws_points *points;
    struct gws__octree_grid grid;
    uint64_t leaf;  /* K */
    unsigned depth; /* 1 .. GWS_OCTREE_DEPTH */
    bool drop, wide;
    struct gws_where *where;
    /* ---- */
    uint64_t kept;     /* points in the tree */
    uint32_t *index32; /* kept entries; NULL when wide */
    uint64_t *index64; /* kept entries; NULL unless wide */
    struct gws__octree_arena *arena;
    void *spare; /* memory that the builder is done with, for the nodes; or NULL */
    uint64_t spare_bytes;
    gws__octree_handle root;
    uint64_t tasks, placed;
};

/* Where the numbers of points go from a place of the leaf order on: into one of the state's two arrays. */
struct gws__octree_index {
    void *at; /* uint64_t when wide, else uint32_t */
    bool wide;
};

static inline struct gws__octree_index gws__octree_index_at(const struct gws__octree_state *state, uint64_t place)
{
    return state->wide ? (struct gws__octree_index){state->index64 + place, true}
                       : (struct gws__octree_index){state->index32 + place, false};
}

static inline void gws__octree_put(struct gws__octree_index index, uint64_t at, uint64_t number)
{
    if (index.wide)
        ((uint64_t *)index.at)[at] = number;
    else
        ((uint32_t *)index.at)[at] = (uint32_t)number;
}

static inline uint64_t gws__octree_get(struct gws__octree_index index, uint64_t at)
{
    return index.wide ? ((const uint64_t *)index.at)[at] : ((const uint32_t *)index.at)[at];
}

/* An octant of that level with so many points is not divided. */
static inline bool gws__octree_settled(const struct gws__octree_state *state, uint64_t points, unsigned level)
{
    return points <= state->leaf || level == state->depth;
}

/* GWS_INVALID, GWS_TOO_LARGE: see gws_octree_build(). */
gws_status gws__octree_check_options(const struct gws_octree_options *options, const struct gws_points *points,
                                     struct gws_where *where);

/* What was asked for; the grid is not known yet. */
void gws__octree_state_set(struct gws__octree_state *state, struct gws_runtime *runtime,
                           const struct gws_points *points, const struct gws_octree_options *options,
                           struct gws_where *where);

/* The index is the tree's from here on, and what else the tree says of itself. */
void gws__octree_hand_over(struct gws__octree_state *state, struct gws_octree *tree);

/* Sets the grid over the bounding cube of the finite points, found in parallel. GWS_OUT_OF_RANGE: there are others, and
 * they may not be dropped. */
gws_status gws__octree_find_box(struct gws__octree_state *state);

/* The two builders. They set kept, the index, the arenas and the root, which are given back by
 * gws__octree_state_clear() on any answer. GWS_OUT_OF_RANGE: a point has no key and may not be dropped. */
gws_status gws__octree_sort(struct gws__octree_state *state);
gws_status gws__octree_by_task(struct gws__octree_state *state);

/* Room for kept numbers of points. */
gws_status gws__octree_index_new(struct gws__octree_state *state, uint64_t kept);
void gws__octree_state_clear(struct gws__octree_state *state);

/* GWS_OUT_OF_RANGE, with a message about the first point that has no key. */
gws_status gws__octree_no_key(const struct gws__octree_state *state);

/* The nodes of the grown tree, in order. On success the tree has them; the state is as before but for the spare
 * memory, of which it is relieved. */
gws_status gws__octree_flatten(struct gws__octree_state *state, struct gws_octree *tree);

/* ---- octants as tasks: what both widths of numbers share ---- */

/* A task: the octant of points begin .. end - 1 of the leaf order so far, and where its handle goes. */
struct gws__octree_octant {
    uint64_t begin, end;
    gws__octree_handle *handle;
    uint64_t level;
};

enum { gws__octree_parts = 64 }; /* of the points, by the first two digits of their keys */

/* One worker's counts. */
struct gws__octree_tally {
    _Atomic uint64_t placed; /* points that have found their leaf; relaxed: others read it for an estimate alone */
    uint64_t tasks;          /* octants divided */
    char apart[112];
};

struct gws__octree_work {
    struct gws__octree_state *state;
    uint64_t *key;   /* of the points in the index, in its order */
    uint64_t stable; /* octants of at least so many points keep them in their order while they are divided; 0: none. The
                      * others' are put in order leaf by leaf */
    uint64_t *spare_key; /* for that, as many as keys; NULL: not needed */
    void *spare_index;
    struct gws__octree_tally *tally;
    uint64_t placed_on_device;            /* points, while it runs: of who calls gws__octree_placed() */
    uint64_t part[gws__octree_parts + 1]; /* where each part begins, if the points are in that order */
    struct gws__octree_octant root[gws__octree_parts];
    uint32_t roots;
};

/* Keys and numbers of the points that have a key, in their order, or part by part: into work->key, which is the
 * caller's, and the state's index. */
gws_status gws__octree_gather_points(struct gws__octree_work *work, bool by_part);

/* Readies the first tasks of work->state; work is {.state} before, and gws__octree_work_close() is due in any case. */
gws_status gws__octree_work_open(struct gws__octree_work *work);
void gws__octree_work_close(struct gws__octree_work *work);

/* Runs them and all that they spawn, by runner(context, work, tasks) or, if it is NULL, by gws_tasks_run(). */
typedef gws_status gws__octree_runner(void *context, struct gws__octree_work *work, const struct gws_tasks *tasks);
gws_status gws__octree_work_run(struct gws__octree_work *work, gws__octree_runner *runner, void *context);

/* Points that have found their leaf so far. */
static inline uint64_t gws__octree_placed(const struct gws__octree_work *work)
{
    uint64_t placed = work->placed_on_device;
    for (uint32_t w = 0; w < gws_runtime_workers(work->state->runtime); w++)
        placed += atomic_load_explicit(&work->tally[w].placed, memory_order_relaxed);
    return placed;
}

/* Of type gws_task_run, its context a struct gws__octree_work. */
void gws__octree_run_narrow(void *context, struct gws_tasker *self, uint32_t worker, const void *task, uint32_t count);
void gws__octree_run_wide(void *context, struct gws_tasker *self, uint32_t worker, const void *task, uint32_t count);

#endif
