/* SPDX-License-Identifier: MIT */
/* Encoding and checking the head. Sections have one place where they may lie, so a decoded head is compared with the
 * one that its counts ask for: no offset or length of a file is ever believed. */
#include "gwsg.h"

#include <inttypes.h>
#include <string.h>

enum { magic_bytes = 8, flag_directed = 1, table_at = 64, entry_bytes = 32, entries = 16, checksum_at = 56 };

static const struct {
    const char *name;
    uint32_t item_bytes;
} kinds[GWS__GWSG_KINDS] = {
    [GWS__GWSG_OFFSET] = {"offset", 8},     [GWS__GWSG_TARGET] = {"target", 4}, [GWS__GWSG_WEIGHT] = {"weight", 4},
    [GWS__GWSG_POSITION] = {"position", 8}, [GWS__GWSG_ID] = {"id", 8},
};

const char *gws__gwsg_kind_name(enum gws__gwsg_kind kind)
{
    return kinds[kind].name;
}

/* ---- little-endian numbers ---- */

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

/* ---- places ---- */

static uint64_t items(const struct gws__gwsg_head *head, enum gws__gwsg_kind kind)
{
    switch (kind) {
    case GWS__GWSG_OFFSET:
        return head->vertices + 1;
    case GWS__GWSG_TARGET:
    case GWS__GWSG_WEIGHT:
        return head->arcs;
    case GWS__GWSG_POSITION:
        return 2 * head->vertices;
    case GWS__GWSG_ID:
        return head->vertices;
    }
    return 0;
}

bool gws__gwsg_head_place(struct gws__gwsg_head *head)
{
    /* With these bounds no sum below comes near 2^64. */
    if (head->vertices > UINT32_MAX || head->arcs > UINT64_MAX / 64) return false;
    head->size = GWS__GWSG_PAGE;
    for (int kind = 0; kind < GWS__GWSG_KINDS; kind++) {
        struct gws__gwsg_section *section = &head->section[kind];
        if (!section->present) continue;
        section->offset = (head->size + GWS__GWSG_PAGE - 1) & ~(uint64_t)(GWS__GWSG_PAGE - 1);
        section->bytes = items(head, kind) * kinds[kind].item_bytes;
        head->size = section->offset + section->bytes;
    }
    return true;
}

/* ---- encoding ---- */

static void encode_entry(const struct gws__gwsg_section *section, enum gws__gwsg_kind kind, unsigned char *entry)
{
    put(entry, (uint64_t)kind + 1, 4);
    put(entry + 4, kinds[kind].item_bytes, 4);
    put(entry + 8, section->offset, 8);
    put(entry + 16, section->bytes, 8);
    put(entry + 24, section->checksum, 8);
}

void gws__gwsg_head_encode(const struct gws__gwsg_head *head, unsigned char page[GWS__GWSG_PAGE])
{
    memset(page, 0, GWS__GWSG_PAGE);
    memcpy(page, GWS__GWSG_MAGIC, magic_bytes);
    put(page + 8, GWS__GWSG_VERSION, 4);
    put(page + 12, head->directed ? flag_directed : 0, 4);
    put(page + 16, head->vertices, 8);
    put(page + 24, head->arcs, 8);
    put(page + 32, head->first_id, 8);
    put(page + 40, head->size, 8);
    uint32_t sections = 0;
    for (int kind = 0; kind < GWS__GWSG_KINDS; kind++)
        if (head->section[kind].present)
            encode_entry(&head->section[kind], kind, page + table_at + entry_bytes * sections++);
    put(page + 48, sections, 4);
    put(page + checksum_at, gws__gwsg_sum_bytes(page, GWS__GWSG_PAGE), 8);
}

/* ---- decoding ---- */

gws_status gws__gwsg_head_begins(const unsigned char *bytes, uint64_t size, const char *path, struct gws_where *where)
{
    uint64_t seen = size < magic_bytes ? size : magic_bytes;
    if (memcmp(bytes, GWS__GWSG_MAGIC, seen) != 0)
        return gws_where_set(where, GWS_UNKNOWN_FORMAT, path, 0, 0, "not a .gwsg file: its first bytes are others");
    if (size < GWS__GWSG_PAGE)
        return gws_where_set(where, GWS_TRUNCATED, path, 0, 0, "ends after %" PRIu64 " bytes, within the head", size);
    return GWS_OK;
}

static gws_status check_version(const unsigned char *page, const char *path, struct gws_where *where)
{
    uint32_t version = (uint32_t)get(page + 8, 4);
    if (version <= GWS__GWSG_VERSION) return GWS_OK;
    return gws_where_set(where, GWS_UNSUPPORTED, path, 0, 0,
                         "version %" PRIu32 " of .gwsg; this program reads up to %d", version, GWS__GWSG_VERSION);
}

static gws_status check_sum(const unsigned char *page, const char *path, struct gws_where *where)
{
    unsigned char blank[GWS__GWSG_PAGE];
    memcpy(blank, page, sizeof blank);
    memset(blank + checksum_at, 0, 8);
    if (gws__gwsg_sum_bytes(blank, sizeof blank) == get(page + checksum_at, 8)) return GWS_OK;
    return gws_where_set(where, GWS_CORRUPT, path, 0, 0, "the head's checksum is wrong");
}

/* Takes presence and checksums from the table; the rest is compared afterwards. False on a kind that cannot be. */
static bool decode_table(const unsigned char *page, struct gws__gwsg_head *head)
{
    uint64_t sections = get(page + 48, 4);
    if (sections > entries) return false;
    for (uint64_t i = 0; i < sections; i++) {
        const unsigned char *entry = page + table_at + entry_bytes * i;
        uint64_t kind = get(entry, 4) - 1;
        if (kind >= GWS__GWSG_KINDS) return false;
        head->section[kind] = (struct gws__gwsg_section){.present = true, .checksum = get(entry + 24, 8)};
    }
    return head->section[GWS__GWSG_OFFSET].present && head->section[GWS__GWSG_TARGET].present;
}

gws_status gws__gwsg_head_decode(const unsigned char page[GWS__GWSG_PAGE], const char *path,
                                 struct gws__gwsg_head *head, struct gws_where *where)
{
    gws_status status = gws__gwsg_head_begins(page, GWS__GWSG_PAGE, path, where);
    if (status == GWS_OK) status = check_version(page, path, where);
    if (status == GWS_OK) status = check_sum(page, path, where);
    if (status != GWS_OK) return status;
    struct gws__gwsg_head read = {.directed = get(page + 12, 4) & flag_directed,
                                  .vertices = get(page + 16, 8),
                                  .arcs = get(page + 24, 8),
                                  .first_id = get(page + 32, 8)};
    if (read.vertices > UINT32_MAX || read.arcs > UINT64_MAX / 64)
        return gws_where_set(where, GWS_TOO_LARGE, path, 0, 0, "%" PRIu64 " vertices and %" PRIu64 " arcs",
                             read.vertices, read.arcs);
    unsigned char again[GWS__GWSG_PAGE];
    bool sound = decode_table(page, &read) && gws__gwsg_head_place(&read);
    if (sound) gws__gwsg_head_encode(&read, again);
    if (!sound || memcmp(page, again, sizeof again) != 0 || read.first_id > UINT64_MAX - read.vertices)
        return gws_where_set(where, GWS_CORRUPT, path, 0, 0, "the head contradicts itself");
    *head = read;
    return GWS_OK;
}
