/* SPDX-License-Identifier: MIT */
/* Shortest paths among ranks, with real weights. */
#include "../sssp/real_sum.h"

#include "sssp_loops.h"

const struct gws__rank_sssp_loops gws__rank_sssp_real = LOOPS;
