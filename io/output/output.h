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

/* Returns how many items the workers format at once. Compressed output is the same whether the items come in one call
 * of gws__output_chunks() or in calls of multiples of this number. */
uint64_t gws__output_batch(const struct gws_output *output, uint64_t item_bytes);

/* Sets *bytes to the size of the text that gws__output_chunks() would write, by formatting it. */
gws_status gws__output_measure(struct gws_runtime *runtime, const struct gws__output_chunks *chunks, const char *path,
                               struct gws_diagnostic *where, uint64_t *bytes);

/* ---- parts of one file by several processes of a host ---- */

/* Sets *bytes to the bytes written so far, or to 0 if other processes cannot write parts: a device, a pipe, compressed
 * output. Sets *place otherwise. */
gws_status gws__output_share(struct gws_output *output, struct gws__draft_place *place, uint64_t *bytes);

/* Opens the output of another process from byte `offset` on. gws_output_close() then leaves the file's name to the
 * process that opened the file. */
gws_status gws__output_join(struct gws_runtime *runtime, const char *path, const struct gws__draft_place *place,
                            uint64_t offset, struct gws_diagnostic *where, struct gws_output **output);

/* Only output.c changes an output. Writers may read .runtime, .where and .file.path. */
struct gws_output {
    struct gws_runtime *runtime;
    struct gws_diagnostic *where;
    char *buffer; /* of one block, of which the first `filled` are in use */
    uint64_t filled;
    uint32_t blocks; /* number of blocks in a batch */
    bool gzip;
    uint32_t crc;     /* CRC-32 of all text written so far, for gzip */
    uint64_t size;    /* bytes of that text */
    uint64_t written; /* bytes of the file */
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
