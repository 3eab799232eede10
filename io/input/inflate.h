/* SPDX-License-Identifier: MIT */
/* Gzip to text: any number of members one after the other (RFC 1952, 2.2), with zeros behind them as tapes leave
 * them. */
#ifndef GWS_IO_INFLATE_H
#define GWS_IO_INFLATE_H

#include <stdbool.h>
#include <stdint.h>

#include "../../lib/parallel.h" /* gws_allocate */
#include "input.h"

/* Engines that inflate raw deflate data (RFC 1951). All take and refuse the same gzip files: what stands around the
 * data is checked in one place for all of them, in member.c. */

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

/* What stands around the data of a gzip member (RFC 1952, 2.3): its head, and the checksum and length behind. */

/* Where in a member the next byte belongs. Those before the data stand in the order of the file; the ones that the
 * flags leave out are passed over. */
enum gws__member_stage {
    GWS__MEMBER_FIXED,
    GWS__MEMBER_EXTRA_SIZE,
    GWS__MEMBER_EXTRA,
    GWS__MEMBER_NAME,
    GWS__MEMBER_COMMENT,
    GWS__MEMBER_HEAD_CHECK,
    GWS__MEMBER_DATA,
    GWS__MEMBER_TAIL,
    GWS__MEMBER_OVER
};

struct gws__member {
    enum gws__member_stage stage;
    uint32_t at;     /* bytes of the stage taken */
    uint32_t flags;  /* the head's byte of flags */
    uint32_t number; /* the stage's number so far, lowest byte first */
    uint32_t extra;  /* bytes of the extra field */
    uint32_t check;  /* CRC-32 of the head, then of the text */
    uint64_t length; /* of the text */
};

/* Takes a byte of the head or the tail; what is wrong with it, or NULL. */
const char *gws__member_byte(struct gws__member *member, const struct gws__engine *engine, unsigned char byte);

/* Takes text that the data made. */
void gws__member_text(struct gws__member *member, const struct gws__engine *engine, const void *text, uint64_t size);

/* ---- all of it ---- */

/* With the quickest engine of this build, or with the one given. NULL when memory is short. */
struct gws__inflater *gws__inflater_new(struct gws_runtime *runtime);
struct gws__inflater *gws__inflater_new_with(struct gws_runtime *runtime, const struct gws__engine *engine);
void gws__inflater_free(struct gws__inflater *inflater);

/* Gets more compressed bytes: sets input->at and input->end, which are equal at the end of the file. */
typedef gws_status gws__refill(struct gws__input *input);

/* Fills up to size bytes of text; fewer than size only at the end.
 * Errors: GWS_TRUNCATED, GWS_CORRUPT (bad data or checksum, or something else behind the last member), GWS_NO_MEMORY,
 * those of refill. */
gws_status gws__inflate(struct gws__input *input, gws__refill *refill, void *bytes, uint64_t size, uint64_t *got);

#endif
