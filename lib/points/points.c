/* SPDX-License-Identifier: MIT */
/* Creating and freeing point sets. The owner and the column descriptions are one allocation. Each array is a separate
 * allocation, because large allocations get huge pages. */
#include <string.h>

#include "../base/memory.h"
#include "../parallel.h"
#include "../points.h"

struct gws__points_owner {
    struct gws_allocator allocator; /* a copy: sets outlive their runtime */
    bool arrays;                    /* the set owns x, y, z and the columns' data */
    void (*release)(void *context); /* called last; may be NULL */
    void *context;
    uint64_t count;   /* allocated count; like the next two members, independent of the public struct */
    uint32_t columns; /* number of allocated columns */
    bool is_double;
    struct gws_points_column column[];
};

uint32_t gws_number_bytes(enum gws_number_kind kind)
{
    static const uint8_t bytes[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
    return (unsigned)kind < sizeof bytes ? bytes[kind] : 0;
}

static uint64_t coordinate_bytes(bool is_double)
{
    return is_double ? sizeof(double) : sizeof(float);
}

static uint64_t owner_bytes(uint32_t columns)
{
    return sizeof(struct gws__points_owner) + columns * (uint64_t)sizeof(struct gws_points_column);
}

/* Returns whether a column may have this name. "-" and "_" are invalid, because readers skip columns with these
 * names. */
static bool good_name(const char name[GWS_POINTS_NAME])
{
    const char *end = memchr(name, 0, GWS_POINTS_NAME);
    for (const char *at = name; end && at < end; at++)
        if (*at <= ' ' || *at > '~' || strchr("\"',;\\<>&", *at)) return false;
    return end && end > name && strcmp(name, "-") != 0 && strcmp(name, "_") != 0;
}

gws_status gws_points_check_columns(uint32_t columns, const struct gws_points_column *column)
{
    if (columns > GWS_POINTS_COLUMNS) return GWS_INVALID;
    for (uint32_t i = 0; i < columns; i++) {
        if (!good_name(column[i].name) || gws_number_bytes(column[i].kind) == 0) return GWS_INVALID;
        for (uint32_t j = 0; j < i; j++)
            if (strcmp(column[i].name, column[j].name) == 0) return GWS_INVALID;
    }
    return GWS_OK;
}

/* Makes an owner of columns without data, and prepares *points for it. */
static gws_status new_owner(const struct gws_allocator *allocator, uint32_t columns,
                            const struct gws_points_column *column, struct gws__points_owner **owner)
{
    if (gws_points_check_columns(columns, column) != GWS_OK) return GWS_INVALID;
    struct gws__points_owner *made = gws__memory_zero(allocator, owner_bytes(columns), 1);
    if (!made) return GWS_NO_MEMORY;
    made->allocator = *allocator;
    made->columns = columns;
    for (uint32_t i = 0; i < columns; i++) {
        memcpy(made->column[i].name, column[i].name, GWS_POINTS_NAME);
        made->column[i].kind = column[i].kind;
    }
    *owner = made;
    return GWS_OK;
}

void gws_points_clear(struct gws_points *points)
{
    if (!points || !points->owner) return;
    struct gws__points_owner *owner = points->owner;
    struct gws_allocator allocator = owner->allocator;
    void *axis[] = {points->x, points->y, points->z};
    for (int i = 0; owner->arrays && i < 3; i++)
        gws__memory_free(&allocator, axis[i], owner->count, coordinate_bytes(owner->is_double));
    for (uint32_t i = 0; owner->arrays && i < owner->columns; i++)
        gws__memory_free(&allocator, owner->column[i].data, owner->count, gws_number_bytes(owner->column[i].kind));
    if (owner->release) owner->release(owner->context);
    gws__memory_free(&allocator, owner, owner_bytes(owner->columns), 1);
    *points = (struct gws_points){0};
}

gws_status gws_points_make(struct gws_runtime *runtime, uint64_t count, bool is_double, uint32_t columns,
                           const struct gws_points_column *column, struct gws_points *points)
{
    struct gws__points_owner *owner = NULL;
    if (count > PTRDIFF_MAX / sizeof(double)) return GWS_TOO_LARGE;
    gws_status status = new_owner(gws_runtime_allocator(runtime), columns, column, &owner);
    if (status != GWS_OK) return status;
    owner->arrays = true;
    owner->count = count;
    owner->is_double = is_double;
    struct gws_points made = {
        .count = count, .is_double = is_double, .columns = columns, .column = owner->column, .owner = owner};
    made.x = gws__memory_new(&owner->allocator, count, coordinate_bytes(is_double));
    made.y = gws__memory_new(&owner->allocator, count, coordinate_bytes(is_double));
    made.z = gws__memory_new(&owner->allocator, count, coordinate_bytes(is_double));
    bool whole = made.x && made.y && made.z; /* on failure the owner frees the arrays that exist */
    for (uint32_t i = 0; whole && i < columns; i++) {
        owner->column[i].data = gws__memory_new(&owner->allocator, count, gws_number_bytes(owner->column[i].kind));
        whole = owner->column[i].data != NULL;
    }
    if (whole)
        *points = made;
    else
        gws_points_clear(&made);
    return whole ? GWS_OK : GWS_NO_MEMORY;
}

gws_status gws_points_wrap(struct gws_runtime *runtime, const struct gws_points *view, void (*release)(void *context),
                           void *context, struct gws_points *points)
{
    struct gws__points_owner *owner = NULL;
    gws_status status = new_owner(gws_runtime_allocator(runtime), view->columns, view->column, &owner);
    if (status != GWS_OK) return status;
    for (uint32_t i = 0; i < view->columns; i++) owner->column[i].data = view->column[i].data;
    owner->release = release;
    owner->context = context;
    struct gws_points made = *view;
    made.column = owner->column;
    made.owner = owner;
    *points = made;
    return GWS_OK;
}

const struct gws_points_column *gws_points_find(const struct gws_points *points, const char *name)
{
    for (uint32_t i = 0; i < points->columns; i++)
        if (strcmp(points->column[i].name, name) == 0) return &points->column[i];
    return NULL;
}

double gws_points_number(const struct gws_points_column *column, uint64_t i)
{
    switch (column->kind) {
    case GWS_NUMBER_I8:
        return ((const int8_t *)column->data)[i];
    case GWS_NUMBER_U8:
        return ((const uint8_t *)column->data)[i];
    case GWS_NUMBER_I16:
        return ((const int16_t *)column->data)[i];
    case GWS_NUMBER_U16:
        return ((const uint16_t *)column->data)[i];
    case GWS_NUMBER_I32:
        return ((const int32_t *)column->data)[i];
    case GWS_NUMBER_U32:
        return ((const uint32_t *)column->data)[i];
    case GWS_NUMBER_I64:
        return (double)((const int64_t *)column->data)[i];
    case GWS_NUMBER_U64:
        return (double)((const uint64_t *)column->data)[i];
    case GWS_NUMBER_F32:
        return (double)((const float *)column->data)[i];
    case GWS_NUMBER_F64:
        return ((const double *)column->data)[i];
    }
    return 0;
}

/* ---- precision ---- */

struct coordinate_conversion {
    const struct gws_points *from;
    struct gws_points *to;
};

static void convert_axis(const struct gws_points *from, const void *old, void *new, uint64_t begin, uint64_t end)
{
    if (from->is_double)
        for (uint64_t i = begin; i < end; i++) ((float *)new)[i] = (float)((const double *)old)[i];
    else
        for (uint64_t i = begin; i < end; i++) ((double *)new)[i] = ((const float *)old)[i];
}

static void convert_range(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct coordinate_conversion *conversion = context;
    (void)worker;
    convert_axis(conversion->from, conversion->from->x, conversion->to->x, begin, end);
    convert_axis(conversion->from, conversion->from->y, conversion->to->y, begin, end);
    convert_axis(conversion->from, conversion->from->z, conversion->to->z, begin, end);
}

/* Converts the coordinates and copies the columns unchanged. The columns need a copy because the old set may be a
 * mapping, which the conversion releases. */
static gws_status points_convert(struct gws_runtime *runtime, struct gws_points *points, bool is_double)
{
    struct gws_points made = {0};
    if (points->is_double == is_double) return GWS_OK;
    gws_status status = gws_points_make(runtime, points->count, is_double, points->columns, points->column, &made);
    if (status != GWS_OK) return status;
    struct coordinate_conversion conversion = {.from = points, .to = &made};
    status = gws_parallel_try_for(runtime, points->count, 1 << 14, convert_range, &conversion);
    if (status != GWS_OK) {
        gws_points_clear(&made);
        return status;
    }
    for (uint32_t i = 0; i < points->columns && points->count > 0; i++)
        memcpy(made.column[i].data, points->column[i].data, points->count * gws_number_bytes(points->column[i].kind));
    gws_points_clear(points);
    *points = made;
    return GWS_OK;
}

gws_status gws_points_convert(struct gws_runtime *runtime, struct gws_points *points, bool is_double)
{
    return GWS_CALL(runtime, NULL, points_convert(runtime, points, is_double));
}
