/* SPDX-License-Identifier: MIT */
/* Chunked deques for immediate tasks. A thief steals several tasks at once, at most half of them. Both ends lie in one
 * word, as in the level queue of that name (queue_chunked.cl; Abdelmageed's thesis, section 3.4.1). The owner pushes
 * and pops at the tail.
 *
 * State: ENDS is tag << 32 | tail << 16 | head. One addition for new tasks raises tail and tag. A pop or a steal is a
 * compare-and-swap. Every change of the word is one read-modify-write, so its modification order makes claims disjoint.
 * Dekker's pattern and its sequentially consistent orders are not needed. The tag rises with every added task and every
 * restart. So if the owner rewrites a slot that a thief reads, the word has changed, and the thief's compare-and-swap
 * fails.
 *
 * Orders: the addition releases and a thief's first load acquires. The thief thus sees the task and the data that the
 * task's producer wrote. The read-modify-writes in between continue the release sequence. A thief's compare-and-swap
 * releases, and the owner acquires when it restarts at slot 0. Thieves have thus read the slots before the owner writes
 * there again. */
#define POOL_STEALS 1
#define POOL_SPLITS 1

#define DEQUE_ENDS 0u
#define DEQUE_TAG ((u64)1 << 32)
#define DEQUE_TAIL_STEP ((u64)1 << 16)

device_inline u32 deque_head(u64 ends)
{
    return (u32)ends & 0xffffu;
}

device_inline u32 deque_tail(u64 ends)
{
    return (u32)ends >> 16;
}

/* Returns the number of tasks in a deque, which may have changed since. */
device_inline u32 pool_size(struct pool pool, u32 worker)
{
    u64 ends = atom_load(&deque_of(pool, worker)[DEQUE_ENDS], order_relaxed);
    return deque_head(ends) < deque_tail(ends) ? deque_tail(ends) - deque_head(ends) : 0;
}

/* Restarts an empty deque at slot 0. Only thieves could change the word in the meantime, and no task is left to steal.
 * acquire: pairs with the compare-and-swap of thieves. */
device_inline void deque_start_over(global_mem atom64 *q, u64 ends)
{
    if (deque_tail(ends) > 0) (void)atom_swap(&q[DEQUE_ENDS], (ends & ~(DEQUE_TAG - 1)) + DEQUE_TAG, order_acq_rel);
}

/* Returns the first slot for count tasks, or POOL_FULL if they do not fit. */
device_inline u32 pool_reserve(struct pool pool, u32 self, u32 count)
{
    global_mem atom64 *q = deque_of(pool, self);
    u64 ends = atom_load(&q[DEQUE_ENDS], order_relaxed);
    u32 tail = deque_tail(ends);
    if (tail + count > pool.capacity) {
        if (deque_head(ends) < tail) return POOL_FULL;
        deque_start_over(q, ends);
        tail = 0;
    }
    return tail + count > pool.capacity ? POOL_FULL : tail;
}

device_inline void pool_write(struct pool pool, u32 self, u32 slot, const u64 *task)
{
    slot_write(deque_of(pool, self), slot, task);
}

device_inline void pool_commit(struct pool pool, u32 self, u32 slot, u32 count)
{
    (void)slot;
    /* release: pairs with the acquire in pool_steal(). */
    (void)atom_add(&deque_of(pool, self)[DEQUE_ENDS], count * (DEQUE_TAG + DEQUE_TAIL_STEP), order_release);
}

/* Pops the last task. Returns false if the deque is empty. */
device_inline bool pool_pop(struct pool pool, u32 self, u64 *task)
{
    global_mem atom64 *q = deque_of(pool, self);
    u64 ends = atom_load(&q[DEQUE_ENDS], order_relaxed);
    while (deque_head(ends) < deque_tail(ends)) {
        slot_read(q, deque_tail(ends) - 1, task);
        if (atom_cas(&q[DEQUE_ENDS], &ends, ends - DEQUE_TAIL_STEP, order_relaxed)) return true;
    }
    deque_start_over(q, ends);
    return false;
}

/* Returns the number of stolen tasks. The first one is in *task. The function copies the others to the thief's own
 * deque, which is empty, from slot 0 on. No other worker sees these slots before the push below. Returns 0 if the deque
 * is empty or another worker won the race. The function does not retry after a lost race. */
device_inline u32 pool_steal(struct pool pool, u32 victim, u32 self, u64 *task)
{
    global_mem atom64 *q = deque_of(pool, victim), *mine = deque_of(pool, self);
    /* acquire: pairs with the release in pool_commit(). */
    u64 ends = atom_load(&q[DEQUE_ENDS], order_acquire), other[TASK_WORDS];
    u32 head = deque_head(ends), tail = deque_tail(ends);
    if (head >= tail) return 0;
    u32 count = (tail - head + 1) / 2;
    if (count > pool.chunk) count = pool.chunk;
    for (u32 i = 1; i < count; i++) {
        slot_read(q, head + i, other);
        slot_write(mine, i - 1, other);
    }
    slot_read(q, head, task);
    /* release: pairs with the acquire in deque_start_over(). */
    if (!atom_cas(&q[DEQUE_ENDS], &ends, ends + count, order_release)) return 0;
    /* acq_rel: as in pool_commit(); the release sequence of the stolen tasks continues. */
    if (count > 1) (void)atom_add(&mine[DEQUE_ENDS], (count - 1) * (DEQUE_TAG + DEQUE_TAIL_STEP), order_acq_rel);
    return count;
}
