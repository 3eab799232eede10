/* SPDX-License-Identifier: MIT */
/* The library's memory functions for programs that Relacy explores. The header constructs arrays of _Atomic(uint64_t)
 * as such. All other memory is plain. Each word of plain memory has a shadow that Relacy checks for data races.
 * memcpy() reports its reads and writes, and a program reports its own writes with gws_relacy_writes(). Released
 * memory stays allocated, but marked, until gws_relacy_forget(). So the checker finds later accesses too.
 *
 * This header uses neither new nor delete, because Relacy intercepts them and tests immediate reuse of memory. */
#ifndef GWS_TESTS_RELACY_TRACKED_H
#define GWS_TESTS_RELACY_TRACKED_H

#include <stdatomic.h>

#include <cstdlib>
#include <new>

#include "../../../../lib/base/memory.h"

typedef _Atomic(uint64_t) gws_relacy_word;
typedef rl::var<int> gws_relacy_shadow;

/* A block has either words, or plain and shadow. */
struct gws_relacy_block {
    gws_relacy_word *words;
    uint64_t *plain;
    gws_relacy_shadow *shadow;
    uint64_t count;
    bool released;
};

/* The explorer's threads are fibers of one thread, so the blocks need no lock. */
enum { gws_relacy_max_blocks = 64 };
static gws_relacy_block gws_relacy_blocks[gws_relacy_max_blocks];
static uint32_t gws_relacy_block_count;

template <typename T> static T *gws_relacy_array(uint64_t count)
{
    T *array = (T *)(malloc)(count * sizeof(T) + 1);
    for (uint64_t i = 0; i < count; i++) ::new ((void *)(array + i)) T();
    return array;
}

template <typename T> static void gws_relacy_end(T *array, uint64_t count)
{
    for (uint64_t i = 0; array && i < count; i++) array[i].~T();
    (free)(array);
}

/* Returns the shadow of the word at p, or NULL if p is not in plain memory from this header. */
static gws_relacy_shadow *gws_relacy_shadow_of(const uint64_t *p)
{
    for (uint32_t i = gws_relacy_block_count; i-- > 0;) {
        const gws_relacy_block *block = &gws_relacy_blocks[i];
        if (!block->plain || p < block->plain || p >= block->plain + block->count) continue;
        RL_ASSERT(!block->released);
        return &block->shadow[p - block->plain];
    }
    return NULL;
}

static void gws_relacy_reads(const uint64_t *word, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        if (gws_relacy_shadow *shadow = gws_relacy_shadow_of(word + i)) (void)(*shadow)($).load();
}

static void gws_relacy_writes(const uint64_t *word, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        if (gws_relacy_shadow *shadow = gws_relacy_shadow_of(word + i)) (*shadow)($).store(1);
}

void *gws_relacy_copy(void *to, const void *from, size_t bytes)
{
    gws_relacy_reads((const uint64_t *)from, bytes / sizeof(uint64_t));
    gws_relacy_writes((const uint64_t *)to, bytes / sizeof(uint64_t));
    return memmove(to, from, bytes);
}

void *gws__memory_new(const struct gws_allocator *, uint64_t count, uint64_t size)
{
    RL_ASSERT(gws_relacy_block_count < gws_relacy_max_blocks);
    gws_relacy_block *block = &gws_relacy_blocks[gws_relacy_block_count++];
    *block = gws_relacy_block();
    if (size == sizeof(gws_relacy_word)) {
        block->count = count;
        block->words = gws_relacy_array<gws_relacy_word>(count);
        for (uint64_t i = 0; i < count; i++) block->words[i].slot = true;
        return block->words;
    }
    block->count = (count * size + sizeof(uint64_t) - 1) / sizeof(uint64_t);
    block->plain = gws_relacy_array<uint64_t>(block->count);
    block->shadow = gws_relacy_array<gws_relacy_shadow>(block->count);
    return block->plain;
}

void gws__memory_free(const struct gws_allocator *, void *memory, uint64_t, uint64_t)
{
    for (uint32_t i = 0; memory && i < gws_relacy_block_count; i++) {
        gws_relacy_block *block = &gws_relacy_blocks[i];
        if (memory == block->words || memory == block->plain) block->released = true;
    }
}

/* Runs at the end of each schedule, when all memory has been released. */
static void gws_relacy_forget()
{
    while (gws_relacy_block_count > 0) {
        gws_relacy_block *block = &gws_relacy_blocks[--gws_relacy_block_count];
        RL_ASSERT(block->released);
        gws_relacy_end(block->words, block->words ? block->count : 0);
        gws_relacy_end(block->shadow, block->count);
        (free)(block->plain);
    }
}

#endif
