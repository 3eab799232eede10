/* SPDX-License-Identifier: MIT */
/* Outputs (io/output_io.h) made by all workers.
 *
 * Compressed output is one gzip member whose blocks are deflated in parallel, each without looking back at the one
 * before (as pigz -i), so it is the same whatever the number of threads. */
#ifndef GWS_IO_OUTPUT_OUTPUT_H
#define GWS_IO_OUTPUT_OUTPUT_H

#include <stdbool.h>

#include "../../lib/parallel.h"
#include "../output_io.h"

/* Items to be set as text (or any bytes) chunk by chunk, on all workers at once; the chunks come out in order. */
struct gws__output_chunks {
    uint64_t count;      /* items */
    uint64_t item_bytes; /* the max that one of them takes */
    /* Sets items begin .. end - 1 at text and returns the end of what it wrote. */
    char *(*format)(void *context, uint64_t begin, uint64_t end, char *text);
    void *context;
};
gws_status gws__output_chunks(struct gws_output *output, const struct gws__output_chunks *chunks);

/* True if name ends in ending, or in that and .gz, and is more than that. */
bool gws__output_ends(const char *name, const char *ending);

/* A field of a structured array: its name (without quotes or backslashes) and its type such as "<f4". */
typedef void gws__npy_field(const void *context, uint32_t i, const char **name, const char **type);

/* Writes what stands before the rows in a .npy file. GWS_TOO_LARGE: more fields than it can describe. */
gws_status gws__npy_head(struct gws_output *output, uint64_t rows, uint32_t fields, gws__npy_field *field,
                         const void *context);

#endif
