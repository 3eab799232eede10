/* SPDX-License-Identifier: MIT */
/* The persistent kernel for immediate tasks. Each worker (stack.cl) has a deque of blocks of tasks.
 *
 * - A worker publishes its oldest tasks as a block when its stack is full. When its deque is empty and other workers are
 *   idle, it publishes every second task: the oldest tasks are the largest, and both workers get such tasks. If the deque
 *   is full, the block goes to the list of full blocks.
 * - A worker with an empty stack takes a block from its own deque, then from the list. Then it is idle and steals: each
 *   lane looks at the deque of another worker, and one lane tries to steal.
 * - ACTIVE counts the workers that are not idle. A worker becomes idle after its deque and the list were empty. It
 *   becomes active before it takes a block. So the tasks are done when the count is 0: only active workers have tasks,
 *   and each worker that published a block looked at the same places afterwards. No worker waits for another worker,
 *   and a worker that has not started has no tasks.
 * - If no block is free, all workers pause: they store their stacks in blocks that each worker keeps for this purpose,
 *   and the kernel ends. The host moves blocks to its own memory and starts the kernel again (lib/hetero). It does so
 *   too after `slice` steps of a worker, so that no launch lasts too long. */
enum { task_poll = 4, task_host_poll = 16, task_max_backoff = 64 };

#if WARP > 1 /* a group's workers and their stacks */
#undef GWS_GROUP_SIZE
#define GWS_GROUP_SIZE TASK_GROUP
#define TASK_GROUP_WORKERS (TASK_GROUP / WARP)
#else
#define TASK_GROUP_WORKERS 1u
#endif

/* Adds to the worker's statistics in memory. Such events are rare. */
device_inline void count_event(struct tasks t, const struct task_worker *w, u32 which, u64 value)
{
    if (w->lane == 0) t.stats[(u64)w->self * TASK_STATS_STRIDE + which] += value;
}

/* Returns the same random number in all lanes (Marsaglia's xorshift). */
device_inline u32 next_random(struct task_worker *w)
{
    w->random ^= w->random << 13;
    w->random ^= w->random >> 17;
    w->random ^= w->random << 5;
    return w->random;
}

/* ---- blocks ---- */

/* Returns a free block, or NO_BLOCK after it has asked all workers to pause. */
device_inline u32 block_new(struct tasks t, const struct task_worker *w)
{
    u32 own = own_block(t, w->self), block = NO_BLOCK;
    for (u32 i = w->lane; i < TASK_OWN; i += WARP) {
        /* acquire: pairs with the release in block_load(). */
        u32 marks = warp_ballot(atom_load(&t.count[own + i], order_acquire) == 0);
        if (marks > 0) return own + i - w->lane + first_bit(marks);
    }
    if (w->lane == 0) {
        block = list_pop(t, TASK_FREE);
        if (block == NO_BLOCK) (void)atom_or(&t.control[TASK_ACTIVE], TASK_PAUSED | TASK_SHORT, order_relaxed);
    }
    return warp_shuffle(block, 0);
}

/* Moves `count` tasks to a block: the oldest ones, or (step 2) every second task from the oldest on. */
device_inline void block_store(struct tasks t, struct task_worker *w, u32 block, u32 count, u32 step)
{
    global_mem u32 *words = block_words(t, block);
    for (u32 i = w->lane; i < count; i += WARP) {
        u32 place = stack_place(w, i * step);
        unrolled for (u32 k = 0; k < TASK_ENTRY; k++) words[k * TASK_BLOCK + i] = w->stack[k * TASK_STACK + place];
    }
    if (w->lane == 0) atom_store(&t.count[block], count, order_relaxed);
    warp_barrier(); /* all words are written before lane 0 publishes the block, and all tasks are read */
    if (step == 2) stack_close_gaps(w, count);
    w->base = stack_place(w, count);
    w->height -= count;
}

/* Moves the tasks of a block to the empty stack, and frees the block. */
device_inline void block_load(struct tasks t, struct task_worker *w, u32 block)
{
    global_mem const u32 *words = block_words(t, block);
    w->base = 0;
    w->height = atom_load(&t.count[block], order_relaxed);
    for (u32 i = w->lane; i < w->height; i += WARP)
        unrolled for (u32 k = 0; k < TASK_ENTRY; k++) w->stack[k * TASK_STACK + i] = words[k * TASK_BLOCK + i];
    warp_barrier(); /* all lanes have read the block */
    if (w->lane > 0) return;
    /* release: pairs with the acquire in block_new(). */
    atom_store(&t.count[block], 0, order_release);
    if (block >= shared_block(t)) list_push(t, TASK_FREE, block);
}

