/* SPDX-License-Identifier: MIT */
/* The sizes of a build of octrees by sorting on CUDA, the table of the kernels of kernels/cuda/octree_sort.cu, and
 * their launches. The plan fills a bucket little more than half, because the sample only estimates the number of
 * points. A sample of all points is exact. */
#include <math.h>

#include "octree_sort_cuda.h"

/* ---- sizes of a build ---- */

enum {
    planned_bucket = 4864, /* maximum points of a bucket, by the estimate of the sample */
    sample_stride = 128,   /* the sample has sample_run points of each stride */
    sample_run = 4,
    slots_per_point = 4, /* bucket slots per point */
    by_groups = 1 << 17, /* number of points from which on points first go to groups of buckets */
};

/* Returns the number of levels, of three bits each, that can distinguish that many numbers. */
static uint32_t levels_of(uint64_t numbers)
{
    uint32_t levels = 0;
    while (levels < 21 && UINT64_C(1) << 3 * levels < numbers) levels++;
    return levels;
}

/* Chooses the parameters. `few` is at least K, so the tree divides every octant that the plan splits. */
static void choose_params(struct gws__sorting *sorting)
{
    const struct gws__octree_state *state = sorting->state;
    uint64_t points = state->points->count, leaf = state->leaf < points ? state->leaf : points;
    uint64_t max_bucket = leaf > planned_bucket ? leaf : planned_bucket;
    const uint32_t rate = sample_stride / sample_run;
    bool all = sorting->again || leaf > planned_bucket / rate;
    struct octree_sort_params *params = &sorting->params;
    *params = (struct octree_sort_params){.points = (uint32_t)points,
                                          .leaf = (uint32_t)leaf,
                                          .depth = state->depth,
                                          .number_levels = levels_of(points),
                                          .stride = all ? 1 : sample_stride,
                                          .run = all ? 1 : sample_run,
                                          .has_box = sorting->builder->options.tree.has_box};
    params->few = (uint32_t)(all ? max_bucket : planned_bucket / rate);
    params->samples = (uint32_t)(points / params->stride * params->run);
    if (points <= max_bucket) params->samples = 0;
    /* The sample bounds the number of octants per level with more than few sampled points. */
    uint64_t cuts = params->samples / (params->few + UINT64_C(1)) + 1, deep = params->depth + params->number_levels;
    params->table_capacity = (uint32_t)(8 + cuts * (all ? deep / 3 + 1 : 4));
    params->bucket_capacity =
        (uint32_t)(8 +
                   8 * cuts * (all ? deep : 4)); /* a multiple of four, because a thread counts four buckets at once */
    params->slot_capacity = points < OCTREE_MAX_BUCKET ? OCTREE_MAX_BUCKET : all ? points : points * slots_per_point;
    if (params->slot_capacity > UINT32_MAX) params->slot_capacity = UINT32_MAX;
    /* The possible excess of 512 groups over their estimated parts of the points. This excess is largest when all
     * groups are equal. */
    double beyond = (1 << 18) + 768 * sqrt((double)points);
    if (!all && points >= by_groups) params->staged_capacity = (uint32_t)(points + (uint64_t)beyond);
}

gws_status gws__sorting_reserve(struct gws__sorting *sorting, enum gws__sorting_buffer which, uint64_t bytes)
{
    return gws__octree_buffer_reserve(sorting->builder->device, &sorting->own->buffer[which], bytes, sorting->where);
}

