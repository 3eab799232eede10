/* SPDX-License-Identifier: MIT */
/* Octree partitioning (Cederman, Tsigas, "Dynamic Load Balancing Using Work-Stealing", GPU Computing Gems Jade, section
 * 35.4.2): an octant that holds more than a number of points is divided in all three dimensions, until none does.
 *
 * The tree is canonical: points, box, leaf size and depth decide every entry of every array. Who builds it, with how
 * many threads and under which policy, does not. The rules, which gws_octree_check() holds a tree against:
 *
 * - The box is low .. high along each axis, both ends inside; when none is given, low is the points' smallest corner
 *   and high = low + h + h, h the largest of (largest x) / 2 - (smallest x) / 2: a cube, to rounding.
 * - Along an axis, coordinate x lies in cell floor((x f - low f) s), s = 2^21 / (high f - low f), in doubles rounded to
 *   nearest after each operation; the last cell, 2^21 - 1, takes what rounds beyond it. s is at most 2^1020, and 0
 * where high = low. f is 1; 1/4 where some high - low overflows; 2^120 where the largest is below 2^-950. So octants
 * meet where this function steps, and a point on the border between two belongs to the upper one.
 * - The Morton key of a point is its three cells' bits, the highest first, each x, y, z in turn: 63 bits. An octant of
 *   level L is what shares the first 3 L bits; its number among its siblings is the last three, 4 x + 2 y + z.
 * - The root holds all points. An octant of more than K points above the depth limit is divided; its children are its
 *   octants that hold points. Others are leaves. A leaf of more than K points lies at the depth limit (points that
 *   equal each other, or nearly) and is marked as large.
 * - Nodes are sorted by level, then by key: the root first, siblings side by side. Leaves are listed in order of keys.
 *   Points are ordered by leaf, and within a leaf by their own number. */
#ifndef GWS_OCTREE_H
#define GWS_OCTREE_H

#include "../lib/points.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { GWS_OCTREE_DEPTH = 21 }; /* the deepest level that a key can name */

/* No parent (the root's), or no child (a leaf's). */
#define GWS_OCTREE_NONE UINT64_MAX

struct gws_octree_node {
    uint64_t key;         /* the first 3 * level bits of its points' keys, as a number: the root's is 0 */
    uint64_t begin, end;  /* its points: places begin .. end - 1 of the leaf order */
    uint64_t parent;      /* a node, or GWS_OCTREE_NONE */
    uint64_t first_child; /* its children are this node and the next ones, as many as child_mask has bits set */
    uint8_t child_mask;   /* bit c is set when octant c holds points and so is a node; 0: a leaf */
    uint8_t level;        /* 0 .. GWS_OCTREE_DEPTH */
    bool large;           /* a leaf of more than K points, at the depth limit */
};

/* How a tree is built. All make the same tree. */
enum gws_octree_builder {
    GWS_OCTREE_AUTO,   /* the fastest: at present always by sorting */
    GWS_OCTREE_SORT,   /* points are dealt out by their Morton keys, several levels at once, then octant by octant */
    GWS_OCTREE_BY_TASK /* as in the text: a task is an octant with its points, and makes a task of each that is divided
                        */
};

struct gws_octree_options {
    uint64_t leaf;      /* K, points that a leaf may hold; 0: 32 */
    uint32_t max_depth; /* 1 .. GWS_OCTREE_DEPTH; 0: GWS_OCTREE_DEPTH */
    enum gws_octree_builder builder;
    bool drop;              /* leave out points that are not finite or lie outside of the box, and count them */
    bool wide;              /* index64 rather than index32, also where 32 bits are enough */
    bool has_box;           /* low and high say where the box lies; false: the bounding cube */
    double low[3], high[3]; /* finite, low <= high */
};

/* What it took to build a tree. */
struct gws_octree_stats {
    enum gws_octree_builder builder; /* never AUTO */
    double bounds_ms;                /* finding the box, and points that do not belong */
    double sort_ms;                  /* dealing the points out to their leaves: by tasks, all tasks */
    double flatten_ms;               /* laying the nodes out in their order */
    double ms;                       /* all of it */
    uint64_t tasks;                  /* octants, or groups of octants, that were handed to workers */
    uint64_t placed;                 /* points in leaves, as counted when the nodes are laid out */
};

