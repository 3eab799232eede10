/* SPDX-License-Identifier: MIT */
/* An allocator that keeps large blocks for whoever wants one of about that size next: for programs that build one tree
 * or graph after another. Without it such blocks are returned to the system, which clears their pages before it hands
 * them out once more: 13 bytes a point of an octree, a tenth of the time that building takes. */
#ifndef GWS_CACHING_ALLOCATOR_H
#define GWS_CACHING_ALLOCATOR_H

#include "runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gws_caching_allocator;

/* Opens a cache over the allocator under, which is copied; NULL or {0}: the library's own. *cache is the caller's.
 * GWS_INVALID: under can allocate and not release; GWS_NO_MEMORY. */
GWS_API gws_status gws_caching_allocator_open(const struct gws_allocator *under, struct gws_caching_allocator **cache);

/* The cache as an allocator, for gws_options. It may be used by several threads, while the cache is open.
 *
 * Blocks below 256 KiB are passed on. A larger one that is given back is kept, and serves a request for as many bytes
 * or up to a fifth fewer. Where a request is served by none, kept blocks are given back first until all together, kept
 * or in use, are no more than half above the most that were in use at once. */
GWS_API struct gws_allocator gws_caching_allocator_calls(struct gws_caching_allocator *cache);

/* Gives back what is kept; all that was allocated must have been given back before. NULL is allowed. */
GWS_API void gws_caching_allocator_close(struct gws_caching_allocator *cache);

#ifdef __cplusplus
}
#endif
#endif
