/* SPDX-License-Identifier: MIT */
/* Parts of graphs on ranks. */
#ifndef GWS_HETERO_RANK_GRAPH_H
#define GWS_HETERO_RANK_GRAPH_H

#include "../graph/build.h"
#include "../rank_graph.h"
#include "rank_pages.h"
#include "ranks.h"

/* Makes an empty part of a graph: sets transport, vertices, block, first, rows, and names on rank 0. Not collective.
 * Errors: GWS_NO_MEMORY. */
gws_status gws__rank_graph_new(struct gws_runtime *runtime, struct gws_transport *transport, uint64_t vertices,
                               struct gws_rank_graph **graph);

/* The rows in memory that rank 0 may map; nothing at first. */
struct gws__rank_rows {
    struct gws__pages offset, target;
};

/* Moves the rows there, into graph->shared, while nobody reads them. Returns false if the system or the graph's
 * allocator does not allow it. Not collective. */
bool gws__rank_graph_move_rows(const struct gws_rank_graph *graph);

/* Sets the rows. The part's targets are vertices of the whole graph; it has no ids. */
void gws__rank_graph_set_rows(struct gws_rank_graph *graph, struct gws_graph *part);

/* Builds the graph of all ranks' edges: moves the arcs to their owners, as gws_rank_graph_generate() does and with its
 * memory beside the edges. Each rank's source has the vertices of the whole graph and one kind of weights for all, even
 * if it has no edges. Collective; all ranks return the same status and message. */
gws_status gws__rank_graph_build(struct gws_runtime *runtime, struct gws_transport *transport,
                                 const struct gws__edge_source *source, const struct gws_build_options *options,
                                 struct gws_rank_graph **graph, struct gws_diagnostic *where);

/* Tests on this rank whether the runtime's allocator gives that many bytes. Errors: GWS_NO_MEMORY, with a message. */
gws_status gws__rank_graph_check_memory(struct gws_runtime *runtime, uint64_t bytes, struct gws_diagnostic *where);

/* Finds the weak components of this rank's vertices along the arcs among them. root: an entry for each row, set to the
 * smallest row of its fragment. *large: such a row of a large fragment (out). Not collective. Errors: GWS_CANCELLED. */
gws_status gws__rank_graph_fragments(struct gws_runtime *runtime, const struct gws_rank_graph *graph, uint32_t *root,
                                     uint32_t *large);

/* Finds the weak components of the whole graph in an array that all ranks share, with an entry for each vertex of the
 * graph, of which this rank's entries are set. *large: a vertex that is named after a large component (out); *count:
 * the components whose smallest vertex is this rank's (out). Collective. Errors: GWS_CANCELLED. */
gws_status gws__rank_graph_components(struct gws_runtime *runtime, const struct gws_rank_graph *graph,
                                      uint32_t *component, uint32_t *large, uint64_t *count);

#endif
