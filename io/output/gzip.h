/* SPDX-License-Identifier: MIT */
/* Gzip data (RFC 1952) from blocks of raw deflate (RFC 1951), each compressed on its own. */
#ifndef GWS_IO_OUTPUT_GZIP_H
#define GWS_IO_OUTPUT_GZIP_H

#include "../../lib/runtime.h"

enum { GWS__GZIP_HEAD = 10, GWS__GZIP_TAIL = 10 };

extern const unsigned char gws__gzip_head[GWS__GZIP_HEAD];

/* Writes the tail, for all blocks' CRC-32 and size. */
void gws__gzip_tail(unsigned char tail[GWS__GZIP_TAIL], uint32_t crc, uint64_t size);

/* Returns the largest size of a compressed block. */
uint64_t gws__gzip_bound(uint64_t size);

/* Compresses a block into gws__gzip_bound(size) bytes. Errors: GWS_NO_MEMORY, GWS_INVALID. */
gws_status gws__gzip_block(struct gws_runtime *runtime, const char *bytes, uint64_t size, unsigned char *compressed,
                           uint64_t *compressed_size, uint32_t *crc);

#endif
