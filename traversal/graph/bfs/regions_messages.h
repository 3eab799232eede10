/* SPDX-License-Identifier: MIT */
/* Letters between the regions of a search by windows (bfs_windows.c), in boxes of some dozens, and lists of vertices.
 * Each is one worker's or one region's own between two barriers, so nothing here is atomic. */
#ifndef GWS_TRAVERSAL_BFS_MAIL_H
#define GWS_TRAVERSAL_BFS_MAIL_H

#include <stdbool.h>
#include <stdint.h>

#include "../../../lib/runtime.h"

/* vertex can be reached at depth by way of parent. */
struct gws__bfs_letter {
    uint32_t vertex, parent, depth;
};

enum { bfs_box_letters = 41, bfs_slab_boxes = 64 };

struct gws__bfs_box {
    struct gws__bfs_box *next;
    uint64_t count;
    struct gws__bfs_letter letter[bfs_box_letters];
};

struct gws__bfs_slab {
    struct gws__bfs_slab *next;
    struct gws__bfs_box box[bfs_slab_boxes];
};

/* A worker's empty boxes, and the memory it has taken for boxes so far. */
struct gws__bfs_boxes {
    struct gws__bfs_box *empty;
    struct gws__bfs_slab *slab;
};

/* An empty box, or NULL when memory is short. */
struct gws__bfs_box *gws__bfs_box_take(struct gws__bfs_boxes *boxes, const struct gws_allocator *allocator);
void gws__bfs_boxes_free(struct gws__bfs_boxes *boxes, const struct gws_allocator *allocator);

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
