/* SPDX-License-Identifier: MIT */
/* Real distances. */
#include "real_sum.h"

#define NO_DISTANCE NO_PATH

#include "wide_body.h"

const struct gws__sssp_loops gws__sssp_real = {fill, start, by_blocks, by_segments, fuse, nearer, finish};
