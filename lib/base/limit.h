/* SPDX-License-Identifier: MIT */
/* An allocator over another one that refuses what would exceed a number of bytes in use at once. */
#ifndef GWS_BASE_LIMIT_H
#define GWS_BASE_LIMIT_H

#include "../runtime.h"

/* Opens a limit of so many bytes over under, which is copied. GWS_NO_MEMORY. Several threads may use it at once. */
gws_status gws__limit_open(const struct gws_allocator *under, uint64_t bytes, struct gws_allocator *limited);

/* Ends the use of limited (what gws__limit_open() filled). Blocks that are still in use may be released afterwards, by
 * copies of limited as well; the limit's own memory goes with the last of them. */
void gws__limit_close(const struct gws_allocator *limited);

#endif
