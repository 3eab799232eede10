/* SPDX-License-Identifier: MIT */
/* A caching allocator: it keeps released large blocks and reuses them for requests of about the same size. It is for
 * programs that build one tree or graph after another. Without it, such blocks go back to the system, which clears
 * their pages before it hands them out again. An octree uses 13 bytes a point; clearing them costs a tenth of the time
 * of the build. */
#ifndef GWS_CACHING_ALLOCATOR_H
#define GWS_CACHING_ALLOCATOR_H

#include "runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gws_caching_allocator;

/* Opens a cache over the allocator `under`, which is copied; NULL or {0}: the library's own. The caller owns *cache.
 * Errors: GWS_INVALID (`under` can allocate but not release), GWS_NO_MEMORY. */
GWS_API gws_status gws_caching_allocator_open(const struct gws_allocator *under, struct gws_caching_allocator **cache);

/* The cache as an allocator, for gws_options. Several threads may use it while the cache is open.
 *
 * The cache passes on requests below 256 KiB. It keeps larger blocks when they are released. A cached block serves a
 * request of its own size or up to a fifth less. If no cached block fits a request, the cache first releases blocks
 * until the blocks in use and in the cache together exceed the peak use by at most half. */
GWS_API struct gws_allocator gws_caching_allocator_calls(struct gws_caching_allocator *cache);

/* Releases the cached blocks. The caller must have released all blocks before. NULL is allowed. */
GWS_API void gws_caching_allocator_close(struct gws_caching_allocator *cache);

#ifdef __cplusplus
}
#endif
#endif
