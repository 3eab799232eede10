/* SPDX-License-Identifier: MIT */
/* A list of fixed-size records that grows block by block, so that nothing moves: what a round of tasks has made, and
 * what a full queue could not take. One thread's own, or read by many while nobody adds. */
#ifndef GWS_POOL_RECORDS_H
#define GWS_POOL_RECORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "../runtime.h"

enum { gws__block_records = 1024 };

struct gws__records {
    const struct gws_allocator *allocator;
    uint32_t words;   /* of 64 bits, of one record */
    uint64_t **block; /* rooms entries, of which the first blocks are allocated; emptying keeps them */
    uint64_t rooms, blocks;
    uint64_t count;
};

/* Where to write the next record, NULL when memory is short; count rises when it has been written. */
uint64_t *gws__records_place(struct gws__records *records);

static inline uint64_t *gws__records_at(const struct gws__records *records, uint64_t index)
{
    return records->block[index / gws__block_records] + index % gws__block_records * records->words;
}

/* Moves the last records, at most most, to out: the last in front. Returns how many. */
uint32_t gws__records_pop(struct gws__records *records, uint32_t most, uint64_t *out);

/* Frees the blocks; the list is empty and can be used again. */
void gws__records_clear(struct gws__records *records);

#endif
