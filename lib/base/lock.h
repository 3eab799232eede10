/* SPDX-License-Identifier: MIT */
/* A small lock for queues, held for a few dozen instructions: test-and-test-and-set (Rudolph and Segall, ISCA 1984). It
 * yields the processor after a long wait, because threads may outnumber cores and the holder may be descheduled. It is
 * not fair: the owner of the queue is nearest and tends to win, as the split queue wants (Dinan et al., SC 2009,
 * section 5.3). */
#ifndef GWS_BASE_LOCK_H
#define GWS_BASE_LOCK_H

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "spin.h"

enum { gws__lock_patience = 64 }; /* polls of a held lock before a yield: about as long as the lock is held */

/* Counts acquisitions and releases: odd while it is held. */
struct gws__lock {
    _Atomic(uint32_t) turn;
};

static inline void gws__lock_init(struct gws__lock *lock)
{
    atomic_init(&lock->turn, 0);
}

/* The argument for gws__lock_try_at(). */
static inline uint32_t gws__lock_turn(struct gws__lock *lock)
{
    return atomic_load_explicit(&lock->turn, memory_order_relaxed);
}

/* Takes the lock if it is free and nobody held it since gws__lock_turn() returned turn. The data that the lock protects
 * has then not changed since. */
static inline bool gws__lock_try_at(struct gws__lock *lock, uint32_t turn)
{
    /* acquire: pairs with the release in gws__lock_release(), so the last holder's writes are visible. */
    return turn % 2 == 0 && atomic_compare_exchange_strong_explicit(&lock->turn, &turn, turn + 1, memory_order_acquire,
                                                                    memory_order_relaxed);
}

static inline bool gws__lock_try(struct gws__lock *lock)
{
    return gws__lock_try_at(lock, gws__lock_turn(lock));
}

static inline void gws__lock_acquire(struct gws__lock *lock)
{
    for (uint32_t looks = 1; !gws__lock_try(lock); looks++) {
        if (looks % gws__lock_patience == 0)
            (void)sched_yield();
        else
            gws__spin_pause();
    }
}

static inline void gws__lock_release(struct gws__lock *lock)
{
    uint32_t turn = atomic_load_explicit(&lock->turn, memory_order_relaxed);
    /* release: pairs with the acquire in gws__lock_try_at(). */
    atomic_store_explicit(&lock->turn, turn + 1, memory_order_release);
}

#endif
