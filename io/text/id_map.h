/* SPDX-License-Identifier: MIT */
/* A map from an edge list's ids to the vertices 0 .. n - 1. */
#ifndef GWS_IO_TEXT_ID_MAP_H
#define GWS_IO_TEXT_ID_MAP_H

#include "edges.h"

/* A set of ids in ascending order, where the i-th id is vertex i. A bitmap with the rank of each word stores ids below
 * 2^32 that are not too sparse. A sorted array stores other ids. */
struct gws__id_map {
    struct gws_runtime *runtime;
    uint64_t vertices;
    uint64_t words; /* number of words in the bitmap */
    uint64_t *bits;
    uint32_t *rank; /* rank[w]: number of ids in the words before word w */
    uint64_t ids;   /* capacity of the array */
    uint64_t *id;
};

/* A range of edges in one block, for one task. The block is a copy because the list of blocks may be reallocated. */
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

/* Returns true if the map has the id. */
bool gws__id_map_has(const struct gws__id_map *names, uint64_t id);

/* Finds all ids of the edges by sorting, for any ids. Sets names->id and names->vertices. */
gws_status gws__id_map_sort(const struct gws__edges *edges, const struct gws__edge_ranges *ranges,
                            struct gws__id_map *names);

/* Replaces the edges' endpoints by vertices, and moves all edges to narrow blocks. Sets *id to a new array with the
 * ids of the names->vertices vertices, or to NULL if the ids are *first_id, *first_id + 1 ... */
gws_status gws__id_map_apply(struct gws__id_map *names, struct gws__edges *edges, uint64_t **id, uint64_t *first_id);

#endif
