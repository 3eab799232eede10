/* SPDX-License-Identifier: MIT */
/* Relacy's atomics, watched for two things that Relacy by itself does not see, since it runs each operation at its
 * place in its thread.
 *
 * Slots of tasks, the arrays of _Atomic(uint64_t) from gws__memory_new(). A thief reads one, and only if its
 * compare-and-swap then succeeds was there a task. Such a reading must happen before whatever is stored there next, or
 * the store could come first on a processor that lets stores overtake loads. So what a thread reads of slots is kept
 * with the time on its clock; its next compare-and-swap confirms it or, failing, throws it away; and who stores into a
 * slot must know, by acquiring what the reader released, that all confirmed readings are over.
 *
 * Loads that a mutant made relaxed may come later than those that follow them. A thief's load of a counter in the
 * queue therefore answers one more than there is, now and then. Before the thief does anything that others could see,
 * its compare-and-swap of the same counter, the load is really done: if the answer was right, this has been a schedule
 * in which it was late; if not, the compare-and-swap fails. (For queues whose thieves do nothing else that can be seen,
 * so it is asked for with gws_relacy_loads_late.) */
#ifndef GWS_TESTS_RELACY_WATCHED_H
#define GWS_TESTS_RELACY_WATCHED_H

#include <cstdint>
#include <type_traits>

#include <relacy/relacy.hpp>

#include "mutant.h"

enum { gws_relacy_most_threads = 4, gws_relacy_most_readings = 16 };

static bool gws_relacy_loads_late;

template <typename T> struct gws_relacy_atomic;

/* What a thread has read of slots since its last compare-and-swap, and the answer that it got too early. */
struct gws_relacy_reader {
    struct {
        const gws_relacy_atomic<uint64_t> *slot;
        rl::timestamp_t time;
        uint32_t stores; /* into the slot until then */
    } reading[gws_relacy_most_readings];
    uint32_t count;
    const void *late; /* NULL: none */
    uint64_t answer;
};

static gws_relacy_reader gws_relacy_readers[gws_relacy_most_threads];

static gws_relacy_reader *gws_relacy_me()
{
    return &gws_relacy_readers[rl::thread_index()];
}

/* Before the threads of a schedule begin. */
static void gws_relacy_watch_anew()
{
    for (gws_relacy_reader &reader : gws_relacy_readers) reader.count = 0, reader.late = NULL;
}

/* True, once, if the calling thread's last attempt rests on an answer that was never found out to be right. */
static bool gws_relacy_guessed()
{
    bool guessed = gws_relacy_me()->late != NULL;
    gws_relacy_me()->late = NULL;
    return guessed;
}

template <typename T> struct gws_relacy_atomic : rl::atomic<T> {
    typedef rl::atomic<T> base;
    bool slot = false;
    mutable rl::timestamp_t read[gws_relacy_most_threads] = {}; /* confirmed, and when; 0: not */
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
        if (me->count == gws_relacy_most_readings) me->count = 0; /* of an owner, which confirms none */
        me->reading[me->count++] = {this, rl::ctx().threadx_->own_acq_rel_order_, stores};
    }

    /* What this thread itself has read is over; of others it must know. */
    void check_readings()
    {
        gws_relacy_reader *me = gws_relacy_me();
        for (uint32_t i = me->count; i-- > 0;)
            if ((const void *)me->reading[i].slot == this) me->reading[i] = me->reading[--me->count];
        for (uint32_t t = 0; t < rl::ctx().get_thread_count() && t < gws_relacy_most_threads; t++) {
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
