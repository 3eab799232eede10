/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* madvise */
#include "memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { cache_line = 64, huge_page = 2 << 20, huge_from = 4 << 20 };

static void *default_allocate(void *context, size_t bytes)
{
    (void)context;
    void *memory = NULL;
    if (posix_memalign(&memory, bytes >= huge_from ? huge_page : cache_line, bytes) != 0) return NULL;
#ifdef MADV_HUGEPAGE
    /* Advice only: where it is refused, pages are small and everything still works. */
    if (bytes >= huge_from) (void)madvise(memory, bytes & ~(size_t)(huge_page - 1), MADV_HUGEPAGE);
#endif
    return memory;
}

static void default_release(void *context, void *memory, size_t bytes)
{
    (void)context;
    (void)bytes;
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
