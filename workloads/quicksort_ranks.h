/* SPDX-License-Identifier: MIT */
/* Quicksort on several ranks: the tasks (quicksort.c) of keys that are parted already (quicksort_ranks.c). */
#ifndef GWS_QUICKSORT_RANKS_H
#define GWS_QUICKSORT_RANKS_H

#include "quicksort.h"

/* Sorts the `count` keys of each rank in ranks->reach, which lists the keys of all ranks of this host. ranks->all_roots
 * is set. *result: of the ranges that this rank ran. Collective. Errors: GWS_NO_MEMORY, and those of
 * gws_rank_tasks_run(). */
gws_status gws__quicksort_sort_parts(struct gws_runtime *runtime, const struct gws_ranks *ranks, uint64_t count,
                                     const struct gws_quicksort_options *options, struct gws_quicksort_result *result);

#endif
