/* SPDX-License-Identifier: MIT */
/* The static scheme (Cederman and Tsigas, section 35.3.1), the baseline for deques. It has two arrays of tasks. A
 * kernel reads one array and appends new tasks to the other array. Group i modulo the number of groups reads task i.
 * The next kernel exchanges the roles of the arrays. Each array has capacity for all tasks that can exist at once.
 *
 * State: one deque, whose slots are the two arrays, one behind the other. Word r % 3 of its head counts the tasks of
 * round r. Operations are relaxed, because the addition makes reservations disjoint and the kernel's end publishes the
 * slots. */
#define POOL_STEALS 0
#define POOL_SPLITS 0

/* Returns the first slot for count tasks of the next round, or POOL_FULL if they do not fit. self is the number of this
 * round. */
device_inline u32 pool_reserve(struct pool pool, u32 self, u32 count)
{
    u64 slot = atom_add(&deque_of(pool, 0)[(self + 1) % 3], (u64)count, order_relaxed);
    return slot + count > pool.capacity / 2 ? POOL_FULL : (u32)slot;
}

device_inline void pool_write(struct pool pool, u32 self, u32 slot, const u64 *task)
{
    slot_write(deque_of(pool, 0), slot + (self + 1) % 2 * (pool.capacity / 2), task);
}

device_inline void pool_commit(struct pool pool, u32 self, u32 slot, u32 count)
{
    (void)pool;
    (void)self;
    (void)slot;
    (void)count;
}
