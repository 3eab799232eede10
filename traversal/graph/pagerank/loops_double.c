/* SPDX-License-Identifier: MIT */
/* The loops of PageRank with shares in double. */
#define SHARE double
#include "loops.h"

const struct gws__pagerank_loops gws__pagerank_double = {begin_shares, pull, write_ranks, add_exact_sums, finish_heavy};
