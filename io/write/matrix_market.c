/* SPDX-License-Identifier: MIT */
/* MatrixMarket coordinates (Boisvert, Pozo, Remington, NISTIR 5935): arc u to v is the entry in row u, column v. A
 * symmetric matrix lists its lower triangle. */
#include <inttypes.h>

#include "arcs.h"
#include "formats.h"

gws_status gws__write_matrix_market(const struct gws__writing *writing)
{
    const struct gws_graph *graph = writing->graph;
    struct gws__arc_lines lines = {.graph = graph,
                                   .part = graph->directed ? GWS__ARCS_ALL : GWS__ARCS_LOWER,
                                   .weight = graph->weight ? GWS__WEIGHT_OWN : GWS__WEIGHT_NONE,
                                   .lead = "",
                                   .separator = ' '};
    uint64_t n = graph->vertices, count = gws__arc_lines_count(writing->runtime, graph, lines.part);
    gws_status status = gws_output_print(
        writing->output, "%%%%MatrixMarket matrix coordinate %s %s\n%" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
        graph->weight ? "integer" : "pattern", graph->directed ? "general" : "symmetric", n, n, count);
    return status == GWS_OK ? gws__arc_lines_write(writing->output, &lines) : status;
}
