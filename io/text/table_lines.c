/* SPDX-License-Identifier: MIT */
/* Reads lines of tables with any columns, in chunks on all workers. Ids are numbers, or names that the worker numbers
 * in its table. lines.c is faster for lines of two plain numbers and a weight. */
#include <inttypes.h>

#include "columns.h"
#include "scan.h"

struct table_reading {
    const struct gws__columns *columns;
    const struct gws__syntax *syntax;
    struct gws__name_tables *names;
    struct gws__edges *edges;
};

/* A line, and the destination of its edge. */
struct table_row {
    const struct table_reading *reading;
    const struct gws__chunk *chunk;
    uint32_t worker;
    const char *end;
    struct gws__text_field from, to, weight;
    struct gws__block *block;
    uint64_t made; /* number of entries in the block */
};

static gws_status fail_column(const struct table_row *row, const char *at, unsigned found)
{
    unsigned count = row->reading->columns->count;
    if (found > count)
        return gws__chunk_fail(row->chunk, at, GWS_SYNTAX, "expected the end of the line after %u columns, found %s",
                               count, gws__lines_quote(at, row->end).text);
    return gws__chunk_fail(row->chunk, at, GWS_SYNTAX, "expected %u columns, found %u", count, found);
}

static gws_status split(struct table_row *row, const char *p)
{
    const struct gws__columns *columns = row->reading->columns;
    bool last = false;
    for (unsigned i = 0; !last; i++) {
        struct gws__text_field field;
        const char *start = p, *fault = gws__field_next(&p, row->end, columns->separator, &field, &last);
        if (fault)
            return gws__chunk_fail(row->chunk, fault, GWS_SYNTAX, "%s",
                                   *fault == '"' ? "a quote without end" : "expected a separator after the quotes");
        if (i == columns->count) return fail_column(row, start, i + 1);
        if (i == columns->from) row->from = field;
        if (i == columns->to) row->to = field;
        if (i == columns->weight) row->weight = field;
        if (last && i + 1 < columns->count) return fail_column(row, row->end, i + 1);
    }
    return GWS_OK;
}

/* ---- ids ---- */

static gws_status read_name(const struct table_row *row, const struct gws__text_field *field, uint64_t *id)
{
    char copy[GWS_MAX_NAME];
    const char *text = field->at;
    uint64_t length = (uint64_t)(field->end - field->at);
    uint32_t number = 0;
    if (length == 0) return gws__chunk_fail(row->chunk, field->at, GWS_SYNTAX, "expected a name, found nothing");
    if (length > GWS_MAX_NAME)
        return gws__chunk_fail(row->chunk, field->at, GWS_TOO_LARGE,
                               "a name of %" PRIu64 " bytes; at most %d are possible", length, GWS_MAX_NAME);
    if (field->doubled) {
        length = gws__field_copy(field, copy);
        text = copy;
    }
    gws_status status = gws__names_number(row->reading->names, row->worker, text, length, &number);
    *id = number;
    return status == GWS_TOO_LARGE ? gws__chunk_fail(row->chunk, field->at, status, "more than 2^31 names") : status;
}

static gws_status read_id(const struct table_row *row, const struct gws__text_field *field, uint64_t *id)
{
    const char *at = field->at;
    if (row->reading->names) return read_name(row, field, id);
    gws_status status = gws__lines_id(row->chunk, row->reading->syntax, &at, field->end, id);
    if (status != GWS_OK || at == field->end) return status;
    return gws__chunk_fail(row->chunk, field->at, GWS_SYNTAX, "expected a vertex, found %s",
                           gws__lines_quote(field->at, field->end).text);
}

/* ---- weights ---- */

static gws_status fail_weight(const struct table_row *row, const char *at)
{
    return gws__chunk_fail(row->chunk, at, GWS_SYNTAX, "expected a weight, found %s",
                           gws__lines_quote(at, row->end).text);
}

/* Finds the weight of a line. If the first edge's dictionary has a weight, every dictionary must have one. */
static gws_status find_weight(const struct table_row *row, const char **at)
{
    const struct gws__text_field *field = &row->weight;
    const bool weighted = row->reading->columns->weighted;
    if (field->at == field->end || *field->at != '{' || field->end[-1] != '}')
        return gws__chunk_fail(row->chunk, field->at, GWS_SYNTAX, "expected a dictionary {...}, found %s",
                               gws__lines_quote(field->at, row->end).text);
    if (gws__field_find_weight(field, at) == weighted) return GWS_OK;
    return gws__chunk_fail(row->chunk, field->at, GWS_SYNTAX,
                           weighted ? "this edge has no weight, the first edge has one"
                                    : "this edge has a weight, the first edge has none");
}