/* Read-only to users. */
struct gws_octree {
    uint64_t points;                    /* in the tree: those given without the dropped ones */
    uint64_t dropped;                   /* left out, on request */
    uint64_t given;                     /* points + dropped */
    uint64_t nodes;                     /* at least 1: a tree without points is an empty root */
    uint64_t leaves;                    /* nodes that are leaves */
    uint64_t empty;                     /* octants of divided nodes that hold no point, and so are no nodes */
    uint64_t large;                     /* leaves of more than K points */
    uint64_t max_leaf;                  /* points in the fullest leaf */
    uint32_t depth;                     /* the deepest node's level */
    uint32_t max_depth;                 /* as asked for, never 0 */
    uint64_t leaf_size;                 /* K as asked for, never 0 */
    double low[3], high[3];             /* the box */
    const struct gws_octree_node *node; /* nodes entries */
    const uint64_t *level_begin;        /* level L's nodes are level_begin[L] .. level_begin[L + 1] - 1; depth + 2
                                         * entries */
    const uint64_t *leaf;               /* leaves entries: the leaves' nodes in order of their points */
    const uint32_t *index32;            /* points entries: who is at that place of the leaf order, or NULL */
    const uint64_t *index64;            /* the same where there are 2^32 points or more, or on request; else NULL */
    bool is_double;                     /* what x, y and z are, as the points given were */
    const void *x, *y, *z;              /* points entries each, in leaf order: see gws_octree_copy_points(); or NULL */
    struct gws_octree_stats stats;
    struct gws__octree_owner *owner; /* private: who frees the arrays */
};

/* The number, in the set that was given, of the point at a place of the leaf order; O(1). */
static inline uint64_t gws_octree_point(const struct gws_octree *tree, uint64_t place)
{
    return tree->index64 ? tree->index64[place] : tree->index32[place];
}

/* Builds the tree of points, whose x, y and z are read and not kept. options may be NULL.
 * Errors, *tree as it was: GWS_INVALID (a depth above GWS_OCTREE_DEPTH, a box that is not one, an unknown builder),
 * GWS_OUT_OF_RANGE (a point that is not finite or outside of the box, and drop is not set: where->message names the
 * first), GWS_TOO_LARGE (more than 2^48 points, a size that overflows), GWS_NO_MEMORY, GWS_WRONG_RESULT (a point was
 * lost or counted twice: never, unless the runtime loses or doubles work).
 * Cost: O(points * depth), about 5 ns a point and core for floats and 7 levels; by tasks four times that.
 * Memory beside the points: while they are sorted 12 bytes a point (16 when wide) and 10 a node;
 * then the tree itself, 4 (8) a point, 48 a node and 8 a leaf, with 10 a node still there. Nodes that take more than
 * half of the memory that points were sorted in, and fit, stay there: the tree is larger by what they leave of it. That
 * is 14.7 bytes a point at the peak for K = 32 and uniform points, where a node holds 6 of them. A few MB, and 2 a
 * worker, do not depend on the points. */
GWS_API gws_status gws_octree_build(struct gws_runtime *runtime, const struct gws_points *points,
                                    const struct gws_octree_options *options, struct gws_octree **tree,
                                    struct gws_where *where);

/* Frees the tree; NULL is allowed. */
GWS_API void gws_octree_destroy(struct gws_octree *tree);

/* Overwrites the tree's arrays with what no tree has; it can only be destroyed then. For who verifies the next tree,
 * which may lie in the same memory: so one that was not written cannot pass for right. NULL is allowed. */
GWS_API void gws_octree_poison(struct gws_octree *tree);

/* The builders' names, "auto", "sort", "task", in the order of the enum; NULL past the end. about (may be NULL)
 * receives a sentence. */
GWS_API const char *gws_octree_builder_at(uint32_t i, const char **about);

/* Where an octant lies. The border of two octants is where the cell function steps, which may be a rounding away from
 * what is said here. */
GWS_API void gws_octree_bounds(const struct gws_octree *tree, uint64_t node, double low[3], double high[3]);

/* ---- the points in leaf order: queries need one of the three ---- */

/* Copies the coordinates into the tree (x, y, z), in leaf order. points are those that the tree was built from, not
 * changed since. Errors: GWS_INVALID (not as many points as were given, or of the other type), GWS_NO_MEMORY. */
GWS_API gws_status gws_octree_copy_points(struct gws_runtime *runtime, struct gws_octree *tree,
                                          const struct gws_points *points);

/* Puts the rows of points, columns included, into leaf order where they lie, drops those that the tree has left out
 * (points->count becomes tree->points), and has the tree point at x, y and z, which must outlive it. Takes memory for
 * one column. Errors as above, with nothing moved. */
GWS_API gws_status gws_octree_sort_points(struct gws_runtime *runtime, struct gws_octree *tree,
                                          struct gws_points *points);

/* Has the tree point at points, which are in leaf order already (read from a file, say) and must outlive it. Errors:
 * GWS_INVALID (not tree->points rows). */
GWS_API gws_status gws_octree_use_points(struct gws_octree *tree, const struct gws_points *points);

/* ---- */

/* Builds the tree of the same points, box, K and depth once more, serially, straight from the rules above and apart
 * from the builders, and compares every entry of every array; x, y and z too where the tree has them. points are those
 * that the tree was built from. Errors: GWS_WRONG_RESULT (where->message says what differs first; where may be NULL),
 * GWS_INVALID (not as many points as were given), GWS_NO_MEMORY. Takes 16 bytes a point and 64 a node, and about 0.5 us
 * a point. */
GWS_API gws_status gws_octree_check(struct gws_runtime *runtime, const struct gws_points *points,
                                    const struct gws_octree *tree, struct gws_where *where);

#ifdef __cplusplus
}
#endif
#endif
