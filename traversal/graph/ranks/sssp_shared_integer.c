/* SPDX-License-Identifier: MIT */
/* Shortest paths among ranks that share memory, with integer weights or none. */
#include "sssp_integer_sum.h"

#define UNREACHED UINT64_MAX
#define NO_PATH GWS_NO_DISTANCE

#include "sssp_shared.h"

const struct gws__rank_sssp_loops gws__rank_sssp_shared_integer = LOOPS;
