/* SPDX-License-Identifier: MIT */
/* Constants and structs that the host shares with the CUDA kernels of octrees: C11 for the host, C++ for nvcc. The
 * host's side is traversal/space/device/octree_sort_cuda.h and octree_query_cuda.c. */
#ifndef GWS_KERNELS_CUDA_OCTREE_LAYOUT_H
#define GWS_KERNELS_CUDA_OCTREE_LAYOUT_H

#define OCTREE_KEY_LEVELS 21                /* GWS_OCTREE_DEPTH */
#define OCTREE_ROWS (OCTREE_KEY_LEVELS + 2) /* nodes opened on each level, then leaves */
#define OCTREE_MAX_BUCKET 8192              /* points in a bucket */
#define OCTREE_BINS 512                     /* three levels */
#define OCTREE_MAX_ROUNDS 12                /* of the plan: three levels each, for 21 levels and a 30-bit number */
#define OCTREE_SIZES 4                      /* large, middle, small and tiny buckets */
#define OCTREE_HARD_SIZES 3                 /* sizes with lists of deferred buckets */

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
    unsigned few;         /* sampled points in a bucket at most */
    unsigned stride, run; /* `run` points of each stride are sampled: all points if both are equal */
    unsigned samples, table_capacity, bucket_capacity;
    unsigned staged_capacity;                        /* items in all groups of buckets; 0: points go directly to their
                                                      * buckets */
    unsigned has_box;                                /* the caller gives the grid */
    unsigned long long node_capacity, leaf_capacity; /* of the arrays of the tree */
};

/* The state of a build: zero when the build begins, except for a given grid. When the build is repeated from all
 * points, the first words are kept. */
struct octree_sort_state {
    struct octree_sort_box box;
    unsigned long long extent[6];  /* low and high of x, y, z, as ordered(); low is complemented, so that 0 is less than
                                    * all values */
    unsigned long long non_finite; /* points that are not finite */
    unsigned long long blocks_done; /* blocks that have merged their extent */
    unsigned long long slots;       /* reserved so far */
    unsigned long long keyless;     /* points that are in no bucket */
    unsigned tables, buckets, indexed;
    unsigned failed; /* a bucket or an array was too small: the build is repeated, with all points in the sample */
    /* buckets of each list: large, middle, small, tiny; the larger half of each size first */
    unsigned listed[2 * OCTREE_SIZES], hard[OCTREE_HARD_SIZES];
    unsigned ticket[OCTREE_SIZES + OCTREE_HARD_SIZES]; /* buckets of each list taken by blocks */
    unsigned max_leaf, large;
    unsigned total[OCTREE_ROWS];
    unsigned group_shift; /* bucket b is in group b >> group_shift */
    unsigned sampled;     /* points of the sample that have a key */
    /* tables of each round of the plan with a large part of the sample; 0: none */
    unsigned hot[OCTREE_MAX_ROUNDS][8], hots[OCTREE_MAX_ROUNDS];
};

/* The first argument of the kernels of queries. Coordinates times unit, a power of two, have squares that neither
 * overflow nor vanish; low and width include the factor. */
struct octree_query_tree {
    struct octree_grid grid;
    double unit, low[3], width[3], slack[3];
    unsigned wide, is_double; /* point numbers, and coordinates, have 64 bits */
};

#endif
