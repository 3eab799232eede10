/* SPDX-License-Identifier: MIT */
/* Writers of text.
 *
 * The DIMACS family, all numbered from 1: shortest paths (9th challenge) with its coordinates, colouring (2nd), and
 * PACE 2016, which is the latter without letters. An arc without a weight gets 1 in .gr, which must have one. */
#include <inttypes.h>

#include "arcs.h"

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

/* Edge lists with the graph's own ids, headed by comments as SNAP's are, which say what the lines cannot: whether an
 * edge goes both ways, how many vertices there are and, if they are a range, which: those without edges, too. Commas in
 * .csv, spaces in .el and .wel, otherwise tabs. */

static char separator_for(const char *path)
{
    if (gws__output_ends(path, ".csv") || gws__output_ends(path, ".csv.gz")) return ',';
    if (gws__output_ends(path, "el") || gws__output_ends(path, "el.gz")) return ' ';
    return '\t';
}

gws_status gws__write_edge_list(const struct gws__writing *writing)
{
    const struct gws_graph *graph = writing->graph;
    struct gws__arc_lines lines = {.graph = graph,
                                   .part = graph->directed ? GWS__ARCS_ALL : GWS__ARCS_UPPER,
                                   .weight = graph->weight ? GWS__WEIGHT_OWN : GWS__WEIGHT_NONE,
                                   .lead = "",
                                   .separator = separator_for(writing->path),
                                   .own_ids = true};
    uint64_t count = gws__arc_lines_count(writing->runtime, graph, lines.part);
    gws_status status = gws_output_print(writing->output, "# %s graph\n# Nodes: %" PRIu64 " Edges: %" PRIu64 "\n",
                                         graph->directed ? "Directed" : "Undirected", graph->vertices, count);
    if (status == GWS_OK && !graph->id && graph->vertices > 0)
        status = gws_output_print(writing->output, "# Ids: %" PRIu64 " to %" PRIu64 "\n", graph->first_id,
                                  graph->first_id + graph->vertices - 1);
    return status == GWS_OK ? gws__arc_lines_write(writing->output, &lines) : status;
}

/* MatrixMarket coordinates (Boisvert, Pozo, Remington, NISTIR 5935): arc u to v is the entry in row u, column v. A
 * symmetric matrix lists its lower triangle. */

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

/* METIS .graph (Karypis, manual of METIS 5, 4.1.1): vertices and edges, then each vertex's neighbours on its line. */

gws_status gws__write_metis(const struct gws__writing *writing)
{
    const struct gws_graph *graph = writing->graph;
    gws_status status = gws_output_print(writing->output, "%" PRIu64 " %" PRIu64 "%s\n", graph->vertices,
                                         graph->arcs / 2, graph->weight ? " 001" : "");
    return status == GWS_OK ? gws__rows_write(writing->output, graph) : status;
}
