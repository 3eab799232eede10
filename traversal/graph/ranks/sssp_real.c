/* SPDX-License-Identifier: MIT */
/* Shortest paths among ranks, with real weights. */
#include "../sssp/real_sum.h"

#include "sssp_loops.h"

const struct gws__rank_sssp_loops gws__rank_sssp_real = {{fill, start, by_blocks, by_segments, fuse, nearer, finish},
                                                         parents,
                                                         pull_parents,
                                                         receive,
                                                         NULL,
                                                         is_level,
                                                         NO_PATH};
