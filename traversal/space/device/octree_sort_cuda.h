/* SPDX-License-Identifier: MIT */
/* Shared declarations of the octree builder by sorting on CUDA. octree_sort_cuda.c has the strategy and the steps of a
 * build; octree_sort_cuda_launch.c has the sizes of a build and the table of kernels. kernels/cuda/octree_words.cuh
 * describes the arrays. */
#ifndef GWS_SPACE_OCTREE_SORT_CUDA_H
#define GWS_SPACE_OCTREE_SORT_CUDA_H

#include "octree_device_state.h"

/* Equal to the constants of kernels/cuda/octree_words.cuh. */
enum {
    sorting_rows = GWS_OCTREE_DEPTH + 2,
    sorting_max_bucket = 8192,
    sorting_bins = 512,
    sorting_rounds = 12,      /* rounds of the plan */
    sorting_first_tables = 8, /* later tables are cleared when they are created */
    sorting_item_bytes = 16,
    sorting_table_bytes = 64,
    sorting_bucket_bytes = 40,
    sorting_record_bytes = 16,
    sorting_large_bytes = 113200, /* struct divide_memory of large blocks */
    sorting_sizes = 4,
    sorting_lists_of_buckets = 11, /* two lists per size, then the lists of buckets that remain to be divided */
    sorting_tile_bytes = 69904,    /* struct tile_memory */
    sorting_group_bytes = 512 * 16,
};

enum gws__sorting_buffer {
    sorting_none,
    sorting_axis_x,
    sorting_axis_y,
    sorting_axis_z,
    sorting_sample,
    sorting_where_sampled,
    sorting_count,
    sorting_entry,
    sorting_tables,
    sorting_buckets,
    sorting_cursor,
    sorting_lists,
    sorting_groups,
    sorting_staged,
    sorting_slots,
    sorting_order,
    sorting_leaves,
    sorting_opened,
    sorting_nodes,
    sorting_leaf_list,
    sorting_now,
    sorting_arrived,
    sorting_buffers
};

/* The kernels, in launch order. */
enum gws__sorting_kernel {
    sorting_begin,
    sorting_extent,
    sorting_draw,
    sorting_plan,
    sorting_scatter,
    sorting_group,
    sorting_scatter_groups,
    sorting_assign,
    sorting_one_pass_large,
    sorting_one_pass_middle,
    sorting_one_pass_small,
    sorting_one_pass_tiny,
    sorting_divide_large,
    sorting_divide_middle,
    sorting_divide_small,
    sorting_sums,
    sorting_write_nodes,
    sorting_close
};

/* The parameters of a build, and its state on the device. */
struct gws__sorting_params {
    uint64_t slot_capacity;
    uint32_t points, leaf, depth, number_levels, few, stride, run, samples, table_capacity, bucket_capacity,
        staged_capacity, has_box;
    uint64_t node_capacity, leaf_capacity;
};

struct gws__sorting_build {
    struct gws__octree_grid grid;
    uint32_t plain, padding;
    uint64_t extent[6], non_finite, looked, slots, keyless;
    uint32_t tables, buckets, indexed, failed, listed[2 * sorting_sizes], hard[3], ticket[7], max_leaf, large,
        total[sorting_rows], group_shift, sampled, hot[9 * sorting_rounds];
};

_Static_assert(sizeof(struct gws_octree_node) == 48 && sizeof(struct gws__octree_grid) == 13 * sizeof(double) &&
                   sizeof(struct gws__sorting_build) == 824 && sizeof(struct gws__sorting_params) == 72,
               "as the kernels have them");

/* The data of a builder. */
struct gws__sorting_own {
    struct gws_device_program *program;
    struct gws_device_buffer *buffer[sorting_buffers];
    uint64_t plan_groups; /* resident blocks of the kernel octree_plan */
};

/* A running build. */
struct gws__sorting {
    struct gws_octree_device *builder;
    struct gws__sorting_own *own;
    struct gws__octree_state *state;
    struct gws_diagnostic *where;
    uint32_t again; /* the second attempt, with every point in the sample */
    struct gws__sorting_params params;
    struct gws__sorting_build now;
};

/* gws__sorting_prepare() chooses the parameters of a build of state->points and reserves its buffers. Buffers persist
 * from one build to the next and grow. */
gws_status gws__sorting_prepare(struct gws__sorting *sorting);
gws_status gws__sorting_reserve(struct gws__sorting *sorting, enum gws__sorting_buffer which, uint64_t bytes);

/* Starts a kernel of 1 to max_groups groups, or a kernel with one item per point. */
gws_status gws__sorting_launch(struct gws__sorting *sorting, enum gws__sorting_kernel which, uint64_t max_groups);
gws_status gws__sorting_launch_over_points(struct gws__sorting *sorting, enum gws__sorting_kernel which);

/* Finds how many groups of a kernel can run at the same time. */
gws_status gws__sorting_resident(struct gws_octree_device *builder, enum gws__sorting_kernel which, uint64_t *groups,
                                 struct gws_diagnostic *where);

#endif
