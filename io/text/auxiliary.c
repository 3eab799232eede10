/* SPDX-License-Identifier: MIT */
/* Auxiliary DIMACS files of a graph. A .co file has "p aux sp co N" and a line "v ID X Y" for each vertex. A .ss file
 * has "p aux sp ss N" and N lines "s ID".
 *
 * All workers write positions to their destinations. A worker sets bit 0 of seen[v] for the first position of v, and
 * bit 1 for the second. Lists of sources are short, so one worker reads them line by line. The array grows with the
 * lines read, not with the declared number. */
#include "reader.h"

#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>

#include "number.h"
#include "scan.h"

/* Reads the first line of a file of the given kind. `what` names the number of this line in messages. */
static gws_status read_head(struct gws__input *input, const char *kind, const char *form, const char *what,
                            uint64_t *count)
{
    const char *const head[] = {"p", "aux", "sp", kind}, *const names[] = {what, NULL};
    struct gws__tokens tokens;
    gws_status status = gws__tokens_next(input, "c", form, &tokens);
    for (unsigned i = 0; status == GWS_OK && i < 4; i++)
        if (!gws__tokens_is(&tokens, i, head[i])) status = gws__tokens_expected(input, &tokens, i, form);
    return status == GWS_OK ? gws__tokens_numbers(input, &tokens, 4, names, count) : status;
}

/* ---- coordinates ---- */

struct positions {
    struct gws__input *input;
    struct gws_graph *graph;
    struct gws__syntax syntax;
    double *position;
    atomic_uchar *seen;
    atomic_ullong lines;
};

static gws_status read_number(const struct gws__chunk *chunk, const char **p, const char *end, double *value)
{
    *p = gws__scan_blanks(*p, end);
    const char *stop = gws__number_scan_real(*p, end, value);
    if (!stop || stop != gws__scan_token(*p, end) || !isfinite(*value))
        return gws__chunk_fail(chunk, *p, GWS_SYNTAX, "expected a coordinate, found %s",
                               gws__lines_quote(*p, end).text);
    *p = stop;
    return GWS_OK;
}

static gws_status read_vertex(const struct positions *positions, const struct gws__chunk *chunk, const char **p,
                              const char *end, uint32_t *vertex)
{
    uint64_t id = 0;
    const char *start = *p;
    gws_status status = gws__lines_id(chunk, &positions->syntax, p, end, &id);
    if (status == GWS_OK && gws_graph_find(positions->graph, id, vertex) != GWS_OK)
        status = gws__chunk_fail(chunk, start, GWS_OUT_OF_RANGE, "the graph has no vertex %" PRIu64, id);
    return status;
}

/* Stores a vertex's first position only, so no two threads write to one element. */
static void store_position(struct positions *positions, uint32_t vertex, double x, double y)
{
    /* relaxed: the loop's barrier orders the store before the loads in check() */
    if (atomic_fetch_or_explicit(&positions->seen[vertex], 1, memory_order_relaxed) & 1) {
        atomic_fetch_or_explicit(&positions->seen[vertex], 2, memory_order_relaxed);
        return;
    }
    positions->position[2 * (uint64_t)vertex] = x;
    positions->position[2 * (uint64_t)vertex + 1] = y;
}

static gws_status read_line(struct positions *positions, const struct gws__chunk *chunk, const char *p, const char *end)
{
    uint32_t vertex = 0;
    double x = 0, y = 0;
    if (*p != 'v' || end - p < 2 || !gws__scan_is_blank(p[1]))
        return gws__chunk_fail(chunk, p, GWS_SYNTAX, "expected a line \"v ID X Y\", found %s",
                               gws__lines_quote(p, end).text);
    p = gws__scan_blanks(p + 1, end);
    gws_status status = read_vertex(positions, chunk, &p, end, &vertex);
    if (status == GWS_OK) status = read_number(chunk, &p, end, &x);
    if (status == GWS_OK) status = read_number(chunk, &p, end, &y);
    if (status != GWS_OK) return status;
    p = gws__scan_blanks(p, end);
    if (p != end)
        return gws__chunk_fail(chunk, p, GWS_SYNTAX, "expected the end of the line, found %s",
                               gws__lines_quote(p, end).text);
    store_position(positions, vertex, x, y);
    return GWS_OK;
}

