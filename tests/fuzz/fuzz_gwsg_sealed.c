/* SPDX-License-Identifier: MIT */
/* Fuzzes the reader of .gwsg beyond its check of checksums. The target corrects the checksums before it reads. A head
 * with the right magic gets the sizes that follow from its counts. */
#define XXH_INLINE_ALL
#include "read_graph.h"

#include <xxhash.h>

#include "../../io/gwsg/gwsg.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The checksum of a section of one block. */
static uint64_t sum_of_section(const uint8_t *bytes, uint64_t size)
{
    uint64_t block = XXH3_64bits(bytes, size);
    return XXH3_64bits(&block, size > 0 ? sizeof block : 0);
}

/* Writes a head with the counts and sections that the bytes declare, if the sections fit. Returns the required size of
 * the file. */
static size_t seal(uint8_t *bytes, size_t size)
{
    struct gws__gwsg_head head = {.directed = bytes[12] & 1};
    memcpy(&head.vertices, bytes + 16, 8);
    memcpy(&head.arcs, bytes + 24, 8);
    memcpy(&head.first_id, bytes + 32, 8);
    for (int kind = 0; kind < GWS__GWSG_KINDS; kind++)
        head.present[kind] = kind <= GWS__GWSG_TARGET || ((bytes[13] | bytes[14] << 8) >> kind & 1);
    head.present[GWS__GWSG_TEXT] = head.present[GWS__GWSG_NAME];
    if (head.present[GWS__GWSG_TEXT]) head.text_bytes = bytes[15];
    if (!gws__gwsg_head_layout(&head) || head.size > size || size > 1 << 20) return size;
    for (int kind = 0; kind < GWS__GWSG_KINDS; kind++) {
        struct gws__section *section = &head.section[kind];
        if (head.present[kind]) section->checksum = sum_of_section(bytes + section->offset, section->bytes);
    }
    gws__gwsg_head_encode(&head, bytes);
    return head.size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < GWS__NATIVE_PAGE) return 0;
    uint8_t *bytes = malloc(size);
    fuzz_demand(bytes != NULL, "no memory");
    memcpy(bytes, data, size);
    fuzz_read(bytes, seal(bytes, size), GWS_FORMAT_GWSG);
    free(bytes);
    return 0;
}
