/* SPDX-License-Identifier: MIT */
/* A segmented list of records of fixed size. A list grows segment by segment, so records never move. It holds the tasks
 * that a round made, or the tasks that a full queue could not take. Either one thread uses a list, or many threads read
 * it while no thread adds records. */
#ifndef GWS_POOL_SEGMENTED_LIST_H
#define GWS_POOL_SEGMENTED_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "../runtime.h"

enum { gws__segment_records = 1024 };

struct gws__segmented_list {
    const struct gws_allocator *allocator;
    uint32_t words;              /* 64-bit words of a record */
    uint64_t **segment;          /* capacity entries; the first `segments` entries stay allocated when emptied */
    uint64_t capacity, segments; /* entries of the directory; allocated segments */
    uint64_t count;              /* records */
};

/* Returns the slot for the next record, or NULL when memory is short. The caller increments count after it has written
 * the record. */
uint64_t *gws__segmented_list_reserve(struct gws__segmented_list *list);

static inline uint64_t *gws__segmented_list_at(const struct gws__segmented_list *list, uint64_t index)
{
    return list->segment[index / gws__segment_records] + index % gws__segment_records * list->words;
}

/* Moves the last records, at most max, to out in reverse order. Returns the number of moved records. */
uint32_t gws__segmented_list_pop(struct gws__segmented_list *list, uint32_t max, uint64_t *out);

/* Frees the segments. The list is then empty and can be used again. */
void gws__segmented_list_clear(struct gws__segmented_list *list);

#endif
