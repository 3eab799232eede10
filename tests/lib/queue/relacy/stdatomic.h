/* SPDX-License-Identifier: MIT */
/* <stdatomic.h> for the model checker Relacy. With this header, a C++ program can include and explore the library's
 * sources unchanged. The folder of this file comes first on the include path of such programs (tests/SConscript).
 *
 * _Atomic(T) becomes rl::atomic<T>, watched (watched.h). A program must construct it, and T must be a number.
 *
 * atomic_*_explicit, atomic_thread_fence and memory_order_* become Relacy's. This header leaves out functions without
 * an explicit order, so calls of them do not compile.
 *
 * sched_yield() and the processor's pause let another thread run. A fair search needs to know these calls.
 *
 * memcpy() reports its reads and writes to tracked.h, which finds data races in the plain memory that the source gets
 * from gws__memory_new().
 *
 * A source must write _Atomic(T) with parentheses, name every order, and cast from void *. It must keep atomics either
 * in its state, which the program constructs, or in arrays of _Atomic(uint64_t) from gws__memory_new().
 *
 * What Relacy covers. Relacy interleaves the threads' steps, each operation at its place in its thread. A load may
 * return an older value if the orders allow it. So Relacy finds all errors from stale reads. A load never returns a
 * value that a later store writes (watched.h covers a part of such loads). A seq_cst load always returns the last
 * seq_cst store. An acquire load synchronises with all earlier stores of a thread's release sequence, as in C11. The
 * search looks back one value, or two in random schedules. */
#ifndef GWS_TESTS_RELACY_STDATOMIC_H
#define GWS_TESTS_RELACY_STDATOMIC_H

#include <cstring>
#include <sched.h>

#include "mutant.h"
#include "watched.h"

#define _Atomic(T) gws_relacy_atomic<T>
#define atomic_init(object, value) ((object)->store((value), memory_order_relaxed, $))
#define atomic_load_explicit(object, order) ((object)->load((order), $))
#define atomic_store_explicit(object, value, order) ((object)->store((value), (order), $))
#define atomic_exchange_explicit(object, value, order) ((object)->exchange((value), (order), $))
#define atomic_fetch_add_explicit(object, value, order) ((object)->fetch_add((value), (order), $))
#define atomic_fetch_sub_explicit(object, value, order) ((object)->fetch_sub((value), (order), $))
#define atomic_fetch_or_explicit(object, value, order) ((object)->fetch_or((value), (order), $))
#define atomic_fetch_and_explicit(object, value, order) ((object)->fetch_and((value), (order), $))
#define atomic_compare_exchange_strong_explicit(object, expected, value, order, failed)                                \
    ((object)->compare_exchange_strong(*(expected), (value), (order), $, (failed), $))
#define atomic_compare_exchange_weak_explicit(object, expected, value, order, failed)                                  \
    ((object)->compare_exchange_weak(*(expected), (value), (order), $, (failed), $))
/* A relaxed fence, as in a mutant, has no effect. */
#define atomic_thread_fence(order)                                                                                     \
    do {                                                                                                               \
        rl::memory_order its = (order);                                                                                \
        if (its != rl::mo_relaxed) rl::atomic_thread_fence(its, $);                                                    \
    } while (0)

#define sched_yield() (rl::yield(1, $), 0)
#define __builtin_ia32_pause() (rl::yield(1, $))

void *gws_relacy_copy(void *to, const void *from, size_t bytes);
#define memcpy gws_relacy_copy

#endif
