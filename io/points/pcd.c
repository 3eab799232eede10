/* SPDX-License-Identifier: MIT */
/* PCD of the Point Cloud Library, versions 0.6 and 0.7. Lines describe the fields, and the rows follow. A field with
 * several numbers becomes several columns, NAME_0 and so on. A field called "_" is padding. In binary data, a packed
 * colour becomes the columns blue, green and red, in the order of its bytes. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../text/scan.h"
#include "reader.h"

enum line_kind { fields_line, size_line, type_line, count_line, width_line, height_line, points_line, lists = 4 };

/* The header lines that the reader uses. at NULL: missing. */
struct pcd {
    struct gws__text_line line[points_line + 1];
    uint64_t number[points_line + 1]; /* the numbers of width, height and points */
    bool binary;
};

/* Iterates over the tokens of a line. */
struct token_cursor {
    const char *at, *end;          /* the rest of the line */
    const char *token, *token_end; /* the current token */
};

static bool next_token(struct token_cursor *cursor)
{
    cursor->token = gws__scan_blanks(cursor->at, cursor->end);
    const char *p = cursor->token;
    while (p < cursor->end && !gws__scan_is_blank(*p)) p++;
    cursor->at = cursor->token_end = p;
    return p > cursor->token;
}

static struct token_cursor tokens_of(const struct gws__text_line *line)
{
    bool present = line->at != NULL;
    struct token_cursor cursor = {.at = present ? line->at : ""};
    cursor.end = present ? line->end : cursor.at;
    next_token(&cursor); /* the keyword of the line */
    return cursor;
}

static gws_status fail(const struct gws__points_reading *reading, const struct gws__text_line *line, const char *at,
                       gws_status status, const char *message)
{
    return gws__input_fail(reading->input, status, line->number, (uint64_t)(at - line->at) + 1, "%s, found %s", message,
                           gws__lines_quote(at, line->end).text);
}

/* ---- the header ---- */

/* Records a header line. Sets *data to true at the last header line, "DATA". */
static gws_status read_header_line(struct gws__points_reading *reading, struct pcd *pcd,
                                   const struct gws__tokens *tokens, bool *data)
{
    static const char *const names[] = {"FIELDS", "SIZE", "TYPE", "COUNT", "WIDTH", "HEIGHT", "POINTS"};
    static const char *const number[] = {"a number", NULL};
    *data = gws__tokens_is(tokens, 0, "DATA");
    if (*data || gws__tokens_is(tokens, 0, "VERSION") || gws__tokens_is(tokens, 0, "VIEWPOINT")) return GWS_OK;
    for (int i = fields_line; i <= points_line; i++) {
        if (!gws__tokens_is(tokens, 0, names[i]) && !(i == fields_line && gws__tokens_is(tokens, 0, "COLUMNS")))
            continue;
        if (pcd->line[i].at) return gws__tokens_expected(reading->input, tokens, 0, "each line of the header once");
        pcd->line[i] = tokens->line;
        return i < lists ? GWS_OK : gws__tokens_numbers(reading->input, tokens, 1, number, &pcd->number[i]);
    }
    return gws__tokens_expected(reading->input, tokens, 0, "a line of a PCD header");
}

static gws_status read_lines(struct gws__points_reading *reading, struct pcd *pcd, struct gws__tokens *tokens)
{
    bool data = false;
    while (!data) {
        gws_status status = gws__header_line(&reading->header, "\"DATA\"", tokens);
        if (status != GWS_OK) return status;
        if (tokens->count == 0 || *tokens->token[0].at == '#') continue;
        status = read_header_line(reading, pcd, tokens, &data);
        if (status != GWS_OK) return status;
    }
    static const char *const needed[] = {"FIELDS", "SIZE", "TYPE"};
    for (int i = fields_line; i <= type_line; i++)
        if (!pcd->line[i].at)
            return gws__input_fail(reading->input, GWS_SYNTAX, tokens->line.number, 1, "no line \"%s\" before \"DATA\"",
                                   needed[i]);
    return GWS_OK;
}

/* Finds the number of points from POINTS, or from WIDTH times HEIGHT. If the file has both, they must agree. */
static gws_status find_points(const struct gws__points_reading *reading, const struct pcd *pcd, uint64_t *points)
{
    const struct gws__input *input = reading->input;
    uint64_t product = 0;
    bool size = pcd->line[width_line].at, points_given = pcd->line[points_line].at;
    uint64_t height = pcd->line[height_line].at ? pcd->number[height_line] : 1;
    if (!size && pcd->line[height_line].at)
        return gws__input_fail(input, GWS_SYNTAX, pcd->line[height_line].number, 1, "\"HEIGHT\" without \"WIDTH\"");
    if (!size && !points_given)
        return gws__input_fail(input, GWS_SYNTAX, reading->header.lines, 1,
                               "neither \"POINTS\" nor \"WIDTH\" before \"DATA\"");
    if (size && __builtin_mul_overflow(pcd->number[width_line], height, &product))
        return gws__input_fail(input, GWS_TOO_LARGE, pcd->line[width_line].number, 1,
                               "WIDTH times HEIGHT does not fit in 64 bits");
    *points = points_given ? pcd->number[points_line] : product;
    if (!size || *points == product) return GWS_OK;
    return gws__input_fail(input, GWS_SYNTAX, pcd->line[points_line].number, 1,
                           "%" PRIu64 " POINTS, but WIDTH times HEIGHT is %" PRIu64, *points, product);
}

