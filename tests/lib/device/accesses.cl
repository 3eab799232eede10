/* SPDX-License-Identifier: MIT */
/* The device's side of time_accesses.c: rounds of one operation on a deque, or on words of another worker. The first
 * item of a group works. `wide`: the words are those of a peer. */

/* Adds to a word of `words`, as fast as it can. */
device_inline void accesses_add(global_mem atom64 *words, u64 rounds, u32 wide)
{
    (void)wide; /* only CUDA's devices have peers */
    for (u64 i = 0; i < rounds; i++) (void)wide_add(words, (u64)1, order_relaxed, wide);
}

/* Reads `count` words in turn, one after another: an address depends on the value before, which is 0. */
device_inline u64 accesses_read(global_mem atom64 *words, u64 rounds, u32 count, u32 wide)
{
    u64 value = 0;
    (void)wide;
    for (u64 i = 0; i < rounds; i++) value = wide_load(&words[i % count * 16 + value], order_relaxed, wide);
    return value;
}

/* Locks and unlocks a word. */
device_inline void accesses_lock(global_mem atom64 *words, u64 rounds)
{
    for (u64 i = 0; i < rounds; i++) {
        u64 unlocked = 0;
        if (atom_cas(words, &unlocked, (u64)1, order_acquire)) atom_store(words, (u64)0, order_release);
    }
}

/* Two sides store the round in turn: the word of the other side and one's own. Nobody waits for ever. */
device_inline void accesses_alternate(global_mem atom64 *mine, global_mem atom64 *other, u64 rounds, u32 second,
                                      u32 wide)
{
    u32 patience = ACCESSES_PATIENCE;
    (void)wide;
    for (u64 i = 1; i <= rounds; i++) {
        if (!second) wide_store(other, i, order_release);
        while (patience > 0 && wide_load(mine, order_acquire, wide) < i) patience--;
        if (second) wide_store(other, i, order_release);
    }
}

/* All items read `count` tasks of four words of 32 bits, one such block after another, as a thief copies tasks. */
device_inline u64 accesses_copy(global_mem const u32 *words, u64 rounds, u32 count, u32 blocks)
{
    u32 sum = 0;
    for (u64 i = 0; i < rounds; i++) {
        global_mem const u32 *block = words + i % blocks * count * 4;
        for (u32 task = item_id(); task < count; task += group_size())
            sum += word_fresh(&block[task]) + word_fresh(&block[count + task]) + word_fresh(&block[2 * count + task]) +
                   word_fresh(&block[3 * count + task]);
    }
    return sum;
}

device_inline u64 accesses_deque(struct pool pool, u32 which, u64 rounds)
{
    u64 task[TASK_WORDS] = {1, 2, 3}, done = 0;
    for (u64 i = 0; i < rounds; i++) {
        if (which == ACCESSES_POP) {
            done += pool_pop(pool, 0, task) ? 1 : 0;
        } else if (which == ACCESSES_STEAL) {
            done += pool_steal(pool, 0, 1, task);
        } else {
            u32 slot = pool_reserve(pool, 0, 1);
            if (slot == POOL_FULL) continue;
            pool_write(pool, 0, slot, task);
            pool_commit(pool, 0, slot, 1);
            done++;
        }
    }
    return done;
}

/* words: the deque or the words; own: of this device, for ACCESSES_MESSAGE; result: what the operations return. */
kernel_entry accesses(global_mem atom64 *words, global_mem atom64 *own, global_mem u64 *result, u32 which, u32 wide,
                      u32 side, u32 capacity, u32 count, u64 rounds)
{
    struct pool pool;
    pool.word = words, pool.capacity = capacity, pool.chunk = 1;
    u64 found = 0;
    if (which == ACCESSES_COPY) {
        found = accesses_copy((global_mem const u32 *)words, rounds, count, capacity / count);
    } else if (item_id() == 0) {
        u32 second = side + group_id();
        if (which == ACCESSES_MESSAGE)
            accesses_alternate(own + second * 16, words + (1 - second) * 16, rounds, second, wide);
        else if (which == ACCESSES_WORD)
            accesses_add(words, rounds, wide);
        else if (which == ACCESSES_READ)
            found = accesses_read(words, rounds, count, wide);
        else if (which == ACCESSES_LOCK)
            accesses_lock(words, rounds);
        else if (which == ACCESSES_PAUSE)
            for (u64 i = 0; i < rounds; i++) spin_pause();
        else if (which <= ACCESSES_STEAL)
            found = accesses_deque(pool, which, rounds);
    }
    if (item_id() == 0) result[group_id()] = found;
}
