/* SPDX-License-Identifier: MIT */
/* Outputs (io/output_io.h) that all workers make together.
 *
 * Compressed output is one gzip member. Workers deflate its blocks in parallel, each without a reference to the
 * previous block (as pigz -i does), so the output does not depend on the number of threads. */
#ifndef GWS_IO_OUTPUT_OUTPUT_H
#define GWS_IO_OUTPUT_OUTPUT_H

#include <stdbool.h>

#include "../../lib/base/draft.h"
#include "../../lib/parallel.h"
#include "../output_io.h"

/* Items that all workers format as text (or any bytes) chunk by chunk. The output has the items in order. */
struct gws__output_chunks {
    uint64_t count;      /* items */
    uint64_t item_bytes; /* largest size of one item */
    /* Formats items begin .. end - 1 at text and returns the end of its output. */
    char *(*format)(void *context, uint64_t begin, uint64_t end, char *text);
    void *context;
};
gws_status gws__output_chunks(struct gws_output *output, const struct gws__output_chunks *chunks);

/* Only output.c changes an output. Writers may read .runtime, .where and .file.path. */
struct gws_output {
    struct gws_runtime *runtime;
    struct gws_diagnostic *where;
    char *buffer; /* of one block, of which the first `filled` are in use */
    uint64_t filled;
    uint32_t blocks; /* number of blocks in a batch */
    bool gzip;
    uint32_t crc;  /* CRC-32 of all text written so far, for gzip */
    uint64_t size; /* bytes of that text */
    struct gws__draft file;
};

/* Returns true if name is longer than suffix and ends in suffix, or in suffix and .gz. */
bool gws__output_ends(const char *name, const char *suffix);

/* A field of a structured array: its name (without quotes or backslashes) and its type such as "<f4". */
typedef void gws__npy_field(const void *context, uint32_t i, const char **name, const char **type);

/* Writes the head of a .npy file, up to the rows. Returns GWS_TOO_LARGE if the head would be longer than the format
 * allows. */
gws_status gws__npy_head(struct gws_output *output, uint64_t rows, uint32_t fields, gws__npy_field *field,
                         const void *context);

#endif
