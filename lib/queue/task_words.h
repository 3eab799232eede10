/* SPDX-License-Identifier: MIT */
/* Tasks as atomic words. A thief may read a slot while the owner already writes the next task there. Such a thief loses
 * its compare-and-swap and discards what it read, but the read itself must not be a data race. So each word is atomic
 * and relaxed. The operations on the ends of the queue make a task complete. */
#ifndef GWS_QUEUE_TASK_WORDS_H
#define GWS_QUEUE_TASK_WORDS_H

#include <stdatomic.h>
#include <stdint.h>

typedef _Atomic(uint64_t) gws__word;

static inline void gws__words_store(gws__word *slot, const uint64_t *task, uint32_t words)
{
    for (uint32_t i = 0; i < words; i++) atomic_store_explicit(&slot[i], task[i], memory_order_relaxed);
}

static inline void gws__words_load(const gws__word *slot, uint64_t *task, uint32_t words)
{
    for (uint32_t i = 0; i < words; i++) task[i] = atomic_load_explicit(&slot[i], memory_order_relaxed);
}

/* Most tasks have a few words. With a constant length, the compiler unrolls the loop, which saves a nanosecond or two.
 */
static inline void gws__words_put(gws__word *slot, const uint64_t *task, uint32_t words)
{
    switch (words) {
    case 1:
        gws__words_store(slot, task, 1);
        break;
    case 2:
        gws__words_store(slot, task, 2);
        break;
    case 3:
        gws__words_store(slot, task, 3);
        break;
    case 4:
        gws__words_store(slot, task, 4);
        break;
    default:
        gws__words_store(slot, task, words);
    }
}

static inline void gws__words_get(const gws__word *slot, uint64_t *task, uint32_t words)
{
    switch (words) {
    case 1:
        gws__words_load(slot, task, 1);
        break;
    case 2:
        gws__words_load(slot, task, 2);
        break;
    case 3:
        gws__words_load(slot, task, 3);
        break;
    case 4:
        gws__words_load(slot, task, 4);
        break;
    default:
        gws__words_load(slot, task, words);
    }
}

#endif
