/* SPDX-License-Identifier: MIT */
/* One side of a search between two vertices, with distances, parents, and a queue of vertices by distance. Distances
 * are integers, or the bits of doubles, which have the order of the doubles. */
#ifndef GWS_TRAVERSAL_PATH_SIDE_H
#define GWS_TRAVERSAL_PATH_SIDE_H

#include "../../../lib/parallel.h"
#include "../../path.h"

#define PATH_NONE UINT64_MAX /* no distance */

enum { path_page_vertices = 64 };

/* A search allocates a page when it first visits one of the vertices. The content belongs to an earlier search if
 * `search` differs. */
struct gws__path_page {
    uint64_t search;
    uint64_t distance[path_page_vertices];
    uint32_t parent[path_page_vertices];
};

struct gws__path_entry {
    uint64_t distance;
    uint32_t vertex;
};

struct gws__path_side {
    struct gws__path_page **page;     /* an entry for each page_vertices vertices */
    struct gws__path_entry *entry;    /* a 4-ary heap, or entry[head ..] as a plain queue */
    uint64_t head, entries, capacity; /* entries: number of entries, counted from entry[0] */
    uint64_t search;
    uint64_t arcs, visited;
};

/* The memory of a result. */
struct gws__path_scratch {
    struct gws_allocator allocator;
    struct gws__path_side side[2]; /* the sides of the source and of the target; empty: the path is of a device */
    uint64_t capacity;             /* entries of the arrays of the result */
    uint32_t *vertex;
    uint64_t *distance; /* integers, or the bits of doubles */
};

/* Makes the arrays of a path of `length` vertices. Errors: GWS_NO_MEMORY. */
gws_status gws__path_reserve(struct gws__path_scratch *scratch, uint64_t length);

/* Prepares a side for a graph of `vertices` vertices. Errors: GWS_NO_MEMORY. */
gws_status gws__path_side_make(const struct gws_allocator *allocator, uint64_t vertices, struct gws__path_side *side);
void gws__path_side_free(const struct gws_allocator *allocator, uint64_t vertices, struct gws__path_side *side);

/* Begins a search. */
void gws__path_side_start(struct gws__path_side *side);

/* Lowers the distance of a vertex and adds the vertex to the queue. Does nothing if the distance is not lower. Returns
 * false if memory ran out. */
bool gws__path_side_reach(const struct gws_allocator *allocator, struct gws__path_side *side, bool is_queue,
                          uint32_t vertex, uint32_t parent, uint64_t distance);

/* Returns the distance of the first entry in the queue that is not outdated, or PATH_NONE if the queue is empty. */
uint64_t gws__path_side_first(struct gws__path_side *side, bool is_queue, uint32_t *vertex);
void gws__path_side_pop(struct gws__path_side *side, bool is_queue);

static inline uint64_t gws__path_distance(const struct gws__path_side *side, uint32_t vertex)
{
    const struct gws__path_page *page = side->page[vertex / path_page_vertices];
    return page && page->search == side->search ? page->distance[vertex % path_page_vertices] : PATH_NONE;
}

static inline uint32_t gws__path_parent(const struct gws__path_side *side, uint32_t vertex)
{
    return side->page[vertex / path_page_vertices]->parent[vertex % path_page_vertices];
}

#endif
