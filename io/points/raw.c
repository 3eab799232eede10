/* SPDX-License-Identifier: MIT */
/* Little-endian numbers, row after row, nothing else. */
#include "header.h"
#include "records.h"

gws_status gws__points_read_raw(struct gws__points_reading *reading, struct gws_points *points)
{
    const char *list = reading->options->columns ? reading->options->columns : "x,y,z,intensity";
    gws_status status = gws__schema_list(&reading->schema, list, GWS_NUMBER_F32);
    if (status != GWS_OK) return status;
    static const struct gws__records all;
    return gws__records_read(&reading->schema, &all, points);
}
