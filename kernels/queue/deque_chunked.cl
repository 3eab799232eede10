/* SPDX-License-Identifier: MIT */
/* Chunked deques for immediate tasks: thieves take several tasks at once, never more than half, and both ends lie in one word, as in the level
 * container of that name (queue_chunked.cl; Abdelmageed's thesis, section 3.4.1). The owner adds and takes at the tail.
 *
 * State: ENDS is tag << 32 | tail << 16 | head. New tasks raise tail and tag by one addition; a pop or a theft is a
 * compare-and-swap. Every change of the word is one read-modify-write, so claims are disjoint by its modification
 * order and Dekker's pattern, with its sequentially consistent orders, is not needed. The tag rises with every task added and
 * every start over, so a slot that was written again under a thief means a word that has changed.
 *
 * Orders: the addition releases and a thief's first load acquires: the task, and what its maker wrote, is seen; the
 * read-modify-writes between continue the release. A thief's compare-and-swap releases, and the owner acquires when it
 * starts over at slot 0: the slots were read before the owner writes there again. */
#define POOL_STEALS 1
#define POOL_SPLITS 1

#define DEQUE_ENDS 0u
#define DEQUE_TAG ((u64)1 << 32)
#define DEQUE_ONE ((u64)1 << 16)

device_inline u32 deque_head(u64 ends)
{
    return (u32)ends & 0xffffu;
}

device_inline u32 deque_tail(u64 ends)
{
    return (u32)ends >> 16;
}

/* The deque, found empty, begins at slot 0 again. The only change that others make is a theft, and there is nothing to
 * take. acquire: pairs with the thieves' compare-and-swap. */
device_inline void deque_start_over(global_mem atom64 *q, u64 ends)
{
    if (deque_tail(ends) > 0) (void)atom_swap(&q[DEQUE_ENDS], (ends & ~(DEQUE_TAG - 1)) + DEQUE_TAG, order_acq_rel);
}

/* Where count tasks go; POOL_FULL: there is no room for them. */
device_inline u32 pool_begin(struct pool pool, u32 self, u32 count)
{
    global_mem atom64 *q = deque_of(pool, self);
    u64 ends = atom_load(&q[DEQUE_ENDS], order_relaxed);
    u32 tail = deque_tail(ends);
    if (tail + count > pool.room) {
        if (deque_head(ends) < tail) return POOL_FULL;
        deque_start_over(q, ends);
        tail = 0;
    }
    return tail + count > pool.room ? POOL_FULL : tail;
}

device_inline void pool_put(struct pool pool, u32 self, u32 place, const u64 *task)
{
    slot_put(deque_of(pool, self), place, task);
}

device_inline void pool_end(struct pool pool, u32 self, u32 place, u32 count)
{
    (void)place;
    /* release: pairs with the acquire in pool_steal(). */
    (void)atom_add(&deque_of(pool, self)[DEQUE_ENDS], count * (DEQUE_TAG + DEQUE_ONE), order_release);
}

/* False: there is none. */
device_inline bool pool_pop(struct pool pool, u32 self, u64 *task)
{
    global_mem atom64 *q = deque_of(pool, self);
    u64 ends = atom_load(&q[DEQUE_ENDS], order_relaxed);
    while (deque_head(ends) < deque_tail(ends)) {
        slot_get(q, deque_tail(ends) - 1, task);
        if (atom_cas(&q[DEQUE_ENDS], &ends, ends - DEQUE_ONE, order_relaxed)) return true;
    }
    deque_start_over(q, ends);
    return false;
}

/* How many tasks it took: the first is in *task, the others go to the thief's own deque, which is empty: slots from 0
 * on, which nobody sees before they are pushed. 0: there was none, or another was quicker: it is not tried again. */
device_inline u32 pool_steal(struct pool pool, u32 victim, u32 self, u64 *task)
{
    global_mem atom64 *q = deque_of(pool, victim), *mine = deque_of(pool, self);
    /* acquire: pairs with the release in pool_end(). */
    u64 ends = atom_load(&q[DEQUE_ENDS], order_acquire), other[TASK_WORDS];
    u32 head = deque_head(ends), tail = deque_tail(ends);
    if (head >= tail) return 0;
    u32 count = (tail - head + 1) / 2;
    if (count > pool.chunk) count = pool.chunk;
    for (u32 i = 1; i < count; i++) {
        slot_get(q, head + i, other);
        slot_put(mine, i - 1, other);
    }
    slot_get(q, head, task);
    /* release: pairs with the acquire in deque_start_over(). */
    if (!atom_cas(&q[DEQUE_ENDS], &ends, ends + count, order_release)) return 0;
    /* acq_rel: as in pool_end(); what was stolen is handed on. */
    if (count > 1) (void)atom_add(&mine[DEQUE_ENDS], (count - 1) * (DEQUE_TAG + DEQUE_ONE), order_acq_rel);
    return count;
}
