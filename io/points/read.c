/* SPDX-License-Identifier: MIT */
/* The table of formats, and the two entry points for reading. */
#include "reader.h"

#include <string.h>

/* Reads little-endian numbers row after row, without a header. */
static gws_status read_raw(struct gws__points_reading *reading, struct gws_points *points)
{
    const char *list = reading->options->columns ? reading->options->columns : "x,y,z,intensity";
    gws_status status = gws__schema_list(&reading->schema, list, GWS_NUMBER_F32);
    if (status != GWS_OK) return status;
    static const struct gws__binary_rows all;
    return gws__binary_rows_read(&reading->schema, &all, points);
}

struct points_format_row {
    const char *name, *about;
    gws__points_reader *read; /* NULL: the library only writes the format */
    bool takes_columns, text; /* text: the file may begin with a byte-order mark */
    const char *suffixes[10];
};

static const struct points_format_row table[] = {
    [GWS_POINTS_AUTO] = {"auto", "by content, then by the name's suffix", NULL, true, false, {NULL}},
    [GWS_POINTS_PLY] = {"ply", "PLY, ASCII or binary, .ply", gws__points_read_ply, false, true, {".ply", NULL}},
    [GWS_POINTS_PCD] = {"pcd",
                        "PCD of the Point Cloud Library, ASCII or binary, .pcd",
                        gws__points_read_pcd,
                        false,
                        true,
                        {".pcd", NULL}},
    [GWS_POINTS_TEXT] = {"text",
                         "numbers, a row a line, .xyz .csv .tsv .txt .pts .asc",
                         gws__points_read_xyz,
                         true,
                         true,
                         {".xyz", ".csv", ".tsv", ".txt", ".pts", ".asc", ".xyzrgb", ".xyzn", NULL}},
    [GWS_POINTS_LAS] = {"las",
                        "LAS 1.0 to 1.4, .las; .laz needs the library LASzip",
                        gws__points_read_las,
                        false,
                        false,
                        {".las", NULL}},
    [GWS_POINTS_NPY] = {"npy", "NumPy's array, .npy", gws__points_read_npy, true, false, {".npy", NULL}},
    [GWS_POINTS_RAW] =
        {"raw", "little-endian numbers, row after row, .bin", read_raw, true, false, {".bin", ".raw", NULL}},
    [GWS_POINTS_GWSP] =
        {"gwsp", "the native binary points, .gwsp", gws__points_read_gwsp, false, false, {".gwsp", NULL}},
    [GWS_POINTS_VTP] = {"vtp", "VTK's points, .vtp, written only", NULL, false, false, {".vtp", NULL}},
    [GWS_POINTS_HDF5] = {"hdf5",
                         "snapshots of Gadget and AREPO, .hdf5; needs libgraphws-hdf5",
                         gws__points_read_hdf5,
                         false,
                         false,
                         {".hdf5", ".h5", NULL}},
};

enum { rows = sizeof table / sizeof *table };

const char *gws_points_format_name(enum gws_points_format format, const char **about)
{
    if ((unsigned)format >= rows) return NULL;
    if (about) *about = table[format].about;
    return table[format].name;
}

bool gws_points_format_named(const char *name, enum gws_points_format *format)
{
    for (unsigned i = 0; i < rows; i++) {
        if (strcmp(name, table[i].name) != 0) continue;
        *format = (enum gws_points_format)i;
        return true;
    }
    return false;
}

enum gws_points_format gws__points_format_of_name(const char *name)
{
    for (unsigned i = 0; i < rows; i++)
        for (const char *const *suffix = table[i].suffixes; *suffix; suffix++)
            if (gws__format_has_suffix(name, *suffix)) return (enum gws_points_format)i;
    return GWS_POINTS_AUTO;
}

/* ---- format detection ---- */

static bool begins(const struct gws__header *header, uint64_t mark, const char *with)
{
    size_t length = strlen(with);
    return (size_t)(header->end - header->text) >= mark + length && memcmp(header->text + mark, with, length) == 0;
}

/* Returns true for a byte-order mark, or if the first bytes contain no control character that text lacks. */
static bool looks_like_text(const struct gws__header *header)
{
    uint64_t mark;
    size_t size = (size_t)(header->end - header->text);
    if (gws__input_has_bom(header->text, size, &mark)) return true;
    if (size > 4096) size = 4096;
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)header->text[i];
        if (c < ' ' && c != '\n' && c != '\r' && c != '\t') return false;
    }
    return size > 0;
}

