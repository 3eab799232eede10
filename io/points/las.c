/* SPDX-License-Identifier: MIT */
/* LAS 1.0 to 1.4 (ASPRS, "LAS Specification 1.4 - R15", 2019), little-endian. The head has the offset of the points
 * and the length of a record. Records begin with the fields of their point format. The reader skips the other bytes of
 * a record. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "reader.h"

enum {
    head_bytes = 227,
    head_bytes_14 = 375,
    variable_bytes = 54, /* smallest sizes of a variable record and of an extended record */
    extended_bytes = 60,
    formats = 11,
    compressed = 0xc0
};

/* One field of point records. */
struct las_field {
    const char *name;
    uint32_t offset;
    enum gws_number_kind kind;
};

static const struct las_field short_fields[] = {
    {"intensity", 12, GWS_NUMBER_U16}, {"return_flags", 14, GWS_NUMBER_U8}, {"classification", 15, GWS_NUMBER_U8},
    {"scan_angle", 16, GWS_NUMBER_I8}, {"user_data", 17, GWS_NUMBER_U8},    {"point_source", 18, GWS_NUMBER_U16},
    {NULL, 0, GWS_NUMBER_U8}};

static const struct las_field long_fields[] = {
    {"intensity", 12, GWS_NUMBER_U16},    {"return_flags", 14, GWS_NUMBER_U8},
    {"class_flags", 15, GWS_NUMBER_U8},   {"classification", 16, GWS_NUMBER_U8},
    {"user_data", 17, GWS_NUMBER_U8},     {"scan_angle", 18, GWS_NUMBER_I16},
    {"point_source", 20, GWS_NUMBER_U16}, {NULL, 0, GWS_NUMBER_U8}};

/* The fields of each point format: the fields above, and the following fields at the given byte (0: missing). */
static const struct {
    uint32_t bytes; /* smallest size of a record */
    bool extended;  /* true: the format has long_fields; false: short_fields */
    uint32_t time, colour, infrared;
} layout[formats] = {
    {20, false, 0, 0, 0},   {28, false, 20, 0, 0},  {26, false, 0, 20, 0},  {34, false, 20, 28, 0},
    {57, false, 20, 0, 0},  {63, false, 20, 28, 0}, {30, true, 22, 0, 0},   {36, true, 22, 30, 0},
    {38, true, 22, 30, 36}, {59, true, 22, 0, 0},   {67, true, 22, 30, 36},
};

static uint64_t number_at(const struct gws__header *header, unsigned at, unsigned bytes)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; i++) value |= (uint64_t)(unsigned char)header->text[at + i] << (8 * i);
    return value;
}

