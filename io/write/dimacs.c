/* SPDX-License-Identifier: MIT */
/* The DIMACS family, all numbered from 1: shortest paths (9th challenge) with its coordinates, colouring (2nd), and
 * PACE 2016, which is the latter without letters. An arc without a weight gets 1 in .gr, which must have one. */
#include <inttypes.h>

#include "arcs.h"
#include "formats.h"

gws_status gws__write_dimacs(const struct gws__writing *writing)
{
    const struct gws_graph *graph = writing->graph;
    struct gws__arc_lines lines = {.graph = graph,
                                   .part = GWS__ARCS_ALL,
                                   .weight = graph->weight ? GWS__WEIGHT_OWN : GWS__WEIGHT_ONE,
                                   .lead = "a ",
                                   .separator = ' '};
    gws_status status =
        gws_output_print(writing->output, "p sp %" PRIu64 " %" PRIu64 "\n", graph->vertices, graph->arcs);
    return status == GWS_OK ? gws__arc_lines_write(writing->output, &lines) : status;
}

/* Each edge once, after "p KIND N M". */
static gws_status write_edges(const struct gws__writing *writing, const char *kind, const char *lead)
{
    struct gws__arc_lines lines = {.graph = writing->graph, .part = GWS__ARCS_UPPER, .lead = lead, .separator = ' '};
    uint64_t count = gws__arc_lines_count(writing->runtime, writing->graph, lines.part);
    gws_status status =
        gws_output_print(writing->output, "p %s %" PRIu64 " %" PRIu64 "\n", kind, writing->graph->vertices, count);
    return status == GWS_OK ? gws__arc_lines_write(writing->output, &lines) : status;
}

gws_status gws__write_dimacs_edge(const struct gws__writing *writing)
{
    return write_edges(writing, "edge", "e ");
}

gws_status gws__write_pace(const struct gws__writing *writing)
{
    return write_edges(writing, "tw", "");
}

gws_status gws__write_positions(const struct gws__writing *writing)
{
    gws_status status = gws_output_print(writing->output, "p aux sp co %" PRIu64 "\n", writing->graph->vertices);
    return status == GWS_OK ? gws__positions_write(writing->output, writing->graph) : status;
}
