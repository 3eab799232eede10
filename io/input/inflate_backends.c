/* SPDX-License-Identifier: MIT */
/* Inflates with zlib or ISA-L. zlib is always present. ISA-L is optional in a build and about three times as fast.
 * ISA-L reads up to eight bytes ahead into a bit register. When the data ends, the backend returns the unused
 * bytes. */
#include <stddef.h>
#include <zlib.h>

#include "inflate.h"

#ifdef GWS_WITH_ISAL
#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#endif

enum { raw_deflate_bits = -15 };

/* Limits a size, because both libraries take some sizes as int. */
static uint32_t clamp(uint64_t bytes)
{
    static const uint32_t limit = UINT32_C(1) << 30;
    return bytes < limit ? (uint32_t)bytes : limit;
}

static void advance(struct gws__inflate_step *step, uint32_t in, uint32_t out)
{
    step->in += in;
    step->in_size -= in;
    step->out += out;
    step->out_size -= out;
}

/* ---- zlib ---- */

/* zlib does not pass the size of the memory that it releases, so the allocator stores the size before the memory. */
union allocation {
    uint64_t bytes;
    max_align_t align;
};

void *gws__zlib_allocate(void *runtime, unsigned count, unsigned size)
{
    uint64_t bytes = sizeof(union allocation) + (uint64_t)count * size;
    union allocation *header = gws_allocate(runtime, bytes, 1);
    if (!header) return NULL;
    header->bytes = bytes;
    return header + 1;
}

void gws__zlib_release(void *runtime, void *memory)
{
    if (!memory) return;
    union allocation *header = (union allocation *)memory - 1;
    gws_release(runtime, header, header->bytes, 1);
}

static void *zlib_open(struct gws_runtime *runtime)
{
    z_stream *z = gws_allocate(runtime, 1, sizeof *z);
    if (!z) return NULL;
    *z = (z_stream){.zalloc = gws__zlib_allocate, .zfree = gws__zlib_release, .opaque = runtime};
    if (inflateInit2(z, raw_deflate_bits) == Z_OK) return z;
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

static enum gws__inflate_end zlib_step(void *state, struct gws__inflate_step *step)
{
    z_stream *z = state;
    uint32_t in = clamp(step->in_size), out = clamp(step->out_size);
    z->next_in = (Bytef *)(uintptr_t)step->in; /* zlib's pointer is not const, but zlib only reads */
    z->avail_in = in;
    z->next_out = step->out;
    z->avail_out = out;
    int result = inflate(z, Z_NO_FLUSH);
    advance(step, in - z->avail_in, out - z->avail_out);
    if (result == Z_STREAM_END) return GWS__INFLATE_ENDED;
    if (result == Z_MEM_ERROR) return GWS__INFLATE_NO_MEMORY;
    return result == Z_OK || result == Z_BUF_ERROR ? GWS__INFLATE_MORE : GWS__INFLATE_BAD_DATA;
}

static uint32_t zlib_checksum(uint32_t before, const void *bytes, uint64_t size)
{
    return (uint32_t)crc32_z(before, bytes, size);
}

const struct gws__inflate_backend gws__inflate_zlib = {"zlib",       zlib_open, zlib_close,
                                                       zlib_restart, zlib_step, zlib_checksum};

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

static void return_unread(struct inflate_state *state, struct gws__inflate_step *step)
{
    uint64_t bits = state->read_in >> (state->read_in_length % 8);
    step->unread_size = (unsigned)state->read_in_length / 8;
    for (unsigned i = 0; i < step->unread_size; i++) step->unread[i] = (unsigned char)(bits >> (8 * i));
}

static enum gws__inflate_end isal_step(void *context, struct gws__inflate_step *step)
{
    struct inflate_state *state = context;
    uint32_t in = clamp(step->in_size), out = clamp(step->out_size);
    state->next_in = (uint8_t *)(uintptr_t)step->in; /* ISA-L's pointer is not const, but ISA-L only reads */
    state->avail_in = in;
    state->next_out = step->out;
    state->avail_out = out;
    int result = isal_inflate(state);
    advance(step, in - state->avail_in, out - state->avail_out);
    if (result < 0) return GWS__INFLATE_BAD_DATA;
    if (state->block_state != ISAL_BLOCK_FINISH) return GWS__INFLATE_MORE;
    return_unread(state, step);
    return GWS__INFLATE_ENDED;
}

/* Computes the CRC with ISA-L's own function. The measured speed of ISA-L above includes this function. */
static uint32_t isal_checksum(uint32_t before, const void *bytes, uint64_t size)
{
    return crc32_gzip_refl(before, bytes, size);
}

static const struct gws__inflate_backend isal = {"isal", isal_open, isal_close, isal_restart, isal_step, isal_checksum};
const struct gws__inflate_backend *const gws__inflate_isal = &isal;

#else

const struct gws__inflate_backend *const gws__inflate_isal = NULL;

#endif
