/* SPDX-License-Identifier: MIT */
/* The parts of a line, one by one, with every mistake named. What is common is read faster in lines.c. Header lines are
 * read word by word. */
#include <inttypes.h>

#include "number.h"
#include "reader.h"
#include "scan.h"

struct gws__shown gws__lines_show(const char *p, const char *end)
{
    enum { most = 25 };
    struct gws__shown shown = {"the end of the line"};
    const char *stop = gws__scan_token(p, end);
    if (stop == p && p < end && *p == ',') stop++;
    if (stop == p) return shown;
    const char *shown_end = stop - p > most ? p + most : stop;
    while (shown_end < stop && shown_end > p && ((unsigned char)*shown_end & 0xc0) == 0x80)
        shown_end--; /* not within a character */
    size_t length = 0;
    shown.text[length++] = '\'';
    for (; p < shown_end; p++) shown.text[length++] = *p ? *p : '?';
    if (p < stop) memcpy(shown.text + length, "...", 3), length += 3;
    shown.text[length++] = '\'';
    shown.text[length] = 0;
    return shown;
}

gws_status gws__lines_passed(const struct gws__piece *piece, const char *p, const char *end)
{
    const char *flaw = gws__line_flaw(p, end);
    if (!flaw) return GWS_OK;
    return gws__piece_fail(piece, flaw, GWS_SYNTAX, "expected text, found a %s",
                           *flaw ? "carriage return within a line" : "NUL");
}

gws_status gws__lines_id(const struct gws__piece *piece, const struct gws__syntax *syntax, const char **p,
                         const char *end, uint64_t *id)
{
    bool fits = false;
    const char *stop = gws__scan_long(*p, end, id, &fits);
    if (stop == *p || stop != gws__scan_token(*p, end))
        return gws__piece_fail(piece, *p, GWS_SYNTAX, "expected a vertex, found %s", gws__lines_show(*p, end).text);
    if (!fits)
        return gws__piece_fail(piece, *p, GWS_OUT_OF_RANGE, "vertex %s does not fit in 64 bits",
                               gws__lines_show(*p, end).text);
    if (!syntax->free && (*id < syntax->base || *id - syntax->base >= syntax->vertices))
        return gws__piece_fail(piece, *p, GWS_OUT_OF_RANGE,
                               "vertex %s is not in %" PRIu64 " .. %" PRIu64 " as declared",
                               gws__lines_show(*p, end).text, syntax->base, syntax->base + syntax->vertices - 1);
    *id -= syntax->base;
    *p = stop;
    return GWS_OK;
}

gws_status gws__lines_weight(const struct gws__piece *piece, enum gws_weights weights, const char **p, const char *end,
                             int32_t *weight)
{
    struct gws__number number;
    const char *stop = gws__number_scan(*p, end, &number);
    if (!stop || stop != gws__scan_token(*p, end))
        return gws__piece_fail(piece, *p, GWS_SYNTAX, "expected a weight, found %s", gws__lines_show(*p, end).text);
    if (weights == GWS_WEIGHTS_ROUND && !number.fits)
        return gws__piece_fail(piece, *p, GWS_OUT_OF_RANGE,
                               "weight %s does not fit in 32 bits (weights can be dropped)",
                               gws__lines_show(*p, end).text);
    if (weights == GWS_WEIGHTS_KEEP && !(number.fits && number.whole))
        return gws__piece_fail(piece, *p, GWS_OUT_OF_RANGE,
                               "weight %s is not a 32-bit integer (weights can be rounded or dropped)",
                               gws__lines_show(*p, end).text);
    *weight = number.rounded;
    *p = stop;
    return GWS_OK;
}

/* ---- header lines ---- */

void gws__words_split(const struct gws__line *line, struct gws__words *words)
{
    const char *p = line->at, *end = line->end;
    *words = (struct gws__words){.line = *line};
    if (end > p && end[-1] == '\r') words->line.end = --end;
    for (p = gws__scan_blanks(p, end); p < end; p = gws__scan_blanks(p, end)) {
        const char *start = p;
        while (p < end && !gws__scan_is_blank(*p)) p++;
        if (words->count < sizeof words->word / sizeof *words->word) {
            words->word[words->count].at = start;
            words->word[words->count].end = p;
        }
        words->count++;
    }
}

bool gws__words_is(const struct gws__words *words, unsigned i, const char *text)
{
    size_t length = strlen(text);
    return i < words->count && (size_t)(words->word[i].end - words->word[i].at) == length &&
           gws__scan_is_word(words->word[i].at, text, length);
}

gws_status gws__words_expected(const struct gws__input *input, const struct gws__words *words, unsigned i,
                               const char *what)
{
    const char *at = i < words->count ? words->word[i].at : words->line.end;
    uint64_t column = (uint64_t)(at - words->line.at) + 1;
    return gws__input_fail(input, GWS_SYNTAX, words->line.number, column, "expected %s, found %s", what,
                           gws__lines_show(at, words->line.end).text);
}

gws_status gws__words_number(const struct gws__input *input, const struct gws__words *words, unsigned i,
                             const char *what, uint64_t *number)
{
    bool fits = true;
    if (i >= words->count || gws__scan_long(words->word[i].at, words->word[i].end, number, &fits) != words->word[i].end)
        return gws__words_expected(input, words, i, what);
    uint64_t column = (uint64_t)(words->word[i].at - words->line.at) + 1;
    if (fits) return GWS_OK;
    return gws__input_fail(input, GWS_TOO_LARGE, words->line.number, column, "%s does not fit in 64 bits", what);
}

gws_status gws__words_numbers(const struct gws__input *input, const struct gws__words *words, unsigned i,
                              const char *const *what, uint64_t *number)
{
    gws_status status = GWS_OK;
    for (; *what && status == GWS_OK; what++) status = gws__words_number(input, words, i++, *what, number++);
    if (status != GWS_OK || words->count <= i) return status;
    return gws__words_expected(input, words, i, "the end of the line");
}

gws_status gws__words_next(struct gws__input *input, const char *comment, const char *what, struct gws__words *words)
{
    for (;;) {
        struct gws__line line = {0};
        bool got = false;
        gws_status status = gws__input_line(input, &line, &got);
        if (status != GWS_OK) return status;
        if (!got)
            return gws__input_fail(input, GWS_TRUNCATED, input->header_lines + 1, 1,
                                   "expected %s, found the end of the input", what);
        gws__words_split(&line, words);
        if (words->count == 0) continue;
        char first = *words->word[0].at;
        if (first == 0 || !strchr(comment, first)) return GWS_OK;
    }
}
