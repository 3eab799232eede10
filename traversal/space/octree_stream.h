/* SPDX-License-Identifier: MIT */
/* Writing past the caches: for what is too long for them and is written in whole lines, so that no line is fetched
 * before it is overwritten. It pays where memory was used before; pages that the system clears at the first touch are
 * in a cache by that. */
#ifndef GWS_SPACE_OCTREE_STREAM_H
#define GWS_SPACE_OCTREE_STREAM_H

#include <stdbool.h>
#include <stdint.h>

/* Was that memory, of more than a page, touched before? False where the system cannot say. */
bool gws__octree_is_touched(const void *memory, uint64_t bytes);

/* Copies bytes; others see them as after any write. */
void gws__octree_stream(void *to, const void *from, uint64_t bytes);

#endif
