/* SPDX-License-Identifier: MIT */
/* Sorts the arcs of a bucket: neighbouring vertices' arcs, in three arrays side by side. */
#ifndef GWS_GRAPH_ARC_SORT_H
#define GWS_GRAPH_ARC_SORT_H

#include <stdint.h>

/* An arc's source is the low bits of it, counted from the bucket's first vertex. */
struct gws__arcs {
    uint16_t *low;
    uint32_t *target;
    int32_t *weight; /* or NULL */
    uint64_t count;
    uint32_t low_bits, target_bits; /* how many of them can be other than 0; low_bits <= 16 */
};

/* Room for `room` arcs in each array, of one worker; weight[] only where there are weights. */
struct gws__arc_scratch {
    uint64_t *key[2];
    int32_t *weight[2];
    uint64_t room;
};

/* Sorts by source, then target, then weight. Row by row or by radix through the scratch where the arcs fit there, else
 * (a bucket with a hub) first apart in place. Linear in count, whatever the arcs. */
void gws__arcs_sort(const struct gws__arcs *arcs, const struct gws__arc_scratch *scratch);

#endif
