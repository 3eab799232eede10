/* SPDX-License-Identifier: MIT */
/* What the parts of building a tree share. */
#ifndef GWS_SPACE_OCTREE_STATE_H
#define GWS_SPACE_OCTREE_STATE_H

#include "../../lib/parallel.h"
#include "octree_owner.h"

/* The tree while it grows, on several workers at once and in any order: a sprout for each octant, 8 bytes, which the
 * one worker that settles the octant writes once. Laid out afterwards (octree_flatten.c).
 *
 * A sprout is a leaf's number of points times 2 plus 1, or a pointer to the twig of a divided octant, plus 2 where the
 * octant is too much for one worker to lay out, or 0 for an octant without points. A twig is a mask of the children
 * that hold points, then their sprouts, in order. */

typedef uint64_t gws__octree_sprout;

struct gws__octree_twig {
    uint64_t mask;
    gws__octree_sprout child[];
};

/* Memory for one worker's twigs: chunks, all given back together. */
struct gws__octree_arena {
    struct gws__octree_chunk *chunk; /* the newest, which knows the others */
    uint64_t *next;                  /* left words are free from here on */
    uint64_t left;
    uint64_t words; /* of the next chunk */
    bool failed;
    char apart[88];
};

static inline gws__octree_sprout gws__octree_leaf(uint64_t points)
{
    return points << 1 | 1;
}

static inline bool gws__octree_is_leaf(gws__octree_sprout sprout)
{
    return (sprout & 1) != 0;
}

static inline bool gws__octree_is_shared(gws__octree_sprout sprout)
{
    return (sprout & 3) == 2;
}

static inline struct gws__octree_twig *gws__octree_twig_of(gws__octree_sprout sprout)
{
    return (struct gws__octree_twig *)(uintptr_t)(sprout & ~UINT64_C(2)); // NOLINT(performance-no-int-to-ptr)
}

static inline gws__octree_sprout gws__octree_branch(const struct gws__octree_twig *twig)
{
    return (uintptr_t)twig;
}

static inline gws__octree_sprout gws__octree_shared_branch(const struct gws__octree_twig *twig)
{
    return (uintptr_t)twig | 2;
}

/* A twig for the children in mask, whose sprouts are not set; NULL when memory is short, which the arena remembers. */
struct gws__octree_twig *gws__octree_twig_new(struct gws_runtime *runtime, struct gws__octree_arena *arena,
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
    gws__octree_sprout root;
    uint64_t tasks, placed;
};

/* Where the numbers of points go from a place of the leaf order on: into one of the state's two arrays. */
struct gws__octree_index {
    uint32_t *narrow; /* NULL when wide */
    uint64_t *wide;
};

static inline struct gws__octree_index gws__octree_index_at(const struct gws__octree_state *state, uint64_t place)
{
    return state->wide ? (struct gws__octree_index){NULL, state->index64 + place}
                       : (struct gws__octree_index){state->index32 + place, NULL};
}

static inline void gws__octree_put(struct gws__octree_index index, uint64_t at, uint64_t number)
{
    if (index.narrow)
        index.narrow[at] = (uint32_t)number;
    else
        index.wide[at] = number;
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

#endif
