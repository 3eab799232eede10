/* SPDX-License-Identifier: MIT */
/* Constants and structs that the host (C11) shares with the CUDA kernels of octrees (C++). The host's side is
 * traversal/space/device/octree_sort_cuda.h and octree_query_cuda.c. */
#ifndef GWS_KERNELS_CUDA_OCTREE_LAYOUT_H
#define GWS_KERNELS_CUDA_OCTREE_LAYOUT_H

#define OCTREE_KEY_LEVELS 21                /* GWS_OCTREE_DEPTH */
#define OCTREE_ROWS (OCTREE_KEY_LEVELS + 2) /* one row of opened nodes for each level, then one of leaves */
#define OCTREE_MAX_BUCKET 8192              /* maximum number of points in a bucket */
#define OCTREE_BINS 512                     /* bins by three levels */
#define OCTREE_MAX_ROUNDS 12 /* maximum rounds of the plan, of three levels each: 21 levels and a 30-bit number */
#define OCTREE_SIZES 4       /* large, middle, small and tiny buckets */
#define OCTREE_HARD_SIZES 3  /* sizes with lists of deferred buckets */

/* The layout of struct gws__octree_grid. */
struct octree_grid {
    double low[3], high[3], factor, start[3], scale[3];
};

/* The grid of a build. plain: all points lie in its box, and its factor is 1. */
struct octree_sort_box {
    struct octree_grid grid;
    unsigned plain, padding;
};

/* Build parameters. */
struct octree_sort_params {
    unsigned long long slot_capacity; /* items in all buckets */
    unsigned points, leaf, depth, number_levels;
    unsigned few;         /* limit of sampled points per bucket */
    unsigned stride, run; /* the sample has `run` points of each stride; it has all points if both are equal */
    unsigned samples, table_capacity, bucket_capacity;
    unsigned staged_capacity;                        /* items in all groups of buckets; 0: points go directly to their
                                                      * buckets */
    unsigned has_box;                                /* the caller gives the grid */
    unsigned long long node_capacity, leaf_capacity; /* capacities of the tree's arrays */
};

/* The state of a build. It is zero when the build begins, except for a given grid. When the host repeats the build with
 * all points in the sample, the first words keep their values. */
struct octree_sort_state {
    struct octree_sort_box box;
    unsigned long long extent[6];   /* low and high of x, y, z, as ordered(); low is complemented, which makes 0 the
                                     * initial value of both */
    unsigned long long non_finite;  /* points that are not finite */
    unsigned long long blocks_done; /* blocks that have merged their extent */
    unsigned long long slots;       /* slots reserved so far */
    unsigned long long keyless;     /* points that are in no bucket */
    unsigned tables, buckets, indexed;
    unsigned failed; /* a bucket or an array was too small; the host then repeats the build with all points in the
                      * sample */
    /* buckets of each list: large, middle, small, tiny; the larger half of each size first */
    unsigned listed[2 * OCTREE_SIZES], hard[OCTREE_HARD_SIZES];
    unsigned ticket[OCTREE_SIZES + OCTREE_HARD_SIZES]; /* number of buckets of each list that blocks have taken */
    unsigned max_leaf, large;
    unsigned total[OCTREE_ROWS];
    unsigned group_shift; /* bucket b is in group b >> group_shift */
    unsigned sampled;     /* points of the sample that have a key */
    /* tables of each round of the plan with a large part of the sample; 0: none */
    unsigned hot[OCTREE_MAX_ROUNDS][8], hots[OCTREE_MAX_ROUNDS];
};

/* The first argument of the kernels of queries. unit is a power of two. Squares of coordinates times unit neither
 * overflow nor vanish. low and width include this factor. */
struct octree_query_tree {
    struct octree_grid grid;
    double unit, low[3], width[3], slack[3];
    unsigned wide, is_double; /* point numbers, and coordinates, have 64 bits */
};

#endif
