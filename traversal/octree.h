/* SPDX-License-Identifier: MIT */
/* Octree partitioning (Cederman, Tsigas, "Dynamic Load Balancing Using Work-Stealing", GPU Computing Gems Jade,
 * section 35.4.2). The builder recursively divides an octant with more than K points along all three axes, until every
 * leaf holds at most K points or lies at the depth limit.
 *
 * The tree is canonical, since points, box, leaf size and depth determine every entry of every array. The builder, the
 * number of threads and the policy do not affect it. gws_octree_check() compares a tree with these rules:
 *
 * - The box is low .. high along each axis, both ends included. By default, low is the smallest corner of the points
 *   and high = low + h + h, where h is the largest of (largest x) / 2 - (smallest x) / 2 over the axes. This box is a
 *   cube, up to rounding.
 * - Along an axis, coordinate x lies in cell floor((x f - low f) s), where s = 2^21 / (high f - low f). All operations
 *   are in doubles, each rounded to nearest. Values that round beyond the last cell, 2^21 - 1, belong to the last
 *   cell. s is at most 2^1020, and 0 where high = low. f is 1 by default, 1/4 where some high - low overflows, and
 *   2^120 where the largest high - low is below 2^-950. Octants therefore meet where this function steps. A point on a
 *   border belongs to the upper octant.
 * - The Morton key of a point interleaves the bits of its three cells, highest first, x, y, z in turn: 63 bits. The
 *   points of an octant of level L share the first 3 L bits. The last three of these bits, 4 x + 2 y + z, are the
 *   number of the octant among its siblings.
 * - The root holds all points. An octant with more than K points above the depth limit is divided. Its children are
 *   the octants that hold points. All other octants are leaves. A leaf with more than K points lies at the depth limit
 *   (its points are equal or nearly equal) and is marked as large.
 * - Nodes are sorted by level, then by key. So the root comes first, and siblings are adjacent. Leaves are listed in
 *   key order. Points are ordered by leaf, and within a leaf by their number. */
#ifndef GWS_OCTREE_H
#define GWS_OCTREE_H

#include "../lib/points.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { GWS_OCTREE_DEPTH = 21 }; /* the deepest level that a key can name */

/* The parent of the root, and the first child of a leaf. */
#define GWS_OCTREE_NONE UINT64_MAX

struct gws_octree_node {
    uint64_t key;         /* the first 3 * level bits of its points' keys, as a number: the root's is 0 */
    uint64_t begin, end;  /* the node's points are positions begin .. end - 1 of the leaf order */
    uint64_t parent;      /* a node, or GWS_OCTREE_NONE */
    uint64_t first_child; /* the first of popcount(child_mask) consecutive children; GWS_OCTREE_NONE in a leaf */
    uint8_t child_mask;   /* bit c is set if octant c holds points and is therefore a node; 0: the node is a leaf */
    uint8_t level;        /* 0 .. GWS_OCTREE_DEPTH */
    bool large;           /* true for a leaf of more than K points, at the depth limit */
};

/* The algorithm that builds the tree. All builders make the same tree. */
enum gws_octree_builder {
    GWS_OCTREE_AUTO,   /* the fastest builder: currently always GWS_OCTREE_SORT */
    GWS_OCTREE_SORT,   /* partition the points by Morton keys, several levels at once, then divide octant by octant */
    GWS_OCTREE_BY_TASK /* as in the paper, a task divides one octant and spawns tasks for the children to divide */
};

struct gws_octree_options {
    uint64_t leaf;      /* K, the maximum number of points in a leaf; 0: 32 */
    uint32_t max_depth; /* 1 .. GWS_OCTREE_DEPTH; 0: GWS_OCTREE_DEPTH */
    enum gws_octree_builder builder;
    bool drop;    /* leave out points that are not finite or lie outside the box, and count them in `dropped` */
    bool wide;    /* use index64 instead of index32, even where 32 bits are enough */
    bool has_box; /* true: low and high define the box; false: the bounding cube */
    double low[3], high[3]; /* finite, low <= high */
};

/* The cost of building a tree. */
struct gws_octree_stats {
    enum gws_octree_builder builder; /* never AUTO */
    double bounds_ms;                /* time to find the box and the points without a key */
    double sort_ms;                  /* time to partition the points into leaves, or by task the time of all tasks */
    double flatten_ms;               /* time to write the nodes in their order */
    double ms;                       /* total time */
    uint64_t tasks;                  /* octants, or groups of octants, that workers processed */
    uint64_t finalised;              /* points in leaves, counted when the nodes are written */
};

