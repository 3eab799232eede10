/* SPDX-License-Identifier: MIT */
/* DIMACS files beside a graph: .co, "p aux sp co N" and a line "v ID X Y" for each vertex, and .ss, "p aux sp ss N" and
 * N lines "s ID".
 *
 * Positions are written to their places by all workers. seen[v] has bit 0 once v has one, and bit 1 once it has two.
 * Lists of sources are short: they are read line by line, and the array grows with what was read, not with what was
 * declared. */
#include "reader.h"

#include <inttypes.h>
#include <stdatomic.h>

#include "number.h"
#include "scan.h"

/* The line that begins a file of that kind; what names its number. */
static gws_status read_head(struct gws__input *input, const char *kind, const char *form, const char *what,
                            uint64_t *count)
{
    const char *const head[] = {"p", "aux", "sp", kind}, *const names[] = {what, NULL};
    struct gws__words words;
    gws_status status = gws__words_next(input, "c", form, &words);
    for (unsigned i = 0; status == GWS_OK && i < 4; i++)
        if (!gws__words_is(&words, i, head[i])) status = gws__words_expected(input, &words, i, form);
    return status == GWS_OK ? gws__words_numbers(input, &words, 4, names, count) : status;
}

/* ---- coordinates ---- */

struct places {
    struct gws__input *input;
    struct gws_graph *graph;
    struct gws__syntax syntax;
    double *position;
    atomic_uchar *seen;
    atomic_ullong lines;
};

static gws_status read_number(const struct gws__piece *piece, const char **p, const char *end, double *value)
{
    *p = gws__scan_blanks(*p, end);
    const char *stop = gws__number_scan_real(*p, end, value);
    if (!stop || stop != gws__scan_token(*p, end))
        return gws__piece_fail(piece, *p, GWS_SYNTAX, "expected a coordinate, found %s", gws__lines_show(*p, end).text);
    *p = stop;
    return GWS_OK;
}

static gws_status read_vertex(const struct places *places, const struct gws__piece *piece, const char **p,
                              const char *end, uint32_t *vertex)
{
    uint64_t id = 0;
    const char *start = *p;
    gws_status status = gws__lines_id(piece, &places->syntax, p, end, &id);
    if (status == GWS_OK && gws_graph_find(places->graph, id, vertex) != GWS_OK)
        status = gws__piece_fail(piece, start, GWS_OUT_OF_RANGE, "the graph has no vertex %" PRIu64, id);
    return status;
}

/* Only the first of two positions is written, so that no two threads write to one place. */
static void put(struct places *places, uint32_t vertex, double x, double y)
{
    /* relaxed: the end of the loop orders it before the check. */
    if (atomic_fetch_or_explicit(&places->seen[vertex], 1, memory_order_relaxed) & 1) {
        atomic_fetch_or_explicit(&places->seen[vertex], 2, memory_order_relaxed);
        return;
    }
    places->position[2 * (uint64_t)vertex] = x;
    places->position[2 * (uint64_t)vertex + 1] = y;
}

static gws_status read_line(struct places *places, const struct gws__piece *piece, const char *p, const char *end)
{
    uint32_t vertex = 0;
    double x = 0, y = 0;
    if (*p != 'v' || end - p < 2 || !gws__scan_is_blank(p[1]))
        return gws__piece_fail(piece, p, GWS_SYNTAX, "expected a line \"v ID X Y\", found %s",
                               gws__lines_show(p, end).text);
    p = gws__scan_blanks(p + 1, end);
    gws_status status = read_vertex(places, piece, &p, end, &vertex);
    if (status == GWS_OK) status = read_number(piece, &p, end, &x);
    if (status == GWS_OK) status = read_number(piece, &p, end, &y);
    if (status != GWS_OK) return status;
    p = gws__scan_blanks(p, end);
    if (p != end)
        return gws__piece_fail(piece, p, GWS_SYNTAX, "expected the end of the line, found %s",
                               gws__lines_show(p, end).text);
    put(places, vertex, x, y);
    return GWS_OK;
}

static gws_status read_piece(void *context, uint32_t worker, const struct gws__piece *piece)
{
    struct places *places = context;
    uint64_t lines = 0;
    (void)worker;
    for (const char *p = piece->at; p < piece->end;) {
        const char *feed = memchr(p, '\n', (size_t)(piece->end - p));
        const char *end = feed > p && feed[-1] == '\r' ? feed - 1 : feed;
        p = gws__scan_blanks(p, end);
        bool blank = p == end || *p == 'c';
        gws_status status = blank ? gws__lines_passed(piece, p, end) : read_line(places, piece, p, end);
        if (status != GWS_OK) return status;
        lines += !blank;
        p = feed + 1;
    }
    atomic_fetch_add_explicit(&places->lines, lines, memory_order_relaxed);
    return GWS_OK;
}

