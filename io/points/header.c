/* SPDX-License-Identifier: MIT */
#include "header.h"

#include <string.h>

gws_status gws__header_open(struct gws__input *input, struct gws__header *header)
{
    const void *bytes = NULL;
    uint64_t got = 0;
    gws_status status = gws__input_head(input, GWS__HEADER_BYTES, &bytes, &got);
    if (status != GWS_OK) return status;
    *header = (struct gws__header){.input = input, .text = bytes, .at = bytes, .all = got < GWS__HEADER_BYTES};
    header->end = header->text + got;
    return GWS_OK;
}

gws_status gws__header_line(struct gws__header *header, const char *what, struct gws__words *words)
{
    size_t rest = (size_t)(header->end - header->at);
    const char *feed = rest > 0 ? memchr(header->at, '\n', rest) : NULL;
    if (!feed && !header->all)
        return gws__input_fail(header->input, GWS_TOO_LARGE, header->lines + 1, 1, "a header of more than %d bytes",
                               GWS__HEADER_BYTES);
    if (!feed && rest == 0)
        return gws__input_fail(header->input, GWS_TRUNCATED, header->lines + 1, 1,
                               "expected %s, found the end of the input", what);
    struct gws__line line = {.at = header->at, .end = feed ? feed : header->end, .number = ++header->lines};
    const char *flaw = gws__line_flaw(line.at, line.end);
    if (flaw)
        return gws__input_fail(header->input, GWS_SYNTAX, line.number, (uint64_t)(flaw - line.at) + 1,
                               "expected a line of text, found a %s", *flaw ? "carriage return within it" : "NUL");
    gws__words_split(&line, words);
    header->at = feed ? feed + 1 : header->end;
    return GWS_OK;
}

uint64_t gws__header_bytes(const struct gws__header *header)
{
    return (uint64_t)(header->at - header->text);
}

gws_status gws__header_skip(const struct gws__header *header)
{
    struct gws__line line;
    bool got = true;
    gws_status status = gws__input_peek(header->input);
    for (uint64_t i = 0; i < header->lines && got && status == GWS_OK; i++)
        status = gws__input_line(header->input, &line, &got);
    return status;
}

gws_status gws__header_field(const struct gws__header *header, struct gws__schema *schema, const char *name,
                             size_t length, enum gws_number_kind kind)
{
    gws_status status = gws__schema_add(schema, name, length, kind);
    if (status == GWS_OK) return GWS_OK;
    return gws__input_fail(header->input, status, header->lines, 0, "%s",
                           status == GWS_TOO_LARGE ? "too many columns" : gws_status_text(status));
}
