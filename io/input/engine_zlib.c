/* SPDX-License-Identifier: MIT */
/* Inflating with zlib, which is everywhere. */
#include <limits.h>
#include <string.h>
#include <zlib.h>

#include "inflate.h"

/* zlib gives memory back without its size, so that is kept in front. */
enum { size_room = 64, raw_deflate = -15 };

static voidpf zlib_allocate(voidpf runtime, uInt count, uInt size)
{
    uint64_t bytes = (uint64_t)count * size + size_room;
    char *memory = gws_allocate(runtime, bytes, 1);
    if (!memory) return Z_NULL;
    memcpy(memory, &bytes, sizeof bytes);
    return memory + size_room;
}

static void zlib_release(voidpf runtime, voidpf at)
{
    if (!at) return;
    char *memory = (char *)at - size_room;
    uint64_t bytes = 0;
    memcpy(&bytes, memory, sizeof bytes);
    gws_release(runtime, memory, bytes, 1);
}

static void *zlib_open(struct gws_runtime *runtime)
{
    z_stream *z = gws_allocate(runtime, 1, sizeof *z);
    if (!z) return NULL;
    *z = (z_stream){.zalloc = zlib_allocate, .zfree = zlib_release, .opaque = runtime};
    if (inflateInit2(z, raw_deflate) == Z_OK) return z;
    gws_release(runtime, z, 1, sizeof *z);
    return NULL;
}

static void zlib_close(struct gws_runtime *runtime, void *state)
{
    inflateEnd(state);
    gws_release(runtime, state, 1, sizeof(z_stream));
}

static void zlib_restart(void *state)
{
    inflateReset(state);
}

static uInt at_most(uint64_t bytes)
{
    return bytes < UINT_MAX ? (uInt)bytes : UINT_MAX;
}

static enum gws__engine_end zlib_step(void *state, struct gws__engine_step *step)
{
    z_stream *z = state;
    uInt in = at_most(step->in_size), out = at_most(step->out_size);
    z->next_in = (Bytef *)(uintptr_t)step->in; /* zlib's pointer lacks a const */
    z->avail_in = in;
    z->next_out = step->out;
    z->avail_out = out;
    int result = inflate(z, Z_NO_FLUSH);
    step->in += in - z->avail_in;
    step->in_size -= in - z->avail_in;
    step->out += out - z->avail_out;
    step->out_size -= out - z->avail_out;
    if (result == Z_STREAM_END) return GWS__ENGINE_ENDED;
    if (result == Z_MEM_ERROR) return GWS__ENGINE_NO_MEMORY;
    return result == Z_OK || result == Z_BUF_ERROR ? GWS__ENGINE_MORE : GWS__ENGINE_BAD_DATA;
}

static uint32_t zlib_checksum(uint32_t before, const void *bytes, uint64_t size)
{
    return (uint32_t)crc32_z(before, bytes, size);
}

const struct gws__engine *gws__engine_zlib(void)
{
    static const struct gws__engine engine = {.name = "zlib",
                                              .open = zlib_open,
                                              .close = zlib_close,
                                              .restart = zlib_restart,
                                              .step = zlib_step,
                                              .checksum = zlib_checksum};
    return &engine;
}
