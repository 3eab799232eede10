/* SPDX-License-Identifier: MIT */
/* What the level containers of the device share: the index range of one level, cut for its workers, who are groups of
 * the device and may be CPU threads as well. One container is chosen when the program is built: its queue_fill(),
 * queue_pop(), queue_steal() and queue_holds() are the words that follow.
 *
 * Concurrency contract: queue_fill(w) before any pop or steal of the level, with a kernel's end or another release and
 * acquire between; pop(w) by worker w; steal, and the look that queue_holds() is, by any; for a group by one of its
 * items. A range is handed out exactly once.
 *
 * State: QUEUE_STRIDE words for each group, so that deques do not share a cache line. ENDS and TAIL are the
 * container's; BEGIN, END and CHUNK are constant within a level. All are zero before the first fill. */
#ifndef GWS_KERNELS_QUEUE_WORDS_H
#define GWS_KERNELS_QUEUE_WORDS_H

#define QUEUE_STRIDE 16u
#define QUEUE_ENDS 0u
#define QUEUE_TAIL 1u
#define QUEUE_BEGIN 2u
#define QUEUE_END 3u
#define QUEUE_CHUNK 4u

#define GRAB_TOOK 0u
#define GRAB_EMPTY 1u
#define GRAB_LOST 2u

/* Gives the deque at q its part of 0 .. count - 1, in whole chunks; returns how many. The first parts get the chunks
 * that are over, the last one that which is not whole (the thesis, section 3.4). */
device_inline u64 queue_cut(global_mem atom64 *q, u32 part, u32 parts, u64 count, u64 chunk)
{
    u64 chunks = (count + chunk - 1) / chunk, each = chunks / parts, longer = chunks % parts;
    u64 first = each * part + (part < longer ? part : longer), mine = each + (part < longer ? 1 : 0);
    u64 end = (first + mine) * chunk;
    atom_store(&q[QUEUE_BEGIN], first * chunk, order_relaxed);
    atom_store(&q[QUEUE_END], end < count ? end : count, order_relaxed);
    atom_store(&q[QUEUE_CHUNK], chunk, order_relaxed);
    return mine;
}

/* How many tasks the last cut gave it. */
device_inline u64 queue_assigned(global_mem atom64 *q)
{
    u64 begin = atom_load(&q[QUEUE_BEGIN], order_relaxed), end = atom_load(&q[QUEUE_END], order_relaxed);
    return end > begin ? end - begin : 0;
}

/* The indexes of one chunk of the deque at q. */
device_inline u32 queue_took(global_mem atom64 *q, u64 index, u64 *range)
{
    u64 chunk = atom_load(&q[QUEUE_CHUNK], order_relaxed), last = atom_load(&q[QUEUE_END], order_relaxed);
    u64 begin = atom_load(&q[QUEUE_BEGIN], order_relaxed) + index * chunk;
    range[0] = begin;
    range[1] = begin + chunk < last ? begin + chunk : last;
    return GRAB_TOOK;
}

/* queue_steal() and queue_holds() of containers from which nothing is stolen. */
#define QUEUE_STEALS_NOTHING                                                                                           \
    device_inline u32 queue_steal(global_mem atom64 *queue, u32 victim, u64 *range)                                    \
    {                                                                                                                  \
        return (void)queue, (void)victim, (void)range, GRAB_EMPTY;                                                     \
    }                                                                                                                  \
    device_inline bool queue_holds(global_mem atom64 *queue, u32 victim)                                               \
    {                                                                                                                  \
        return (void)queue, (void)victim, false;                                                                       \
    }

#endif
