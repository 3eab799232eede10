/* SPDX-License-Identifier: MIT */
/* Deques of Arora, Blumofe and Plaxton with a tag against ABA, for immediate tasks (Cederman and Tsigas, section
 * 35.3.3). The owner pushes and pops at the tail. A thief steals one task at the head.
 *
 * State: ENDS is tag << 32 | head. TAIL is the first free slot. Only the owner writes TAIL. When the owner finds its
 * deque empty or pops the last task, indexes restart at slot 0 under the next tag.
 *
 * The deque as printed loses and duplicates tasks (Alglave et al., ASPLOS 2015, section 3.2.1). The orders here prevent
 * that:
 * - pool_commit() stores tail with release, and pool_steal() loads it with acquire (its seq_cst includes acquire). The
 *   printed deque has neither order: a thief could see the tail without the task, or without the task's points.
 * - pool_pop() stores tail and then loads head. pool_steal() loads head, then tail, and then swaps head. This is
 *   Dekker's pattern, so all five operations are sequentially consistent. Without that order, a store may move behind
 *   the load that follows, and owner and thief get the same task. A compare-and-swap decides which worker gets the task
 *   at the head that the owner has read. A thief of a later task has read head from another thief's swap, which comes
 *   after the owner's load in the single order of all five. The two loads of that thief come later still, so it sees
 *   the lowered tail (lib/queue/chaselev.c has the full argument).
 * - deque_start_over() stores tail before it moves head with release, and pool_steal() loads head with acquire. A thief
 *   that sees the new head therefore does not see the old tail, and it reads no slot of the last round.
 * - A thief swaps head with release, and the owner starts over with an acquiring exchange. Thus the thief reads the
 *   slot before the owner writes the next task there. The printed deque uses a plain store. Such a store does not wait
 *   for the thief's read, and it overwrites the swap of a thief in between. With the exchange and the tag, either that
 *   thief fails or its steal counts. */
#define POOL_STEALS 1
#define POOL_SPLITS 1

#define DEQUE_ENDS 0u
#define DEQUE_TAIL 16u

/* The owner calls it with the head that it has read, if at most the task at index last is left. Returns true if the
 * owner gets that task. */
device_inline bool deque_start_over(global_mem atom64 *q, u64 head, u64 last)
{
    u64 seen = head, anew = ((head >> 32) + 1) << 32;
    /* The owner stores tail before head. The two releases below publish tail. */
    atom_store(&q[DEQUE_TAIL], 0, order_relaxed);
    /* release: pairs with the acquire of head in pool_steal(). */
    if ((head & 0xffffffffu) == last && atom_cas(&q[DEQUE_ENDS], &seen, anew, order_release)) return true;
    /* acq_rel: the release is as above. The acquire pairs with the compare-and-swap of the thief that won. */
    (void)atom_swap(&q[DEQUE_ENDS], anew, order_acq_rel);
    return false;
}

/* Returns the first slot for count tasks, or POOL_FULL if they do not fit. */
device_inline u32 pool_reserve(struct pool pool, u32 self, u32 count)
{
    global_mem atom64 *q = deque_of(pool, self);
    u64 tail = atom_load(&q[DEQUE_TAIL], order_relaxed);
    if (tail + count > pool.capacity && tail > 0) {
        u64 head = atom_load(&q[DEQUE_ENDS], order_relaxed);
        if ((head & 0xffffffffu) < tail) return POOL_FULL;
        (void)deque_start_over(q, head, tail);
        tail = 0;
    }
    return tail + count > pool.capacity ? POOL_FULL : (u32)tail;
}

device_inline void pool_write(struct pool pool, u32 self, u32 slot, const u64 *task)
{
    slot_write(deque_of(pool, self), slot, task);
}

device_inline void pool_commit(struct pool pool, u32 self, u32 slot, u32 count)
{
    /* release: pairs with the load of tail in pool_steal(). */
    atom_store(&deque_of(pool, self)[DEQUE_TAIL], (u64)slot + count, order_release);
}

/* Pops the last task. Returns false if the deque is empty. */
device_inline bool pool_pop(struct pool pool, u32 self, u64 *task)
{
    global_mem atom64 *q = deque_of(pool, self);
    u64 tail = atom_load(&q[DEQUE_TAIL], order_relaxed);
    if (tail == 0) return false;
    slot_read(q, tail - 1, task);
    /* seq_cst, both: pair with pool_steal()'s load of tail and its compare-and-swap of head. */
    atom_store(&q[DEQUE_TAIL], tail - 1, order_seq_cst);
    u64 head = atom_load(&q[DEQUE_ENDS], order_seq_cst);
    if ((head & 0xffffffffu) < tail - 1) return true;
    return deque_start_over(q, head, tail - 1);
}

/* Returns the number of stolen tasks: 1 with the task in *task, or 0 if the deque is empty or another worker won the
 * race. The function does not retry after a lost race, because the caller chooses the next victim. */
device_inline u32 pool_steal(struct pool pool, u32 victim, u32 self, u64 *task)
{
    (void)self;
    global_mem atom64 *q = deque_of(pool, victim);
    /* seq_cst: pairs with the swaps of other thieves and the load of head in pool_pop(). Its acquire pairs with the
     * releases in deque_start_over(). */
    u64 head = atom_load(&q[DEQUE_ENDS], order_seq_cst), index = head & 0xffffffffu;
    /* seq_cst: pairs with the store in pool_pop(). Its acquire pairs with the release in pool_commit(). */
    if (index >= atom_load(&q[DEQUE_TAIL], order_seq_cst)) return 0;
    slot_read(q, index, task);
    /* seq_cst: pairs with the loads of head in pool_pop() and above. Its release pairs with the exchange in
     * deque_start_over(). */
    return atom_cas(&q[DEQUE_ENDS], &head, head + 1, order_seq_cst) ? 1 : 0;
}
