/* SPDX-License-Identifier: MIT */
/* The workloads in virtual time (lib/sim.h): the same trees of tasks as on threads, with the times of a machine's
 * costs.
 *
 * Every function takes the options of the simulation, and fills *result and *found on success only. Errors: those of
 * gws_sim_run(), and of the workload's function on threads. where may be NULL. */
#ifndef GWS_SIMULATE_H
#define GWS_SIMULATE_H

#include "../lib/sim.h"
#include "bpc.h"
#include "master_slave.h"
#include "quicksort.h"
#include "uts.h"

/* Searches a tree. A task is a node with children. It takes the cost `node` for each child, times tree->repeat. batch:
 * the tasks that a worker pops at once, 1 .. 256. More than one are hashed together, in vectors of 16 children, of
 * which the last one takes as long as the others. */
gws_status gws_uts_simulate(struct gws_runtime *runtime, const struct gws_sim_options *options,
                            const struct gws_uts_tree *tree, uint32_t batch, struct gws_uts_result *result,
                            struct gws_sim_result *found, struct gws_diagnostic *where);

/* Runs the producers and consumers. Also GWS_TOO_LARGE for a depth of 2^40 or more. */
gws_status gws_bpc_simulate(struct gws_runtime *runtime, const struct gws_sim_options *options,
                            const struct gws_bpc_options *load, struct gws_bpc_result *result,
                            struct gws_sim_result *found, struct gws_diagnostic *where);

gws_status gws_master_slave_simulate(struct gws_runtime *runtime, const struct gws_sim_options *options,
                                     const struct gws_master_slave_options *load,
                                     struct gws_master_slave_result *result, struct gws_sim_result *found,
                                     struct gws_diagnostic *where);

/* Sorts keys[0 .. count - 1] in place. To divide a range takes the cost `key` for each of its keys. To sort one of at
 * most `cutoff` keys takes that times the binary logarithm of its length. */
gws_status gws_quicksort_simulate(struct gws_runtime *runtime, const struct gws_sim_options *options, uint64_t *keys,
                                  uint64_t count, const struct gws_quicksort_options *how,
                                  struct gws_quicksort_result *result, struct gws_sim_result *found,
                                  struct gws_diagnostic *where);

#endif
