/* SPDX-License-Identifier: MIT */
/* Writes points row by row, as text or as bytes: PLY, .npy, .csv and the like. All workers format rows.
 * gws_points_write() chooses the writer and passes the fields to the writer. */
#include <inttypes.h>
#include <string.h>

#include "../output/text.h"
#include "las.h"

static uint64_t row_bytes(const struct gws__points_writing *writing)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < writing->fields; i++) bytes += gws_number_bytes(writing->field[i].kind);
    return bytes;
}

/* ---- bytes ---- */

/* Copies the numbers of one field into the rows. */
static void format_field(const unsigned char *from, uint32_t bytes, uint64_t rows, uint64_t stride, unsigned char *to)
{
    for (uint64_t i = 0; i < rows; i++) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        for (uint32_t b = 0; b < bytes; b++) to[i * stride + b] = from[i * bytes + bytes - 1 - b];
#else
        switch (bytes) { /* a copy of constant size is one instruction */
        case 1:
            to[i * stride] = from[i];
            break;
        case 2:
            memcpy(to + i * stride, from + 2 * i, 2);
            break;
        case 4:
            memcpy(to + i * stride, from + 4 * i, 4);
            break;
        default:
            memcpy(to + i * stride, from + 8 * i, 8);
            break;
        }
#endif
    }
}

static char *format_bytes(void *context, uint64_t begin, uint64_t end, char *text)
{
    const struct gws__points_writing *writing = context;
    uint64_t stride = row_bytes(writing), at = 0;
    for (uint32_t i = 0; i < writing->fields; i++) {
        uint32_t bytes = gws_number_bytes(writing->field[i].kind);
        const unsigned char *from = (const unsigned char *)writing->field[i].data + begin * bytes;
        format_field(from, bytes, end - begin, stride, (unsigned char *)text + at);
        at += bytes;
    }
    return text + (end - begin) * stride;
}

gws_status gws__points_write_rows(const struct gws__points_writing *writing)
{
    struct gws__points_writing copy = *writing;
    struct gws__output_chunks chunks = {
        .count = writing->points->count, .item_bytes = row_bytes(writing), .format = format_bytes, .context = &copy};
    return gws__output_chunks(writing->output, &chunks);
}

/* ---- PLY ---- */

static gws_status write_ply(const struct gws__points_writing *writing)
{
    struct gws_output *output = writing->output;
    gws_status status = gws_output_print(output, "ply\nformat binary_little_endian 1.0\nelement vertex %" PRIu64 "\n",
                                         writing->points->count);
    for (uint32_t i = 0; i < writing->fields && status == GWS_OK; i++) {
        const struct gws_points_column *field = &writing->field[i];
        const char *type = gws__kind_name(field->kind, GWS__KIND_PLY);
        if (!type)
            return gws_diagnostic_set(writing->where, GWS_UNSUPPORTED, writing->path, 0, 0,
                                      "PLY has no 64-bit integers such as those of \"%s\"", field->name);
        status = gws_output_print(output, "property %s %s\n", type, field->name);
    }
    if (status == GWS_OK) status = gws_output_print(output, "end_header\n");
    return status == GWS_OK ? gws__points_write_rows(writing) : status;
}

/* ---- .npy ---- */

static void npy_field(const void *context, uint32_t i, const char **name, const char **type)
{
    static const char *const types[] = {"|i1", "|u1", "<i2", "<u2", "<i4", "<u4", "<i8", "<u8", "<f4", "<f8"};
    const struct gws_points_column *field = &((const struct gws__points_writing *)context)->field[i];
    *name = field->name;
    *type = types[field->kind];
}

static gws_status write_npy(const struct gws__points_writing *writing)
{
    gws_status status = gws__npy_head(writing->output, writing->points->count, writing->fields, npy_field, writing);
    if (status == GWS_TOO_LARGE)
        return gws_diagnostic_set(writing->where, status, writing->path, 0, 0, "too many columns for .npy");
    return status == GWS_OK ? gws__points_write_rows(writing) : status;
}

/* ---- text ---- */

struct text_rows {
    const struct gws__points_writing *writing;
    char separator;
};

char *gws__points_format_number(const struct gws_points_column *field, uint64_t row, char *text)
{
    switch (field->kind) {
    case GWS_NUMBER_I8:
        return gws__text_i32(text, ((const int8_t *)field->data)[row]);
    case GWS_NUMBER_U8:
        return gws__text_u32(text, ((const uint8_t *)field->data)[row]);
    case GWS_NUMBER_I16:
        return gws__text_i32(text, ((const int16_t *)field->data)[row]);
    case GWS_NUMBER_U16:
        return gws__text_u32(text, ((const uint16_t *)field->data)[row]);
    case GWS_NUMBER_I32:
        return gws__text_i32(text, ((const int32_t *)field->data)[row]);
    case GWS_NUMBER_U32:
        return gws__text_u32(text, ((const uint32_t *)field->data)[row]);
    case GWS_NUMBER_I64:
        return gws__text_i64(text, ((const int64_t *)field->data)[row]);
    case GWS_NUMBER_U64:
        return gws__text_u64(text, ((const uint64_t *)field->data)[row]);
    case GWS_NUMBER_F32:
        return gws__text_f32(text, ((const float *)field->data)[row]);
    case GWS_NUMBER_F64:
        return gws__text_f64(text, ((const double *)field->data)[row]);
    }
    return text;
}

