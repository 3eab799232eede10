/* SPDX-License-Identifier: MIT */
/* Writing results. */
#ifndef GWS_TABLE_IO_H
#define GWS_TABLE_IO_H

#include "../lib/table.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Writes the table to path. The suffix chooses the format: .csv, .tsv (a header line; a missing value is an empty
 * field), .npy (a structured array with the columns' names, int64 or float64; a missing integer is -1), each with an
 * optional .gz; "-" is CSV on standard output. The file is written whole or not at all (output_io.h). Errors:
 * GWS_UNKNOWN_FORMAT (another suffix), GWS_SYSTEM, GWS_NO_MEMORY. */
GWS_API gws_status gws_table_write(struct gws_runtime *runtime, const struct gws_table *table, const char *path,
                                   struct gws_diagnostic *where);

#ifdef __cplusplus
}
#endif
#endif
