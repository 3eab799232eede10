/* SPDX-License-Identifier: MIT */
/* MADNESS trees on the ranks of a job (lib/rank_tasks.h). madness.h has the rules. */
#ifndef GWS_MADNESS_RANKS_H
#define GWS_MADNESS_RANKS_H

#include "../lib/rank_tasks.h"
#include "madness.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Builds the tree with the workers of all ranks. Collective: every rank passes the same problem. Rank 0's *tree is the
 * whole tree, with the same bits as that of gws_madness_build() if all ranks use the same kernel; another rank's *tree
 * has only the families that the rank computed, and does not refer to the whole. ranks may be NULL:
 * gws_madness_build(). Errors: those of gws_madness_build() and gws_rank_tasks_run(), on all ranks alike, with the
 * message of the first rank that failed. Cost: afterwards the families of all ranks go to
 * rank 0, whose memory must hold the tree. */
GWS_API gws_status gws_madness_build_on_ranks(struct gws_runtime *runtime, const struct gws_ranks *ranks,
                                              const struct gws_madness_problem *problem, struct gws_madness_tree **tree,
                                              struct gws_diagnostic *where);

#ifdef __cplusplus
}
#endif
#endif
