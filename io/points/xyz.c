/* SPDX-License-Identifier: MIT */
/* Rows of numbers without a header format. The lines before the first row may contain the names of the columns (a line
 * of tokens that do not begin like numbers, or a comment with one token for each column, x, y and z among them) and the
 * number of rows (a line with one number, as in .pts; a title may follow it, as in .xyz files of molecules). Any other
 * line is an error because it may be a damaged row. */
#include <inttypes.h>
#include <string.h>

#include "../text/scan.h"
#include "reader.h"

struct preamble {
    char *copy;      /* a copy (`copied` bytes) of the last line that may contain names; NULL: no such line */
    uint64_t copied; /* a copy, because the input may have released the line's chunk */
    struct gws__text_line names; /* that line, inside the copy */
    bool comment;                /* the line was a comment */
    struct gws__count count;
    uint64_t counted; /* the line that declares the count */
    uint32_t columns; /* columns of the first row; 0: no row exists */
};

static void trim(struct gws__text_line *line)
{
    if (line->end > line->at && line->end[-1] == '\r') line->end--;
    line->at = gws__scan_blanks(line->at, line->end);
    while (line->end > line->at && gws__scan_is_blank(line->end[-1])) line->end--;
}

/* Reads the token at *p and moves *p past it and its separator. Returns false at the end. */
static bool next_token(const char **p, const char *end, const char **token, const char **token_end)
{
    if (!*p) return false;
    *token = *p;
    *token_end = gws__text_token(*p, end, true);
    const char *rest = gws__scan_blanks(*token_end, end);
    bool comma = rest < end && (*rest == ',' || *rest == ';');
    if (comma) rest = gws__scan_blanks(rest + 1, end);
    *p = rest < end || comma ? rest : NULL;
    return true;
}

static uint32_t count_tokens(const struct gws__text_line *line)
{
    const char *p = line->at < line->end ? line->at : NULL, *token, *token_end;
    uint32_t count = 0;
    while (next_token(&p, line->end, &token, &token_end)) count++;
    return count;
}

/* Returns true if the line's first three tokens are numbers, or if its only token is a number. */
static bool is_row(const struct gws__text_line *line)
{
    const char *p = line->at, *token, *token_end;
    double value;
    for (int i = 0; i < 3 && next_token(&p, line->end, &token, &token_end); i++)
        if (token_end > token && gws__text_number(token, token_end, &value) != token_end) return false;
    return true;
}

static void unquote(const char **token, const char **token_end)
{
    while (*token < *token_end && **token == '"') ++*token;
    while (*token_end > *token && (*token_end)[-1] == '"') --*token_end;
}

static bool is_number(const char *token, const char *end)
{
    double value;
    return gws__text_number(token, end, &value) == end;
}

/* Returns true if the token begins with a digit after optional signs and points. */
static bool begins_like_number(const char *token, const char *end)
{
    while (token < end && (*token == '+' || *token == '-' || *token == '.')) token++;
    return token < end && gws__scan_is_digit(*token);
}

bool gws__text_is_name(const char *token, const char *end)
{
    bool quoted = end - token > 1 && *token == '"' && end[-1] == '"';
    unquote(&token, &end);
    if (token == end || (end - token == 1 && *token == '-')) return true;
    for (const char *p = token; p < end; p++)
        if ((unsigned char)*p < ' ' || *p == 0x7f) return false;
    bool alphabetic =
        (*token >= 'a' && *token <= 'z') || (*token >= 'A' && *token <= 'Z') || (unsigned char)*token >= 0x80;
    return quoted || ((alphabetic || strchr("_([{<$%", *token)) && !is_number(token, end));
}

/* Returns the first invalid token. In a line that begins like a row this is the first token that is not a number,
 * otherwise the first that is not a name of a column. Returns NULL if all are valid. */
static const char *find_invalid(const struct gws__text_line *line, const char **invalid_end)
{
    const char *p = line->at, *token;
    bool numbers = begins_like_number(line->at, line->end);
    while (next_token(&p, line->end, &token, invalid_end))
        if (numbers ? *invalid_end > token && !is_number(token, *invalid_end) : !gws__text_is_name(token, *invalid_end))
            return token;
    return NULL;
}

