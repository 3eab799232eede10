/* SPDX-License-Identifier: MIT */
/* A decoded head is encoded again and compared, so no place or size of a file is ever believed. */
#define XXH_INLINE_ALL
#include <inttypes.h>
#include <string.h>
#include <xxhash.h>

#include "../../lib/parallel.h"
#include "gwsp.h"

enum { magic_bytes = 8, checksum_at = 40, block_bytes = 1 << 20 };

static void put(unsigned char *at, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++) at[i] = (unsigned char)(value >> (8 * i));
}

static uint64_t get(const unsigned char *at, int bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++) value |= (uint64_t)at[i] << (8 * i);
    return value;
}

static uint64_t round_up(uint64_t bytes)
{
    return (bytes + GWS__GWSP_PAGE - 1) & ~(uint64_t)(GWS__GWSP_PAGE - 1);
}

static uint64_t head_of(uint32_t arrays)
{
    return round_up(GWS__GWSP_FIXED + (uint64_t)arrays * GWS__GWSP_ENTRY);
}

bool gws__gwsp_place(struct gws__gwsp *file)
{
    /* With this bound no sum below comes near 2^64. */
    if (file->count > UINT64_C(1) << 48) return false;
    file->size = file->head_bytes = head_of(file->arrays);
    for (uint32_t i = 0; i < file->arrays; i++) {
        struct gws__gwsp_array *array = &file->array[i];
        array->place = round_up(file->size);
        array->bytes = file->count * gws_number_bytes(array->kind);
        file->size = array->place + array->bytes;
    }
    return true;
}

void gws__gwsp_encode(const struct gws__gwsp *file, unsigned char *head)
{
    memset(head, 0, file->head_bytes);
    memcpy(head, GWS__GWSP_MAGIC, magic_bytes);
    put(head + 8, GWS__GWSP_VERSION, 4);
    put(head + 16, file->count, 8);
    put(head + 24, file->arrays, 4);
    put(head + 32, file->size, 8);
    for (uint32_t i = 0; i < file->arrays; i++) {
        const struct gws__gwsp_array *array = &file->array[i];
        unsigned char *entry = head + GWS__GWSP_FIXED + (size_t)i * GWS__GWSP_ENTRY;
        memcpy(entry, array->name, strlen(array->name));
        put(entry + 48, (uint64_t)array->kind, 4);
        put(entry + 56, array->place, 8);
        put(entry + 64, array->bytes, 8);
        put(entry + 72, array->checksum, 8);
    }
    put(head + checksum_at, XXH3_64bits(head, file->head_bytes), 8);
}

gws_status gws__gwsp_begin(const unsigned char *fixed, uint64_t have, const char *path, uint64_t *head_bytes,
                           struct gws_where *where)
{
    uint64_t seen = have < magic_bytes ? have : magic_bytes;
    if (memcmp(fixed, GWS__GWSP_MAGIC, seen) != 0)
        return gws_where_set(where, GWS_UNKNOWN_FORMAT, path, 0, 0, "not a .gwsp file: its first bytes are others");
    if (have < GWS__GWSP_FIXED)
        return gws_where_set(where, GWS_TRUNCATED, path, 0, 0, "ends after %" PRIu64 " bytes, within the head", have);
    uint64_t version = get(fixed + 8, 4), arrays = get(fixed + 24, 4);
    if (version > GWS__GWSP_VERSION)
        return gws_where_set(where, GWS_UNSUPPORTED, path, 0, 0,
                             "version %" PRIu64 " of .gwsp; this program reads up to %d", version, GWS__GWSP_VERSION);
    if (arrays < 3 || arrays > 3 + GWS_POINTS_COLUMNS)
        return gws_where_set(where, GWS_CORRUPT, path, 0, 0, "the head contradicts itself");
    *head_bytes = head_of((uint32_t)arrays);
    return GWS_OK;
}

/* Takes what fixes the rest; false where that cannot be. */
static bool take(const unsigned char *head, struct gws__gwsp *file)
{
    file->count = get(head + 16, 8);
    file->arrays = (uint32_t)get(head + 24, 4);
    for (uint32_t i = 0; i < file->arrays; i++) {
        const unsigned char *entry = head + GWS__GWSP_FIXED + (size_t)i * GWS__GWSP_ENTRY;
        struct gws__gwsp_array *array = &file->array[i];
        if (!memchr(entry, 0, GWS_POINTS_NAME) || get(entry + 48, 4) > GWS_NUMBER_F64) return false;
        memcpy(array->name, entry, GWS_POINTS_NAME);
        array->kind = (enum gws_number_kind)get(entry + 48, 4);
        array->checksum = get(entry + 72, 8);
    }
    bool axes = true;
    for (int i = 0; i < 3; i++)
        axes &= file->array[i].name[0] == "xyz"[i] && file->array[i].name[1] == 0 &&
                file->array[i].kind == file->array[0].kind;
    return axes && file->array[0].kind >= GWS_NUMBER_F32;
}

gws_status gws__gwsp_decode(const unsigned char *head, uint64_t head_bytes, const char *path, unsigned char *again,
                            struct gws__gwsp *file, struct gws_where *where)
{
    memcpy(again, head, head_bytes);
    memset(again + checksum_at, 0, 8);
    if (XXH3_64bits(again, head_bytes) != get(head + checksum_at, 8))
        return gws_where_set(where, GWS_CORRUPT, path, 0, 0, "the head's checksum is wrong");
    bool sound = take(head, file) && gws__gwsp_place(file);
    if (sound) gws__gwsp_encode(file, again);
    if (sound && memcmp(head, again, head_bytes) == 0) return GWS_OK;
    return gws_where_set(where, GWS_CORRUPT, path, 0, 0, "the head contradicts itself");
}

/* ---- checksums of arrays ---- */

struct scan {
    const unsigned char *bytes;
    uint64_t size;
    uint64_t *sum; /* one for each block */
};

static void scan_blocks(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct scan *scan = context;
    (void)worker;
    for (uint64_t i = begin; i < end; i++) {
        uint64_t at = i * block_bytes, left = scan->size - at;
        scan->sum[i] = XXH3_64bits(scan->bytes + at, left < block_bytes ? left : block_bytes);
    }
}

gws_status gws__gwsp_sum(struct gws_runtime *runtime, const void *bytes, uint64_t size, uint64_t *sum)
{
    uint64_t blocks = size / block_bytes + (size % block_bytes != 0);
    struct scan scan = {.bytes = bytes, .size = size, .sum = gws_allocate(runtime, blocks, sizeof *scan.sum)};
    if (!scan.sum) return GWS_NO_MEMORY;
    struct gws_loop loop = {.count = blocks, .chunk = 1, .body = scan_blocks, .context = &scan};
    gws_parallel_run(runtime, &loop);
    *sum = XXH3_64bits(scan.sum, blocks * sizeof *scan.sum);
    gws_release(runtime, scan.sum, blocks, sizeof *scan.sum);
    return GWS_OK;
}