static gws_status check(const struct places *places, uint64_t count)
{
    uint64_t lines = atomic_load_explicit(&places->lines, memory_order_relaxed);
    for (uint64_t v = 0; v < places->graph->vertices; v++) {
        unsigned seen = atomic_load_explicit(&places->seen[v], memory_order_relaxed);
        if (seen == 1) continue;
        return gws__input_fail(places->input, GWS_CORRUPT, 0, 0, "vertex %" PRIu64 " has %s",
                               gws_graph_id(places->graph, (uint32_t)v), seen ? "two positions" : "no position");
    }
    if (lines == count) return GWS_OK;
    return gws__input_fail(places->input, lines < count ? GWS_TRUNCATED : GWS_SYNTAX, 0, 0,
                           "%" PRIu64 " vertices declared, %" PRIu64 " found", count, lines);
}

gws_status gws__coordinates_read_input(struct gws__input *input, struct gws_graph *graph)
{
    struct gws_runtime *runtime = input->runtime;
    uint64_t n = graph->vertices, count = 0;
    struct places places = {.input = input, .graph = graph, .syntax.free = true};
    gws_status status = gws__input_skip_mark(input);
    if (status == GWS_OK)
        status = read_head(input, "co", "a line \"p aux sp co ...\"", "the number of vertices", &count);
    if (status != GWS_OK) return status;
    places.position = gws_allocate(runtime, 2 * n, sizeof *places.position);
    places.seen = gws_allocate(runtime, n, sizeof *places.seen);
    if (!places.position || !places.seen) status = GWS_NO_MEMORY;
    for (uint64_t v = 0; status == GWS_OK && v < n; v++) atomic_init(&places.seen[v], 0);
    if (status == GWS_OK) status = gws__pieces_run(input, read_piece, &places);
    if (status == GWS_OK) status = check(&places, count);
    gws_release(runtime, places.seen, n, sizeof *places.seen);
    if (status == GWS_OK)
        gws_graph_adopt_positions(graph, places.position);
    else
        gws_release(runtime, places.position, 2 * n, sizeof *places.position);
    return status;
}

gws_status gws__coordinates_read(struct gws_runtime *runtime, const char *path, struct gws_graph *graph,
                                 struct gws_where *where)
{
    struct gws__input input;
    gws_status status = gws__input_open(&input, runtime, path, where);
    if (status == GWS_OK) status = gws__coordinates_read_input(&input, graph);
    return gws__input_end(&input, status);
}

/* ---- sources ---- */

struct list {
    uint32_t *vertex;
    uint64_t count, capacity;
};

static gws_status read_source(struct gws__input *input, const struct gws_graph *graph, const struct gws__words *words,
                              struct list *list)
{
    static const char *const what[] = {"a vertex", NULL};
    uint64_t id = 0;
    uint32_t vertex = 0;
    if (!gws__words_is(words, 0, "s")) return gws__words_expected(input, words, 0, "a line \"s ID\"");
    gws_status status = gws__words_numbers(input, words, 1, what, &id);
    if (status != GWS_OK) return status;
    if (gws_graph_find(graph, id, &vertex) == GWS_OK) {
        if (!gws__grow(input->runtime, &list->vertex, list->count, &list->capacity, sizeof vertex))
            return GWS_NO_MEMORY;
        list->vertex[list->count++] = vertex;
        return GWS_OK;
    }
    return gws__input_fail(input, GWS_OUT_OF_RANGE, words->line.number,
                           (uint64_t)(words->word[1].at - words->line.at) + 1, "the graph has no vertex %" PRIu64, id);
}

static gws_status read_all(struct gws__input *input, const struct gws_graph *graph, struct list *list)
{
    uint64_t declared = 0;
    gws_status status = read_head(input, "ss", "a line \"p aux sp ss N\"", "the number of sources", &declared);
    while (status == GWS_OK) {
        struct gws__line line;
        struct gws__words words;
        bool got = false;
        status = gws__input_line(input, &line, &got);
        if (status != GWS_OK || !got) break;
        gws__words_split(&line, &words);
        if (words.count == 0 || *words.word[0].at == 'c') continue;
        status = read_source(input, graph, &words, list);
    }
    if (status != GWS_OK || list->count == declared) return status;
    return gws__input_fail(input, list->count < declared ? GWS_TRUNCATED : GWS_SYNTAX, 0, 0,
                           "%" PRIu64 " sources declared, %" PRIu64 " found", declared, list->count);
}

gws_status gws__sources_read_input(struct gws__input *input, const struct gws_graph *graph, uint32_t **source,
                                   uint64_t *count)
{
    struct list list = {0};
    gws_status status = gws__input_skip_mark(input);
    if (status == GWS_OK) status = read_all(input, graph, &list);
    if (status == GWS_OK &&
        !gws__resize(input->runtime, &list.vertex, list.count, &list.capacity, list.count, sizeof *list.vertex))
        status = GWS_NO_MEMORY;
    if (status == GWS_OK) {
        *source = list.vertex;
        *count = list.count;
    } else {
        gws_release(input->runtime, list.vertex, list.capacity, sizeof *list.vertex);
    }
    return status;
}

gws_status gws_sources_read(struct gws_runtime *runtime, const char *path, const struct gws_graph *graph,
                            uint32_t **source, uint64_t *count, struct gws_where *where)
{
    struct gws__input input;
    gws_status status = gws__input_open(&input, runtime, path, where);
    if (status == GWS_OK) status = gws__sources_read_input(&input, graph, source, count);
    return gws__input_end(&input, status);
}
