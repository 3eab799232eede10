/* SPDX-License-Identifier: MIT */
/* Edge lists as SNAP, gapbs, KONECT and others write them: "U V" or "U V WEIGHT", separated by blanks or a comma. # and
 * % begin comments. A table may have a line with the names of its columns before the first edge. The first edge
 * determines whether there are weights. Among the comments before it, the first one that contains "Undirected" or
 * "Directed" determines the direction, and "# Ids: FIRST to LAST" declares that exactly these ids are vertices, with
 * edges or without. */
#include <string.h>

#include "id_map.h"
#include "number.h"
#include "reader.h"
#include "scan.h"

static const char *find(const struct gws__text_line *line, const char *text)
{
    size_t length = strlen(text);
    for (const char *p = line->at; (size_t)(line->end - p) >= length; p++) {
        if (memcmp(p, text, length) == 0) return p;
    }
    return NULL;
}

/* Sets *directed and returns true if the comment contains either word. */
static bool has_hint(const struct gws__text_line *line, bool *directed)
{
    const char *yes = find(line, "Directed"), *no = find(line, "Undirected");
    if (!yes && !no) return false;
    *directed = !no || (yes && yes < no);
    return true;
}

static unsigned count_columns(const struct gws__text_line *line)
{
    unsigned count = 0;
    for (const char *p = line->at; p < line->end; count++) {
        while (p < line->end && (gws__scan_is_blank(*p) || *p == ',' || *p == '\r')) p++;
        if (p == line->end) break;
        p = gws__scan_token(p, line->end);
    }
    return count;
}

/* True if the file may have a line of column names: a table, by its name's suffix, or any file whose format the caller
 * gives explicitly. */
static bool may_name_columns(const struct gws__input *input, const struct gws_read_options *options)
{
    return options->format == GWS_FORMAT_EDGE_LIST || gws__format_has_suffix(input->name, ".csv") ||
           gws__format_has_suffix(input->name, ".tsv");
}

/* True for tokens such as nan that are numbers. */
static bool is_number_name(const char *p, const char *end)
{
    double value;
    const char *stop = gws__scan_token(p, end);
    if (stop > p && stop[-1] == '\r') stop--;
    return gws__number_special(p, stop, &value) == stop;
}