static gws_status read_chunk(void *context, uint32_t worker, const struct gws__chunk *chunk)
{
    struct positions *positions = context;
    uint64_t lines = 0;
    (void)worker;
    for (const char *p = chunk->at; p < chunk->end;) {
        const char *newline = memchr(p, '\n', (size_t)(chunk->end - p));
        const char *end = newline > p && newline[-1] == '\r' ? newline - 1 : newline;
        p = gws__scan_blanks(p, end);
        bool blank = p == end || *p == 'c';
        gws_status status = blank ? gws__lines_check_skipped(chunk, p, end) : read_line(positions, chunk, p, end);
        if (status != GWS_OK) return status;
        lines += !blank;
        p = newline + 1;
    }
    atomic_fetch_add_explicit(&positions->lines, lines, memory_order_relaxed);
    return GWS_OK;
}

static gws_status check(const struct positions *positions, uint64_t count)
{
    uint64_t lines = atomic_load_explicit(&positions->lines, memory_order_relaxed);
    for (uint64_t v = 0; v < positions->graph->vertices; v++) {
        unsigned seen = atomic_load_explicit(&positions->seen[v], memory_order_relaxed);
        if (seen == 1) continue;
        return gws__input_fail(positions->input, GWS_CORRUPT, 0, 0, "vertex %" PRIu64 " has %s",
                               gws_graph_id(positions->graph, (uint32_t)v), seen ? "two positions" : "no position");
    }
    if (lines == count) return GWS_OK;
    return gws__input_fail(positions->input, lines < count ? GWS_TRUNCATED : GWS_SYNTAX, 0, 0,
                           "%" PRIu64 " vertices declared, %" PRIu64 " found", count, lines);
}

gws_status gws__coordinates_read_input(struct gws__input *input, struct gws_graph *graph)
{
    struct gws_runtime *runtime = input->runtime;
    uint64_t n = graph->vertices, count = 0;
    struct positions positions = {.input = input, .graph = graph, .syntax.free = true};
    if (graph->names.text)
        return gws__input_fail(input, GWS_INVALID, 0, 0,
                               "the file numbers vertices, and those of the graph have names");
    gws_status status = gws__input_skip_bom(input);
    if (status == GWS_OK)
        status = read_head(input, "co", "a line \"p aux sp co ...\"", "the number of vertices", &count);
    if (status != GWS_OK) return status;
    positions.position = gws_allocate(runtime, 2 * n, sizeof *positions.position);
    positions.seen = gws_allocate(runtime, n, sizeof *positions.seen);
    if (!positions.position || !positions.seen) status = GWS_NO_MEMORY;
    for (uint64_t v = 0; status == GWS_OK && v < n; v++) atomic_init(&positions.seen[v], 0);
    if (status == GWS_OK) status = gws__chunks_run(input, read_chunk, &positions);
    if (status == GWS_OK) status = check(&positions, count);
    gws_release(runtime, positions.seen, n, sizeof *positions.seen);
    if (status == GWS_OK)
        gws_graph_adopt_positions(graph, positions.position);
    else
        gws_release(runtime, positions.position, 2 * n, sizeof *positions.position);
    return status;
}

gws_status gws__coordinates_read(struct gws_runtime *runtime, const char *path, struct gws_graph *graph,
                                 struct gws_diagnostic *where)
{
    struct gws__input input;
    gws_status status = gws__input_open(&input, runtime, path, where);
    if (status == GWS_OK) status = gws__coordinates_read_input(&input, graph);
    return gws__input_end(&input, status);
}

/* ---- sources ---- */

struct source_list {
    uint32_t *vertex;
    uint64_t count, capacity;
};

