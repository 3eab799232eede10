/* SPDX-License-Identifier: MIT */
/* The rows of a mesh. They have a fixed width, so there are no bounds to fetch (kernels/cuda/mesh_words.cuh reads the
 * rows). Row v < vertices is the first row of vertex v. A vertex whose arcs do not fit in its first row has further
 * rows, which follow the first rows of all vertices. */
#ifndef GWS_TRAVERSAL_ENGINE_MESH_ROWS_H
#define GWS_TRAVERSAL_ENGINE_MESH_ROWS_H

#include "../../kernels/cuda/mesh_layout.h"
#include "../../lib/graph.h"

typedef uint32_t gws__mesh_row[MESH_ROW_WORDS];

/* The destination of the rows. Row i < device_rows goes to on_device[i], and the other rows go to on_host[i -
 * device_rows]. */
struct gws__mesh_rows {
    gws__mesh_row *on_device, *on_host;
    uint64_t device_rows;
};

/* Returns true if the graph can have the rows of a mesh. Sets *rows to the number of these rows. */
bool gws__mesh_rows_count(const struct gws_graph *graph, uint64_t *rows);

/* Writes all rows on the runtime's workers. Errors: GWS_NO_MEMORY. */
gws_status gws__mesh_rows_write(struct gws_runtime *runtime, const struct gws_graph *graph,
                                const struct gws__mesh_rows *rows);

/* Returns the number of arcs in the first device_rows rows. device_rows is at most the number of vertices, or the
 * number of all rows. Sets *whole to the number of these rows that contain all arcs of their vertex. */
uint64_t gws__mesh_rows_arcs(const struct gws_graph *graph, uint64_t device_rows, uint64_t *whole);

#endif
