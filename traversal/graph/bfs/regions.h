/* SPDX-License-Identifier: MIT */
/* State of a search by windows; see bfs_windows.c. */
#ifndef GWS_TRAVERSAL_BFS_WINDOWS_H
#define GWS_TRAVERSAL_BFS_WINDOWS_H

#include "regions_messages.h"
#include "state.h"

enum { bfs_window = 32, bfs_most_regions = 1024 };

/* One worker's own. */
struct gws__bfs_window_desk {
    alignas(128) struct gws__bfs_list bucket[bfs_window]; /* vertices to expand, by depth; empty between tasks */
    struct gws__bfs_boxes boxes;
    struct gws__bfs_box *outbox[2][bfs_most_regions]; /* letters by round, even or odd, and receiving region */
    uint64_t round;                                   /* that it worked in last; what follows is of that round */
    uint32_t least;   /* the least depth in a letter that it wrote, UINT32_MAX for none */
    uint32_t deepest; /* the largest depth it gave in this search */
    bool failed;      /* memory was short */
};

struct gws__bfs_windows {
    struct gws_allocator allocator;
    uint32_t desks_made;              /* entries of desk and part */
    uint32_t workers, regions, shift; /* of this search; vertex v is in region v >> shift */
    uint64_t round;
    uint32_t begin; /* the window is depths begin .. begin + bfs_window - 1 */
    bool first;     /* this is the window's first round */
    void *desks;    /* what was allocated for desk[] */
    struct gws__bfs_window_desk *desk;
    struct gws__bfs_list pending[bfs_most_regions]; /* a region's vertices of depth begin + bfs_window */
    struct gws_range *part;                         /* of active, by the worker whose regions they are */
    uint32_t home[bfs_most_regions];                /* who ran the region last; written by who has it */
    uint32_t actives;
    uint32_t active[bfs_most_regions];
};

#endif
