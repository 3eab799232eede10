/* SPDX-License-Identifier: MIT */
/* The tree while it grows, on several workers at once and in any order: a sprout for each octant, 8 bytes, which the
 * one worker that settles the octant writes once. Laid out afterwards (octree_flatten.c).
 *
 * A sprout is a leaf's number of points times 2 plus 1, or a pointer to the twig of a divided octant, plus 2 where the
 * octant is too much for one worker to lay out, or 0 for an octant without points. A twig is a mask of the children
 * that hold points, then their sprouts, in order. */
#ifndef GWS_SPACE_OCTREE_SPROUT_H
#define GWS_SPACE_OCTREE_SPROUT_H

#include "../../lib/parallel.h"

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

#endif
