/* SPDX-License-Identifier: MIT */
/* Masters and slaves as a workload (Rudolph, Slivkin-Allalouf, Upfal: "A Simple Load Balancing Scheme for Task
 * Allocation in Parallel Machines", SPAA 1991, section 4). A round of a master consists of work for a given time and
 * the spawning of short slaves. A master runs a number of rounds. Several masters may run together (ten in the paper's
 * Figure 6).
 *
 * A round of a master is one task. The next round is another task, because no task waits for another task. In section
 * 4.1 of the paper, the master works in parallel with its slaves, so the master itself spawns the next round behind
 * the slaves. In the paper's Figure 5, the next batch starts when all slaves have finished, so the last slave spawns
 * the next round. `await` selects the latter. */
#ifndef GWS_MASTER_SLAVE_H
#define GWS_MASTER_SLAVE_H

#include "../lib/runtime.h"

struct gws_master_slave_options {
    uint64_t masters; /* at least 1, at most 2^24 */
    uint64_t slaves;  /* slaves of one master in one round, at most 2^31; may be 0 */
    uint64_t rounds;  /* rounds of each master, at least 1. The number of tasks, masters * rounds * (slaves + 1), is
                         below 2^63 */
    double master_us; /* the time of a master in a round before it spawns, in microseconds: 0 .. 10^9 */
    double slave_us;  /* the time of a slave in microseconds: 0 .. 10^9. Masters and slaves spin on the clock. */
    bool await;       /* the next round starts only when all slaves of the previous round have finished */
};

struct gws_master_slave_result {
    uint64_t tasks;  /* masters * rounds * (slaves + 1) */
    uint64_t rounds; /* rounds of all masters */
    uint64_t slaves; /* slaves of all masters */
    uint64_t strays; /* slaves that ran on another worker than their master */
    double work_ms;  /* total time of masters and slaves; the efficiency is work_ms / (workers * time) */
};

/* Runs the workload. Tasks are 24 bytes. `await` needs 128 more bytes for each master. With gws_options.sample, the
 * statistics have the balance of the queues, which is the paper's measure. Errors: GWS_INVALID (masters, slaves,
 * rounds or a time out of bounds), GWS_TOO_LARGE (too many tasks to count), GWS_NO_MEMORY, GWS_WRONG_RESULT (the
 * runtime lost or repeated tasks). Errors leave *result unchanged. */
gws_status gws_master_slave(struct gws_runtime *runtime, const struct gws_master_slave_options *options,
                            struct gws_master_slave_result *result);

/* Checks the options. Errors: GWS_INVALID, GWS_TOO_LARGE as in gws_master_slave(). */
gws_status gws_master_slave_valid(const struct gws_master_slave_options *options);

/* Checks the numbers of rounds and slaves. Returns GWS_OK or GWS_WRONG_RESULT. where may be NULL. */
gws_status gws_master_slave_check(const struct gws_master_slave_options *options,
                                  const struct gws_master_slave_result *result, struct gws_diagnostic *where);

#endif
