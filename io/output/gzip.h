/* SPDX-License-Identifier: MIT */
/* One block of a gzip member, compressed by itself. */
#ifndef GWS_IO_OUTPUT_GZIP_H
#define GWS_IO_OUTPUT_GZIP_H

#include "../../lib/parallel.h"

/* The most that size bytes (below 2^30) become. */
uint64_t gws__gzip_bound(uint64_t size);

/* Deflates size bytes into packed, which has room for gws__gzip_bound(size), ending on a byte: blocks can be put one
 * after the other. GWS_NO_MEMORY. May be called by several threads at once. */
gws_status gws__gzip_block(struct gws_runtime *runtime, const void *bytes, uint64_t size, void *packed,
                           uint64_t *packed_size);

enum { GWS__GZIP_HEAD = 10, GWS__GZIP_TAIL = 10 };

/* What stands before the blocks and, given the CRC-32 and size of the whole, after them. */
void gws__gzip_head(unsigned char head[GWS__GZIP_HEAD]);
void gws__gzip_tail(unsigned char tail[GWS__GZIP_TAIL], uint32_t crc, uint64_t size);

#endif
