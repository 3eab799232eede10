/* SPDX-License-Identifier: MIT */
/* The static scheme (Cederman and Tsigas, section 35.3.1), the baseline for deques: two arrays of tasks, one that a
 * kernel reads, task i by group i modulo the groups, and one that it adds new tasks to; then they change places, for the
 * next kernel. Each has room for every task that there can be at once.
 *
 * State: as one deque whose slots are both arrays, one behind the other; word r % 3 of its head counts the tasks of
 * round r. Relaxed: the sum makes places disjoint, and the kernel's end publishes what lies there. */
#define POOL_STEALS 0
#define POOL_SPLITS 0

/* Adds a task to the next round's; self is this round's number. The answer as of the deques. */
device_inline u32 pool_push(struct pool pool, u32 self, const u64 *task)
{
    u32 places = pool.room / 2, next = self + 1;
    global_mem atom64 *q = deque_of(pool, 0);
    u64 index = atom_add(&q[next % 3], (u64)1, order_relaxed);
    if (index >= places) return 0;
    slot_put(q, index + (next % 2) * places, task);
    return (u32)index + 1;
}
