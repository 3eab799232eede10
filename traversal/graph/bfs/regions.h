/* SPDX-License-Identifier: MIT */
/* State of a search by regions (see regions.c). A block holds some dozens of messages. Between two barriers, each
 * block and each list belongs to one worker or one region. So accesses to blocks and lists need no atomics. */
#ifndef GWS_TRAVERSAL_BFS_REGIONS_H
#define GWS_TRAVERSAL_BFS_REGIONS_H

#include "state.h"

enum { regions_levels = 32, bfs_max_regions = 1024, bfs_block_messages = 41, bfs_slab_blocks = 64 };

/* A message that parent reaches vertex at depth. */
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

/* A worker's empty blocks, and all memory that the worker has allocated for blocks. */
struct gws__bfs_blocks {
    struct gws__bfs_block *empty;
    struct gws__bfs_slab *slab;
};

/* Returns an empty block, or NULL if memory ran out. */
struct gws__bfs_block *gws__bfs_block_acquire(struct gws__bfs_blocks *blocks, const struct gws_allocator *allocator);
void gws__bfs_blocks_free(struct gws__bfs_blocks *blocks, const struct gws_allocator *allocator);

/* A growing list of vertices. */
struct gws__bfs_list {
    uint32_t *vertex;
    uint64_t count, capacity;
};

/* Reserves space for one more vertex. Returns false if memory ran out. */
bool gws__bfs_list_grow(struct gws__bfs_list *list, const struct gws_allocator *allocator);
void gws__bfs_list_free(struct gws__bfs_list *list, const struct gws_allocator *allocator);

static inline bool gws__bfs_list_add(struct gws__bfs_list *list, const struct gws_allocator *allocator, uint32_t vertex)
{
    if (list->count == list->capacity && !gws__bfs_list_grow(list, allocator)) return false;
    list->vertex[list->count++] = vertex;
    return true;
}

/* State of one worker. */
struct gws__bfs_region_worker {
    alignas(128) struct gws__bfs_list bucket[regions_levels]; /* vertices to expand, by depth; empty between tasks */
    struct gws__bfs_blocks blocks;
    struct gws__bfs_block *outbox[2][bfs_max_regions]; /* messages by parity of the round and receiving region */
    uint64_t round;     /* the last round in which the worker ran, to which the next fields belong */
    uint32_t min_depth; /* smallest depth in the worker's messages, UINT32_MAX without messages */
    uint32_t deepest;   /* largest depth that the worker wrote in this search */
    bool failed;        /* memory ran out */
};

struct gws__bfs_regions {
    struct gws_allocator allocator;
    uint32_t workers_made;          /* entries of worker and part */
    uint32_t workers, count, shift; /* numbers for this search, where vertex v is in region v >> shift */
    uint64_t round;
    uint32_t begin;      /* the superstep covers depths begin .. begin + regions_levels - 1 */
    bool first;          /* true in the superstep's first round */
    void *worker_memory; /* the allocation that holds worker[] */
    struct gws__bfs_region_worker *worker;
    struct gws__bfs_list pending[bfs_max_regions]; /* vertices of a region at depth begin + regions_levels */
    struct gws_range *part;                        /* ranges of active by the worker of the regions */
    uint32_t home[bfs_max_regions];                /* the worker that ran the region last, which writes the entry */
    uint32_t actives;
    uint32_t active[bfs_max_regions];
};

/* gws__bfs_regions_prepare() allocates and initialises the state before a search. gws__bfs_regions_count() fills the
 * result's levels, sizes and sums after the search. */
gws_status gws__bfs_regions_prepare(struct gws__bfs *bfs);
gws_status gws__bfs_regions_count(struct gws__bfs *bfs);

#endif
