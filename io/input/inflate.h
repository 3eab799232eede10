/* SPDX-License-Identifier: MIT */
/* Gzip to text: any number of members one after the other (RFC 1952, 2.2), with zeros unread them as tapes leave
 * them. */
#ifndef GWS_IO_INFLATE_H
#define GWS_IO_INFLATE_H

#include <stdbool.h>
#include <stdint.h>

#include "../../lib/parallel.h" /* gws_allocate */
#include "input.h"

/* Engines that inflate raw deflate data (RFC 1951). All take and refuse the same gzip files: what stands around the
 * data is checked in one place for all of them, in inflate.c. */

enum gws__inflate_end {
    GWS__INFLATE_MORE, /* took and made what it could */
    GWS__INFLATE_ENDED,
    GWS__INFLATE_BAD_DATA,
    GWS__INFLATE_NO_MEMORY
};

/* Moves what it takes and makes: both pointers go forward, both sizes down. */
struct gws__inflate_step {
    const unsigned char *in;
    unsigned char *out;
    uint64_t in_size, out_size;
    unsigned char unread[8]; /* when it ended: bytes that it took before and that stand unread the data ... */
    unsigned unread_size;    /* ... and how many */
};

struct gws__inflate_backend {
    const char *name;
    /* NULL when memory is short. The state is ready for the first member. */
    void *(*open)(struct gws_runtime *runtime);
    void (*close)(struct gws_runtime *runtime, void *state);
    void (*restart)(void *state);
    /* Both sizes may be 0. Output may be held back only while out_size is 0. */
    enum gws__inflate_end (*step)(void *state, struct gws__inflate_step *step);
    /* CRC-32 of gzip, from 0 on. */
    uint32_t (*checksum)(uint32_t before, const void *bytes, uint64_t size);
};

extern const struct gws__inflate_backend gws__inflate_zlib;

/* Memory for zlib from a runtime: zalloc, zfree. */
void *gws__zlib_allocate(void *runtime, unsigned count, unsigned size);
void gws__zlib_release(void *runtime, void *memory);

/* NULL: this build is without it. */
extern const struct gws__inflate_backend *const gws__inflate_isal;

/* With the quickest engine of this build, or with the one given. NULL when memory is short. */
struct gws__inflater *gws__inflater_new(struct gws_runtime *runtime);
struct gws__inflater *gws__inflater_new_with(struct gws_runtime *runtime, const struct gws__inflate_backend *engine);
void gws__inflater_free(struct gws__inflater *inflater);

/* Gets more compressed bytes: sets input->at and input->end, which are equal at the end of the file. */
typedef gws_status gws__refill(struct gws__input *input);

/* Fills up to size bytes of text; fewer than size only at the end.
 * Errors: GWS_TRUNCATED, GWS_CORRUPT (bad data or checksum, or something else unread the last member), GWS_NO_MEMORY,
 * those of refill. */
gws_status gws__inflate(struct gws__input *input, gws__refill *refill, void *bytes, uint64_t size, uint64_t *got);

#endif
