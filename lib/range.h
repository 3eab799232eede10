/* SPDX-License-Identifier: MIT */
#ifndef GWS_RANGE_H
#define GWS_RANGE_H

#include <stdint.h>

/* Tasks begin .. end - 1. */
struct gws_range {
    uint64_t begin, end;
};

#endif
