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
    uint64_t requests;   /* attempts to steal: requests that the rank sent, and looks into windows of other ranks */
    uint64_t refused;    /* of these, the attempts at ranks without tasks */
    uint64_t aborted;    /* of these, the attempts that the rank gave up while a window was locked */
    uint64_t failed;     /* of these, the attempts that came too late: others had taken the tasks */
    uint64_t steals;     /* of these, the attempts that brought tasks */
    uint64_t stolen;     /* tasks that the rank received */
    uint64_t given;      /* tasks that others received from the rank */
    uint64_t released;   /* tasks that the rank moved to its windows */
    uint64_t reacquired; /* of these, the tasks that it took back */
    uint64_t waves;      /* waves of the vote that the rank answered */
    uint64_t polls;      /* times that the calling thread looked for messages between two batches of tasks */
    uint32_t by_messages, by_rma, by_shared; /* other ranks that it reaches so (gws_transport_choose_links()) */
    uint32_t by_device; /* other ranks from whose devices its device steals (gws_device_tasks_run_ranks()) */
};

/* How a run uses the ranks. */
struct gws_ranks {
    struct gws_transport *transport; /* NULL: one process */
    /* The protocol of the windows: "saws" (one atomic addition finds and claims tasks, and nobody waits: Cartier,
     * Dinan, Larkins, ICPP 2021), the default if NULL, takes four round trips; "split" (a thief locks the window, and
     * gives up when it becomes empty meanwhile; section 4.3) takes five. */
    const char *queue;
    struct gws_rank_stats *stats; /* what this rank did, written on success; may be NULL */
    bool all_roots;               /* the roots of all ranks run, not only those of rank 0 */
    uint64_t *const *reach;       /* by rank: NULL if this rank takes no tasks from that rank; NULL: it may from all */
};

/* Runs the tasks and all that they spawn on all ranks. Collective: every rank passes the same tasks, but only the roots
 * of rank 0 run, unless ranks->all_roots. The runtimes may have different numbers of threads. A task is bytes without
 * pointers, because any rank may run it. Returns when no rank has a task. What the tasks wrote lies in the rank that
 * ran them, so the caller sums it up (gws_transport_sum()).
 *
 * The calling thread, worker 0, acts for its rank between two batches of tasks, at most every 20 us: it moves the older
 * half of its queue to a window of memory, when other ranks can steal only little from there, and answers messages
 * (every 0.2 ms if it shares memory with all ranks, whose messages then only concern the end). If it finds no task in
 * its own process, it takes tasks back from the window; then it steals half of another rank's window, those of its own
 * host first. A victim takes no part in that. Ranks that reach each other by messages only
 * (gws_transport_choose_links()) send requests, which a victim answers between two batches. A rank that has had no
 * tasks for 10 s logs for which rank it waits, and again every 10 s.
 *
 * ranks may be NULL: gws_tasks_run(). gws_options.wait makes thieves wait for a locked window. Errors, which all ranks
 * return alike (the highest of all ranks): those of gws_tasks_run(); GWS_INVALID if there is no such queue, or if the
 * runtime's policy runs tasks in rounds (gws_policy_takes_vote()), or detects termination by a vote, because the ranks
 * vote. Memory: 1 MiB, 8 bytes a rank, and the windows. */
GWS_API gws_status gws_rank_tasks_run(struct gws_runtime *runtime, const struct gws_ranks *ranks,
                                      const struct gws_tasks *tasks);

#ifdef __cplusplus
}
#endif
#endif
