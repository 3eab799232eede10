/* SPDX-License-Identifier: MIT */
/* Shortest paths among ranks that share memory, with real weights. */
#include "../sssp/real_sum.h"

#define UNREACHED (NO_PATH << 1)

#include "sssp_shared.h"

const struct gws__rank_sssp_loops gws__rank_sssp_shared_real = LOOPS;
