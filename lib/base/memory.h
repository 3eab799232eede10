/* SPDX-License-Identifier: MIT */
/* Memory through a gws_allocator, with checked size arithmetic; and a limit on memory. */
#ifndef GWS_BASE_MEMORY_H
#define GWS_BASE_MEMORY_H

#include "../runtime.h"

/* The library's own allocator: that of the C library, aligned to cache lines. From 4 MiB up, blocks are aligned to 2
 * MiB and use huge pages, because address translation limits random access to large arrays. */
extern const struct gws_allocator gws__memory_default;

/* count items of size bytes, not cleared (_new) or cleared (_zero); NULL when memory is short or count * size
 * overflows. count 0 gives one byte. Free with the same count and size; NULL is allowed. */
void *gws__memory_new(const struct gws_allocator *allocator, uint64_t count, uint64_t size);
void *gws__memory_zero(const struct gws_allocator *allocator, uint64_t count, uint64_t size);
void gws__memory_free(const struct gws_allocator *allocator, void *memory, uint64_t count, uint64_t size);

/* Opens an allocator over `under`, which is copied. It refuses requests that would exceed that many bytes in use at
 * once. Errors: GWS_NO_MEMORY. Several threads may use it at once. */
gws_status gws__limit_open(const struct gws_allocator *under, uint64_t bytes, struct gws_allocator *limited);

/* Closes an allocator of gws__limit_open(). Blocks in use may be released afterwards, also through copies of limited.
 * The release of the last block frees the limit's own memory. */
void gws__limit_close(const struct gws_allocator *limited);

#endif
