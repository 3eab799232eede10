/* SPDX-License-Identifier: MIT */
/* Checksums and structure of .gwsg sections, block by block on all workers. */
#ifndef GWS_IO_GWSG_SUM_H
#define GWS_IO_GWSG_SUM_H

#include "../../lib/graph.h"
#include "head.h"

/* XXH3-64 of a few bytes. */
uint64_t gws__gwsg_sum_bytes(const void *bytes, uint64_t size);

/* The array of a graph that a section holds, or NULL. */
const void *gws__gwsg_array(const struct gws_graph *graph, enum gws__gwsg_kind kind);

/* The checksum of a section of that many bytes, and in sound (may be NULL: not looked at) whether the array is what the
 * graph needs: offsets ascend from 0 to arcs, targets are in range and ascend in their rows, ids ascend strictly; the
 * others always are. Offsets must have been found sound before targets are looked at. Each byte is read once.
 * GWS_NO_MEMORY. */
gws_status gws__gwsg_scan(struct gws_runtime *runtime, const struct gws_graph *graph, enum gws__gwsg_kind kind,
                          uint64_t bytes, uint64_t *checksum, bool *sound);

#endif
