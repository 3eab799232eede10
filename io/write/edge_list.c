/* SPDX-License-Identifier: MIT */
/* Edge lists with the graph's own ids, headed by comments as SNAP's are, which say what the lines cannot: whether an
 * edge goes both ways, how many vertices there are and, if they are a range, which: those without edges, too. Commas in
 * .csv, spaces in .el and .wel, otherwise tabs. */
#include <inttypes.h>

#include "arcs.h"
#include "formats.h"

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
