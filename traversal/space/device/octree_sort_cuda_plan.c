/* SPDX-License-Identifier: MIT */
/* Building octrees by sorting on CUDA: the box, from the points' extent, and the plan of the buckets, from a sample of
 * them. A bucket is planned to have little more than half of what it may have, as a sample tells numbers of points only
 * roughly; a sample of all points is exact. */
#include <math.h>
#include <string.h>

#include "octree_sort_cuda.h"

enum {
    planned_bucket = 4864, /* points that a bucket may have, judging by the sample */
    sample_stride = 128,   /* a run of sample_run in each is sampled */
    sample_run = 4,
    room_factor = 4,     /* places in buckets for each point */
    by_groups = 1 << 17, /* from so many points on they go to groups of buckets first */
};

/* ---- the box ---- */

/* The way back from the order of unsigned integers. */
static double unordered(uint64_t bits)
{
    double x;
    bits = bits >> 63 ? bits & ~(UINT64_C(1) << 63) : ~bits;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static gws_status find_extent(struct gws__sorting *sorting)
{
    static const char *kernels[2] = {"octree_extent_float", "octree_extent_double"};
    uint32_t points = (uint32_t)sorting->state->points->count;
    struct gws__sorting_call call = {.count = 0};
    gws__sorting_pass_value(&call, &points, sizeof points);
    gws__sorting_pass(&call, sorting, sorting_now);
    return gws__sorting_launch_over_points(sorting, kernels, 2, sorting_extent_threads, &call);
}

gws_status gws__sorting_take_box(struct gws__sorting *sorting)
{
    struct gws__octree_state *state = sorting->state;
    double least[3] = {0}, most[3] = {0}, low[3], high[3];
    for (int a = 0; a < 3 && sorting->now.strange < state->points->count; a++) {
        least[a] = unordered(~sorting->now.extent[2 * a]);
        most[a] = unordered(sorting->now.extent[2 * a + 1]);
    }
    gws__octree_cube(least, most, low, high);
    gws_status status = gws__octree_grid_make(&state->grid, low, high);
    return status == GWS_OK && sorting->now.strange > 0 && !state->drop ? gws__octree_no_key(state) : status;
}

/* ---- the plan ---- */

/* Levels of three bits that tell so many numbers apart. */
static uint32_t levels_of(uint64_t numbers)
{
    uint32_t levels = 0;
    while (levels < 21 && UINT64_C(1) << 3 * levels < numbers) levels++;
    return levels;
}

/* few is at least K, so that an octant that is cut is divided in the tree, too. */
static void ask(struct gws__sorting *sorting, bool all)
{
    const struct gws__octree_state *state = sorting->state;
    uint64_t points = state->points->count, leaf = state->leaf < points ? state->leaf : points;
    uint64_t most = leaf > planned_bucket ? leaf : planned_bucket;
    const uint32_t rate = sample_stride / sample_run;
    all = all || leaf > planned_bucket / rate;
    struct gws__sorting_asked *asked = &sorting->asked;
    *asked = (struct gws__sorting_asked){.points = (uint32_t)points,
                                         .leaf = (uint32_t)leaf,
                                         .depth = state->depth,
                                         .number_levels = levels_of(points),
                                         .stride = all ? 1 : sample_stride,
                                         .run = all ? 1 : sample_run,
                                         .has_box = sorting->builder->options.tree.has_box};
    asked->few = (uint32_t)(all ? most : planned_bucket / rate);
    asked->samples = (uint32_t)(points / asked->stride * asked->run);
    if (points <= most) asked->samples = 0;
    /* Each level has at most so many octants of more than few sampled points. */
    uint64_t cuts = asked->samples / (asked->few + UINT64_C(1)) + 1, deep = asked->depth + asked->number_levels;
    asked->table_room = (uint32_t)(8 + cuts * (all ? deep / 3 + 1 : 4));
    asked->bucket_room =
        (uint32_t)(8 + 8 * cuts * (all ? deep : 4)); /* a multiple of four, which a thread counts at once */
    asked->slot_room = points < sorting_most_bucket ? sorting_most_bucket : all ? points : points * room_factor;
    if (asked->slot_room > UINT32_MAX) asked->slot_room = UINT32_MAX;
    /* What 512 groups may have beyond their parts of the points, judging by the sample: most where all are alike. */
    double beyond = (1 << 18) + 768 * sqrt((double)points);
    if (!all && points >= by_groups) asked->staged_room = (uint32_t)(points + (uint64_t)beyond);
}

static gws_status make_room(struct gws__sorting *sorting)
{
    const struct gws__sorting_asked *asked = &sorting->asked;
    uint64_t points = asked->points;
    const struct {
        enum gws__sorting_buffer which;
        uint64_t bytes;
    } needs[] = {{sorting_sample, (uint64_t)asked->samples * sorting_item_bytes},
                 {sorting_where_sampled, (uint64_t)asked->samples * 4},
                 {sorting_count, (uint64_t)asked->table_room * sorting_bins * 4},
                 {sorting_entry, (uint64_t)asked->table_room * sorting_bins * 4},
                 {sorting_tables, (uint64_t)asked->table_room * sorting_table_bytes},
                 {sorting_buckets, (uint64_t)asked->bucket_room * sorting_bucket_bytes},
                 {sorting_cursor, (uint64_t)asked->bucket_room * 4},
                 {sorting_lists, (uint64_t)asked->bucket_room * sorting_lists_of_buckets * 4},
                 {sorting_groups, sorting_group_bytes},
                 {sorting_staged, (uint64_t)asked->staged_room * sorting_item_bytes},
                 {sorting_slots, asked->slot_room * sorting_item_bytes},
                 {sorting_order, points * 4},
                 {sorting_leaves, points * sorting_record_bytes},
                 {sorting_opened, (uint64_t)asked->bucket_room * sorting_rows * 4}};
    gws_status status = GWS_OK;
    for (size_t i = 0; i < sizeof needs / sizeof *needs && status == GWS_OK; i++)
        status = gws__sorting_need(sorting, needs[i].which, needs[i].bytes);
    return status;
}

gws_status gws__sorting_begin(struct gws__sorting *sorting, bool again)
{
    static const enum gws__sorting_buffer passed[] = {sorting_count, sorting_entry, sorting_tables, sorting_groups,
                                                      sorting_now};
    struct gws__sorting_call call = {.count = 0};
    uint32_t once_more = again;
    ask(sorting, again);
    gws_status status = make_room(sorting);
    gws__sorting_pass_value(&call, &sorting->asked, sizeof sorting->asked);
    gws__sorting_pass_value(&call, &sorting->state->grid, sizeof sorting->state->grid);
    gws__sorting_pass_value(&call, &once_more, sizeof once_more);
    for (size_t i = 0; i < sizeof passed / sizeof *passed; i++) gws__sorting_pass(&call, sorting, passed[i]);
    if (status == GWS_OK)
        status = gws__sorting_launch(sorting, "octree_begin", sorting_first_tables, sorting_group, &call);
    return status == GWS_OK && !again && !sorting->asked.has_box ? find_extent(sorting) : status;
}

gws_status gws__sorting_plan(struct gws__sorting *sorting)
{
    static const char *kernels[2] = {"octree_sample_float", "octree_sample_double"};
    struct gws__sorting_call draw = {.count = 0}, call = {.count = 0};
    gws__sorting_pass_value(&draw, &sorting->asked, sizeof sorting->asked);
    gws__sorting_pass(&draw, sorting, sorting_sample);
    gws__sorting_pass(&draw, sorting, sorting_now);
    gws_status status = GWS_OK;
    if (sorting->asked.samples) status = gws__sorting_launch_over_points(sorting, kernels, 8, 256, &draw);
    gws__sorting_pass_value(&call, &sorting->asked, sizeof sorting->asked);
    static const enum gws__sorting_buffer passed[] = {
        sorting_sample,  sorting_where_sampled, sorting_count,  sorting_entry, sorting_tables,
        sorting_buckets, sorting_cursor,        sorting_groups, sorting_now,   sorting_arrived};
    for (size_t i = 0; i < sizeof passed / sizeof *passed; i++) gws__sorting_pass(&call, sorting, passed[i]);
    return status == GWS_OK
               ? gws__sorting_launch(sorting, "octree_plan", sorting->own->plan_groups, sorting_group, &call)
               : status;
}
