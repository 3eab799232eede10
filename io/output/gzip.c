/* SPDX-License-Identifier: MIT */
/* gzip (RFC 1952) from blocks of raw deflate (RFC 1951) that zlib ends on a byte boundary with Z_SYNC_FLUSH; the last
 * block of the stream is an empty one of fixed codes, bytes 03 00, which the tail brings. */
#include "output.h"

#include <string.h>
#include <zlib.h>

#include "../input/inflate.h"

enum { raw_deflate = -15, memory_level = 8, flush_room = 64 };

uint64_t gws__gzip_bound(uint64_t size)
{
    return compressBound((uLong)size) + flush_room;
}

gws_status gws__gzip_block(struct gws_runtime *runtime, const void *bytes, uint64_t size, void *packed,
                           uint64_t *packed_size)
{
    z_stream stream = {.zalloc = gws__zlib_allocate, .zfree = gws__zlib_release, .opaque = runtime};
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, raw_deflate, memory_level, Z_DEFAULT_STRATEGY) != Z_OK)
        return GWS_NO_MEMORY;
    uint64_t room = gws__gzip_bound(size);
    stream.next_in = (Bytef *)bytes; /* only read: zlib's own member is not const */
    stream.avail_in = (uInt)size;
    stream.next_out = packed;
    stream.avail_out = (uInt)room;
    int answer = deflate(&stream, Z_SYNC_FLUSH);
    bool whole = answer == Z_OK && stream.avail_in == 0 && stream.avail_out > 0;
    if (whole) *packed_size = room - stream.avail_out;
    deflateEnd(&stream);
    return whole ? GWS_OK : GWS_INVALID;
}

void gws__gzip_head(unsigned char head[GWS__GZIP_HEAD])
{
    /* Magic, deflate, no flags, no time: the same input gives the same file; made on Unix. */
    static const unsigned char bytes[GWS__GZIP_HEAD] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3};
    memcpy(head, bytes, sizeof bytes);
}

void gws__gzip_tail(unsigned char tail[GWS__GZIP_TAIL], uint32_t crc, uint64_t size)
{
    tail[0] = 3;
    tail[1] = 0;
    for (int i = 0; i < 4; i++) {
        tail[2 + i] = (unsigned char)(crc >> (8 * i));
        tail[6 + i] = (unsigned char)(size >> (8 * i));
    }
}
