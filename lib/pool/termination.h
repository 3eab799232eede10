/* SPDX-License-Identifier: MIT */
/* When no task is left: two ways for the workers to find out, exact both.
 *
 * Either way rests on one rule: a task is in the queue of a busy worker or in its hands. A worker goes idle only when
 * its own queue is empty, and says busy again before it looks into another's; nobody puts tasks into an idle worker's
 * queue (retire() of lib/queue/task_container.h). So when all are idle at one moment there is no task, nor will be. */
#ifndef GWS_POOL_TERMINATION_H
#define GWS_POOL_TERMINATION_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* One worker's part in the vote. */
struct gws__voter {
    alignas(128) _Atomic uint32_t wave; /* the last that its parent sent; UINT32_MAX: all is over */
    _Atomic uint32_t answer;            /* wave << 1 | black: its subtree's answer to that wave, 0 before the first */
    _Atomic uint32_t black;             /* a thief, or robbed, since it last answered */
    uint32_t sent;                      /* its own: the last wave that it sent to its children */
};

struct gws__termination {
    uint32_t workers;
    struct gws__voter *voter; /* workers entries, aligned to 128 bytes; NULL: by the counter */
    /* Called when there is news for an idle worker, who may sleep. */
    void (*wake)(void *context, uint32_t worker);
    void *context;
    alignas(128) _Atomic uint32_t busy;
};

/* Worker 0 is busy to begin with, the others are idle; voter, wake and context are there already. The vote needs every
 * worker to come; for the counter those who never come are idle. */
void gws__termination_begin(struct gws__termination *termination, uint32_t workers);

/* worker, whose queue is empty, goes idle. True if it was the last one (counter only): all is over. */
bool gws__termination_idle(struct gws__termination *termination, uint32_t worker);

/* worker is about to try and steal. */
void gws__termination_busy(struct gws__termination *termination, uint32_t worker);

/* worker, busy, is about to try victim, or to balance with it; must come before the attempt. */
void gws__termination_robs(struct gws__termination *termination, uint32_t worker, uint32_t victim);

/* Asked by an idle worker again and again: is all over? With the vote this also passes on what there is to pass on.
 * What the others did before they went idle is then visible to the asker. */
bool gws__termination_over(struct gws__termination *termination, uint32_t worker);

#endif
