/* SPDX-License-Identifier: MIT */
/* Inflating with ISA-L, about three times as quick as zlib, where the build found it. It reads up to eight bytes ahead
 * into a register of bits; when the data ends, those behind it are given back. */
#include "inflate.h"

#ifdef GWS_WITH_ISAL

#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>

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

static uint32_t at_most(uint64_t bytes)
{
    static const uint32_t most = UINT32_C(1) << 30; /* ISA-L counts some sizes in int */
    return bytes < most ? (uint32_t)bytes : most;
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
    step->in += in - state->avail_in;
    step->in_size -= in - state->avail_in;
    step->out += out - state->avail_out;
    step->out_size -= out - state->avail_out;
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

const struct gws__engine *gws__engine_isal(void)
{
    static const struct gws__engine engine = {.name = "isal",
                                              .open = isal_open,
                                              .close = isal_close,
                                              .restart = isal_restart,
                                              .step = isal_step,
                                              .checksum = isal_checksum};
    return &engine;
}

#else

const struct gws__engine *gws__engine_isal(void)
{
    return NULL;
}

#endif
