/* SPDX-License-Identifier: MIT */
/* Each row is first taken for what nearly all are: plain numbers with one blank or comma between them. Whatever else it
 * is, slow_path() reads it from its start again and says what is wrong. */
#include "reader.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../text/number.h"
#include "../text/scan.h"

struct reading {
    struct gws__input *input;
    const struct gws__text *text;
    struct gws__blocks *blocks;
    uint64_t limit; /* of a file: bytes from its start that hold the rows */
    uint64_t lines; /* of a stream: lines that are header or rows */
};

/* Where a field goes: place NULL is nowhere. */
struct target {
    void *place;
    enum gws_number_kind kind;
};

struct row {
    const struct gws__piece *piece;
    const struct gws__text *text;
    const char *at, *end; /* end: its line feed */
};

/* ---- words and numbers ---- */

const char *gws__text_word(const char *p, const char *end, bool free)
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

/* False if the column cannot hold it. */
static bool store(void *place, enum gws_number_kind kind, uint64_t row, double value)
{
    static const double low[] = {-128, 0, -32768, 0, -2147483648.0, 0},
                        high[] = {127, 255, 32767, 65535, 2147483647.0, 4294967295.0};
    if (kind == GWS_NUMBER_F64)
        ((double *)place)[row] = value;
    else if (kind == GWS_NUMBER_F32)
        ((float *)place)[row] = (float)value;
    if (kind >= GWS_NUMBER_F32) return true;
    if (kind > GWS_NUMBER_U32) return false;
    if (!(value >= low[kind] && value <= high[kind]) || value != floor(value)) return false;
    int64_t whole = (int64_t)value;
    switch (gws_number_bytes(kind)) {
    case 1:
        ((uint8_t *)place)[row] = (uint8_t)whole;
        break;
    case 2:
        ((uint16_t *)place)[row] = (uint16_t)whole;
        break;
    default:
        ((uint32_t *)place)[row] = (uint32_t)whole;
    }
    return true;
}

/* ---- one row, the fast path ---- */

static inline const char *skip_blanks(const char *p)
{
    while (gws__scan_is_blank(*p)) p++;
    return p;
}

/* The byte behind the row at p; NULL if it is not an ordinary one. */
static inline const char *fast_path(const char *p, const struct target *target, uint32_t fields, uint64_t row,
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
        if (!target[f].place) return NULL;
        p = gws__real_scan(p, &value);
        if (!p) return NULL;
        if (__builtin_expect(target[f].kind == GWS_NUMBER_F64, true))
            ((double *)target[f].place)[row] = value;
        else if (target[f].kind == GWS_NUMBER_F32)
            ((float *)target[f].place)[row] = (float)value;
        else if (!store(target[f].place, target[f].kind, row, value))
            return NULL;
    }
    p = skip_blanks(p); /* many writers leave one there */
    if (*p == '\r') p++;
    return *p == '\n' ? p + 1 : NULL;
}

/* ---- one row, the slow path: every mistake is named ---- */

static gws_status expected(const struct row *row, const char *what)
{
    return gws__piece_fail(row->piece, row->at, GWS_SYNTAX, "expected %s, found %s", what,
                           gws__lines_show(row->at, row->end).text);
}

static gws_status does_not_fit(const struct row *row, enum gws_number_kind kind)
{
    return gws__piece_fail(row->piece, row->at, GWS_OUT_OF_RANGE, "%s does not fit in %s",
                           gws__lines_show(row->at, row->end).text, gws__kind_name(kind, GWS__KIND_LIST));
}

/* 64-bit integers digit by digit: doubles would lose some. */
static gws_status read_long(struct row *row, const char *stop, const struct target *target, uint64_t number)
{
    bool negative = *row->at == '-', fits = true, has_sign = target->kind == GWS_NUMBER_I64;
    uint64_t size = 0, most = has_sign ? (uint64_t)INT64_MAX + negative : UINT64_MAX;
    const char *digits = row->at + (negative || *row->at == '+');
    if (gws__scan_long(digits, stop, &size, &fits) != stop || digits == stop) return expected(row, "a whole number");
    if (!fits || size > most || (negative && !has_sign && size > 0)) return does_not_fit(row, target->kind);
    ((uint64_t *)target->place)[number] = negative ? 0 - size : size;
    return GWS_OK;
}

static gws_status read_number(struct row *row, const char *stop, const struct target *target, uint64_t number)
{
    double value = NAN;
    bool is_float = target->kind == GWS_NUMBER_F32 || target->kind == GWS_NUMBER_F64;
    if (!target->place) return GWS_OK;
    if (stop == row->at && !(row->text->free && is_float)) return expected(row, "a number");
    if (target->kind == GWS_NUMBER_I64 || target->kind == GWS_NUMBER_U64) return read_long(row, stop, target, number);
    if (stop > row->at && gws__text_number(row->at, stop, &value) != stop) return expected(row, "a number");
    return store(target->place, target->kind, number, value) ? GWS_OK : does_not_fit(row, target->kind);
}

