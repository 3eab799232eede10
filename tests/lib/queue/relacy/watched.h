/* SPDX-License-Identifier: MIT */
/* Relacy's atomics, extended to detect two kinds of errors that Relacy misses because it runs each operation at its
 * place in its thread.
 *
 * The first kind concerns slots of tasks, the arrays of _Atomic(uint64_t) from gws__memory_new(). A thief reads a
 * slot, and the read counts only if its compare-and-swap then succeeds. Such a read must happen before the next store
 * to the slot. Otherwise the store could come first on a processor that lets stores overtake loads. So the checker
 * records each thread's reads of slots with the time of that thread's clock. The thread's next compare-and-swap
 * confirms the reads, or discards them on failure. A thread that stores to a slot must know, by acquiring the reader's
 * release, that all confirmed reads are over.
 *
 * The second kind concerns loads that a mutant made relaxed. Such a load may take effect after the operations that
 * follow it. So a thief's load of a counter in the queue sometimes returns one more than the real value. The real load
 * runs before the thief does something visible to others (its compare-and-swap of the same counter). If the guess was
 * right, the load was late in this schedule. Otherwise the compare-and-swap fails. (Guesses are valid only for queues
 * whose thieves have no other visible effects, so gws_relacy_loads_late enables them.) */
#ifndef GWS_TESTS_RELACY_WATCHED_H
#define GWS_TESTS_RELACY_WATCHED_H

#include <cstdint>
#include <type_traits>

#include <relacy/relacy.hpp>

#include "mutant.h"

enum { gws_relacy_max_threads = 4, gws_relacy_max_readings = 16 };

static bool gws_relacy_loads_late;

template <typename T> struct gws_relacy_atomic;

/* A thread's reads of slots since its last compare-and-swap, and its guessed load. */
struct gws_relacy_reader {
    struct {
        const gws_relacy_atomic<uint64_t> *slot;
        rl::timestamp_t time;
        uint32_t stores; /* number of stores to the slot before the read */
    } reading[gws_relacy_max_readings];
    uint32_t count;
    const void *late; /* NULL: none */
    uint64_t answer;
};

static gws_relacy_reader gws_relacy_readers[gws_relacy_max_threads];

static gws_relacy_reader *gws_relacy_me()
{
    return &gws_relacy_readers[rl::thread_index()];
}

/* Resets the records before the threads of a schedule start. */
static void gws_relacy_watch_anew()
{
    for (gws_relacy_reader &reader : gws_relacy_readers) reader.count = 0, reader.late = NULL;
}

/* Returns true, once, if the calling thread's last attempt rests on a guessed load that no real load has confirmed. */
static bool gws_relacy_guessed()
{
    bool guessed = gws_relacy_me()->late != NULL;
    gws_relacy_me()->late = NULL;
    return guessed;
}

template <typename T> struct gws_relacy_atomic : rl::atomic<T> {
    typedef rl::atomic<T> base;
    bool slot = false;
    mutable rl::timestamp_t read[gws_relacy_max_threads] = {}; /* time of a confirmed read; 0: none */
    uint32_t stores = 0;

    T load(gws_relacy_order order, rl::debug_info_param info) const
    {
        T value = base::load(order, info);
        if constexpr (std::is_same<T, uint64_t>::value) {
            if (slot) keep_reading();
            bool late = order.mutant && order.order == rl::mo_relaxed && gws_relacy_loads_late;
            if (late && rl::thread_index() != 0 && rl::rand(2)) {
                gws_relacy_me()->late = this;
                gws_relacy_me()->answer = ++value;
            }
        }
        return value;
    }

    void store(T value, gws_relacy_order order, rl::debug_info_param info)
    {
        if (slot) check_readings();
        base::store(value, order, info);
    }

    T exchange(T value, gws_relacy_order order, rl::debug_info_param info)
    {
        return base::exchange(value, order, info);
    }

    template <typename U>
    bool compare_exchange_strong(T &expected, U value, gws_relacy_order order, rl::debug_info_param info,
                                 gws_relacy_order failed, rl::debug_info_param failed_info)
    {
        bool won = answer_was_right(info) &&
                   base::compare_exchange_strong(expected, (T)value, order, info, failed, failed_info);
        end_readings(won);
        return won;
    }

    template <typename U>
    bool compare_exchange_weak(T &expected, U value, gws_relacy_order order, rl::debug_info_param info,
                               gws_relacy_order failed, rl::debug_info_param failed_info)
    {
        bool won =
            answer_was_right(info) && base::compare_exchange_weak(expected, (T)value, order, info, failed, failed_info);
        end_readings(won);
        return won;
    }

  private:
    void keep_reading() const
    {
        gws_relacy_reader *me = gws_relacy_me();
        if (me->count == gws_relacy_max_readings) me->count = 0; /* an owner never confirms its reads */
        me->reading[me->count++] = {this, rl::ctx().threadx_->own_acq_rel_order_, stores};
    }

    /* Drops this thread's own reads of the slot, which are over. Checks that the thread knows that the confirmed reads
     * of all other threads are over. */
    void check_readings()
    {
        gws_relacy_reader *me = gws_relacy_me();
        for (uint32_t i = me->count; i-- > 0;)
            if ((const void *)me->reading[i].slot == this) me->reading[i] = me->reading[--me->count];
        for (uint32_t t = 0; t < rl::ctx().get_thread_count() && t < gws_relacy_max_threads; t++) {
            bool known = t == rl::thread_index() || rl::ctx().threadx_->acq_rel_order_[t] >= read[t];
            RL_ASSERT(known && "a slot is filled before its reader is known to be done");
            read[t] = 0;
        }
        stores++;
    }

    static void end_readings(bool confirmed)
    {
        gws_relacy_reader *me = gws_relacy_me();
        for (uint32_t i = 0; confirmed && i < me->count; i++) {
            RL_ASSERT(me->reading[i].slot->stores == me->reading[i].stores);
            me->reading[i].slot->read[rl::thread_index()] = me->reading[i].time;
        }
        me->count = 0;
    }

    bool answer_was_right(rl::debug_info_param info)
    {
        gws_relacy_reader *me = gws_relacy_me();
        if (me->late != this) return true;
        me->late = NULL;
        return (uint64_t)base::load(rl::mo_relaxed, info) == me->answer;
    }
};

#endif
