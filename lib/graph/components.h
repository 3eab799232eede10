/* SPDX-License-Identifier: MIT */
/* Weak components of a part of a graph. */
#ifndef GWS_LIB_GRAPH_COMPONENTS_H
#define GWS_LIB_GRAPH_COMPONENTS_H

#include "../graph.h"

/* Consecutive vertices of a graph. Targets of the rows are vertices of the whole graph, in ascending order; an arc
 * whose target is not one of these vertices does not count. */
struct gws__graph_rows {
    const struct gws_graph *out, *in; /* in: the rows of the arcs to these vertices; NULL if it is not known */
    uint32_t first;                   /* the vertex of row 0 */
};

/* Finds the components of these vertices. component: an entry for each row, set to the smallest row of its component.
 * *large: such a row of a large component (out); *count: the number of components (out). Call it within a call of the
 * runtime. Errors: GWS_CANCELLED. */
gws_status gws__graph_row_components(struct gws_runtime *runtime, const struct gws__graph_rows *rows,
                                     uint32_t *component, uint32_t *large, uint64_t *count);

#endif
