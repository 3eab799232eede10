/* SPDX-License-Identifier: MIT */
/* Shared declarations of the octree builder by sorting on CUDA. octree_sort_cuda.c has the strategy and the steps of a
 * build. octree_sort_cuda_launch.c has the sizes of a build and the table of kernels. kernels/cuda/octree_words.cuh
 * describes the arrays. */
#ifndef GWS_SPACE_OCTREE_SORT_CUDA_H
#define GWS_SPACE_OCTREE_SORT_CUDA_H

#include "../../../kernels/cuda/octree_layout.h"
#include "octree_device_state.h"

/* Sizes of the structs of kernels/cuda/octree_words.cuh and of the kernels' shared memory. */
enum {
    sorting_first_tables = 8, /* the kernel clears later tables when it makes them */
    sorting_item_bytes = 16,
    sorting_table_bytes = 64,
    sorting_bucket_bytes = 40,
    sorting_record_bytes = 16,
    sorting_large_bytes = 113200, /* struct divide_memory of large blocks */
    sorting_lists_of_buckets = 2 * OCTREE_SIZES + OCTREE_HARD_SIZES,
    sorting_tile_bytes = 69904, /* struct tile_memory */
    sorting_group_bytes = OCTREE_BINS * 16,
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

_Static_assert(GWS_OCTREE_DEPTH == OCTREE_KEY_LEVELS && sizeof(struct gws_octree_node) == 48 &&
                   sizeof(struct gws__octree_grid) == sizeof(struct octree_grid),
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
    uint32_t again; /* 1 in the second attempt, with every point in the sample */
    struct octree_sort_params params;
    struct octree_sort_state now;
};

/* gws__sorting_prepare() chooses the parameters of a build of state->points and reserves its buffers. Buffers persist
 * from one build to the next and grow. */
gws_status gws__sorting_prepare(struct gws__sorting *sorting);
gws_status gws__sorting_reserve(struct gws__sorting *sorting, enum gws__sorting_buffer which, uint64_t bytes);

/* Starts a kernel with 1 to max_groups groups, or a kernel with one item per point. */
gws_status gws__sorting_launch(struct gws__sorting *sorting, enum gws__sorting_kernel which, uint64_t max_groups);
gws_status gws__sorting_launch_over_points(struct gws__sorting *sorting, enum gws__sorting_kernel which);

/* Finds the number of groups of a kernel that can run at the same time. */
gws_status gws__sorting_resident(struct gws_octree_device *builder, enum gws__sorting_kernel which, uint64_t *groups,
                                 struct gws_diagnostic *where);

#endif