static enum gws_points_format find_format(const struct gws__header *header)
{
    static const struct {
        const char *begins;
        enum gws_points_format format;
    } contents[] = {{"ply\n", GWS_POINTS_PLY},       {"ply\r", GWS_POINTS_PLY},     {"ply ", GWS_POINTS_PLY},
                    {"# .PCD", GWS_POINTS_PCD},      {"VERSION", GWS_POINTS_PCD},   {"LASF", GWS_POINTS_LAS},
                    {"\x93NUMPY", GWS_POINTS_NPY},   {"\x89GWSP", GWS_POINTS_GWSP}, {"FIELDS ", GWS_POINTS_PCD},
                    {"\x89HDF\r\n", GWS_POINTS_HDF5}};
    uint64_t mark = 0;
    (void)gws__input_has_bom(header->text, (uint64_t)(header->end - header->text), &mark);
    for (size_t i = 0; i < sizeof contents / sizeof *contents; i++)
        if (begins(header, mark, contents[i].begins)) return contents[i].format;
    enum gws_points_format format = gws__points_format_of_name(header->input->name);
    return format == GWS_POINTS_AUTO && looks_like_text(header) ? GWS_POINTS_TEXT : format;
}

gws_status gws__points_read_input(struct gws__input *input, const struct gws_points_read_options *options,
                                  struct gws_points *points)
{
    struct gws__points_reading reading = {
        .input = input, .options = options, .schema = {.input = input, .precision = options->precision}};
    struct gws_points made = {0};
    gws_status status = gws__header_open(input, &reading.header);
    if (status != GWS_OK) return status;
    enum gws_points_format format = options->format;
    if (format == GWS_POINTS_AUTO) format = find_format(&reading.header);
    if ((unsigned)format >= rows || !table[format].read)
        return gws__input_fail(input, format == GWS_POINTS_VTP ? GWS_UNSUPPORTED : GWS_UNKNOWN_FORMAT, 0, 0,
                               format == GWS_POINTS_VTP
                                   ? "VTK files can only be written"
                                   : "neither the content nor the file name shows the format: specify it");
    if ((options->trust || options->mapped) && format != GWS_POINTS_GWSP)
        return gws__input_fail(input, GWS_INVALID, 0, 0, "%s only works for .gwsp files; this file is read as %s",
                               options->trust ? "trust" : "mapped", table[format].name);
    if (options->mapped && !input->file)
        return gws__input_fail(input, GWS_INVALID, 0, 0, "only plain .gwsp files can be mapped");
    if (options->columns && !table[format].takes_columns)
        return gws__input_fail(input, GWS_INVALID, 0, 0, "files of the format %s name their own columns",
                               table[format].name);
    if (table[format].text) status = gws__input_skip_bom(input);
    if (status == GWS_OK && table[format].text) status = gws__header_open(input, &reading.header);
    if (status == GWS_OK) status = table[format].read(&reading, &made);
    gws_release(input->runtime, reading.schema.field, reading.schema.capacity, sizeof *reading.schema.field);
    bool other = (options->precision == GWS_PRECISION_FLOAT && made.is_double) ||
                 (options->precision == GWS_PRECISION_DOUBLE && !made.is_double);
    if (status == GWS_OK && other) /* the library uses a .gwsp file in place */
        status = gws_points_convert(input->runtime, &made, !made.is_double);
    if (status == GWS_OK)
        *points = made;
    else
        gws_points_clear(&made);
    return status;
}

/* ---- entry points ---- */

static gws_status points_read(struct gws_runtime *runtime, const char *path,
                              const struct gws_points_read_options *options, struct gws_points *points,
                              struct gws_diagnostic *where)
{
    static const struct gws_points_read_options defaults;
    struct gws__input input;
    gws_status status = gws__input_open(&input, runtime, path, where);
    if (status == GWS_OK) status = gws__points_read_input(&input, options ? options : &defaults, points);
    return gws__input_end(&input, status);
}

gws_status gws_points_read(struct gws_runtime *runtime, const char *path, const struct gws_points_read_options *options,
                           struct gws_points *points, struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, points_read(runtime, path, options, points, where));
}

gws_status gws_points_load(struct gws_runtime *runtime, const char *name, const struct gws_points_read_options *options,
                           struct gws_points *points, struct gws_diagnostic *where)
{
    bool is_double = options && options->precision == GWS_PRECISION_DOUBLE;
    if (gws_points_is_generator(name)) return gws_points_generate(runtime, name, is_double, points, where);
    return gws_points_read(runtime, name, options, points, where);
}
