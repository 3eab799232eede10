/* SPDX-License-Identifier: MIT */
/* Shortest paths among ranks, with integer weights or none. */
#include "sssp_integer_sum.h"

#define NO_PATH GWS_NO_DISTANCE

#include "sssp_loops.h"

const struct gws__rank_sssp_loops gws__rank_sssp_integer = LOOPS;
