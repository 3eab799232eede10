/* SPDX-License-Identifier: MIT */
/* A table of results: columns of equal length that point into arrays of the caller. Traversals fill tables and io
 * writes them; neither depends on the other. */
#ifndef GWS_TABLE_H
#define GWS_TABLE_H

#include "graph.h"

enum gws_column_kind {
    GWS_COLUMN_ID,     /* the id of vertex v in row v; data unused */
    GWS_COLUMN_U32,    /* data: uint32_t; GWS_NO_VERTEX is missing */
    GWS_COLUMN_VERTEX, /* data: uint32_t vertex, written as its id; GWS_NO_VERTEX is missing */
    GWS_COLUMN_I64,    /* data: int64_t; never missing */
    GWS_COLUMN_F64     /* data: double; NaN is missing */
};

struct gws_column {
    const char *name;
    enum gws_column_kind kind;
    const void *data;
};

struct gws_table {
    const struct gws_graph *graph; /* gives the ids */
    uint64_t rows;
    uint32_t columns;
    const struct gws_column *column;
};
#endif
