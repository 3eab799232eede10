/* SPDX-License-Identifier: MIT */
#include "bed.h"

void gws__bed_make(struct gws__bed *bed)
{
    atomic_init(&bed->sleeping, 0);
    pthread_mutex_init(&bed->lock, NULL);
    pthread_cond_init(&bed->woken, NULL);
}

void gws__bed_strip(struct gws__bed *bed)
{
    pthread_cond_destroy(&bed->woken);
    pthread_mutex_destroy(&bed->lock);
}

/* Sleeps until *word differs from value. */
void gws__bed_sleep(struct gws__bed *bed, _Atomic uint32_t *word, uint32_t value)
{
    pthread_mutex_lock(&bed->lock);
    atomic_store_explicit(&bed->sleeping, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst); /* FENCE A, pairs with FENCE B in gws__bed_wake()'s callers */
    while (atomic_load_explicit(word, memory_order_relaxed) == value) pthread_cond_wait(&bed->woken, &bed->lock);
    atomic_store_explicit(&bed->sleeping, 0, memory_order_relaxed);
    pthread_mutex_unlock(&bed->lock);
}

/* After FENCE B. The lock is taken so that the sleeper is either before its test or truly asleep. */
void gws__bed_wake(struct gws__bed *bed)
{
    if (!atomic_load_explicit(&bed->sleeping, memory_order_relaxed)) return;
    pthread_mutex_lock(&bed->lock);
    pthread_cond_signal(&bed->woken);
    pthread_mutex_unlock(&bed->lock);
}
