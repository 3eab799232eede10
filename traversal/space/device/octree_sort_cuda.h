/* SPDX-License-Identifier: MIT */
/* Building octrees by sorting on CUDA: what the parts share. A build finds the box and plans its buckets from a sample
 * (octree_sort_cuda_plan.c), deals the points out and divides each bucket (octree_sort_cuda_deal.c), then numbers the
 * nodes and fetches the tree (octree_sort_cuda_nodes.c). What the arrays and words hold,
 * kernels/cuda/octree_words.cuh says. */
#ifndef GWS_SPACE_OCTREE_SORT_CUDA_H
#define GWS_SPACE_OCTREE_SORT_CUDA_H

#include "octree_device_state.h"

/* As in kernels/cuda/octree_words.cuh. */
enum {
    sorting_rows = GWS_OCTREE_DEPTH + 2,
    sorting_most_bucket = 8192,
    sorting_bins = 512,
    sorting_rounds = 12,      /* of the plan */
    sorting_first_tables = 8, /* those made later are cleared then */
    sorting_item_bytes = 16,
    sorting_table_bytes = 64,
    sorting_bucket_bytes = 40,
    sorting_record_bytes = 16,
    sorting_large_bytes = 113200, /* struct divide_memory, of large blocks */
    sorting_middle_bytes = 72448,
    sorting_small_bytes = 31696,
    sorting_small_threads = 256,
    sorting_settle_large_bytes = 58432, /* struct settle_memory */
    sorting_settle_middle_bytes = 40000,
    sorting_settle_small_bytes = 21568,
    sorting_settle_tiny_bytes = 15424,
    sorting_settle_large_threads = 1024,
    sorting_tiny_threads = 128,
    sorting_sizes = 4,
    sorting_lists_of_buckets = 11, /* two of each size, then of those that are left to divide */
    sorting_extent_threads = 1024,
    sorting_lay_threads = 128,
    sorting_tile_bytes = 69904, /* struct tile_memory */
    sorting_group_bytes = 512 * 16,
};

enum { sorting_group = 512 }; /* items in a group, of most kernels */

enum gws__sorting_buffer {
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

/* What is asked of a build; what it found; where the levels' nodes begin. */
struct gws__sorting_asked {
    uint64_t slot_room;
    uint32_t points, leaf, depth, number_levels, few, stride, run, samples, table_room, bucket_room, staged_room,
        has_box;
    uint64_t node_room, leaf_room;
};

struct gws__sorting_build {
    struct gws__octree_grid grid;
    uint32_t plain, spare;
    uint64_t extent[6], strange, looked, slots, keyless;
    uint32_t tables, buckets, kept, failed, listed[2 * sorting_sizes], hard[3], ticket[7], max_leaf, large,
        total[sorting_rows], group_shift, sampled, hot[9 * sorting_rounds];
};

struct gws__sorting_levels {
    uint64_t begin[GWS_OCTREE_DEPTH + 3];
};

_Static_assert(sizeof(struct gws_octree_node) == 48 && sizeof(struct gws__octree_grid) == 13 * sizeof(double) &&
                   sizeof(struct gws__sorting_build) == 824 && sizeof(struct gws__sorting_asked) == 72,
               "as the kernels have them");

/* A builder's, for all its builds. */
struct gws__sorting_own {
    struct gws_device_program *program;
    struct gws_device_buffer *buffer[sorting_buffers];
    uint64_t plan_groups; /* of octree_plan, that run at the same time */
};

/* A build under way. */
struct gws__sorting {
    struct gws_octree_device *builder;
    struct gws__sorting_own *own;
    struct gws__octree_state *state;
    struct gws_where *where;
    struct gws__sorting_asked asked;
    struct gws__sorting_build now;
    struct gws__sorting_levels levels;
};

/* Arguments in the kernel's order. */
struct gws__sorting_call {
    struct gws_device_argument argument[16];
    uint32_t count;
};

/* ---- octree_sort_cuda_launch.c ---- */

/* Room for so many bytes. Memory stays from one build to the next, and grows. */
gws_status gws__sorting_need(struct gws__sorting *sorting, enum gws__sorting_buffer which, uint64_t bytes);

/* Adds an argument. */
void gws__sorting_pass(struct gws__sorting_call *call, const struct gws__sorting *sorting,
                       enum gws__sorting_buffer which);
void gws__sorting_pass_value(struct gws__sorting_call *call, const void *value, uint64_t bytes);

gws_status gws__sorting_launch(struct gws__sorting *sorting, const char *kernel, uint64_t groups, uint64_t size,
                               const struct gws__sorting_call *call);

/* Of two kernels, for floats and for doubles, the one that suits the coordinates, which it gets before the rest. */
gws_status gws__sorting_launch_over_points(struct gws__sorting *sorting, const char *kernels[2], uint64_t groups_a_unit,
                                           uint64_t size, struct gws__sorting_call *rest);

/* What the build is at, into sorting->now. */
gws_status gws__sorting_read(struct gws__sorting *sorting);

/* ---- octree_sort_cuda_plan.c ---- */

/* Memory for the build, words that begin as zero, and, where no box is given, the points' extent. again: once more,
 * from all points. */
gws_status gws__sorting_begin(struct gws__sorting *sorting, bool again);

/* The grid, from the points' extent as the device found it. */
gws_status gws__sorting_take_box(struct gws__sorting *sorting);

/* Plans the buckets. */
gws_status gws__sorting_plan(struct gws__sorting *sorting);

/* ---- octree_sort_cuda_deal.c ---- */

/* The points, to their buckets. */
gws_status gws__sorting_deal(struct gws__sorting *sorting);

/* Each bucket, to leaves in order; and the counts of nodes. */
gws_status gws__sorting_divide(struct gws__sorting *sorting);

/* ---- octree_sort_cuda_nodes.c ---- */

/* The nodes; none where there is no room for them. */
gws_status gws__sorting_lay(struct gws__sorting *sorting);

/* The nodes, where there was no room, and the tree's counts, from what the build was at. */
gws_status gws__sorting_flatten(struct gws__sorting *sorting, struct gws_octree *tree);

/* The tree, to the host. */
gws_status gws__sorting_download(struct gws__sorting *sorting, struct gws_octree *tree);

#endif