static char *format_text(void *context, uint64_t begin, uint64_t end, char *text)
{
    const struct text_rows *rows = context;
    for (uint64_t row = begin; row < end; row++) {
        for (uint32_t i = 0; i < rows->writing->fields; i++) {
            text = gws__points_format_number(&rows->writing->field[i], row, text);
            *text++ = rows->separator;
        }
        text[-1] = '\n';
    }
    return text;
}

static gws_status write_text(const struct gws__points_writing *writing, char separator, bool names)
{
    struct text_rows rows = {.writing = writing, .separator = separator};
    gws_status status = GWS_OK;
    for (uint32_t i = 0; i < writing->fields && names && status == GWS_OK; i++) {
        const char *name = writing->field[i].name;
        const char *quote = gws__text_is_name(name, name + strlen(name))
                                ? ""
                                : "\""; /* the quotes distinguish the name from a number */
        status = gws_output_print(writing->output, "%s%s%s%c", quote, name, quote,
                                  i + 1 < writing->fields ? separator : '\n');
    }
    if (status != GWS_OK) return status;
    struct gws__output_chunks chunks = {.count = writing->points->count,
                                        .item_bytes = writing->fields * (uint64_t)(GWS__TEXT_F64 + 1),
                                        .format = format_text,
                                        .context = &rows};
    return gws__output_chunks(writing->output, &chunks);
}

static gws_status write_csv(const struct gws__points_writing *writing)
{
    return write_text(writing, ',', true);
}

static gws_status write_tsv(const struct gws__points_writing *writing)
{
    return write_text(writing, '\t', true);
}

static gws_status write_xyz(const struct gws__points_writing *writing)
{
    return write_text(writing, ' ', false);
}

/* ---- entry point ---- */

static const struct {
    const char *suffix; /* NULL: the writer of a format that the caller chooses by name */
    enum gws_points_format format;
    gws__points_writer *write;
} writers[] = {
    {".ply", GWS_POINTS_PLY, write_ply},
    {".csv", GWS_POINTS_TEXT, write_csv},
    {".tsv", GWS_POINTS_TEXT, write_tsv},
    {".xyz", GWS_POINTS_TEXT, write_xyz},
    {".txt", GWS_POINTS_TEXT, write_xyz},
    {".npy", GWS_POINTS_NPY, write_npy},
    {".pcd", GWS_POINTS_PCD, gws__points_write_pcd},
    {".las", GWS_POINTS_LAS, gws__points_write_las},
    {".gwsp", GWS_POINTS_GWSP, gws__points_write_gwsp},
    {".vtp", GWS_POINTS_VTP, gws__points_write_vtp},
    {NULL, GWS_POINTS_TEXT, write_xyz},
};

/* Chooses by the suffix among the writers of the format, then by the format. Standard output gets CSV. */
static gws__points_writer *find_writer(const char *path, enum gws_points_format format)
{
    gws__points_writer *other = NULL;
    if (format == GWS_POINTS_AUTO && strcmp(path, "-") == 0) return write_csv;
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++) {
        bool wanted = format == GWS_POINTS_AUTO ? writers[i].suffix != NULL : writers[i].format == format;
        if (wanted && writers[i].suffix && gws__format_has_suffix(path, writers[i].suffix)) return writers[i].write;
        if (wanted && format != GWS_POINTS_AUTO) other = writers[i].write;
    }
    return other;
}

static void list_fields(const struct gws_points *points, struct gws_points_column *field)
{
    static const char *const axes[] = {"x", "y", "z"};
    void *data[] = {points->x, points->y, points->z};
    for (int i = 0; i < 3; i++) {
        field[i] = (struct gws_points_column){.data = data[i]};
        memcpy(field[i].name, axes[i], 2);
        field[i].kind = points->is_double ? GWS_NUMBER_F64 : GWS_NUMBER_F32;
    }
    if (points->columns > 0) memcpy(field + 3, points->column, points->columns * sizeof *field);
}

static gws_status points_write(struct gws_runtime *runtime, const struct gws_points *points, const char *path,
                               enum gws_points_format format, struct gws_diagnostic *where)
{
    gws__points_writer *write = find_writer(path, format);
    const char *name = gws_points_format_name(format, NULL);
    if (!write && format != GWS_POINTS_AUTO && name)
        return gws_diagnostic_set(where, GWS_UNSUPPORTED, path, 0, 0, "the format %s cannot be written", name);
    if (!write)
        return gws_diagnostic_set(where, GWS_UNKNOWN_FORMAT, path, 0, 0,
                                  "no format has this file name's suffix: specify one");
    if (gws_points_check_columns(points->columns, points->column) != GWS_OK)
        return gws_diagnostic_set(where, GWS_INVALID, path, 0, 0, "invalid column names or kinds");
    struct gws__points_writing writing = {
        .runtime = runtime, .points = points, .fields = 3 + points->columns, .path = path, .where = where};
    struct gws_points_column *field = gws_allocate(runtime, writing.fields, sizeof *field);
    if (!field) return gws_diagnostic_set(where, GWS_NO_MEMORY, path, 0, 0, "out of memory while writing");
    list_fields(points, field);
    writing.field = field;
    gws_status status = gws_output_open(runtime, path, where, &writing.output);
    if (status == GWS_OK) status = gws_output_close(writing.output, write(&writing));
    gws_release(runtime, field, writing.fields, sizeof *field);
    return status;
}

gws_status gws_points_write(struct gws_runtime *runtime, const struct gws_points *points, const char *path,
                            enum gws_points_format format, struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, points_write(runtime, points, path, format, where));
}
