/* SPDX-License-Identifier: MIT */
#include "regions_messages.h"

#include <string.h>

struct gws__bfs_block *gws__bfs_block_take(struct gws__bfs_blocks *blocks, const struct gws_allocator *allocator)
{
    if (!blocks->empty) {
        struct gws__bfs_slab *slab = allocator->allocate(allocator->context, sizeof *slab);
        if (!slab) return NULL;
        slab->next = blocks->slab;
        blocks->slab = slab;
        for (uint32_t i = 0; i < bfs_slab_blocks; i++) {
            slab->block[i].next = blocks->empty;
            blocks->empty = &slab->block[i];
        }
    }
    struct gws__bfs_block *block = blocks->empty;
    blocks->empty = block->next;
    block->next = NULL;
    block->count = 0;
    return block;
}

void gws__bfs_blocks_free(struct gws__bfs_blocks *blocks, const struct gws_allocator *allocator)
{
    for (struct gws__bfs_slab *slab = blocks->slab, *next; slab; slab = next) {
        next = slab->next;
        allocator->release(allocator->context, slab, sizeof *slab);
    }
    *blocks = (struct gws__bfs_blocks){0};
}

bool gws__bfs_list_grow(struct gws__bfs_list *list, const struct gws_allocator *allocator)
{
    uint64_t room = list->room ? 2 * list->room : 256;
    uint32_t *vertex = allocator->allocate(allocator->context, (size_t)(room * sizeof *vertex));
    if (!vertex) return false;
    struct gws__bfs_list old = *list;
    if (old.count) memcpy(vertex, old.vertex, old.count * sizeof *vertex);
    gws__bfs_list_free(list, allocator);
    *list = (struct gws__bfs_list){vertex, old.count, room};
    return true;
}

void gws__bfs_list_free(struct gws__bfs_list *list, const struct gws_allocator *allocator)
{
    if (list->vertex) allocator->release(allocator->context, list->vertex, (size_t)(list->room * sizeof *list->vertex));
    *list = (struct gws__bfs_list){0};
}
