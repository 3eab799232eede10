/* SPDX-License-Identifier: MIT */
/* Each row is first taken for what nearly all are: plain numbers with one blank or comma between them. Whatever else it
 * is, careful.c reads it from its start again and says what is wrong. */
#include "schema.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "../text/number.h"
#include "records.h"

struct reading {
    struct gws__input *input;
    const struct gws__text *text;
    struct gws__blocks *blocks;
    uint64_t limit; /* of a file: bytes from its start that hold the rows */
    uint64_t lines; /* of a stream: lines that are header or rows */
};

/* ---- storing ---- */

/* False if the column cannot hold it. */
bool gws__text_store(void *place, enum gws_number_kind kind, uint64_t row, double value)
{
    static const double low[] = {-128, 0, -32768, 0, -2147483648.0, 0},
                        high[] = {127, 255, 32767, 65535, 2147483647.0, 4294967295.0};
    if (kind == GWS_NUMBER_F64) {
        ((double *)place)[row] = value;
        return true;
    }
    if (kind == GWS_NUMBER_F32) {
        ((float *)place)[row] = (float)value;
        return true;
    }
    if (kind > GWS_NUMBER_U32) return false;
    if (!(value >= low[kind] && value <= high[kind]) || value != floor(value)) return false;
    int64_t whole = (int64_t)value;
    switch (gws_number_bytes(kind)) {
    case 1:
        ((uint8_t *)place)[row] = (uint8_t)whole;
        return true;
    case 2:
        ((uint16_t *)place)[row] = (uint16_t)whole;
        return true;
    default:
        ((uint32_t *)place)[row] = (uint32_t)whole;
        return true;
    }
}

/* ---- one row, quickly ---- */

static inline const char *skip_blanks(const char *p)
{
    while (gws__scan_is_blank(*p)) p++;
    return p;
}

/* The byte behind the row at p; NULL if it is not an ordinary one. */
static inline const char *quick(const char *p, const struct gws__target *target, uint32_t fields, uint64_t row,
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
        else if (!gws__text_store(target[f].place, target[f].kind, row, value))
            return NULL;
    }
    p = skip_blanks(p); /* many writers leave one there */
    if (*p == '\r') p++;
    return *p == '\n' ? p + 1 : NULL;
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
    struct gws__target target[GWS_POINTS_COLUMNS];
    uint64_t made = 0;
    for (uint32_t f = 0; f < schema->fields; f++) target[f].place = gws__schema_place(schema, f, rows, &target[f].kind);
    for (const char *p = piece->at; p < stop;) {
        const char *next = quick(p, target, schema->fields, made, reading->text->free);
        bool is_row = true;
        if (__builtin_expect(!next, false)) {
            struct gws__row row = {.piece = piece, .text = reading->text};
            row.at = p;
            row.end = memchr(p, '\n', (size_t)(piece->end - p));
            next = row.end + 1;
            gws_status status = gws__row_careful(&row, target, made, &is_row);
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
