/* SPDX-License-Identifier: MIT */
/* The fast path parses the most common rows: plain numbers with one blank or comma between them. slow_path() reads any
 * other row again from its start and reports errors. */
#include "reader.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../text/number.h"
#include "../text/scan.h"

struct text_reading {
    struct gws__input *input;
    const struct gws__text *text;
    struct gws__blocks *blocks;
    uint64_t limit; /* files: the number of bytes from the file's start to the end of the rows */
    uint64_t lines; /* streams: the number of header lines and rows */
};

/* The destination of a field. data NULL: the reader skips the field. */
struct field_target {
    void *data;
    enum gws_number_kind kind;
};

struct text_row {
    const struct gws__chunk *chunk;
    const struct gws__text *text;
    const char *at, *end; /* at: the next unread byte; end: the row's line feed */
};

/* ---- tokens and numbers ---- */

const char *gws__text_token(const char *p, const char *end, bool free)
{
    while (p < end && !gws__scan_is_blank(*p) && !(free && (*p == ',' || *p == ';'))) p++;
    return p;
}

bool gws__text_comment(const char *p, const char *end)
{
    return p < end && (*p == '#' || (*p == '/' && end - p > 1 && p[1] == '/'));
}

const char *gws__text_number(const char *p, const char *end, double *value)
{
    const char *stop = gws__number_scan_real(p, end, value);
    return stop ? stop : gws__number_special(p, end, value);
}

/* ---- storing ---- */

/* Returns false if the column cannot hold the value. */
static bool store_number(void *data, enum gws_number_kind kind, uint64_t row, double value)
{
    static const double low[] = {-128, 0, -32768, 0, -2147483648.0, 0},
                        high[] = {127, 255, 32767, 65535, 2147483647.0, 4294967295.0};
    if (kind == GWS_NUMBER_F64)
        ((double *)data)[row] = value;
    else if (kind == GWS_NUMBER_F32)
        ((float *)data)[row] = (float)value;
    if (kind >= GWS_NUMBER_F32) return true;
    if (kind > GWS_NUMBER_U32) return false;
    if (!(value >= low[kind] && value <= high[kind]) || value != floor(value)) return false;
    int64_t whole = (int64_t)value;
    switch (gws_number_bytes(kind)) {
    case 1:
        ((uint8_t *)data)[row] = (uint8_t)whole;
        break;
    case 2:
        ((uint16_t *)data)[row] = (uint16_t)whole;
        break;
    default:
        ((uint32_t *)data)[row] = (uint32_t)whole;
    }
    return true;
}

/* ---- one row, the fast path ---- */

static inline const char *skip_blanks(const char *p)
{
    while (gws__scan_is_blank(*p)) p++;
    return p;
}

/* Parses the row at p. Returns the byte after it, or NULL if the row needs the slow path. */
static inline const char *fast_path(const char *p, const struct field_target *target, uint32_t fields, uint64_t row,
                                    bool free)
{
    p = skip_blanks(p);
    for (uint32_t f = 0; f < fields; f++) {
        double value;
        if (f > 0) {
            const char *start = p;
            p = skip_blanks(p);
            if (free && (*p == ',' || *p == ';')) p = skip_blanks(p + 1);
            if (p == start) return NULL;
        }
        if (!target[f].data) return NULL;
        p = gws__real_scan(p, &value);
        if (!p) return NULL;
        if (__builtin_expect(target[f].kind == GWS_NUMBER_F64, true))
            ((double *)target[f].data)[row] = value;
        else if (target[f].kind == GWS_NUMBER_F32)
            ((float *)target[f].data)[row] = (float)value;
        else if (!store_number(target[f].data, target[f].kind, row, value))
            return NULL;
    }
    p = skip_blanks(p); /* many writers end a row with a blank */
    if (*p == '\r') p++;
    return *p == '\n' ? p + 1 : NULL;
}

/* ---- one row, the slow path, which reports every error ---- */

static gws_status expected(const struct text_row *row, const char *what)
{
    return gws__chunk_fail(row->chunk, row->at, GWS_SYNTAX, "expected %s, found %s", what,
                           gws__lines_quote(row->at, row->end).text);
}

