/* SPDX-License-Identifier: MIT */
/* LAS 1.0 to 1.4 (ASPRS, "LAS Specification 1.4 - R15", 2019), little-endian. The head has the offset of the points
 * and the length of a record. Records begin with the fields of their point format. Extra bytes follow. The reader skips
 * those that no record describes within the input's first GWS__HEADER_BYTES bytes. laz.c reads the points of LAZ files,
 * whose heads only differ in the bits GWS__LAS_COMPRESSED. */
#include "las.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { extended_bytes = 60 }; /* the smallest size of an extended record */

static double double_at(const struct gws__header *header, unsigned at)
{
    uint64_t bits = gws__las_number(header, at, 8);
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
    uint64_t head = gws__las_number(header, 94, 2), points = gws__las_number(header, 96, 4),
             records = gws__las_number(header, 100, 4);
    if (head < min_bytes) return fail(reading, GWS_CORRUPT, "the head is too short: bytes", head);
    if (points < head) return fail(reading, GWS_CORRUPT, "points begin within the head, at byte", points);
    if (records > (points - head) / GWS__LAS_RECORD)
        return fail(reading, GWS_CORRUPT, "more variable records than fit before the points:", records);
    return GWS_OK;
}

static gws_status check_head(const struct gws__points_reading *reading)
{
    const struct gws__header *header = &reading->header;
    uint64_t size = (uint64_t)(header->end - header->text);
    if (size < 4 || memcmp(header->text, "LASF", 4) != 0)
        return gws__input_fail(header->input, GWS_UNKNOWN_FORMAT, 0, 0, "not a LAS file: wrong magic bytes");
    if (size < GWS__LAS_HEAD) return fail(reading, GWS_TRUNCATED, "the head ends at byte", size);
    uint64_t major = gws__las_number(header, 24, 1), minor = gws__las_number(header, 25, 1);
    if (major != 1 || minor > 4)
        return gws__input_fail(header->input, GWS_UNSUPPORTED, 0, 0,
                               "LAS version %" PRIu64 ".%" PRIu64 "; only 1.0 to 1.4 are supported", major, minor);
    if (minor == 4 && size < GWS__LAS_HEAD_14) return fail(reading, GWS_TRUNCATED, "the head ends at byte", size);
    uint64_t format = gws__las_format(header), record = gws__las_number(header, 105, 2);
    if (format >= GWS__LAS_FORMATS) return fail(reading, GWS_UNSUPPORTED, "LAS point format", format);
    if (record < gws__las_bytes((uint32_t)format))
        return fail(reading, GWS_CORRUPT, "point records are too short: bytes", record);
    return check_offsets(reading, minor == 4 ? GWS__LAS_HEAD_14 : GWS__LAS_HEAD);
}

static gws_status add(struct gws__points_reading *reading, const char *name, uint64_t offset, enum gws_number_kind kind)
{
    gws_status status = gws__header_field(&reading->header, &reading->schema, name, strlen(name), kind);
    if (status == GWS_OK) reading->schema.field[reading->schema.fields - 1].offset = offset;
    return status;
}

static gws_status describe(struct gws__points_reading *reading)
{
    static const char *const axes[] = {"x", "y", "z"};
    struct gws__las_field field[GWS__LAS_FIELDS];
    uint32_t format = gws__las_format(&reading->header), fields = gws__las_fields(format, field);
    gws_status status = GWS_OK;
    for (unsigned i = 0; i < 3 && status == GWS_OK; i++) status = add(reading, axes[i], 4 * i, GWS_NUMBER_I32);
    for (uint32_t i = 0; i < fields && status == GWS_OK; i++)
        status = add(reading, field[i].name, field[i].offset, field[i].kind);
    if (status != GWS_OK) return status;
    return gws__las_extra_fields(reading, gws__las_bytes(format), gws__las_number(&reading->header, 105, 2));
}

static gws_status read_scale(struct gws__points_reading *reading)
{
    struct gws__schema *schema = &reading->schema;
    schema->stride = gws__las_number(&reading->header, 105, 2);
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
    *count = gws__las_number(header, 107, 4);
    if (gws__las_number(header, 25, 1) < 4) return GWS_OK;
    uint64_t legacy = *count, full = gws__las_number(header, 247, 8);
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
    if (gws__las_number(header, 25, 1) < 4) return GWS_OK;
    uint64_t begin = gws__las_number(header, 235, 8), count = gws__las_number(header, 243, 4), end = 0;
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
    if (gws__las_is_compressed(&reading->header)) return gws__laz_read(reading, binary.count.rows, points);
    binary.skip = gws__las_number(&reading->header, 96, 4);
    status = find_extended(reading, &binary);
    if (status != GWS_OK) return status;
    return gws__binary_rows_read(&reading->schema, &binary, points);
}
