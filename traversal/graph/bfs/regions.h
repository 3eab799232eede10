/* SPDX-License-Identifier: MIT */
/* State of a search by regions; see regions.c. Messages go in blocks of some dozens; blocks and lists are one worker's
 * or one region's own between two barriers, so nothing in them is atomic. */
#ifndef GWS_TRAVERSAL_BFS_REGIONS_H
#define GWS_TRAVERSAL_BFS_REGIONS_H

#include "state.h"

enum { regions_levels = 32, bfs_max_regions = 1024, bfs_block_messages = 41, bfs_slab_blocks = 64 };

/* vertex can be reached at depth by way of parent. */
struct gws__bfs_message {
    uint32_t vertex, parent, depth;
};

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
struct gws__bfs_block *gws__bfs_block_acquire(struct gws__bfs_blocks *blocks, const struct gws_allocator *allocator);
void gws__bfs_blocks_free(struct gws__bfs_blocks *blocks, const struct gws_allocator *allocator);

/* A list of vertices that grows. */
struct gws__bfs_list {
    uint32_t *vertex;
    uint64_t count, capacity;
};

/* Makes room for one more; false when memory is short. */
bool gws__bfs_list_grow(struct gws__bfs_list *list, const struct gws_allocator *allocator);
void gws__bfs_list_free(struct gws__bfs_list *list, const struct gws_allocator *allocator);

static inline bool gws__bfs_list_add(struct gws__bfs_list *list, const struct gws_allocator *allocator, uint32_t vertex)
{
    if (list->count == list->capacity && !gws__bfs_list_grow(list, allocator)) return false;
    list->vertex[list->count++] = vertex;
    return true;
}

/* One worker's own. */
struct gws__bfs_region_worker {
    alignas(128) struct gws__bfs_list bucket[regions_levels]; /* vertices to expand, by depth; empty between tasks */
    struct gws__bfs_blocks blocks;
    struct gws__bfs_block *outbox[2][bfs_max_regions]; /* messages by round, even or odd, and receiving region */
    uint64_t round;                                    /* that it worked in last; what follows is of that round */
    uint32_t min_depth; /* the least depth in a message that it wrote, UINT32_MAX for none */
    uint32_t deepest;   /* the largest depth it gave in this search */
    bool failed;        /* memory was short */
};

struct gws__bfs_regions {
    struct gws_allocator allocator;
    uint32_t workers_made;          /* entries of worker and part */
    uint32_t workers, count, shift; /* of this search; vertex v is in region v >> shift */
    uint64_t round;
    uint32_t begin;      /* the window is depths begin .. begin + regions_levels - 1 */
    bool first;          /* this is the window's first round */
    void *worker_memory; /* what was allocated for worker[] */
    struct gws__bfs_region_worker *worker;
    struct gws__bfs_list pending[bfs_max_regions]; /* a region's vertices of depth begin + regions_levels */
    struct gws_range *part;                        /* of active, by the worker whose regions they are */
    uint32_t home[bfs_max_regions];                /* who ran the region last; written by who has it */
    uint32_t actives;
    uint32_t active[bfs_max_regions];
};

/* Before a search, and after it: its memory and its start; the levels, sizes and sums of the result. */
gws_status gws__bfs_regions_prepare(struct gws__bfs *bfs);
gws_status gws__bfs_regions_count(struct gws__bfs *bfs);

#endif