static gws_status does_not_fit(const struct text_row *row, enum gws_number_kind kind)
{
    return gws__chunk_fail(row->chunk, row->at, GWS_OUT_OF_RANGE, "%s does not fit in %s",
                           gws__lines_quote(row->at, row->end).text, gws__kind_name(kind, GWS__KIND_LIST));
}

/* Reads 64-bit integers digit by digit because doubles cannot hold all of them. */
static gws_status read_long(struct text_row *row, const char *stop, const struct field_target *target, uint64_t number)
{
    bool negative = *row->at == '-', fits = true, has_sign = target->kind == GWS_NUMBER_I64;
    uint64_t size = 0, max = has_sign ? (uint64_t)INT64_MAX + negative : UINT64_MAX;
    const char *digits = row->at + (negative || *row->at == '+');
    if (gws__scan_long(digits, stop, &size, &fits) != stop || digits == stop) return expected(row, "a whole number");
    if (!fits || size > max || (negative && !has_sign && size > 0)) return does_not_fit(row, target->kind);
    ((uint64_t *)target->data)[number] = negative ? 0 - size : size;
    return GWS_OK;
}

static gws_status read_number(struct text_row *row, const char *stop, const struct field_target *target,
                              uint64_t number)
{
    double value = NAN;
    bool is_float = target->kind == GWS_NUMBER_F32 || target->kind == GWS_NUMBER_F64;
    if (!target->data) return GWS_OK;
    if (stop == row->at && !(row->text->free && is_float)) return expected(row, "a number");
    if (target->kind == GWS_NUMBER_I64 || target->kind == GWS_NUMBER_U64) return read_long(row, stop, target, number);
    if (stop > row->at && gws__text_number(row->at, stop, &value) != stop) return expected(row, "a number");
    return store_number(target->data, target->kind, number, value) ? GWS_OK : does_not_fit(row, target->kind);
}

/* Skips the separator of two fields: blanks, or one comma or semicolon with optional blanks around it. Only a field
 * beside a comma or semicolon may be empty. */
static bool skip_separator(struct text_row *row)
{
    const char *start = row->at;
    row->at = gws__scan_blanks(row->at, row->end);
    bool comma = row->text->free && row->at < row->end && (*row->at == ',' || *row->at == ';');
    if (comma) row->at = gws__scan_blanks(row->at + 1, row->end);
    return comma || (row->at > start && row->at < row->end);
}

static gws_status read_fields(struct text_row *row, const struct field_target *target, uint64_t number)
{
    uint32_t fields = row->text->schema->fields;
    for (uint32_t f = 0; f < fields; f++) {
        if (f > 0 && !skip_separator(row)) {
            char what[64];
            snprintf(what, sizeof what, "column %" PRIu32 " of %" PRIu32, f + 1, fields);
            return expected(row, what);
        }
        const char *stop = gws__text_token(row->at, row->end, row->text->free);
        gws_status status = read_number(row, stop, &target[f], number);
        if (status != GWS_OK) return status;
        row->at = stop;
    }
    row->at = gws__scan_blanks(row->at, row->end);
    return row->at == row->end ? GWS_OK : expected(row, "the end of the line");
}

/* Reads one row into row `number` of the targets. Sets *is_row to false for a comment or a blank line. */
static gws_status slow_path(struct text_row *row, const struct field_target *target, uint64_t number, bool *is_row)
{
    if (row->end > row->at && row->end[-1] == '\r') row->end--;
    row->at = gws__scan_blanks(row->at, row->end);
    bool blank = row->at == row->end && !row->text->limited;
    *is_row = !blank && !(row->text->free && gws__text_comment(row->at, row->end));
    /* even skipped tokens must not contain a NUL or carriage return */
    gws_status status = gws__lines_check_skipped(row->chunk, row->at, row->end);
    return *is_row && status == GWS_OK ? read_fields(row, target, number) : status;
}

/* ---- chunks ---- */

