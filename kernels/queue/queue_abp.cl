/* SPDX-License-Identifier: MIT */
/* Deques of Arora, Blumofe and Plaxton with a tag against ABA (Cederman and Tsigas, section 35.3.3), for the chunks of
 * a level. Slot i stands for chunk i of the group's part, so slots need no memory. The owner pops at the tail. Thieves
 * steal at the head.
 *
 * State: ENDS is tag << 32 | head. TAIL is one past the last chunk. Only the owner writes TAIL. The deque as printed
 * loses tasks (Alglave et al., ASPLOS 2015, section 3.2.1). This deque has the orders of lib/queue/abp.c. The owner
 * lowers tail and then reads head. A thief reads head, then tail, and then swaps head. All five operations are
 * sequentially consistent (Dekker's pattern). The owner restarts head by an exchange, never by a store. */
device_inline void queue_fill(global_mem atom64 *queue, u32 group, u32 groups, u64 count, u64 chunk)
{
    global_mem atom64 *q = queue + group * QUEUE_STRIDE;
    u64 mine = queue_partition(q, group, groups, count, chunk), head = atom_load(&q[QUEUE_ENDS], order_relaxed);
    atom_store(&q[QUEUE_ENDS], ((head >> 32) + 1) << 32, order_relaxed);
    atom_store(&q[QUEUE_TAIL], mine, order_relaxed);
}

/* Gives the last chunk to the worker that moves head. The deque is then empty, under the next tag. */
device_inline u32 queue_last(global_mem atom64 *q, u64 head, u64 index, u64 *range)
{
    u64 seen = head, anew = ((head >> 32) + 1) << 32;
    /* The owner stores tail before head. The releases below publish tail. */
    atom_store(&q[QUEUE_TAIL], 0, order_relaxed);
    /* release: pairs with the acquire of head in queue_steal(). Thus no thief sees the new head with an old tail. */
    if ((head & 0xffffffffu) == index && atom_cas(&q[QUEUE_ENDS], &seen, anew, order_release))
        return queue_acquire_chunk(q, index, range);
    /* acq_rel: the release is as above. The acquire pairs with the compare-and-swap of the thief that won. */
    (void)atom_swap(&q[QUEUE_ENDS], anew, order_acq_rel);
    return QUEUE_EMPTY;
}

device_inline u32 queue_pop(global_mem atom64 *queue, u32 group, u64 *range)
{
    global_mem atom64 *q = queue + group * QUEUE_STRIDE;
    u64 tail = atom_load(&q[QUEUE_TAIL], order_relaxed);
    if (tail == 0) return QUEUE_EMPTY;
    /* seq_cst, both: pair with queue_steal()'s load of tail and its compare-and-swap of head. */
    atom_store(&q[QUEUE_TAIL], tail - 1, order_seq_cst);
    u64 head = atom_load(&q[QUEUE_ENDS], order_seq_cst);
    if ((head & 0xffffffffu) < tail - 1) return queue_acquire_chunk(q, tail - 1, range);
    return queue_last(q, head, tail - 1, range);
}

device_inline u32 queue_steal(global_mem atom64 *queue, u32 victim, u64 *range)
{
    global_mem atom64 *q = queue + victim * QUEUE_STRIDE;
    /* seq_cst: pairs with the swaps of other thieves and the load of head in queue_pop(). Thus no thief with an old
     * tail steals a chunk behind the disputed one. The acquire of this load pairs with the releases in queue_last(). */
    u64 head = atom_load(&q[QUEUE_ENDS], order_seq_cst), index = head & 0xffffffffu;
    /* seq_cst: pairs with the store of tail in queue_pop(). */
    if (index >= atom_load(&q[QUEUE_TAIL], order_seq_cst)) return QUEUE_EMPTY;
    /* seq_cst: pairs with the loads of head in queue_pop() and above. The release of the swap pairs with the exchange
     * in queue_last(). */
    if (!atom_cas(&q[QUEUE_ENDS], &head, head + 1, order_seq_cst)) return QUEUE_LOST;
    return queue_acquire_chunk(q, index, range);
}

device_inline bool queue_holds(global_mem atom64 *queue, u32 victim)
{
    global_mem atom64 *q = queue + victim * QUEUE_STRIDE;
    /* The result is only a hint. After a stale answer the thief fails once or skips the victim. acquire: pairs with the
     * releases in queue_last(). seq_cst: as in queue_steal(). */
    u64 head = atom_load(&q[QUEUE_ENDS], order_acquire);
    return (head & 0xffffffffu) < atom_load(&q[QUEUE_TAIL], order_seq_cst);
}
