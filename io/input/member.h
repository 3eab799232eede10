/* SPDX-License-Identifier: MIT */
/* What stands around the data of a gzip member (RFC 1952, 2.3): its head, and the checksum and length behind. */
#ifndef GWS_IO_MEMBER_H
#define GWS_IO_MEMBER_H

#include <stdbool.h>
#include <stdint.h>

#include "engine.h"

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

#endif
