/* SPDX-License-Identifier: MIT */
/* Immediate tasks (lib/tasks.h) that move between the ranks of a job (lib/transport.h): work stealing among processes
 * (Dinan, Larkins, Sadayappan, Krishnamoorthy, Nieplocha: "Scalable Work Stealing", SC 2009). */
#ifndef GWS_RANK_TASKS_H
#define GWS_RANK_TASKS_H

#include "tasks.h"
#include "transport.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What one rank did in one run. Tasks that move within a rank are in gws_runtime_stats(). */
struct gws_rank_stats {
    uint64_t requests; /* requests for tasks that the rank sent */
    uint64_t refused;  /* of these, the requests that another rank answered without tasks */
    uint64_t steals;   /* of these, the requests that another rank answered with tasks */
    uint64_t stolen;   /* tasks that the rank received */
    uint64_t given;    /* tasks that the rank gave to others */
    uint64_t waves;    /* waves of the vote that the rank answered */
    uint64_t polls;    /* times that the calling thread looked for messages between two batches of tasks */
};

/* Runs the tasks and all that they spawn on all ranks. Collective: every rank passes the same tasks, but only the roots
 * of rank 0 run. The runtimes may have different numbers of threads. A task is bytes without pointers, because any rank
 * may run it. Returns when no rank has a task. What the tasks wrote lies in the rank that ran them, so the caller sums
 * it up (gws_transport_sum()).
 *
 * The calling thread, worker 0, speaks for its rank. If it finds no task in its own process, it asks one other rank at
 * a time. A rank with tasks gives the older half of worker 0's queue. Worker 0 looks for messages between two batches
 * of tasks, at most every 20 us. So a batch that takes long delays the answer. A rank that has had no tasks for 10 s
 * logs for which rank it waits, and again every 10 s.
 *
 * transport may be NULL: gws_tasks_run(). stats may be NULL. Errors, which all ranks return alike (the highest of all
 * ranks): those of gws_tasks_run(); GWS_INVALID if the runtime's policy runs tasks in rounds (gws_policy_takes_vote()),
 * or detects termination by a vote, because the ranks vote. Memory: 1 MiB, and 4 bytes a rank. */
GWS_API gws_status gws_rank_tasks_run(struct gws_runtime *runtime, struct gws_transport *transport,
                                      const struct gws_tasks *tasks, struct gws_rank_stats *stats);

#ifdef __cplusplus
}
#endif
#endif
