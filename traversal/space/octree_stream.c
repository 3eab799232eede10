/* SPDX-License-Identifier: MIT */
/* See octree_deal.h. Stores past the caches are ordered with nothing else: a fence follows them, so that the caller's
 * next release covers them, too. */
#define _DEFAULT_SOURCE /* mincore */
#include "octree_deal.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined __x86_64__
#include <emmintrin.h>
#endif

/* One page in the middle stands for all. */
bool gws__octree_is_touched(const void *memory, uint64_t bytes)
{
#ifdef __linux__
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), middle = ((uintptr_t)memory + bytes / 2) / page * page;
    unsigned char resident = 0;
    return mincore((void *)middle, page, &resident) == 0 && (resident & 1); // NOLINT(performance-no-int-to-ptr)
#else
    (void)memory;
    (void)bytes;
    return false;
#endif
}

void gws__octree_stream(void *to, const void *from, uint64_t bytes)
{
#if defined __x86_64__
    enum { line = 64 };
    char *next = to;
    const char *at = from;
    uint64_t head = (line - (uintptr_t)to % line) % line;
    if (head > bytes) head = bytes;
    memcpy(next, at, head);
    for (next += head, at += head, bytes -= head; bytes >= line; next += line, at += line, bytes -= line)
        for (int i = 0; i < line; i += (int)sizeof(__m128i))
            _mm_stream_si128((__m128i *)(void *)(next + i), _mm_loadu_si128((const __m128i *)(const void *)(at + i)));
    memcpy(next, at, bytes);
    _mm_sfence();
#else
    memcpy(to, from, bytes);
#endif
}
