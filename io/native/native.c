/* SPDX-License-Identifier: MIT */
#define XXH_INLINE_ALL
#include "native.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <xxhash.h>

enum { magic_bytes = 8, block_bytes = 1 << 20, first_room = 16 << 20 };

/* ---- heads ---- */

void gws__native_put(unsigned char *at, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++) at[i] = (unsigned char)(value >> (8 * i));
}

uint64_t gws__native_get(const unsigned char *at, int bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++) value |= (uint64_t)at[i] << (8 * i);
    return value;
}

void gws__native_place(struct gws__section *section, uint64_t bytes, uint64_t *size)
{
    section->place = (*size + GWS__NATIVE_PAGE - 1) & ~(uint64_t)(GWS__NATIVE_PAGE - 1);
    section->bytes = bytes;
    *size = section->place + bytes;
}

void gws__native_begin(const struct gws__native *format, unsigned char *head)
{
    memcpy(head, format->magic, magic_bytes);
    gws__native_put(head + magic_bytes, GWS__NATIVE_VERSION, 4);
}

/* With zeros in the checksum's place. */
static uint64_t sum_head(const struct gws__native *format, const unsigned char *head, uint64_t bytes)
{
    static const unsigned char zero[8];
    const uint64_t at = format->checksum_at, behind = at + sizeof zero;
    XXH3_state_t state;
    XXH3_INITSTATE(&state);
    (void)XXH3_64bits_reset(&state);
    (void)XXH3_64bits_update(&state, head, at);
    (void)XXH3_64bits_update(&state, zero, sizeof zero);
    (void)XXH3_64bits_update(&state, head + behind, bytes - behind);
    return XXH3_64bits_digest(&state);
}

void gws__native_seal(const struct gws__native *format, unsigned char *head, uint64_t bytes)
{
    gws__native_put(head + format->checksum_at, sum_head(format, head, bytes), 8);
}

gws_status gws__native_check_begin(const struct gws__native *format, const unsigned char *head, uint64_t have,
                                   const struct gws__input *input)
{
    if (memcmp(head, format->magic, have < magic_bytes ? have : magic_bytes) != 0)
        return gws__input_fail(input, GWS_UNKNOWN_FORMAT, 0, 0, "not a %s file: its first bytes are others",
                               format->name);
    if (have < format->head_bytes)
        return gws__input_fail(input, GWS_TRUNCATED, 0, 0, "ends after %" PRIu64 " bytes, within the head", have);
    uint64_t version = gws__native_get(head + magic_bytes, 4);
    if (version <= GWS__NATIVE_VERSION) return GWS_OK;
    return gws__input_fail(input, GWS_UNSUPPORTED, 0, 0, "version %" PRIu64 " of %s; this program reads up to %d",
                           version, format->name, GWS__NATIVE_VERSION);
}

gws_status gws__native_check_head(const struct gws__native *format, const unsigned char *head, uint64_t bytes,
                                  const struct gws__input *input)
{
    if (sum_head(format, head, bytes) == gws__native_get(head + format->checksum_at, 8)) return GWS_OK;
    return gws__input_fail(input, GWS_CORRUPT, 0, 0, "the head's checksum is wrong");
}

gws_status gws__native_check_host(const struct gws__native *format, const char *path, struct gws_where *where)
{
    if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) return GWS_OK;
    return gws_where_set(where, GWS_UNSUPPORTED, path, 0, 0, "%s files need a little-endian computer", format->name);
}

/* ---- sections ---- */

struct scan {
    const unsigned char *bytes;
    uint64_t size;
    const struct gws__look *look;
    uint64_t *sum;       /* one for each block */
    atomic_bool unsound; /* relaxed: only ever set, and read after the loop's barrier */
};

static void scan_blocks(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct scan *scan = context;
    const struct gws__look *look = scan->look;
    (void)worker;
    for (uint64_t i = begin; i < end; i++) {
        uint64_t at = i * block_bytes, left = scan->size - at, size = left < block_bytes ? left : block_bytes;
        scan->sum[i] = XXH3_64bits(scan->bytes + at, size);
        if (look && !look->sound(look->graph, at / look->item_bytes, (at + size) / look->item_bytes))
            atomic_store_explicit(&scan->unsound, true, memory_order_relaxed);
    }
}

gws_status gws__native_sum(struct gws_runtime *runtime, const void *data, uint64_t bytes, const struct gws__look *look,
                           uint64_t *checksum, bool *sound)
{
    uint64_t blocks = bytes / block_bytes + (bytes % block_bytes != 0);
    struct scan scan = {.bytes = data, .size = bytes, .look = look};
    scan.sum = gws_allocate(runtime, blocks, sizeof *scan.sum);
    if (!scan.sum) return GWS_NO_MEMORY;
    struct gws_loop loop = {.count = blocks, .chunk = 1, .body = scan_blocks, .context = &scan};
    gws_parallel_run(runtime, &loop);
    *checksum = XXH3_64bits(scan.sum, blocks * sizeof *scan.sum);
    if (look) *sound = !atomic_load_explicit(&scan.unsound, memory_order_relaxed);
    gws_release(runtime, scan.sum, blocks, sizeof *scan.sum);
    return GWS_OK;
}

uint64_t gws__native_gap(const unsigned char *bytes, uint64_t begin, uint64_t end)
{
    while (begin < end && bytes[begin] == 0) begin++;
    return begin;
}

gws_status gws__native_write(struct gws_output *output, const struct gws__section *section, const void *data,
                             uint64_t *written)
{
    static const unsigned char zero[GWS__NATIVE_PAGE];
    gws_status status = gws_output_write(output, zero, section->place - *written);
    *written = section->place + section->bytes;
    return status == GWS_OK ? gws_output_write(output, data, section->bytes) : status;
}

/* ---- all bytes of an input: mapped, or read, by all workers where it is a file ---- */

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
