/* SPDX-License-Identifier: MIT */
/* Writes LAS 1.4. Columns with the name and kind of a field of the point format become this field. Other columns become
 * extra bytes, which a variable record describes. */
#include "las.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { max_extra = UINT16_MAX / GWS__LAS_EXTRA, returns = 15, name_bytes = 32 };

/* A column and its place in a point record. */
struct las_place {
    const struct gws_points_column *column;
    uint32_t offset;
    bool widens; /* a colour of 8 bits becomes one of 16 */
};

struct las {
    const struct gws__points_writing *writing;
    uint32_t format, record; /* the point format; bytes of a point record */
    struct las_place *place; /* an entry for each column */
    uint32_t extras;
    bool has_returns; /* a column has the return numbers */
    struct gws__las_scale scale;
    _Atomic uint64_t by_return[returns]; /* relaxed: read after the loops */
};

/* ---- the point format, and places of columns ---- */

static const struct gws_points_column *find(const struct las *las, const char *name, enum gws_number_kind kind)
{
    const struct gws_points_column *column = gws_points_find(las->writing->points, name);
    return column && column->kind == kind ? column : NULL;
}

static bool is_colour(const char *name)
{
    return strcmp(name, "red") == 0 || strcmp(name, "green") == 0 || strcmp(name, "blue") == 0;
}

static bool has_colour(const struct las *las, enum gws_number_kind kind)
{
    return find(las, "red", kind) && find(las, "green", kind) && find(las, "blue", kind);
}

/* Formats 0 to 3 have a scan angle of 8 bits. */
static uint32_t choose_format(const struct las *las)
{
    bool colour = has_colour(las, GWS_NUMBER_U16) || has_colour(las, GWS_NUMBER_U8);
    bool infrared = find(las, "near_infrared", GWS_NUMBER_U16), time = find(las, "gps_time", GWS_NUMBER_F64);
    bool old = find(las, "scan_angle", GWS_NUMBER_I8) && !infrared && !find(las, "class_flags", GWS_NUMBER_U8);
    if (old) return (colour ? 2 : 0) + (time ? 1 : 0);
    return infrared ? 8 : colour ? 7 : 6;
}

/* Returns the field of the point format that the column fills, or NULL. */
static const struct gws__las_field *field_of(const struct las *las, const struct gws_points_column *column,
                                             const struct gws__las_field *field, uint32_t fields)
{
    bool widens = is_colour(column->name) && column->kind == GWS_NUMBER_U8 && has_colour(las, GWS_NUMBER_U8);
    for (uint32_t f = 0; f < fields; f++)
        if (strcmp(field[f].name, column->name) == 0 && (field[f].kind == column->kind || widens)) return &field[f];
    return NULL;
}

static gws_status place_columns(struct las *las)
{
    const struct gws__points_writing *writing = las->writing;
    struct gws__las_field field[GWS__LAS_FIELDS];
    uint32_t fields = gws__las_fields(las->format, field);
    las->record = gws__las_bytes(las->format);
    for (uint32_t i = 3; i < writing->fields; i++) {
        const struct gws_points_column *column = &writing->field[i];
        const struct gws__las_field *own = field_of(las, column, field, fields);
        struct las_place *place = &las->place[i - 3];
        *place = (struct las_place){column, own ? own->offset : las->record, own && own->kind != column->kind};
        if (own && strcmp(own->name, "return_flags") == 0) las->has_returns = true;
        if (own) continue;
        if (strlen(column->name) > name_bytes)
            return gws_diagnostic_set(writing->where, GWS_UNSUPPORTED, writing->path, 0, 0,
                                      "LAS has no names of more than %d bytes such as \"%s\"", name_bytes,
                                      column->name);
        las->record += gws_number_bytes(column->kind);
        las->extras++;
    }
    if (las->extras <= max_extra) return GWS_OK;
    return gws_diagnostic_set(writing->where, GWS_UNSUPPORTED, writing->path, 0, 0,
                              "LAS has at most %d further columns", (int)max_extra);
}

/* ---- points ---- */

/* Stores a little-endian number. */
static void put(char *to, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++) to[i] = (char)(value >> (8 * i));
}

static void put_double(char *to, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put(to, bits, 8);
}

static void put_column(char *to, const struct las_place *place, uint64_t i)
{
    unsigned bytes = gws_number_bytes(place->column->kind);
    const char *from = (const char *)place->column->data + i * bytes;
    uint64_t value = 0;
    if (place->widens) {
        put(to, (unsigned char)*from * UINT64_C(257), 2);
        return;
    }
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    memcpy((char *)&value + 8 - bytes, from, bytes);
#else
    memcpy(&value, from, bytes);
#endif
    put(to, value, bytes);
}

static char *format_records(void *context, uint64_t begin, uint64_t end, char *text)
{
    struct las *las = context;
    const struct gws_points *points = las->writing->points;
    const void *axes[] = {points->x, points->y, points->z};
    for (uint64_t i = begin; i < end; i++, text += las->record) {
        memset(text, 0, las->record);
        for (int axis = 0; axis < 3; axis++)
            put(text + 4 * axis, (uint32_t)gws__las_whole(&las->scale, axis, gws_points_at(points, axes[axis], i)), 4);
        if (!las->has_returns) text[14] = las->format < 6 ? 011 : 0x11; /* return 1 of 1 */
        for (uint32_t c = 0; c + 3 < las->writing->fields; c++)
            put_column(text + las->place[c].offset, &las->place[c], i);
    }
    return text;
}