/* Reads a source in a graph with names. The rest of the line is a name. */
static gws_status read_source_name(struct gws__input *input, const struct gws_graph *graph,
                                   const struct gws__tokens *tokens, uint32_t *vertex)
{
    if (tokens->count < 2) return gws__tokens_expected(input, tokens, 1, "the name of a vertex");
    const char *at = tokens->token[1].at, *end = tokens->line.end;
    while (end > at && gws__scan_is_blank(end[-1])) end--;
    if (gws_graph_find_name(graph, at, (uint64_t)(end - at), vertex) == GWS_OK) return GWS_OK;
    return gws__input_fail(input, GWS_OUT_OF_RANGE, tokens->line.number, (uint64_t)(at - tokens->line.at) + 1,
                           "the graph has no vertex %s", gws__lines_quote(at, end).text);
}

static gws_status read_source(struct gws__input *input, const struct gws_graph *graph, const struct gws__tokens *tokens,
                              struct source_list *source_list)
{
    static const char *const what[] = {"a vertex", NULL};
    uint64_t id = 0;
    uint32_t vertex = 0;
    if (!gws__tokens_is(tokens, 0, "s")) return gws__tokens_expected(input, tokens, 0, "a line \"s ID\"");
    gws_status status = graph->names.text ? read_source_name(input, graph, tokens, &vertex)
                                          : gws__tokens_numbers(input, tokens, 1, what, &id);
    if (status != GWS_OK) return status;
    if (graph->names.text || gws_graph_find(graph, id, &vertex) == GWS_OK) {
        if (!gws__grow(input->runtime, &source_list->vertex, source_list->count, &source_list->capacity, sizeof vertex))
            return GWS_NO_MEMORY;
        source_list->vertex[source_list->count++] = vertex;
        return GWS_OK;
    }
    return gws__input_fail(input, GWS_OUT_OF_RANGE, tokens->line.number,
                           (uint64_t)(tokens->token[1].at - tokens->line.at) + 1, "the graph has no vertex %" PRIu64,
                           id);
}

static gws_status read_all(struct gws__input *input, const struct gws_graph *graph, struct source_list *source_list)
{
    uint64_t declared = 0;
    gws_status status = read_head(input, "ss", "a line \"p aux sp ss N\"", "the number of sources", &declared);
    while (status == GWS_OK) {
        struct gws__text_line line;
        struct gws__tokens tokens;
        bool got = false;
        status = gws__input_line(input, &line, &got);
        if (status != GWS_OK || !got) break;
        gws__tokens_split(&line, &tokens);
        if (tokens.count == 0 || *tokens.token[0].at == 'c') continue;
        status = read_source(input, graph, &tokens, source_list);
    }
    if (status != GWS_OK || source_list->count == declared) return status;
    return gws__input_fail(input, source_list->count < declared ? GWS_TRUNCATED : GWS_SYNTAX, 0, 0,
                           "%" PRIu64 " sources declared, %" PRIu64 " found", declared, source_list->count);
}

gws_status gws__sources_read_input(struct gws__input *input, const struct gws_graph *graph, uint32_t **source,
                                   uint64_t *count)
{
    struct source_list source_list = {0};
    gws_status status = gws__input_skip_bom(input);
    if (status == GWS_OK) status = read_all(input, graph, &source_list);
    if (status == GWS_OK && !gws__resize(input->runtime, &source_list.vertex, source_list.count, &source_list.capacity,
                                         source_list.count, sizeof *source_list.vertex))
        status = GWS_NO_MEMORY;
    if (status == GWS_OK) {
        *source = source_list.vertex;
        *count = source_list.count;
    } else {
        gws_release(input->runtime, source_list.vertex, source_list.capacity, sizeof *source_list.vertex);
    }
    return status;
}

static gws_status sources_read(struct gws_runtime *runtime, const char *path, const struct gws_graph *graph,
                               uint32_t **source, uint64_t *count, struct gws_diagnostic *where)
{
    struct gws__input input;
    gws_status status = gws__input_open(&input, runtime, path, where);
    if (status == GWS_OK) status = gws__sources_read_input(&input, graph, source, count);
    return gws__input_end(&input, status);
}

gws_status gws_sources_read(struct gws_runtime *runtime, const char *path, const struct gws_graph *graph,
                            uint32_t **source, uint64_t *count, struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, sources_read(runtime, path, graph, source, count, where));
}
