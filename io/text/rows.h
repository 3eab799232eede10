/* SPDX-License-Identifier: MIT */
/* The lines of a METIS file: one for each vertex, with its neighbours. */
#ifndef GWS_IO_ROWS_H
#define GWS_IO_ROWS_H

#include "reader.h"

struct gws__row_syntax {
    struct gws__declared declared;
    bool size_skipped;        /* a row that is not blank begins with the vertex's size ... */
    uint64_t weights_skipped; /* ... and so many weights of it */
    bool weighted;            /* each neighbour is followed by the edge's weight */
    enum gws_weights weights;
};

/* Reads all rows as arcs, and compares their number with the declared vertices. */
gws_status gws__rows_read(struct gws__input *input, const struct gws__row_syntax *syntax, struct gws__edges *edges,
                          struct gws_where *where);

#endif
