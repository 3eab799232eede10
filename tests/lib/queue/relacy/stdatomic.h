/* SPDX-License-Identifier: MIT */
/* <stdatomic.h> for the model checker Relacy, so that the sources of the library can be included into a C++ program and
 * explored as they are. The folder of this file comes first on the include path of such programs (tests/SConscript).
 *
 *     _Atomic(T)               becomes rl::atomic<T>: it must be constructed, and T be a number or a pointer
 *     atomic_*_explicit, atomic_thread_fence, memory_order_*
 *                              become Relacy's; those that name no order are left out, so using one does not compile
 *     sched_yield(), the processor's pause
 *                              let another thread go on, which a fair search must be told
 *     memcpy()                 reports what it reads and writes to tracked.h, which finds data races in
 *                              the plain memory that the source has from gws__memory_new()
 *
 * What a source must do for that: say _Atomic(T) with parentheses, name every order, cast from void *, and keep atomics
 * either in its state, which the program constructs, or in arrays of _Atomic(uint64_t) from gws__memory_new().
 *
 * GWS_MUTANT in the environment names one order of the source and a weaker one to use there (see gws_relacy_mutant; it
 * is what tests/lib/queue/test_mutants.py does), so that a program is compiled once for all its mutants.
 *
 * What Relacy does and does not see. It runs the threads' steps in turns, each operation at its place in its thread,
 * and lets a load answer an older value where the orders allow. So it finds whatever comes from reading too old. It
 * never lets a load answer a value that is stored later (load buffering), counts an acquiring load as synchronised with
 * all earlier stores of a thread's release sequence as C11 does, and looks back one value in a search, two at random.
 */
#ifndef GWS_TESTS_RELACY_STDATOMIC_H
#define GWS_TESTS_RELACY_STDATOMIC_H

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sched.h>

#include <relacy/relacy.hpp>

/* Relacy takes these words for itself; the sources and the C++ library want them back. */
#undef new
#undef delete
#undef malloc
#undef calloc
#undef realloc
#undef free
#undef assert
#undef errno
#undef memory_order_relaxed
#undef memory_order_consume
#undef memory_order_acquire
#undef memory_order_release
#undef memory_order_acq_rel
#undef memory_order_seq_cst

/* ---- orders, and mutants: one order made weaker ---- */

struct gws_relacy_mutant {
    char file[64], order[16], weaker[16];
    int from, to; /* lines of the operation */
    int met;      /* places in the source that this is about and that were run: one, or the mutant is none */
};

static rl::memory_order gws_relacy_order_of(const char *name)
{
    static const char *const names[] = {"relaxed", "acquire", "release", "acq_rel", "seq_cst"};
    static const rl::memory_order orders[] = {rl::mo_relaxed, rl::mo_acquire, rl::mo_release, rl::mo_acq_rel,
                                              rl::mo_seq_cst};
    for (int i = 0; i < 5; i++)
        if (strcmp(names[i], name) == 0) return orders[i];
    fprintf(stderr, "no order %s\n", name);
    exit(2);
}

/* From GWS_MUTANT=FILE:FROM:TO:ORDER:WEAKER in the environment. */
static gws_relacy_mutant *gws_relacy_the_mutant()
{
    static gws_relacy_mutant mutant;
    static const char *text = getenv("GWS_MUTANT");
    if (text && !mutant.from &&
        sscanf(text, "%63[^:]:%d:%d:%15[^:]:%15s", mutant.file, &mutant.from, &mutant.to, mutant.order,
               mutant.weaker) != 5)
        exit(2);
    return &mutant;
}

static rl::memory_order gws_relacy_order(const char *name, const char *file, int line)
{
    gws_relacy_mutant *mutant = gws_relacy_the_mutant();
    size_t length = strlen(mutant->file), whole = strlen(file);
    if (length == 0 || length > whole || strcmp(mutant->file, file + whole - length) != 0 || line < mutant->from ||
        line > mutant->to || strcmp(mutant->order, name) != 0)
        return gws_relacy_order_of(name);
    mutant->met++;
    return gws_relacy_order_of(mutant->weaker);
}

/* Looked up once for each place in the source. */
#define GWS_RELACY_ORDER(name)                                                                                         \
    ([]() {                                                                                                            \
        static const rl::memory_order order = gws_relacy_order(#name, __FILE__, __LINE__);                             \
        return order;                                                                                                  \
    }())
#define memory_order_relaxed rl::mo_relaxed
#define memory_order_acquire GWS_RELACY_ORDER(acquire)
#define memory_order_release GWS_RELACY_ORDER(release)
#define memory_order_acq_rel GWS_RELACY_ORDER(acq_rel)
#define memory_order_seq_cst GWS_RELACY_ORDER(seq_cst)

/* ---- operations ---- */

#define _Atomic(T) rl::atomic<T>
#define atomic_init(object, value) ((object)->store((value), rl::mo_relaxed, $))
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
