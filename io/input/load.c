/* SPDX-License-Identifier: MIT */
/* Reading a file as a whole, block by block on all workers. */
#include <stdatomic.h>

#include "input.h"

enum { block_bytes = 1 << 20 };

struct load {
    const struct gws__input *input;
    unsigned char *bytes;
    uint64_t size;
    _Atomic uint64_t failed; /* a block that could not be read; UINT64_MAX: none. Relaxed: read after the loop's end */
};

static gws_status load_block(const struct load *load, uint64_t i, struct gws_where *where)
{
    uint64_t at = i * block_bytes, left = load->size - at;
    return gws__input_read_at(load->input, at, load->bytes + at, left < block_bytes ? left : block_bytes, where);
}

static void load_blocks(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct load *load = context;
    (void)worker;
    for (uint64_t i = begin; i < end; i++)
        if (load_block(load, i, NULL) != GWS_OK) atomic_store_explicit(&load->failed, i, memory_order_relaxed);
}

gws_status gws__input_load(const struct gws__input *input, void *bytes, uint64_t size, struct gws_where *where)
{
    struct load load = {.input = input, .bytes = bytes, .size = size, .failed = UINT64_MAX};
    struct gws_loop loop = {.chunk = 1, .body = load_blocks, .context = &load};
    loop.count = size / block_bytes + (size % block_bytes != 0);
    gws_parallel_run(input->runtime, &loop);
    uint64_t failed = atomic_load_explicit(&load.failed, memory_order_relaxed);
    if (failed == UINT64_MAX) return GWS_OK;
    gws_status status = load_block(&load, failed, where); /* for the message */
    if (status != GWS_OK) return status;
    return gws_where_set(where, GWS_SYSTEM, input->name, 0, 0, "it changed while it was read");
}
