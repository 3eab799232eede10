/* SPDX-License-Identifier: MIT */
/* Positions are written to their places by all workers. seen[v] has bit 0 once v has one, and bit 1 once it has two. */
#include "reader.h"

#include <inttypes.h>
#include <stdatomic.h>

#include "number.h"
#include "scan.h"

struct places {
    struct gws__input *input;
    struct gws_graph *graph;
    struct gws__syntax syntax;
    double *position;
    atomic_uchar *seen;
    atomic_ullong lines;
};

static gws_status read_head(struct gws__input *input, uint64_t *count)
{
    struct gws__words words;
    gws_status status = gws__words_next(input, "c", "a line \"p aux sp co ...\"", &words);
    if (status != GWS_OK) return status;
    static const char *const head[] = {"p", "aux", "sp", "co"};
    for (unsigned i = 0; i < 4; i++) {
        if (!gws__words_is(&words, i, head[i]))
            return gws__words_expected(input, &words, i, "a line \"p aux sp co ...\"");
    }
    status = gws__words_number(input, &words, 4, "the number of vertices", count);
    if (status == GWS_OK && words.count > 5) status = gws__words_expected(input, &words, 5, "the end of the line");
    return status;
}

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
    if (status == GWS_OK) status = read_head(input, &count);
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
