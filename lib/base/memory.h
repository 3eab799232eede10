/* SPDX-License-Identifier: MIT */
/* Memory from a gws_allocator with checked size arithmetic, and an allocator with a limit. */
#ifndef GWS_BASE_MEMORY_H
#define GWS_BASE_MEMORY_H

#include "../runtime.h"

/* The library's own allocator: the C library's allocator, with blocks aligned to cache lines. Blocks from 4 MiB up have
 * an alignment of 2 MiB and use huge pages, because address translation limits random access to large arrays. */
extern const struct gws_allocator gws__memory_default;

/* Returns whether an allocator is gws__memory_default, perhaps with limits over it. */
bool gws__memory_is_default(const struct gws_allocator *allocator);

/* Allocate count items of size bytes, not cleared (_new) or cleared (_zero). Return NULL when memory is short or count
 * * size overflows. A count of 0 allocates one byte. Free the memory with the same count and size. NULL is allowed. */
void *gws__memory_new(const struct gws_allocator *allocator, uint64_t count, uint64_t size);
void *gws__memory_zero(const struct gws_allocator *allocator, uint64_t count, uint64_t size);
void gws__memory_free(const struct gws_allocator *allocator, void *memory, uint64_t count, uint64_t size);

/* Returns the pages of freed memory to the system, where the C library can. Takes about a millisecond. */
void gws__memory_trim(void);

/* Opens an allocator over a copy of `under`. The new allocator refuses a request if more than that many bytes would be
 * in use at once. Errors: GWS_NO_MEMORY. Several threads may use the allocator at once. */
gws_status gws__limit_open(const struct gws_allocator *under, uint64_t bytes, struct gws_allocator *limited);

/* Closes an allocator of gws__limit_open(). The caller may release blocks afterwards, also through copies of limited.
 * The release of the last block frees the limit's own memory. */
void gws__limit_close(const struct gws_allocator *limited);

#endif
