/* SPDX-License-Identifier: MIT */
/* Who frees a graph's arrays. Every graph is made as an empty shell by gws__graph_new(); arrays are then owned (they
 * came from the shell's allocator and go with the graph) or borrowed (only the pointer in struct gws_graph is set). */
#ifndef GWS_GRAPH_OWNER_H
#define GWS_GRAPH_OWNER_H

#include "../graph.h"

enum gws__graph_part { GWS__PART_OFFSET, GWS__PART_TARGET, GWS__PART_WEIGHT, GWS__PART_POSITION, GWS__PART_ID };
enum { GWS__GRAPH_PARTS = GWS__PART_ID + 1 };

struct gws__graph_array {
    void *memory;   /* NULL: this part is borrowed or absent */
    uint64_t count; /* as it was allocated, which may be more than the graph needs */
};

struct gws__graph_owner {
    struct gws_allocator allocator; /* a copy: graphs outlive their runtime */
    struct gws__graph_array owned[GWS__GRAPH_PARTS];
    void (*release)(void *context); /* called last but for the shell itself; may be NULL */
    void *context;
};

/* A directed graph of that many vertices and arcs whose arrays are all NULL. GWS_NO_MEMORY. */
gws_status gws__graph_new(struct gws_runtime *runtime, uint64_t vertices, uint64_t arcs, struct gws_graph **graph);

/* Makes memory (count items of the part's size, from the runtime's allocator) the graph's, pointer included, and lets
 * go what the part held before. NULL memory just lets go. */
void gws__graph_own(struct gws_graph *graph, enum gws__graph_part part, void *memory, uint64_t count);

/* The same for memory that stays somebody else's. */
void gws__graph_borrow(struct gws_graph *graph, enum gws__graph_part part, const void *memory);

/* Copies ids, first_id and positions of one graph into another of as many vertices. GWS_NO_MEMORY. */
gws_status gws__graph_copy_names(struct gws_runtime *runtime, const struct gws_graph *from, struct gws_graph *to);

#endif
