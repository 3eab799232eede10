/* SPDX-License-Identifier: MIT */
#include "reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../text/scan.h"

static const char *const kind_names[][4] = {
    [GWS_NUMBER_I8] = {"i8", "i1", "char", "Int8"},       [GWS_NUMBER_U8] = {"u8", "u1", "uchar", "UInt8"},
    [GWS_NUMBER_I16] = {"i16", "i2", "short", "Int16"},   [GWS_NUMBER_U16] = {"u16", "u2", "ushort", "UInt16"},
    [GWS_NUMBER_I32] = {"i32", "i4", "int", "Int32"},     [GWS_NUMBER_U32] = {"u32", "u4", "uint", "UInt32"},
    [GWS_NUMBER_I64] = {"i64", "i8", NULL, "Int64"},      [GWS_NUMBER_U64] = {"u64", "u8", NULL, "UInt64"},
    [GWS_NUMBER_F32] = {"f32", "f4", "float", "Float32"}, [GWS_NUMBER_F64] = {"f64", "f8", "double", "Float64"},
};

bool gws__kind_named(const char *text, size_t length, enum gws__kind_names names, enum gws_number_kind *kind)
{
    for (int i = 0; i <= GWS_NUMBER_F64; i++) {
        const char *name = kind_names[i][names];
        if (!name || strlen(name) != length || !gws__scan_matches(text, name, length)) continue;
        if (names == GWS__KIND_LIST || names == GWS__KIND_NUMPY)
            if (memcmp(text, name, length) != 0) continue;
        *kind = (enum gws_number_kind)i;
        return true;
    }
    return false;
}

const char *gws__kind_name(enum gws_number_kind kind, enum gws__kind_names names)
{
    return kind_names[kind][names];
}

/* ---- fields ---- */

/* Replaces characters that a column's name must not have by '_', and a single '_' by a name. Shortens the name to
 * leave space for a number. */
static void clean_name(char name[GWS_POINTS_NAME], const char *text, size_t length)
{
    size_t max_length = GWS_POINTS_NAME - 8;
    if (length > max_length) length = max_length;
    for (size_t i = 0; i < length; i++) {
        bool good = text[i] > ' ' && text[i] <= '~' && !strchr("\"',;\\<>&", text[i]);
        name[i] = text[i];
        if (!good) name[i] = '_';
    }
    name[length] = 0;
    if (length == 0 || strcmp(name, "_") == 0) memcpy(name, "column", sizeof "column");
}

gws_status gws__schema_add(struct gws__schema *schema, const char *name, size_t length, enum gws_number_kind kind)
{
    if (schema->fields >= GWS_POINTS_COLUMNS) return GWS_TOO_LARGE;
    if (!gws__grow(schema->input->runtime, &schema->field, schema->fields, &schema->capacity, sizeof *schema->field))
        return GWS_NO_MEMORY;
    struct gws__field *field = &schema->field[schema->fields++];
    *field = (struct gws__field){.kind = kind, .offset = schema->stride};
    bool skip = length == 1 && (*name == '-' || *name == '_');
    if (skip) field->role = GWS__ROLE_SKIP;
    clean_name(field->name, name, length);
    schema->stride += gws_number_bytes(kind);
    return GWS_OK;
}

gws_status gws__schema_by_position(struct gws__schema *schema, uint64_t columns, enum gws_number_kind kind)
{
    gws_status status = GWS_OK;
    for (uint64_t i = 0; i < columns && status == GWS_OK; i++) {
        char name[GWS_POINTS_NAME] = {"xyz"[i < 3 ? i : 0]};
        if (i >= 3) snprintf(name, sizeof name, "column%" PRIu64, i + 1);
        status = gws__schema_add(schema, name, strlen(name), kind);
    }
    return status;
}

gws_status gws__schema_list(struct gws__schema *schema, const char *list, enum gws_number_kind usual)
{
    for (const char *p = list;; p++) {
        const char *end = p + strcspn(p, ","), *colon = memchr(p, ':', (size_t)(end - p));
        enum gws_number_kind kind = usual;
        size_t length = (size_t)((colon ? colon : end) - p);
        if (length == 0 || (colon && !gws__kind_named(colon + 1, (size_t)(end - colon - 1), GWS__KIND_LIST, &kind)))
            return gws__input_fail(schema->input, GWS_INVALID, 0, 0,
                                   "column %" PRIu32 " of \"%s\" must be a name, or a name and a kind such as f32",
                                   schema->fields + 1, list);
        gws_status status = gws__schema_add(schema, p, length, kind);
        if (status != GWS_OK) return gws__input_fail(schema->input, status, 0, 0, "%s", gws_status_text(status));
        p = end;
        if (*p == 0) return GWS_OK;
    }
}

/* ---- roles ---- */

static bool find_axes(struct gws__schema *schema)
{
    static const char *const names[] = {"x", "y", "z"};
    bool found[3] = {false};
    for (uint32_t i = 0; i < schema->fields; i++) {
        struct gws__field *field = &schema->field[i];
        if (field->role == GWS__ROLE_SKIP) continue;
        field->role = GWS__ROLE_COLUMN;
        for (int axis = 0; axis < 3; axis++) {
            if (found[axis] || !gws__scan_matches(field->name, names[axis], sizeof "x")) continue;
            field->role = axis;
            found[axis] = true;
        }
    }
    return found[0] && found[1] && found[2];
}

