/* SPDX-License-Identifier: MIT */
/* Implements gws_graph_write(). Chooses the format, checks that the format can hold the graph, and logs the properties
 * that the format cannot hold. */
#include <stdio.h>
#include <string.h>

#include "../gwsg/gwsg.h"
#include "../text/reader.h"
#include "arcs.h"

/* One row for each format. The last row is for positions, which are not a graph format. */
struct writer {
    gws_status (*write)(const struct gws__writing *writing); /* NULL: .gwsg, which is binary */
    const char *name;
    bool undirected_only, no_loops, no_weights, weights_from_1, own_ids;
};

enum { positions = GWS_FORMAT_GWSG + 1 };

static const struct writer writers[] = {
    [GWS_FORMAT_DIMACS] = {.write = gws__write_dimacs, .name = "DIMACS .gr"},
    [GWS_FORMAT_DIMACS_EDGE] = {.write = gws__write_dimacs_edge,
                                .name = "DIMACS .col",
                                .undirected_only = true,
                                .no_weights = true},
    [GWS_FORMAT_PACE] = {.write = gws__write_pace, .name = "PACE", .undirected_only = true, .no_weights = true},
    [GWS_FORMAT_EDGE_LIST] = {.write = gws__write_edge_list, .name = "an edge list", .own_ids = true},
    [GWS_FORMAT_MATRIX_MARKET] = {.write = gws__write_matrix_market, .name = "MatrixMarket"},
    [GWS_FORMAT_METIS] =
        {.write = gws__write_metis, .name = "METIS", .undirected_only = true, .no_loops = true, .weights_from_1 = true},
    [GWS_FORMAT_GWSG] = {.name = ".gwsg", .own_ids = true},
    [positions] = {.write = gws__write_positions, .name = "DIMACS .co"},
};

static const struct writer *writer_for(const char *path, enum gws_format format)
{
    if (format == GWS_FORMAT_AUTO && gws__format_has_suffix(path, ".co")) return &writers[positions];
    if (format == GWS_FORMAT_AUTO) format = gws__format_of_name(path);
    return format != GWS_FORMAT_AUTO && format <= GWS_FORMAT_GWSG ? &writers[format] : NULL;
}

/* ---- limits of a format ---- */

static gws_status unsupported(const struct writer *writer, const char *path, const char *why,
                              struct gws_diagnostic *where)
{
    return gws_diagnostic_set(where, GWS_UNSUPPORTED, path, 0, 0, "%s %s", writer->name, why);
}

static gws_status check_loops(struct gws_runtime *runtime, const struct writer *writer, const struct gws_graph *graph,
                              const char *path, struct gws_diagnostic *where)
{
    uint64_t upper, lower;
    gws_status status = gws__arc_lines_count(runtime, graph, GWS__ARCS_UPPER, &upper);
    if (status == GWS_OK) status = gws__arc_lines_count(runtime, graph, GWS__ARCS_LOWER, &lower);
    if (status != GWS_OK) return gws_diagnostic_status(where, status);
    if (upper + lower == graph->arcs) return GWS_OK;
    return unsupported(writer, path, "cannot hold self-loops: remove them first", where);
}

static gws_status check_graph(struct gws_runtime *runtime, const struct writer *writer, const struct gws_graph *graph,
                              const char *path, struct gws_diagnostic *where)
{
    if (writer->undirected_only && graph->directed)
        return unsupported(writer, path, "holds undirected graphs only: symmetrise it first", where);
    if (writer == &writers[positions] && !graph->position)
        return unsupported(writer, path, "needs positions, and the graph has none", where);
    bool below = false;
    gws_status status = writer->weights_from_1 ? gws__arcs_weigh_below(runtime, graph, 1, &below) : GWS_OK;
    if (status != GWS_OK) return gws_diagnostic_status(where, status);
    if (below) return unsupported(writer, path, "requires weights of at least 1: drop or change the weights", where);
    if (writer->weights_from_1 && graph->real_weight)
        return unsupported(writer, path, "requires whole weights: round or drop the weights", where);
    return writer->no_loops ? check_loops(runtime, writer, graph, path, where) : GWS_OK;
}

static void log_losses(struct gws_runtime *runtime, const struct writer *writer, const struct gws_graph *graph)
{
    char line[128];
    if (writer->no_weights && (graph->weight || graph->real_weight)) {
        snprintf(line, sizeof line, "%s cannot hold weights: they are left out", writer->name);
        gws_report_log(runtime, line);
    }
    if (!writer->own_ids && (graph->id || graph->names.text)) {
        snprintf(line, sizeof line, "%s numbers vertices from 1: their %s are left out", writer->name,
                 graph->id ? "ids" : "names");
        gws_report_log(runtime, line);
    }
}

/* ---- entry point ---- */

static gws_status write_text(struct gws_runtime *runtime, const struct writer *writer, const struct gws_graph *graph,
                             const char *path, struct gws_diagnostic *where)
{
    struct gws__writing writing = {.runtime = runtime, .graph = graph, .path = path};
    gws_status status = gws_output_open(runtime, path, where, &writing.output);
    if (status != GWS_OK) return status;
    return gws_output_close(writing.output, writer->write(&writing));
}

static gws_status graph_write(struct gws_runtime *runtime, const struct gws_graph *graph, const char *path,
                              enum gws_format format, struct gws_diagnostic *where)
{
    const struct writer *writer = writer_for(path, format);
    if (!writer)
        return gws_diagnostic_set(where, GWS_UNKNOWN_FORMAT, path, 0, 0,
                                  "no format has this file name's suffix: specify one");
    gws_status status = check_graph(runtime, writer, graph, path, where);
    if (status != GWS_OK) return status;
    log_losses(runtime, writer, graph);
    if (!writer->write) return gws__gwsg_write(runtime, graph, path, where);
    return write_text(runtime, writer, graph, path, where);
}

gws_status gws_graph_write(struct gws_runtime *runtime, const struct gws_graph *graph, const char *path,
                           enum gws_format format, struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, graph_write(runtime, graph, path, format, where));
}
