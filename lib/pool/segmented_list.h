/* SPDX-License-Identifier: MIT */
/* A segmented list of records of fixed size: it grows segment by segment, so records never move. It holds the tasks
 * that a round made, and the tasks that a full queue could not take. One thread uses a list, or many read it while none
 * adds records. */
#ifndef GWS_POOL_SEGMENTED_LIST_H
#define GWS_POOL_SEGMENTED_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "../runtime.h"

enum { gws__segment_records = 1024 };

struct gws__segmented_list {
    const struct gws_allocator *allocator;
    uint32_t words;              /* 64-bit words of a record */
    uint64_t **segment;          /* capacity entries; the first `segments` are allocated and stay so when emptied */
    uint64_t capacity, segments; /* of the directory */
    uint64_t count;              /* records */
};

/* The slot for the next record, NULL when memory is short. The caller increments count after it has written the record.
 */
uint64_t *gws__segmented_list_reserve(struct gws__segmented_list *list);

static inline uint64_t *gws__segmented_list_at(const struct gws__segmented_list *list, uint64_t index)
{
    return list->segment[index / gws__segment_records] + index % gws__segment_records * list->words;
}

/* Moves the last records, at most max, to out, in reverse order. Returns how many. */
uint32_t gws__segmented_list_pop(struct gws__segmented_list *list, uint32_t max, uint64_t *out);

/* Frees the segments; the list is empty and can be used again. */
void gws__segmented_list_clear(struct gws__segmented_list *list);

#endif