static void free_names(struct gws_runtime *runtime, struct preamble *preamble)
{
    gws_release(runtime, preamble->copy, preamble->copied, 1);
    preamble->copy = NULL;
}

static bool is_comma(char c)
{
    return c == ',' || c == ';';
}

/* If commas separate the names, replaces blanks within a name by underscores. */
static void underscore_names(char *copy, uint64_t size)
{
    bool commas = memchr(copy, ',', size) || memchr(copy, ';', size);
    for (uint64_t begin = 0, end; commas && begin < size; begin = end + 1) {
        uint64_t last = 0;
        for (end = begin; end < size && !is_comma(copy[end]); end++)
            if (!gws__scan_is_blank(copy[end])) last = end;
        while (begin < end && gws__scan_is_blank(copy[begin])) begin++;
        for (uint64_t i = begin; i < last; i++)
            if (gws__scan_is_blank(copy[i])) copy[i] = '_';
    }
}

static gws_status copy_names(struct gws_runtime *runtime, struct preamble *preamble, struct gws__text_line line,
                             bool comment)
{
    while (comment && line.at < line.end && (*line.at == '#' || *line.at == '/')) line.at++;
    trim(&line);
    free_names(runtime, preamble);
    preamble->copied = (uint64_t)(line.end - line.at);
    preamble->copy = gws_allocate(runtime, preamble->copied, 1);
    if (!preamble->copy) return GWS_NO_MEMORY;
    memcpy(preamble->copy, line.at, preamble->copied);
    if (!comment) underscore_names(preamble->copy, preamble->copied);
    preamble->names =
        (struct gws__text_line){.at = preamble->copy, .end = preamble->copy + preamble->copied, .number = line.number};
    preamble->comment = comment;
    return GWS_OK;
}

/* Reads the number of rows if the line is one whole number. Sets *whole to true for such a line. */
static gws_status read_count(const struct gws__points_reading *reading, const struct gws__text_line *line,
                             struct preamble *preamble, bool *whole)
{
    uint64_t rows = 0;
    bool fits = true;
    *whole = gws__scan_long(line->at, line->end, &rows, &fits) == line->end;
    if (!*whole) return GWS_OK;
    preamble->count = (struct gws__count){.declared = true, .rows = rows};
    preamble->counted = line->number;
    if (fits) return GWS_OK;
    return gws__input_fail(reading->input, GWS_TOO_LARGE, line->number, 1,
                           "the number of points does not fit in 64 bits");
}

/* Reads a line that is not a row: names, or a title after the number of rows. column is the column of the line's first
 * byte. */
static gws_status read_names(const struct gws__points_reading *reading, struct preamble *preamble,
                             const struct gws__text_line *line, uint64_t column)
{
    gws_status status = copy_names(reading->input->runtime, preamble, *line, false);
    if (status != GWS_OK) return status;
    const char *invalid_end, *invalid = find_invalid(&preamble->names, &invalid_end);
    if (!invalid) return GWS_OK;
    bool title = preamble->count.declared && line->number == preamble->counted + 1;
    uint64_t at = (uint64_t)(invalid - preamble->copy);
    if (!title || begins_like_number(line->at, line->end))
        return gws__input_fail(reading->input, GWS_SYNTAX, line->number, column + at,
                               "expected a row of numbers or the names of columns, found %s",
                               gws__lines_quote(line->at + at, line->end).text);
    free_names(reading->input->runtime, preamble);
    return GWS_OK;
}

/* Reads a trimmed line before the first row. Sets *row to true if the line is that row. */
static gws_status read_preamble_line(const struct gws__points_reading *reading, struct preamble *preamble,
                                     const struct gws__text_line *line, uint64_t column, bool *row)
{
    bool named = preamble->copy && !preamble->comment, comment = gws__text_comment(line->at, line->end), whole = false;
    if (line->at == line->end || (comment && named)) return GWS_OK;
    if (comment) return copy_names(reading->input->runtime, preamble, *line, true);
    if (!is_row(line) && !named) return read_names(reading, preamble, line, column);
    gws_status status = preamble->count.declared ? GWS_OK : read_count(reading, line, preamble, &whole);
    if (status != GWS_OK || whole) return status;
    preamble->columns = count_tokens(line);
    *row = true;
    return GWS_OK;
}

