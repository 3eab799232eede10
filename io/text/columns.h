/* SPDX-License-Identifier: MIT */
/* The columns of an edge list, which its first lines determine. */
#ifndef GWS_IO_TEXT_COLUMNS_H
#define GWS_IO_TEXT_COLUMNS_H

#include "fields.h"
#include "name_table.h"

enum { GWS__MAX_COLUMNS = 64, GWS__NO_COLUMN = GWS__MAX_COLUMNS };

struct gws__columns {
    char separator;            /* the separator for gws__field_next() */
    unsigned count;            /* columns of each line, at most GWS__MAX_COLUMNS */
    unsigned from, to, weight; /* the weight may be GWS__NO_COLUMN */
    bool dictionary;           /* the weight column is a dictionary, as networkx writes it */
    bool weighted;
    bool names; /* ids are text */
    bool plain; /* gws__lines_read() can read the lines: two numbers, and at most a weight */
};

/* The first line of an edge list that is neither blank nor a comment. */
struct gws__first_line {
    char separator;
    unsigned count; /* number of fields, of which at most GWS__MAX_COLUMNS are stored */
    struct gws__text_field field[GWS__MAX_COLUMNS];
    unsigned plain; /* 2 or 3 if the line is as many numbers, two of them ids, between blanks or commas; else 0 */
};

/* Splits a line by its separator. The separator is the first of tab, semicolon and comma that the line has outside
 * quotes, else blanks. Returns GWS_SYNTAX for a fault in a field. */
gws_status gws__first_line_split(const struct gws__input *input, const struct gws__text_line *line,
                                 struct gws__first_line *first);

/* Finds columns by their names. The ends are source, src or from, and target, dst or to. The weight is weight. Case,
 * punctuation, and "id" or "node" at the end of a name do not matter. Returns false unless both ends have a column. */
bool gws__columns_by_name(const struct gws__first_line *header, struct gws__columns *columns);

/* Finds columns by their positions in the header or the first edge, first the ends, then the weight. An unnamed first
 * column in a header of more than two columns is an index. */
void gws__columns_by_position(const struct gws__first_line *line, struct gws__columns *columns);

/* Returns true if both ends of the line can be ids that are numbers, or neither can. */
bool gws__columns_has_ids(const struct gws__first_line *line, const struct gws__columns *columns);
bool gws__columns_has_text(const struct gws__first_line *line, const struct gws__columns *columns);

/* Completes the columns from the first edge: the number of columns, and the kinds of the ids and of the weight column.
 * Logs which columns the reader skips. by_name: the header gave the positions. Errors: GWS_SYNTAX (the edge has fewer
 * columns). */
gws_status gws__columns_complete(const struct gws__input *input, const struct gws__text_line *line,
                                 const struct gws__first_line *edge, bool by_name, struct gws__columns *columns);

/* Reads the rest of the input, or one line of the header, as lines of these columns. names is NULL if ids are
 * numbers. */
gws_status gws__table_read(struct gws__input *input, const struct gws__columns *columns,
                           const struct gws__syntax *syntax, struct gws__name_tables *names, struct gws__edges *edges);
gws_status gws__table_read_line(struct gws__input *input, const struct gws__text_line *line,
                                const struct gws__columns *columns, const struct gws__syntax *syntax,
                                struct gws__name_tables *names, struct gws__edges *edges);

#endif
