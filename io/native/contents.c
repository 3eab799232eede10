/* SPDX-License-Identifier: MIT */
/* Reads sections of a file, and all bytes of an input. */
#define XXH_INLINE_ALL
#include "native.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <xxhash.h>

enum { block_bytes = GWS__NATIVE_BLOCK, first_capacity = 16 << 20 };

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

/* ---- reading a section, block by block on all workers ---- */

struct section_read {
    struct gws__input input; /* a copy of the input without a where */
    const struct gws__section *section;
    uint64_t begin, end; /* bytes of the section */
    unsigned char *to;   /* NULL: only checksums are wanted */
    uint64_t *checksum;  /* one for each block of the section, or NULL */
    /* relaxed: the caller reads these fields after the loop's barrier */
    _Atomic uint64_t failed; /* an unreadable block; UINT64_MAX: none */
    atomic_bool no_memory;
};

/* Sets the checksum of the block from .. until - 1, of which to has the first `have` bytes. */
static gws_status add_checksum(const struct section_read *part, const struct gws__input *input, uint64_t from,
                               uint64_t until, uint64_t have)
{
    const uint64_t rest = until - from - have;
    unsigned char *bytes = rest > 0 ? gws_allocate(input->runtime, rest, 1) : NULL;
    gws_status status = rest > 0 && !bytes ? GWS_NO_MEMORY : GWS_OK;
    XXH3_state_t state;
    XXH3_INITSTATE(&state);
    (void)XXH3_64bits_reset(&state);
    if (have > 0) (void)XXH3_64bits_update(&state, part->to + (from - part->begin), have);
    if (bytes) status = gws__input_read_at(input, part->section->offset + from + have, bytes, rest);
    if (bytes && status == GWS_OK) (void)XXH3_64bits_update(&state, bytes, rest);
    if (status == GWS_OK) part->checksum[from / block_bytes] = XXH3_64bits_digest(&state);
    gws_release(input->runtime, bytes, rest, 1);
    return status;
}

static gws_status read_block(const struct section_read *part, const struct gws__input *input, uint64_t block)
{
    const uint64_t from = block * block_bytes, left = part->section->bytes - from,
                   until = from + (left < block_bytes ? left : block_bytes),
                   begin = from < part->begin ? part->begin : from, end = until < part->end ? until : part->end;
    gws_status status = GWS_OK;
    if (part->to)
        status =
            gws__input_read_at(input, part->section->offset + begin, part->to + (begin - part->begin), end - begin);
    if (status != GWS_OK || !part->checksum || from < part->begin) return status;
    return add_checksum(part, input, from, until, part->to ? end - from : 0);
}

static void read_blocks(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct section_read *part = context;
    const uint64_t first = part->begin / block_bytes;
    if (worker == 0) gws_report_progress(part->input.runtime, "reading", begin * block_bytes, part->end - part->begin);
    for (uint64_t i = begin; i < end; i++) {
        gws_status status = read_block(part, &part->input, first + i);
        if (status == GWS_OK) continue;
        atomic_store_explicit(&part->failed, first + i, memory_order_relaxed);
        if (status == GWS_NO_MEMORY) atomic_store_explicit(&part->no_memory, true, memory_order_relaxed);
    }
}

gws_status gws__native_read(const struct gws__input *input, const struct gws__section *section, uint64_t begin,
                            uint64_t end, void *to, uint64_t *block_checksum)
{
    struct section_read part = {*input, section, begin, end, to, block_checksum, UINT64_MAX, false};
    part.input.where = NULL;
    if (begin == end) return GWS_OK;
    struct gws_loop loop = {.chunk = 1, .body = read_blocks, .context = &part};
    loop.count = gws__native_blocks(end) - begin / block_bytes;
    gws_report_progress(input->runtime, "reading", 0, end - begin);
    gws_status status = gws_parallel_try(input->runtime, &loop);
    if (status != GWS_OK) return gws_diagnostic_status(input->where, status);
    if (atomic_load_explicit(&part.no_memory, memory_order_relaxed)) return GWS_NO_MEMORY;
    uint64_t failed = atomic_load_explicit(&part.failed, memory_order_relaxed);
    if (failed == UINT64_MAX) return GWS_OK;
    status = read_block(&part, input, failed); /* read the block again, for the message */
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
    const struct gws__section whole = {.bytes = size};
    return gws__native_read(input, &whole, 0, size, contents->bytes, NULL);
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