/* Between two fields: blanks, or one comma or semicolon with blanks around it. A field may be empty before and behind
 * the latter only. */
static bool skip_separator(struct row *row)
{
    const char *start = row->at;
    row->at = gws__scan_blanks(row->at, row->end);
    bool comma = row->text->free && row->at < row->end && (*row->at == ',' || *row->at == ';');
    if (comma) row->at = gws__scan_blanks(row->at + 1, row->end);
    return comma || (row->at > start && row->at < row->end);
}

static gws_status read_fields(struct row *row, const struct target *target, uint64_t number)
{
    uint32_t fields = row->text->schema->fields;
    for (uint32_t f = 0; f < fields; f++) {
        if (f > 0 && !skip_separator(row)) {
            char what[64];
            snprintf(what, sizeof what, "column %" PRIu32 " of %" PRIu32, f + 1, fields);
            return expected(row, what);
        }
        const char *stop = gws__text_word(row->at, row->end, row->text->free);
        gws_status status = read_number(row, stop, &target[f], number);
        if (status != GWS_OK) return status;
        row->at = stop;
    }
    row->at = gws__scan_blanks(row->at, row->end);
    return row->at == row->end ? GWS_OK : expected(row, "the end of the line");
}

/* Reads one row into places row of the targets; *is_row becomes false for a comment or a blank line. */
static gws_status slow_path(struct row *row, const struct target *target, uint64_t number, bool *is_row)
{
    if (row->end > row->at && row->end[-1] == '\r') row->end--;
    row->at = gws__scan_blanks(row->at, row->end);
    bool blank = row->at == row->end && !row->text->limited;
    *is_row = !blank && !(row->text->free && gws__text_comment(row->at, row->end));
    /* Words that are read past may be anything but this. */
    gws_status status = gws__lines_passed(row->piece, row->at, row->end);
    return *is_row && status == GWS_OK ? read_fields(row, target, number) : status;
}

/* ---- pieces ---- */

/* Where the rows of a piece end: where it does, unless other lines follow. */
static const char *end_of_rows(const struct reading *reading, const struct gws__piece *piece)
{
    if (!reading->text->limited) return piece->end;
    if (reading->input->file) {
        uint64_t offset = piece->offset + (uint64_t)(piece->at - piece->text);
        uint64_t rest = reading->limit > offset ? reading->limit - offset : 0;
        return rest < (uint64_t)(piece->end - piece->at) ? piece->at + rest : piece->end;
    }
    /* The lines of the header are in the first piece, before at; lines counts from the start of the input. */
    uint64_t before = piece->lines + gws__count_lines(piece->text, piece->at);
    const char *p = piece->at;
    for (; before < reading->lines && p < piece->end; before++)
        p = (const char *)memchr(p, '\n', (size_t)(piece->end - p)) + 1;
    return p;
}

static gws_status read_rows(const struct reading *reading, const struct gws__piece *piece, const char *stop,
                            struct gws_points *rows)
{
    const struct gws__schema *schema = reading->text->schema;
    struct target target[GWS_POINTS_COLUMNS];
    uint64_t made = 0;
    for (uint32_t f = 0; f < schema->fields; f++) target[f].place = gws__schema_place(schema, f, rows, &target[f].kind);
    for (const char *p = piece->at; p < stop;) {
        const char *next = fast_path(p, target, schema->fields, made, reading->text->free);
        bool is_row = true;
        if (__builtin_expect(!next, false)) {
            struct row row = {.piece = piece, .text = reading->text};
            row.at = p;
            row.end = memchr(p, '\n', (size_t)(piece->end - p));
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

static gws_status read_piece(void *context, uint32_t worker, const struct gws__piece *piece)
{
    const struct reading *reading = context;
    const char *stop = end_of_rows(reading, piece);
    struct gws_points rows = {0};
    if (stop == piece->at) return GWS_OK;
    gws_status status = gws__schema_make(reading->text->schema, gws__count_lines(piece->at, stop), &rows);
    if (status == GWS_OK) status = read_rows(reading, piece, stop, &rows);
    if (status == GWS_OK) status = gws__blocks_add(reading->blocks, worker, piece->index, &rows);
    if (status != GWS_OK) gws_points_clear(&rows);
    return status;
}

/* ---- all ---- */

static gws_status check_count(const struct reading *reading)
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
    struct reading reading = {.input = input, .text = text, .blocks = &blocks};
    gws_status status = gws__schema_settle(text->schema);
    if (status == GWS_OK) status = gws__blocks_open(text->schema, &blocks);
    if (status != GWS_OK) return status;
    if (text->limited) {
        uint64_t most = UINT64_MAX - input->header_lines;
        reading.lines = input->header_lines + (text->count.rows < most ? text->count.rows : most);
        if (input->file) status = gws__input_lines_end(input, reading.lines, &reading.limit);
    }
    if (status == GWS_OK) status = gws__pieces_run(input, read_piece, &reading);
    if (status == GWS_OK) status = check_count(&reading);
    if (status == GWS_OK) status = gws__blocks_join(&blocks, points);
    gws__blocks_close(&blocks);
    return status;
}
