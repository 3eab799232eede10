/* SPDX-License-Identifier: MIT */
/* PLY (Turk 1994). The elements follow the header lines in sequence. The reader reads the element "vertex", skips the
 * elements before it and ignores the elements after it. */
#include <inttypes.h>
#include <string.h>

#include "reader.h"

enum encoding { ascii, little_endian, big_endian };

/* The elements of the header. Sizes are sums over elements. */
struct ply {
    enum encoding encoding;
    uint64_t vertices;
    uint64_t rows_before, bytes_before; /* rows and bytes of the elements before the vertices */
    uint64_t rows_after, bytes_after; /* rows and bytes of the elements after the vertices; bytes_after is a lower bound
                                         because of empty lists */
    uint64_t count, bytes;            /* rows and bytes per row of the current element */
    bool inside;                      /* the header has declared an element */
    bool list;                        /* the element has a list */
    bool in_vertex;                   /* the element is the vertices */
    bool seen_vertex;                 /* the header has declared the vertices */
    bool has_elements_after;          /* elements follow the vertices */
};

static gws_status too_large(const struct gws__points_reading *reading, const struct gws__tokens *tokens)
{
    return gws__input_fail(reading->input, GWS_TOO_LARGE, tokens->line.number, 1,
                           "elements that take more than 2^63 bytes");
}

static gws_status expected(const struct gws__points_reading *reading, const struct gws__tokens *tokens, unsigned token,
                           const char *what)
{
    return gws__tokens_expected(reading->input, tokens, token, what);
}

/* PLY has two names for each kind, such as "uchar" and "uint8". */
static bool find_kind(const struct gws__tokens *tokens, unsigned token, enum gws_number_kind *kind)
{
    if (token >= tokens->count) return false;
    const char *at = tokens->token[token].at;
    size_t length = (size_t)(tokens->token[token].end - at);
    return gws__kind_named(at, length, GWS__KIND_PLY, kind) ||
           (gws__kind_named(at, length, GWS__KIND_VTK, kind) && gws__kind_name(*kind, GWS__KIND_PLY));
}

static bool is_comment(const struct gws__tokens *tokens)
{
    return gws__tokens_is(tokens, 0, "comment") || gws__tokens_is(tokens, 0, "obj_info");
}

