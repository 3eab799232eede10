/* SPDX-License-Identifier: MIT */
#define XXH_INLINE_ALL
#include "native.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>
#include <xxhash.h>

enum { magic_bytes = 8, block_bytes = 1 << 20 };

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
    static const uint16_t one = 1;
    if (memcmp(&one, "\1", 1) == 0) return GWS_OK;
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
