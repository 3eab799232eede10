/* SPDX-License-Identifier: MIT */
/* Deques of Arora, Blumofe and Plaxton with a tag against ABA (Cederman and Tsigas, section 35.3.3), for the chunks of
 * a level: slot i stands for chunk i of the group's part, so no slot is ever written. The owner takes at the tail,
 * thieves at the head.
 *
 * State: ENDS is tag << 32 | head; TAIL is one past the last chunk, written by the owner only. As printed the deque
 * loses tasks (Alglave et al., ASPLOS 2015, section 3.2.1); the orders here are those of lib/queue/abp.c: the owner
 * lowers tail and then reads head, thieves read head, then tail, and then swap head, all sequentially consistent
 * (Dekker), and head is started over by an exchange, never by a store. */
device_inline void queue_fill(global_mem atom64 *queue, u32 group, u32 groups, u64 count, u64 chunk)
{
    global_mem atom64 *q = queue + group * QUEUE_STRIDE;
    u64 mine = queue_cut(q, group, groups, count, chunk), head = atom_load(&q[QUEUE_ENDS], order_relaxed);
    atom_store(&q[QUEUE_ENDS], ((head >> 32) + 1) << 32, order_relaxed);
    atom_store(&q[QUEUE_TAIL], mine, order_relaxed);
}

/* The last chunk is in dispute: whoever moves head has it. Then the deque is empty, under the next tag. */
device_inline u32 queue_last(global_mem atom64 *q, u64 head, u64 index, u64 *range)
{
    u64 seen = head, anew = ((head >> 32) + 1) << 32;
    /* Before head: published by the releases below. */
    atom_store(&q[QUEUE_TAIL], 0, order_relaxed);
    /* release: pairs with the acquire of head in queue_steal(), so that the new head is not seen with an old tail. */
    if ((head & 0xffffffffu) == index && atom_cas(&q[QUEUE_ENDS], &seen, anew, order_release))
        return queue_took(q, index, range);
    /* acq_rel: release as above; acquire pairs with the compare-and-swap of the thief who was quicker. */
    (void)atom_swap(&q[QUEUE_ENDS], anew, order_acq_rel);
    return GRAB_EMPTY;
}

device_inline u32 queue_pop(global_mem atom64 *queue, u32 group, u64 *range)
{
    global_mem atom64 *q = queue + group * QUEUE_STRIDE;
    u64 tail = atom_load(&q[QUEUE_TAIL], order_relaxed);
    if (tail == 0) return GRAB_EMPTY;
    /* seq_cst, both: pair with queue_steal()'s load of tail and its compare-and-swap of head. */
    atom_store(&q[QUEUE_TAIL], tail - 1, order_seq_cst);
    u64 head = atom_load(&q[QUEUE_ENDS], order_seq_cst);
    if ((head & 0xffffffffu) < tail - 1) return queue_took(q, tail - 1, range);
    return queue_last(q, head, tail - 1, range);
}

device_inline u32 queue_steal(global_mem atom64 *queue, u32 victim, u64 *range)
{
    global_mem atom64 *q = queue + victim * QUEUE_STRIDE;
    /* seq_cst: pairs with other thieves' swap and the load of head in queue_pop(): a chunk behind the one that the owner
     * left to dispute is not taken with an old tail. As an acquire, with the releases in queue_last(). */
    u64 head = atom_load(&q[QUEUE_ENDS], order_seq_cst), index = head & 0xffffffffu;
    /* seq_cst: pairs with the store of tail in queue_pop(). */
    if (index >= atom_load(&q[QUEUE_TAIL], order_seq_cst)) return GRAB_EMPTY;
    /* seq_cst: pairs with the loads of head in queue_pop() and above; as a release, with the exchange in queue_last(). */
    if (!atom_cas(&q[QUEUE_ENDS], &head, head + 1, order_seq_cst)) return GRAB_LOST;
    return queue_took(q, index, range);
}

device_inline bool queue_holds(global_mem atom64 *queue, u32 victim)
{
    global_mem atom64 *q = queue + victim * QUEUE_STRIDE;
    /* Only a look: an old answer costs a vain attempt, or the thief passes the victim by. acquire: pairs with the
     * releases in queue_last(). seq_cst: as in queue_steal(). */
    u64 head = atom_load(&q[QUEUE_ENDS], order_acquire);
    return (head & 0xffffffffu) < atom_load(&q[QUEUE_TAIL], order_seq_cst);
}
