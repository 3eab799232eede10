/* SPDX-License-Identifier: MIT */
/* Where threads sleep: a parker for one thread, and the idle set of workers who find no task.
 *
 * Sleeping is a Dekker pair with a full fence on either side, so that no wake-up is lost:
 *
 *     sleeper: sleeping = 1; FENCE A; read the condition; sleep if it does not hold
 *     waker:   make the condition hold; FENCE B; read sleeping; wake if it is 1
 *
 * Whichever fence comes first in the single order of seq_cst fences, the other side's read sees the write before it.
 *
 * The waker of the idle set is the hot path: every spawn looks whether anybody is parked. So the fence is put on the
 * sleeper's side alone where the system can do that (Linux's membarrier(), which makes every thread of the process pass
 * a full fence): then a spawn pays one load of a word that rarely changes. Elsewhere both pay a fence. */
#ifndef GWS_POOL_PARKING_H
#define GWS_POOL_PARKING_H

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* ---- one thread ---- */

/* sleeping is written under the lock, and read outside it by who might have to wake. */
struct gws__parker {
    _Atomic uint32_t sleeping;
    pthread_mutex_t lock;
    pthread_cond_t woken;
};

void gws__parker_init(struct gws__parker *parker);
void gws__parker_destroy(struct gws__parker *parker);

/* Sleeps until *word differs from value. */
void gws__parker_park(struct gws__parker *parker, _Atomic uint32_t *word, uint32_t value);

/* Wakes the thread that sleeps there; after FENCE B. */
void gws__parker_unpark(struct gws__parker *parker);

/* ---- workers without a task ---- */

/* One worker's. */
struct gws__parking_slot {
    alignas(128) _Atomic uint32_t parked; /* 1: it sleeps or is about to; whoever makes it 0 takes it off idle */
    struct gws__parker parker;
};

struct gws__idle_set {
    struct gws__parking_slot *slot; /* workers entries, aligned to 128 bytes */
    uint32_t workers;
    uint32_t surplus;       /* workers for whom there is no CPU: not worth waking */
    bool fenced_by_sleeper; /* membarrier() works here */
    /* Read at every spawn, so on a line of its own; by padding, as the pool's memory is aligned for any type only. */
    char before[128];
    _Atomic uint32_t idle; /* parked workers */
    char behind[124];
};

void gws__idle_set_init(struct gws__idle_set *set, struct gws__parking_slot *slot, uint32_t workers, uint32_t cpus);
void gws__idle_set_destroy(struct gws__idle_set *set);

/* Parks worker until it is unparked, unless awaited(context, worker), asked after FENCE A, is true. */
void gws__idle_set_park(struct gws__idle_set *set, uint32_t worker, bool (*awaited)(void *context, uint32_t worker),
                        void *context);

/* Unparks worker if it is parked; what it is to find was written before. */
void gws__idle_set_unpark(struct gws__idle_set *set, uint32_t worker);
void gws__idle_set_unpark_all(struct gws__idle_set *set);

/* Unparks one worker, the next after this one. Called through gws__idle_set_notify(). */
void gws__idle_set_unpark_one(struct gws__idle_set *set, uint32_t worker);

/* worker has made a task that others may take: unparks one of them if any is parked and there is a CPU for it. */
static inline void gws__idle_set_notify(struct gws__idle_set *set, uint32_t worker)
{
    /* FENCE B, pairs with FENCE A in gws__idle_set_park(); only the compiler is to be held where membarrier() does it.
     */
    if (set->fenced_by_sleeper)
        atomic_signal_fence(memory_order_seq_cst);
    else
        atomic_thread_fence(memory_order_seq_cst);
    if (atomic_load_explicit(&set->idle, memory_order_relaxed) > set->surplus) gws__idle_set_unpark_one(set, worker);
}

#endif
