/* SPDX-License-Identifier: MIT */
/* The bouncing producer-consumer benchmark (Dinan, Larkins, Sadayappan, Krishnamoorthy, Nieplocha: "Scalable Work
 * Stealing", SC 2009, section 2.5.3). A producer makes the next producer and then consumers, which take a while. The
 * producer is made first, so it lies at the end of the queue that is stolen from: whoever steals it is the next to have
 * work for others. Finding that worker is what is measured. */
#ifndef GWS_BPC_H
#define GWS_BPC_H

#include "../lib/runtime.h"

struct gws_bpc_options {
    uint64_t consumers; /* of one producer, the paper's n; 0 is legal */
    uint64_t depth;     /* producers that make something, the paper's d; 0 is legal. depth * (consumers + 1) + 1 tasks,
                         * below 2^63 */
    double work_us;     /* how long a consumer takes, in microseconds: 0 (none) .. 10^9. It spins on the clock. */
};

struct gws_bpc_result {
    uint64_t tasks;     /* all that ran: producers + consumers */
    uint64_t producers; /* depth + 1: the last one makes nothing */
    uint64_t consumers; /* depth times those of one */
    uint64_t bounces;   /* producers that ran on another worker than the producer that made them */
    double work_ms;     /* the consumers' time together; over workers times time it is the paper's efficiency */
};

/* Runs it. Tasks are 16 bytes.
 * Errors: GWS_INVALID (a time out of bounds or not a number), GWS_TOO_LARGE (too many tasks to count), GWS_NO_MEMORY,
 * GWS_WRONG_RESULT (it ran another number of tasks than depth * (consumers + 1) + 1: never, unless the runtime loses
 * or doubles tasks); *result is then as it was. Statistics are those of gws_runtime_stats(). */
gws_status gws_bpc(struct gws_runtime *runtime, const struct gws_bpc_options *options, struct gws_bpc_result *result);

/* Whether so many producers and consumers ran as there must be: GWS_OK, or GWS_WRONG_RESULT; where may be NULL. */
gws_status gws_bpc_check(const struct gws_bpc_options *options, const struct gws_bpc_result *result,
                         struct gws_diagnostic *where);

#endif
