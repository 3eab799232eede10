/* SPDX-License-Identifier: MIT */
/* Sleeping threads: a parker for one thread, and the idle set of workers without tasks.
 *
 * Sleeping is a Dekker pair with a full fence on either side. Thus no wake-up is lost:
 *
 *     sleeper: sleeping = 1; FENCE A; read the condition; sleep if it does not hold
 *     waker:   make the condition hold; FENCE B; read sleeping; wake if it is 1
 *
 * The seq_cst fences have a single order. The read after the later fence sees the write before the earlier fence.
 *
 * The waker of the idle set is on the hot path, because every spawn checks for parked workers. Linux's membarrier()
 * makes every thread of the process execute a full fence. If membarrier() is available, only the sleeper executes a
 * fence. A spawn then costs one load of a word that rarely changes. Otherwise both sides execute a fence. */
#ifndef GWS_POOL_PARKING_H
#define GWS_POOL_PARKING_H

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { gws__ask_ms = 5 }; /* period at which a sleeping caller wakes to poll the cancel hook */

/* ---- one thread ---- */

/* The sleeper writes `sleeping` under the lock. Wakers read it without the lock. */
struct gws__parker {
    _Atomic uint32_t sleeping;
    pthread_mutex_t lock;
    pthread_cond_t woken;
};

void gws__parker_init(struct gws__parker *parker);
void gws__parker_destroy(struct gws__parker *parker);

/* Sleeps until *word differs from value, for at most limit_ms unless limit_ms is 0. */
void gws__parker_park(struct gws__parker *parker, _Atomic uint32_t *word, uint32_t value, uint32_t limit_ms);

/* Wakes the sleeping thread, if any. The caller must have executed FENCE B. */
void gws__parker_unpark(struct gws__parker *parker);

/* ---- idle workers ---- */

/* The parking slot of one worker. */
struct gws__parking_slot {
    alignas(128) _Atomic uint32_t
        parked; /* 1: the worker sleeps or is about to; the thread that clears `parked` decrements idle */
    struct gws__parker parker;
};

struct gws__idle_set {
    struct gws__parking_slot *slot; /* workers entries, aligned to 128 bytes */
    uint32_t workers;
    uint32_t surplus;       /* workers minus CPUs, at least 0; with no more idle workers than that, every CPU is busy */
    bool fenced_by_sleeper; /* membarrier() is available */
    /* Every spawn reads idle, so idle has a cache line of its own. Padding ensures that, because the pool's memory is
     * aligned only for scalar types. */
    char before[128];
    _Atomic uint32_t idle; /* parked workers */
    char behind[124];
};

void gws__idle_set_init(struct gws__idle_set *set, struct gws__parking_slot *slot, uint32_t workers, uint32_t cpus);
void gws__idle_set_destroy(struct gws__idle_set *set);

/* Parks a worker until another thread unparks it, for at most limit_ms unless limit_ms is 0. The worker does not sleep
 * if awaited(context, worker), called after FENCE A, is true. */
void gws__idle_set_park(struct gws__idle_set *set, uint32_t worker, bool (*awaited)(void *context, uint32_t worker),
                        void *context, uint32_t limit_ms);

/* Unparks the worker if it is parked. The caller must have written the data for the worker before the call. */
void gws__idle_set_unpark(struct gws__idle_set *set, uint32_t worker);
void gws__idle_set_unpark_all(struct gws__idle_set *set);

/* Unparks the next parked worker after `worker`, cyclically. gws__idle_set_notify() calls it. */
void gws__idle_set_unpark_one(struct gws__idle_set *set, uint32_t worker);

/* Unparks another worker if one is parked and a CPU is free. The caller is `worker`, which has made a task that other
 * workers may steal. */
static inline void gws__idle_set_notify(struct gws__idle_set *set, uint32_t worker)
{
    /* FENCE B, pairs with FENCE A in gws__idle_set_park(). With membarrier() a compiler fence suffices. */
    if (set->fenced_by_sleeper)
        atomic_signal_fence(memory_order_seq_cst);
    else
        atomic_thread_fence(memory_order_seq_cst);
    if (atomic_load_explicit(&set->idle, memory_order_relaxed) > set->surplus) gws__idle_set_unpark_one(set, worker);
}

#endif
