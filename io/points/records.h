/* SPDX-License-Identifier: MIT */
/* Binary rows of one length. */
#ifndef GWS_IO_POINTS_RECORDS_H
#define GWS_IO_POINTS_RECORDS_H

#include "schema.h"

#define GWS__ALL_ROWS UINT64_MAX

/* Reads count rows from where the input stands (GWS__ALL_ROWS: to its end), after skip bytes. What follows them is not
 * looked at. Errors: GWS_TRUNCATED, GWS_CORRUPT (a compressed input's checksum; the end is not that of a row),
 * GWS_TOO_LARGE, GWS_NO_MEMORY. */
gws_status gws__records_read(struct gws__input *input, const struct gws__schema *schema, uint64_t skip, uint64_t count,
                             struct gws_points *points, struct gws_where *where);

/* The same where a field's numbers lie one after the other, field by field: count is given. */
gws_status gws__columns_read(struct gws__input *input, const struct gws__schema *schema, uint64_t skip, uint64_t count,
                             struct gws_points *points, struct gws_where *where);

#endif
