/* SPDX-License-Identifier: MIT */
/* Reads edge lists of SNAP, gapbs, KONECT, networkx and other programs, and tables with other columns beside the ends.
 * # and % begin comments. The reader finds the columns (columns.h) and the kind of ids, numbers or names, in the first
 * lines.
 *
 * The first line is a header if it names the columns of both ends, has an unnamed first column, or has text where the
 * next line has numbers. The comments before the first edge may have more information. The first comment that contains
 * "Undirected" or "Directed" determines the direction. "# Ids: FIRST to LAST" declares that exactly these ids are
 * vertices, with edges or without. "# Ids: names" declares that all ids are names, even ids that look like numbers. */
#include <stdio.h>
#include <string.h>

#include "../ranks/ranks.h"
#include "columns.h"
#include "id_map.h"
#include "scan.h"
#include "vertex_list.h"

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

/* The information in the comments before the edges. */
struct hints {
    bool hinted, directed;
    bool names;
    bool has_range; /* all ids are first .. first + counts.vertices - 1 */
    uint64_t first;
    struct gws__header_counts counts;
};

/* Returns the byte after `text` at p, or NULL if p has other text. */
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

/* Reads a comment "# Ids: FIRST to LAST". Ignores any other comment. */
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
    const char *end = line->end > first && line->end[-1] == '\r' ? line->end - 1 : line->end;
    if (!hints->hinted) hints->hinted = has_hint(line, &hints->directed);
    if (scan_text(first, end, "# Ids: names") == end) hints->names = true;
    return hints->has_range ? GWS_OK : read_range(input, line, first, hints);
}

/* Reads up to the next line that is neither blank nor a comment. */
static gws_status next_edge_line(struct gws__input *input, struct hints *hints, struct gws__text_line *line, bool *got)
{
    for (;;) {
        gws_status status = gws__input_line(input, line, got);
        if (status != GWS_OK || !*got) return status;
        const char *first = gws__scan_blanks(line->at, line->end);
        if (first == line->end || *first == '\r') continue;
        if (*first != '#' && *first != '%') return GWS_OK;
        status = read_comment(input, line, first, hints);
        if (status != GWS_OK) return status;
    }
}

/* ---- the head: comments, a header, and the first edge ---- */

struct edge_list_head {
    struct hints hints;
    struct gws__columns columns;
    char *list; /* path of NAME.v for NAME.e; NULL: no such file */
    uint64_t list_bytes;
    bool by_name;                  /* the header named the columns */
    struct gws__buffer *copy;      /* a copy of the first line if the second line decided its meaning, else NULL */
    struct gws__text_line pending; /* the copied line if it is an edge; otherwise at is NULL */
};

/* Finds columns in the line of the first edge, and returns the line to the input, for the reader of all edges. */
static gws_status complete(struct gws__input *input, const struct gws__text_line *line, struct edge_list_head *head)
{
    struct gws__first_line edge;
    gws_status status = gws__first_line_split(input, line, &edge);
    if (status != GWS_OK) return status;
    gws__input_unread(input, line);
    return gws__columns_complete(input, line, &edge, head->by_name, &head->columns);
}

/* Reads the second line after a first line with text for ids. The first line is a header if the second line has
 * numbers there, otherwise an edge. The input keeps only its last line, so the function copies the first line. */
static gws_status read_second(struct gws__input *input, const struct gws__text_line *line, struct edge_list_head *head)
{
    struct gws__text_line second;
    struct gws__first_line fields;
    bool got = false;
    uint64_t length = (uint64_t)(line->end - line->at);
    head->copy = gws__buffer_new(input->runtime, length + 1);
    if (!head->copy) return GWS_NO_MEMORY;
    memcpy(head->copy->text, line->at, length);
    head->copy->used = length;
    gws__buffer_seal(head->copy);
    const struct gws__text_line first = {head->copy->text, head->copy->text + length, line->number};
    gws_status status = next_edge_line(input, &head->hints, &second, &got);
    if (status == GWS_OK && got) status = gws__first_line_split(input, &second, &fields);
    if (status != GWS_OK) return status;
    if (got) gws__input_unread(input, &second);
    if (got && gws__columns_has_ids(&fields, &head->columns)) {
        char message[512];
        snprintf(message, sizeof message, "%s: the first line is read as the names of columns", input->name);
        gws_report_log(input->runtime, message);
        return gws__columns_complete(input, &second, &fields, false, &head->columns);
    }
    head->pending = first;
    status = gws__first_line_split(input, &first, &fields);
    return status == GWS_OK ? gws__columns_complete(input, &first, &fields, false, &head->columns) : status;
}

static gws_status read_head(struct gws__input *input, const struct gws_read_options *options,
                            struct edge_list_head *head)
{
    struct gws__text_line line;
    struct gws__first_line first;
    bool got = false;
    gws_status status = next_edge_line(input, &head->hints, &line, &got);
    head->columns = (struct gws__columns){.plain = true, .to = 1};
    if (status != GWS_OK || !got) return status;
    status = gws__first_line_split(input, &line, &first);
    if (status != GWS_OK) return status;
    head->by_name = gws__columns_by_name(&first, &head->columns);
    if (!head->by_name) gws__columns_by_position(&first, &head->columns);
    bool header = head->by_name || head->columns.from > 0;
    head->columns.names = options->names || head->hints.names;
    if (!header && !head->columns.names && gws__columns_has_text(&first, &head->columns))
        return read_second(input, &line, head);
    if (header) status = next_edge_line(input, &head->hints, &line, &got);
    if (!got) head->columns = (struct gws__columns){.plain = true, .to = 1};
    return status == GWS_OK && got ? complete(input, &line, head) : status;
}