/* True for two or more tokens without a digit, each of which begins like a name. */
static bool names_columns(const struct gws__text_line *line)
{
    unsigned count = count_columns(line);
    bool starts = true;
    for (const char *p = line->at; p < line->end; p++) {
        bool space = gws__scan_is_blank(*p) || *p == ',' || *p == '\r';
        bool alphabetic =
            (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || *p == '_' || *p == '"' || (unsigned char)*p >= 0x80;
        bool control = ((unsigned char)*p < ' ' && !space) || *p == 0x7f;
        if (gws__scan_is_digit(*p) || control || (starts && !space && !alphabetic)) return false;
        if (starts && !space && is_number_name(p, line->end)) return false;
        starts = space;
    }
    return count >= 2;
}

/* The information in the comments before the edges. */
struct hints {
    bool hinted, directed;
    bool has_range; /* all ids are first .. first + counts.vertices - 1 */
    uint64_t first;
    struct gws__header_counts counts;
};

/* Reads text at p; NULL if other text is there. */
static const char *scan_text(const char *p, const char *end, const char *text)
{
    size_t length = strlen(text);
    return p && (size_t)(end - p) >= length && memcmp(p, text, length) == 0 ? p + length : NULL;
}

static const char *scan_id(const char *p, const char *end, uint64_t *id, bool *fits)
{
    const char *stop = p ? gws__scan_long(p, end, id, fits) : p;
    return stop == p ? NULL : stop;
}

/* Reads a comment "# Ids: FIRST to LAST"; ignores any other comment. */
static gws_status read_range(const struct gws__input *input, const struct gws__text_line *line, const char *p,
                             struct hints *hints)
{
    uint64_t first = 0, last = 0;
    bool first_fits = true, last_fits = true;
    const char *end = line->end > p && line->end[-1] == '\r' ? line->end - 1 : line->end;
    p = scan_id(scan_text(p, end, "# Ids: "), end, &first, &first_fits);
    p = scan_id(scan_text(p, end, " to "), end, &last, &last_fits);
    if (p != end) return GWS_OK;
    if (!first_fits || !last_fits)
        return gws__input_fail(input, GWS_TOO_LARGE, line->number, 0, "an id does not fit in 64 bits");
    if (last < first) return gws__input_fail(input, GWS_SYNTAX, line->number, 0, "the first id is above the last");
    hints->has_range = true;
    hints->first = first;
    hints->counts = (struct gws__header_counts){.vertices = last - first, .line = line->number};
    gws_status status = gws__header_counts_check(input, &hints->counts);
    hints->counts.vertices++;
    return status == GWS_OK ? gws__header_counts_check(input, &hints->counts) : status;
}

static gws_status read_comment(const struct gws__input *input, const struct gws__text_line *line, const char *first,
                               struct hints *hints)
{
    if (!hints->hinted) hints->hinted = has_hint(line, &hints->directed);
    return hints->has_range ? GWS_OK : read_range(input, line, first, hints);
}

static gws_status read_head(struct gws__input *input, bool table, struct hints *hints, bool *weighted)
{
    *weighted = false;
    for (;;) {
        struct gws__text_line line;
        bool got = false;
        gws_status status = gws__input_line(input, &line, &got);
        if (status != GWS_OK || !got) return status;
        const char *first = gws__scan_blanks(line.at, line.end);
        bool comment = first < line.end && (*first == '#' || *first == '%');
        if (comment) status = read_comment(input, &line, first, hints);
        if (status != GWS_OK) return status;
        if (comment || first == line.end || *first == '\r') continue;
        if (table && names_columns(&line)) {
            table = false; /* only one such line is allowed */
            continue;
        }
        *weighted = count_columns(&line) == 3;
        gws__input_unread(input, &line);
        return GWS_OK;
    }
}

/* Builds the graph of a declared range of ids. The edges' ids are relative to the first. */
static gws_status build_range(const struct gws__input *input, const struct gws__edges *edges, const struct hints *hints,
                              const struct gws_build_options *options, struct gws_graph **built)
{
    gws_status status = gws__header_counts_plausible(input, &hints->counts);
    if (status == GWS_OK) status = gws__edges_build(edges, hints->counts.vertices, options, built);
    if (status == GWS_OK) gws_graph_set_first_id(*built, hints->first);
    return status;
}

static gws_status build(struct gws__edges *edges, const struct gws_build_options *options, struct gws_graph **graph)
{
    struct gws__id_map names = {0};
    struct gws_graph *built = NULL;
    uint64_t *id = NULL, first_id = 0, vertices = 0;
    gws_status status = gws__id_map_find(edges, &names);
    if (status == GWS_OK && names.vertices >= GWS_NO_VERTEX) status = GWS_TOO_LARGE;
    if (status == GWS_OK) status = gws__id_map_apply(&names, edges, &id, &first_id);
    vertices = names.vertices;
    gws__id_map_close(&names);
    if (status == GWS_OK) status = gws__edges_build(edges, vertices, options, &built);
    if (status != GWS_OK) {
        gws_release(edges->runtime, id, vertices, sizeof *id);
        return status;
    }
    gws_graph_set_first_id(built, first_id);
    if (id) gws_graph_adopt_ids(built, id);
    *graph = built;
    return GWS_OK;
}

gws_status gws__edge_list_read(struct gws__input *input, const struct gws_read_options *options,
                               struct gws_graph **graph)
{
    struct gws__syntax syntax = {.comment = "#%", .comma = true, .weights = options->weights, .free = true};
    struct gws__edges edges = {0};
    struct hints hints = {.directed = true};
    struct gws_graph *built = NULL;
    gws_status status = read_head(input, may_name_columns(input, options), &hints, &syntax.weighted);
    if (hints.has_range) {
        syntax.free = false;
        syntax.base = hints.first;
        syntax.vertices = hints.counts.vertices;
    }
    if (status == GWS_OK)
        status = gws__edges_open(&edges, input->runtime, syntax.weighted && syntax.weights != GWS_WEIGHTS_DROP);
    if (status == GWS_OK) status = gws__lines_read(input, &syntax, &edges);
    struct gws_build_options build_options = gws__build_options(options, hints.directed);
    if (status == GWS_OK)
        status = hints.has_range ? build_range(input, &edges, &hints, &build_options, &built)
                                 : build(&edges, &build_options, &built);
    gws__edges_close(&edges);
    if (status == GWS_OK) *graph = built;
    return status;
}
