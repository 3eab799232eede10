/* SPDX-License-Identifier: MIT */
/* Output that is whole or not there at all, compressed when its name ends in .gz, and made by all workers.
 *
 *     status = gws__output_open(runtime, path, where, &output);
 *     if (status != GWS_OK) return status;
 *     status = gws__output_write(output, ...);
 *     return gws__output_close(output, status);
 *
 * Compressed output is one gzip member whose blocks are deflated in parallel, each without looking back at the one
 * before (as pigz -i), so it is the same whatever the number of threads. */
#ifndef GWS_IO_OUTPUT_OUTPUT_H
#define GWS_IO_OUTPUT_OUTPUT_H

#include <stdbool.h>

#include "../../lib/parallel.h"

struct gws__output;

/* Opens path ("-": standard output, never compressed). path and where (may be NULL) must live until close; where is
 * filled by whatever fails. Errors: GWS_SYSTEM, GWS_NO_MEMORY. */
gws_status gws__output_open(struct gws_runtime *runtime, const char *path, struct gws_where *where,
                            struct gws__output **output);

/* Appends bytes; large ones are not copied. Errors: GWS_SYSTEM, GWS_NO_MEMORY. */
gws_status gws__output_write(struct gws__output *output, const void *bytes, uint64_t size);

/* Appends a line or so, as printf. GWS_TOO_LARGE past 1023 bytes. */
gws_status gws__output_print(struct gws__output *output, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Items to be set as text (or any bytes) piece by piece, on all workers at once; the pieces come out in order. */
struct gws__output_pieces {
    uint64_t count;      /* items */
    uint64_t item_bytes; /* the most that one of them takes */
    /* Sets items begin .. end - 1 at text and returns the end of what it wrote. */
    char *(*set)(void *context, uint64_t begin, uint64_t end, char *text);
    void *context;
};
gws_status gws__output_pieces(struct gws__output *output, const struct gws__output_pieces *pieces);

/* Ends the output: when status is GWS_OK the file takes its place, otherwise nothing is left of it. Frees output and
 * returns status, or what failed at the end. */
gws_status gws__output_close(struct gws__output *output, gws_status status);

/* True if name ends in ending, and is more than that. */
bool gws__output_ends(const char *name, const char *ending);

#endif
