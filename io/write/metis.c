/* SPDX-License-Identifier: MIT */
/* METIS .graph (Karypis, manual of METIS 5, 4.1.1): vertices and edges, then each vertex's neighbours on its line. */
#include <inttypes.h>

#include "arcs.h"
#include "formats.h"

gws_status gws__write_metis(const struct gws__writing *writing)
{
    const struct gws_graph *graph = writing->graph;
    gws_status status = gws_output_print(writing->output, "%" PRIu64 " %" PRIu64 "%s\n", graph->vertices,
                                         graph->arcs / 2, graph->weight ? " 001" : "");
    return status == GWS_OK ? gws__rows_write(writing->output, graph) : status;
}
