/* SPDX-License-Identifier: MIT */
/* Inflates gzip to text. The input is any number of consecutive members (RFC 1952, 2.2), with optional zeros after the
 * last member, as on tapes. */
#ifndef GWS_IO_INFLATE_H
#define GWS_IO_INFLATE_H

#include <stdbool.h>
#include <stdint.h>

#include "../../lib/parallel.h" /* for gws_allocate() */
#include "input.h"

/* Backends that inflate raw deflate data (RFC 1951). All backends accept and refuse the same gzip files because
 * inflate.c checks headers and trailers for all. */

enum gws__inflate_end {
    GWS__INFLATE_MORE, /* the step consumed and produced as much as possible */
    GWS__INFLATE_ENDED,
    GWS__INFLATE_BAD_DATA,
    GWS__INFLATE_NO_MEMORY
};

/* A step advances both pointers and reduces both sizes. */
struct gws__inflate_step {
    const unsigned char *in;
    unsigned char *out;
    uint64_t in_size, out_size;
    unsigned char unread[8]; /* at the end: the bytes that the backend has read ahead, after the data */
    unsigned unread_size;    /* number of bytes in unread */
};

struct gws__inflate_backend {
    const char *name;
    /* Returns a state that is ready for the first member, or NULL when memory is short. */
    void *(*open)(struct gws_runtime *runtime);
    void (*close)(struct gws_runtime *runtime, void *state);
    void (*restart)(void *state);
    /* Both sizes may be 0. A backend may hold output back only while out_size is 0. */
    enum gws__inflate_end (*step)(void *state, struct gws__inflate_step *step);
    /* Computes the CRC-32 of gzip. 0 is the initial value. */
    uint32_t (*checksum)(uint32_t before, const void *bytes, uint64_t size);
};

extern const struct gws__inflate_backend gws__inflate_zlib;

/* Implement zlib's zalloc and zfree with memory from a runtime. */
void *gws__zlib_allocate(void *runtime, unsigned count, unsigned size);
void gws__zlib_release(void *runtime, void *memory);

/* The backend with ISA-L, or NULL if this build is without ISA-L. */
extern const struct gws__inflate_backend *const gws__inflate_isal;

/* Returns an inflater with the fastest backend of this build, or with the given backend, or NULL when memory is
 * short. */
struct gws__inflater *gws__inflater_new(struct gws_runtime *runtime);
struct gws__inflater *gws__inflater_new_with(struct gws_runtime *runtime, const struct gws__inflate_backend *backend);
void gws__inflater_free(struct gws__inflater *inflater);

/* Reads more compressed bytes and sets input->at and input->end, which are equal at the end of the file. */
typedef gws_status gws__refill(struct gws__input *input);

/* Reads size bytes of text, or fewer at the end of the text. Errors: GWS_TRUNCATED, GWS_CORRUPT (bad data or checksum,
 * or other bytes after the last member), GWS_NO_MEMORY, those of refill. */
gws_status gws__inflate(struct gws__input *input, gws__refill *refill, void *bytes, uint64_t size, uint64_t *got);

#endif
