/* SPDX-License-Identifier: MIT */
/* The bouncing producer-consumer benchmark (Dinan, Larkins, Sadayappan, Krishnamoorthy, Nieplocha: "Scalable Work
 * Stealing", SC 2009, section 2.5.3). A producer spawns the next producer and then consumers, which take a while. The
 * producer is spawned first, so it lies at the end of the queue from which thieves steal. The thief that takes it then
 * has work for other workers. The benchmark measures how fast they find that worker. */
#ifndef GWS_BPC_H
#define GWS_BPC_H

#include "../lib/runtime.h"

struct gws_bpc_options {
    uint64_t consumers; /* for each producer, the paper's n; 0 is legal */
    uint64_t
        depth; /* producers with children, the paper's d; 0 is legal. depth * (consumers + 1) + 1 tasks, below 2^63 */
    double work_us; /* the time of a consumer in microseconds: 0 (none) .. 10^9. It spins on the clock. */
};

struct gws_bpc_result {
    uint64_t tasks;     /* producers + consumers */
    uint64_t producers; /* depth + 1: the last one has no children */
    uint64_t consumers; /* depth times consumers */
    uint64_t bounces;   /* producers that ran on another worker than their parent */
    double work_ms;     /* total time of the consumers; divided by workers times time, it is the paper's efficiency */
};

/* Runs the benchmark. Tasks are 16 bytes. Errors: GWS_INVALID (a time out of bounds or NaN), GWS_TOO_LARGE (too many
 * tasks to count), GWS_NO_MEMORY, GWS_WRONG_RESULT (the number of tasks is not depth * (consumers + 1) + 1: the runtime
 * lost or repeated tasks); *result is then unchanged. gws_runtime_stats() has the statistics. */
gws_status gws_bpc(struct gws_runtime *runtime, const struct gws_bpc_options *options, struct gws_bpc_result *result);

/* Checks the numbers of producers and consumers: GWS_OK, or GWS_WRONG_RESULT; where may be NULL. */
gws_status gws_bpc_check(const struct gws_bpc_options *options, const struct gws_bpc_result *result,
                         struct gws_diagnostic *where);

#endif