static gws_status read_weight(const struct table_row *row, struct gws__weight *weight)
{
    const struct gws__columns *columns = row->reading->columns;
    const char *at = row->weight.at, *end = row->weight.end;
    gws_status status = columns->dictionary ? find_weight(row, &at) : GWS_OK;
    if (status != GWS_OK || !columns->weighted) return status;
    const char *start = at;
    if (columns->dictionary)
        while (end > at && (end[-1] == '}' || gws__scan_is_blank(end[-1])))
            end--; /* the value may be the last in the dictionary */
    status = gws__lines_weight(row->chunk, row->reading->syntax->weights, &at, end, weight);
    if (status != GWS_OK || at == end || columns->dictionary) return status;
    return fail_weight(row, start);
}

/* ---- lines ---- */

static gws_status read_row(struct table_row *row, const char *p, struct gws__wide_edge *edge)
{
    struct gws__weight weight = {0};
    gws_status status = gws__lines_check_skipped(row->chunk, p, row->end);
    if (status == GWS_OK) status = split(row, p);
    if (status == GWS_OK) status = read_id(row, &row->from, &edge->from);
    if (status == GWS_OK) status = read_id(row, &row->to, &edge->to);
    if (status == GWS_OK) status = read_weight(row, &weight);
    if (status == GWS_OK && row->block->weights) gws__block_put_weight(row->block, row->made, &weight);
    return status;
}

/* Reads a chunk into the block. Stops at an id too large for a narrow block, and sets *fits to false. */
static gws_status read_rows(struct table_row *row, bool wide, bool *fits)
{
    const char *comment = row->reading->syntax->comment;
    struct gws__block *block = row->block;
    *fits = true;
    for (const char *p = row->chunk->at, *newline; p < row->chunk->end; p = newline + 1) {
        struct gws__wide_edge edge;
        newline = memchr(p, '\n', (size_t)(row->chunk->end - p));
        row->end = newline > p && newline[-1] == '\r' ? newline - 1 : newline;
        const char *first = gws__scan_blanks(p, row->end);
        bool skipped = first == row->end || (*first && strchr(comment, *first));
        gws_status status = skipped ? gws__lines_check_skipped(row->chunk, first, row->end) : read_row(row, p, &edge);
        if (status != GWS_OK) return status;
        if (skipped) continue;
        *fits = wide || (edge.from | edge.to) <= UINT32_MAX;
        if (!*fits) return GWS_OK;
        if (wide)
            block->wide[row->made] = edge;
        else
            block->edge[row->made] = (struct gws_edge){(uint32_t)edge.from, (uint32_t)edge.to};
        row->made++;
    }
    return GWS_OK;
}

static gws_status read_chunk(void *context, uint32_t worker, const struct gws__chunk *chunk)
{
    const struct table_reading *reading = context;
    uint64_t capacity = (uint64_t)(chunk->end - chunk->at) / 4 + 1; /* the shortest edge is "1 2" and a line feed */
    bool fits = false;
    for (int wide = 0; wide <= 1 && !fits; wide++) {
        struct table_row row = {.reading = reading, .chunk = chunk, .worker = worker};
        row.block = gws__edges_reserve(reading->edges, worker, wide, capacity);
        if (!row.block) return GWS_NO_MEMORY;
        row.made = row.block->count;
        gws_status status = read_rows(&row, wide, &fits);
        if (status != GWS_OK) return status;
        if (fits) row.block->count = row.made;
    }
    return GWS_OK;
}

gws_status gws__table_read(struct gws__input *input, const struct gws__columns *columns,
                           const struct gws__syntax *syntax, struct gws__name_tables *names, struct gws__edges *edges)
{
    struct table_reading reading = {columns, syntax, names, edges};
    gws_status status = gws__chunks_run(input, read_chunk, &reading);
    return status == GWS_OK ? gws__edges_unify_weights(edges) : status;
}

/* Reads one line as a separate chunk. The chunk has the position of a stream's chunk, which is the number of lines
 * before the chunk. */
gws_status gws__table_read_line(struct gws__input *input, const struct gws__text_line *line,
                                const struct gws__columns *columns, const struct gws__syntax *syntax,
                                struct gws__name_tables *names, struct gws__edges *edges)
{
    struct table_reading reading = {columns, syntax, names, edges};
    struct gws__input stream = *input;
    uint64_t length = (uint64_t)(line->end - line->at);
    struct gws__buffer *buffer = gws__buffer_new(input->runtime, length + 1);
    if (!buffer) return GWS_NO_MEMORY;
    stream.file = false;
    memcpy(buffer->text, line->at, length);
    buffer->used = length;
    gws__buffer_seal(buffer);
    struct gws__chunk chunk = {.input = &stream, .text = buffer->text, .at = buffer->text, .lines = line->number - 1};
    chunk.end = buffer->text + buffer->used;
    gws_status status = read_chunk(&reading, 0, &chunk);
    gws__buffer_free(input->runtime, buffer);
    return status;
}
