/* SPDX-License-Identifier: MIT */
/* Z_SYNC_FLUSH makes zlib end each block on a byte boundary. The tail has the last block, which is empty (bytes 03 00).
 */
#include "gzip.h"

#include <stdbool.h>
#include <zlib.h>

#include "../input/inflate.h"

enum { raw_deflate = -15, memory_level = 8, flush_bytes = 64 };

/* The magic, deflate, no flags, no time (so the same input gives the same file), and Unix as the system. */
const unsigned char gws__gzip_head[GWS__GZIP_HEAD] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3};

void gws__gzip_tail(unsigned char tail[GWS__GZIP_TAIL], uint32_t crc, uint64_t size)
{
    tail[0] = 3;
    tail[1] = 0;
    for (int i = 0; i < 4; i++) {
        tail[2 + i] = (unsigned char)(crc >> (8 * i));
        tail[6 + i] = (unsigned char)(size >> (8 * i));
    }
}

uint64_t gws__gzip_bound(uint64_t size)
{
    return compressBound((uLong)size) + flush_bytes;
}

gws_status gws__gzip_block(struct gws_runtime *runtime, const char *bytes, uint64_t size, unsigned char *compressed,
                           uint64_t *compressed_size, uint32_t *crc)
{
    z_stream stream = {.zalloc = gws__zlib_allocate, .zfree = gws__zlib_release, .opaque = runtime};
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, raw_deflate, memory_level, Z_DEFAULT_STRATEGY) != Z_OK)
        return GWS_NO_MEMORY;
    const uint64_t capacity = gws__gzip_bound(size);
    stream.next_in = (Bytef *)bytes; /* zlib's pointer is not const, but zlib only reads */
    stream.avail_in = (uInt)size;
    stream.next_out = compressed;
    stream.avail_out = (uInt)capacity;
    const int answer = deflate(&stream, Z_SYNC_FLUSH);
    const bool whole = answer == Z_OK && stream.avail_in == 0 && stream.avail_out > 0;
    *compressed_size = capacity - stream.avail_out;
    *crc = (uint32_t)crc32(0, (const Bytef *)bytes, (uInt)size);
    deflateEnd(&stream);
    return whole ? GWS_OK : GWS_INVALID;
}
