/* SPDX-License-Identifier: MIT */
/* Shared by the sources of quicksort on several sides. */
#ifndef GWS_QUICKSORT_SIDES_H
#define GWS_QUICKSORT_SIDES_H

#include "quicksort.h"

/* All keys of a part are smaller than those of the next one. */
struct gws__quicksort_part {
    uint64_t begin, count;
};

enum { GWS__QUICKSORT_PARTS = 127 };

struct gws__quicksort_parts {
    uint64_t *keys;                                        /* all keys, in the order of their parts */
    uint64_t count;                                        /* number of keys */
    struct gws__quicksort_part part[GWS__QUICKSORT_PARTS]; /* the parts that are to be sorted, none of them empty */
    uint32_t parts;
};

/* Divides a copy of the keys into about `wanted` parts, at most GWS__QUICKSORT_PARTS, by keys of a sample (Blelloch et
 * al., "A Comparison of Sorting Algorithms for the Connection Machine CM-2", SPAA 1991). Keys that equal a splitter are
 * in no part: they lie between parts, sorted. Memory: 10 bytes per key; gws__quicksort_parts_clear() frees 8 of them,
 * also after an error. Errors: GWS_NO_MEMORY, GWS_CANCELLED. */
gws_status gws__quicksort_divide(struct gws_runtime *runtime, const uint64_t *keys, uint64_t count, uint32_t wanted,
                                 uint64_t seed, struct gws__quicksort_parts *parts);
void gws__quicksort_parts_clear(struct gws_runtime *runtime, struct gws__quicksort_parts *parts);

/* Sorts from[0 .. count - 1] into to[], which may be the same array, within another call of the runtime. Otherwise like
 * gws_quicksort_on_sides(). */
gws_status gws__quicksort_on_sides(struct gws_runtime *runtime, const struct gws_quicksort_sides *sides,
                                   const uint64_t *from, uint64_t *to, uint64_t count,
                                   const struct gws_quicksort_options *options, struct gws_quicksort_result *result,
                                   struct gws_diagnostic *where);

/* Sorts from[0 .. count - 1] into to[], which may be the same array. Otherwise like gws_quicksort_on_device(). */
gws_status gws__quicksort_on_device(struct gws_quicksort_device *sort, const uint64_t *from, uint64_t *to,
                                    uint64_t count, const struct gws_quicksort_options *options,
                                    struct gws_quicksort_result *result, struct gws_device_tasks_result *stats,
                                    struct gws_diagnostic *where);

#endif
