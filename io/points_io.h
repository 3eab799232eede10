/* SPDX-License-Identifier: MIT */
/* Point sets from and to files. Every reader takes plain or gzip input, from a path or ("-") from standard input, and
 * answers malformed input with file, line, column and what was expected, or in binary data with the byte. */
#ifndef GWS_POINTS_IO_H
#define GWS_POINTS_IO_H

#include "../lib/points.h"

#ifdef __cplusplus
extern "C" {
#endif

enum gws_points_format {
    GWS_POINTS_AUTO, /* by content, then by the name's ending */
    GWS_POINTS_PLY,  /* .ply: ASCII, binary little- or big-endian; the element "vertex" with x, y and z. Written
                      * little-endian */
    GWS_POINTS_PCD,  /* .pcd of the Point Cloud Library: ASCII or binary (not compressed). Read only */
    GWS_POINTS_TEXT, /* .xyz .csv .tsv .txt .pts .asc: numbers apart by blanks, commas or semicolons, a row a line;
                      * comments with # or //; a line of column names (none begins like a number), and a line with
                      * the number of rows (behind which may come a title), may come first. Empty fields are NaN */
    GWS_POINTS_LAS,  /* .las 1.0 to 1.4, point formats 0 to 10, uncompressed. Read only */
    GWS_POINTS_NPY,  /* .npy of NumPy: structured with fields x, y, z, or two-dimensional with at least three columns */
    GWS_POINTS_RAW,  /* .bin: little-endian numbers, row after row, such as the KITTI data's. Read only */
    GWS_POINTS_GWSP, /* .gwsp: our binary, read without parsing */
    GWS_POINTS_VTP   /* .vtp of VTK, opens in ParaView. Written only */
};

/* The format called name ("auto", "ply", "pcd", "text", "las", "npy", "raw", "gwsp", "vtp"); false if there is none.
 * And back: name and one sentence, NULL past the end. */
GWS_API bool gws_points_format_named(const char *name, enum gws_points_format *format);
GWS_API const char *gws_points_format_name(enum gws_points_format format, const char **about);

enum gws_precision {
    GWS_PRECISION_FILE,  /* doubles where the file has doubles, 32-bit or longer integers, or text without types */
    GWS_PRECISION_FLOAT, /* floats, rounded to nearest */
    GWS_PRECISION_DOUBLE
};

struct gws_points_read_options {
    enum gws_points_format format;
    enum gws_precision precision;
    /* The columns of a file that does not name them (TEXT, RAW, two-dimensional NPY), or other names for them: such as
     * "x,y,z,intensity" or "x:f64,y:f64,z:f64,-:u8,red:u8". Kinds are i8 u8 i16 u16 i32 u32 i64 u64 f32 f64; without
     * one it is f32 in RAW, f64 in TEXT. "-" is read past. NULL: "x,y,z,intensity" for RAW; otherwise the names that
     * the file has, or x, y, z and then column4, column5 ... Other formats take no list. */
    const char *columns;
    bool trust;  /* .gwsp: check the head only, and not every byte. Refused for files of other formats */
    bool mapped; /* .gwsp: map the file rather than reading it into memory: with trust it opens in microseconds whatever
                  * the size. The file must stay as it is until the points are cleared: what others write to it changes
                  * the points, and if one shortens it, whoever reads the points gets SIGBUS. Refused for pipes,
                  * compressed files and other formats */
};

/* Reads a point set. Text is UTF-8 or ASCII, behind a byte-order mark or not; UTF-16 is refused. Columns other than x,
 * y, z (told by name, in upper or lower case) ride along in the kind that the file has; those of TEXT are f64. Names
 * are cut and cleaned where gws_points.column would not take them. Rows with NaN are kept. LAS coordinates are scaled
 * and shifted as its head says. options may be NULL ({0}). What a file declares is checked before memory is taken for
 * it. Errors: GWS_SYSTEM (cannot open or read), GWS_SYNTAX, GWS_TRUNCATED, GWS_CORRUPT, GWS_OUT_OF_RANGE,
 * GWS_TOO_LARGE, GWS_UNKNOWN_FORMAT, GWS_UNSUPPORTED, GWS_INVALID (options.columns or trust), GWS_NO_MEMORY; where says
 * more. In parallel where the file is plain: it is read as long as it was when it was opened, and one
 * that is shortened meanwhile is GWS_TRUNCATED. */
GWS_API gws_status gws_points_read(struct gws_runtime *runtime, const char *path,
                                   const struct gws_points_read_options *options, struct gws_points *points,
                                   struct gws_where *where);

/* gws_points_generate() if name is a generator's (floats, unless the options ask for doubles), gws_points_read()
 * otherwise: what the tools take as POINTS. */
GWS_API gws_status gws_points_load(struct gws_runtime *runtime, const char *name,
                                   const struct gws_points_read_options *options, struct gws_points *points,
                                   struct gws_where *where);

/* Writes a point set with its columns, whole or not at all (output_io.h says how); "-" is standard output.
 * GWS_POINTS_AUTO is .csv there, and otherwise takes the name's ending: .ply, .csv, .tsv, .xyz or .txt (blanks, no line
 * of names), .npy (structured), .gwsp, .vtp, each with an optional .gz; TEXT with another name writes blanks. Errors:
 * GWS_SYSTEM, GWS_UNKNOWN_FORMAT, GWS_UNSUPPORTED (a format that is read only, or has no such kind of number: PLY has
 * none of 64-bit integers), GWS_NO_MEMORY. */
GWS_API gws_status gws_points_write(struct gws_runtime *runtime, const struct gws_points *points, const char *path,
                                    enum gws_points_format format, struct gws_where *where);

/* Boxes with their sides along the axes, and columns beside them. */
struct gws_boxes {
    uint64_t count;
    const double *low, *high; /* x0, y0, z0, x1 ...: 3 * count entries each */
    uint32_t columns;
    const struct gws_points_column *column; /* names as for points */
};

/* Writes boxes as the cells of a VTK file that opens in ParaView: path ends in .vtu, or .vtu.gz. Errors as above. */
GWS_API gws_status gws_boxes_write(struct gws_runtime *runtime, const struct gws_boxes *boxes, const char *path,
                                   struct gws_where *where);

#ifdef __cplusplus
}
#endif
#endif
