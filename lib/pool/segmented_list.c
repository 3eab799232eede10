/* SPDX-License-Identifier: MIT */
#include "segmented_list.h"

#include <string.h>

#include "../base/memory.h"

static uint64_t segment_words(const struct gws__segmented_list *list)
{
    return (uint64_t)gws__segment_records * list->words;
}

static bool grow_directory(struct gws__segmented_list *list)
{
    uint64_t capacity = list->capacity ? 2 * list->capacity : 16;
    uint64_t **segment = gws__memory_new(list->allocator, capacity, sizeof *segment);
    if (!segment) return false;
    if (list->segments) memcpy(segment, list->segment, list->segments * sizeof *segment);
    gws__memory_free(list->allocator, list->segment, list->capacity, sizeof *segment);
    list->segment = segment;
    list->capacity = capacity;
    return true;
}

static bool add_segment(struct gws__segmented_list *list)
{
    if (list->segments == list->capacity && !grow_directory(list)) return false;
    uint64_t *segment = gws__memory_new(list->allocator, segment_words(list), sizeof *segment);
    if (!segment) return false;
    list->segment[list->segments++] = segment;
    return true;
}

uint64_t *gws__segmented_list_reserve(struct gws__segmented_list *list)
{
    if (list->count == list->segments * gws__segment_records && !add_segment(list)) return NULL;
    return gws__segmented_list_at(list, list->count);
}

uint32_t gws__segmented_list_pop(struct gws__segmented_list *list, uint32_t max, uint64_t *out)
{
    uint32_t popped = list->count < max ? (uint32_t)list->count : max;
    for (uint32_t i = 0; i < popped; i++)
        memcpy(out + (uint64_t)i * list->words, gws__segmented_list_at(list, --list->count), list->words * sizeof *out);
    return popped;
}

void gws__segmented_list_clear(struct gws__segmented_list *list)
{
    for (uint64_t i = 0; i < list->segments; i++)
        gws__memory_free(list->allocator, list->segment[i], segment_words(list), sizeof **list->segment);
    gws__memory_free(list->allocator, list->segment, list->capacity, sizeof *list->segment);
    list->segment = NULL;
    list->capacity = list->segments = list->count = 0;
}
