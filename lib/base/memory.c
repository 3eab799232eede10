/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* madvise */
#include "memory.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

enum { cache_line = 64, huge_page = 2 << 20, huge_from = 4 << 20, page_lines = 64, line_step = 25 };

/* Algorithms index several large arrays alike. If all arrays began at multiples of a page, a load of one array would
 * wait for a store to another one whose address has the same low bits. So an array begins some cache lines behind a
 * multiple of huge_page. The number of lines differs among the last page_lines arrays. */
static void *allocate_large(size_t bytes)
{
    static atomic_uint arrays; /* relaxed: the counter guards no memory */
    unsigned number = atomic_fetch_add_explicit(&arrays, 1, memory_order_relaxed);
    size_t before = (size_t)(number * line_step % page_lines) * cache_line;
    void *memory = NULL;
    if (posix_memalign(&memory, huge_page, before + bytes) != 0) return NULL;
#ifdef MADV_HUGEPAGE
    /* The call is only advice, so its failure is harmless. */
    (void)madvise(memory, (before + bytes) & ~(size_t)(huge_page - 1), MADV_HUGEPAGE);
#endif
    return (char *)memory + before;
}

static void *default_allocate(void *context, size_t bytes)
{
    (void)context;
    void *memory = NULL;
    if (bytes >= huge_from) return allocate_large(bytes);
    return posix_memalign(&memory, cache_line, bytes) == 0 ? memory : NULL;
}

static void default_release(void *context, void *memory, size_t bytes)
{
    (void)context;
    if (bytes >= huge_from) memory = (char *)memory - (uintptr_t)memory % huge_page;
    free(memory);
}

const struct gws_allocator gws__memory_default = {.allocate = default_allocate, .release = default_release};

static size_t bytes_of(uint64_t count, uint64_t size)
{
    return count == 0 || size == 0 ? 1 : (size_t)(count * size);
}

void *gws__memory_new(const struct gws_allocator *allocator, uint64_t count, uint64_t size)
{
    if (size != 0 && count > (uint64_t)PTRDIFF_MAX / size) return NULL;
    return allocator->allocate(allocator->context, bytes_of(count, size));
}

void *gws__memory_zero(const struct gws_allocator *allocator, uint64_t count, uint64_t size)
{
    void *memory = gws__memory_new(allocator, count, size);
    if (memory) memset(memory, 0, bytes_of(count, size));
    return memory;
}

void gws__memory_free(const struct gws_allocator *allocator, void *memory, uint64_t count, uint64_t size)
{
    if (memory) allocator->release(allocator->context, memory, bytes_of(count, size));
}

void gws__memory_trim(void)
{
#ifdef __GLIBC__
    (void)malloc_trim(0);
#endif
}

/* ---- a limit ----
 *
 * A limit is a counter of bytes in use. Results outlive the runtime that made them, and they release their memory
 * through a copy of its allocator. So the limit also counts its holders: its owner, and every block in use. */

struct limit {
    struct gws_allocator under;
    uint64_t max;
    _Atomic uint64_t bytes;   /* bytes in use, never above max; relaxed: the counter guards no memory */
    _Atomic uint64_t holders; /* number of blocks in use, plus one until gws__limit_close() */
};

static bool reserve(struct limit *limit, uint64_t bytes)
{
    uint64_t now = atomic_load_explicit(&limit->bytes, memory_order_relaxed);
    do {
        if (bytes > limit->max - now) return false;
    } while (!atomic_compare_exchange_weak_explicit(&limit->bytes, &now, now + bytes, memory_order_relaxed,
                                                    memory_order_relaxed));
    return true;
}

static void drop(struct limit *limit)
{
    /* acq_rel: the last decrement pairs with all earlier decrements. No other thread then uses the limit. */
    if (atomic_fetch_sub_explicit(&limit->holders, 1, memory_order_acq_rel) > 1) return;
    struct gws_allocator under = limit->under;
    gws__memory_free(&under, limit, 1, sizeof *limit);
}

static void *limit_allocate(void *context, size_t bytes)
{
    struct limit *limit = context;
    if (!reserve(limit, bytes)) return NULL;
    void *memory = limit->under.allocate(limit->under.context, bytes);
    if (memory)
        atomic_fetch_add_explicit(&limit->holders, 1, memory_order_relaxed);
    else
        atomic_fetch_sub_explicit(&limit->bytes, bytes, memory_order_relaxed);
    return memory;
}

static void limit_release(void *context, void *memory, size_t bytes)
{
    struct limit *limit = context;
    limit->under.release(limit->under.context, memory, bytes);
    atomic_fetch_sub_explicit(&limit->bytes, bytes, memory_order_relaxed);
    drop(limit);
}

gws_status gws__limit_open(const struct gws_allocator *under, uint64_t bytes, struct gws_allocator *limited)
{
    struct limit *limit = gws__memory_new(under, 1, sizeof *limit);
    if (!limit) return GWS_NO_MEMORY;
    *limit = (struct limit){.under = *under, .max = bytes};
    atomic_init(&limit->bytes, 0);
    atomic_init(&limit->holders, 1);
    *limited = (struct gws_allocator){.allocate = limit_allocate, .release = limit_release, .context = limit};
    return GWS_OK;
}

void gws__limit_close(const struct gws_allocator *limited)
{
    drop(limited->context);
}

bool gws__memory_is_default(const struct gws_allocator *allocator)
{
    while (allocator->allocate == limit_allocate) allocator = &((const struct limit *)allocator->context)->under;
    return allocator->allocate == default_allocate;
}
