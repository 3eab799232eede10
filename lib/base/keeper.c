/* SPDX-License-Identifier: MIT */
/* See keeper.h. Blocks are listed, a few hundred at most, which are looked through under a lock. What does not fit the
 * list is passed on. */
#include "../keeper.h"

#include "lock.h"
#include "memory.h"

enum { least = 256 << 10, room = 512 };

struct block {
    void *memory;
    size_t bytes; /* as they were asked for from under */
    bool used;    /* by who asked for it; false: it is kept */
};

struct gws_keeper {
    struct gws_allocator under;
    struct gws__lock lock; /* for what follows */
    uint32_t blocks;
    size_t in_use, kept; /* bytes */
    size_t most;         /* that were in use at once */
    struct block block[room];
};

/* ---- with the lock ---- */

/* The smallest kept block of at least so many bytes, NULL: there is none. */
static struct block *smallest(struct gws_keeper *keeper, size_t bytes)
{
    struct block *best = NULL;
    for (struct block *block = keeper->block; block < keeper->block + keeper->blocks; block++)
        if (!block->used && block->bytes >= bytes && (!best || block->bytes < best->bytes)) best = block;
    return best;
}

static struct block *largest(struct gws_keeper *keeper)
{
    struct block *best = NULL;
    for (struct block *block = keeper->block; block < keeper->block + keeper->blocks; block++)
        if (!block->used && (!best || block->bytes > best->bytes)) best = block;
    return best;
}

/* A block that is kept is used. */
static void use(struct gws_keeper *keeper, struct block *block)
{
    block->used = true;
    keeper->kept -= block->bytes;
    keeper->in_use += block->bytes;
    if (keeper->in_use > keeper->most) keeper->most = keeper->in_use;
}

/* Would so many bytes more be too many, with what is kept? */
static bool is_full(const struct gws_keeper *keeper, size_t bytes)
{
    size_t most = keeper->in_use + bytes > keeper->most ? keeper->in_use + bytes : keeper->most;
    return keeper->kept > 0 && keeper->in_use + bytes + keeper->kept > most + most / 2;
}

/* Takes one kept block off the list, the smallest of that size or more, or else the largest; {0}: there is none. */
static struct block unlist(struct gws_keeper *keeper, size_t bytes)
{
    struct block *found = smallest(keeper, bytes);
    if (!found) found = largest(keeper);
    if (!found) return (struct block){0};
    struct block block = *found;
    *found = keeper->block[--keeper->blocks];
    keeper->kept -= block.bytes;
    return block;
}

/* ---- without ---- */

static void *take(struct gws_keeper *keeper, size_t bytes)
{
    gws__lock_take(&keeper->lock);
    struct block *found = smallest(keeper, bytes);
    if (found && found->bytes - bytes > found->bytes / 5) found = NULL;
    void *memory = found ? found->memory : NULL;
    if (found) use(keeper, found);
    gws__lock_drop(&keeper->lock);
    return memory;
}

/* Gives back a kept block, if there is one, and, unless that is wanted anyhow, if so many bytes more would be too many.
 */
static bool give_back(struct gws_keeper *keeper, size_t bytes, bool anyhow)
{
    struct block block = {0};
    gws__lock_take(&keeper->lock);
    if (anyhow || is_full(keeper, bytes)) block = unlist(keeper, bytes);
    gws__lock_drop(&keeper->lock);
    if (block.memory) keeper->under.release(keeper->under.context, block.memory, block.bytes);
    return block.memory != NULL;
}

static void list(struct gws_keeper *keeper, void *memory, size_t bytes)
{
    gws__lock_take(&keeper->lock);
    if (keeper->blocks < room) {
        struct block *block = &keeper->block[keeper->blocks++];
        *block = (struct block){.memory = memory, .bytes = bytes};
        keeper->kept += bytes;
        use(keeper, block);
    }
    gws__lock_drop(&keeper->lock);
}

static void *keeper_allocate(void *context, size_t bytes)
{
    struct gws_keeper *keeper = context;
    void *memory = bytes < least ? NULL : take(keeper, bytes);
    if (memory) return memory;
    while (bytes >= least && give_back(keeper, bytes, false)) continue;
    while (!(memory = keeper->under.allocate(keeper->under.context, bytes)))
        if (!give_back(keeper, bytes, true)) return NULL;
    if (bytes >= least) list(keeper, memory, bytes);
    return memory;
}

static void keeper_release(void *context, void *memory, size_t bytes)
{
    struct gws_keeper *keeper = context;
    bool listed = false;
    if (bytes >= least) {
        gws__lock_take(&keeper->lock);
        for (struct block *block = keeper->block; block < keeper->block + keeper->blocks && !listed; block++) {
            if (block->memory != memory) continue;
            listed = true;
            block->used = false;
            keeper->in_use -= block->bytes;
            keeper->kept += block->bytes;
        }
        gws__lock_drop(&keeper->lock);
    }
    if (!listed) keeper->under.release(keeper->under.context, memory, bytes);
}

gws_status gws_keeper_open(const struct gws_allocator *under, struct gws_keeper **keeper)
{
    if (!under || !under->allocate) under = &gws__memory_default;
    if (!under->release) return GWS_INVALID;
    struct gws_keeper *made = gws__memory_zero(under, 1, sizeof *made);
    if (!made) return GWS_NO_MEMORY;
    made->under = *under;
    gws__lock_init(&made->lock);
    *keeper = made;
    return GWS_OK;
}

struct gws_allocator gws_keeper_allocator(struct gws_keeper *keeper)
{
    return (struct gws_allocator){.allocate = keeper_allocate, .release = keeper_release, .context = keeper};
}

void gws_keeper_close(struct gws_keeper *keeper)
{
    if (!keeper) return;
    while (give_back(keeper, SIZE_MAX, true)) continue;
    struct gws_allocator under = keeper->under;
    gws__memory_free(&under, keeper, 1, sizeof *keeper);
}
