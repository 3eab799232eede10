/* SPDX-License-Identifier: MIT */
/* From the ids that an edge list uses to vertices 0 .. n - 1. */
#ifndef GWS_IO_TEXT_ID_MAP_H
#define GWS_IO_TEXT_ID_MAP_H

#include "edges.h"

/* A set of ids in ascending order, in which the i-th is vertex i. Ids below 2^32 that are not too sparse are a bitmap
 * with the rank of each word; others are a sorted array. */
struct gws__id_map {
    struct gws_runtime *runtime;
    uint64_t vertices;
    uint64_t words; /* of the bitmap */
    uint64_t *bits;
    uint32_t *rank; /* ids in the words before */
    uint64_t ids;   /* capacity of the array */
    uint64_t *id;
};

/* A stretch of one block, for a task. The block is a copy, since the list it is from may grow. */
struct gws__edge_range {
    struct gws__block block;
    uint64_t begin, end;
    bool wide;
};

struct gws__edge_ranges {
    uint64_t count;
    struct gws__edge_range *range;
};

enum { gws__range_edges = 1 << 15 };

/* Finds all ids of the edges. */
gws_status gws__id_map_find(const struct gws__edges *edges, struct gws__id_map *names);
void gws__id_map_close(struct gws__id_map *names);

/* The same by sorting, whatever the ids are: names->id and names->vertices. */
gws_status gws__id_map_sort(const struct gws__edges *edges, const struct gws__edge_ranges *ranges,
                            struct gws__id_map *names);

/* Renames the edges' ends to vertices, all in narrow blocks, and says what the vertices are called: *id is a new array
 * of names->vertices entries, or NULL when they are called *first_id, *first_id + 1 ... */
gws_status gws__id_map_apply(struct gws__id_map *names, struct gws__edges *edges, uint64_t **id, uint64_t *first_id);

#endif