gws_status gws__sorting_prepare(struct gws__sorting *sorting)
{
    choose_params(sorting);
    const struct octree_sort_params *params = &sorting->params;
    uint64_t points = params->points;
    const struct {
        enum gws__sorting_buffer which;
        uint64_t bytes;
    } needs[] = {{sorting_sample, (uint64_t)params->samples * sorting_item_bytes},
                 {sorting_where_sampled, (uint64_t)params->samples * 4},
                 {sorting_count, (uint64_t)params->table_capacity * OCTREE_BINS * 4},
                 {sorting_entry, (uint64_t)params->table_capacity * OCTREE_BINS * 4},
                 {sorting_tables, (uint64_t)params->table_capacity * sorting_table_bytes},
                 {sorting_buckets, (uint64_t)params->bucket_capacity * sorting_bucket_bytes},
                 {sorting_cursor, (uint64_t)params->bucket_capacity * 4},
                 {sorting_lists, (uint64_t)params->bucket_capacity * sorting_lists_of_buckets * 4},
                 {sorting_groups, sorting_group_bytes},
                 {sorting_staged, (uint64_t)params->staged_capacity * sorting_item_bytes},
                 {sorting_slots, params->slot_capacity * sorting_item_bytes},
                 {sorting_order, points * 4},
                 {sorting_leaves, points * sorting_record_bytes},
                 {sorting_opened, (uint64_t)params->bucket_capacity * OCTREE_ROWS * 4}};
    gws_status status = GWS_OK;
    for (size_t i = 0; i < sizeof needs / sizeof *needs && status == GWS_OK; i++)
        status = gws__sorting_reserve(sorting, needs[i].which, needs[i].bytes);
    return status;
}

/* ---- the kernels ---- */

/* Kernel arguments, in order: buffers and these values (argument_of()). */
enum {
    pass_params = sorting_buffers, /* sorting->params */
    pass_points,                   /* the number of points */
    pass_grid,
    pass_again
};

#define AXES sorting_axis_x, sorting_axis_y, sorting_axis_z
#define DIVIDE_ARGUMENTS                                                                                               \
    pass_params, sorting_buckets, sorting_cursor, sorting_lists, sorting_slots, sorting_order, sorting_leaves,         \
        sorting_opened, sorting_now
#define NODE_ARGUMENTS                                                                                                 \
    pass_params, sorting_buckets, sorting_cursor, sorting_opened, sorting_leaves, sorting_nodes, sorting_leaf_list,    \
        sorting_now

