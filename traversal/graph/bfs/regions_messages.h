/* SPDX-License-Identifier: MIT */
/* Messages between the regions of a search by regions (regions.c), in blocks of some dozens, and lists of vertices.
 * Each is one worker's or one region's own between two barriers, so nothing here is atomic. */
#ifndef GWS_TRAVERSAL_BFS_REGIONS_MESSAGES_H
#define GWS_TRAVERSAL_BFS_REGIONS_MESSAGES_H

#include <stdbool.h>
#include <stdint.h>

#include "../../../lib/runtime.h"

/* vertex can be reached at depth by way of parent. */
struct gws__bfs_message {
    uint32_t vertex, parent, depth;
};

enum { bfs_block_messages = 41, bfs_slab_blocks = 64 };

struct gws__bfs_block {
    struct gws__bfs_block *next;
    uint64_t count;
    struct gws__bfs_message message[bfs_block_messages];
};

struct gws__bfs_slab {
    struct gws__bfs_slab *next;
    struct gws__bfs_block block[bfs_slab_blocks];
};

/* A worker's empty blocks, and the memory it has taken for blocks so far. */
struct gws__bfs_blocks {
    struct gws__bfs_block *empty;
    struct gws__bfs_slab *slab;
};

/* An empty block, or NULL when memory is short. */
struct gws__bfs_block *gws__bfs_block_take(struct gws__bfs_blocks *blocks, const struct gws_allocator *allocator);
void gws__bfs_blocks_free(struct gws__bfs_blocks *blocks, const struct gws_allocator *allocator);

/* A list of vertices that grows. */
struct gws__bfs_list {
    uint32_t *vertex;
    uint64_t count, room;
};

/* Makes room for one more; false when memory is short. */
bool gws__bfs_list_grow(struct gws__bfs_list *list, const struct gws_allocator *allocator);
void gws__bfs_list_free(struct gws__bfs_list *list, const struct gws_allocator *allocator);

static inline bool gws__bfs_list_add(struct gws__bfs_list *list, const struct gws_allocator *allocator, uint32_t vertex)
{
    if (list->count == list->room && !gws__bfs_list_grow(list, allocator)) return false;
    list->vertex[list->count++] = vertex;
    return true;
}

#endif
