/* SPDX-License-Identifier: MIT */
/* A circular buffer of tasks, addressed by an index that only counts up: task i is in slot i mod capacity. The queue
 * that uses the buffer defines which thread may access which slots. */
#ifndef GWS_QUEUE_RING_H
#define GWS_QUEUE_RING_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "../base/memory.h"
#include "task_words.h"

struct gws__ring {
    uint64_t *slot; /* capacity slots and one scratch slot, for a task that has no slot of its own yet */
    uint64_t mask;  /* capacity - 1; the capacity is a power of two */
    uint64_t words; /* 64-bit words of a task */
};

static inline uint64_t gws__ring_capacity(const struct gws__ring *ring)
{
    return ring->mask + 1;
}

/* Allocates the slots. Returns false, and leaves *ring unchanged, when memory is short or the size overflows. */
static inline bool gws__ring_new(struct gws__ring *ring, const struct gws_allocator *allocator, uint64_t capacity,
                                 uint64_t words)
{
    if (capacity == 0 || capacity > UINT64_MAX / sizeof(uint64_t) / words - 1) return false;
    uint64_t *slot = (uint64_t *)gws__memory_new(allocator, (capacity + 1) * words, sizeof *slot);
    if (!slot) return false;
    ring->slot = slot;
    ring->mask = capacity - 1;
    ring->words = words;
    return true;
}

/* Frees the slots. *ring may be {0}. */
static inline void gws__ring_free(const struct gws__ring *ring, const struct gws_allocator *allocator)
{
    gws__memory_free(allocator, ring->slot, (ring->mask + 2) * ring->words, sizeof *ring->slot);
}

static inline uint64_t *gws__ring_at(const struct gws__ring *ring, uint64_t index)
{
    return ring->slot + (index & ring->mask) * ring->words;
}

static inline uint64_t *gws__ring_scratch(const struct gws__ring *ring)
{
    return ring->slot + gws__ring_capacity(ring) * ring->words;
}

static inline void gws__words_copy(uint64_t *to, const uint64_t *from, uint64_t words)
{
    memcpy(to, from, words * sizeof *to);
}

/* Copies one task. */
static inline void gws__task_copy(uint64_t *to, const uint64_t *from, uint64_t words)
{
    GWS__WITH_LENGTH(gws__words_copy, to, from, words);
}

/* Copies count tasks, from index begin of one ring to index at of another, in as few contiguous pieces as possible. */
static inline void gws__ring_copy(const struct gws__ring *to, uint64_t at, const struct gws__ring *from, uint64_t begin,
                                  uint64_t count)
{
    while (count > 0) {
        uint64_t run = count, till_end = gws__ring_capacity(to) - (at & to->mask);
        if (run > till_end) run = till_end;
        till_end = gws__ring_capacity(from) - (begin & from->mask);
        if (run > till_end) run = till_end;
        memcpy(gws__ring_at(to, at), gws__ring_at(from, begin), run * to->words * sizeof *to->slot);
        at += run;
        begin += run;
        count -= run;
    }
}

#endif
