/* SPDX-License-Identifier: MIT */
/* Termination detection: two exact methods for the workers to detect that no task is left.
 *
 * Both methods rest on one rule: every task is in the queue of a busy worker, or a busy worker runs it. A worker goes
 * idle only when its own queue is empty. It becomes busy again before it accesses another queue. No worker puts tasks
 * into an idle worker's queue (mark_idle() of lib/queue/task_queue.h). So if all workers are idle at one moment, no
 * task exists and no task can appear. */
#ifndef GWS_POOL_TERMINATION_H
#define GWS_POOL_TERMINATION_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* One worker's state in the vote. */
struct gws__voter {
    alignas(128) _Atomic uint32_t wave; /* the last wave from the parent; UINT32_MAX: the end */
    _Atomic uint32_t answer;            /* answer of the worker's subtree, as wave << 1 | black; 0 before the first */
    _Atomic uint32_t black;             /* 1: the worker was a thief or a victim since its last answer */
    uint32_t sent;                      /* private: the last wave that the worker sent to its children */
};

struct gws__termination {
    uint32_t workers;
    struct gws__voter *voter; /* workers entries, aligned to 128 bytes; NULL: use the counter */
    /* Wakes an idle worker, which may be asleep, when there is a message for it. */
    void (*wake)(void *context, uint32_t worker);
    void *context;
    alignas(128) _Atomic uint32_t busy;
};

/* Starts with worker 0 busy and the other workers idle. The caller must have set voter, wake and context. With the
 * vote, every worker must take part. With the counter, absent workers are idle. */
void gws__termination_begin(struct gws__termination *termination, uint32_t workers);

/* The worker, whose queue is empty, goes idle. With the counter, returns true if no other worker is busy, because all
 * tasks have then ended. */
bool gws__termination_idle(struct gws__termination *termination, uint32_t worker);

/* The idle worker becomes busy. It calls this function before it tries a steal. */
void gws__termination_busy(struct gws__termination *termination, uint32_t worker);

/* Returns whether only one worker is busy. With the counter only. When the busy worker calls it, the writes of all
 * other workers before they went idle are visible to it, and no other worker has tasks. */
bool gws__termination_alone(const struct gws__termination *termination);

/* Marks the worker and the victim for the vote. A busy worker calls this function before it steals from the victim or
 * balances with the victim. */
void gws__termination_mark_steal(struct gws__termination *termination, uint32_t worker, uint32_t victim);

/* Returns true if all tasks have ended. Idle workers call this function repeatedly. With the vote, it also passes on
 * waves and answers. When it returns true, the writes of all workers before they went idle are visible to the
 * caller. */
bool gws__termination_over(struct gws__termination *termination, uint32_t worker);

#endif
