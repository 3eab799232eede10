/* SPDX-License-Identifier: MIT */
/* Points in space: three arrays of coordinates, any number of further columns beside them, and what makes them.
 *
 * Rows are 0 .. count - 1. A point set may hold NaN and infinities, as sensors write them: whoever builds a tree
 * decides what becomes of those rows. */
#ifndef GWS_POINTS_H
#define GWS_POINTS_H

#include "runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the numbers of a column are. The order is part of the ABI and of files: append only. */
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

/* Bytes of one number of that kind: 1, 2, 4 or 8; 0 when it is no kind. */
GWS_API uint32_t gws_number_bytes(enum gws_number_kind kind);

enum { GWS_POINTS_NAME = 48, GWS_POINTS_COLUMNS = 1024 };

/* What else is known of each point: an intensity, a colour, a class. */
struct gws_points_column {
    char name[GWS_POINTS_NAME]; /* ends in 0; printable ASCII without blanks and , ; ' " \ < > &; not "-" or "_" */
    enum gws_number_kind kind;
    void *data; /* count numbers */
};

/* {0} is an empty set. To use arrays of your own for a call, fill in count, is_double, x, y, z (and columns), and leave
 * owner NULL: nobody frees them. Arrays of a set that was read may lie in a mapped file, which writing to them does not
 * change. */
struct gws_points {
    uint64_t count;
    bool is_double; /* x, y and z are count doubles each; false: count floats each */
    void *x, *y, *z;
    uint32_t columns; /* at most GWS_POINTS_COLUMNS */
    struct gws_points_column *column;
    struct gws__points_owner *owner; /* private: who frees the arrays */
};

/* Frees what the set owns and makes it {0} again; NULL and {0} are allowed. */
GWS_API void gws_points_clear(struct gws_points *points);

/* Coordinate i as a double; axis is points->x, y or z. */
static inline double gws_points_at(const struct gws_points *points, const void *axis, uint64_t i)
{
    return points->is_double ? ((const double *)axis)[i] : (double)((const float *)axis)[i];
}

/* Makes room for count points with columns of the names and kinds given (their data is not looked at): arrays that the
 * caller may fill, not cleared. They come from the runtime's allocator and outlive the runtime. columns may be 0 and
 * column NULL. Errors: GWS_INVALID (too many columns, a name that is empty, not as said above or there twice),
 * GWS_TOO_LARGE (sizes that overflow), GWS_NO_MEMORY. */
GWS_API gws_status gws_points_make(struct gws_runtime *runtime, uint64_t count, bool is_double, uint32_t columns,
                                   const struct gws_points_column *column, struct gws_points *points);

/* A set over arrays that stay the caller's: view's pointers, with the columns' descriptions copied. release(context)
 * (may be NULL) is called once when the set is cleared: to unmap a file. Errors: GWS_INVALID as above,
 * GWS_NO_MEMORY; then release is not called. */
GWS_API gws_status gws_points_wrap(struct gws_runtime *runtime, const struct gws_points *view,
                                   void (*release)(void *context), void *context, struct gws_points *points);

/* Turns floats into doubles or back (rounded to nearest; beyond the range of floats: infinities), in parallel. A set
 * that is as asked for stays as it is. What the set held before is let go. Errors: GWS_NO_MEMORY. */
GWS_API gws_status gws_points_convert(struct gws_runtime *runtime, struct gws_points *points, bool is_double);

/* GWS_INVALID if gws_points_make() would not take these columns. */
GWS_API gws_status gws_points_check_columns(uint32_t columns, const struct gws_points_column *column);

/* The column of that name, or NULL. */
GWS_API const struct gws_points_column *gws_points_find(const struct gws_points *points, const char *name);

/* ---- generators ---- */

/* True if name starts like a generator: "uniform:", "gauss:", "plummer:", "shell:". */
GWS_API bool gws_points_is_generator(const char *name);

/* Makes exactly N points from their description, without further columns:
 *   uniform:N[:SEED]   evenly in the unit cube, 0 <= x, y, z < 1
 *   gauss:N[:SEED]     each coordinate normal, mean 0, deviation 1
 *   plummer:N[:SEED]   Plummer's sphere of scale radius 1 without the outermost thousandth of its mass
 *   shell:N[:SEED]     evenly on the unit sphere's surface, to rounding
 * N may have a suffix k, M or G (10^3, 10^6, 10^9). SEED is 1 by default. Same description, same points, whatever the
 * number of threads or the C library; as floats they are the doubles rounded to nearest (uniform: but below 1). On an
 * error where->file is the description and where->column (line 1) points at the bad character. Errors: GWS_SYNTAX,
 * GWS_TOO_LARGE (a number that does not fit in 64 bits, sizes that overflow), GWS_NO_MEMORY. */
GWS_API gws_status gws_points_generate(struct gws_runtime *runtime, const char *description, bool is_double,
                                       struct gws_points *points, struct gws_where *where);

#ifdef __cplusplus
}
#endif
#endif
