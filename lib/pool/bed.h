/* SPDX-License-Identifier: MIT */
/* A place for one thread to sleep. Sleeping is a Dekker pair with a full fence on either side, so that no wake-up is
 * lost:
 *
 *     sleeper: sleeping = 1; FENCE A; read the condition; sleep if it does not hold
 *     waker:   make the condition hold; FENCE B; read sleeping; wake if it is 1
 *
 * Whichever fence comes first in the single order of seq_cst fences, the other side's read sees the write before it. */
#ifndef GWS_POOL_BED_H
#define GWS_POOL_BED_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

/* sleeping is written under the lock, and read outside it by who might have to wake. */
struct gws__bed {
    _Atomic uint32_t sleeping;
    pthread_mutex_t lock;
    pthread_cond_t woken;
};

void gws__bed_make(struct gws__bed *bed);
void gws__bed_strip(struct gws__bed *bed);

/* Sleeps until *word differs from value. */
void gws__bed_sleep(struct gws__bed *bed, _Atomic uint32_t *word, uint32_t value);

/* Wakes who sleeps there; after FENCE B. */
void gws__bed_wake(struct gws__bed *bed);

#endif
