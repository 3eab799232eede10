/* SPDX-License-Identifier: MIT */
/* Building octrees by sorting on CUDA: the points go to their buckets, at once or by way of groups of buckets, and each
 * bucket is divided in the memory of one group. */
#include "octree_sort_cuda.h"

/* To their buckets at once. */
static gws_status deal_out(struct gws__sorting *sorting)
{
    static const char *kernels[2] = {"octree_deal_float", "octree_deal_double"};
    static const enum gws__sorting_buffer passed[] = {sorting_entry, sorting_cursor, sorting_slots, sorting_now};
    struct gws__sorting_call call = {.count = 0};
    gws__sorting_pass_value(&call, &sorting->asked, sizeof sorting->asked);
    for (size_t i = 0; i < sizeof passed / sizeof *passed; i++) gws__sorting_pass(&call, sorting, passed[i]);
    return gws__sorting_launch_over_points(sorting, kernels, 4, sorting_group, &call);
}

/* By way of groups. */
static gws_status deal_by_groups(struct gws__sorting *sorting)
{
    static const char *kernels[2] = {"octree_group_float", "octree_group_double"};
    static const enum gws__sorting_buffer passed[] = {sorting_entry, sorting_groups, sorting_staged, sorting_now};
    static const enum gws__sorting_buffer parted[] = {sorting_groups, sorting_staged, sorting_cursor, sorting_slots,
                                                      sorting_now};
    struct gws__sorting_call call = {.count = 0}, part = {.count = 0};
    uint64_t units = gws_device_describe(sorting->builder->device)->units;
    gws__sorting_pass_value(&call, &sorting->asked, sizeof sorting->asked);
    for (size_t i = 0; i < sizeof passed / sizeof *passed; i++) gws__sorting_pass(&call, sorting, passed[i]);
    call.argument[call.count++] = (struct gws_device_argument){.bytes = sorting_tile_bytes};
    gws_status status = gws__sorting_launch_over_points(sorting, kernels, 2, sorting_group, &call);
    gws__sorting_pass_value(&part, &sorting->asked, sizeof sorting->asked);
    for (size_t i = 0; i < sizeof parted / sizeof *parted; i++) gws__sorting_pass(&part, sorting, parted[i]);
    part.argument[part.count++] = (struct gws_device_argument){.bytes = sorting_tile_bytes};
    return status == GWS_OK ? gws__sorting_launch(sorting, "octree_part", 2 * units, sorting_group, &part) : status;
}

gws_status gws__sorting_deal(struct gws__sorting *sorting)
{
    struct gws__sorting_call place = {.count = 0};
    gws_status status = sorting->asked.staged_room ? deal_by_groups(sorting) : deal_out(sorting);
    gws__sorting_pass_value(&place, &sorting->asked, sizeof sorting->asked);
    gws__sorting_pass(&place, sorting, sorting_buckets);
    gws__sorting_pass(&place, sorting, sorting_cursor);
    gws__sorting_pass(&place, sorting, sorting_lists);
    gws__sorting_pass(&place, sorting, sorting_opened);
    gws__sorting_pass(&place, sorting, sorting_now);
    uint64_t units = gws_device_describe(sorting->builder->device)->units, most = sorting->asked.bucket_room / 1024 + 1;
    return status == GWS_OK ? gws__sorting_launch(sorting, "octree_place", most < units ? most : units, 1024, &place)
                            : status;
}

/* The kernels for buckets of each size, and for those that the first ones leave. */
static const struct {
    const char *kernel;
    uint64_t bytes, groups, threads; /* of memory; a unit */
} sizes[] = {
    {"octree_settle_large", sorting_settle_large_bytes, 1, sorting_settle_large_threads},
    {"octree_settle_middle", sorting_settle_middle_bytes, 2, sorting_group},
    {"octree_settle_small", sorting_settle_small_bytes, 4, sorting_small_threads},
    {"octree_settle_tiny", sorting_settle_tiny_bytes, 8, sorting_tiny_threads},
    {"octree_divide_large", sorting_large_bytes, 2, sorting_group},
    {"octree_divide_middle", sorting_middle_bytes, 2, sorting_group},
    {"octree_divide_small", sorting_small_bytes, 4, sorting_small_threads},
};

gws_status gws__sorting_divide(struct gws__sorting *sorting)
{
    struct gws__sorting_call call = {.count = 0}, sums = {.count = 0};
    uint64_t units = gws_device_describe(sorting->builder->device)->units;
    gws__sorting_pass_value(&call, &sorting->asked, sizeof sorting->asked);
    static const enum gws__sorting_buffer passed[] = {sorting_buckets, sorting_cursor, sorting_lists,  sorting_slots,
                                                      sorting_order,   sorting_leaves, sorting_opened, sorting_now};
    for (size_t i = 0; i < sizeof passed / sizeof *passed; i++) gws__sorting_pass(&call, sorting, passed[i]);
    struct gws_device_argument *local = &call.argument[call.count++];
    gws_status status = GWS_OK;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes && status == GWS_OK; i++) {
        *local = (struct gws_device_argument){.bytes = sizes[i].bytes};
        status = gws__sorting_launch(sorting, sizes[i].kernel, sizes[i].groups * units, sizes[i].threads, &call);
    }
    gws__sorting_pass_value(&sums, &sorting->asked, sizeof sorting->asked);
    gws__sorting_pass(&sums, sorting, sorting_opened);
    gws__sorting_pass(&sums, sorting, sorting_now);
    return status == GWS_OK ? gws__sorting_launch(sorting, "octree_count", sorting_rows, 1024, &sums) : status;
}
