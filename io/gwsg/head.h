/* SPDX-License-Identifier: MIT */
/* The head of a .gwsg file (gwsg.h has the layout) between bytes and a struct. */
#ifndef GWS_IO_GWSG_GWSG_HEAD_H
#define GWS_IO_GWSG_GWSG_HEAD_H

#include <stdbool.h>

#include "../../lib/status.h"

enum { GWS__GWSG_PAGE = 4096, GWS__GWSG_VERSION = 1 };

/* Sections by kind; the file numbers them from 1. */
enum gws__gwsg_kind { GWS__GWSG_OFFSET, GWS__GWSG_TARGET, GWS__GWSG_WEIGHT, GWS__GWSG_POSITION, GWS__GWSG_ID };
enum { GWS__GWSG_KINDS = GWS__GWSG_ID + 1 };

struct gws__gwsg_section {
    bool present;
    uint64_t offset; /* in the file */
    uint64_t bytes;
    uint64_t checksum;
};

struct gws__gwsg_head {
    bool directed;
    uint64_t vertices;
    uint64_t arcs;
    uint64_t first_id;
    uint64_t size; /* of the file */
    struct gws__gwsg_section section[GWS__GWSG_KINDS];
};

/* "offset", "target" ... for messages. */
const char *gws__gwsg_kind_name(enum gws__gwsg_kind kind);

/* Sets place and length of every section that is present, and the file's size, from vertices and arcs. False if a size
 * overflows. */
bool gws__gwsg_head_place(struct gws__gwsg_head *head);

/* Bytes of a placed head, checksum included; and back. Decoding answers GWS_UNKNOWN_FORMAT, GWS_UNSUPPORTED,
 * GWS_CORRUPT or GWS_TOO_LARGE with file and message in where; a decoded head is consistent in itself: every section
 * lies where it must, within size. */
void gws__gwsg_head_encode(const struct gws__gwsg_head *head, unsigned char page[GWS__GWSG_PAGE]);
gws_status gws__gwsg_head_decode(const unsigned char page[GWS__GWSG_PAGE], const char *path,
                                 struct gws__gwsg_head *head, struct gws_where *where);

/* Compares only the first bytes (size of them) with the magic: GWS_UNKNOWN_FORMAT, GWS_TRUNCATED if they end too early
 * for a head. */
gws_status gws__gwsg_head_begins(const unsigned char *bytes, uint64_t size, const char *path, struct gws_where *where);

#endif
