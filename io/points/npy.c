/* SPDX-License-Identifier: MIT */
/* NumPy's .npy (NEP 1), versions 1 to 3. A Python dictionary describes the array, and the array's bytes follow. A
 * structured array of one dimension names its columns. A plain array has N rows of at least three numbers. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../text/scan.h"
#include "reader.h"

/* The dictionary, and the values read from it. */
struct npy {
    struct gws__points_reading *reading;
    const char *at, *end;
    bool has_descr, has_order, has_shape;
    bool structured, fortran, big_endian, has_order_of_bytes;
    enum gws_number_kind kind; /* the kind of a plain array */
    uint32_t dimensions;
    uint64_t shape[2];
};

static gws_status fail(const struct npy *npy, gws_status status, const char *what)
{
    const struct gws__header *header = &npy->reading->header;
    return gws__input_fail(header->input, status, 0, 0, "%s, at byte %" PRIu64, what,
                           (uint64_t)(npy->at - header->text));
}

static void skip_space(struct npy *npy)
{
    while (npy->at < npy->end && (gws__scan_is_blank(*npy->at) || *npy->at == '\n')) npy->at++;
}

/* Accepts the character if it is the next one. */
static bool accept(struct npy *npy, char c)
{
    skip_space(npy);
    bool found = npy->at < npy->end && *npy->at == c;
    npy->at += found;
    return found;
}

static bool accept_string(struct npy *npy, const char **text, size_t *length)
{
    skip_space(npy);
    if (npy->at == npy->end || (*npy->at != '\'' && *npy->at != '"')) return false;
    const char *stop = memchr(npy->at + 1, *npy->at, (size_t)(npy->end - npy->at - 1));
    if (!stop) return false;
    *text = npy->at + 1;
    *length = (size_t)(stop - *text);
    npy->at = stop + 1;
    return true;
}

/* Reads ( N, N, ... ) and stores at most two numbers. */
static gws_status read_shape(struct npy *npy, uint32_t *dimensions, uint64_t shape[2])
{
    bool comma = true;
    if (!accept(npy, '(')) return fail(npy, GWS_SYNTAX, "expected '(' of a shape");
    for (*dimensions = 0; !accept(npy, ')'); comma = accept(npy, ',')) {
        if (!comma) return fail(npy, GWS_SYNTAX, "expected ',' or ')' of a shape");
        uint64_t number = 0;
        bool fits = true;
        const char *stop = gws__scan_long(npy->at, npy->end, &number, &fits);
        if (stop == npy->at) return fail(npy, GWS_SYNTAX, "expected a number of a shape");
        if (!fits) return fail(npy, GWS_TOO_LARGE, "a shape that does not fit in 64 bits");
        if (*dimensions < 2) shape[*dimensions] = number;
        ++*dimensions;
        npy->at = stop;
    }
    return GWS_OK;
}

/* Reads a type such as "<f4". Sets *padding to the number of bytes of a type such as "|V3". */
static gws_status read_type(struct npy *npy, enum gws_number_kind *kind, uint64_t *padding)
{
    const char *text = NULL;
    size_t length = 0;
    bool fits = true;
    *padding = 0;
    if (!accept_string(npy, &text, &length)) return fail(npy, GWS_SYNTAX, "expected a type such as '<f4'");
    bool order = length > 0 && memchr("<>|=", *text, 4);
    bool matters = order && (*text == '<' || *text == '>') && !(length == 3 && text[2] == '1');
    if (matters && npy->has_order_of_bytes && npy->big_endian != (*text == '>'))
        return fail(npy, GWS_UNSUPPORTED, "fields with different byte orders");
    if (matters) npy->big_endian = *text == '>';
    npy->has_order_of_bytes |= matters;
    if (order) text++, length--;
    if (length > 1 && *text == 'V' && gws__scan_long(text + 1, text + length, padding, &fits) == text + length &&
        *padding > 0 && *padding <= INT32_MAX)
        return GWS_OK;
    if (gws__kind_named(text, length, GWS__KIND_NUMPY, kind)) return GWS_OK;
    *kind = GWS_NUMBER_U8;
    if (length == 2 && memcmp(text, "b1", 2) == 0) return GWS_OK;
    return fail(npy, GWS_UNSUPPORTED, "a type that is neither integer nor floating point");
}