static void count_returns(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct las *las = context;
    const uint8_t *flags = find(las, "return_flags", GWS_NUMBER_U8)->data;
    uint64_t count[16] = {0};
    (void)worker;
    for (uint64_t i = begin; i < end; i++) count[flags[i] & (las->format < 6 ? 7 : 15)]++;
    for (int r = 0; r < returns; r++) atomic_fetch_add_explicit(&las->by_return[r], count[r + 1], memory_order_relaxed);
}

/* ---- head ---- */

static gws_status write_head(struct las *las)
{
    char head[GWS__LAS_HEAD_14] = "LASF";
    uint64_t count = las->writing->points->count, described = (uint64_t)las->extras * GWS__LAS_EXTRA;
    bool old = las->format < 6 && count <= UINT32_MAX; /* the numbers of older readers are set */
    put(head + 6, las->format < 6 ? 0 : 16, 2);        /* newer formats declare their coordinate system as text */
    put(head + 24, 1, 1), put(head + 25, 4, 1);
    memcpy(head + 26, "OTHER", 5);
    memcpy(head + 58, "graphws", 7);
    put(head + 94, sizeof head, 2);
    put(head + 96, sizeof head + (las->extras > 0 ? GWS__LAS_RECORD + described : 0), 4);
    put(head + 100, las->extras > 0, 4);
    put(head + 104, las->format, 1), put(head + 105, las->record, 2);
    put(head + 107, old ? count : 0, 4);
    put(head + 247, count, 8);
    for (int r = 0; r < returns; r++) {
        uint64_t of_return = atomic_load_explicit(&las->by_return[r], memory_order_relaxed);
        if (r < 5) put(head + 111 + 4 * r, old ? of_return : 0, 4);
        put(head + 255 + 8 * r, of_return, 8);
    }
    for (int axis = 0; axis < 3; axis++) {
        int32_t high = gws__las_whole(&las->scale, axis, las->scale.high[axis]);
        int32_t low = gws__las_whole(&las->scale, axis, las->scale.low[axis]);
        put_double(head + 131 + 8 * axis, las->scale.scale[axis]);
        put_double(head + 155 + 8 * axis, las->scale.shift[axis]);
        put_double(head + 179 + 16 * axis, gws__las_unscaled(&las->scale, axis, high));
        put_double(head + 187 + 16 * axis, gws__las_unscaled(&las->scale, axis, low));
    }
    return gws_output_write(las->writing->output, head, sizeof head);
}

/* Writes the variable record that describes the extra bytes. */
static gws_status write_extras(const struct las *las)
{
    char record[GWS__LAS_RECORD] = {0};
    memcpy(record + 2, "LASF_Spec", 9);
    put(record + 18, GWS__LAS_EXTRA_ID, 2);
    put(record + 20, (uint64_t)las->extras * GWS__LAS_EXTRA, 2);
    gws_status status = gws_output_write(las->writing->output, record, las->extras > 0 ? sizeof record : 0);
    for (uint32_t c = 0; c + 3 < las->writing->fields && status == GWS_OK; c++) {
        const struct gws_points_column *column = las->place[c].column;
        char descriptor[GWS__LAS_EXTRA] = {0};
        if (las->place[c].offset < gws__las_bytes(las->format)) continue;
        put(descriptor + 2, gws__las_extra_code(column->kind), 1);
        memcpy(descriptor + 4, column->name, strlen(column->name));
        status = gws_output_write(las->writing->output, descriptor, sizeof descriptor);
    }
    return status;
}

static gws_status write_las(struct las *las)
{
    struct gws_runtime *runtime = las->writing->runtime;
    uint64_t count = las->writing->points->count;
    gws_status status = place_columns(las);
    if (status == GWS_OK) status = gws__las_scale_choose(las->writing, &las->scale);
    if (status == GWS_OK && las->has_returns)
        status = gws_parallel_try_for(runtime, count, 1 << 16, count_returns, las);
    else
        atomic_store_explicit(&las->by_return[0], count, memory_order_relaxed);
    if (status == GWS_OK) status = write_head(las);
    if (status == GWS_OK) status = write_extras(las);
    if (status != GWS_OK) return status;
    struct gws__output_chunks chunks = {
        .count = count, .item_bytes = las->record, .format = format_records, .context = las};
    return gws__output_chunks(las->writing->output, &chunks);
}

gws_status gws__points_write_las(const struct gws__points_writing *writing)
{
    struct las las = {.writing = writing};
    las.format = choose_format(&las);
    las.place = gws_allocate(writing->runtime, writing->fields, sizeof *las.place);
    if (!las.place)
        return gws_diagnostic_set(writing->where, GWS_NO_MEMORY, writing->path, 0, 0, "out of memory while writing");
    gws_status status = write_las(&las);
    gws_release(writing->runtime, las.place, writing->fields, sizeof *las.place);
    return status;
}
