/* SPDX-License-Identifier: MIT */
/* Rows that are not plain, with every mistake named. */
#ifndef GWS_IO_POINTS_CAREFUL_H
#define GWS_IO_POINTS_CAREFUL_H

#include "../input/pieces.h"
#include "text.h"

/* Where a field goes: place NULL is nowhere. */
struct gws__target {
    void *place;
    enum gws_number_kind kind;
};

struct gws__row {
    const struct gws__input *input;
    const struct gws__piece *piece;
    const struct gws__text *text;
    const char *at, *end; /* end: its line feed */
    struct gws_where *where;
};

/* Reads one row into places row of the targets; *is_row becomes false for a comment or a blank line. */
gws_status gws__row_careful(struct gws__row *row, const struct gws__target *target, uint64_t number, bool *is_row);

/* Puts a number in its place as the column's kind; false if that cannot hold it, and for 64-bit integers. */
bool gws__text_store(void *place, enum gws_number_kind kind, uint64_t row, double value);

#endif
