/* SPDX-License-Identifier: MIT */
/* One cursor for all groups, in the words of the first group (coarse partitioning as in CHAI). ENDS counts the acquired
 * chunks. Operations are relaxed, because the addition makes claims disjoint and workers only claim indexes. */
device_inline void queue_fill(global_mem atom64 *queue, u32 group, u32 groups, u64 count, u64 chunk)
{
    (void)groups;
    if (group != 0) return;
    (void)queue_partition(queue, 0, 1, count, chunk);
    atom_store(&queue[QUEUE_ENDS], 0, order_relaxed);
}

device_inline u32 queue_pop(global_mem atom64 *queue, u32 group, u64 *range)
{
    (void)group;
    u64 index = atom_add(&queue[QUEUE_ENDS], (u64)1, order_relaxed);
    if (index * atom_load(&queue[QUEUE_CHUNK], order_relaxed) >= atom_load(&queue[QUEUE_END], order_relaxed))
        return QUEUE_EMPTY;
    return queue_acquire_chunk(queue, index, range);
}

QUEUE_STEALS_NOTHING
