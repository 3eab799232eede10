/* SPDX-License-Identifier: MIT */
/* See caching_allocator.h. Blocks are listed, a few hundred at most, which are looked through under a lock. What does
 * not fit the list is passed on. */
#include "../caching_allocator.h"

#include "lock.h"
#include "memory.h"

enum { least = 256 << 10, room = 512 };

struct block {
    void *memory;
    size_t bytes; /* as they were asked for from under */
    bool used;    /* by who asked for it; false: it is kept */
};

struct gws_caching_allocator {
    struct gws_allocator under;
    struct gws__lock lock; /* for what follows */
    uint32_t blocks;
    size_t in_use, kept; /* bytes */
    size_t most;         /* that were in use at once */
    struct block block[room];
};

/* ---- with the lock ---- */

/* The smallest kept block of at least so many bytes, NULL: there is none. */
static struct block *smallest(struct gws_caching_allocator *cache, size_t bytes)
{
    struct block *best = NULL;
    for (struct block *block = cache->block; block < cache->block + cache->blocks; block++)
        if (!block->used && block->bytes >= bytes && (!best || block->bytes < best->bytes)) best = block;
    return best;
}

static struct block *largest(struct gws_caching_allocator *cache)
{
    struct block *best = NULL;
    for (struct block *block = cache->block; block < cache->block + cache->blocks; block++)
        if (!block->used && (!best || block->bytes > best->bytes)) best = block;
    return best;
}

/* A block that is kept is used. */
static void use(struct gws_caching_allocator *cache, struct block *block)
{
    block->used = true;
    cache->kept -= block->bytes;
    cache->in_use += block->bytes;
    if (cache->in_use > cache->most) cache->most = cache->in_use;
}

/* Would so many bytes more be too many, with what is kept? */
static bool is_full(const struct gws_caching_allocator *cache, size_t bytes)
{
    size_t most = cache->in_use + bytes > cache->most ? cache->in_use + bytes : cache->most;
    return cache->kept > 0 && cache->in_use + bytes + cache->kept > most + most / 2;
}

/* Takes one kept block off the list, the smallest of that size or more, or else the largest; {0}: there is none. */
static struct block unlist(struct gws_caching_allocator *cache, size_t bytes)
{
    struct block *found = smallest(cache, bytes);
    if (!found) found = largest(cache);
    if (!found) return (struct block){0};
    struct block block = *found;
    *found = cache->block[--cache->blocks];
    cache->kept -= block.bytes;
    return block;
}

/* ---- without ---- */

static void *take(struct gws_caching_allocator *cache, size_t bytes)
{
    gws__lock_take(&cache->lock);
    struct block *found = smallest(cache, bytes);
    if (found && found->bytes - bytes > found->bytes / 5) found = NULL;
    void *memory = found ? found->memory : NULL;
    if (found) use(cache, found);
    gws__lock_drop(&cache->lock);
    return memory;
}

/* Gives back a kept block, if there is one, and, unless that is wanted anyhow, if so many bytes more would be too many.
 */
static bool give_back(struct gws_caching_allocator *cache, size_t bytes, bool anyhow)
{
    struct block block = {0};
    gws__lock_take(&cache->lock);
    if (anyhow || is_full(cache, bytes)) block = unlist(cache, bytes);
    gws__lock_drop(&cache->lock);
    if (block.memory) cache->under.release(cache->under.context, block.memory, block.bytes);
    return block.memory != NULL;
}

static void list(struct gws_caching_allocator *cache, void *memory, size_t bytes)
{
    gws__lock_take(&cache->lock);
    if (cache->blocks < room) {
        struct block *block = &cache->block[cache->blocks++];
        *block = (struct block){.memory = memory, .bytes = bytes};
        cache->kept += bytes;
        use(cache, block);
    }
    gws__lock_drop(&cache->lock);
}

static void *cache_allocate(void *context, size_t bytes)
{
    struct gws_caching_allocator *cache = context;
    void *memory = bytes < least ? NULL : take(cache, bytes);
    if (memory) return memory;
    while (bytes >= least && give_back(cache, bytes, false)) continue;
    while (!(memory = cache->under.allocate(cache->under.context, bytes)))
        if (!give_back(cache, bytes, true)) return NULL;
    if (bytes >= least) list(cache, memory, bytes);
    return memory;
}

static void cache_release(void *context, void *memory, size_t bytes)
{
    struct gws_caching_allocator *cache = context;
    bool listed = false;
    if (bytes >= least) {
        gws__lock_take(&cache->lock);
        for (struct block *block = cache->block; block < cache->block + cache->blocks && !listed; block++) {
            if (block->memory != memory) continue;
            listed = true;
            block->used = false;
            cache->in_use -= block->bytes;
            cache->kept += block->bytes;
        }
        gws__lock_drop(&cache->lock);
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
    while (give_back(cache, SIZE_MAX, true)) continue;
    struct gws_allocator under = cache->under;
    gws__memory_free(&under, cache, 1, sizeof *cache);
}
