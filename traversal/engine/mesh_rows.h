/* SPDX-License-Identifier: MIT */
/* The rows of a mesh. They have a fixed width, so that there are no bounds to fetch (kernels/cuda/mesh_words.cuh reads
 * them). Row v < vertices is the first of vertex v; the rows after those are the further rows of longer ones. */
#ifndef GWS_TRAVERSAL_ENGINE_MESH_ROWS_H
#define GWS_TRAVERSAL_ENGINE_MESH_ROWS_H

#include "../../kernels/cuda/mesh_layout.h"
#include "../../lib/graph.h"

typedef uint32_t gws__mesh_row[MESH_ROW_WORDS];

/* Where rows are written: row i < device_rows to on_device[i], the others to on_host[i - device_rows]. */
struct gws__mesh_rows {
    gws__mesh_row *on_device, *on_host;
    uint64_t device_rows;
};

/* Whether the graph can have the rows of a mesh; *rows: their number. */
bool gws__mesh_rows_count(const struct gws_graph *graph, uint64_t *rows);

/* Writes all rows, by the runtime's workers. Errors: GWS_NO_MEMORY. */
gws_status gws__mesh_rows_write(struct gws_runtime *runtime, const struct gws_graph *graph,
                                const struct gws__mesh_rows *rows);

/* The number of arcs in the first device_rows rows, which are at most the vertices or all rows. *whole: how many of
 * these rows contain all arcs of their vertex. */
uint64_t gws__mesh_rows_arcs(const struct gws_graph *graph, uint64_t device_rows, uint64_t *whole);

#endif
