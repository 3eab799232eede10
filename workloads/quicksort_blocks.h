/* SPDX-License-Identifier: MIT */
/* Arranges keys by parts, block by block in parallel. */
#ifndef GWS_QUICKSORT_BLOCKS_H
#define GWS_QUICKSORT_BLOCKS_H

#include "../lib/parallel.h"

struct gws__key_blocks {
    const uint64_t *from; /* count keys */
    uint64_t *to;         /* receives them in the order of their parts, and in their own order in a part */
    uint64_t count;
    uint32_t parts; /* at most 2^16 */
    /* Writes the parts of the keys begin .. end - 1 to part[0 .. end - begin - 1]. */
    void (*find)(const void *context, uint64_t begin, uint64_t end, uint16_t *part);
    const void *context;
};

/* *size: receives the number of keys in each part. Memory: 2 bytes per key until it returns. Errors: GWS_NO_MEMORY,
 * GWS_CANCELLED; they leave to[] and size[] undefined. */
gws_status gws__key_blocks_arrange(struct gws_runtime *runtime, const struct gws__key_blocks *keys, uint64_t *size);

#endif
