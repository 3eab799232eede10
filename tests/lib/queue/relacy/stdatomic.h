/* SPDX-License-Identifier: MIT */
/* <stdatomic.h> for the model checker Relacy, so that the sources of the library can be included into a C++ program and
 * explored as they are. The folder of this file comes first on the include path of such programs (tests/SConscript).
 *
 *     _Atomic(T)               becomes rl::atomic<T>, watched (watched.h): it must be constructed, and T be a number
 *     atomic_*_explicit, atomic_thread_fence, memory_order_*
 *                              become Relacy's; those that name no order are left out, so using one does not compile
 *     sched_yield(), the processor's pause
 *                              let another thread go on, which a fair search must be told
 *     memcpy()                 reports what it reads and writes to tracked.h, which finds data races in the plain
 * memory that the source has from gws__memory_new()
 *
 * What a source must do for that: say _Atomic(T) with parentheses, name every order, cast from void *, and keep atomics
 * either in its state, which the program constructs, or in arrays of _Atomic(uint64_t) from gws__memory_new().
 *
 * What Relacy does and does not see. It runs the threads' steps in turns, each operation at its place in its thread,
 * and lets a load answer an older value where the orders allow. So it finds whatever comes from reading too old. It
 * never lets a load answer a value that is stored later (watched.h makes up for some of that), lets a seq_cst load see
 * the last seq_cst store whatever led there, counts an acquiring load as synchronised with all earlier stores of a
 * thread's release sequence as C11 does, and looks back one value in a search, two at random. */
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
/* A fence that a mutant made relaxed is none. */
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
