/* SPDX-License-Identifier: MIT */
/* Lines that are edges: two ids and perhaps a weight, in five formats that differ in little. */
#ifndef GWS_IO_LINES_H
#define GWS_IO_LINES_H

#include "../graph_io.h"
#include "../input/buffer.h"
#include "edges.h"

struct gws__syntax {
    char tag;            /* the letter before each edge, or 0 */
    const char *comment; /* letters that begin a line without an edge */
    bool comma;          /* ids may be apart by one, with or without blanks */
    bool weighted;       /* a third number follows */
    enum gws_weights weights;
    uint64_t base;     /* the smallest id */
    uint64_t vertices; /* ids are below base + vertices; 0 with free: any 64-bit number */
    bool free;
};

/* Reads all that is left of the input as such lines; blank ones are allowed. Ids come out less the base. Without free
 * there are at most 2^32 - 1 vertices, and no wide blocks. */
gws_status gws__lines_read(struct gws__input *input, const struct gws__syntax *syntax, struct gws__edges *edges);

/* Reads an id of base .. base + vertices - 1 at *p and moves *p behind it. */
gws_status gws__lines_id(const struct gws__piece *piece, const struct gws__syntax *syntax, const char **p,
                         const char *end, uint64_t *id);

/* Reads a weight as syntax->weights says. */
gws_status gws__lines_weight(const struct gws__piece *piece, enum gws_weights weights, const char **p, const char *end,
                             int32_t *weight);

/* Looks at the comment at p, which is passed over: GWS_SYNTAX where it has a flaw (see gws__line_flaw()). */
gws_status gws__lines_passed(const struct gws__piece *piece, const char *p, const char *end);

/* The word at p as it can be shown in a message: at most 24 bytes, printable; "the end of the line". */
struct gws__shown {
    char text[32];
};
struct gws__shown gws__lines_show(const char *p, const char *end);

#endif
