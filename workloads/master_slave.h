/* SPDX-License-Identifier: MIT */
/* Masters and slaves as a load (Rudolph, Slivkin-Allalouf, Upfal: "A Simple Load Balancing Scheme for Task Allocation
 * in Parallel Machines", SPAA 1991, section 4): a master runs for a while, spawns a number of short slaves, and goes
 * on, for a number of rounds. Several masters may do so together (Figure 6 there has ten).
 *
 * A round of a master is one task; it hands on to the next round as a task, since no task waits for another. In section
 * 4.1 of the paper the master works in parallel with its slaves: the next round is spawned behind the slaves by the
 * master itself. In its Figure 5 the next batch starts when all slaves have finished: the slave that finishes last
 * spawns the next round. `await` chooses the latter. */
#ifndef GWS_MASTER_SLAVE_H
#define GWS_MASTER_SLAVE_H

#include "../lib/runtime.h"

struct gws_master_slave_options {
    uint64_t masters; /* at least 1, at most 2^24 */
    uint64_t slaves;  /* of one master in one round, at most 2^31; 0 is legal */
    uint64_t rounds;  /* of each master, at least 1. masters * rounds * (slaves + 1) tasks, below 2^63 */
    double master_us; /* how long a master runs in a round before it spawns, in microseconds: 0 .. 10^9 */
    double slave_us;  /* how long a slave runs, in microseconds: 0 .. 10^9. Both spin on the clock. */
    bool await;       /* the next round begins when all slaves of the last one have finished, not before */
};

struct gws_master_slave_result {
    uint64_t tasks;  /* all that ran: masters * rounds * (slaves + 1) */
    uint64_t rounds; /* run by all masters together */
    uint64_t slaves; /* run for all masters together */
    uint64_t strays; /* slaves that ran on another worker than the master that spawned them */
    double work_ms;  /* their time together; over workers times time it is the efficiency */
};

/* Runs it. Tasks are 24 bytes; with await, 128 bytes more for each master. How
 * even the queues were, the paper's measure, is in the statistics where the runtime samples (gws_options.sample).
 * Errors: GWS_INVALID (masters, slaves, rounds or a time out of bounds), GWS_TOO_LARGE (too many tasks to count),
 * GWS_NO_MEMORY, GWS_WRONG_RESULT (it ran another number of tasks than that: never, unless the runtime loses or doubles
 * tasks); *result is then as it was. */
gws_status gws_master_slave(struct gws_runtime *runtime, const struct gws_master_slave_options *options,
                            struct gws_master_slave_result *result);

/* Whether so many rounds and slaves ran as there must be: GWS_OK, or GWS_WRONG_RESULT; where may be NULL. */
gws_status gws_master_slave_check(const struct gws_master_slave_options *options,
                                  const struct gws_master_slave_result *result, struct gws_diagnostic *where);

#endif
