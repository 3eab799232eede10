/* SPDX-License-Identifier: MIT */
/* Header lines, word by word. */
#include <inttypes.h>

#include "reader.h"
#include "scan.h"

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
