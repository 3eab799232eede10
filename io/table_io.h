/* SPDX-License-Identifier: MIT */
/* Writes results as tables. */
#ifndef GWS_TABLE_IO_H
#define GWS_TABLE_IO_H

#include "../lib/table.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Writes the table to path. The suffix chooses the format, before an optional .gz. .csv and .tsv have a header line.
 * In them a missing value is an empty field, and names of vertices are in quotes where needed. .npy has a structured
 * array with the columns' names, int64 or float64. A missing integer is -1. Names in .npy are bytes of the longest
 * name's length, and a missing name is empty. "-" writes CSV to standard output. The call writes the whole file or
 * none (output_io.h). Errors: GWS_UNKNOWN_FORMAT (another suffix), GWS_SYSTEM, GWS_NO_MEMORY. */
GWS_API gws_status gws_table_write(struct gws_runtime *runtime, const struct gws_table *table, const char *path,
                                   struct gws_diagnostic *where);

#ifdef __cplusplus
}
#endif
#endif
