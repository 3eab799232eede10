/* SPDX-License-Identifier: MIT */
/* Memory of the queues. Queues grow and shrink all the time, so short blocks are cut from large ones and go back to a
 * list of blocks of their size, a power of two times a slot. Blocks in use are warm in the cache. Longer blocks come
 * from the runtime's allocator, which can join them again: the queues of a million workers are first long and few, then
 * short and many. */
#include "../base/memory.h"
#include "sim.h"

enum { chunk_words = 1 << 15, max_block = 1 << 9 };

/* A large block; the blocks that are cut from it follow. */
struct gws__sim_chunk {
    struct gws__sim_chunk *next;
    uint64_t used; /* words */
    uint64_t word[chunk_words];
};

/* A free block. */
struct gws__sim_free {
    struct gws__sim_free *next;
};

static struct gws__sim_free **list_of(struct gws_sim *sim, uint64_t bytes)
{
    return &sim->block[63 - __builtin_clzll(bytes / (sim->slot_words * sizeof(uint64_t)))];
}

void *gws__sim_block_take(struct gws_sim *sim, uint64_t bytes)
{
    const struct gws_allocator *allocator = &sim->runtime->allocator;
    if (bytes > max_block) return gws__memory_new(allocator, 1, bytes);
    struct gws__sim_free **list = list_of(sim, bytes), *first = *list;
    if (first) {
        *list = first->next;
        return first;
    }
    struct gws__sim_chunk *chunk = sim->chunk;
    if (!chunk || chunk->used + bytes / sizeof *chunk->word > chunk_words) {
        chunk = gws__memory_new(allocator, 1, sizeof *chunk);
        if (!chunk) return NULL;
        chunk->next = sim->chunk;
        chunk->used = 0;
        sim->chunk = chunk;
    }
    chunk->used += bytes / sizeof *chunk->word;
    return chunk->word + chunk->used - bytes / sizeof *chunk->word;
}

void gws__sim_block_give(struct gws_sim *sim, void *block, uint64_t bytes)
{
    if (bytes > max_block) {
        gws__memory_free(&sim->runtime->allocator, block, 1, bytes);
        return;
    }
    struct gws__sim_free **list = list_of(sim, bytes), *freed = block;
    freed->next = *list;
    *list = freed;
}

void gws__sim_blocks_clear(struct gws_sim *sim)
{
    while (sim->chunk) {
        struct gws__sim_chunk *next = sim->chunk->next;
        gws__memory_free(&sim->runtime->allocator, sim->chunk, 1, sizeof *sim->chunk);
        sim->chunk = next;
    }
}