/* Returns the end of a chunk's rows: the chunk's end, or the start of the lines after the declared rows. */
static const char *end_of_rows(const struct text_reading *reading, const struct gws__chunk *chunk)
{
    if (!reading->text->limited) return chunk->end;
    if (reading->input->file) {
        uint64_t offset = chunk->offset + (uint64_t)(chunk->at - chunk->text);
        uint64_t rest = reading->limit > offset ? reading->limit - offset : 0;
        return rest < (uint64_t)(chunk->end - chunk->at) ? chunk->at + rest : chunk->end;
    }
    /* The first chunk has the header's lines before `at`; reading->lines counts them, too. */
    uint64_t before = chunk->lines + gws__count_lines(chunk->text, chunk->at);
    const char *p = chunk->at;
    for (; before < reading->lines && p < chunk->end; before++)
        p = (const char *)memchr(p, '\n', (size_t)(chunk->end - p)) + 1;
    return p;
}

static gws_status read_rows(const struct text_reading *reading, const struct gws__chunk *chunk, const char *stop,
                            struct gws_points *rows)
{
    const struct gws__schema *schema = reading->text->schema;
    struct field_target target[GWS_POINTS_COLUMNS];
    uint64_t made = 0;
    for (uint32_t f = 0; f < schema->fields; f++)
        target[f].data = gws__schema_destination(schema, f, rows, &target[f].kind);
    for (const char *p = chunk->at; p < stop;) {
        const char *next = fast_path(p, target, schema->fields, made, reading->text->free);
        bool is_row = true;
        if (__builtin_expect(!next, false)) {
            struct text_row row = {.chunk = chunk, .text = reading->text};
            row.at = p;
            row.end = memchr(p, '\n', (size_t)(chunk->end - p));
            next = row.end + 1;
            gws_status status = slow_path(&row, target, made, &is_row);
            if (status != GWS_OK) return status;
        }
        made += is_row;
        p = next;
    }
    rows->count = made;
    return GWS_OK;
}

static gws_status read_chunk(void *context, uint32_t worker, const struct gws__chunk *chunk)
{
    const struct text_reading *reading = context;
    const char *stop = end_of_rows(reading, chunk);
    struct gws_points rows = {0};
    if (stop == chunk->at) return GWS_OK;
    gws_status status = gws__schema_make(reading->text->schema, gws__count_lines(chunk->at, stop), &rows);
    if (status == GWS_OK) status = read_rows(reading, chunk, stop, &rows);
    if (status == GWS_OK) status = gws__blocks_add(reading->blocks, worker, chunk->index, &rows);
    if (status != GWS_OK) gws_points_clear(&rows);
    return status;
}

/* ---- entry point ---- */

static gws_status check_count(const struct text_reading *reading)
{
    uint64_t found = gws__blocks_count(reading->blocks), declared = reading->text->count.rows;
    if (!reading->text->count.declared || declared == found) return GWS_OK;
    return gws__input_fail(reading->input, found < declared ? GWS_TRUNCATED : GWS_SYNTAX, 0, 0,
                           "%" PRIu64 " points declared, %" PRIu64 " found", declared, found);
}

gws_status gws__text_read(const struct gws__text *text, struct gws_points *points)
{
    struct gws__input *input = text->schema->input;
    struct gws__blocks blocks;
    struct text_reading reading = {.input = input, .text = text, .blocks = &blocks};
    gws_status status = gws__schema_finalise(text->schema);
    if (status == GWS_OK) status = gws__blocks_open(text->schema, &blocks);
    if (status != GWS_OK) return status;
    if (text->limited) {
        uint64_t max = UINT64_MAX - input->header_lines;
        reading.lines = input->header_lines + (text->count.rows < max ? text->count.rows : max);
        if (input->file) status = gws__input_lines_end(input, reading.lines, &reading.limit);
    }
    if (status == GWS_OK) status = gws__chunks_run(input, read_chunk, &reading);
    if (status == GWS_OK) status = check_count(&reading);
    if (status == GWS_OK) status = gws__blocks_assemble(&blocks, points);
    gws__blocks_close(&blocks);
    return status;
}
