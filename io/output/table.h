/* SPDX-License-Identifier: MIT */
/* The rows of a table (io/table_io.h), for the writers of one process and of ranks. */
#ifndef GWS_IO_OUTPUT_TABLE_H
#define GWS_IO_OUTPUT_TABLE_H

#include "../table_io.h"
#include "output.h"

struct gws__table_rows {
    const struct gws_table *table;
    uint64_t first;     /* the row of the file that the columns' first entries belong to */
    char separator;     /* 0: .npy */
    uint64_t longest;   /* length of the longest name of a vertex; 0: ids are numbers */
    char name_type[24]; /* the type of names in .npy */
};

/* Chooses the format by the path, and checks the table. Errors: GWS_UNKNOWN_FORMAT, GWS_INVALID, GWS_OUT_OF_RANGE. */
gws_status gws__table_rows_open(const struct gws_table *table, const char *path, struct gws__table_rows *rows,
                                struct gws_diagnostic *where);

/* Opens the file, and writes the head for table->rows rows. */
gws_status gws__table_begin(struct gws_runtime *runtime, const struct gws__table_rows *rows, const char *path,
                            struct gws_diagnostic *where, struct gws_output **output);

/* Returns the chunks of the first `count` entries of the columns. rows must outlive them. */
struct gws__output_chunks gws__table_chunks(struct gws__table_rows *rows, uint64_t count);

#endif
