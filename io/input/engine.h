/* SPDX-License-Identifier: MIT */
/* Engines that inflate raw deflate data (RFC 1951). All take and refuse the same gzip files: what stands around the
 * data is checked in one place for all of them, in member.c. */
#ifndef GWS_IO_ENGINE_H
#define GWS_IO_ENGINE_H

#include <stdint.h>

#include "../../lib/parallel.h" /* gws_allocate */

enum gws__engine_end {
    GWS__ENGINE_MORE, /* took and made what it could */
    GWS__ENGINE_ENDED,
    GWS__ENGINE_BAD_DATA,
    GWS__ENGINE_NO_MEMORY
};

/* Moves what it takes and makes: both pointers go forward, both sizes down. */
struct gws__engine_step {
    const unsigned char *in;
    unsigned char *out;
    uint64_t in_size, out_size;
    unsigned char behind[8]; /* when it ended: bytes that it took before and that stand behind the data ... */
    unsigned behind_size;    /* ... and how many */
};

struct gws__engine {
    const char *name;
    /* NULL when memory is short. The state is ready for the first member. */
    void *(*open)(struct gws_runtime *runtime);
    void (*close)(struct gws_runtime *runtime, void *state);
    void (*restart)(void *state);
    /* Both sizes may be 0. Output may be held back only while out_size is 0. */
    enum gws__engine_end (*step)(void *state, struct gws__engine_step *step);
    /* CRC-32 of gzip, from 0 on. */
    uint32_t (*checksum)(uint32_t before, const void *bytes, uint64_t size);
};

const struct gws__engine *gws__engine_zlib(void);

/* NULL: this build is without it. */
const struct gws__engine *gws__engine_isal(void);

#endif
