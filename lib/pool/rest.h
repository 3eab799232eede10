/* SPDX-License-Identifier: MIT */
/* Rest for workers who find no task, and their waking when there is one again.
 *
 * A Dekker pair as in bed.h, whose waker is the hot path: every spawn looks whether anybody rests. So the fence is put
 * on the sleeper's side alone where the system can do that (Linux's membarrier(), which makes every thread of the
 * process pass a full fence): then a spawn pays one load of a word that rarely changes. Elsewhere both pay a fence. */
#ifndef GWS_POOL_REST_H
#define GWS_POOL_REST_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "bed.h"

/* One worker's. */
struct gws__cot {
    alignas(128) _Atomic uint32_t parked; /* 1: rests or is about to; whoever makes it 0 takes it off resting */
    struct gws__bed bed;
};

struct gws__rest {
    struct gws__cot *cot; /* workers entries, aligned to 128 bytes */
    uint32_t workers;
    uint32_t surplus;       /* workers for whom there is no CPU: not worth waking */
    bool fenced_by_sleeper; /* membarrier() works here */
    /* Read at every spawn, so on a line of its own; by padding, as the pool's memory is aligned for any type only. */
    char before[128];
    _Atomic uint32_t resting;
    char behind[124];
};

void gws__rest_make(struct gws__rest *rest, struct gws__cot *cot, uint32_t workers, uint32_t cpus);
void gws__rest_strip(struct gws__rest *rest);

/* Lies worker down until somebody wakes it, unless awaited(context, worker), asked after FENCE A, is true. */
void gws__rest_park(struct gws__rest *rest, uint32_t worker, bool (*awaited)(void *context, uint32_t worker),
                    void *context);

/* Wakes worker if it rests; what it is to find was written before. */
void gws__rest_wake(struct gws__rest *rest, uint32_t worker);
void gws__rest_wake_all(struct gws__rest *rest);

/* Wakes one who rests, the next after worker. Called through gws__rest_offer(). */
void gws__rest_wake_one(struct gws__rest *rest, uint32_t worker);

/* worker has made a task that others may take: wakes one of them if any rests and there is a CPU for him. */
static inline void gws__rest_offer(struct gws__rest *rest, uint32_t worker)
{
    /* FENCE B, pairs with FENCE A in gws__rest_park(); only the compiler is to be held where membarrier() does it. */
    if (rest->fenced_by_sleeper)
        atomic_signal_fence(memory_order_seq_cst);
    else
        atomic_thread_fence(memory_order_seq_cst);
    if (atomic_load_explicit(&rest->resting, memory_order_relaxed) > rest->surplus) gws__rest_wake_one(rest, worker);
}

#endif
