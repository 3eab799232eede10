/* SPDX-License-Identifier: MIT */
/* The rows of a mesh: of a fixed width, so that there are no bounds to fetch (kernels/cuda/mesh_words.cuh reads them).
 * Row v < vertices is the first of vertex v, those behind are the further rows of longer ones. */
#ifndef GWS_TRAVERSAL_ENGINE_MESH_ROWS_H
#define GWS_TRAVERSAL_ENGINE_MESH_ROWS_H

#include "../../lib/graph.h"

enum { gws__mesh_row_words = 4 };

/* The last word of a row that goes on: or-ed with the number of the row, counted from the first further one. */
#define GWS__MESH_ROW_GOES_ON 0x80000000u

typedef uint32_t gws__mesh_row[gws__mesh_row_words];

/* Where rows go: number i < kept to near[i], the others to far[i - kept]. */
struct gws__mesh_rows {
    gws__mesh_row *near, *far;
    uint64_t kept;
};

/* Whether the graph has the rows of a mesh; *rows: how many there are. */
bool gws__mesh_rows_count(const struct gws_graph *graph, uint64_t *rows);

/* Writes all rows, by the runtime's workers. Errors: GWS_NO_MEMORY. */
gws_status gws__mesh_rows_write(struct gws_runtime *runtime, const struct gws_graph *graph,
                                const struct gws__mesh_rows *rows);

/* How many of the arcs are in the rows below `kept`, which is at most the vertices or all rows; and in *whole, how many
 * of those rows are all of their vertex's. */
uint64_t gws__mesh_rows_arcs(const struct gws_graph *graph, uint64_t kept, uint64_t *whole);

#endif
