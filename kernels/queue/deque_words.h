/* SPDX-License-Identifier: MIT */
/* What the device's containers of immediate tasks share: tasks that are made and run at any time, until there are none,
 * kept in a deque for each group. One container is chosen when the program is built: pool_begin(), pool_put(),
 * pool_end(), pool_pop(), pool_steal() and the constants POOL_SPLITS, POOL_STEALS are the words that follow. Tasks are
 * added some at once: pool_begin() finds room for so many, each is put into its place, and pool_end() has them seen.
 *
 * Concurrency contract: begin, put, end and pop by the deque's owner; steal by anyone; for a group by one of its
 * items. A task is handed out exactly once, and what its maker wrote before pool_end() is seen by who gets it. Nobody
 * waits for anybody: a group that has not started holds at most what was put there before, and that can be stolen.
 *
 * State: for each worker DEQUE_HEAD words, which are the container's, and behind them room slots of TASK_WORDS words.
 * Words of slots are atomic and relaxed, as a thief may read one while its owner writes the next task there: such a
 * thief loses its compare-and-swap and throws away what it read. All are zero at first. */
#ifndef GWS_KERNELS_DEQUE_WORDS_H
#define GWS_KERNELS_DEQUE_WORDS_H

#define TASK_WORDS 3u
#define DEQUE_HEAD 32u

struct pool {
    global_mem atom64 *word;
    u32 room;  /* slots of a deque */
    u32 chunk; /* tasks that a thief takes, at most */
};

device_inline global_mem atom64 *deque_of(struct pool pool, u32 worker)
{
    return pool.word + (u64)worker * (DEQUE_HEAD + pool.room * TASK_WORDS);
}

#define POOL_FULL 0xffffffffu

device_inline void slot_put(global_mem atom64 *q, u64 index, const u64 *task)
{
    global_mem atom64 *slot = q + DEQUE_HEAD + index * TASK_WORDS;
    for (u32 i = 0; i < TASK_WORDS; i++) atom_store(&slot[i], task[i], order_relaxed);
}

device_inline void slot_get(global_mem atom64 *q, u64 index, u64 *task)
{
    global_mem atom64 *slot = q + DEQUE_HEAD + index * TASK_WORDS;
    for (u32 i = 0; i < TASK_WORDS; i++) task[i] = atom_load(&slot[i], order_relaxed);
}

#endif