static gws_status read_encoding(struct gws__points_reading *reading, struct ply *ply)
{
    static const char what[] = "\"format ascii 1.0\", \"binary_little_endian\" or \"binary_big_endian\"";
    static const char *const names[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    struct gws__tokens tokens;
    do {
        gws_status status = gws__header_line(&reading->header, what, &tokens);
        if (status != GWS_OK) return status;
    } while (is_comment(&tokens));
    if (!gws__tokens_is(&tokens, 0, "format")) return expected(reading, &tokens, 0, what);
    for (int i = ascii; i <= big_endian; i++) {
        if (!gws__tokens_is(&tokens, 1, names[i])) continue;
        ply->encoding = (enum encoding)i;
        return gws__tokens_is(&tokens, 2, "1.0") ? GWS_OK : expected(reading, &tokens, 2, "1.0");
    }
    return expected(reading, &tokens, 1, what);
}

/* Adds the current element, whose properties are complete, to the sums. */
static gws_status end_element(struct gws__points_reading *reading, struct ply *ply, const struct gws__tokens *tokens)
{
    uint64_t bytes = 0, *all_rows = ply->seen_vertex ? &ply->rows_after : &ply->rows_before,
             *all_bytes = ply->seen_vertex ? &ply->bytes_after : &ply->bytes_before;
    if (ply->in_vertex || ply->count == 0) return GWS_OK;
    if (ply->list && !ply->seen_vertex && ply->encoding != ascii)
        return gws__input_fail(reading->input, GWS_UNSUPPORTED, tokens->line.number, 1,
                               "an element with lists before the vertices of a binary file");
    if (__builtin_mul_overflow(ply->count, ply->bytes, &bytes) ||
        __builtin_add_overflow(*all_bytes, bytes, all_bytes) || *all_bytes > INT64_MAX ||
        __builtin_add_overflow(*all_rows, ply->count, all_rows))
        return too_large(reading, tokens);
    return GWS_OK;
}

static gws_status begin_element(struct gws__points_reading *reading, struct ply *ply, const struct gws__tokens *tokens)
{
    static const char *const what[] = {"the number of elements", NULL};
    gws_status status = end_element(reading, ply, tokens);
    if (status != GWS_OK) return status;
    bool vertex = gws__tokens_is(tokens, 1, "vertex");
    if (tokens->count < 2) return expected(reading, tokens, 1, "an element's name");
    if (vertex && (ply->in_vertex || ply->seen_vertex)) return expected(reading, tokens, 1, "one element \"vertex\"");
    status = gws__tokens_numbers(reading->input, tokens, 2, what, &ply->count);
    if (status != GWS_OK) return status;
    ply->seen_vertex |= ply->in_vertex;
    ply->inside = true;
    ply->in_vertex = vertex;
    ply->has_elements_after |= ply->seen_vertex && ply->count > 0;
    ply->bytes = 0;
    ply->list = false;
    if (vertex) ply->vertices = ply->count;
    return GWS_OK;
}

static gws_status read_property(struct gws__points_reading *reading, struct ply *ply, const struct gws__tokens *tokens)
{
    enum gws_number_kind kind = GWS_NUMBER_U8;
    bool list = gws__tokens_is(tokens, 1, "list");
    for (unsigned i = list ? 3 : 1; i >= (list ? 2 : 1); i--)
        if (!find_kind(tokens, i, &kind)) return expected(reading, tokens, i, "a type such as float or uchar");
    unsigned name = list ? 4 : 2;
    if (tokens->count != name + 1) return expected(reading, tokens, name, "one name");
    if (list && ply->in_vertex)
        return gws__input_fail(reading->input, GWS_UNSUPPORTED, tokens->line.number, 1,
                               "a list among the properties of vertices");
    ply->list |= list;
    ply->bytes += gws_number_bytes(kind); /* an empty list consists of its length only */
    if (!ply->in_vertex) return GWS_OK;
    return gws__header_field(&reading->header, &reading->schema, tokens->token[name].at,
                             (size_t)(tokens->token[name].end - tokens->token[name].at), kind);
}

static gws_status read_head(struct gws__points_reading *reading, struct ply *ply)
{
    struct gws__tokens tokens;
    gws_status status = gws__header_line(&reading->header, "\"ply\"", &tokens);
    if (status == GWS_OK && !gws__tokens_is(&tokens, 0, "ply")) status = expected(reading, &tokens, 0, "\"ply\"");
    if (status == GWS_OK) status = read_encoding(reading, ply);
    while (status == GWS_OK) {
        status = gws__header_line(&reading->header, "\"end_header\"", &tokens);
        if (status != GWS_OK) break;
        if (is_comment(&tokens))
            continue;
        else if (gws__tokens_is(&tokens, 0, "element"))
            status = begin_element(reading, ply, &tokens);
        else if (gws__tokens_is(&tokens, 0, "property") && ply->inside)
            status = read_property(reading, ply, &tokens);
        else if (gws__tokens_is(&tokens, 0, "end_header"))
            break;
        else
            status = expected(reading, &tokens, 0, "\"element\", \"property\" or \"end_header\"");
    }
    if (status == GWS_OK) status = end_element(reading, ply, &tokens);
    if (status == GWS_OK && !ply->in_vertex && !ply->seen_vertex)
        return gws__input_fail(reading->input, GWS_SYNTAX, tokens.line.number, 1,
                               "the header has no element \"vertex\"");
    return status;
}

/* Skips the lines of elements before the vertices. */
static gws_status skip_rows(struct gws__points_reading *reading, uint64_t rows)
{
    struct gws__text_line line;
    bool got = true;
    gws_status status = gws__header_skip(&reading->header);
    for (; rows > 0 && got && status == GWS_OK; rows--) status = gws__input_line(reading->input, &line, &got);
    if (status != GWS_OK || got) return status;
    return gws__input_fail(reading->input, GWS_TRUNCATED, 0, 0, "%" PRIu64 " more lines declared before the points",
                           rows + 1);
}

static gws_status read_binary(struct gws__points_reading *reading, const struct ply *ply, struct gws_points *points)
{
    struct gws__binary_rows binary = {.skip = (uint64_t)(reading->header.at - reading->header.text) + ply->bytes_before,
                                      .count = {true, ply->vertices},
                                      .trailing = ply->bytes_after};
    return gws__binary_rows_read(&reading->schema, &binary, points);
}

static gws_status read_ascii(struct gws__points_reading *reading, const struct ply *ply, struct gws_points *points)
{
    struct gws__input *input = reading->input;
    struct gws__text text = {
        .schema = &reading->schema, .count = {true, ply->vertices}, .limited = ply->has_elements_after};
    gws_status status = skip_rows(reading, ply->rows_before);
    if (status == GWS_OK) status = gws__text_read(&text, points);
    if (status != GWS_OK || ply->rows_after <= input->offset) return status; /* a line has at least one byte */
    return gws__input_fail(input, GWS_TRUNCATED, 0, 0,
                           "%" PRIu64 " lines declared after the points in only %" PRIu64 " bytes", ply->rows_after,
                           input->offset);
}

gws_status gws__points_read_ply(struct gws__points_reading *reading, struct gws_points *points)
{
    struct ply ply = {0};
    gws_status status = read_head(reading, &ply);
    if (status != GWS_OK) return status;
    reading->schema.big_endian = ply.encoding == big_endian;
    return ply.encoding == ascii ? read_ascii(reading, &ply, points) : read_binary(reading, &ply, points);
}
