/* SPDX-License-Identifier: MIT */
/* Reading points from an input that is open. */
#ifndef GWS_IO_POINTS_READ_H
#define GWS_IO_POINTS_READ_H

#include "../input/input.h"
#include "../output/output.h"
#include "../points_io.h"
#include "../question_io.h"

/* gws_points_read() from an input, which stays the caller's to close. options is not NULL. */
gws_status gws__points_read_input(struct gws__input *input, const struct gws_points_read_options *options,
                                  struct gws_points *points);

/* The format that a name's ending stands for, or GWS_POINTS_AUTO. */
enum gws_points_format gws__points_format_of_name(const char *name);

/* What the writers of points share. */

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

/* gws_questions_read() of an input that is open. */
gws_status gws__questions_read_input(struct gws__input *input, const struct gws_question_kind *kind, uint32_t kinds,
                                     struct gws_question **question, uint64_t *count);

#endif
