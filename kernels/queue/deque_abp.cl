/* SPDX-License-Identifier: MIT */
/* Deques of Arora, Blumofe and Plaxton with a tag against ABA, for immediate tasks (Cederman and Tsigas, section 35.3.3):
 * the owner adds and takes at the tail, thieves take one task at the head.
 *
 * State: ENDS is tag << 32 | head, TAIL the first free slot, written by the owner only. Indexes start over at slot 0,
 * under the next tag, when the owner finds its deque empty or takes the last task.
 *
 * As printed the deque loses and doubles tasks (Alglave et al., ASPLOS 2015, section 3.2.1). What each order is for:
 * - pool_end() stores tail with release, steal loads it with acquire (seq_cst is one): printed without either, a thief could
 *   see the tail and not the task, or not the points that the task stands for.
 * - pop stores tail and then loads head, steal loads head and then tail and then swaps head: Dekker's pattern, so all
 *   five are sequentially consistent. Printed without, a store may pass the load after it, and owner and thief take
 *   one task both. The task at the head that the owner has read is left to a compare-and-swap. A thief after a later
 *   one read head from another thief's swap, which comes after the owner's load in the one order of all five; the
 *   thief's two loads come later still, so it sees the lowered tail (lib/queue/chaselev.c has the whole argument).
 * - starting over stores tail before it moves head with release; steal loads head with acquire: who sees the new head
 *   does not see an old tail, behind which lie slots of the last round.
 * - a thief swaps head with release, the owner starts over with an exchange that acquires: the slot was read before the
 *   owner writes the next task there. Printed as a plain store, it would not wait for the read, and it would also
 *   overwrite the move of a thief who comes between: the exchange and the tag make that thief fail or count. */
#define POOL_STEALS 1
#define POOL_SPLITS 1

#define DEQUE_ENDS 0u
#define DEQUE_TAIL 16u

/* The owner has read head, and only the task there may be left, if it is the one at last. True if the owner gets it. */
device_inline bool deque_start_over(global_mem atom64 *q, u64 head, u64 last)
{
    u64 seen = head, anew = ((head >> 32) + 1) << 32;
    /* Before head: published by the two releases below. */
    atom_store(&q[DEQUE_TAIL], 0, order_relaxed);
    /* release: pairs with the acquire of head in pool_steal(). */
    if ((head & 0xffffffffu) == last && atom_cas(&q[DEQUE_ENDS], &seen, anew, order_release)) return true;
    /* acq_rel: release as above; acquire pairs with the compare-and-swap of the thief who was quicker. */
    (void)atom_swap(&q[DEQUE_ENDS], anew, order_acq_rel);
    return false;
}

/* Where count tasks go; POOL_FULL: there is no room for them. */
device_inline u32 pool_begin(struct pool pool, u32 self, u32 count)
{
    global_mem atom64 *q = deque_of(pool, self);
    u64 tail = atom_load(&q[DEQUE_TAIL], order_relaxed);
    if (tail + count > pool.room && tail > 0) {
        u64 head = atom_load(&q[DEQUE_ENDS], order_relaxed);
        if ((head & 0xffffffffu) < tail) return POOL_FULL;
        (void)deque_start_over(q, head, tail);
        tail = 0;
    }
    return tail + count > pool.room ? POOL_FULL : (u32)tail;
}

device_inline void pool_put(struct pool pool, u32 self, u32 place, const u64 *task)
{
    slot_put(deque_of(pool, self), place, task);
}

device_inline void pool_end(struct pool pool, u32 self, u32 place, u32 count)
{
    /* release: pairs with the load of tail in pool_steal(). */
    atom_store(&deque_of(pool, self)[DEQUE_TAIL], (u64)place + count, order_release);
}

/* False: there is none. */
device_inline bool pool_pop(struct pool pool, u32 self, u64 *task)
{
    global_mem atom64 *q = deque_of(pool, self);
    u64 tail = atom_load(&q[DEQUE_TAIL], order_relaxed);
    if (tail == 0) return false;
    slot_get(q, tail - 1, task);
    /* seq_cst, both: pair with pool_steal()'s load of tail and its compare-and-swap of head. */
    atom_store(&q[DEQUE_TAIL], tail - 1, order_seq_cst);
    u64 head = atom_load(&q[DEQUE_ENDS], order_seq_cst);
    if ((head & 0xffffffffu) < tail - 1) return true;
    return deque_start_over(q, head, tail - 1);
}

/* How many tasks it took, of which the first is in *task and others would be in the thief's own deque, which is empty. 0:
 * there was none, or another was quicker: it is not tried again, as the caller chooses the next victim. */
device_inline u32 pool_steal(struct pool pool, u32 victim, u32 self, u64 *task)
{
    (void)self;
    global_mem atom64 *q = deque_of(pool, victim);
    /* seq_cst: pairs with other thieves' swap and the load of head in pool_pop(); as an acquire, with the releases in
     * deque_start_over(). */
    u64 head = atom_load(&q[DEQUE_ENDS], order_seq_cst), index = head & 0xffffffffu;
    /* seq_cst: pairs with the store in pool_pop(); as an acquire, with the release in pool_end(). */
    if (index >= atom_load(&q[DEQUE_TAIL], order_seq_cst)) return 0;
    slot_get(q, index, task);
    /* seq_cst: pairs with the loads of head in pool_pop() and above; as a release, with the exchange in deque_start_over(). */
    return atom_cas(&q[DEQUE_ENDS], &head, head + 1, order_seq_cst) ? 1 : 0;
}
