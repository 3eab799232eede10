/* SPDX-License-Identifier: MIT */
/* See caching_allocator.h. The list holds a few hundred blocks at most. A search scans the list under a lock. If the
 * list is full, further blocks bypass it: the allocator below serves them directly. */
#include "../caching_allocator.h"

#include "lock.h"
#include "memory.h"

enum { cached_from = 256 << 10, max_blocks = 512 };

struct cached_block {
    void *memory;
    size_t bytes; /* size of the allocation */
    bool used;    /* false: the block is in the cache */
};

struct gws_caching_allocator {
    struct gws_allocator under;
    struct gws__lock lock; /* protects the members below */
    uint32_t blocks;
    size_t in_use, cached; /* bytes */
    size_t peak;           /* bytes: peak of in_use */
    struct cached_block block[max_blocks];
};

/* ---- with the lock ---- */

/* Returns the smallest cached block of at least that size, or NULL if there is none. */
static struct cached_block *smallest(struct gws_caching_allocator *cache, size_t bytes)
{
    struct cached_block *best = NULL;
    for (struct cached_block *block = cache->block; block < cache->block + cache->blocks; block++)
        if (!block->used && block->bytes >= bytes && (!best || block->bytes < best->bytes)) best = block;
    return best;
}

static struct cached_block *largest(struct gws_caching_allocator *cache)
{
    struct cached_block *best = NULL;
    for (struct cached_block *block = cache->block; block < cache->block + cache->blocks; block++)
        if (!block->used && (!best || block->bytes > best->bytes)) best = block;
    return best;
}

/* Moves a block from the cache into use. */
static void use(struct gws_caching_allocator *cache, struct cached_block *block)
{
    block->used = true;
    cache->cached -= block->bytes;
    cache->in_use += block->bytes;
    if (cache->in_use > cache->peak) cache->peak = cache->in_use;
}

/* Returns whether `bytes` more in use, plus the cache, would exceed the limit. */
static bool is_full(const struct gws_caching_allocator *cache, size_t bytes)
{
    size_t peak = cache->in_use + bytes > cache->peak ? cache->in_use + bytes : cache->peak;
    return cache->cached > 0 && cache->in_use + bytes + cache->cached > peak + peak / 2;
}

/* Removes a cached block from the list and returns it, or {0} if there is none. It is the smallest block of at least
 * that size, otherwise the largest block. */
static struct cached_block unlist(struct gws_caching_allocator *cache, size_t bytes)
{
    struct cached_block *found = smallest(cache, bytes);
    if (!found) found = largest(cache);
    if (!found) return (struct cached_block){0};
    struct cached_block block = *found;
    *found = cache->block[--cache->blocks];
    cache->cached -= block.bytes;
    return block;
}

/* ---- without the lock ---- */

static void *acquire(struct gws_caching_allocator *cache, size_t bytes)
{
    gws__lock_acquire(&cache->lock);
    struct cached_block *found = smallest(cache, bytes);
    if (found && found->bytes - bytes > found->bytes / 5) found = NULL;
    void *memory = found ? found->memory : NULL;
    if (found) use(cache, found);
    gws__lock_release(&cache->lock);
    return memory;
}

/* Releases a cached block, if there is one and either `anyhow` is set or the limit requires it. */
static bool release_one(struct gws_caching_allocator *cache, size_t bytes, bool anyhow)
{
    struct cached_block block = {0};
    gws__lock_acquire(&cache->lock);
    if (anyhow || is_full(cache, bytes)) block = unlist(cache, bytes);
    gws__lock_release(&cache->lock);
    if (block.memory) cache->under.release(cache->under.context, block.memory, block.bytes);
    return block.memory != NULL;
}

static void list(struct gws_caching_allocator *cache, void *memory, size_t bytes)
{
    gws__lock_acquire(&cache->lock);
    if (cache->blocks < max_blocks) {
        struct cached_block *block = &cache->block[cache->blocks++];
        *block = (struct cached_block){.memory = memory, .bytes = bytes};
        cache->cached += bytes;
        use(cache, block);
    }
    gws__lock_release(&cache->lock);
}

static void *cache_allocate(void *context, size_t bytes)
{
    struct gws_caching_allocator *cache = context;
    void *memory = bytes < cached_from ? NULL : acquire(cache, bytes);
    if (memory) return memory;
    while (bytes >= cached_from && release_one(cache, bytes, false)) continue;
    while (!(memory = cache->under.allocate(cache->under.context, bytes)))
        if (!release_one(cache, bytes, true)) return NULL;
    if (bytes >= cached_from) list(cache, memory, bytes);
    return memory;
}

static void cache_release(void *context, void *memory, size_t bytes)
{
    struct gws_caching_allocator *cache = context;
    bool listed = false;
    if (bytes >= cached_from) {
        gws__lock_acquire(&cache->lock);
        for (struct cached_block *block = cache->block; block < cache->block + cache->blocks && !listed; block++) {
            if (block->memory != memory) continue;
            listed = true;
            block->used = false;
            cache->in_use -= block->bytes;
            cache->cached += block->bytes;
        }
        gws__lock_release(&cache->lock);
    }
    if (!listed) cache->under.release(cache->under.context, memory, bytes);
}

gws_status gws_caching_allocator_open(const struct gws_allocator *under, struct gws_caching_allocator **cache)
{
    if (!under || !under->allocate) under = &gws__memory_default;
    if (!under->release) return GWS_INVALID;
    struct gws_caching_allocator *made = gws__memory_zero(under, 1, sizeof *made);
    if (!made) return GWS_NO_MEMORY;
    made->under = *under;
    gws__lock_init(&made->lock);
    *cache = made;
    return GWS_OK;
}

struct gws_allocator gws_caching_allocator_calls(struct gws_caching_allocator *cache)
{
    return (struct gws_allocator){.allocate = cache_allocate, .release = cache_release, .context = cache};
}

void gws_caching_allocator_close(struct gws_caching_allocator *cache)
{
    if (!cache) return;
    while (release_one(cache, SIZE_MAX, true)) continue;
    struct gws_allocator under = cache->under;
    gws__memory_free(&under, cache, 1, sizeof *cache);
}