/* Read-only to users. */
struct gws_octree {
    uint64_t points;                    /* points in the tree: given - dropped */
    uint64_t dropped;                   /* points that the builder left out because of options.drop */
    uint64_t given;                     /* points + dropped */
    uint64_t nodes;                     /* at least 1, since a tree without points is an empty root */
    uint64_t leaves;                    /* nodes that are leaves */
    uint64_t empty;                     /* octants of divided nodes without points, which therefore are not nodes */
    uint64_t large;                     /* leaves of more than K points */
    uint64_t max_leaf;                  /* points in the fullest leaf */
    uint32_t depth;                     /* the deepest node's level */
    uint32_t max_depth;                 /* the depth limit, never 0 */
    uint64_t leaf_size;                 /* K, never 0 */
    double low[3], high[3];             /* the box */
    const struct gws_octree_node *node; /* nodes entries */
    const uint64_t *level_begin;        /* level L's nodes are level_begin[L] .. level_begin[L + 1] - 1; depth + 2
                                         * entries */
    const uint64_t *leaf;               /* leaves entries: the leaves' nodes in order of their points */
    const uint32_t *index32; /* points entries, the point's number at each position of the leaf order, or NULL */
    const uint64_t *index64; /* replaces index32 for 2^32 points or more, or on request; otherwise NULL */
    bool is_double;          /* true if x, y and z are doubles, like the given points */
    const void *x, *y, *z;   /* points entries each, in leaf order (see gws_octree_copy_points()), or NULL */
    struct gws_octree_stats stats;
    struct gws__octree_owner *owner; /* private: owns the arrays */
};

/* Returns the number, in the given set, of the point at a position of the leaf order, in O(1). */
static inline uint64_t gws_octree_point(const struct gws_octree *tree, uint64_t position)
{
    return tree->index64 ? tree->index64[position] : tree->index32[position];
}

/* Builds the tree of points. The tree does not refer to points->x, y and z afterwards. options may be NULL. Errors
 * leave *tree unchanged: GWS_INVALID (a depth above GWS_OCTREE_DEPTH, an invalid box, an unknown builder),
 * GWS_OUT_OF_RANGE (drop is not set, and some point is not finite or lies outside the box, of which where->message
 * names the first), GWS_TOO_LARGE (more than 2^48 points, a size that overflows), GWS_NO_MEMORY, GWS_WRONG_RESULT (a
 * point was lost or counted twice, which only an error in the runtime can cause). Cost: O(points * depth), about 5 ns
 * per point and core for floats and 7 levels, and four times as much by task. Memory beside the points during sorting:
 * 12 bytes per point (16 when wide) and 10 per node. Then the tree itself takes 4 (8) per point, 48 per node and 8 per
 * leaf, while the 10 per node remain. If the nodes fit into the memory of the sort and fill more than half of it, the
 * builder stores the nodes there, and the tree also keeps the unused part. The peak is 14.7 bytes per point for K = 32
 * and uniform points, with 6 points per node. A build also takes a few MB, and 2 MB per worker, whatever the number of
 * points. */
GWS_API gws_status gws_octree_build(struct gws_runtime *runtime, const struct gws_points *points,
                                    const struct gws_octree_options *options, struct gws_octree **tree,
                                    struct gws_diagnostic *where);

/* Frees the tree. Accepts NULL. */
GWS_API void gws_octree_destroy(struct gws_octree *tree);

/* Overwrites the tree's arrays with a pattern that no tree contains. Afterwards the caller can only destroy the tree.
 * A caller that verifies the next tree, possibly in the same memory, calls this function, so stale data cannot pass
 * verification. Accepts NULL. */
GWS_API void gws_octree_poison(struct gws_octree *tree);

/* Returns the names of the builders, "auto", "sort", "task", in the order of the enum, or NULL past the end. *about
 * (about may be NULL) receives a one-sentence description. */
GWS_API const char *gws_octree_builder_at(uint32_t i, const char **about);

/* Writes the bounds of an octant. The exact border between two octants is where the cell function steps, which may
 * differ from these bounds by a rounding. */
GWS_API void gws_octree_bounds(const struct gws_octree *tree, uint64_t node, double low[3], double high[3]);

/* ---- the points in leaf order, for which queries require one of these three calls ---- */

/* Copies the coordinates into the tree (x, y, z), in leaf order. points must be the unchanged set of the build.
 * Errors: GWS_INVALID (the count or the type differs), GWS_NO_MEMORY. */
GWS_API gws_status gws_octree_copy_points(struct gws_runtime *runtime, struct gws_octree *tree,
                                          const struct gws_points *points);

/* Permutes the rows of points, columns included, into leaf order in place. Removes the dropped points, so
 * points->count becomes tree->points. Sets x, y and z of the tree to those arrays, which must outlive the tree.
 * Allocates memory for one column. Errors, which leave points unchanged: as for gws_octree_copy_points(). */
GWS_API gws_status gws_octree_sort_points(struct gws_runtime *runtime, struct gws_octree *tree,
                                          struct gws_points *points);

/* Sets x, y and z of the tree to points that are already in leaf order (read from a file, for example) and must outlive
 * the tree. Errors: GWS_INVALID (the number of rows differs from tree->points). */
GWS_API gws_status gws_octree_use_points(struct gws_octree *tree, const struct gws_points *points);

/* ---- */

/* Builds the tree of the same points, box, K and depth again, serially and independently of the builders, directly
 * from the rules above. Compares every entry of every array, and x, y and z if the tree has them. points must be the
 * set of the build. Errors: GWS_WRONG_RESULT (where->message, unless where is NULL, names the first difference),
 * GWS_INVALID (the number of points differs), GWS_NO_MEMORY. The check takes 16 bytes per point and 64 per node, and
 * about 0.5 us per point. */
GWS_API gws_status gws_octree_check(struct gws_runtime *runtime, const struct gws_points *points,
                                    const struct gws_octree *tree, struct gws_diagnostic *where);

#ifdef __cplusplus
}
#endif
#endif
