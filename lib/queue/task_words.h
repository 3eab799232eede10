/* SPDX-License-Identifier: MIT */
/* Tasks as atomic words. A thief may read a slot while the owner already writes the next task there. Such a thief loses
 * its compare-and-swap and discards the words, but the read itself must not be a data race. So each word is atomic, and
 * its accesses are relaxed. The operations on the ends of the queue publish the whole task. */
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

/* Calls function(a, b, words). Most tasks have a few words. With a constant length, the compiler unrolls the loop,
 * which saves a nanosecond or two. */
#define GWS__WITH_LENGTH(function, a, b, words)                                                                        \
    ((words) == 1   ? function(a, b, 1)                                                                                \
     : (words) == 2 ? function(a, b, 2)                                                                                \
     : (words) == 3 ? function(a, b, 3)                                                                                \
     : (words) == 4 ? function(a, b, 4)                                                                                \
                    : function(a, b, words))

static inline void gws__words_put(gws__word *slot, const uint64_t *task, uint32_t words)
{
    GWS__WITH_LENGTH(gws__words_store, slot, task, words);
}

static inline void gws__words_get(const gws__word *slot, uint64_t *task, uint32_t words)
{
    GWS__WITH_LENGTH(gws__words_load, slot, task, words);
}

#endif
