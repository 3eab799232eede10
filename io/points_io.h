/* SPDX-License-Identifier: MIT */
/* Functions that read and write point sets. Every reader takes plain or gzip input, from a path or ("-") from standard
 * input. A reader reports malformed text with the file, line, column and the expected content. For malformed binary
 * data the reader reports the byte. */
#ifndef GWS_POINTS_IO_H
#define GWS_POINTS_IO_H

#include "../lib/points.h"

#ifdef __cplusplus
extern "C" {
#endif

enum gws_points_format {
    GWS_POINTS_AUTO, /* the format by content, then by the name's suffix */
    GWS_POINTS_PLY, /* .ply: ASCII, binary little- or big-endian; the element "vertex" with x, y and z. The writer makes
                       little-endian files */
    GWS_POINTS_PCD, /* .pcd of the Point Cloud Library: ASCII or binary (not compressed). The packed colour of a binary
                       file is the columns red, green and blue (u8). The writer makes binary files */
    GWS_POINTS_TEXT, /* .xyz .csv .tsv .txt .pts .asc: rows of numbers, one per line, separated by blanks, commas or
                        semicolons; comments with # or //. A line of column names (which must not begin like numbers)
                        and a line with the number of rows (and a title after it) may come first. Empty fields are NaN
                      */
    GWS_POINTS_LAS,  /* .las 1.0 to 1.4, point formats 0 to 10. Extra bytes are columns, with the numbers that the file
                        has, without their scale. The library LASzip (liblaszip.so.8, version 3) reads the points of
                        compressed files (.laz), if it is installed. The writer makes uncompressed 1.4 files. Coordinates
                        become integers of 32 bits: multiples of the coarsest power of ten that loses nothing, otherwise
                        of the finest with which they fit. Columns with names and kinds of LAS become its fields,
                        colours of 8 bits get 16, and other columns become extra bytes */
    GWS_POINTS_NPY,  /* .npy of NumPy: structured with fields x, y, z, or two-dimensional with at least three columns */
    GWS_POINTS_RAW,  /* .bin: little-endian numbers, row after row, such as the KITTI data. Read only */
    GWS_POINTS_GWSP, /* .gwsp: the library's binary format, read without parsing */
    GWS_POINTS_VTP,  /* .vtp of VTK, which ParaView opens. Write only */
    GWS_POINTS_HDF5  /* .hdf5 of Gadget 2 to 4 and AREPO: PartType0/Coordinates, PartType1/Coordinates ... of one file,
                        with the column PartType. Data sets that all types have are columns. Needs libgraphws-hdf5. Read
                        only */
};

/* Finds a format by its name ("auto", "ply", "pcd", "text", "las", "npy", "raw", "gwsp", "vtp", "hdf5"). Returns
 * false if no format has the name. gws_points_format_name() returns a format's name and one sentence about the format,
 * or NULL past the end. */
GWS_API bool gws_points_format_named(const char *name, enum gws_points_format *format);
GWS_API const char *gws_points_format_name(enum gws_points_format format, const char **about);

enum gws_precision {
    GWS_PRECISION_FILE,  /* doubles if the file has doubles, 32-bit or longer integers, or text without types; otherwise
                            floats */
    GWS_PRECISION_FLOAT, /* floats, rounded to nearest */
    GWS_PRECISION_DOUBLE
};

struct gws_points_read_options {
    enum gws_points_format format;
    enum gws_precision precision;
    /* The columns of a file that does not name them (TEXT, RAW, two-dimensional NPY), or other names for its columns,
     * such as "x,y,z,intensity" or "x:f64,y:f64,z:f64,-:u8,red:u8". Kinds are i8 u8 i16 u16 i32 u32 i64 u64 f32 f64;
     * the default is f32 in RAW and f64 in TEXT. "-" skips a column. NULL: "x,y,z,intensity" for RAW; otherwise the
     * file's names, or x, y, z and then column4, column5 ... Other formats refuse a list. */
    const char *columns;
    bool trust;  /* .gwsp: check only the head, not the bytes. Other formats refuse this option */
    bool mapped; /* .gwsp: map the file instead of reading it into memory. With trust, opening takes microseconds for
                    any size. The file must not change until the points are cleared. Later writes to the file change the
                    points, and reading the points raises SIGBUS after the file was shortened. Pipes, compressed files
                    and other formats refuse this option */
};

/* Reads a point set. Text is UTF-8 or ASCII, with or without a byte-order mark. The reader refuses UTF-16. Columns
 * other than x, y and z (found by name, ignoring case) keep the file's kind. Columns of TEXT are f64. The reader
 * shortens and cleans names that gws_points.column does not allow. The reader keeps rows with NaN, and scales and
 * shifts LAS coordinates as the head of the file says. It checks declared counts before it allocates memory for them.
 * Workers read a plain file in parallel, with the file's size at opening. A file that becomes shorter is
 * GWS_TRUNCATED.
 *
 * options may be NULL ({0}). where receives details of an error. Errors: GWS_SYSTEM (cannot open or read), GWS_SYNTAX,
 * GWS_TRUNCATED, GWS_CORRUPT, GWS_OUT_OF_RANGE, GWS_TOO_LARGE, GWS_UNKNOWN_FORMAT, GWS_UNSUPPORTED (also:
 * LASzip or libgraphws-hdf5 is missing; these read plain files only), GWS_INVALID (options.columns, trust or mapped),
 * GWS_NO_MEMORY. */
GWS_API gws_status gws_points_read(struct gws_runtime *runtime, const char *path,
                                   const struct gws_points_read_options *options, struct gws_points *points,
                                   struct gws_diagnostic *where);

/* Calls gws_points_generate() if name belongs to a generator (floats, unless the options say doubles), otherwise
 * gws_points_read(). The tools' argument POINTS has this meaning. */
GWS_API gws_status gws_points_load(struct gws_runtime *runtime, const char *name,
                                   const struct gws_points_read_options *options, struct gws_points *points,
                                   struct gws_diagnostic *where);

/* Writes a point set with its columns, whole or not at all (see output_io.h). "-" is standard output. GWS_POINTS_AUTO
 * writes .csv to standard output and otherwise chooses by the name's suffix: .ply, .csv, .tsv, .xyz or .txt (separated
 * by blanks, no line of names), .npy (structured), .pcd, .las, .gwsp, .vtp, each with an optional .gz. TEXT with
 * another suffix separates numbers by blanks. Errors: GWS_SYSTEM, GWS_UNKNOWN_FORMAT, GWS_UNSUPPORTED (a read-only
 * format, or points that the format cannot hold: PLY has no 64-bit integers; LAS has no coordinates that are not
 * finite, at most 341 further columns, and no column names of more than 32 bytes), GWS_NO_MEMORY. */
GWS_API gws_status gws_points_write(struct gws_runtime *runtime, const struct gws_points *points, const char *path,
                                    enum gws_points_format format, struct gws_diagnostic *where);

/* Axis-aligned boxes with columns. */
struct gws_boxes {
    uint64_t count;
    const double *low, *high; /* x0, y0, z0, x1 ...: 3 * count entries each */
    uint32_t columns;
    const struct gws_points_column *column; /* names follow the rules of gws_points.column */
};

/* Writes boxes as the cells of a VTK file, which ParaView opens. path ends in .vtu or .vtu.gz. Errors: those of
 * gws_points_write(). */
GWS_API gws_status gws_boxes_write(struct gws_runtime *runtime, const struct gws_boxes *boxes, const char *path,
                                   struct gws_diagnostic *where);

#ifdef __cplusplus
}
#endif
#endif
