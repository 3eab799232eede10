/* SPDX-License-Identifier: MIT */
/* The fields of LAS's point formats, and extra bytes (LAS 1.4, tables 7 to 17 and 24, 25). */
#include "las.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const struct gws__las_field short_fields[] = {
    {"intensity", 12, GWS_NUMBER_U16}, {"return_flags", 14, GWS_NUMBER_U8}, {"classification", 15, GWS_NUMBER_U8},
    {"scan_angle", 16, GWS_NUMBER_I8}, {"user_data", 17, GWS_NUMBER_U8},    {"point_source", 18, GWS_NUMBER_U16}};

static const struct gws__las_field long_fields[] = {
    {"intensity", 12, GWS_NUMBER_U16},     {"return_flags", 14, GWS_NUMBER_U8}, {"class_flags", 15, GWS_NUMBER_U8},
    {"classification", 16, GWS_NUMBER_U8}, {"user_data", 17, GWS_NUMBER_U8},    {"scan_angle", 18, GWS_NUMBER_I16},
    {"point_source", 20, GWS_NUMBER_U16}};

/* The fields of each point format: the fields above, and the following fields at the given byte (0: missing). */
static const struct {
    uint32_t bytes; /* smallest size of a record */
    bool extended;  /* true: the format has long_fields; false: short_fields */
    uint32_t time, colour, infrared;
} layout[GWS__LAS_FORMATS] = {
    {20, false, 0, 0, 0},   {28, false, 20, 0, 0},  {26, false, 0, 20, 0},  {34, false, 20, 28, 0},
    {57, false, 20, 0, 0},  {63, false, 20, 28, 0}, {30, true, 22, 0, 0},   {36, true, 22, 30, 0},
    {38, true, 22, 30, 36}, {59, true, 22, 0, 0},   {67, true, 22, 30, 36},
};

uint32_t gws__las_bytes(uint32_t format)
{
    return layout[format].bytes;
}

uint32_t gws__las_fields(uint32_t format, struct gws__las_field field[GWS__LAS_FIELDS])
{
    static const char *const colours[] = {"red", "green", "blue"};
    bool extended = layout[format].extended;
    uint32_t count = extended ? sizeof long_fields / sizeof *long_fields : sizeof short_fields / sizeof *short_fields;
    memcpy(field, extended ? long_fields : short_fields, count * sizeof *field);
    if (layout[format].time) field[count++] = (struct gws__las_field){"gps_time", layout[format].time, GWS_NUMBER_F64};
    for (uint32_t i = 0; i < 3 && layout[format].colour; i++)
        field[count++] = (struct gws__las_field){colours[i], layout[format].colour + 2 * i, GWS_NUMBER_U16};
    if (layout[format].infrared)
        field[count++] = (struct gws__las_field){"near_infrared", layout[format].infrared, GWS_NUMBER_U16};
    return count;
}

uint64_t gws__las_number(const struct gws__header *header, uint64_t at, unsigned bytes)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; i++) value |= (uint64_t)(unsigned char)header->text[at + i] << (8 * i);
    return value;
}

/* ---- extra bytes ---- */

/* The kinds by code - 1. */
static const enum gws_number_kind extra_kinds[] = {GWS_NUMBER_U8,  GWS_NUMBER_I8,  GWS_NUMBER_U16, GWS_NUMBER_I16,
                                                   GWS_NUMBER_U32, GWS_NUMBER_I32, GWS_NUMBER_U64, GWS_NUMBER_I64,
                                                   GWS_NUMBER_F32, GWS_NUMBER_F64};
enum { kinds = sizeof extra_kinds / sizeof *extra_kinds, max_code = 3 * kinds };

uint32_t gws__las_extra_code(enum gws_number_kind kind)
{
    uint32_t code = 1;
    while (extra_kinds[code - 1] != kind) code++;
    return code;
}

/* The next extra byte of a point record, and the record's length. */
struct extra {
    uint64_t at, end;
};

static gws_status too_many(const struct gws__points_reading *reading, uint64_t bytes)
{
    return gws__input_fail(reading->input, GWS_CORRUPT, 0, 0,
                           "more extra bytes described than in a point record: %" PRIu64, bytes);
}

/* Adds the fields of a descriptor. Codes 11 to 20 are pairs and 21 to 30 triples of numbers, and 0 means bytes of
 * unknown meaning. */
static gws_status add_extra(struct gws__points_reading *reading, uint64_t descriptor, struct extra *extra)
{
    const struct gws__header *header = &reading->header;
    const char *text = header->text + descriptor + 4, *end = memchr(text, 0, 32);
    uint32_t code = (uint32_t)gws__las_number(header, descriptor + 2, 1);
    uint64_t unknown = gws__las_number(header, descriptor + 3, 1);
    int length = (int)(end ? end - text : 32), numbers = code > 0 ? (int)(code - 1) / kinds + 1 : 0;
    if (code > max_code)
        return gws__input_fail(reading->input, GWS_UNSUPPORTED, 0, 0, "extra bytes of unknown type %" PRIu32, code);
    if (code == 0 && unknown > extra->end - extra->at) return too_many(reading, unknown);
    if (code == 0) extra->at += unknown;
    for (int i = 0; i < numbers; i++) {
        char name[64];
        enum gws_number_kind kind = extra_kinds[(code - 1) % kinds];
        if (gws_number_bytes(kind) > extra->end - extra->at) return too_many(reading, gws_number_bytes(kind));
        int written = numbers == 1 ? snprintf(name, sizeof name, "%.*s", length, text)
                                   : snprintf(name, sizeof name, "%.*s_%d", length, text, i);
        gws_status status = gws__header_field(header, &reading->schema, name, (size_t)written, kind);
        if (status != GWS_OK) return status;
        reading->schema.field[reading->schema.fields - 1].offset = extra->at;
        extra->at += gws_number_bytes(kind);
    }
    return GWS_OK;
}

uint64_t gws__las_record(const struct gws__header *header, const char *user, uint64_t number,
                         struct gws__las_records *records)
{
    uint64_t points = gws__las_number(header, 96, 4), known = (uint64_t)(header->end - header->text);
    if (points > known) points = known;
    if (records->at == 0) {
        records->at = gws__las_number(header, 94, 2);
        records->left = gws__las_number(header, 100, 4);
    }
    while (records->left > 0 && points >= records->at + GWS__LAS_RECORD) {
        uint64_t record = records->at, body = record + GWS__LAS_RECORD;
        records->bytes = gws__las_number(header, record + 20, 2);
        if (records->bytes > points - body) break;
        records->at = body + records->bytes;
        records->left--;
        if (strncmp(header->text + record + 2, user, 16) == 0 && gws__las_number(header, record + 18, 2) == number)
            return body;
    }
    return 0;
}

gws_status gws__las_extra_fields(struct gws__points_reading *reading, uint64_t from, uint64_t end)
{
    struct extra extra = {from, end};
    struct gws__las_records records = {0};
    uint64_t body = 1;
    gws_status status = GWS_OK;
    while (body > 0 && status == GWS_OK) {
        body = gws__las_record(&reading->header, "LASF_Spec", GWS__LAS_EXTRA_ID, &records);
        for (uint64_t i = 0; body > 0 && i + GWS__LAS_EXTRA <= records.bytes && status == GWS_OK; i += GWS__LAS_EXTRA)
            status = add_extra(reading, body + i, &extra);
    }
    return status;
}
