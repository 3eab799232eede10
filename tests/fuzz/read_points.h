/* SPDX-License-Identifier: MIT */
/* The common parts of the targets for point readers. Two threads read each input from a stream and from a file, whole
 * and in tiny chunks. All results must agree. */
#ifndef GWS_FUZZ_READ_POINTS_H
#define GWS_FUZZ_READ_POINTS_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "../../io/points/reader.h"
#include "read_graph.h"

struct fuzz_cloud {
    gws_status status;
    struct gws_diagnostic where;
    struct gws_points points;
};

static inline struct fuzz_cloud fuzz_points_once(const void *data, size_t size,
                                                 const struct gws_points_read_options *options, enum fuzz_mode mode,
                                                 uint64_t chunk_size)
{
    struct fuzz_cloud result = {.status = GWS_OK};
    struct gws__input input;
    result.status = fuzz_open(&input, data, size, mode, chunk_size, &result.where);
    if (result.status == GWS_OK) result.status = gws__points_read_input(&input, options, &result.points);
    gws__input_close(&input);
    fuzz_demand((result.status == GWS_OK) == (result.points.owner != NULL), "points and an error, or neither");
    return result;
}

/* Compares bits, so a NaN equals itself. The comparison reads every byte of both point sets, so a sanitizer detects an
 * array that is too short. */
static inline void fuzz_same_points(const struct gws_points *a, const struct gws_points *b)
{
    uint64_t bytes = a->count * (a->is_double ? sizeof(double) : sizeof(float));
    fuzz_demand(a->count == b->count && a->is_double == b->is_double && a->columns == b->columns,
                "two ways to read, two sets of points");
    if (a->count == 0) return;
    fuzz_demand(memcmp(a->x, b->x, bytes) == 0 && memcmp(a->y, b->y, bytes) == 0 && memcmp(a->z, b->z, bytes) == 0,
                "other coordinates");
    for (uint32_t i = 0; i < a->columns; i++) {
        const struct gws_points_column *one = &a->column[i], *other = &b->column[i];
        fuzz_demand(one->kind == other->kind && strcmp(one->name, other->name) == 0, "other columns");
        fuzz_demand(memcmp(one->data, other->data, a->count * gws_number_bytes(one->kind)) == 0, "other numbers");
    }
}

static inline void fuzz_compare_points(const void *data, size_t size, const struct fuzz_cloud *a,
                                       const struct fuzz_cloud *b)
{
    if (a->status == GWS_NO_MEMORY || b->status == GWS_NO_MEMORY) return;
    if (b->status == GWS_UNSUPPORTED && a->status != b->status)
        return;                            /* a stream cannot have columns stored one after the other */
    if (fuzz_found_nul(&b->where)) return; /* only some chunk sizes reach a NUL after the rows */
    fuzz_same_end(data, size, a->status, &a->where, b->status, &b->where);
    if (a->status == GWS_OK) fuzz_same_points(&a->points, &b->points);
}

static inline void fuzz_points_with(const void *data, size_t size, const struct gws_points_read_options *options)
{
    struct fuzz_cloud whole = fuzz_points_once(data, size, options, FUZZ_FILE, 0);
    for (int i = 1; i < 2 * FUZZ_MODES; i++) {
        struct fuzz_cloud again = fuzz_points_once(data, size, options, (enum fuzz_mode)(i / 2), i % 2 ? 16 : 0);
        fuzz_compare_points(data, size, &whole, &again);
        gws_points_clear(&again.points);
    }
    gws_points_clear(&whole.points);
}

/* The size of the input selects the precision, so seeds remain plain files. */
static inline int fuzz_points(const void *data, size_t size, enum gws_points_format format, const char *columns)
{
    struct gws_points_read_options options = {
        .format = format, .columns = columns, .precision = (enum gws_precision)(size % 3)};
    fuzz_points_with(data, size, &options);
    return 0;
}

#endif
