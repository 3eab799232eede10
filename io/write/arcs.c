/* SPDX-License-Identifier: MIT */
/* Text formats with a line for each arc. Workers format chunks of arcs, so several workers share a hub's row. All arcs
 * of a row have the same text before the target. The worker formats this text once and copies it. */
#include "arcs.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

#include "../output/names.h"
#include "../output/text.h"

enum { rows_per_wake = 4096, prefix_bytes = 32 };

enum arc_weight { WEIGHT_NONE, WEIGHT_OWN, WEIGHT_REAL, WEIGHT_ONE };

/* The form of a line. A line has lead, source, separator, target and, with weights, separator and weight. */
struct arc_lines {
    const struct gws_graph *graph;
    enum gws__arc_part part;
    enum arc_weight weight;
    const char *lead; /* up to four bytes */
    char separator;
    bool own_ids;     /* false: vertices count from 1 */
    uint64_t longest; /* with own_ids: length of the longest name, or 0 */
};

uint64_t gws__row_of(const struct gws_graph *graph, uint64_t item, uint64_t extra)
{
    uint64_t low = 0, high = graph->vertices;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (graph->offset[middle] + extra * middle <= item)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static bool listed(enum gws__arc_part part, uint64_t from, uint64_t to)
{
    return part == GWS__ARCS_ALL || (part == GWS__ARCS_UPPER ? to >= from : to <= from);
}

/* ---- counting ---- */

struct line_count {
    const struct gws_graph *graph;
    enum gws__arc_part part;
    atomic_uint_fast64_t lines; /* relaxed: the caller reads the value after the loop's barrier */
};

static void count_rows(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    struct line_count *count = context;
    const uint64_t *offset = count->graph->offset;
    uint64_t lines = 0;
    for (uint64_t v = begin; v < end; v++)
        for (uint64_t i = offset[v]; i < offset[v + 1]; i++) lines += listed(count->part, v, count->graph->target[i]);
    atomic_fetch_add_explicit(&count->lines, lines, memory_order_relaxed);
}

gws_status gws__arc_lines_count(struct gws_runtime *runtime, const struct gws_graph *graph, enum gws__arc_part part,
                                uint64_t *lines)
{
    struct line_count count = {.graph = graph, .part = part};
    *lines = graph->arcs;
    if (part == GWS__ARCS_ALL) return GWS_OK;
    gws_status status = gws_parallel_try_for(runtime, graph->vertices, rows_per_wake, count_rows, &count);
    *lines = atomic_load_explicit(&count.lines, memory_order_relaxed);
    return status;
}

struct weight_bound {
    const struct gws_graph *graph;
    int32_t weight;
    atomic_bool broken; /* relaxed: the caller reads the value after the loop's barrier */
};

static void find_below(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    struct weight_bound *bound = context;
    bool below = false;
    for (uint64_t i = begin; i < end; i++) below |= bound->graph->weight[i] < bound->weight;
    if (below) atomic_store_explicit(&bound->broken, true, memory_order_relaxed);
}

gws_status gws__arcs_weigh_below(struct gws_runtime *runtime, const struct gws_graph *graph, int32_t weight,
                                 bool *below)
{
    struct weight_bound bound = {.graph = graph, .weight = weight};
    uint64_t count = graph->weight ? graph->arcs : 0;
    gws_status status = gws_parallel_try_for(runtime, count, rows_per_wake, find_below, &bound);
    *below = atomic_load_explicit(&bound.broken, memory_order_relaxed);
    return status;
}

/* ---- formatting ---- */

static char *format_vertex(const struct arc_lines *lines, uint64_t vertex, char *text)
{
    if (!lines->own_ids) return gws__text_u64(text, vertex + 1);
    const struct gws_graph *graph = lines->graph;
    return gws__text_u64(text, graph->id ? graph->id[vertex] : graph->first_id + vertex);
}

static char *format_weight(const struct arc_lines *lines, uint64_t arc, char *text)
{
    if (lines->weight == WEIGHT_REAL) return gws__text_f32(text, lines->graph->real_weight[arc]);
    return gws__text_i32(text, lines->weight == WEIGHT_OWN ? lines->graph->weight[arc] : 1);
}

/* Returns WEIGHT_OWN or WEIGHT_REAL for a graph with weights; otherwise the given kind. */
static enum arc_weight weight_of(const struct gws_graph *graph, enum arc_weight otherwise)
{
    return graph->weight ? WEIGHT_OWN : graph->real_weight ? WEIGHT_REAL : otherwise;
}

/* Formats arcs begin .. end - 1, all of row `from`. */
static char *format_row(const struct arc_lines *lines, uint64_t from, uint64_t begin, uint64_t end, char *text)
{
    const struct gws_graph *graph = lines->graph;
    char prefix[prefix_bytes];
    char *at = format_vertex(lines, from, gws__text_string(prefix, lines->lead));
    *at++ = lines->separator;
    size_t length = (size_t)(at - prefix);
    for (uint64_t i = begin; i < end; i++) {
        if (!listed(lines->part, from, graph->target[i])) continue;
        memcpy(text, prefix,
               sizeof prefix); /* a copy of constant length is faster, and later writes overwrite the surplus bytes */
        text = format_vertex(lines, graph->target[i], text + length);
        if (lines->weight != WEIGHT_NONE) {
            *text++ = lines->separator;
            text = format_weight(lines, i, text);
        }
        *text++ = '\n';
    }
    return text;
}

/* Formats arcs begin .. end - 1 of row `from` of an edge list with names. */
static char *format_named_row(const struct arc_lines *lines, uint64_t from, uint64_t begin, uint64_t end, char *text)
{
    static const char special[] = " \t,;#%{"; /* separators, and the characters that begin comments and dictionaries */
    const struct gws_graph *graph = lines->graph;
    for (uint64_t i = begin; i < end; i++) {
        if (!listed(lines->part, from, graph->target[i])) continue;
        text = gws__names_format(graph, (uint32_t)from, special, text);
        *text++ = lines->separator;
        text = gws__names_format(graph, graph->target[i], special, text);
        if (lines->weight != WEIGHT_NONE) {
            *text++ = lines->separator;
            text = format_weight(lines, i, text);
        }
        *text++ = '\n';
    }
    return text;
}

static char *format_arcs(void *context, uint64_t begin, uint64_t end, char *text)
{
    const struct arc_lines *lines = context;
    const uint64_t *offset = lines->graph->offset;
    for (uint64_t v = gws__row_of(lines->graph, begin, 0); begin < end; v++) {
        uint64_t stop = offset[v + 1] < end ? offset[v + 1] : end;
        if (begin < stop && lines->longest)
            text = format_named_row(lines, v, begin, stop, text);
        else if (begin < stop)
            text = format_row(lines, v, begin, stop, text);
        begin = begin < stop ? stop : begin;
    }
    return text;
}

static gws_status write_lines(struct gws_output *output, const struct arc_lines *lines)
{
    struct arc_lines copy = *lines;
    if (lines->own_ids) copy.longest = gws__names_longest(lines->graph);
    /* An item has the prefix, a vertex, a weight and two separators. The copy of the whole prefix fits, too. */
    struct gws__output_chunks chunks = {.count = lines->graph->arcs,
                                        .item_bytes = prefix_bytes + GWS__TEXT_U64 + GWS__TEXT_F32 + 2,
                                        .format = format_arcs,
                                        .context = &copy};
    if (copy.longest) chunks.item_bytes = 2 * gws__names_bytes(copy.longest) + GWS__TEXT_F32 + 3;
    return gws__output_chunks(output, &chunks);
}

/* ---- formats ---- */

/* Writes the DIMACS family, which numbers vertices from 1. The formats are shortest paths (9th challenge) with
 * coordinates, colouring (2nd challenge), and PACE 2016. PACE 2016 is colouring without letters. A line of .gr must
 * have a weight, which is 1 in a graph without weights. */
gws_status gws__write_dimacs(const struct gws__writing *writing)
{
    const struct gws_graph *graph = writing->graph;
    struct arc_lines lines = {
        .graph = graph, .part = GWS__ARCS_ALL, .weight = weight_of(graph, WEIGHT_ONE), .lead = "a ", .separator = ' '};
    gws_status status =
        gws_output_print(writing->output, "p sp %" PRIu64 " %" PRIu64 "\n", graph->vertices, graph->arcs);
    return status == GWS_OK ? write_lines(writing->output, &lines) : status;
}

/* Lists each edge once, after "p KIND N M". */
static gws_status write_edges(const struct gws__writing *writing, const char *kind, const char *lead)
{
    struct arc_lines lines = {.graph = writing->graph, .part = GWS__ARCS_UPPER, .lead = lead, .separator = ' '};
    uint64_t count;
    gws_status status = gws__arc_lines_count(writing->runtime, writing->graph, lines.part, &count);
    if (status == GWS_OK)
        status =
            gws_output_print(writing->output, "p %s %" PRIu64 " %" PRIu64 "\n", kind, writing->graph->vertices, count);
    return status == GWS_OK ? write_lines(writing->output, &lines) : status;
}

gws_status gws__write_dimacs_edge(const struct gws__writing *writing)
{
    return write_edges(writing, "edge", "e ");
}

gws_status gws__write_pace(const struct gws__writing *writing)
{
    return write_edges(writing, "tw", "");
}

/* Edge lists use the graph's own ids. Comments as in SNAP's files come first. The comments give the direction and the
 * number of vertices. If the ids are a range, a comment gives the range, which includes vertices without edges. If ids
 * are names, a comment says so. The separator is a comma in .csv, a space in .el and .wel, otherwise a tab. */

static char separator_for(const char *path)
{
    return gws__output_ends(path, ".csv") ? ',' : gws__output_ends(path, "el") ? ' ' : '\t';
}

gws_status gws__write_edge_list(const struct gws__writing *writing)
{
    const struct gws_graph *graph = writing->graph;
    struct arc_lines lines = {.graph = graph,
                              .part = graph->directed ? GWS__ARCS_ALL : GWS__ARCS_UPPER,
                              .weight = weight_of(graph, WEIGHT_NONE),
                              .lead = "",
                              .separator = separator_for(writing->path),
                              .own_ids = true};
    uint64_t count;
    gws_status status = gws__arc_lines_count(writing->runtime, graph, lines.part, &count);
    if (status == GWS_OK)
        status = gws_output_print(writing->output, "# %s graph\n# Nodes: %" PRIu64 " Edges: %" PRIu64 "\n",
                                  graph->directed ? "Directed" : "Undirected", graph->vertices, count);
    if (graph->names.text && status == GWS_OK) status = gws_output_print(writing->output, "# Ids: names\n");
    if (status == GWS_OK && !graph->id && !graph->names.text && graph->vertices > 0)
        status = gws_output_print(writing->output, "# Ids: %" PRIu64 " to %" PRIu64 "\n", graph->first_id,
                                  graph->first_id + graph->vertices - 1);
    return status == GWS_OK ? write_lines(writing->output, &lines) : status;
}

/* Writes MatrixMarket coordinates (Boisvert, Pozo, Remington, NISTIR 5935). An arc u to v is the entry in row u,
 * column v. A symmetric matrix lists its lower triangle. */

gws_status gws__write_matrix_market(const struct gws__writing *writing)
{
    const struct gws_graph *graph = writing->graph;
    struct arc_lines lines = {.graph = graph,
                              .part = graph->directed ? GWS__ARCS_ALL : GWS__ARCS_LOWER,
                              .weight = weight_of(graph, WEIGHT_NONE),
                              .lead = "",
                              .separator = ' '};
    const char *values = graph->weight ? "integer" : graph->real_weight ? "real" : "pattern";
    const char *symmetry = graph->directed ? "general" : "symmetric";
    uint64_t n = graph->vertices, count;
    gws_status status = gws__arc_lines_count(writing->runtime, graph, lines.part, &count);
    if (status == GWS_OK)
        status = gws_output_print(writing->output,
                                  "%%%%MatrixMarket matrix coordinate %s %s\n%" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
                                  values, symmetry, n, n, count);
    return status == GWS_OK ? write_lines(writing->output, &lines) : status;
}
