/* SPDX-License-Identifier: MIT */
/* The lines that a file of points begins with, whatever comes behind them: they are read from the input's first bytes,
 * which stay to be taken. */
#ifndef GWS_IO_POINTS_HEADER_H
#define GWS_IO_POINTS_HEADER_H

#include "../text/reader.h"
#include "schema.h"

enum { GWS__HEADER_BYTES = 1 << 17 };

struct gws__header {
    struct gws__input *input;
    const char *text, *at, *end;
    uint64_t lines; /* taken */
    bool all;       /* text is the whole input */
};

/* Looks at the first bytes. Before anything is taken but a byte-order mark. */
gws_status gws__header_open(struct gws__input *input, struct gws__header *header);

/* Takes the next line, its words in *words; what is what should be there, for the message at the end of the input. */
gws_status gws__header_line(struct gws__header *header, const char *what, struct gws__words *words);

/* The bytes of the lines that were taken. */
uint64_t gws__header_bytes(const struct gws__header *header);

/* Takes the lines from the input itself, for text to go on behind them. */
gws_status gws__header_skip(const struct gws__header *header);

/* Adds a field; on failure where names the line. */
gws_status gws__header_field(const struct gws__header *header, struct gws__schema *schema, const char *name,
                             size_t length, enum gws_number_kind kind);

/* What every reader of a format is. The header is open, nothing is taken of it; the schema is empty and closed by the
 * caller. */
struct gws__points_reading {
    struct gws__header header;
    const struct gws_points_read_options *options;
    struct gws__schema schema;
};

typedef gws_status gws__points_reader(struct gws__points_reading *reading, struct gws_points *points);

gws__points_reader gws__points_read_ply, gws__points_read_pcd, gws__points_read_xyz, gws__points_read_las,
    gws__points_read_npy, gws__points_read_raw, gws__points_read_gwsp;

#endif