/* Returns true if another field has the name: an earlier column, or a later column that has no number appended yet. */
static bool name_is_used(const struct gws__schema *schema, uint32_t self, const char *name)
{
    for (uint32_t i = 0; i < schema->fields; i++) {
        const struct gws__field *field = &schema->field[i];
        if (i != self && field->role >= GWS__ROLE_COLUMN && strcmp(field->name, name) == 0) return true;
    }
    return false;
}

/* Appends a number to repeated names: the field's own number, or a larger number if another field has that name. */
static void number_columns(struct gws__schema *schema)
{
    schema->columns = 0;
    for (uint32_t i = 0; i < schema->fields; i++) {
        struct gws__field *field = &schema->field[i];
        if (field->role < GWS__ROLE_COLUMN) continue;
        field->role = (int32_t)(GWS__ROLE_COLUMN + schema->columns++);
        char name[GWS_POINTS_NAME + 16];
        memcpy(name, field->name, sizeof field->name);
        for (uint32_t n = i + 1; name_is_used(schema, i, name); n++)
            snprintf(name, sizeof name, "%s_%" PRIu32, field->name, n);
        memcpy(field->name, name, sizeof field->name);
    }
}

static bool wants_double(const struct gws__schema *schema)
{
    for (uint32_t i = 0; i < schema->fields; i++) {
        const struct gws__field *field = &schema->field[i];
        bool axis = field->role >= 0 && field->role < GWS__ROLE_COLUMN;
        if (axis && field->kind != GWS_NUMBER_F32 && gws_number_bytes(field->kind) > 2) return true;
    }
    return schema->scaled;
}

gws_status gws__schema_finalise(struct gws__schema *schema)
{
    if (!find_axes(schema))
        return gws__input_fail(schema->input, GWS_SYNTAX, 0, 0, "no columns called x, y and z among %" PRIu32,
                               schema->fields);
    number_columns(schema);
    schema->is_double =
        schema->precision == GWS_PRECISION_DOUBLE || (schema->precision == GWS_PRECISION_FILE && wants_double(schema));
    return GWS_OK;
}

/* ---- points ---- */

gws_status gws__schema_make(const struct gws__schema *schema, uint64_t count, struct gws_points *points)
{
    struct gws_points_column *column = gws_allocate(schema->input->runtime, schema->columns, sizeof *column);
    if (!column) return GWS_NO_MEMORY;
    for (uint32_t i = 0; i < schema->fields; i++) {
        const struct gws__field *field = &schema->field[i];
        if (field->role < GWS__ROLE_COLUMN) continue;
        struct gws_points_column *own = &column[field->role - GWS__ROLE_COLUMN];
        memcpy(own->name, field->name, sizeof own->name);
        own->kind = field->kind;
    }
    gws_status status =
        gws_points_make(schema->input->runtime, count, schema->is_double, schema->columns, column, points);
    gws_release(schema->input->runtime, column, schema->columns, sizeof *column);
    return status;
}

void *gws__schema_destination(const struct gws__schema *schema, uint32_t field, const struct gws_points *points,
                              enum gws_number_kind *kind)
{
    int32_t role = schema->field[field].role;
    void *axis[] = {points->x, points->y, points->z};
    *kind = schema->field[field].kind;
    if (role == GWS__ROLE_SKIP) return NULL;
    if (role >= GWS__ROLE_COLUMN) return points->column[role - GWS__ROLE_COLUMN].data;
    *kind = points->is_double ? GWS_NUMBER_F64 : GWS_NUMBER_F32;
    return axis[role];
}

/* ---- header lines ---- */

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

gws_status gws__header_line(struct gws__header *header, const char *what, struct gws__tokens *tokens)
{
    size_t rest = (size_t)(header->end - header->at);
    const char *newline = rest > 0 ? memchr(header->at, '\n', rest) : NULL;
    if (!newline && !header->all)
        return gws__input_fail(header->input, GWS_TOO_LARGE, header->lines + 1, 1, "a header of more than %d bytes",
                               GWS__HEADER_BYTES);
    if (!newline && rest == 0)
        return gws__input_fail(header->input, GWS_TRUNCATED, header->lines + 1, 1,
                               "expected %s, found the end of the input", what);
    struct gws__text_line line = {.at = header->at, .end = newline ? newline : header->end, .number = ++header->lines};
    const char *flaw = gws__text_line_flaw(line.at, line.end);
    if (flaw)
        return gws__input_fail(header->input, GWS_SYNTAX, line.number, (uint64_t)(flaw - line.at) + 1,
                               "expected a line of text, found a %s", *flaw ? "carriage return within it" : "NUL");
    gws__tokens_split(&line, tokens);
    header->at = newline ? newline + 1 : header->end;
    return GWS_OK;
}

gws_status gws__header_skip(const struct gws__header *header)
{
    struct gws__text_line line;
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
