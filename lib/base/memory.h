/* SPDX-License-Identifier: MIT */
/* Memory through a gws_allocator, with the size arithmetic checked in one place; and a limit of it. */
#ifndef GWS_BASE_MEMORY_H
#define GWS_BASE_MEMORY_H

#include "../runtime.h"

/* The library's own allocator: the C library's, aligned to cache lines; from 4 MiB up aligned to 2 MiB, with huge pages
 * asked for, since random access to large arrays is bound by address translation. */
extern const struct gws_allocator gws__memory_default;

/* count items of size bytes, not cleared (_new) or cleared (_zero); NULL when memory is short or count * size
 * overflows. count 0 gives one byte. Freed with the same count and size; NULL is allowed. */
void *gws__memory_new(const struct gws_allocator *allocator, uint64_t count, uint64_t size);
void *gws__memory_zero(const struct gws_allocator *allocator, uint64_t count, uint64_t size);
void gws__memory_free(const struct gws_allocator *allocator, void *memory, uint64_t count, uint64_t size);

/* Opens an allocator over under, which is copied, that refuses what would exceed so many bytes in use at once.
 * GWS_NO_MEMORY. Several threads may use it at once. */
gws_status gws__limit_open(const struct gws_allocator *under, uint64_t bytes, struct gws_allocator *limited);

/* Ends the use of limited (what gws__limit_open() filled). Blocks that are still in use may be released afterwards, by
 * copies of limited as well; the limit's own memory goes with the last of them. */
void gws__limit_close(const struct gws_allocator *limited);

#endif