/* Builds the graph of a declared range of ids. The edges' ids are relative to the first id of the range. */
static gws_status build_range(const struct gws__input *input, struct gws__edges *edges, const struct hints *hints,
                              const struct gws_build_options *options, struct gws_graph **built)
{
    gws_status status = gws__header_counts_plausible(input, &hints->counts);
    if (status == GWS_OK) status = gws__edges_build(edges, hints->counts.vertices, options, built);
    if (status == GWS_OK) gws_graph_set_first_id(*built, hints->first);
    return status;
}

/* Replaces ids by vertices. The vertices are the ids that appear. */
static gws_status number_ids(struct gws__edges *edges, uint64_t **id, uint64_t *first_id, uint64_t *vertices)
{
    struct gws__id_map names = {0};
    gws_status status = gws__id_map_find(edges, &names);
    if (status == GWS_OK && names.vertices >= GWS_NO_VERTEX) status = GWS_TOO_LARGE;
    if (status == GWS_OK) status = gws__id_map_apply(&names, edges, id, first_id);
    *vertices = names.vertices;
    gws__id_map_close(&names);
    return status;
}

/* Builds the graph. list is the path of a list of vertices, or NULL. */
static gws_status build(struct gws__input *input, const char *list, struct gws__edges *edges,
                        const struct gws_build_options *options, struct gws_graph **graph)
{
    struct gws_graph *built = NULL;
    uint64_t *id = NULL, first_id = 0, vertices = 0;
    gws_status status = list ? gws__vertex_list_apply(input, list, edges, &id, &first_id, &vertices)
                             : number_ids(edges, &id, &first_id, &vertices);
    if (status == GWS_OK) status = gws__edges_build(edges, vertices, options, &built);
    if (status != GWS_OK) {
        gws_release(input->runtime, id, vertices, sizeof *id);
        return status;
    }
    gws_graph_set_first_id(built, first_id);
    if (id) gws_graph_adopt_ids(built, id);
    *graph = built;
    return GWS_OK;
}

static gws_status build_names(struct gws__name_tables *names, struct gws__edges *edges,
                              const struct gws_build_options *options, struct gws_graph **graph)
{
    const bool first = gws__read_ranks_first(edges->ranks);
    struct gws_graph *built = NULL;
    gws_status status = gws__names_exchange(edges->ranks, names);
    if (status == GWS_OK) status = gws__names_sort(names);
    if (status == GWS_OK) status = gws__names_apply(names, edges);
    if (status == GWS_OK) status = gws__edges_build(edges, names->vertices, options, &built);
    if (status == GWS_OK && first) status = gws__names_move(names, built);
    if (status == GWS_OK)
        *graph = built;
    else
        gws_graph_destroy(built);
    return status;
}

/* Reads the edges after the head. */
static gws_status read_edges(struct gws__input *input, const struct edge_list_head *head,
                             const struct gws__syntax *syntax, struct gws__name_tables *names, struct gws__edges *edges)
{
    gws_status status = GWS_OK;
    if (head->columns.plain) return gws__lines_read(input, syntax, edges);
    if (head->columns.names) status = gws__names_open(names, input->runtime);
    names = head->columns.names ? names : NULL;
    if (status == GWS_OK && head->pending.at && gws__read_ranks_first(input->ranks))
        status = gws__table_read_line(input, &head->pending, &head->columns, syntax, names, edges);
    return status == GWS_OK ? gws__table_read(input, &head->columns, syntax, names, edges) : status;
}

static gws_status read_graph(struct gws__input *input, const struct gws_read_options *options,
                             const struct edge_list_head *head, struct gws_graph **graph)
{
    const struct hints *hints = &head->hints;
    struct gws__syntax syntax = {.comment = "#%", .comma = true, .weights = options->weights, .free = true};
    struct gws__edges edges = {0};
    struct gws__name_tables names = {0};
    syntax.weighted = head->columns.weighted;
    if (hints->has_range) {
        syntax.free = false;
        syntax.base = hints->first;
        syntax.vertices = hints->counts.vertices;
    }
    gws_status status = gws__edges_open(&edges, input, syntax.weighted && syntax.weights != GWS_WEIGHTS_DROP);
    if (status == GWS_OK) status = read_edges(input, head, &syntax, &names, &edges);
    struct gws_build_options build_options = gws__build_options(options, hints->directed);
    if (status == GWS_OK)
        status = hints->has_range      ? build_range(input, &edges, hints, &build_options, graph)
                 : head->columns.names ? build_names(&names, &edges, &build_options, graph)
                                       : build(input, head->list, &edges, &build_options, graph);
    gws__edges_close(&edges);
    gws__names_close(&names);
    return status;
}

gws_status gws__edge_list_read(struct gws__input *input, const struct gws_read_options *options,
                               struct gws_graph **graph)
{
    struct edge_list_head head = {.hints.directed = true};
    struct gws_graph *built = NULL;
    gws_status status = gws__vertex_list_pair(input->runtime, input->name, ".e", &head.list, &head.list_bytes);
    status = gws__read_ranks_same(input->ranks, status, head.list != NULL);
    if (status == GWS_OK) status = read_head(input, options, &head);
    if (head.list) head.hints.has_range = false;
    if (head.list || head.hints.has_range) head.columns.names = false;
    if (status == GWS_OK) status = read_graph(input, options, &head, &built);
    if (head.copy) gws__buffer_free(input->runtime, head.copy);
    if (head.list) gws_release(input->runtime, head.list, head.list_bytes, 1);
    if (status == GWS_OK) *graph = built;
    return status;
}
