/* SPDX-License-Identifier: MIT */
/* An allocator that keeps large blocks for whoever wants one of about that size next: for programs that build one tree
 * or graph after another. Without it such blocks are returned to the system, which clears their pages before it hands
 * them out once more: 13 bytes a point of an octree, a tenth of the time that building takes. */
#ifndef GWS_KEEPER_H
#define GWS_KEEPER_H

#include "runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gws_keeper;

/* Opens a keeper over the allocator under, which is copied; NULL or {0}: the library's own. *keeper is the caller's.
 * GWS_INVALID: under can allocate and not release; GWS_NO_MEMORY. */
GWS_API gws_status gws_keeper_open(const struct gws_allocator *under, struct gws_keeper **keeper);

/* The keeper as an allocator, for gws_options. It may be used by several threads, while the keeper is open.
 *
 * Blocks below 256 KiB are passed on. A larger one that is given back is kept, and serves a request for as many bytes
 * or up to a fifth fewer. Where a request is served by none, kept blocks are given back first until all together, kept
 * or in use, are no more than half above the most that were in use at once. */
GWS_API struct gws_allocator gws_keeper_allocator(struct gws_keeper *keeper);

/* Gives back what is kept; all that was allocated must have been given back before. NULL is allowed. */
GWS_API void gws_keeper_close(struct gws_keeper *keeper);

#ifdef __cplusplus
}
#endif
#endif
