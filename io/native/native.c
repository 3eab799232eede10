/* SPDX-License-Identifier: MIT */
#define XXH_INLINE_ALL
#include "native.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>
#include <xxhash.h>

enum { magic_bytes = 8, block_bytes = GWS__NATIVE_BLOCK };

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

uint64_t gws__native_blocks(uint64_t bytes)
{
    return bytes / block_bytes + (bytes % block_bytes != 0);
}

uint64_t gws__native_join(const uint64_t *block_checksum, uint64_t blocks)
{
    return XXH3_64bits(block_checksum, blocks * sizeof *block_checksum);
}

gws_status gws__native_checksum(struct gws_runtime *runtime, const void *data, uint64_t bytes,
                                const struct gws__section_check *check, uint64_t *checksum, bool *is_valid)
{
    const uint64_t blocks = gws__native_blocks(bytes);
    struct section_scan section_scan = {.bytes = data, .size = bytes, .check = check};
    section_scan.checksum = gws_allocate(runtime, blocks, sizeof *section_scan.checksum);
    if (!section_scan.checksum) return GWS_NO_MEMORY;
    struct gws_loop loop = {.count = blocks, .chunk = 1, .body = check_blocks, .context = &section_scan};
    gws_status status = gws_parallel_try(runtime, &loop);
    *checksum = gws__native_join(section_scan.checksum, blocks);
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
