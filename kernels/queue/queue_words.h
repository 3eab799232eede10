/* SPDX-License-Identifier: MIT */
/* Words and functions that all of the device's level queues use. Such a queue partitions the index range of one level
 * for its workers, which are groups of the device and possibly CPU threads. A program contains one queue, which defines
 * queue_fill(), queue_pop(), queue_steal() and queue_holds().
 *
 * Concurrency contract: queue_fill(w) comes before any pop or steal of the level, with a kernel's end or another
 * release and acquire between. Worker w calls pop(w). Any worker calls steal and queue_holds(). One item calls for its
 * group. queue_holds() only gives a hint. Exactly one worker acquires each range.
 *
 * State: QUEUE_STRIDE words for each worker, a distance that keeps deques in separate cache lines. The queue defines
 * ENDS and TAIL. BEGIN, END and CHUNK are constant within a level. All words are zero before the first fill. */
#ifndef GWS_KERNELS_QUEUE_WORDS_H
#define GWS_KERNELS_QUEUE_WORDS_H

#define QUEUE_STRIDE 16u
#define QUEUE_ENDS 0u
#define QUEUE_TAIL 1u
#define QUEUE_BEGIN 2u
#define QUEUE_END 3u
#define QUEUE_CHUNK 4u

#define QUEUE_ACQUIRED 0u
#define QUEUE_EMPTY 1u
#define QUEUE_LOST 2u

/* Statistics, as in lib/hetero.h: STATS_STRIDE words of 64 bits for each worker. Only the worker writes them. */
#define STATS_STRIDE 8u
#define STATS_ASSIGNED 0u /* the caller of queue_fill() assigned them; 0 with a shared cursor */
#define STATS_RUN 1u
#define STATS_STOLEN_FROM_CPU 2u
#define STATS_STOLEN_FROM_DEVICE 3u
#define STATS_STEALS 4u
#define STATS_FAILED 5u
#define STATS_BUSY 6u /* this word and the next, if measured: busy and total time in ns (in a kernel: ticks) */
#define STATS_TIME 7u

#endif

#if defined global_mem && !defined GWS_KERNELS_QUEUE_WORDS_FUNCTIONS /* a portability header came first */
#define GWS_KERNELS_QUEUE_WORDS_FUNCTIONS

/* Gives the deque at q its part of 0 .. count - 1, in whole chunks. Returns the number of chunks. Remaining chunks go
 * to the first parts, an incomplete chunk to the last part (Abdelmageed's thesis, section 3.4). */
device_inline u64 queue_partition(global_mem atom64 *q, u32 part, u32 parts, u64 count, u64 chunk)
{
    u64 chunks = (count + chunk - 1) / chunk, each = chunks / parts, longer = chunks % parts;
    u64 first = each * part + (part < longer ? part : longer), mine = each + (part < longer ? 1 : 0);
    u64 end = (first + mine) * chunk;
    atom_store(&q[QUEUE_BEGIN], first * chunk, order_relaxed);
    atom_store(&q[QUEUE_END], end < count ? end : count, order_relaxed);
    atom_store(&q[QUEUE_CHUNK], chunk, order_relaxed);
    return mine;
}

/* Returns the number of tasks in the deque's part. */
device_inline u64 queue_assigned(global_mem atom64 *q)
{
    u64 begin = atom_load(&q[QUEUE_BEGIN], order_relaxed), end = atom_load(&q[QUEUE_END], order_relaxed);
    return end > begin ? end - begin : 0;
}

/* Writes the index range of one chunk of the deque at q to range. Returns QUEUE_ACQUIRED. */
device_inline u32 queue_acquire_chunk(global_mem atom64 *q, u64 index, u64 *range)
{
    u64 chunk = atom_load(&q[QUEUE_CHUNK], order_relaxed), last = atom_load(&q[QUEUE_END], order_relaxed);
    u64 begin = atom_load(&q[QUEUE_BEGIN], order_relaxed) + index * chunk;
    range[0] = begin;
    range[1] = begin + chunk < last ? begin + chunk : last;
    return QUEUE_ACQUIRED;
}

/* queue_steal() and queue_holds() of queues without stealing. */
#define QUEUE_STEALS_NOTHING                                                                                           \
    device_inline u32 queue_steal(global_mem atom64 *queue, u32 victim, u64 *range)                                    \
    {                                                                                                                  \
        return (void)queue, (void)victim, (void)range, QUEUE_EMPTY;                                                    \
    }                                                                                                                  \
    device_inline bool queue_holds(global_mem atom64 *queue, u32 victim)                                               \
    {                                                                                                                  \
        return (void)queue, (void)victim, false;                                                                       \
    }

#endif
