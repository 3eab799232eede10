/* SPDX-License-Identifier: MIT */
/* Termination detection: two exact methods for the workers to detect that no task is left.
 *
 * Both rest on one rule: a task is either in the queue of a busy worker or being run by one. A worker goes idle only
 * when its own queue is empty. It becomes busy again before it accesses another queue. No worker puts tasks into an
 * idle worker's queue (mark_idle() of lib/queue/task_queue.h). So if all are idle at one moment, no task exists, and
 * none can appear. */
#ifndef GWS_POOL_TERMINATION_H
#define GWS_POOL_TERMINATION_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* One worker's state in the vote. */
struct gws__voter {
    alignas(128) _Atomic uint32_t wave; /* the last wave from its parent; UINT32_MAX: the end */
    _Atomic uint32_t answer;            /* wave << 1 | black: its subtree's answer to that wave, 0 before the first */
    _Atomic uint32_t black;             /* it was a thief or a victim since its last answer */
    uint32_t sent;                      /* private: the last wave that it sent to its children */
};

struct gws__termination {
    uint32_t workers;
    struct gws__voter *voter; /* workers entries, aligned to 128 bytes; NULL: use the counter */
    /* Called when an idle worker, which may be asleep, has a message. */
    void (*wake)(void *context, uint32_t worker);
    void *context;
    alignas(128) _Atomic uint32_t busy;
};

/* Starts with worker 0 busy and the others idle; voter, wake and context must be set. The vote needs every worker to
 * take part. With the counter, absent workers are idle. */
void gws__termination_begin(struct gws__termination *termination, uint32_t workers);

/* The worker, whose queue is empty, goes idle. True if it was the last one (counter only): all tasks have ended. */
bool gws__termination_idle(struct gws__termination *termination, uint32_t worker);

/* The worker is about to try a steal. */
void gws__termination_busy(struct gws__termination *termination, uint32_t worker);

/* The busy worker is about to steal from the victim, or to balance with it. Call it before the attempt. */
void gws__termination_mark_steal(struct gws__termination *termination, uint32_t worker, uint32_t victim);

/* Have all tasks ended? Idle workers call it repeatedly. With the vote it also passes on waves and answers. At the end,
 * the writes of all workers before they went idle are visible to the caller. */
bool gws__termination_over(struct gws__termination *termination, uint32_t worker);

#endif
