/* SPDX-License-Identifier: MIT */
#include "records.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../text/lines.h"
#include "../text/number.h"
#include "../text/scan.h"

const char *gws__text_word(const char *p, const char *end, bool free)
{
    while (p < end && !gws__scan_is_blank(*p) && !(free && (*p == ',' || *p == ';'))) p++;
    return p;
}

bool gws__text_comment(const char *p, const char *end)
{
    return p < end && (*p == '#' || (*p == '/' && end - p > 1 && p[1] == '/'));
}

/* nan or inf with a sign or without, as printf and others write them; "nan(...)" as well. */
static const char *scan_special(const char *p, const char *end, double *value)
{
    static const struct {
        const char *word;
        double value;
    } words[] = {{"infinity", INFINITY}, {"inf", INFINITY}, {"nan(ind)", NAN}, {"nan", NAN}};
    bool negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+')) p++;
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i].word);
        if ((size_t)(end - p) < length || !gws__scan_is_word(p, words[i].word, length)) continue;
        *value = negative ? -words[i].value : words[i].value;
        return p + length;
    }
    return NULL;
}

const char *gws__text_number(const char *p, const char *end, double *value)
{
    const char *stop = gws__number_scan_real(p, end, value);
    return stop ? stop : scan_special(p, end, value);
}

static gws_status expected(const struct gws__row *row, const char *what)
{
    return gws__piece_fail(row->piece, row->at, GWS_SYNTAX, "expected %s, found %s", what,
                           gws__lines_show(row->at, row->end).text);
}

static gws_status does_not_fit(const struct gws__row *row, enum gws_number_kind kind)
{
    return gws__piece_fail(row->piece, row->at, GWS_OUT_OF_RANGE, "%s does not fit in %s",
                           gws__lines_show(row->at, row->end).text, gws__kind_name(kind));
}

/* 64-bit integers digit by digit: doubles would lose some. */
static gws_status read_long(struct gws__row *row, const char *stop, const struct gws__target *target, uint64_t number)
{
    bool negative = *row->at == '-', fits = true, has_sign = target->kind == GWS_NUMBER_I64;
    uint64_t size = 0, most = has_sign ? (uint64_t)INT64_MAX + negative : UINT64_MAX;
    const char *digits = row->at + (negative || *row->at == '+');
    if (gws__scan_long(digits, stop, &size, &fits) != stop || digits == stop) return expected(row, "a whole number");
    if (!fits || size > most || (negative && !has_sign && size > 0)) return does_not_fit(row, target->kind);
    ((uint64_t *)target->place)[number] = negative ? 0 - size : size;
    return GWS_OK;
}

static gws_status read_number(struct gws__row *row, const char *stop, const struct gws__target *target, uint64_t number)
{
    double value = NAN;
    bool is_float = target->kind == GWS_NUMBER_F32 || target->kind == GWS_NUMBER_F64;
    if (!target->place) return GWS_OK;
    if (stop == row->at && !(row->text->free && is_float)) return expected(row, "a number");
    if (target->kind == GWS_NUMBER_I64 || target->kind == GWS_NUMBER_U64) return read_long(row, stop, target, number);
    if (stop > row->at && gws__text_number(row->at, stop, &value) != stop) return expected(row, "a number");
    return gws__text_store(target->place, target->kind, number, value) ? GWS_OK : does_not_fit(row, target->kind);
}

/* Between two fields: blanks, or one comma or semicolon with blanks around it. A field may be empty before and behind
 * the latter only. */
static bool skip_separator(struct gws__row *row)
{
    const char *start = row->at;
    row->at = gws__scan_blanks(row->at, row->end);
    bool comma = row->text->free && row->at < row->end && (*row->at == ',' || *row->at == ';');
    if (comma) row->at = gws__scan_blanks(row->at + 1, row->end);
    return comma || (row->at > start && row->at < row->end);
}

static gws_status read_fields(struct gws__row *row, const struct gws__target *target, uint64_t number)
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

gws_status gws__row_careful(struct gws__row *row, const struct gws__target *target, uint64_t number, bool *is_row)
{
    if (row->end > row->at && row->end[-1] == '\r') row->end--;
    row->at = gws__scan_blanks(row->at, row->end);
    bool blank = row->at == row->end && !row->text->limited;
    *is_row = !blank && !(row->text->free && gws__text_comment(row->at, row->end));
    /* Words that are read past may be anything but this. */
    gws_status status = gws__lines_passed(row->piece, row->at, row->end);
    return *is_row && status == GWS_OK ? read_fields(row, target, number) : status;
}