/* ---- fields ---- */

static bool find_kind(const struct token_cursor *size, const struct token_cursor *type, enum gws_number_kind *kind)
{
    const char name[2] = {(char)(*type->token | 32), *size->token}; /* NumPy's name */
    return type->token_end - type->token == 1 && size->token_end - size->token == 1 && strchr("IUF", *type->token) &&
           gws__kind_named(name, 2, GWS__KIND_NUMPY, kind);
}

/* Adds the columns of a packed colour, "rgb" or "rgba". */
static gws_status add_colour(struct gws__points_reading *reading, bool alpha)
{
    const char *const part[] = {"blue", "green", "red", alpha ? "alpha" : "_"};
    gws_status status = GWS_OK;
    for (int i = 0; i < 4 && status == GWS_OK; i++)
        status = gws__header_field(&reading->header, &reading->schema, part[i], strlen(part[i]), GWS_NUMBER_U8);
    return status;
}

static gws_status add_fields(struct gws__points_reading *reading, const struct pcd *pcd,
                             const struct token_cursor *name, enum gws_number_kind kind, uint64_t count)
{
    size_t length = (size_t)(name->token_end - name->token);
    bool padding = length == 1 && *name->token == '_';
    bool colour = (length == 3 || length == 4) && memcmp(name->token, "rgba", length) == 0;
    if (pcd->binary && colour && count == 1 && gws_number_bytes(kind) == 4) return add_colour(reading, length == 4);
    if (count == 1) return gws__header_field(&reading->header, &reading->schema, name->token, length, kind);
    for (uint64_t i = 0; i < count; i++) {
        char part[64];
        int size = snprintf(part, sizeof part, "%.*s_%" PRIu64, (int)(length < 32 ? length : 32), name->token, i);
        gws_status status =
            gws__header_field(&reading->header, &reading->schema, part, padding ? 1 : (size_t)size, kind);
        if (status != GWS_OK) return status;
    }
    return GWS_OK;
}

static gws_status read_count(const struct gws__points_reading *reading, const struct gws__text_line *line,
                             struct token_cursor *counts, uint64_t *count)
{
    bool fits = true;
    *count = 1;
    if (!line->at) return GWS_OK;
    bool good =
        next_token(counts) && gws__scan_long(counts->token, counts->token_end, count, &fits) == counts->token_end;
    if (!good || *count == 0)
        return fail(reading, line, counts->token, GWS_SYNTAX, "expected a number from 1 on for each field");
    return fits ? GWS_OK : fail(reading, line, counts->token, GWS_TOO_LARGE, "a count that does not fit in 64 bits");
}

static gws_status read_fields(struct gws__points_reading *reading, const struct pcd *pcd)
{
    struct token_cursor names = tokens_of(&pcd->line[fields_line]), sizes = tokens_of(&pcd->line[size_line]),
                        types = tokens_of(&pcd->line[type_line]), counts = tokens_of(&pcd->line[count_line]);
    while (next_token(&names)) {
        enum gws_number_kind kind = GWS_NUMBER_F32;
        uint64_t count = 1;
        if (!next_token(&sizes))
            return fail(reading, &pcd->line[size_line], sizes.token, GWS_SYNTAX, "expected a size for each field");
        if (!next_token(&types) || !find_kind(&sizes, &types, &kind))
            return fail(reading, &pcd->line[type_line], types.token, GWS_SYNTAX,
                        "expected I, U or F with a valid size for each field");
        gws_status status = read_count(reading, &pcd->line[count_line], &counts, &count);
        if (status == GWS_OK) status = add_fields(reading, pcd, &names, kind, count);
        if (status != GWS_OK) return status;
    }
    const struct token_cursor *rest[] = {[size_line] = &sizes, [type_line] = &types, [count_line] = &counts};
    for (int i = size_line; i <= count_line; i++) {
        struct token_cursor more = *rest[i];
        if (pcd->line[i].at && next_token(&more))
            return fail(reading, &pcd->line[i], more.token, GWS_SYNTAX, "expected as many tokens as fields");
    }
    return GWS_OK;
}

/* ---- entry point ---- */

gws_status gws__points_read_pcd(struct gws__points_reading *reading, struct gws_points *points)
{
    struct pcd pcd = {0};
    struct gws__tokens data;
    struct gws__input *input = reading->input;
    uint64_t count = 0;
    gws_status status = read_lines(reading, &pcd, &data);
    if (status == GWS_OK) status = find_points(reading, &pcd, &count);
    pcd.binary = status == GWS_OK && gws__tokens_is(&data, 1, "binary");
    if (status == GWS_OK) status = read_fields(reading, &pcd);
    if (status != GWS_OK) return status;
    if (pcd.binary)
        return gws__binary_rows_read(
            &reading->schema,
            &(struct gws__binary_rows){.skip = (uint64_t)(reading->header.at - reading->header.text),
                                       .count = {true, count}},
            points);
    if (gws__tokens_is(&data, 1, "binary_compressed"))
        return gws__input_fail(input, GWS_UNSUPPORTED, data.line.number, 6,
                               "compressed PCD: pcl_convert_pcd_ascii_binary can decompress it");
    if (!gws__tokens_is(&data, 1, "ascii")) return gws__tokens_expected(input, &data, 1, "ascii or binary");
    struct gws__text text = {.schema = &reading->schema, .count = {true, count}};
    status = gws__header_skip(&reading->header);
    return status == GWS_OK ? gws__text_read(&text, points) : status;
}