/* Reads the lines before the first row and leaves the row unread. A comment after a line of names does not replace the
 * names. */
static gws_status read_preamble(const struct gws__points_reading *reading, struct preamble *preamble)
{
    struct gws__input *input = reading->input;
    bool row = false;
    while (!row) {
        struct gws__text_line line, whole;
        bool got = false;
        gws_status status = gws__input_line(input, &line, &got);
        if (status != GWS_OK || !got) return status;
        whole = line;
        trim(&line);
        status = read_preamble_line(reading, preamble, &line, (uint64_t)(line.at - whole.at) + 1, &row);
        if (status != GWS_OK) return status;
        if (row) gws__input_unread(input, &whole);
    }
    return GWS_OK;
}

/* ---- columns ---- */

static gws_status by_names(struct gws__points_reading *reading, const struct gws__text_line *line)
{
    const char *p = line->at, *token, *token_end;
    while (next_token(&p, line->end, &token, &token_end)) {
        unquote(&token, &token_end);
        gws_status status = gws__schema_add(&reading->schema, token, (size_t)(token_end - token), GWS_NUMBER_F64);
        if (status == GWS_OK) continue;
        return gws__input_fail(reading->input, status, line->number, 1, "%s", gws_status_text(status));
    }
    return GWS_OK;
}

/* Returns true if the tokens of a comment are names of columns rather than prose. */
static bool has_axes(const struct gws__text_line *line)
{
    const char *p = line->at, *token, *token_end;
    unsigned found = 0;
    while (next_token(&p, line->end, &token, &token_end)) {
        unquote(&token, &token_end);
        if (token_end - token == 1 && *token && strchr("xyzXYZ", *token)) found |= 1U << ((*token | 32) - 'x');
    }
    return found == 7;
}

static gws_status find_columns(struct gws__points_reading *reading, const struct preamble *preamble)
{
    const struct gws__text_line *names = &preamble->names;
    if (reading->options->columns) return gws__schema_list(&reading->schema, reading->options->columns, GWS_NUMBER_F64);
    bool named =
        preamble->copy && (!preamble->comment || (count_tokens(names) == preamble->columns && has_axes(names)));
    if (named && (has_axes(names) || preamble->columns == 0)) return by_names(reading, names);
    if (named && count_tokens(names) < 3)
        return gws__input_fail(reading->input, GWS_SYNTAX, names->number, 1,
                               "expected a row of numbers or the names of columns");
    if (named && count_tokens(names) != preamble->columns)
        return gws__input_fail(reading->input, GWS_SYNTAX, names->number, 1,
                               "%" PRIu32 " names of columns, but the first row has %" PRIu32 " columns",
                               count_tokens(names), preamble->columns);
    uint32_t columns = preamble->columns ? preamble->columns : 3;
    gws_status status = gws__schema_by_position(&reading->schema, columns, GWS_NUMBER_F64);
    if (status == GWS_OK) return GWS_OK;
    return gws__input_fail(reading->input, status, 0, 0, "%" PRIu32 " columns: %s", columns, gws_status_text(status));
}

gws_status gws__points_read_xyz(struct gws__points_reading *reading, struct gws_points *points)
{
    struct gws__input *input = reading->input;
    struct preamble preamble = {0};
    gws_status status = read_preamble(reading, &preamble);
    if (status == GWS_OK) status = find_columns(reading, &preamble);
    free_names(input->runtime, &preamble);
    if (status == GWS_OK && preamble.columns > 0 && preamble.columns < 3)
        status = gws__input_fail(input, GWS_SYNTAX, input->header_lines + 1, 1,
                                 "expected at least three columns, found %" PRIu32, preamble.columns);
    if (status != GWS_OK) return status;
    struct gws__text text = {.schema = &reading->schema, .count = preamble.count, .free = true};
    return gws__text_read(&text, points);
}