/* Reads ('name', '<f4') or ('name', '<f4', (3,)). The latter becomes name_0 to name_2. */
static gws_status read_field(struct npy *npy)
{
    const char *name = NULL;
    size_t length = 0;
    enum gws_number_kind kind = GWS_NUMBER_F64;
    uint64_t padding = 0, shape[2] = {1, 1}, count = 1;
    uint32_t dimensions = 0;
    if (!accept(npy, '(') || !accept_string(npy, &name, &length) || !accept(npy, ','))
        return fail(npy, GWS_SYNTAX, "expected a field such as ('x', '<f4')");
    gws_status status = read_type(npy, &kind, &padding);
    if (status == GWS_OK && accept(npy, ',') && !accept(npy, ')')) {
        status = read_shape(npy, &dimensions, shape);
        if (status == GWS_OK && !accept(npy, ')')) status = fail(npy, GWS_SYNTAX, "expected ')'");
    } else if (status == GWS_OK && npy->at[-1] != ')' && !accept(npy, ')')) {
        status = fail(npy, GWS_SYNTAX, "expected ')'");
    }
    if (status != GWS_OK) return status;
    if (dimensions > 2 || __builtin_mul_overflow(shape[0], shape[1], &count) || count > GWS_POINTS_COLUMNS)
        return fail(npy, GWS_UNSUPPORTED, "a field with too many numbers");
    npy->reading->schema.stride += padding * count;
    for (uint64_t i = 0; i < count && padding == 0 && status == GWS_OK; i++) {
        char part[64];
        int size = snprintf(part, sizeof part, "%.*s_%" PRIu64, (int)(length < 32 ? length : 32), name, i);
        status = gws__header_field(&npy->reading->header, &npy->reading->schema, dimensions ? part : name,
                                   dimensions ? (size_t)size : length, kind);
    }
    return status;
}

static gws_status read_descr(struct npy *npy)
{
    uint64_t padding = 0;
    if (npy->has_descr) return fail(npy, GWS_SYNTAX, "duplicate 'descr'");
    npy->has_descr = true;
    npy->structured = accept(npy, '[');
    if (!npy->structured) {
        gws_status status = read_type(npy, &npy->kind, &padding);
        return status == GWS_OK && padding > 0 ? fail(npy, GWS_UNSUPPORTED, "an array without numbers") : status;
    }
    while (!accept(npy, ']')) {
        gws_status status = read_field(npy);
        if (status != GWS_OK) return status;
        accept(npy, ',');
    }
    return GWS_OK;
}

static gws_status read_order(struct npy *npy)
{
    static const char *const literals[] = {"False", "True"};
    if (npy->has_order) return fail(npy, GWS_SYNTAX, "duplicate 'fortran_order'");
    skip_space(npy);
    for (int i = 0; i < 2; i++) {
        size_t length = strlen(literals[i]);
        if ((size_t)(npy->end - npy->at) < length || memcmp(npy->at, literals[i], length) != 0) continue;
        npy->at += length;
        npy->fortran = i == 1;
        npy->has_order = true;
        return GWS_OK;
    }
    return fail(npy, GWS_SYNTAX, "expected True or False");
}

static gws_status read_dictionary(struct npy *npy)
{
    if (!accept(npy, '{')) return fail(npy, GWS_SYNTAX, "expected '{'");
    while (!accept(npy, '}')) {
        const char *key = NULL;
        size_t length = 0;
        gws_status status = GWS_OK;
        if (!accept_string(npy, &key, &length) || !accept(npy, ':'))
            return fail(npy, GWS_SYNTAX, "expected a key and ':'");
        if (length == 5 && memcmp(key, "descr", 5) == 0)
            status = read_descr(npy);
        else if (length == 13 && memcmp(key, "fortran_order", 13) == 0)
            status = read_order(npy);
        else if (length == 5 && memcmp(key, "shape", 5) == 0)
            status = npy->has_shape ? fail(npy, GWS_SYNTAX, "duplicate 'shape'")
                                    : read_shape(npy, &npy->dimensions, npy->shape);
        else
            status = fail(npy, GWS_SYNTAX, "expected 'descr', 'fortran_order' or 'shape'");
        if (status != GWS_OK) return status;
        npy->has_shape |= *key == 's';
        accept(npy, ',');
    }
    if (!npy->has_descr || !npy->has_order || !npy->has_shape)
        return fail(npy, GWS_SYNTAX, "expected 'descr', 'fortran_order' and 'shape'");
    skip_space(npy);
    return npy->at == npy->end ? GWS_OK : fail(npy, GWS_SYNTAX, "expected the end of the head");
}

