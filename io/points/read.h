/* SPDX-License-Identifier: MIT */
/* Reading points from an input that is open. */
#ifndef GWS_IO_POINTS_READ_H
#define GWS_IO_POINTS_READ_H

#include "../input/input.h"
#include "../points_io.h"

/* gws_points_read() from an input, which stays the caller's to close. options is not NULL. */
gws_status gws__points_read_input(struct gws__input *input, const struct gws_points_read_options *options,
                                  struct gws_points *points, struct gws_where *where);

/* The format that a name's ending stands for, or GWS_POINTS_AUTO. */
enum gws_points_format gws__points_format_of_name(const char *name);

#endif
