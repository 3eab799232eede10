/* SPDX-License-Identifier: MIT */
/* gws_points_write(): finds the writer and gives it the fields. */
#include "read.h"

#include <string.h>

#include "../text/reader.h"

static const struct {
    const char *ending; /* NULL: when the format is asked for by name */
    enum gws_points_format format;
    gws__points_writer *write;
} writers[] = {
    {".ply", GWS_POINTS_PLY, gws__points_write_ply},    {".csv", GWS_POINTS_TEXT, gws__points_write_csv},
    {".tsv", GWS_POINTS_TEXT, gws__points_write_tsv},   {".xyz", GWS_POINTS_TEXT, gws__points_write_xyz},
    {".txt", GWS_POINTS_TEXT, gws__points_write_xyz},   {".npy", GWS_POINTS_NPY, gws__points_write_npy},
    {".gwsp", GWS_POINTS_GWSP, gws__points_write_gwsp}, {".vtp", GWS_POINTS_VTP, gws__points_write_vtp},
    {NULL, GWS_POINTS_TEXT, gws__points_write_xyz},
};

/* By the ending among those of the format, then by the format alone. Tables on standard output are CSV. */
static gws__points_writer *find_writer(const char *path, enum gws_points_format format)
{
    gws__points_writer *other = NULL;
    if (format == GWS_POINTS_AUTO && strcmp(path, "-") == 0) return gws__points_write_csv;
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++) {
        bool wanted = format == GWS_POINTS_AUTO ? writers[i].ending != NULL : writers[i].format == format;
        if (wanted && writers[i].ending && gws__format_ending(path, writers[i].ending)) return writers[i].write;
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

gws_status gws_points_write(struct gws_runtime *runtime, const struct gws_points *points, const char *path,
                            enum gws_points_format format, struct gws_where *where)
{
    gws__points_writer *write = find_writer(path, format);
    const char *name = gws_points_format_name(format, NULL);
    if (!write && format != GWS_POINTS_AUTO && name)
        return gws_where_set(where, GWS_UNSUPPORTED, path, 0, 0, "the format %s is read only", name);
    if (!write)
        return gws_where_set(where, GWS_UNKNOWN_FORMAT, path, 0, 0,
                             "no format is known by this name's ending: say which one to write");
    if (gws_points_check_columns(points->columns, points->column) != GWS_OK)
        return gws_where_set(where, GWS_INVALID, path, 0, 0, "columns without usable names or kinds");
    struct gws__points_writing writing = {
        .runtime = runtime, .points = points, .fields = 3 + points->columns, .path = path, .where = where};
    struct gws_points_column *field = gws_allocate(runtime, writing.fields, sizeof *field);
    if (!field) return gws_where_set(where, GWS_NO_MEMORY, path, 0, 0, "out of memory while writing");
    list_fields(points, field);
    writing.field = field;
    gws_status status = gws_output_open(runtime, path, where, &writing.output);
    if (status == GWS_OK) status = gws_output_close(writing.output, write(&writing));
    gws_release(runtime, field, writing.fields, sizeof *field);
    return status;
}
