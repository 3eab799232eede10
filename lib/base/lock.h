/* SPDX-License-Identifier: MIT */
/* A small test-and-test-and-set lock for queues (Rudolph and Segall, ISCA 1984). Threads hold it for a few dozen
 * instructions. A waiting thread yields the processor after a long wait, because threads may outnumber cores and the
 * holder may be descheduled. The lock is not fair. The owner of the queue is nearest to the lock and tends to win, as
 * the split queue requires (Dinan et al., SC 2009, section 5.3). */
#ifndef GWS_BASE_LOCK_H
#define GWS_BASE_LOCK_H

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "spin.h"

/* Number of polls of a held lock before a yield. They take about as long as a holder needs. */
enum { gws__lock_patience = 64 };

/* `turn` counts acquisitions and releases. It is odd while a thread holds the lock. */
struct gws__lock {
    _Atomic(uint32_t) turn;
};

static inline void gws__lock_init(struct gws__lock *lock)
{
    atomic_init(&lock->turn, 0);
}

/* Returns the turn to pass to gws__lock_try_at(). */
static inline uint32_t gws__lock_turn(struct gws__lock *lock)
{
    return atomic_load_explicit(&lock->turn, memory_order_relaxed);
}

/* Acquires the lock if it is free and no thread has held it since gws__lock_turn() returned turn. In that case the data
 * under the lock has not changed since then. */
static inline bool gws__lock_try_at(struct gws__lock *lock, uint32_t turn)
{
    /* acquire: pairs with the release in gws__lock_release(). The last holder's writes are thus visible. */
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
