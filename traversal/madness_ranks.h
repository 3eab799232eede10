/* SPDX-License-Identifier: MIT */
/* MADNESS trees on the ranks of a job (lib/rank_tasks.h). madness.h has the rules. */
#ifndef GWS_MADNESS_RANKS_H
#define GWS_MADNESS_RANKS_H

#include "../lib/rank_tasks.h"
#include "madness.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Builds the tree with the workers of all ranks. Collective: every rank passes the same problem. Each rank's *tree has
 * the families that the rank computed, and counts of the boxes that it computed or divided: the whole tree's counts are
 * their sums over all ranks, and the square of its norm the sum of their squares. ranks may be NULL:
 * gws_madness_build(). Errors: those of gws_madness_build() and gws_rank_tasks_run(), on all ranks alike, with the
 * message of the first rank that failed. */
GWS_API gws_status gws_madness_build_on_ranks(struct gws_runtime *runtime, const struct gws_ranks *ranks,
                                              const struct gws_madness_problem *problem, struct gws_madness_tree **tree,
                                              struct gws_diagnostic *where);

/* Moves the families of all ranks to rank 0's *tree, which becomes the whole tree, with the same bits as that of
 * gws_madness_build() if all ranks use the same kernel; those of other ranks stay as they are. Collective, after
 * gws_madness_build_on_ranks() or gws_madness_device_build_on_ranks(). ranks may be NULL: *tree is the whole one. Cost:
 * a rank sends its coefficients, with one thread. Errors, on all ranks alike, after which *tree is destroyed and NULL:
 * GWS_NO_MEMORY. */
GWS_API gws_status gws_madness_gather_on_ranks(struct gws_runtime *runtime, const struct gws_ranks *ranks,
                                               struct gws_madness_tree **tree, struct gws_diagnostic *where);

#ifdef __cplusplus
}
#endif
#endif
