/* SPDX-License-Identifier: MIT */
/* The chunked deques of Abdelmageed's thesis (section 3.4.1), with both ends in one word as in lib/queue/chunked.c.
 * ENDS is tail << 32 | head, in chunks of the group's part. The owner pops at the head. Thieves steal at the tail.
 * Within a level head only rises and tail only falls, so there is no ABA. Operations are relaxed, because workers only
 * claim indexes and the word's modification order makes claims disjoint. */
device_inline void queue_fill(global_mem atom64 *queue, u32 group, u32 groups, u64 count, u64 chunk)
{
    global_mem atom64 *q = queue + group * QUEUE_STRIDE;
    u64 mine = queue_partition(q, group, groups, count, chunk);
    atom_store(&q[QUEUE_ENDS], mine << 32, order_relaxed);
}

device_inline u32 queue_pop(global_mem atom64 *queue, u32 group, u64 *range)
{
    global_mem atom64 *q = queue + group * QUEUE_STRIDE;
    u64 ends = atom_load(&q[QUEUE_ENDS], order_relaxed);
    while ((ends & 0xffffffffu) < ends >> 32)
        if (atom_cas(&q[QUEUE_ENDS], &ends, ends + 1, order_relaxed))
            return queue_acquire_chunk(q, ends & 0xffffffffu, range);
    return QUEUE_EMPTY;
}

/* Steals a chunk. It reports a lost race and does not retry, because the caller chooses the next victim. */
device_inline u32 queue_steal(global_mem atom64 *queue, u32 victim, u64 *range)
{
    global_mem atom64 *q = queue + victim * QUEUE_STRIDE;
    u64 ends = atom_load(&q[QUEUE_ENDS], order_relaxed), tail = ends >> 32;
    if ((ends & 0xffffffffu) >= tail) return QUEUE_EMPTY;
    if (!atom_cas(&q[QUEUE_ENDS], &ends, ends - ((u64)1 << 32), order_relaxed)) return QUEUE_LOST;
    return queue_acquire_chunk(q, tail - 1, range);
}

device_inline bool queue_holds(global_mem atom64 *queue, u32 victim)
{
    u64 ends = atom_load(&queue[victim * QUEUE_STRIDE + QUEUE_ENDS], order_relaxed);
    return (ends & 0xffffffffu) < ends >> 32;
}