#define KERNEL(NAME, OF_DOUBLES, THREADS, GROUPS, BYTES, EARLY, ...)                                                   \
    {                                                                                                                  \
        NAME, OF_DOUBLES, THREADS, GROUPS, BYTES, EARLY,                                                               \
        {                                                                                                              \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    }

static const struct {
    const char *name, *of_doubles; /* of_doubles: NULL where one kernel serves both types */
    uint32_t threads;              /* items per group */
    uint32_t groups;               /* maximum per multiprocessor; 0: the caller's number */
    uint32_t bytes;                /* local memory, the last argument; 0: none */
    bool early;                    /* the kernel itself waits for its predecessor */
    uint8_t passed[12];            /* arguments, terminated by sorting_none */
} kernels[] = {
    [sorting_begin] = KERNEL("octree_begin", NULL, 512, 0, 0, false, pass_params, pass_grid, pass_again, sorting_count,
                             sorting_entry, sorting_tables, sorting_groups, sorting_now),
    [sorting_extent] =
        KERNEL("octree_extent_float", "octree_extent_double", 1024, 2, 0, false, AXES, pass_points, sorting_now),
    [sorting_draw] = KERNEL("octree_sample_float", "octree_sample_double", 256, 8, 0, false, AXES, pass_params,
                            sorting_sample, sorting_now),
    [sorting_plan] = KERNEL("octree_plan", NULL, 512, 0, 0, false, pass_params, sorting_sample, sorting_where_sampled,
                            sorting_count, sorting_entry, sorting_tables, sorting_buckets, sorting_cursor,
                            sorting_groups, sorting_now, sorting_arrived),
    [sorting_scatter] = KERNEL("octree_scatter_float", "octree_scatter_double", 512, 4, 0, false, AXES, pass_params,
                               sorting_entry, sorting_cursor, sorting_slots, sorting_now),
    [sorting_group] = KERNEL("octree_group_float", "octree_group_double", 512, 2, sorting_tile_bytes, false, AXES,
                             pass_params, sorting_entry, sorting_groups, sorting_staged, sorting_now),
    [sorting_scatter_groups] = KERNEL("octree_scatter_groups", NULL, 512, 2, sorting_tile_bytes, false, pass_params,
                                      sorting_groups, sorting_staged, sorting_cursor, sorting_slots, sorting_now),
    [sorting_assign] = KERNEL("octree_place", NULL, 1024, 1, 0, false, pass_params, sorting_buckets, sorting_cursor,
                              sorting_lists, sorting_opened, sorting_now),
    [sorting_one_pass_large] = KERNEL("octree_one_pass_large", NULL, 1024, 1, 58432, false, DIVIDE_ARGUMENTS),
    [sorting_one_pass_middle] = KERNEL("octree_one_pass_middle", NULL, 512, 2, 40000, true, DIVIDE_ARGUMENTS),
    [sorting_one_pass_small] = KERNEL("octree_one_pass_small", NULL, 256, 4, 21568, true, DIVIDE_ARGUMENTS),
    [sorting_one_pass_tiny] = KERNEL("octree_one_pass_tiny", NULL, 128, 8, 15424, true, DIVIDE_ARGUMENTS),
    [sorting_divide_large] = KERNEL("octree_divide_large", NULL, 512, 2, sorting_large_bytes, true, DIVIDE_ARGUMENTS),
    [sorting_divide_middle] = KERNEL("octree_divide_middle", NULL, 512, 2, 72448, true, DIVIDE_ARGUMENTS),
    [sorting_divide_small] = KERNEL("octree_divide_small", NULL, 256, 4, 31696, true, DIVIDE_ARGUMENTS),
    [sorting_sums] = KERNEL("octree_count", NULL, 1024, 0, 0, true, pass_params, sorting_opened, sorting_now),
    [sorting_write_nodes] = KERNEL("octree_nodes", NULL, 128, 12, 0, false, NODE_ARGUMENTS),
    [sorting_close] = KERNEL("octree_close", NULL, 256, 8, 0, false, NODE_ARGUMENTS),
};

static struct gws_device_argument argument_of(const struct gws__sorting *sorting, uint8_t passed)
{
    const struct gws_device_argument values[] = {
        {.value = &sorting->params, .bytes = sizeof sorting->params},
        {.value = &sorting->params.points, .bytes = sizeof sorting->params.points},
        {.value = &sorting->state->grid, .bytes = sizeof sorting->state->grid},
        {.value = &sorting->again, .bytes = sizeof sorting->again},
    };
    return passed >= sorting_buffers ? values[passed - sorting_buffers]
                                     : (struct gws_device_argument){.buffer = sorting->own->buffer[passed]};
}

gws_status gws__sorting_launch(struct gws__sorting *sorting, enum gws__sorting_kernel which, uint64_t max_groups)
{
    struct gws_device_argument argument[sizeof kernels->passed + 1];
    uint64_t groups = kernels[which].groups * (uint64_t)gws_device_describe(sorting->builder->device)->units;
    bool is_double = sorting->state->points->is_double && kernels[which].of_doubles;
    struct gws_device_launch launch = {.program = sorting->own->program,
                                       .kernel = is_double ? kernels[which].of_doubles : kernels[which].name,
                                       .groups = groups && groups < max_groups ? groups : max_groups,
                                       .group_size = kernels[which].threads,
                                       .resident = which == sorting_plan,
                                       .early = kernels[which].early,
                                       .argument = argument};
    for (const uint8_t *passed = kernels[which].passed; *passed != sorting_none; passed++)
        argument[launch.arguments++] = argument_of(sorting, *passed);
    if (kernels[which].bytes)
        argument[launch.arguments++] = (struct gws_device_argument){.bytes = kernels[which].bytes};
    return gws_device_run(sorting->builder->device, &launch, sorting->where);
}

gws_status gws__sorting_launch_over_points(struct gws__sorting *sorting, enum gws__sorting_kernel which)
{
    return gws__sorting_launch(sorting, which, sorting->state->points->count / kernels[which].threads + 1);
}

gws_status gws__sorting_resident(struct gws_octree_device *builder, enum gws__sorting_kernel which, uint64_t *groups,
                                 struct gws_diagnostic *where)
{
    const struct gws__sorting_own *own = builder->own;
    const struct gws_device_argument local = {.bytes = kernels[which].bytes};
    struct gws_device_launch launch = {.program = own->program,
                                       .kernel = kernels[which].name,
                                       .group_size = kernels[which].threads,
                                       .argument = &local,
                                       .arguments = local.bytes > 0};
    return gws_device_resident(builder->device, &launch, groups, where);
}
