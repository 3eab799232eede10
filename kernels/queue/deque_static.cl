/* SPDX-License-Identifier: MIT */
/* The static scheme (Cederman and Tsigas, section 35.3.1), the baseline for deques: two arrays of tasks, one that a
 * kernel reads, task i by group i modulo the groups, and one that it adds new tasks to; then they change places, for the
 * next kernel. Each has room for every task that there can be at once.
 *
 * State: as one deque whose slots are both arrays, one behind the other; word r % 3 of its head counts the tasks of
 * round r. Relaxed: the sum makes places disjoint, and the kernel's end publishes what lies there. */
#define POOL_STEALS 0
#define POOL_SPLITS 0

/* Where count tasks of the next round go; POOL_FULL: there is no room for them. self is this round's number. */
device_inline u32 pool_begin(struct pool pool, u32 self, u32 count)
{
    u64 place = atom_add(&deque_of(pool, 0)[(self + 1) % 3], (u64)count, order_relaxed);
    return place + count > pool.room / 2 ? POOL_FULL : (u32)place;
}

device_inline void pool_put(struct pool pool, u32 self, u32 place, const u64 *task)
{
    slot_put(deque_of(pool, 0), place + (self + 1) % 2 * (pool.room / 2), task);
}

device_inline void pool_end(struct pool pool, u32 self, u32 place, u32 count)
{
    (void)pool;
    (void)self;
    (void)place;
    (void)count;
}
