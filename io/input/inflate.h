/* SPDX-License-Identifier: MIT */
/* Gzip to text: any number of consecutive members (RFC 1952, 2.2), with optional zeros after the last one, as on
 * tapes. */
#ifndef GWS_IO_INFLATE_H
#define GWS_IO_INFLATE_H

#include <stdbool.h>
#include <stdint.h>

#include "../../lib/parallel.h" /* gws_allocate */
#include "input.h"

/* Backends that inflate raw deflate data (RFC 1951). All of them accept and refuse the same gzip files because
 * inflate.c checks headers and trailers for all. */

enum gws__inflate_end {
    GWS__INFLATE_MORE, /* consumed and produced as much as possible */
    GWS__INFLATE_ENDED,
    GWS__INFLATE_BAD_DATA,
    GWS__INFLATE_NO_MEMORY
};

/* A step advances both pointers and reduces both sizes. */
struct gws__inflate_step {
    const unsigned char *in;
    unsigned char *out;
    uint64_t in_size, out_size;
    unsigned char unread[8]; /* at the end: bytes that were read ahead and follow the data ... */
    unsigned unread_size;    /* ... and their number */
};

struct gws__inflate_backend {
    const char *name;
    /* NULL when memory is short. The state is ready for the first member. */
    void *(*open)(struct gws_runtime *runtime);
    void (*close)(struct gws_runtime *runtime, void *state);
    void (*restart)(void *state);
    /* Both sizes may be 0. A backend may hold output back only while out_size is 0. */
    enum gws__inflate_end (*step)(void *state, struct gws__inflate_step *step);
    /* The CRC-32 of gzip; 0 is the initial value. */
    uint32_t (*checksum)(uint32_t before, const void *bytes, uint64_t size);
};

extern const struct gws__inflate_backend gws__inflate_zlib;

/* Memory for zlib from a runtime: zalloc, zfree. */
void *gws__zlib_allocate(void *runtime, unsigned count, unsigned size);
void gws__zlib_release(void *runtime, void *memory);

/* NULL if this build is without ISA-L. */
extern const struct gws__inflate_backend *const gws__inflate_isal;

/* An inflater with the fastest backend of this build, or with the given one. NULL when memory is short. */
struct gws__inflater *gws__inflater_new(struct gws_runtime *runtime);
struct gws__inflater *gws__inflater_new_with(struct gws_runtime *runtime, const struct gws__inflate_backend *backend);
void gws__inflater_free(struct gws__inflater *inflater);

/* Reads more compressed bytes and sets input->at and input->end; they are equal at the end of the file. */
typedef gws_status gws__refill(struct gws__input *input);

/* Fills up to size bytes of text; fewer only at the end. Errors: GWS_TRUNCATED, GWS_CORRUPT (bad data or checksum, or
 * other bytes after the last member), GWS_NO_MEMORY, those of refill. */
gws_status gws__inflate(struct gws__input *input, gws__refill *refill, void *bytes, uint64_t size, uint64_t *got);

#endif