/* Publishes tasks, as block_store() chooses them. Returns false if no block is free. */
device_inline bool publish(struct tasks t, struct task_worker *w, u32 count, u32 step)
{
    u32 block = block_new(t, w), listed = 0;
    if (block == NO_BLOCK) return false;
    block_store(t, w, block, count, step);
    if (w->lane == 0) {
        const u64 task = block;
        u32 slot = pool_reserve(t.pool, w->self, 1);
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

/* ---- stealing ---- */

device_inline u64 task_flags(struct tasks t)
{
    return atom_load(&t.control[TASK_ACTIVE], order_relaxed);
}

/* Worker 0 reads the host's word, which lies behind the bus, and the clock. */
device_inline void poll_host(struct tasks t, const struct task_worker *w)
{
    if (w->self > 0 || w->lane > 0) return;
    if (t.stop && host_load(t.stop, order_relaxed) > 0)
        (void)atom_or(&t.control[TASK_ACTIVE], TASK_CANCELLED, order_relaxed);
    if (clock_ns() - t.began >= t.slice) (void)atom_or(&t.control[TASK_ACTIVE], TASK_PAUSED, order_relaxed);
}

/* One lane steals from a worker, or from the list if victim is NO_BLOCK. *stolen: the number of blocks. The first one
 * is returned, the others are in the own deque. */
device_inline u32 steal_block(struct tasks t, u32 self, u32 victim, u32 *stolen)
{
    u64 task = NO_BLOCK;
    /* acq_rel, here and in worker_rests(): the thief is active before the victim can find its deque empty. */
    (void)atom_add(&t.control[TASK_ACTIVE], (u64)1, order_acq_rel);
    if (victim == NO_BLOCK) {
        task = list_pop(t, TASK_FULL);
        *stolen = task != NO_BLOCK;
    } else {
        *stolen = pool_steal(t.pool, victim, self, &task);
    }
    if (*stolen > 0) return (u32)task;
    (void)atom_add(&t.control[TASK_ACTIVE], (u64)0 - 1, order_acq_rel);
    return NO_BLOCK;
}

/* Each lane looks for tasks at another worker, or in the list. One lane that finds some tries to steal. Returns
 * NO_BLOCK without success. */
device_inline u32 try_steal(struct tasks t, struct task_worker *w)
{
    u32 stolen = 0, block = NO_BLOCK;
    u32 victim = (next_random(w) % t.workers + w->lane) % t.workers;
    bool finds = victim != w->self && pool_size(t.pool, victim) > 0;
    if (w->lane == 0 && (u32)atom_load(&t.control[TASK_FULL], order_relaxed) > 0) {
        victim = NO_BLOCK;
        finds = true;
    }
    u32 marks = warp_ballot(finds);
    if (marks == 0) return NO_BLOCK;
    u32 thief = first_bit(marks);
    if (w->lane == thief) block = steal_block(t, w->self, victim, &stolen);
    block = warp_shuffle(block, thief);
    stolen = warp_shuffle(stolen, thief);
    count_event(t, w, stolen > 0 ? TASK_STATS_STEALS : TASK_STATS_FAILED, 1);
    count_event(t, w, TASK_STATS_STOLEN, stolen);
    return block;
}

/* Waits for tasks of other workers. Returns NO_BLOCK when all tasks are done, or the run ends early. */
device_inline u32 idle_search(struct tasks t, struct task_worker *w)
{
    u32 block = NO_BLOCK, backoff = 1;
    u64 began = clock_ns();
    if (w->lane == 0) (void)atom_add(&t.control[TASK_ACTIVE], (u64)0 - 1, order_acq_rel);
    while (block == NO_BLOCK) {
        u64 flags = task_flags(t);
        bool over = (flags & TASK_COUNT) == 0 || flags > TASK_COUNT;
        if (warp_shuffle(over ? 1u : 0u, 0)) break;
        block = try_steal(t, w);
        poll_host(t, w);
        if (block != NO_BLOCK) break;
        for (u32 i = 0; i < backoff; i++) spin_pause();
        if (backoff < task_max_backoff) backoff *= 2;
    }
    count_event(t, w, TASK_STATS_IDLE, clock_ns() - began);
    return block;
}

/* ---- the loop ---- */

/* Returns whether the worker should publish tasks for idle workers. Of all active workers, about as many publish as
 * workers are idle. */
device_inline bool should_share(struct tasks t, struct task_worker *w, u32 active)
{
    u32 idle = active < t.workers ? t.workers - active : 0;
    if (idle == 0 || w->height < 2 || w->height <= w->parents) return false;
    if ((u64)idle << 16 < (u64)active * (next_random(w) & 0xffffu)) return false;
    u32 waiting = w->lane == 0 ? pool_size(t.pool, w->self) : 0;
    return warp_shuffle(waiting, 0) == 0;
}

/* Runs tasks until the stack is empty. Returns false if the worker must end. */
device_inline bool run_stack(struct tasks t, struct task_state *s, struct task_worker *w)
{
    while (w->height > 0) {
        if (w->height > TASK_STACK - WARP && !publish(t, w, TASK_BLOCK, 1)) return false;
        bool polls = ++w->steps % task_poll == 0;
        u64 flags = polls ? task_flags(t) : 0; /* before the step, whose work hides the time of the load */
        stack_step(s, w);
        if (!polls) continue;
        flags = (u64)warp_shuffle((u32)(flags >> 32), 0) << 32 | warp_shuffle((u32)flags, 0);
        if (flags > TASK_COUNT) return false;
        u32 half_stack = w->height / 2 < TASK_BLOCK ? w->height / 2 : TASK_BLOCK;
        if (should_share(t, w, (u32)flags) && !publish(t, w, half_stack, 2)) return false;
        if (w->steps % task_host_poll == 0) poll_host(t, w);
    }
    return true;
}

device_inline u64 warp_total(u64 value)
{
    for (u32 by = 1; by < WARP; by *= 2) {
        u32 other = item_id() % WARP ^ by;
        value += (u64)warp_shuffle((u32)(value >> 32), other) << 32 | warp_shuffle((u32)value, other);
    }
    return value;
}

/* Adds the lanes' sums and maxima to those of the run. */
device_inline void add_results(struct tasks t, const struct task_state *s, u32 lane)
{
    unrolled for (u32 i = 0; i < TASK_SUMS; i++) {
        u64 sum = warp_total(s->sum[i]);
        if (lane == 0 && sum > 0) (void)atom_add(&t.control[TASK_SUM + i], sum, order_relaxed);
    }
    unrolled for (u32 i = 0; i < TASK_MAXES; i++) {
        u64 seen = atom_load(&t.control[TASK_MAX + i], order_relaxed);
        while (seen < s->max[i] && !atom_cas(&t.control[TASK_MAX + i], &seen, (u64)s->max[i], order_relaxed)) {
        }
    }
}

device_inline void run_worker(struct tasks t, struct task_state *s, struct task_worker *w)
{
    bool goes_on = true;
    if (w->lane == 0) (void)atom_add(&t.control[TASK_ACTIVE], (u64)1, order_acq_rel);
    while (goes_on) {
        u32 block = next_block(t, w);
        if (block == NO_BLOCK) block = idle_search(t, w);
        if (block == NO_BLOCK) break;
        block_load(t, w, block);
        goes_on = run_stack(t, s, w);
    }
    /* The stack is empty, unless the run pauses. */
    for (u32 i = 0; w->height > 0; i++)
        block_store(t, w, reserve_block(w->self) + i, w->height < TASK_BLOCK ? w->height : TASK_BLOCK, 1);
}

kernel_entry task_run(global_mem atom64 *deques, global_mem atom64 *control, global_mem u32 *block, global_mem atom32 *count,
                      global_mem atom32 *next, global_mem u64 *stats, global_mem u32 *data, global_mem u32 *more,
                      global_mem host32 *stop, u32 workers, u32 capacity, u32 chunk, u64 slice)
{
    local_array(u32, stack, TASK_ENTRY *TASK_STACK *TASK_GROUP_WORKERS);
    struct tasks t = {{deques, capacity, chunk}, control, block, count, next, stats, stop, workers,
                      slice, clock_ns()};
    struct task_state s = {data, more, {0}, {0}};
    struct task_worker w = {0};
    w.lane = item_id() % WARP;
    w.self = group_id() * (group_size() / WARP) + item_id() / WARP;
    w.stack = stack + item_id() / WARP * (TASK_ENTRY * TASK_STACK);
    w.random = (w.self + 1) * 2654435761u | 1u; /* different for each worker; never 0 */
    run_worker(t, &s, &w);
    add_results(t, &s, w.lane);
    count_event(t, &w, TASK_STATS_MADE, w.made);
    count_event(t, &w, TASK_STATS_PARENTS, w.with_children);
    count_event(t, &w, TASK_STATS_STEPS, w.steps);
    count_event(t, &w, TASK_STATS_TICKS, clock_ns() - t.began);
}
