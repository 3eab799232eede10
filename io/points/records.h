/* SPDX-License-Identifier: MIT */
/* Binary rows of one length. */
#ifndef GWS_IO_POINTS_RECORDS_H
#define GWS_IO_POINTS_RECORDS_H

#include "schema.h"

/* Where the rows lie. */
struct gws__records {
    uint64_t skip;           /* bytes before them, from where the input stands */
    struct gws__count count; /* not declared: up to the input's end */
    uint64_t behind;         /* bytes that must follow them, whatever those are */
};

/* Reads rows. Errors: GWS_TRUNCATED, GWS_CORRUPT (a compressed input's checksum; the end is not that of a row),
 * GWS_TOO_LARGE, GWS_NO_MEMORY. */
gws_status gws__records_read(struct gws__input *input, const struct gws__schema *schema,
                             const struct gws__records *records, struct gws_points *points, struct gws_where *where);

/* The same where a field's numbers lie one after the other, field by field; the count is declared. */
gws_status gws__columns_read(struct gws__input *input, const struct gws__schema *schema,
                             const struct gws__records *records, struct gws_points *points, struct gws_where *where);

#endif
