/* SPDX-License-Identifier: MIT */
/* A small lock for queues, held for a few dozen instructions: test-and-test-and-set (Rudolph and Segall, ISCA 1984),
 * which gives the processor away when it waits long, since threads may outnumber cores and the holder may be asleep.
 * Not fair: its owner, who is nearest, tends to win, which the split queue wants (Dinan et al., SC 2009, section 5.3).
 */
#ifndef GWS_BASE_LOCK_H
#define GWS_BASE_LOCK_H

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "spin.h"

enum {
    gws__lock_patience = 64
}; /* looks at a held lock before giving the processor away: about as long as it is held */

/* Counts takings and droppings: odd while it is held. */
struct gws__lock {
    _Atomic(uint32_t) turn;
};

static inline void gws__lock_init(struct gws__lock *lock)
{
    atomic_init(&lock->turn, 0);
}

/* What gws__lock_try_at() is to be given. */
static inline uint32_t gws__lock_look(struct gws__lock *lock)
{
    return atomic_load_explicit(&lock->turn, memory_order_relaxed);
}

/* Takes the lock if it is free and nobody had it since gws__lock_look() answered turn: then what only holders of the
 * lock change is as it was seen after that look. */
static inline bool gws__lock_try_at(struct gws__lock *lock, uint32_t turn)
{
    /* acquire: pairs with the release in gws__lock_drop(), so what the last holder wrote is there. */
    return turn % 2 == 0 && atomic_compare_exchange_strong_explicit(&lock->turn, &turn, turn + 1, memory_order_acquire,
                                                                    memory_order_relaxed);
}

static inline bool gws__lock_try(struct gws__lock *lock)
{
    return gws__lock_try_at(lock, gws__lock_look(lock));
}

static inline void gws__lock_take(struct gws__lock *lock)
{
    for (uint32_t looks = 1; !gws__lock_try(lock); looks++) {
        if (looks % gws__lock_patience == 0)
            (void)sched_yield();
        else
            gws__spin_pause();
    }
}

static inline void gws__lock_drop(struct gws__lock *lock)
{
    uint32_t turn = atomic_load_explicit(&lock->turn, memory_order_relaxed);
    /* release: pairs with the acquire in gws__lock_try_at(). */
    atomic_store_explicit(&lock->turn, turn + 1, memory_order_release);
}

#endif
