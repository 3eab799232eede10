/* SPDX-License-Identifier: MIT */
/* The queue of a side is a 4-ary heap (Johnson 1975), in which outdated entries stay. If all arcs have one length, the
 * queue is a plain queue. */
#include <string.h>

#include "side.h"

static void release(const struct gws_allocator *allocator, void *memory, uint64_t bytes)
{
    if (memory) allocator->release(allocator->context, memory, (size_t)bytes);
}

static uint64_t page_count(uint64_t vertices)
{
    return (vertices + path_page_vertices - 1) / path_page_vertices;
}

gws_status gws__path_side_make(const struct gws_allocator *allocator, uint64_t vertices, struct gws__path_side *side)
{
    uint64_t bytes = (page_count(vertices) + 1) * sizeof *side->page;
    side->page = allocator->allocate(allocator->context, bytes);
    if (!side->page) return GWS_NO_MEMORY;
    memset(side->page, 0, bytes);
    return GWS_OK;
}

void gws__path_side_free(const struct gws_allocator *allocator, uint64_t vertices, struct gws__path_side *side)
{
    for (uint64_t i = 0; side->page && i < page_count(vertices); i++)
        release(allocator, side->page[i], sizeof **side->page);
    release(allocator, side->page, (page_count(vertices) + 1) * sizeof *side->page);
    release(allocator, side->entry, side->capacity * sizeof *side->entry);
    *side = (struct gws__path_side){0};
}

void gws__path_side_start(struct gws__path_side *side)
{
    side->search++;
    side->head = side->entries = 0;
    side->arcs = side->visited = 0;
}

static struct gws__path_page *page_for(const struct gws_allocator *allocator, struct gws__path_side *side,
                                       uint32_t vertex)
{
    struct gws__path_page **page = &side->page[vertex / path_page_vertices];
    if (!*page) {
        *page = allocator->allocate(allocator->context, sizeof **page);
        if (!*page) return NULL;
        (*page)->search = 0;
    }
    if ((*page)->search != side->search) memset((*page)->distance, 0xff, sizeof(*page)->distance);
    (*page)->search = side->search;
    return *page;
}

static bool grow(const struct gws_allocator *allocator, struct gws__path_side *side)
{
    uint64_t capacity = side->capacity ? 2 * side->capacity : 256;
    struct gws__path_entry *entry = allocator->allocate(allocator->context, capacity * sizeof *entry);
    if (!entry) return false;
    if (side->entries) memcpy(entry, side->entry, side->entries * sizeof *entry);
    release(allocator, side->entry, side->capacity * sizeof *entry);
    side->entry = entry;
    side->capacity = capacity;
    return true;
}

static void sift_up(struct gws__path_entry *entry, uint64_t at, struct gws__path_entry added)
{
    for (; at > 0 && entry[(at - 1) / 4].distance > added.distance; at = (at - 1) / 4) entry[at] = entry[(at - 1) / 4];
    entry[at] = added;
}

static void sift_down(struct gws__path_entry *entry, uint64_t entries, struct gws__path_entry last)
{
    uint64_t at = 0;
    for (;;) {
        uint64_t child = 4 * at + 1, nearest = child;
        if (child >= entries) break;
        for (uint64_t c = child + 1; c < child + 4 && c < entries; c++)
            if (entry[c].distance < entry[nearest].distance) nearest = c;
        if (entry[nearest].distance >= last.distance) break;
        entry[at] = entry[nearest];
        at = nearest;
    }
    entry[at] = last;
}

bool gws__path_side_reach(const struct gws_allocator *allocator, struct gws__path_side *side, bool is_queue,
                          uint32_t vertex, uint32_t parent, uint64_t distance)
{
    struct gws__path_page *page = page_for(allocator, side, vertex);
    if (!page) return false;
    uint64_t *old = &page->distance[vertex % path_page_vertices];
    if (distance >= *old) return true;
    if (side->entries == side->capacity && !grow(allocator, side)) return false;
    side->visited += *old == PATH_NONE;
    *old = distance;
    page->parent[vertex % path_page_vertices] = parent;
    struct gws__path_entry added = {distance, vertex};
    if (is_queue)
        side->entry[side->entries] = added;
    else
        sift_up(side->entry, side->entries, added);
    side->entries++;
    return true;
}

void gws__path_side_pop(struct gws__path_side *side, bool is_queue)
{
    if (is_queue) {
        side->head++;
        return;
    }
    side->entries--;
    if (side->entries) sift_down(side->entry, side->entries, side->entry[side->entries]);
}

uint64_t gws__path_side_first(struct gws__path_side *side, bool is_queue, uint32_t *vertex)
{
    for (; side->head < side->entries; gws__path_side_pop(side, is_queue)) {
        const struct gws__path_entry *first = &side->entry[side->head];
        *vertex = first->vertex;
        if (gws__path_distance(side, first->vertex) == first->distance) return first->distance;
    }
    return PATH_NONE;
}
