/* SPDX-License-Identifier: MIT */
#define XXH_INLINE_ALL
#include "native.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <xxhash.h>

enum { magic_bytes = 8, block_bytes = 1 << 20, first_capacity = 16 << 20 };

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

void gws__native_append_section(struct gws__section *section, uint64_t bytes, uint64_t *size)
{
    section->offset = (*size + GWS__NATIVE_PAGE - 1) & ~(uint64_t)(GWS__NATIVE_PAGE - 1);
    section->bytes = bytes;
    *size = section->offset + bytes;
}

void gws__native_begin(const struct gws__native *format, uint32_t version, unsigned char *head)
{
    memcpy(head, format->magic, magic_bytes);
    gws__native_put(head + magic_bytes, version, 4);
}

/* Returns the head's checksum, computed with zeros in the field of the checksum. */
static uint64_t head_checksum(const struct gws__native *format, const unsigned char *head, uint64_t bytes)
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
    gws__native_put(head + format->checksum_at, head_checksum(format, head, bytes), 8);
}

gws_status gws__native_check_begin(const struct gws__native *format, const unsigned char *head, uint64_t have,
                                   const struct gws__input *input)
{
    if (memcmp(head, format->magic, have < magic_bytes ? have : magic_bytes) != 0)
        return gws__input_fail(input, GWS_UNKNOWN_FORMAT, 0, 0, "not a %s file: wrong magic bytes", format->name);
    if (have < format->head_bytes)
        return gws__input_fail(input, GWS_TRUNCATED, 0, 0, "truncated head: the file ends after %" PRIu64 " bytes",
                               have);
    uint64_t version = gws__native_get(head + magic_bytes, 4);
    if (version <= format->version) return GWS_OK;
    return gws__input_fail(input, GWS_UNSUPPORTED, 0, 0, "version %" PRIu64 " of %s; this program reads up to %" PRIu32,
                           version, format->name, format->version);
}

gws_status gws__native_check_head(const struct gws__native *format, const unsigned char *head, uint64_t bytes,
                                  const struct gws__input *input)
{
    if (head_checksum(format, head, bytes) == gws__native_get(head + format->checksum_at, 8)) return GWS_OK;
    return gws__input_fail(input, GWS_CORRUPT, 0, 0, "the head's checksum is wrong");
}

gws_status gws__native_check_host(const struct gws__native *format, const char *path, struct gws_diagnostic *where)
{
    if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) return GWS_OK;
    return gws_diagnostic_set(where, GWS_UNSUPPORTED, path, 0, 0, "%s files need a little-endian computer",
                              format->name);
}

/* ---- sections ---- */

struct section_scan {
    const unsigned char *bytes;
    uint64_t size;
    const struct gws__section_check *check;
    uint64_t *checksum;  /* one for each block */
    atomic_bool invalid; /* relaxed: workers only set the flag to true, and the caller reads the flag after the loop's
                            barrier */
};

static void check_blocks(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct section_scan *section_scan = context;
    const struct gws__section_check *check = section_scan->check;
    (void)worker;
    for (uint64_t i = begin; i < end; i++) {
        uint64_t at = i * block_bytes, left = section_scan->size - at, size = left < block_bytes ? left : block_bytes;
        section_scan->checksum[i] = XXH3_64bits(section_scan->bytes + at, size);
        if (check && !check->is_valid(check->graph, at / check->item_bytes, (at + size) / check->item_bytes))
            atomic_store_explicit(&section_scan->invalid, true, memory_order_relaxed);
    }
}

gws_status gws__native_checksum(struct gws_runtime *runtime, const void *data, uint64_t bytes,
                                const struct gws__section_check *check, uint64_t *checksum, bool *is_valid)
{
    uint64_t blocks = bytes / block_bytes + (bytes % block_bytes != 0);
    struct section_scan section_scan = {.bytes = data, .size = bytes, .check = check};
    section_scan.checksum = gws_allocate(runtime, blocks, sizeof *section_scan.checksum);
    if (!section_scan.checksum) return GWS_NO_MEMORY;
    struct gws_loop loop = {.count = blocks, .chunk = 1, .body = check_blocks, .context = &section_scan};
    gws_status status = gws_parallel_try(runtime, &loop);
    *checksum = XXH3_64bits(section_scan.checksum, blocks * sizeof *section_scan.checksum);
    if (check) *is_valid = !atomic_load_explicit(&section_scan.invalid, memory_order_relaxed);
    gws_release(runtime, section_scan.checksum, blocks, sizeof *section_scan.checksum);
    return status;
}

uint64_t gws__native_find_nonzero(const unsigned char *bytes, uint64_t begin, uint64_t end)
{
    while (begin < end && bytes[begin] == 0) begin++;
    return begin;
}

gws_status gws__native_write(struct gws_output *output, const struct gws__section *section, const void *data,
                             uint64_t *written)
{
    static const unsigned char zero[GWS__NATIVE_PAGE];
    gws_status status = gws_output_write(output, zero, section->offset - *written);
    *written = section->offset + section->bytes;
    return status == GWS_OK ? gws_output_write(output, data, section->bytes) : status;
}

/* ---- all bytes of an input, as a map or a copy, where all workers read a file and one reads a stream ---- */

