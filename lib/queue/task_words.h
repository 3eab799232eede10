/* SPDX-License-Identifier: MIT */
/* Tasks as words that a thief may read while their owner already writes the next task there: such a thief loses its
 * compare-and-swap and throws away what it read, but the reading itself must not be a data race. So each word is
 * atomic, and relaxed: what makes a task whole is said where the queue's ends move. */
#ifndef GWS_QUEUE_TASK_WORDS_H
#define GWS_QUEUE_TASK_WORDS_H

#include <stdatomic.h>
#include <stdint.h>

typedef _Atomic(uint64_t) gws__word;

static inline void gws__words_put(gws__word *slot, const uint64_t *task, uint32_t words)
{
    atomic_store_explicit(&slot[0], task[0], memory_order_relaxed);
    if (words == 3) {
        atomic_store_explicit(&slot[1], task[1], memory_order_relaxed);
        atomic_store_explicit(&slot[2], task[2], memory_order_relaxed);
        return;
    }
    for (uint32_t i = 1; i < words; i++) atomic_store_explicit(&slot[i], task[i], memory_order_relaxed);
}

static inline void gws__words_get(const gws__word *slot, uint64_t *task, uint32_t words)
{
    task[0] = atomic_load_explicit(&slot[0], memory_order_relaxed);
    if (words == 3) {
        task[1] = atomic_load_explicit(&slot[1], memory_order_relaxed);
        task[2] = atomic_load_explicit(&slot[2], memory_order_relaxed);
        return;
    }
    for (uint32_t i = 1; i < words; i++) task[i] = atomic_load_explicit(&slot[i], memory_order_relaxed);
}

#endif
