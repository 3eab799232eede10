/* SPDX-License-Identifier: MIT */
/* Point sets: three arrays of coordinates, any number of further columns, and generators.
 *
 * Rows are 0 .. count - 1. A point set may contain NaN and infinities, as sensors write them. Each tree builder
 * documents its treatment of such rows. */
#ifndef GWS_POINTS_H
#define GWS_POINTS_H

#include "runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The type of a column's numbers. The order is part of the ABI and of files: append only. */
enum gws_number_kind {
    GWS_NUMBER_I8,
    GWS_NUMBER_U8,
    GWS_NUMBER_I16,
    GWS_NUMBER_U16,
    GWS_NUMBER_I32,
    GWS_NUMBER_U32,
    GWS_NUMBER_I64,
    GWS_NUMBER_U64,
    GWS_NUMBER_F32,
    GWS_NUMBER_F64
};

/* Returns the size of a number of that kind in bytes (1, 2, 4 or 8), or 0 for an invalid kind. */
GWS_API uint32_t gws_number_bytes(enum gws_number_kind kind);

enum { GWS_POINTS_NAME = 48, GWS_POINTS_COLUMNS = 1024 };

/* A further attribute of each point: an intensity, a colour, a class. */
struct gws_points_column {
    char name[GWS_POINTS_NAME]; /* 0-terminated; printable ASCII without blanks and , ; ' " \ < > &; not "-" or "_" */
    enum gws_number_kind kind;
    void *data; /* count numbers */
};

/* {0} is an empty set. To pass your own arrays to a call, fill in count, is_double, x, y, z (and columns), and leave
 * owner NULL. The library does not free these arrays. The arrays of a set from a file may be a private mapping of that
 * file. Writes to such arrays do not change the file. */
struct gws_points {
    uint64_t count;
    bool is_double; /* x, y and z are count doubles each; false: count floats each */
    void *x, *y, *z;
    uint32_t columns; /* at most GWS_POINTS_COLUMNS */
    struct gws_points_column *column;
    struct gws__points_owner *owner; /* private: owns the arrays */
};

/* Frees the arrays that the set owns and resets it to {0}. NULL and {0} are allowed. */
GWS_API void gws_points_clear(struct gws_points *points);

/* Returns coordinate i as a double. axis is points->x, y or z. */
static inline double gws_points_at(const struct gws_points *points, const void *axis, uint64_t i)
{
    return points->is_double ? ((const double *)axis)[i] : (double)((const float *)axis)[i];
}

/* Allocates count points for the caller to fill, with columns of these names and kinds. The call ignores the columns'
 * data pointers and does not clear the arrays. The arrays come from the runtime's allocator and outlive the runtime.
 * columns may be 0 and column NULL. Errors: GWS_INVALID (too many columns; an empty, invalid or duplicate name),
 * GWS_TOO_LARGE (sizes that overflow), GWS_NO_MEMORY. */
GWS_API gws_status gws_points_make(struct gws_runtime *runtime, uint64_t count, bool is_double, uint32_t columns,
                                   const struct gws_points_column *column, struct gws_points *points);

/* Makes a set over arrays that the caller keeps. The set has the pointers of view, and copies of the column
 * descriptions. Clearing the set calls release(context) (may be NULL) once, for example to unmap a file. Errors:
 * GWS_INVALID as above, GWS_NO_MEMORY. After an error the library does not call release. */
GWS_API gws_status gws_points_wrap(struct gws_runtime *runtime, const struct gws_points *view,
                                   void (*release)(void *context), void *context, struct gws_points *points);

/* Converts floats to doubles or back (rounded to nearest; values beyond the range of floats become infinities), in
 * parallel. A set of the requested type is unchanged. Otherwise the call releases the old arrays. Errors:
 * GWS_NO_MEMORY. */
GWS_API gws_status gws_points_convert(struct gws_runtime *runtime, struct gws_points *points, bool is_double);

/* Returns GWS_INVALID if gws_points_make() would refuse these columns. */
GWS_API gws_status gws_points_check_columns(uint32_t columns, const struct gws_points_column *column);

/* Returns the column of that name, or NULL. */
GWS_API const struct gws_points_column *gws_points_find(const struct gws_points *points, const char *name);

/* Returns number i of a column as a double, rounded if it has more than 53 bits. */
GWS_API double gws_points_number(const struct gws_points_column *column, uint64_t i);

/* ---- generators ---- */

/* Returns whether name begins with a generator: "uniform:", "gauss:", "plummer:", "shell:". */
GWS_API bool gws_points_is_generator(const char *name);

/* Makes exactly N points from a description, without further columns:
 *   uniform:N[:SEED]   uniform in the unit cube, 0 <= x, y, z < 1
 *   gauss:N[:SEED]     each coordinate normal, mean 0, deviation 1
 *   plummer:N[:SEED]   Plummer's sphere of scale radius 1 without the outermost thousandth of its mass
 *   shell:N[:SEED]     uniform on the surface of the unit sphere, to rounding
 * N may have a suffix k, M or G (10^3, 10^6, 10^9). SEED is 1 by default. The same description makes the same points
 * with any number of threads and any C library. Floats are the doubles rounded to nearest (uniform: but below 1). On
 * an error where->file is the description and where->column (line 1) points at the invalid character. Errors:
 * GWS_SYNTAX, GWS_TOO_LARGE (a number that does not fit in 64 bits, sizes that overflow), GWS_NO_MEMORY. */
GWS_API gws_status gws_points_generate(struct gws_runtime *runtime, const char *description, bool is_double,
                                       struct gws_points *points, struct gws_diagnostic *where);

#ifdef __cplusplus
}
#endif
#endif
