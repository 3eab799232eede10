/* SPDX-License-Identifier: MIT */
/* From the ids that an edge list uses to vertices 0 .. n - 1. */
#ifndef GWS_IO_NAMES_H
#define GWS_IO_NAMES_H

#include "edges.h"

/* A set of ids in ascending order, in which the i-th is vertex i. Ids below 2^32 that are not too sparse are a bitmap
 * with the rank of each word; others are a sorted array. */
struct gws__names {
    struct gws_runtime *runtime;
    uint64_t vertices;
    uint64_t words; /* of the bitmap */
    uint64_t *bits;
    uint32_t *rank; /* ids in the words before */
    uint64_t ids;   /* room of the array */
    uint64_t *id;
};

/* A stretch of one block, for a task. The block is a copy, since the list it is from may grow. */
struct gws__slice {
    struct gws__block block;
    uint64_t begin, end;
    bool wide;
};

struct gws__slices {
    uint64_t count;
    struct gws__slice *slice;
};

enum { gws__slice_edges = 1 << 15 };

/* Finds all ids of the edges. */
gws_status gws__names_find(const struct gws__edges *edges, struct gws__names *names);
void gws__names_close(struct gws__names *names);

/* The same by sorting, whatever the ids are: names->id and names->vertices. */
gws_status gws__names_sort(const struct gws__edges *edges, const struct gws__slices *slices, struct gws__names *names);

/* Renames the edges' ends to vertices, all in narrow blocks, and says what the vertices are called: *id is a new array
 * of names->vertices entries, or NULL when they are called *first_id, *first_id + 1 ... */
gws_status gws__names_apply(struct gws__names *names, struct gws__edges *edges, uint64_t **id, uint64_t *first_id);

#endif
