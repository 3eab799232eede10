/* SPDX-License-Identifier: MIT */
/* A table of results: columns of equal length that point into arrays of the caller. Traversals fill tables, and the
 * writers in io write them. Neither of these folders depends on the other. */
#ifndef GWS_TABLE_H
#define GWS_TABLE_H

#include "graph.h"

enum gws_column_kind {
    GWS_COLUMN_ID,     /* row v is the id of vertex v, a number or a name; data unused */
    GWS_COLUMN_U32,    /* data: uint32_t; GWS_NO_VERTEX is missing */
    GWS_COLUMN_VERTEX, /* data: uint32_t vertex, written as its id or name; GWS_NO_VERTEX is missing */
    GWS_COLUMN_I64,    /* data: int64_t; never missing */
    GWS_COLUMN_F64,    /* data: double; NaN is missing */
    GWS_COLUMN_U64,    /* data: uint64_t; UINT64_MAX is missing */
    GWS_COLUMN_FINITE  /* data: double; NaN and infinite values are missing */
};

struct gws_column {
    const char *name;
    enum gws_column_kind kind;
    const void *data;
};

struct gws_table {
    const struct gws_graph *graph; /* the graph with the ids of the vertices */
    uint64_t rows;
    uint32_t columns;
    const struct gws_column *column;
};
#endif
