/* SPDX-License-Identifier: MIT */
/* Building octrees by sorting on CUDA: the nodes, level by level, from the leaves that the buckets have left; and the
 * tree's way back to the host. */
#include <string.h>

#include "octree_sort_cuda.h"

static void count_nodes(struct gws__sorting *sorting, struct gws_octree *tree)
{
    tree->nodes = 0;
    for (uint32_t l = 0; l < sorting_rows - 1; l++) {
        sorting->levels.begin[l] = tree->nodes;
        tree->nodes += sorting->now.total[l];
        if (sorting->now.total[l]) tree->depth = l;
    }
    tree->leaves = sorting->now.total[sorting_rows - 1];
    tree->empty = 8 * (tree->nodes - tree->leaves) - (tree->nodes - 1);
}

static uint64_t room_in(const struct gws__sorting *sorting, enum gws__sorting_buffer which, uint64_t each)
{
    const struct gws_device_buffer *buffer = sorting->own->buffer[which];
    return buffer ? gws_device_buffer_bytes(buffer) / each : 0;
}

gws_status gws__sorting_lay(struct gws__sorting *sorting)
{
    static const enum gws__sorting_buffer passed[] = {
        sorting_buckets, sorting_cursor, sorting_opened, sorting_leaves, sorting_nodes, sorting_leaf_list, sorting_now};
    struct gws__sorting_call call = {.count = 0};
    sorting->asked.node_room = room_in(sorting, sorting_nodes, sizeof(struct gws_octree_node));
    sorting->asked.leaf_room = room_in(sorting, sorting_leaf_list, sizeof(uint64_t));
    if (sorting->asked.node_room == 0) return GWS_OK;
    gws__sorting_pass_value(&call, &sorting->asked, sizeof sorting->asked);
    for (size_t i = 0; i < sizeof passed / sizeof *passed; i++) gws__sorting_pass(&call, sorting, passed[i]);
    uint64_t units = gws_device_describe(sorting->builder->device)->units, most = sorting->asked.bucket_room;
    gws_status status =
        gws__sorting_launch(sorting, "octree_nodes", 12 * units < most ? 12 * units : most, sorting_lay_threads, &call);
    uint64_t above = most / 256 + 1;
    if (status == GWS_OK)
        status = gws__sorting_launch(sorting, "octree_close", above < 8 * units ? above : 8 * units, 256, &call);
    return status;
}

gws_status gws__sorting_flatten(struct gws__sorting *sorting, struct gws_octree *tree)
{
    gws_status status = GWS_OK;
    count_nodes(sorting, tree);
    if (tree->nodes > sorting->asked.node_room || tree->leaves > sorting->asked.leaf_room) {
        status = gws__sorting_need(sorting, sorting_nodes, tree->nodes * sizeof *tree->node);
        if (status == GWS_OK) status = gws__sorting_need(sorting, sorting_leaf_list, tree->leaves * sizeof *tree->leaf);
        if (status == GWS_OK) status = gws__sorting_lay(sorting);
        if (status == GWS_OK) status = gws__sorting_read(sorting);
    }
    tree->max_leaf = sorting->now.max_leaf;
    tree->large = sorting->now.large;
    return status;
}

/* ---- the way back ---- */

/* Numbers of 32 bits, in the back half of the array, become its numbers of 64 bits; from the front, where there is room
 * already. */
static void widen(uint64_t *index, uint64_t kept)
{
    const char *narrow = (const char *)index + 4 * kept;
    for (uint64_t i = 0; i < kept; i++) {
        uint32_t point;
        memcpy(&point, narrow + 4 * i, sizeof point);
        index[i] = point;
    }
}

gws_status gws__sorting_download(struct gws__sorting *sorting, struct gws_octree *tree)
{
    struct gws__octree_state *state = sorting->state;
    struct gws__sorting_own *own = sorting->own;
    gws_status status = gws__octree_index_new(state, sorting->now.kept);
    if (status == GWS_OK && !gws__octree_owner_room(state->runtime, tree)) status = GWS_NO_MEMORY;
    if (status != GWS_OK) return status;
    memcpy(tree->owner->level_begin, sorting->levels.begin, (tree->depth + UINT64_C(1)) * sizeof(uint64_t));
    tree->owner->level_begin[tree->depth + 1] = tree->nodes;
    uint64_t kept = state->kept;
    void *to = state->index32 ? (void *)state->index32 : (char *)state->index64 + 4 * kept;
    status = gws_device_read(own->buffer[sorting_order], 0, to, 4 * kept, sorting->where);
    if (status == GWS_OK && state->index64) widen(state->index64, kept);
    if (status == GWS_OK)
        status = gws_device_read(own->buffer[sorting_nodes], 0, tree->owner->node, tree->nodes * sizeof *tree->node,
                                 sorting->where);
    if (status == GWS_OK)
        status = gws_device_read(own->buffer[sorting_leaf_list], 0, tree->owner->leaf,
                                 tree->leaves * sizeof *tree->leaf, sorting->where);
    return status;
}