void gws__file_contents_free(void *context)
{
    struct gws__file_contents *contents = context;
    if (!contents) return;
    struct gws_allocator allocator = contents->allocator;
    if (contents->map) munmap(contents->map, contents->map_size);
    if (!contents->map && contents->bytes) allocator.release(allocator.context, contents->bytes, contents->capacity);
    allocator.release(allocator.context, contents, sizeof *contents);
}

gws_status gws__file_contents_check_size(const struct gws__input *input, uint64_t has, uint64_t needs)
{
    if (has == needs) return GWS_OK;
    if (has < needs)
        return gws__input_fail(input, GWS_TRUNCATED, 0, 0, "the file has %" PRIu64 " bytes, its head says %" PRIu64,
                               has, needs);
    return gws__input_fail(input, GWS_CORRUPT, 0, 0, "the file is longer than the %" PRIu64 " bytes in its head",
                           needs);
}

/* Doubles the capacity, up to need bytes. So the capacity is at most twice the number of bytes read, even if the head
 * declares more. */
static bool enlarge(struct gws__file_contents *contents, struct gws_runtime *runtime, uint64_t filled, uint64_t need)
{
    uint64_t capacity = contents->capacity ? 2 * contents->capacity : first_capacity;
    if (capacity > need) capacity = need;
    unsigned char *memory = gws_allocate(runtime, capacity, 1);
    if (!memory) return false;
    if (filled > 0) memcpy(memory, contents->bytes, filled);
    gws_release(runtime, contents->bytes, contents->capacity, 1);
    contents->bytes = memory;
    contents->capacity = capacity;
    return true;
}

static gws_status read_stream(struct gws__file_contents *contents, struct gws__input *input, uint64_t size)
{
    uint64_t filled = 0, got = 0;
    unsigned char more;
    while (filled < size) {
        if (!enlarge(contents, input->runtime, filled, size)) return GWS_NO_MEMORY;
        gws_status status = gws__input_read(input, contents->bytes + filled, contents->capacity - filled, &got);
        if (status != GWS_OK) return status;
        filled += got;
        if (filled < contents->capacity) return gws__file_contents_check_size(input, filled, size);
    }
    gws_status status = gws__input_read(input, &more, 1, &got);
    return status == GWS_OK ? gws__file_contents_check_size(input, size + got, size) : status;
}

/* ---- reading a file, block by block on all workers ---- */

struct file_read {
    struct gws__input input; /* a copy of the input without a where */
    unsigned char *bytes;
    uint64_t size;
    _Atomic uint64_t failed; /* an unreadable block; UINT64_MAX: none. relaxed: the caller reads this field after the
                                loop's barrier */
};

static gws_status read_block(const struct file_read *file_read, const struct gws__input *input, uint64_t i)
{
    uint64_t at = i * block_bytes, left = file_read->size - at;
    return gws__input_read_at(input, at, file_read->bytes + at, left < block_bytes ? left : block_bytes);
}

static void read_blocks(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct file_read *file_read = context;
    if (worker == 0) gws_report_progress(file_read->input.runtime, "reading", begin * block_bytes, file_read->size);
    for (uint64_t i = begin; i < end; i++)
        if (read_block(file_read, &file_read->input, i) != GWS_OK)
            atomic_store_explicit(&file_read->failed, i, memory_order_relaxed);
}

static gws_status file_read(const struct gws__input *input, unsigned char *bytes, uint64_t size)
{
    struct file_read whole = {.input = *input, .bytes = bytes, .size = size, .failed = UINT64_MAX};
    whole.input.where = NULL;
    struct gws_loop loop = {.chunk = 1, .body = read_blocks, .context = &whole};
    loop.count = size / block_bytes + (size % block_bytes != 0);
    gws_report_progress(input->runtime, "reading", 0, size);
    gws_status status = gws_parallel_try(input->runtime, &loop);
    if (status != GWS_OK) return gws_diagnostic_status(input->where, status);
    uint64_t failed = atomic_load_explicit(&whole.failed, memory_order_relaxed);
    if (failed == UINT64_MAX) return GWS_OK;
    status = read_block(&whole, input, failed); /* read the block again, for the message */
    if (status != GWS_OK) return status;
    return gws__input_fail(input, GWS_SYSTEM, 0, 0, "the file changed while it was read");
}

/* ---- entry points ---- */

static gws_status read_contents(struct gws__file_contents *contents, struct gws__input *input, uint64_t size,
                                bool mapped)
{
    if (!input->file) return read_stream(contents, input, size);
    gws_status status = gws__file_contents_check_size(input, input->total, size);
    if (status != GWS_OK) return status;
    if (mapped) {
        status = gws__input_map(input, &contents->map);
        contents->map_size = input->total;
        contents->bytes = contents->map;
        return status;
    }
    contents->bytes = gws_allocate(input->runtime, size, 1);
    if (!contents->bytes) return GWS_NO_MEMORY;
    contents->capacity = size;
    return file_read(input, contents->bytes, size);
}

gws_status gws__file_contents_read(struct gws__input *input, uint64_t size, bool mapped,
                                   struct gws__file_contents **contents)
{
    struct gws__file_contents *made = gws_allocate(input->runtime, 1, sizeof *made);
    if (!made) return GWS_NO_MEMORY;
    *made = (struct gws__file_contents){.allocator = *gws_runtime_allocator(input->runtime)};
    gws_status status = read_contents(made, input, size, mapped);
    if (status == GWS_OK)
        *contents = made;
    else
        gws__file_contents_free(made);
    return status;
}
