/* SPDX-License-Identifier: MIT */
/* Weak components of a part of a graph, or of a graph that several processes part. */
#ifndef GWS_LIB_GRAPH_COMPONENTS_H
#define GWS_LIB_GRAPH_COMPONENTS_H

#include "../graph.h"

/* Consecutive vertices of a graph. Targets of the rows are vertices of the whole graph, in ascending order; an arc
 * whose target is not one of these vertices does not count, unless other processes have the other rows. */
struct gws__graph_rows {
    const struct gws_graph *out, *in; /* in: the rows of the arcs to these vertices; NULL if it is not known */
    uint32_t first;                   /* the vertex of row 0 */
    /* NULL, or waits until all processes call it, and returns the highest status. */
    gws_status (*agree)(void *context, gws_status status);
    void *context;
    uint64_t vertices; /* of the whole graph, if processes agree */
};

/* Finds the components of these vertices. component: an entry for each row, set to the smallest row of its component.
 * *large: such a row of a large component (out); *count: the number of components (out). If processes agree, each calls
 * this function with its own rows; component is one array in shared memory, with an entry for each vertex of the graph;
 * each process sets those of its rows to vertices, and *count to the number of components whose smallest vertex it
 * has. Call it within a call of the runtime. Errors: GWS_CANCELLED. */
gws_status gws__graph_row_components(struct gws_runtime *runtime, const struct gws__graph_rows *rows,
                                     uint32_t *component, uint32_t *large, uint64_t *count);

#endif
