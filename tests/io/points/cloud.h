/* SPDX-License-Identifier: MIT */
/* Points as one line of text, and functions that read points in every way. Include after harness.h. */
#ifndef GWS_TESTS_IO_CLOUD_H
#define GWS_TESTS_IO_CLOUD_H

#include "../../../io/points/reader.h"
#include "../../../lib/parallel.h"
#include "../input_of.h"

enum { CLOUD_TEXT = 8192 };

static inline int cloud_number(char *text, size_t capacity, const void *data, enum gws_number_kind kind, uint64_t i)
{
    switch (kind) {
    case GWS_NUMBER_I8:
        return snprintf(text, capacity, " %d", ((const int8_t *)data)[i]);
    case GWS_NUMBER_U8:
        return snprintf(text, capacity, " %d", ((const uint8_t *)data)[i]);
    case GWS_NUMBER_I16:
        return snprintf(text, capacity, " %d", ((const int16_t *)data)[i]);
    case GWS_NUMBER_U16:
        return snprintf(text, capacity, " %d", ((const uint16_t *)data)[i]);
    case GWS_NUMBER_I32:
        return snprintf(text, capacity, " %d", ((const int32_t *)data)[i]);
    case GWS_NUMBER_U32:
        return snprintf(text, capacity, " %u", ((const uint32_t *)data)[i]);
    case GWS_NUMBER_I64:
        return snprintf(text, capacity, " %lld", (long long)((const int64_t *)data)[i]);
    case GWS_NUMBER_U64:
        return snprintf(text, capacity, " %llu", (unsigned long long)((const uint64_t *)data)[i]);
    case GWS_NUMBER_F32:
        return snprintf(text, capacity, " %.9g", (double)((const float *)data)[i]);
    case GWS_NUMBER_F64:
        return snprintf(text, capacity, " %.17g", ((const double *)data)[i]);
    }
    return 0;
}

/* Writes "f" or "d", then " NAME:KIND" for each column, then "; X Y Z ..." for each point. */
static inline void cloud_describe(const struct gws_points *points, char *text)
{
    static const char *const kinds[] = {"i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f32", "f64"};
    enum gws_number_kind axis = points->is_double ? GWS_NUMBER_F64 : GWS_NUMBER_F32;
    int at = snprintf(text, CLOUD_TEXT, "%s", points->is_double ? "d" : "f");
    for (uint32_t c = 0; c < points->columns; c++)
        at += snprintf(text + at, CLOUD_TEXT - (size_t)at, " %s:%s", points->column[c].name,
                       kinds[points->column[c].kind]);
    for (uint64_t i = 0; i < points->count && at < CLOUD_TEXT - 400; i++) {
        at += snprintf(text + at, CLOUD_TEXT - (size_t)at, ";");
        at += cloud_number(text + at, CLOUD_TEXT - (size_t)at, points->x, axis, i);
        at += cloud_number(text + at, CLOUD_TEXT - (size_t)at, points->y, axis, i);
        at += cloud_number(text + at, CLOUD_TEXT - (size_t)at, points->z, axis, i);
        for (uint32_t c = 0; c < points->columns; c++)
            at += cloud_number(text + at, CLOUD_TEXT - (size_t)at, points->column[c].data, points->column[c].kind, i);
    }
}

struct cloud_result {
    gws_status status;
    struct gws_diagnostic where;
    char text[CLOUD_TEXT];
};

static inline struct cloud_result cloud_read_input(struct gws_runtime *runtime, const char *name, const void *bytes,
                                                   size_t size, const struct gws_points_read_options *options,
                                                   bool stream, uint64_t chunk)
{
    struct cloud_result result = {.text = "none"};
    struct gws_points points = {0};
    struct gws__input input;
    result.status = gws_input_of(&input, runtime, bytes, size, name, stream, &result.where);
    if (chunk > 0) input.chunk_size = chunk;
    if (result.status == GWS_OK) result.status = gws__points_read_input(&input, options, &points);
    gws__input_close(&input);
    ck_assert_int_eq(points.owner != NULL, result.status == GWS_OK);
    if (result.status == GWS_OK) cloud_describe(&points, result.text);
    gws_points_clear(&points);
    return result;
}

/* Reads bytes as a file and as a stream, whole and in chunks of about a line. All results must agree. */
static inline struct cloud_result cloud_read(const char *name, const void *bytes, size_t size,
                                             const struct gws_points_read_options *options)
{
    struct gws_options threads = {.threads = 2};
    struct gws_runtime *runtime = NULL;
    ck_assert_int_eq(gws_runtime_open(&threads, &runtime), GWS_OK);
    struct cloud_result first = cloud_read_input(runtime, name, bytes, size, options, false, 0);
    for (int mode = 1; mode < 4; mode++) {
        struct cloud_result again = cloud_read_input(runtime, name, bytes, size, options, mode & 1, mode & 2 ? 16 : 0);
        /* A stream cannot have columns that are stored one after the other. A stream detects a truncated row only at
         * the position of the row. */
        if (again.status == GWS_UNSUPPORTED && first.status == GWS_OK) continue;
        ck_assert_msg(again.status == first.status, "%s, way %d: %s, not %s", name, mode, again.where.message,
                      first.where.message);
        ck_assert_str_eq(again.text, first.text);
        ck_assert_str_eq(again.where.message, first.where.message);
        ck_assert_uint_eq(again.where.line, first.where.line);
        ck_assert_uint_eq(again.where.column, first.where.column);
    }
    struct gws_points points = {0};
    struct gws_diagnostic where = {0};
    gws_status status = gws_points_read(runtime, gws_test_file(name, bytes, size), options, &points, &where);
    ck_assert_msg(status == first.status, "%s from a file: %s", name, where.message);
    gws_points_clear(&points);
    gws_runtime_close(runtime);
    return first;
}

#endif
