/* SPDX-License-Identifier: MIT */
#include "reader.h"

#include <string.h>

static inline uint16_t load_16(const unsigned char *p, bool swap)
{
    uint16_t bits;
    memcpy(&bits, p, sizeof bits);
    return swap ? __builtin_bswap16(bits) : bits;
}

static inline uint32_t load_32(const unsigned char *p, bool swap)
{
    uint32_t bits;
    memcpy(&bits, p, sizeof bits);
    return swap ? __builtin_bswap32(bits) : bits;
}

static inline uint64_t load_64(const unsigned char *p, bool swap)
{
    uint64_t bits;
    memcpy(&bits, p, sizeof bits);
    return swap ? __builtin_bswap64(bits) : bits;
}

/* ---- columns: copies of bytes without conversion ---- */

void gws__decode_column(const struct gws__strided *strided, void *data, uint64_t first)
{
    const unsigned char *p = strided->bytes;
    const uint64_t count = strided->count, stride = strided->stride;
    switch (gws_number_bytes(strided->kind)) {
    case 1:
        for (uint64_t i = 0; i < count; i++) ((uint8_t *)data)[first + i] = p[i * stride];
        break;
    case 2:
        for (uint64_t i = 0; i < count; i++) ((uint16_t *)data)[first + i] = load_16(p + i * stride, strided->swap);
        break;
    case 4:
        for (uint64_t i = 0; i < count; i++) ((uint32_t *)data)[first + i] = load_32(p + i * stride, strided->swap);
        break;
    default:
        for (uint64_t i = 0; i < count; i++) ((uint64_t *)data)[first + i] = load_64(p + i * stride, strided->swap);
        break;
    }
}

/* ---- coordinates ---- */

static inline double number_at(const unsigned char *p, enum gws_number_kind kind, bool swap)
{
    float single;
    double number;
    uint32_t bits32;
    uint64_t bits64;
    switch (kind) {
    case GWS_NUMBER_I8:
        return (int8_t)*p;
    case GWS_NUMBER_U8:
        return *p;
    case GWS_NUMBER_I16:
        return (int16_t)load_16(p, swap);
    case GWS_NUMBER_U16:
        return load_16(p, swap);
    case GWS_NUMBER_I32:
        return (int32_t)load_32(p, swap);
    case GWS_NUMBER_U32:
        return load_32(p, swap);
    case GWS_NUMBER_I64:
        return (double)(int64_t)load_64(p, swap);
    case GWS_NUMBER_U64:
        return (double)load_64(p, swap);
    case GWS_NUMBER_F32:
        bits32 = load_32(p, swap);
        memcpy(&single, &bits32, sizeof single);
        return single;
    case GWS_NUMBER_F64:
        bits64 = load_64(p, swap);
        memcpy(&number, &bits64, sizeof number);
        return number;
    }
    return 0;
}

void gws__decode_axis(const struct gws__strided *strided, const struct gws__schema *schema, int axis, void *data,
                      uint64_t first)
{
    const bool scaled = schema->scaled;
    const double scale = schema->scale[axis], shift = schema->shift[axis];
    enum gws_number_kind kind = schema->is_double ? GWS_NUMBER_F64 : GWS_NUMBER_F32;
    if (strided->kind == kind && !scaled) {
        gws__decode_column(strided, data, first);
        return;
    }
    for (uint64_t i = 0; i < strided->count; i++) {
        double value = number_at(strided->bytes + i * strided->stride, strided->kind, strided->swap);
        if (scaled) value = value * scale + shift;
        if (schema->is_double)
            ((double *)data)[first + i] = value;
        else
            ((float *)data)[first + i] = (float)value;
    }
}

/* ---- fields and rows ---- */

void gws__decode_field(const struct gws__schema *schema, uint32_t f, const struct gws__strided *strided,
                       const struct gws_points *points, uint64_t first)
{
    const struct gws__field *field = &schema->field[f];
    enum gws_number_kind kind;
    void *data = gws__schema_destination(schema, f, points, &kind);
    if (!data) return;
    struct gws__strided numbers = *strided;
    numbers.kind = field->kind;
    numbers.swap = schema->big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
    if (field->role < GWS__ROLE_COLUMN)
        gws__decode_axis(&numbers, schema, field->role, data, first);
    else
        gws__decode_column(&numbers, data, first);
}

void gws__decode_rows(const struct gws__schema *schema, const struct gws_points *points, const unsigned char *bytes,
                      uint64_t begin, uint64_t end)
{
    for (uint32_t f = 0; f < schema->fields; f++) {
        struct gws__strided strided = {
            .bytes = bytes + schema->field[f].offset, .stride = schema->stride, .count = end - begin};
        gws__decode_field(schema, f, &strided, points, begin);
    }
}
