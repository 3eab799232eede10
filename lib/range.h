/* SPDX-License-Identifier: MIT */
#ifndef GWS_RANGE_H
#define GWS_RANGE_H

#include <stdint.h>

/* Tasks begin .. end - 1. */
struct gws_range {
    uint64_t begin, end;
};

static inline uint64_t gws_smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Returns the number of the part that contains `at`, which is the last i < count with bound[i * stride] <= at. Returns
 * 0 if there is none. Bounds ascend. */
static inline uint64_t gws_bounds_find(const uint64_t *bound, uint64_t stride, uint64_t count, uint64_t at)
{
    uint64_t low = 0, high = count;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (bound[middle * stride] <= at)
            low = middle;
        else
            high = middle;
    }
    return low;
}

#endif
