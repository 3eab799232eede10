/* SPDX-License-Identifier: MIT */
/* Edge lists as SNAP, gapbs, KONECT and others write them: "U V" or "U V WEIGHT", apart by blanks or a comma; # and %
 * begin comments; before the first edge, a table may have a line with the names of its columns. The first edge says
 * whether there are weights. Among the comments before it, the first that contains "Undirected" or "Directed" says
 * which the graph is, and "# Ids: FIRST to LAST" says that there are vertices of all these ids, with edges or without.
 */
#include "format.h"
#include "names.h"
#include "reader.h"
#include "scan.h"

static const char *find(const struct gws__line *line, const char *text)
{
    size_t length = strlen(text);
    for (const char *p = line->at; (size_t)(line->end - p) >= length; p++) {
        if (memcmp(p, text, length) == 0) return p;
    }
    return NULL;
}

/* Sets *directed and returns true if the comment says so. */
static bool has_hint(const struct gws__line *line, bool *directed)
{
    const char *yes = find(line, "Directed"), *no = find(line, "Undirected");
    if (!yes && !no) return false;
    *directed = !no || (yes && yes < no);
    return true;
}

static unsigned count_columns(const struct gws__line *line)
{
    unsigned count = 0;
    for (const char *p = line->at; p < line->end; count++) {
        while (p < line->end && (gws__scan_is_blank(*p) || *p == ',' || *p == '\r')) p++;
        if (p == line->end) break;
        p = gws__scan_token(p, line->end);
    }
    return count;
}

/* True if a line may name columns at all: in a table, by its name's ending, or when the caller says what the file is.
 */
static bool may_name_columns(const struct gws__input *input, const struct gws_read_options *options)
{
    return options->format == GWS_FORMAT_EDGE_LIST || gws__format_ending(input->name, ".csv") ||
           gws__format_ending(input->name, ".tsv");
}

/* True for two or more words without a digit, each of which begins like a name. */
static bool names_columns(const struct gws__line *line)
{
    unsigned count = count_columns(line);
    bool starts = true;
    for (const char *p = line->at; p < line->end; p++) {
        bool space = gws__scan_is_blank(*p) || *p == ',' || *p == '\r';
        bool letter =
            (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || *p == '_' || *p == '"' || (unsigned char)*p >= 0x80;
        if (gws__scan_is_digit(*p) || (unsigned char)*p < '\t' || (starts && !space && !letter)) return false;
        starts = space;
    }
    return count >= 2;
}

static gws_status read_head(struct gws__input *input, bool table, bool *directed, bool *weighted,
                            struct gws__names_range *range, struct gws_where *where)
{
    bool hinted = false;
    *directed = true;
    *weighted = false;
    for (;;) {
        struct gws__line line;
        bool got = false;
        gws_status status = gws__input_line(input, &line, &got, where);
        if (status != GWS_OK || !got) return status;
        const char *first = gws__scan_blanks(line.at, line.end);
        bool comment = first < line.end && (*first == '#' || *first == '%');
        if (comment && !hinted) hinted = has_hint(&line, directed);
        if (comment && !range->declared) gws__names_range_scan(first, line.end, range);
        if (comment || first == line.end || *first == '\r') continue;
        if (table && names_columns(&line)) {
            table = false; /* once */
            continue;
        }
        *weighted = count_columns(&line) == 3;
        gws__input_unread(input, &line);
        return GWS_OK;
    }
}

/* The graph of a range of ids that was declared beforehand; *built stays NULL if that does not hold. */
static gws_status build_range(struct gws__edges *edges, const struct gws__names_range *range, uint64_t bytes,
                              const struct gws_build_options *options, struct gws_graph **built)
{
    bool applied = false;
    gws_status status = gws__names_range_apply(range, bytes, edges, &applied);
    if (status == GWS_OK && applied) status = gws__edges_build(edges, range->last - range->first + 1, options, built);
    if (status == GWS_OK && applied) gws_graph_set_first_id(*built, range->first);
    return status;
}

static gws_status build(struct gws__edges *edges, const struct gws_build_options *options, struct gws_graph **graph)
{
    struct gws__names names = {0};
    struct gws_graph *built = NULL;
    uint64_t *id = NULL, first_id = 0, vertices = 0;
    gws_status status = gws__names_find(edges, &names);
    if (status == GWS_OK && names.vertices >= GWS_NO_VERTEX) status = GWS_TOO_LARGE;
    if (status == GWS_OK) status = gws__names_apply(&names, edges, &id, &first_id);
    vertices = names.vertices;
    gws__names_close(&names);
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
                               struct gws_graph **graph, struct gws_where *where)
{
    struct gws__syntax syntax = {.comment = "#%", .comma = true, .weights = options->weights, .free = true};
    struct gws__edges edges = {0};
    struct gws__names_range range = {0};
    struct gws_graph *built = NULL;
    bool directed = true;
    gws_status status = read_head(input, may_name_columns(input, options), &directed, &syntax.weighted, &range, where);
    if (status == GWS_OK)
        status = gws__edges_open(&edges, input->runtime, syntax.weighted && syntax.weights != GWS_WEIGHTS_DROP);
    if (status == GWS_OK) status = gws__lines_read(input, &syntax, &edges, where);
    struct gws_build_options options_of_build = gws__build_options(options, directed);
    if (status == GWS_OK) status = build_range(&edges, &range, input->offset, &options_of_build, &built);
    if (status == GWS_OK && !built) status = build(&edges, &options_of_build, &built);
    gws__edges_close(&edges);
    if (status == GWS_OK) *graph = built;
    return status;
}
