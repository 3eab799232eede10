/* SPDX-License-Identifier: MIT */
#include "schema.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../text/scan.h"

static const char *const kind_names[] = {"i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f32", "f64"};

enum { kinds = sizeof kind_names / sizeof *kind_names };

bool gws__kind_named(const char *name, size_t length, enum gws_number_kind *kind)
{
    for (int i = 0; i < kinds; i++) {
        if (strlen(kind_names[i]) != length || strncmp(kind_names[i], name, length) != 0) continue;
        *kind = (enum gws_number_kind)i;
        return true;
    }
    return false;
}

const char *gws__kind_name(enum gws_number_kind kind)
{
    return kind_names[kind];
}

void gws__schema_close(struct gws__schema *schema)
{
    gws_release(schema->input->runtime, schema->field, schema->room, sizeof *schema->field);
    schema->field = NULL;
    schema->fields = schema->room = 0;
}

/* ---- fields ---- */

/* What a column's name must not have becomes '_', of which alone is none; it is cut so that a number may still be put
 * behind it. */
static void clean_name(char name[GWS_POINTS_NAME], const char *text, size_t length)
{
    size_t most = GWS_POINTS_NAME - 8;
    if (length > most) length = most;
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
    if (!gws__grow(schema->input->runtime, &schema->field, schema->fields, &schema->room, sizeof *schema->field))
        return GWS_NO_MEMORY;
    struct gws__field *field = &schema->field[schema->fields++];
    *field = (struct gws__field){.kind = kind, .offset = schema->stride};
    bool skip = length == 1 && (*name == '-' || *name == '_');
    if (skip) field->role = GWS__ROLE_SKIP;
    clean_name(field->name, name, length);
    schema->stride += gws_number_bytes(kind);
    return GWS_OK;
}

gws_status gws__schema_list(struct gws__schema *schema, const char *list, enum gws_number_kind usual)
{
    for (const char *p = list;; p++) {
        const char *end = p + strcspn(p, ","), *colon = memchr(p, ':', (size_t)(end - p));
        enum gws_number_kind kind = usual;
        size_t length = (size_t)((colon ? colon : end) - p);
        if (length == 0 || (colon && !gws__kind_named(colon + 1, (size_t)(end - colon - 1), &kind)))
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
            if (found[axis] || !gws__scan_is_word(field->name, names[axis], sizeof "x")) continue;
            field->role = axis;
            found[axis] = true;
        }
    }
    return found[0] && found[1] && found[2];
}

/* True if a column before this one, or a later field as it is, has the name. */
static bool is_taken(const struct gws__schema *schema, uint32_t self, const char *name)
{
    for (uint32_t i = 0; i < schema->fields; i++) {
        const struct gws__field *field = &schema->field[i];
        if (i != self && field->role >= GWS__ROLE_COLUMN && strcmp(field->name, name) == 0) return true;
    }
    return false;
}

/* Puts a number behind names that are there twice: the field's own unless that is taken, too. */
static void number_columns(struct gws__schema *schema)
{
    schema->columns = 0;
    for (uint32_t i = 0; i < schema->fields; i++) {
        struct gws__field *field = &schema->field[i];
        if (field->role < GWS__ROLE_COLUMN) continue;
        field->role = (int32_t)(GWS__ROLE_COLUMN + schema->columns++);
        char name[GWS_POINTS_NAME + 16];
        memcpy(name, field->name, sizeof field->name);
        for (uint32_t n = i + 1; is_taken(schema, i, name); n++)
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

gws_status gws__schema_settle(struct gws__schema *schema)
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

void *gws__schema_place(const struct gws__schema *schema, uint32_t field, const struct gws_points *points,
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
