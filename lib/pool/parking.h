/* SPDX-License-Identifier: MIT */
/* Sleeping threads: a parker for one thread, and the idle set of workers without tasks.
 *
 * Sleeping is a Dekker pair with a full fence on either side, so that no wake-up is lost:
 *
 *     sleeper: sleeping = 1; FENCE A; read the condition; sleep if it does not hold
 *     waker:   make the condition hold; FENCE B; read sleeping; wake if it is 1
 *
 * The seq_cst fences have a single order. Whichever fence comes first, the other side's read sees the write before it.
 *
 * The waker of the idle set is the hot path: every spawn checks for parked workers. Linux's membarrier() makes every
 * thread of the process execute a full fence. If it is available, only the sleeper fences, and a spawn costs one load
 * of a word that rarely changes. Otherwise both sides execute a fence. */
#ifndef GWS_POOL_PARKING_H
#define GWS_POOL_PARKING_H

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* ---- one thread ---- */

/* sleeping is written under the lock; wakers read it without the lock. */
struct gws__parker {
    _Atomic uint32_t sleeping;
    pthread_mutex_t lock;
    pthread_cond_t woken;
};

void gws__parker_init(struct gws__parker *parker);
void gws__parker_destroy(struct gws__parker *parker);

/* Sleeps until *word differs from value. */
void gws__parker_park(struct gws__parker *parker, _Atomic uint32_t *word, uint32_t value);

/* Wakes the sleeping thread, if any; after FENCE B. */
void gws__parker_unpark(struct gws__parker *parker);

/* ---- idle workers ---- */

/* The parking slot of one worker. */
struct gws__parking_slot {
    alignas(128) _Atomic uint32_t
        parked; /* 1: the worker sleeps or is about to; the thread that clears it decrements idle */
    struct gws__parker parker;
};

struct gws__idle_set {
    struct gws__parking_slot *slot; /* workers entries, aligned to 128 bytes */
    uint32_t workers;
    uint32_t surplus;       /* workers in excess of CPUs: waking them does not pay */
    bool fenced_by_sleeper; /* membarrier() is available */
    /* Every spawn reads it, so it has a cache line of its own. Padding does that, because the pool's memory is aligned
     * only for scalar types. */
    char before[128];
    _Atomic uint32_t idle; /* parked workers */
    char behind[124];
};

void gws__idle_set_init(struct gws__idle_set *set, struct gws__parking_slot *slot, uint32_t workers, uint32_t cpus);
void gws__idle_set_destroy(struct gws__idle_set *set);

/* Parks a worker until another thread unparks it. It does not sleep if awaited(context, worker), called after FENCE A,
 * is true. */
void gws__idle_set_park(struct gws__idle_set *set, uint32_t worker, bool (*awaited)(void *context, uint32_t worker),
                        void *context);

/* Unparks a worker if it is parked. The caller has written the data for the worker before. */
void gws__idle_set_unpark(struct gws__idle_set *set, uint32_t worker);
void gws__idle_set_unpark_all(struct gws__idle_set *set);

/* Unparks one worker, the next parked one after this one. gws__idle_set_notify() calls it. */
void gws__idle_set_unpark_one(struct gws__idle_set *set, uint32_t worker);

/* notify_one: the worker has made a task that others may steal. Unparks one of them if any is parked and has a CPU. */
static inline void gws__idle_set_notify(struct gws__idle_set *set, uint32_t worker)
{
    /* FENCE B, pairs with FENCE A in gws__idle_set_park(); with membarrier() a compiler fence suffices. */
    if (set->fenced_by_sleeper)
        atomic_signal_fence(memory_order_seq_cst);
    else
        atomic_thread_fence(memory_order_seq_cst);
    if (atomic_load_explicit(&set->idle, memory_order_relaxed) > set->surplus) gws__idle_set_unpark_one(set, worker);
}

#endif
