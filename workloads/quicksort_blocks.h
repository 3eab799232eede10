/* SPDX-License-Identifier: MIT */
/* Arranges keys by parts, block by block in parallel. */
#ifndef GWS_QUICKSORT_BLOCKS_H
#define GWS_QUICKSORT_BLOCKS_H

#include "../lib/parallel.h"

struct gws__key_blocks {
    const uint64_t *from; /* count keys */
    uint64_t count;
    uint32_t parts; /* at most 2^16 */
    /* Writes the parts of the keys begin .. end - 1 to part[0 .. end - begin - 1]. */
    void (*find)(const void *context, uint64_t begin, uint64_t end, uint16_t *part);
    const void *context;
    /* Private. */
    uint64_t blocks;
    uint16_t *part;      /* by key */
    uint64_t *place;     /* by block and part: the number of keys, then the place in the part of the next one */
    uint64_t *const *to; /* by part */
};

/* gws__key_blocks_count() counts the keys of each part in *size. gws__key_blocks_move() then copies the keys to their
 * parts, in their own order: to[p] has space for those of part p. gws__key_blocks_close() frees the memory, 2 bytes per
 * key, also after an error. Errors: GWS_NO_MEMORY, GWS_CANCELLED; they leave the results undefined. */
gws_status gws__key_blocks_count(struct gws_runtime *runtime, struct gws__key_blocks *keys, uint64_t *size);
gws_status gws__key_blocks_move(struct gws_runtime *runtime, struct gws__key_blocks *keys, uint64_t *const *to);
void gws__key_blocks_close(struct gws_runtime *runtime, struct gws__key_blocks *keys);

/* Writes where each part begins in an array of all parts in order. */
static inline void gws__key_blocks_line_up(uint32_t parts, const uint64_t *size, uint64_t *array, uint64_t **to)
{
    for (uint32_t p = 0; p < parts; array += size[p++]) to[p] = array;
}

#endif
