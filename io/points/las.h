/* SPDX-License-Identifier: MIT */
/* What LAS's reader and writer share (ASPRS, "LAS Specification 1.4 - R15", 2019). All numbers are little-endian. */
#ifndef GWS_IO_POINTS_LAS_H
#define GWS_IO_POINTS_LAS_H

#include <math.h>

#include "reader.h"

enum {
    GWS__LAS_HEAD = 227, /* bytes of the head, before and from version 1.4 on */
    GWS__LAS_HEAD_14 = 375,
    GWS__LAS_RECORD = 54, /* bytes of a variable record's head */
    GWS__LAS_FORMATS = 11,
    GWS__LAS_COMPRESSED = 0xc0, /* the bits of the point format that mark LAZ */
    GWS__LAS_FIELDS = 12,       /* fields of a point format besides x, y and z, at most */
    GWS__LAS_EXTRA = 192,       /* bytes of a descriptor of extra bytes */
    GWS__LAS_EXTRA_ID = 4       /* the number of the record "LASF_Spec" that has the descriptors */
};

/* A field of point records. */
struct gws__las_field {
    const char *name;
    uint32_t offset;
    enum gws_number_kind kind;
};

/* Sets field[0 .. n - 1] to the fields of a point format besides x, y and z, and returns n. The fields of formats 6 to
 * 10 differ from those of 0 to 5. */
uint32_t gws__las_fields(uint32_t format, struct gws__las_field field[GWS__LAS_FIELDS]);

/* Returns the smallest size of a point record. Further bytes are extra bytes. */
uint32_t gws__las_bytes(uint32_t format);

/* Returns the code of a kind in a descriptor of extra bytes. */
uint32_t gws__las_extra_code(enum gws_number_kind kind);

/* A search for variable records, which {0} begins. */
struct gws__las_records {
    uint64_t at, left; /* the byte after the last record found, and the number of records from there on */
    uint64_t bytes;    /* size of the body of the last record found */
};

/* Finds the next record of the user with the number. Returns the body's byte, or 0 if no further record within the
 * header's bytes is of this kind. */
uint64_t gws__las_record(const struct gws__header *header, const char *user, uint64_t number,
                         struct gws__las_records *records);

/* Adds the fields of the extra bytes that descriptors name. `from` is the offset of the extra bytes in a point record,
 * and `end` the record's length. Errors: GWS_CORRUPT (more bytes described than there are), and those of
 * gws__header_field(). */
gws_status gws__las_extra_fields(struct gws__points_reading *reading, uint64_t from, uint64_t end);

/* Returns the little-endian number at a byte of the head. */
uint64_t gws__las_number(const struct gws__header *header, uint64_t at, unsigned bytes);

/* Returns the point format, without the bits of LAZ. */
static inline uint32_t gws__las_format(const struct gws__header *header)
{
    return (unsigned char)header->text[104] & ~(uint32_t)GWS__LAS_COMPRESSED;
}

static inline bool gws__las_is_compressed(const struct gws__header *header)
{
    return ((unsigned char)header->text[104] & GWS__LAS_COMPRESSED) != 0;
}

/* Reads the points of a LAZ file with LASzip. The schema has its fields, but is not finalised. Errors: GWS_UNSUPPORTED
 * (LASzip is missing, or the input is a stream), GWS_TRUNCATED, GWS_CORRUPT, and those of gws__binary_rows_read(). */
gws_status gws__laz_read(struct gws__points_reading *reading, uint64_t count, struct gws_points *points);

/* A coordinate is number * scale + shift. low and high are the bounds of the coordinates. */
struct gws__las_scale {
    double scale[3], shift[3], low[3], high[3];
};

static inline int32_t gws__las_whole(const struct gws__las_scale *scale, int axis, double value)
{
    return (int32_t)rint((value - scale->shift[axis]) / scale->scale[axis]);
}

static inline double gws__las_unscaled(const struct gws__las_scale *scale, int axis, int32_t number)
{
    return number * scale->scale[axis] + scale->shift[axis];
}

/* For each axis, chooses the coarsest power of ten of which all coordinates are multiples, otherwise the finest with
 * which they fit.
 * Errors: GWS_UNSUPPORTED (a coordinate is not finite), GWS_NO_MEMORY. */
gws_status gws__las_scale_choose(const struct gws__points_writing *writing, struct gws__las_scale *scale);

gws__points_writer gws__points_write_las;

#endif
