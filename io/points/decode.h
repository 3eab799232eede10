/* SPDX-License-Identifier: MIT */
/* Numbers of binary rows to columns. */
#ifndef GWS_IO_POINTS_DECODE_H
#define GWS_IO_POINTS_DECODE_H

#include "schema.h"

/* count numbers, stride bytes apart, in the file's order of bytes. */
struct gws__run {
    const unsigned char *bytes;
    uint64_t stride, count;
    enum gws_number_kind kind;
    bool swap;
};

/* Copies them to place[first] ... as they are. */
void gws__decode_column(const struct gws__run *run, void *place, uint64_t first);

/* Copies them as coordinates: number * scale + shift in doubles if scaled, then rounded to float unless is_double. */
void gws__decode_axis(const struct gws__run *run, const struct gws__schema *schema, int axis, void *place,
                      uint64_t first);

/* True if the file's order of bytes is not this computer's. */
bool gws__decode_swaps(bool big_endian);

#endif
