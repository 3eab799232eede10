/* SPDX-License-Identifier: MIT */
/* Encodes and checks the head, and writes the file. The counts fix the offset of every section. The decoder computes
 * the only head that fits the counts and compares it with the file's, so the decoder trusts no offset and no length of
 * a file. */
#include "gwsg.h"

#include <inttypes.h>
#include <string.h>

enum { flag_directed = 1, table_at = 64, entry_bytes = 32, entries = 16 };

const struct gws__native gws__gwsg = {".gwsg", "\x89GWSG\r\n\x1a", GWS__NATIVE_PAGE, 56, 3};
const uint32_t gws__gwsg_item[GWS__GWSG_KINDS] = {8, 4, 4, 8, 8, 4, 8, 1, 4};

/* Returns true if the counts are so small that no sum of sizes comes near 2^64. */
static bool is_small(const struct gws__gwsg_head *head)
{
    return head->vertices <= UINT32_MAX && head->arcs <= UINT64_MAX / 64 && head->text_bytes <= UINT64_MAX / 64;
}

bool gws__gwsg_head_layout(struct gws__gwsg_head *head)
{
    const uint64_t vertices = head->vertices, arcs = head->arcs;
    const uint64_t items[GWS__GWSG_KINDS] = {
        vertices + 1, arcs, arcs, 2 * vertices, vertices, arcs, vertices + 1, head->text_bytes, vertices};
    if (!is_small(head)) return false;
    head->size = GWS__NATIVE_PAGE;
    for (int kind = 0; kind < GWS__GWSG_KINDS; kind++)
        if (head->present[kind])
            gws__native_append_section(&head->section[kind], items[kind] * gws__gwsg_item[kind], &head->size);
    return true;
}

/* ---- encoding ---- */

static void encode_entry(const struct gws__section *section, int kind, unsigned char *entry)
{
    gws__native_put(entry, (uint64_t)kind + 1, 4);
    gws__native_put(entry + 4, gws__gwsg_item[kind], 4);
    gws__native_put(entry + 8, section->offset, 8);
    gws__native_put(entry + 16, section->bytes, 8);
    gws__native_put(entry + 24, section->checksum, 8);
}

/* Returns the oldest version that has all sections. */
static uint32_t version_of(const struct gws__gwsg_head *head)
{
    if (head->present[GWS__GWSG_ID] && head->present[GWS__GWSG_ORDER]) return 3;
    for (int kind = GWS__GWSG_REAL; kind < GWS__GWSG_KINDS; kind++)
        if (head->present[kind]) return 2;
    return 1;
}

void gws__gwsg_head_encode(const struct gws__gwsg_head *head, unsigned char page[GWS__NATIVE_PAGE])
{
    uint32_t sections = 0;
    memset(page, 0, GWS__NATIVE_PAGE);
    gws__native_begin(&gws__gwsg, version_of(head), page);
    gws__native_put(page + 12, head->directed ? flag_directed : 0, 4);
    gws__native_put(page + 16, head->vertices, 8);
    gws__native_put(page + 24, head->arcs, 8);
    gws__native_put(page + 32, head->first_id, 8);
    gws__native_put(page + 40, head->size, 8);
    for (int kind = 0; kind < GWS__GWSG_KINDS; kind++)
        if (head->present[kind]) encode_entry(&head->section[kind], kind, page + table_at + entry_bytes * sections++);
    gws__native_put(page + 48, sections, 4);
    gws__native_seal(&gws__gwsg, page, GWS__NATIVE_PAGE);
}

/* ---- decoding ---- */

/* Reads the present sections and their checksums from the table. The caller compares all other fields. Returns false
 * for an unknown kind. */
static bool decode_table(const unsigned char *page, struct gws__gwsg_head *head)
{
    uint64_t sections = gws__native_get(page + 48, 4);
    if (sections > entries) return false;
    for (uint64_t i = 0; i < sections; i++) {
        const unsigned char *entry = page + table_at + entry_bytes * i;
        uint64_t kind = gws__native_get(entry, 4) - 1;
        if (kind >= GWS__GWSG_KINDS) return false;
        head->present[kind] = true;
        head->section[kind].checksum = gws__native_get(entry + 24, 8);
        if (kind == GWS__GWSG_TEXT) head->text_bytes = gws__native_get(entry + 16, 8);
    }
    const bool *present = head->present, names = present[GWS__GWSG_NAME];
    if (present[GWS__GWSG_WEIGHT] && present[GWS__GWSG_REAL]) return false;
    if (names != present[GWS__GWSG_TEXT] || (names && present[GWS__GWSG_ID])) return false;
    if (present[GWS__GWSG_ORDER] && !names && !present[GWS__GWSG_ID]) return false;
    if (names && head->first_id != 0) return false;
    return present[GWS__GWSG_OFFSET] && present[GWS__GWSG_TARGET];
}

