/* SPDX-License-Identifier: MIT */
/* Tasks between a worker's stack and blocks: a worker stores tasks in a block and publishes it in its own deque, or in
 * the list of full blocks, and loads a block into its empty stack. All lanes of a worker call these functions together. */

/* Adds to the worker's statistics in memory. Such events are rare. */
device_inline void count_event(struct tasks t, const struct task_worker *w, u32 which, u64 value)
{
    if (w->lane == 0) t.stats[(u64)w->self * TASK_STATS_STRIDE + which] += value;
}

/* Looks for empty own blocks. */
device_inline void find_unused(struct tasks t, struct task_worker *w)
{
    u32 own = own_block(t, w->self);
    for (u32 i = 0; i < TASK_OWN; i += WARP) {
        /* acquire: pairs with the release in block_load(). */
        bool empty = i + w->lane < TASK_OWN && atom_load(&t.count[own + i + w->lane], order_acquire) == 0;
        w->unused |= warp_ballot(empty) << i;
    }
}

/* Returns a free block, or NO_BLOCK after it has asked all workers to pause. */
device_inline u32 block_new(struct tasks t, struct task_worker *w)
{
    u32 block = NO_BLOCK;
    if (w->unused == 0) find_unused(t, w);
    if (w->unused > 0) {
        block = own_block(t, w->self) + first_bit(w->unused);
        w->unused &= w->unused - 1;
        return block;
    }
    if (w->lane == 0) {
        block = list_pop(t, TASK_FREE);
        if (block == NO_BLOCK) set_flags(t, TASK_PAUSED | TASK_SHORT, TASK_PAUSED);
    }
    return warp_shuffle(block, 0);
}

/* Moves `count` tasks to a block: the oldest ones, or (step 2) every second task from the oldest on. The caller sets the
 * block's count. */
device_inline void block_fill(struct tasks t, struct task_worker *w, u32 block, u32 count, u32 step)
{
    global_mem u32 *words = block_words(t, block);
    for (u32 i = w->lane; i < count; i += WARP) {
        u32 place = stack_place(w, i * step);
        unrolled for (u32 k = 0; k < TASK_ENTRY; k++) words[k * TASK_BLOCK + i] = w->stack[k * TASK_STACK + place];
    }
    warp_barrier(); /* all words are written before lane 0 publishes the block, and all tasks are read */
    if (step == 2) stack_close_gaps(w, count);
    w->base = stack_place(w, count);
    w->height -= count;
}

device_inline void block_store(struct tasks t, struct task_worker *w, u32 block, u32 count, u32 step)
{
    if (w->lane == 0) atom_store(&t.count[block], count, order_relaxed);
    block_fill(t, w, block, count, step);
}

/* Copies the tasks of a block to the empty stack. */
device_inline void block_copy(struct task_worker *w, global_mem const u32 *words, u32 count)
{
    w->base = 0;
    w->height = count;
    for (u32 i = w->lane; i < count; i += WARP)
        unrolled for (u32 k = 0; k < TASK_ENTRY; k++) w->stack[k * TASK_STACK + i] = words[k * TASK_BLOCK + i];
    warp_barrier(); /* all lanes have read the block */
}

/* Moves the tasks of a block to the empty stack, and frees the block. */
device_inline void block_load(struct tasks t, struct task_worker *w, u32 block)
{
    block_copy(w, block_words(t, block), atom_load(&t.count[block], order_relaxed));
    if (w->lane > 0) return;
    /* release: pairs with the acquire in block_new(). */
    atom_store(&t.count[block], 0, order_release);
    if (block >= shared_block(t)) list_push(t, TASK_FREE, block);
}

/* Publishes tasks, as block_store() chooses them. place: the free slot of the own deque if lane 0 knows it, otherwise
 * POOL_FULL. Returns false if no block is free. */
device_inline bool publish(struct tasks t, struct task_worker *w, u32 count, u32 step, u32 place)
{
    u32 block = block_new(t, w), listed = 0;
    if (block == NO_BLOCK) return false;
    block_store(t, w, block, count, step);
    if (w->lane == 0) {
        const u64 task = block;
        u32 slot = place < t.pool.capacity ? place : pool_reserve(t.pool, w->self, 1);
        listed = slot == POOL_FULL;
        if (listed) {
            list_push(t, TASK_FULL, block);
        } else {
            pool_write(t.pool, w->self, slot, &task);
            pool_commit(t.pool, w->self, slot, 1);
        }
    }
    count_event(t, w, TASK_STATS_PUSHES, 1);
    count_event(t, w, TASK_STATS_LISTED, listed);
    return true;
}

/* Takes a block from the own deque or from the list. Returns NO_BLOCK if both are empty. */
device_inline u32 next_block(struct tasks t, const struct task_worker *w)
{
    u64 task = NO_BLOCK;
    if (w->lane == 0 && !pool_pop(t.pool, w->self, &task)) task = list_pop(t, TASK_FULL);
    return warp_shuffle((u32)task, 0);
}
