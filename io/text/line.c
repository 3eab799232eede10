/* SPDX-License-Identifier: MIT */
/* Readers of the parts of a line. Every error has its own message. lines.c has a faster path for ordinary lines. Header
 * lines are read token by token. */
#include <inttypes.h>

#include "number.h"
#include "reader.h"
#include "scan.h"

struct gws__quoted gws__lines_quote(const char *p, const char *end)
{
    enum { max_bytes = 25 };
    struct gws__quoted quoted = {"the end of the line"};
    const char *stop = gws__scan_token(p, end);
    if (stop == p && p < end && *p == ',') stop++;
    if (stop == p) return quoted;
    const char *quoted_end = stop - p > max_bytes ? p + max_bytes : stop;
    while (quoted_end < stop && quoted_end > p && ((unsigned char)*quoted_end & 0xc0) == 0x80)
        quoted_end--; /* keeps UTF-8 characters whole */
    size_t length = 0;
    quoted.text[length++] = '\'';
    for (; p < quoted_end; p++) quoted.text[length++] = *p ? *p : '?';
    if (p < stop) memcpy(quoted.text + length, "...", 3), length += 3;
    quoted.text[length++] = '\'';
    quoted.text[length] = 0;
    return quoted;
}

gws_status gws__lines_check_skipped(const struct gws__chunk *chunk, const char *p, const char *end)
{
    const char *flaw = gws__text_line_flaw(p, end);
    if (!flaw) return GWS_OK;
    return gws__chunk_fail(chunk, flaw, GWS_SYNTAX, "expected text, found a %s",
                           *flaw ? "carriage return within a line" : "NUL");
}

gws_status gws__lines_id(const struct gws__chunk *chunk, const struct gws__syntax *syntax, const char **p,
                         const char *end, uint64_t *id)
{
    bool fits = false;
    const char *stop = gws__scan_long(*p, end, id, &fits);
    if (stop == *p || stop != gws__scan_token(*p, end))
        return gws__chunk_fail(chunk, *p, GWS_SYNTAX, "expected a vertex, found %s%s", gws__lines_quote(*p, end).text,
                               syntax->free && *p < end ? " (the first edge has numbers)" : "");
    if (!fits)
        return gws__chunk_fail(chunk, *p, GWS_OUT_OF_RANGE, "vertex %s does not fit in 64 bits",
                               gws__lines_quote(*p, end).text);
    if (!syntax->free && (*id < syntax->base || *id - syntax->base >= syntax->vertices))
        return gws__chunk_fail(chunk, *p, GWS_OUT_OF_RANGE,
                               "vertex %s is not in %" PRIu64 " .. %" PRIu64 " as declared",
                               gws__lines_quote(*p, end).text, syntax->base, syntax->base + syntax->vertices - 1);
    *id -= syntax->base;
    *p = stop;
    return GWS_OK;
}

gws_status gws__lines_weight(const struct gws__chunk *chunk, enum gws_weights weights, const char **p, const char *end,
                             struct gws__weight *weight)
{
    struct gws__number number;
    const char *start = *p, *stop = gws__number_scan(*p, end, &number);
    if (!stop || stop != gws__scan_token(*p, end))
        return gws__chunk_fail(chunk, *p, GWS_SYNTAX, "expected a weight, found %s", gws__lines_quote(*p, end).text);
    if (weights == GWS_WEIGHTS_ROUND && !number.fits)
        return gws__chunk_fail(chunk, *p, GWS_OUT_OF_RANGE,
                               "weight %s does not fit in 32 bits (weights can be dropped)",
                               gws__lines_quote(*p, end).text);
    *p = stop;
    *weight = (struct gws__weight){.integer = number.rounded, .number = (float)number.rounded};
    weight->real = weights == GWS_WEIGHTS_KEEP && !(number.fits && number.whole);
    if (!weight->real || gws__number_scan_float(start, stop, &weight->number)) return GWS_OK;
    return gws__chunk_fail(chunk, start, GWS_OUT_OF_RANGE,
                           "weight %s is not a finite 32-bit float (weights can be dropped)",
                           gws__lines_quote(start, end).text);
}

/* ---- header lines ---- */

void gws__tokens_split(const struct gws__text_line *line, struct gws__tokens *tokens)
{
    const char *p = line->at, *end = line->end;
    *tokens = (struct gws__tokens){.line = *line};
    if (end > p && end[-1] == '\r') tokens->line.end = --end;
    for (p = gws__scan_blanks(p, end); p < end; p = gws__scan_blanks(p, end)) {
        const char *start = p;
        while (p < end && !gws__scan_is_blank(*p)) p++;
        if (tokens->count < sizeof tokens->token / sizeof *tokens->token) {
            tokens->token[tokens->count].at = start;
            tokens->token[tokens->count].end = p;
        }
        tokens->count++;
    }
}

bool gws__tokens_is(const struct gws__tokens *tokens, unsigned i, const char *text)
{
    size_t length = strlen(text);
    return i < tokens->count && (size_t)(tokens->token[i].end - tokens->token[i].at) == length &&
           gws__scan_matches(tokens->token[i].at, text, length);
}

gws_status gws__tokens_expected(const struct gws__input *input, const struct gws__tokens *tokens, unsigned i,
                                const char *what)
{
    const char *at = i < tokens->count ? tokens->token[i].at : tokens->line.end;
    uint64_t column = (uint64_t)(at - tokens->line.at) + 1;
    return gws__input_fail(input, GWS_SYNTAX, tokens->line.number, column, "expected %s, found %s", what,
                           gws__lines_quote(at, tokens->line.end).text);
}

gws_status gws__tokens_number(const struct gws__input *input, const struct gws__tokens *tokens, unsigned i,
                              const char *what, uint64_t *number)
{
    bool fits = true;
    if (i >= tokens->count ||
        gws__scan_long(tokens->token[i].at, tokens->token[i].end, number, &fits) != tokens->token[i].end)
        return gws__tokens_expected(input, tokens, i, what);
    uint64_t column = (uint64_t)(tokens->token[i].at - tokens->line.at) + 1;
    if (fits) return GWS_OK;
    return gws__input_fail(input, GWS_TOO_LARGE, tokens->line.number, column, "%s does not fit in 64 bits", what);
}

gws_status gws__tokens_numbers(const struct gws__input *input, const struct gws__tokens *tokens, unsigned i,
                               const char *const *what, uint64_t *number)
{
    gws_status status = GWS_OK;
    for (; *what && status == GWS_OK; what++) status = gws__tokens_number(input, tokens, i++, *what, number++);
    if (status != GWS_OK || tokens->count <= i) return status;
    return gws__tokens_expected(input, tokens, i, "the end of the line");
}

gws_status gws__tokens_next(struct gws__input *input, const char *comment, const char *what, struct gws__tokens *tokens)
{
    for (;;) {
        struct gws__text_line line = {0};
        bool got = false;
        gws_status status = gws__input_line(input, &line, &got);
        if (status != GWS_OK) return status;
        if (!got)
            return gws__input_fail(input, GWS_TRUNCATED, input->header_lines + 1, 1,
                                   "expected %s, found the end of the input", what);
        gws__tokens_split(&line, tokens);
        if (tokens->count == 0) continue;
        char first = *tokens->token[0].at;
        if (first == 0 || !strchr(comment, first)) return GWS_OK;
    }
}
