/* SPDX-License-Identifier: MIT */
/* Equal parts without stealing (the thesis's baseline, section 4.2). ENDS counts the acquired chunks of the part.
 * Operations are relaxed, because only the group that owns the part accesses the word. */
device_inline void queue_fill(global_mem atom64 *queue, u32 group, u32 groups, u64 count, u64 chunk)
{
    global_mem atom64 *q = queue + group * QUEUE_STRIDE;
    (void)queue_partition(q, group, groups, count, chunk);
    atom_store(&q[QUEUE_ENDS], 0, order_relaxed);
}

device_inline u32 queue_pop(global_mem atom64 *queue, u32 group, u64 *range)
{
    global_mem atom64 *q = queue + group * QUEUE_STRIDE;
    u64 index = atom_load(&q[QUEUE_ENDS], order_relaxed);
    u64 begin = atom_load(&q[QUEUE_BEGIN], order_relaxed) + index * atom_load(&q[QUEUE_CHUNK], order_relaxed);
    if (begin >= atom_load(&q[QUEUE_END], order_relaxed)) return QUEUE_EMPTY;
    atom_store(&q[QUEUE_ENDS], index + 1, order_relaxed);
    return queue_acquire_chunk(q, index, range);
}

QUEUE_STEALS_NOTHING
