/* SPDX-License-Identifier: MIT */
/* All bytes of an input that says in its head how many they are: mapped, or read, by all workers where it is a file. */
#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

#include "native.h"

enum { first_room = 16 << 20, block_bytes = 1 << 20 };

void gws__image_free(void *context)
{
    struct gws__image *image = context;
    if (!image) return;
    struct gws_allocator allocator = image->allocator;
    if (image->map) munmap(image->map, image->map_size);
    if (!image->map && image->bytes) allocator.release(allocator.context, image->bytes, image->capacity);
    allocator.release(allocator.context, image, sizeof *image);
}

gws_status gws__image_check(const struct gws__input *input, uint64_t has, uint64_t needs)
{
    if (has == needs) return GWS_OK;
    if (has < needs)
        return gws__input_fail(input, GWS_TRUNCATED, 0, 0, "ends after %" PRIu64 " bytes where its head says %" PRIu64,
                               has, needs);
    return gws__input_fail(input, GWS_CORRUPT, 0, 0, "goes on after the %" PRIu64 " bytes that its head says", needs);
}

/* Room for up to need bytes, doubling, so that a head that lies costs no more than twice what is there. */
static bool enlarge(struct gws__image *image, struct gws_runtime *runtime, uint64_t filled, uint64_t need)
{
    uint64_t capacity = image->capacity ? 2 * image->capacity : first_room;
    if (capacity > need) capacity = need;
    unsigned char *memory = gws_allocate(runtime, capacity, 1);
    if (!memory) return false;
    if (filled > 0) memcpy(memory, image->bytes, filled);
    gws_release(runtime, image->bytes, image->capacity, 1);
    image->bytes = memory;
    image->capacity = capacity;
    return true;
}

static gws_status take_stream(struct gws__image *image, struct gws__input *input, uint64_t size)
{
    uint64_t filled = 0, got = 0;
    unsigned char more;
    while (filled < size) {
        if (!enlarge(image, input->runtime, filled, size)) return GWS_NO_MEMORY;
        gws_status status = gws__input_take_all(input, image->bytes + filled, image->capacity - filled, &got);
        if (status != GWS_OK) return status;
        filled += got;
        if (filled < image->capacity) return gws__image_check(input, filled, size);
    }
    gws_status status = gws__input_take_all(input, &more, 1, &got);
    return status == GWS_OK ? gws__image_check(input, size + got, size) : status;
}

/* ---- a file, block by block on all workers ---- */

struct load {
    struct gws__input input; /* a copy without a where */
    unsigned char *bytes;
    uint64_t size;
    _Atomic uint64_t failed; /* a block that could not be read; UINT64_MAX: none. Relaxed: read after the loop's end */
};

static gws_status load_block(const struct load *load, const struct gws__input *input, uint64_t i)
{
    uint64_t at = i * block_bytes, left = load->size - at;
    return gws__input_read_at(input, at, load->bytes + at, left < block_bytes ? left : block_bytes);
}

static void load_blocks(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct load *load = context;
    (void)worker;
    for (uint64_t i = begin; i < end; i++)
        if (load_block(load, &load->input, i) != GWS_OK) atomic_store_explicit(&load->failed, i, memory_order_relaxed);
}

static gws_status load(const struct gws__input *input, unsigned char *bytes, uint64_t size)
{
    struct load whole = {.input = *input, .bytes = bytes, .size = size, .failed = UINT64_MAX};
    whole.input.where = NULL;
    struct gws_loop loop = {.chunk = 1, .body = load_blocks, .context = &whole};
    loop.count = size / block_bytes + (size % block_bytes != 0);
    gws_parallel_run(input->runtime, &loop);
    uint64_t failed = atomic_load_explicit(&whole.failed, memory_order_relaxed);
    if (failed == UINT64_MAX) return GWS_OK;
    gws_status status = load_block(&whole, input, failed); /* for the message */
    if (status != GWS_OK) return status;
    return gws__input_fail(input, GWS_SYSTEM, 0, 0, "it changed while it was read");
}

/* ---- all ---- */

static gws_status take(struct gws__image *image, struct gws__input *input, uint64_t size, bool mapped)
{
    if (!input->file) return take_stream(image, input, size);
    gws_status status = gws__image_check(input, input->total, size);
    if (status != GWS_OK) return status;
    if (mapped) {
        status = gws__input_map(input, &image->map);
        image->map_size = input->total;
        image->bytes = image->map;
        return status;
    }
    image->bytes = gws_allocate(input->runtime, size, 1);
    if (!image->bytes) return GWS_NO_MEMORY;
    image->capacity = size;
    return load(input, image->bytes, size);
}

gws_status gws__image_take(struct gws__input *input, uint64_t size, bool mapped, struct gws__image **image)
{
    struct gws__image *made = gws_allocate(input->runtime, 1, sizeof *made);
    if (!made) return GWS_NO_MEMORY;
    *made = (struct gws__image){.allocator = *gws_runtime_allocator(input->runtime)};
    gws_status status = take(made, input, size, mapped);
    if (status == GWS_OK)
        *image = made;
    else
        gws__image_free(made);
    return status;
}
