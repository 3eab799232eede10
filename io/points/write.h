/* SPDX-License-Identifier: MIT */
/* What the writers of points share. */
#ifndef GWS_IO_POINTS_WRITE_H
#define GWS_IO_POINTS_WRITE_H

#include "../output/output.h"
#include "../points_io.h"

/* Points on their way to a file: x, y and z are the first three fields, the columns follow. */
struct gws__points_writing {
    struct gws_runtime *runtime;
    struct gws_output *output; /* open */
    const struct gws_points *points;
    uint32_t fields;
    const struct gws_points_column *field;
    const char *path;
    struct gws_where *where;
};

typedef gws_status gws__points_writer(const struct gws__points_writing *writing);

gws__points_writer gws__points_write_ply, gws__points_write_csv, gws__points_write_tsv, gws__points_write_xyz,
    gws__points_write_npy, gws__points_write_vtp, gws__points_write_gwsp;

/* Writes the rows, each field's numbers little-endian one behind the other. */
gws_status gws__points_write_rows(const struct gws__points_writing *writing);

#endif
