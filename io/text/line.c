/* SPDX-License-Identifier: MIT */
/* The parts of a line, one by one, with every mistake named. What is common is read faster in lines.c. */
#include <inttypes.h>

#include "lines.h"
#include "number.h"
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