/* Finds the dictionary between the magic and the data. */
static gws_status open_dictionary(struct npy *npy)
{
    const struct gws__header *header = &npy->reading->header;
    const unsigned char *bytes = (const unsigned char *)header->text;
    uint64_t size = (uint64_t)(header->end - header->text), length = 0;
    npy->at = header->text;
    if (size < 6 || memcmp(bytes, "\x93NUMPY", 6) != 0)
        return fail(npy, GWS_UNKNOWN_FORMAT, "not a .npy file: wrong magic bytes");
    unsigned counted = size > 6 && bytes[6] > 1 ? 4 : 2;
    if (size < 8 + counted) return fail(npy, GWS_TRUNCATED, "truncated head");
    if (bytes[6] < 1 || bytes[6] > 3) return fail(npy, GWS_UNSUPPORTED, "a version other than 1 to 3");
    for (unsigned i = 0; i < counted; i++) length |= (uint64_t)bytes[8 + i] << (8 * i);
    npy->at += 8 + counted;
    if (length > size - 8 - counted && !header->all)
        return fail(npy, GWS_TOO_LARGE, "a head that is longer than 128 KiB");
    if (length > size - 8 - counted) return fail(npy, GWS_TRUNCATED, "truncated head");
    npy->end = npy->at + length;
    return GWS_OK;
}

/* Adds the columns of a plain array. */
static gws_status add_columns(struct npy *npy)
{
    struct gws__points_reading *reading = npy->reading;
    gws_status status = GWS_OK;
    if (npy->dimensions != 2 || npy->shape[1] < 3)
        return fail(npy, GWS_UNSUPPORTED,
                    "an array that is neither structured nor of N rows and three columns or more");
    if (npy->shape[1] > GWS_POINTS_COLUMNS) return fail(npy, GWS_TOO_LARGE, "too many columns");
    if (reading->options->columns) {
        status = gws__schema_list(&reading->schema, reading->options->columns, npy->kind);
        bool fits = reading->schema.fields == npy->shape[1];
        for (uint32_t i = 0; i < reading->schema.fields; i++) fits &= reading->schema.field[i].kind == npy->kind;
        return status != GWS_OK || fits ? status : fail(npy, GWS_INVALID, "the given columns do not match the array");
    }
    return gws__schema_by_position(&reading->schema, npy->shape[1], npy->kind);
}

gws_status gws__points_read_npy(struct gws__points_reading *reading, struct gws_points *points)
{
    struct npy npy = {.reading = reading};
    gws_status status = open_dictionary(&npy);
    if (status == GWS_OK) status = read_dictionary(&npy);
    if (status == GWS_OK && npy.structured && npy.dimensions != 1)
        status = fail(&npy, GWS_UNSUPPORTED, "a structured array must have one dimension");
    if (status == GWS_OK && npy.structured && reading->options->columns)
        status = fail(&npy, GWS_INVALID, "a structured array names its own columns");
    if (status == GWS_OK && !npy.structured) status = add_columns(&npy);
    if (status != GWS_OK) return status;
    reading->schema.big_endian = npy.big_endian;
    struct gws__binary_rows binary = {.skip = (uint64_t)(npy.end - reading->header.text),
                                      .count = {true, npy.shape[0]}};
    if (npy.fortran && !npy.structured) return gws__binary_columns_read(&reading->schema, &binary, points);
    return gws__binary_rows_read(&reading->schema, &binary, points);
}
