/* SPDX-License-Identifier: MIT */
/* Building octrees by sorting on CUDA: how buckets are planned, from a sample of the points, and the memory that this
 * takes. A bucket is planned to have little more than half of what it may have, as a sample tells numbers of points
 * only roughly; a sample of all points is exact. */
#include <math.h>

#include "octree_sort_cuda.h"

enum {
    planned_bucket = 4864, /* points that a bucket may have, judging by the sample */
    sample_stride = 128,   /* a run of sample_run in each is sampled */
    sample_run = 4,
    room_factor = 4,     /* places in buckets for each point */
    by_groups = 1 << 17, /* from so many points on they go to groups of buckets first */
};

/* Levels of three bits that tell so many numbers apart. */
static uint32_t levels_of(uint64_t numbers)
{
    uint32_t levels = 0;
    while (levels < 21 && UINT64_C(1) << 3 * levels < numbers) levels++;
    return levels;
}

/* few is at least K, so that an octant that is cut is divided in the tree, too. */
static void ask(struct gws__sorting *sorting)
{
    const struct gws__octree_state *state = sorting->state;
    uint64_t points = state->points->count, leaf = state->leaf < points ? state->leaf : points;
    uint64_t most = leaf > planned_bucket ? leaf : planned_bucket;
    const uint32_t rate = sample_stride / sample_run;
    bool all = sorting->again || leaf > planned_bucket / rate;
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

gws_status gws__sorting_need(struct gws__sorting *sorting, enum gws__sorting_buffer which, uint64_t bytes)
{
    return gws__octree_buffer_need(sorting->builder->device, &sorting->own->buffer[which], bytes, sorting->where);
}

gws_status gws__sorting_prepare(struct gws__sorting *sorting)
{
    ask(sorting);
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
