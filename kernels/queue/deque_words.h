/* SPDX-License-Identifier: MIT */
/* Words and functions that all of the device's queues of immediate tasks use. Groups create and run such tasks at any
 * time until none is left. Each group has a deque. A program contains one queue, which defines pool_reserve(),
 * pool_write(), pool_commit(), pool_pop(), pool_steal() and the constants POOL_SPLITS, POOL_STEALS. A worker pushes
 * several tasks at once. pool_reserve() finds slots, pool_write() fills each slot, and pool_commit() makes them
 * visible.
 *
 * Concurrency contract: the owner of a deque calls reserve, write, commit and pop. Any worker calls steal. One item
 * calls for its group. Exactly one worker acquires each task, and it sees all writes before pool_commit(). No worker
 * waits for another. A group that has not started holds only tasks from before the launch, and thieves can steal them.
 *
 * State: each worker has DEQUE_HEAD words, whose layout the queue defines, and behind them capacity slots of TASK_WORDS
 * words. Words of slots are atomic and relaxed, because a thief may read a slot while the owner writes the next task
 * there. Such a thief loses its compare-and-swap and discards the task. All words are zero at first. */
#ifndef GWS_KERNELS_DEQUE_WORDS_H
#define GWS_KERNELS_DEQUE_WORDS_H

#ifndef TASK_WORDS
#define TASK_WORDS 3u /* octants; a program with other tasks defines it before */
#endif
#define DEQUE_HEAD 32u

#define POOL_FULL 0xffffffffu

#endif

#if defined global_mem && !defined GWS_KERNELS_DEQUE_WORDS_FUNCTIONS /* a portability header came first */
#define GWS_KERNELS_DEQUE_WORDS_FUNCTIONS

struct pool {
    global_mem atom64 *word;
    u32 capacity; /* slots of a deque */
    u32 chunk;    /* maximum tasks per steal */
};

device_inline global_mem atom64 *deque_of(struct pool pool, u32 worker)
{
    return pool.word + (u64)worker * (DEQUE_HEAD + pool.capacity * TASK_WORDS);
}

device_inline void slot_write(global_mem atom64 *q, u64 index, const u64 *task)
{
    global_mem atom64 *words = q + DEQUE_HEAD + index * TASK_WORDS;
    for (u32 i = 0; i < TASK_WORDS; i++) atom_store(&words[i], task[i], order_relaxed);
}

device_inline void slot_read(global_mem atom64 *q, u64 index, u64 *task)
{
    global_mem atom64 *words = q + DEQUE_HEAD + index * TASK_WORDS;
    for (u32 i = 0; i < TASK_WORDS; i++) task[i] = atom_load(&words[i], order_relaxed);
}

#endif