static double double_at(const struct gws__header *header, unsigned at)
{
    uint64_t bits = number_at(header, at, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static gws_status fail(const struct gws__points_reading *reading, gws_status status, const char *what, uint64_t value)
{
    return gws__input_fail(reading->input, status, 0, 0, "%s %" PRIu64, what, value);
}

/* Checks that the head, the variable records and the points come in this order. */
static gws_status check_offsets(const struct gws__points_reading *reading, uint64_t min_bytes)
{
    const struct gws__header *header = &reading->header;
    uint64_t head = number_at(header, 94, 2), points = number_at(header, 96, 4), records = number_at(header, 100, 4);
    if (head < min_bytes) return fail(reading, GWS_CORRUPT, "the head is too short: bytes", head);
    if (points < head) return fail(reading, GWS_CORRUPT, "points begin within the head, at byte", points);
    if (records > (points - head) / variable_bytes)
        return fail(reading, GWS_CORRUPT, "more variable records than fit before the points:", records);
    return GWS_OK;
}

static gws_status check_head(const struct gws__points_reading *reading)
{
    const struct gws__header *header = &reading->header;
    uint64_t size = (uint64_t)(header->end - header->text);
    if (size < 4 || memcmp(header->text, "LASF", 4) != 0)
        return gws__input_fail(header->input, GWS_UNKNOWN_FORMAT, 0, 0, "not a LAS file: wrong magic bytes");
    if (size < head_bytes) return fail(reading, GWS_TRUNCATED, "the head ends at byte", size);
    uint64_t major = number_at(header, 24, 1), minor = number_at(header, 25, 1);
    if (major != 1 || minor > 4)
        return gws__input_fail(header->input, GWS_UNSUPPORTED, 0, 0,
                               "LAS version %" PRIu64 ".%" PRIu64 "; only 1.0 to 1.4 are supported", major, minor);
    if (minor == 4 && size < head_bytes_14) return fail(reading, GWS_TRUNCATED, "the head ends at byte", size);
    uint64_t format = number_at(header, 104, 1), record = number_at(header, 105, 2);
    if (format & compressed)
        return gws__input_fail(header->input, GWS_UNSUPPORTED, 0, 0, "compressed LAS (LAZ): laszip can decompress it");
    if (format >= formats) return fail(reading, GWS_UNSUPPORTED, "LAS point format", format);
    if (record < layout[format].bytes) return fail(reading, GWS_CORRUPT, "point records are too short: bytes", record);
    return check_offsets(reading, minor == 4 ? head_bytes_14 : head_bytes);
}

static gws_status add(struct gws__points_reading *reading, const char *name, uint64_t offset, enum gws_number_kind kind)
{
    gws_status status = gws__header_field(&reading->header, &reading->schema, name, strlen(name), kind);
    if (status == GWS_OK) reading->schema.field[reading->schema.fields - 1].offset = offset;
    return status;
}

static gws_status describe(struct gws__points_reading *reading)
{
    static const char *const axes[] = {"x", "y", "z"}, *const colours[] = {"red", "green", "blue"};
    uint64_t format = number_at(&reading->header, 104, 1);
    const struct las_field *field = layout[format].extended ? long_fields : short_fields;
    gws_status status = GWS_OK;
    for (unsigned i = 0; i < 3 && status == GWS_OK; i++) status = add(reading, axes[i], 4 * i, GWS_NUMBER_I32);
    for (; field->name && status == GWS_OK; field++) status = add(reading, field->name, field->offset, field->kind);
    if (status == GWS_OK && layout[format].time) status = add(reading, "gps_time", layout[format].time, GWS_NUMBER_F64);
    for (unsigned i = 0; i < 3 && layout[format].colour && status == GWS_OK; i++)
        status = add(reading, colours[i], layout[format].colour + 2 * i, GWS_NUMBER_U16);
    if (status == GWS_OK && layout[format].infrared)
        status = add(reading, "near_infrared", layout[format].infrared, GWS_NUMBER_U16);
    return status;
}

static gws_status read_scale(struct gws__points_reading *reading)
{
    struct gws__schema *schema = &reading->schema;
    schema->stride = number_at(&reading->header, 105, 2);
    schema->scaled = true;
    for (unsigned i = 0; i < 3; i++) {
        schema->scale[i] = double_at(&reading->header, 131 + 8 * i);
        schema->shift[i] = double_at(&reading->header, 155 + 8 * i);
        if (!isfinite(schema->scale[i]) || !isfinite(schema->shift[i]))
            return fail(reading, GWS_CORRUPT, "a scale or an offset is not finite: axis", i);
    }
    return GWS_OK;
}

/* Finds the number of points. Before 1.4 the count has 32 bits. Files of 1.4 have two counts, and either may be 0. */
static gws_status find_count(const struct gws__points_reading *reading, uint64_t *count)
{
    const struct gws__header *header = &reading->header;
    *count = number_at(header, 107, 4);
    if (number_at(header, 25, 1) < 4) return GWS_OK;
    uint64_t legacy = *count, full = number_at(header, 247, 8);
    if (full > 0) *count = full;
    if (full == 0 || legacy == 0 || full == legacy) return GWS_OK;
    return gws__input_fail(header->input, GWS_CORRUPT, 0, 0,
                           "%" PRIu64 " points declared, but the 32-bit count is %" PRIu64, full, legacy);
}

/* Finds the number of bytes from the points' end to the end of the extended variable records, which follow the points
 * in LAS 1.4. */
static gws_status find_extended(const struct gws__points_reading *reading, struct gws__binary_rows *binary)
{
    const struct gws__header *header = &reading->header;
    if (number_at(header, 25, 1) < 4) return GWS_OK;
    uint64_t begin = number_at(header, 235, 8), count = number_at(header, 243, 4), end = 0;
    if (count == 0) return GWS_OK;
    if (__builtin_mul_overflow(binary->count.rows, reading->schema.stride, &end) ||
        __builtin_add_overflow(end, binary->skip, &end))
        return GWS_OK; /* no file has so many points, so the reader of the rows reports the error */
    bool good = begin >= end && !__builtin_add_overflow(begin - end, count * extended_bytes, &binary->trailing);
    return good ? GWS_OK : fail(reading, GWS_CORRUPT, "records begin within the points, at byte", begin);
}

gws_status gws__points_read_las(struct gws__points_reading *reading, struct gws_points *points)
{
    gws_status status = check_head(reading);
    if (status == GWS_OK) status = describe(reading);
    if (status == GWS_OK) status = read_scale(reading);
    struct gws__binary_rows binary = {.count.declared = true};
    if (status == GWS_OK) status = find_count(reading, &binary.count.rows);
    if (status != GWS_OK) return status;
    binary.skip = number_at(&reading->header, 96, 4);
    status = find_extended(reading, &binary);
    if (status != GWS_OK) return status;
    return gws__binary_rows_read(&reading->schema, &binary, points);
}