gws_status gws__gwsg_head_decode(const unsigned char *page, uint64_t have, const struct gws__input *input,
                                 struct gws__gwsg_head *head)
{
    unsigned char again[GWS__NATIVE_PAGE];
    gws_status status = gws__native_check_begin(&gws__gwsg, page, have, input);
    if (status == GWS_OK) status = gws__native_check_head(&gws__gwsg, page, GWS__NATIVE_PAGE, input);
    if (status != GWS_OK) return status;
    struct gws__gwsg_head read = {.directed = gws__native_get(page + 12, 4) & flag_directed,
                                  .vertices = gws__native_get(page + 16, 8),
                                  .arcs = gws__native_get(page + 24, 8),
                                  .first_id = gws__native_get(page + 32, 8)};
    if (!is_small(&read))
        return gws__input_fail(input, GWS_TOO_LARGE, 0, 0, "%" PRIu64 " vertices and %" PRIu64 " arcs", read.vertices,
                               read.arcs);
    bool is_valid = decode_table(page, &read) && gws__gwsg_head_layout(&read);
    if (is_valid) gws__gwsg_head_encode(&read, again);
    if (!is_valid || memcmp(page, again, sizeof again) != 0 || read.first_id > UINT64_MAX - read.vertices)
        return gws__input_fail(input, GWS_CORRUPT, 0, 0, "inconsistent head");
    *head = read;
    return GWS_OK;
}

/* ---- writing, where all checksums come first because the head precedes the arrays ---- */

static gws_status describe(struct gws_runtime *runtime, const struct gws_graph *graph,
                           const void *const array[GWS__GWSG_KINDS], struct gws__gwsg_head *head)
{
    *head = (struct gws__gwsg_head){.directed = graph->directed,
                                    .vertices = graph->vertices,
                                    .arcs = graph->arcs,
                                    .first_id = graph->id ? 0 : graph->first_id};
    if (graph->names.text) head->text_bytes = graph->names.offset[graph->vertices];
    for (int kind = 0; kind < GWS__GWSG_KINDS; kind++)
        head->present[kind] = kind <= GWS__GWSG_TARGET || array[kind] != NULL;
    gws_status status = gws__gwsg_head_layout(head) ? GWS_OK : GWS_TOO_LARGE;
    for (int kind = 0; kind < GWS__GWSG_KINDS && status == GWS_OK; kind++) {
        struct gws__section *section = &head->section[kind];
        if (head->present[kind])
            status = gws__native_checksum(runtime, array[kind], section->bytes, NULL, &section->checksum, NULL);
    }
    return status;
}

static gws_status write_all(struct gws_runtime *runtime, struct gws_output *output,
                            const void *const array[GWS__GWSG_KINDS], const struct gws__gwsg_head *head)
{
    unsigned char page[GWS__NATIVE_PAGE];
    uint64_t written = sizeof page;
    gws__gwsg_head_encode(head, page);
    gws_status status = gws_output_write(output, page, sizeof page);
    for (int kind = 0; kind < GWS__GWSG_KINDS && status == GWS_OK; kind++) {
        if (!head->present[kind]) continue;
        gws_report_progress(runtime, "writing", written, head->size);
        status = gws__native_write(output, &head->section[kind], array[kind], &written);
    }
    return status;
}

gws_status gws__gwsg_write(struct gws_runtime *runtime, const struct gws_graph *graph, const char *path,
                           struct gws_diagnostic *where)
{
    const uint32_t *order = graph->names.text ? graph->names.order : graph->id_order;
    const void *const array[GWS__GWSG_KINDS] = {graph->offset,       graph->target,     graph->weight,
                                                graph->position,     graph->id,         graph->real_weight,
                                                graph->names.offset, graph->names.text, order};
    struct gws__gwsg_head head;
    struct gws_output *output = NULL;
    gws_status status = gws__native_check_host(&gws__gwsg, path, where);
    if (status != GWS_OK) return status;
    status = describe(runtime, graph, array, &head);
    if (status != GWS_OK) return gws_diagnostic_set(where, status, path, 0, 0, "%s", gws_status_text(status));
    status = gws_output_open(runtime, path, where, &output);
    return status == GWS_OK ? gws_output_close(output, write_all(runtime, output, array, &head)) : status;
}
