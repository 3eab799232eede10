/* SPDX-License-Identifier: MIT */
/* Inflating with zlib, which is everywhere, and with ISA-L, about three times as quick, where the build found it. ISA-L
 * reads up to eight bytes ahead into a register of bits; when the data ends, those behind it are given back. */
#include <stddef.h>
#include <zlib.h>

#include "inflate.h"

#ifdef GWS_WITH_ISAL
#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#endif

enum { raw_deflate = -15 };

/* Both count some sizes in int. */
static uint32_t at_most(uint64_t bytes)
{
    static const uint32_t most = UINT32_C(1) << 30;
    return bytes < most ? (uint32_t)bytes : most;
}

static void move(struct gws__engine_step *step, uint32_t in, uint32_t out)
{
    step->in += in;
    step->in_size -= in;
    step->out += out;
    step->out_size -= out;
}

/* ---- zlib ---- */

/* zlib gives memory back without its size: it is kept in front. */
union room {
    uint64_t bytes;
    max_align_t align;
};

void *gws__zlib_allocate(void *runtime, unsigned count, unsigned size)
{
    uint64_t bytes = sizeof(union room) + (uint64_t)count * size;
    union room *room = gws_allocate(runtime, bytes, 1);
    if (!room) return NULL;
    room->bytes = bytes;
    return room + 1;
}

void gws__zlib_release(void *runtime, void *memory)
{
    if (!memory) return;
    union room *room = (union room *)memory - 1;
    gws_release(runtime, room, room->bytes, 1);
}

static void *zlib_open(struct gws_runtime *runtime)
{
    z_stream *z = gws_allocate(runtime, 1, sizeof *z);
    if (!z) return NULL;
    *z = (z_stream){.zalloc = gws__zlib_allocate, .zfree = gws__zlib_release, .opaque = runtime};
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

static enum gws__engine_end zlib_step(void *state, struct gws__engine_step *step)
{
    z_stream *z = state;
    uint32_t in = at_most(step->in_size), out = at_most(step->out_size);
    z->next_in = (Bytef *)(uintptr_t)step->in; /* zlib's pointer lacks a const */
    z->avail_in = in;
    z->next_out = step->out;
    z->avail_out = out;
    int result = inflate(z, Z_NO_FLUSH);
    move(step, in - z->avail_in, out - z->avail_out);
    if (result == Z_STREAM_END) return GWS__ENGINE_ENDED;
    if (result == Z_MEM_ERROR) return GWS__ENGINE_NO_MEMORY;
    return result == Z_OK || result == Z_BUF_ERROR ? GWS__ENGINE_MORE : GWS__ENGINE_BAD_DATA;
}

static uint32_t zlib_checksum(uint32_t before, const void *bytes, uint64_t size)
{
    return (uint32_t)crc32_z(before, bytes, size);
}

const struct gws__engine gws__engine_zlib = {"zlib", zlib_open, zlib_close, zlib_restart, zlib_step, zlib_checksum};

/* ---- ISA-L ---- */

#ifdef GWS_WITH_ISAL

static void *isal_open(struct gws_runtime *runtime)
{
    struct inflate_state *state = gws_allocate(runtime, 1, sizeof *state);
    if (state) isal_inflate_init(state);
    return state;
}

static void isal_close(struct gws_runtime *runtime, void *state)
{
    gws_release(runtime, state, 1, sizeof(struct inflate_state));
}

static void isal_restart(void *state)
{
    isal_inflate_reset(state);
}

static void give_back(struct inflate_state *state, struct gws__engine_step *step)
{
    uint64_t bits = state->read_in >> (state->read_in_length % 8);
    step->behind_size = (unsigned)state->read_in_length / 8;
    for (unsigned i = 0; i < step->behind_size; i++) step->behind[i] = (unsigned char)(bits >> (8 * i));
}

static enum gws__engine_end isal_step(void *context, struct gws__engine_step *step)
{
    struct inflate_state *state = context;
    uint32_t in = at_most(step->in_size), out = at_most(step->out_size);
    state->next_in = (uint8_t *)(uintptr_t)step->in; /* ISA-L's pointer lacks a const */
    state->avail_in = in;
    state->next_out = step->out;
    state->avail_out = out;
    int result = isal_inflate(state);
    move(step, in - state->avail_in, out - state->avail_out);
    if (result < 0) return GWS__ENGINE_BAD_DATA;
    if (state->block_state != ISAL_BLOCK_FINISH) return GWS__ENGINE_MORE;
    give_back(state, step);
    return GWS__ENGINE_ENDED;
}

/* ISA-L's own, for it is what its inflating is measured with. */
static uint32_t isal_checksum(uint32_t before, const void *bytes, uint64_t size)
{
    return crc32_gzip_refl(before, bytes, size);
}

static const struct gws__engine isal = {"isal", isal_open, isal_close, isal_restart, isal_step, isal_checksum};
const struct gws__engine *const gws__engine_isal = &isal;

#else

const struct gws__engine *const gws__engine_isal = NULL;

#endif
