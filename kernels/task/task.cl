/* SPDX-License-Identifier: MIT */
/* The persistent kernel for immediate tasks. Each worker (stack.cl) has a deque of blocks of tasks.
 *
 * - A worker publishes its oldest tasks as a block when its stack is full. When its deque is empty and other workers are
 *   idle, it publishes every second task: the oldest tasks are the largest, and both workers get such tasks. Of a task
 *   with many children it publishes half of these. If the deque is full, the block goes to the list of full blocks.
 * - A worker with an empty stack takes a block from its own deque, then from the list. Then it is idle and steals: each
 *   lane looks at the deque of another worker, and one lane tries to steal.
 * - ACTIVE counts the workers that are not idle. A worker becomes idle after its deque and the list were empty. It
 *   becomes active before it takes a block. So the tasks are done when the count is 0: only active workers have tasks,
 *   and each worker that published a block looked at the same places afterwards. No worker waits for another worker,
 *   and a worker that has not started has no tasks.
 * - If chunk is 0, the schedule is static: workers publish only tasks that do not fit in their stack, and steal none.
 *   Then the list has the first tasks, and what a full deque had no slot for.
 * - If no block is free, all workers pause: they store their stacks in blocks that each worker keeps for this purpose,
 *   and the kernel ends. The host moves blocks to its own memory and starts the kernel again (lib/hetero). It does so
 *   too after `slice` nanoseconds, so that no launch lasts too long, and if the host asks for tasks. */
enum { task_poll_steps = 4, task_host_poll = 16, task_max_backoff = 512 };

#if WARP > 1 /* a group's workers and their stacks */
#undef GWS_GROUP_SIZE
#define GWS_GROUP_SIZE TASK_GROUP
#define TASK_GROUP_WORKERS (TASK_GROUP / WARP)
#else
#define TASK_GROUP_WORKERS 1u
#endif

/* ---- stealing ---- */

/* Returns whether a worker without tasks must end. */
device_inline bool is_over(struct tasks t, u64 flags)
{
    return flags & TASK_ENDS || (!t.peers && (flags & TASK_COUNT) == 0);
}

/* Worker 0 reads the host's word, which lies behind the bus, and the clock. Peers that still want tasks ask again. */
device_inline void poll_host(struct tasks t, const struct task_worker *w)
{
    if (w->self > 0 || w->lane > 0) return;
    u32 stop = t.stop ? host_load(t.stop, order_relaxed) : 0;
    if (stop == TASK_STOP_NOW) set_flags(t, TASK_CANCELLED, TASK_CANCELLED);
    if (stop == TASK_STOP_PAUSE || clock_ns() - t.began >= t.slice) set_flags(t, TASK_PAUSED, TASK_PAUSED);
    if (t.peers && active_load(t) & TASK_WANTED) active_add(t, (u64)0 - TASK_WANTED);
}

/* One lane steals from a worker, or from the list if victim is NO_BLOCK. *stolen: the number of blocks. The first one
 * is returned, the others are in the own deque. */
device_inline u32 steal_block(struct tasks t, u32 self, u32 victim, u32 *stolen)
{
    u64 task = NO_BLOCK;
    /* relaxed: whoever sees the thief's compare-and-swap, which releases, counts the thief as active. */
    active_add(t, 1);
    if (victim == NO_BLOCK) {
        task = list_pop(t, TASK_FULL);
        *stolen = task != NO_BLOCK;
    } else {
        *stolen = pool_steal(t.pool, victim, self, &task);
    }
    if (*stolen > 0) return (u32)task;
    active_add(t, (u64)0 - 1);
    return NO_BLOCK;
}

/* The thief's lane logs a steal: `stolen` blocks, the first of which is `block`, and the others are in the own deque.
 * A block that another thief has emptied by now counts no tasks. */
device_inline void trace_steal(struct tasks t, u32 self, u32 victim, u32 block, u32 stolen)
{
    u32 tasks = atom_load(&t.count[block], order_relaxed);
    for (u32 i = 1; i < stolen; i++) {
        u64 task;
        slot_read(deque_of(t.pool, self), i - 1, &task);
        tasks += atom_load(&t.count[(u32)task], order_relaxed);
    }
    trace_event(t.trace, GWS_TRACE_STEAL, self, victim, tasks);
}

/* Each lane looks for tasks at another worker, or in the list. The first lanes look at the workers of the own group.
 * The first lane that finds some tries to steal. Returns NO_BLOCK without success. *flags: ACTIVE, for all lanes. */
device_inline u32 try_steal(struct tasks t, struct task_worker *w, u64 *flags)
{
    u32 stolen = 0, block = NO_BLOCK;
    u32 victim = (next_random(w) % t.workers + w->lane) % t.workers;
#if WARP > 1
    if (w->lane < TASK_GROUP_WORKERS) victim = (w->self / TASK_GROUP_WORKERS * TASK_GROUP_WORKERS + w->lane) % t.workers;
#endif
    *flags = active_load(t); /* one latency for all loads */
    u32 listed = w->lane == 0 ? (u32)atom_load(&t.control[TASK_FULL], order_relaxed) : 0;
    bool finds = t.pool.chunk > 0 && pool_size(t.pool, victim) > 0 && victim != w->self;
    if (listed > 0) {
        victim = NO_BLOCK;
        finds = true;
    }
    *flags = warp_shuffle_long(*flags, 0);
    u32 marks = warp_ballot(finds);
    if (is_over(t, *flags) || marks == 0) return NO_BLOCK;
    u32 thief = first_bit(marks);
    if (w->lane == thief) block = steal_block(t, w->self, victim, &stolen);
    if (t.trace && stolen > 0) trace_steal(t, w->self, victim, block, stolen);
    block = warp_shuffle(block, thief);
    stolen = warp_shuffle(stolen, thief);
    count_event(t, w, stolen > 0 ? TASK_STATS_STEALS : TASK_STATS_FAILED, 1);
    count_event(t, w, TASK_STATS_STOLEN, stolen);
    return block;
}

/* Takes the worker from the active ones. It has seen by acquire what thieves took, which is enough on one device.
 * release: pairs with the acquire in close_device(). */
device_inline void become_idle(struct tasks t)
{
    if (t.peers)
        (void)wide_add(&t.control[TASK_ACTIVE], (u64)0 - 1, order_release, true);
    else
        active_add(t, (u64)0 - 1);
}

#define NO_BLOCK_NEEDED 0xfffffffeu /* the stack has tasks */

/* Waits for tasks of other workers. Returns NO_BLOCK when all tasks are done, or the run ends early. */
device_inline u32 idle_search(struct tasks t, struct task_worker *w)
{
    u32 block = NO_BLOCK, backoff = 1, looks = 0;
    u64 began = clock_ns(), flags = 1; /* not over */
    if (w->lane == 0) become_idle(t);
    while (!is_over(t, flags)) {
        block = try_steal(t, w, &flags);
#ifdef GWS_PEERS
        if (block == NO_BLOCK && t.peers) {
            *w = search_across(t, *w, flags, backoff, looks++);
            if (w->height > 0) block = NO_BLOCK_NEEDED;
        }
#endif
        if (block != NO_BLOCK) break;
        poll_host(t, w);
        sleep_pauses(backoff);
        if (backoff < task_max_backoff) backoff *= 2;
    }
    count_event(t, w, TASK_STATS_IDLE, clock_ns() - began);
    if (w->lane == 0) trace_span(t.trace, GWS_TRACE_IDLE, w->self, began);
    return block;
}

/* ---- the loop ---- */

/* What a worker polls before a step, whose work hides the time of the loads. */
struct task_poll {
    u64 flags, ends; /* ACTIVE; the ends of the own deque, for lane 0 */
    u32 exported;    /* the state of the own export, for lane 0 */
};

device_inline struct task_poll poll_words(struct tasks t, const struct task_worker *w)
{
    struct task_poll polled = {active_load(t), 0, 0};
    if (w->lane == 0) polled.ends = atom_load(&deque_of(t.pool, w->self)[DEQUE_ENDS], order_relaxed);
#ifdef GWS_PEERS
    if (t.peers && w->lane == 0) polled.exported = (u32)wide_load(export_slot(t, w->self), order_relaxed, true);
#endif
    return polled;
}

/* Publishes tasks if other workers are idle and the own deque is empty. Of all active workers, about as many do as
 * workers are idle. Exports tasks if a peer wants some. If a quarter of the workers is idle and thieves have emptied the
 * deque, the next steps take the oldest tasks. Returns false if no block is free. */
device_inline bool share(struct tasks t, struct task_worker *w, struct task_poll polled)
{
    u32 active = (u32)polled.flags, idle = active < t.workers ? t.workers - active : 0, tail = deque_tail(polled.ends);
    bool is_empty = warp_shuffle(deque_head(polled.ends) < tail ? 1u : 0u, 0) == 0;
    if (t.pool.chunk == 0 || w->height == 0) return true;
    w->oldest_first = is_empty && (u64)idle * 4 >= t.workers ? 1 : 0;
#ifdef GWS_PEERS
    if (t.peers && polled.flags & TASK_WANTED && warp_shuffle(polled.exported, 0) == 0) {
        if (stack_can_give(w)) *w = export_tasks(t, *w);
        return true;
    }
#endif
    if (idle == 0 || (u64)idle << 16 < (u64)active * (next_random(w) & 0xffffu)) return true;
    if (!is_empty || !stack_can_give(w)) return true;
    return publish(t, w, w->height / 2 < TASK_BLOCK ? w->height / 2 : TASK_BLOCK, 2, tail);
}

/* Runs tasks until the stack is empty. Returns false if the worker must end. */
device_inline bool run_stack(struct tasks t, struct task_state *s, struct task_worker *w)
{
    while (w->height > 0) {
        struct task_poll polled = {0, 0, 0};
        if (w->height > TASK_STACK - WARP && !publish(t, w, TASK_BLOCK, 1, POOL_FULL)) return false;
        bool polls = ++w->steps % task_poll_steps == 0;
        if (polls) polled = poll_words(t, w);
        stack_step(s, w);
        if (!polls) continue;
        polled.flags = warp_shuffle_long(polled.flags, 0);
        if (polled.flags & TASK_ENDS || !share(t, w, polled)) return false;
        if (w->steps % task_host_poll == 0) poll_host(t, w);
    }
    return true;
}

device_inline u64 warp_total(u64 value)
{
    for (u32 by = 1; by < WARP; by *= 2) {
        value += warp_shuffle_long(value, item_id() % WARP ^ by);
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
    if (w->lane == 0) active_add(t, 1);
    while (goes_on) {
        u32 block = next_block(t, w);
#ifdef GWS_PEERS
        if (block == NO_BLOCK && t.peers) block = warp_shuffle(w->lane == 0 ? export_back(t, w) : 0, 0);
#endif
        if (block == NO_BLOCK) block = idle_search(t, w);
        if (block == NO_BLOCK) break;
        if (block != NO_BLOCK_NEEDED) block_load(t, w, block);
        goes_on = run_stack(t, s, w);
    }
#ifdef GWS_PEERS
    if (t.peers && w->lane == 0) (void)export_back(t, w); /* its count is set, so the host finds the tasks */
#endif
    /* The stack is empty, unless the run pauses. */
    for (u32 i = 0; w->height > 0; i++)
        block_store(t, w, reserve_block(w->self) + i, w->height < TASK_BLOCK ? w->height : TASK_BLOCK, 1);
}

device_inline void run_kernel(struct tasks t, local_mem u32 *stack, global_mem u32 *data, global_mem u32 *more)
{
    struct task_state s = {data, more, {0}, {0}};
    struct task_worker w = {0};
    w.lane = item_id() % WARP;
    w.self = group_id() * (group_size() / WARP) + item_id() / WARP;
    w.stack = stack + item_id() / WARP * (TASK_ENTRY * TASK_STACK);
    w.random = (w.self + 1) * 2654435761u | 1u; /* different for each worker; never 0 */
    if (w.self == 0 && w.lane == 0) trace_event(t.trace, GWS_TRACE_BEGIN, 0, TRACE_CLOCK, 0);
    run_worker(t, &s, &w);
    if (w.self == 0 && w.lane == 0) trace_end(t.trace);
    add_results(t, &s, w.lane);
    count_event(t, &w, TASK_STATS_MADE, w.made);
    count_event(t, &w, TASK_STATS_PARENTS, w.with_children);
    count_event(t, &w, TASK_STATS_STEPS, w.steps);
    count_event(t, &w, TASK_STATS_TICKS, clock_ns() - t.began);
}

kernel_entry task_run(global_mem atom64 *deques, global_mem atom64 *control, global_mem u32 *block, global_mem atom32 *count,
                      global_mem atom32 *next, global_mem u64 *stats, global_mem u32 *data, global_mem u32 *more,
                      global_mem host32 *stop, u32 workers, u32 capacity, u32 chunk, u64 slice,
                      global_mem struct gws__trace_log *trace)
{
    local_array(u32, stack, TASK_ENTRY *TASK_STACK *TASK_GROUP_WORKERS);
    struct tasks t = {{deques, capacity, chunk}, control, block, count, next, stats, 0, stop, workers, workers,
                      slice, clock_ns(), trace};
    run_kernel(t, stack, data, more);
}

#ifdef GWS_PEERS
/* The same on a device of a group, perhaps with fewer workers, because the kernel has more registers. */
kernel_entry task_run_peers(global_mem atom64 *deques, global_mem atom64 *control, global_mem u32 *block,
                            global_mem atom32 *count, global_mem atom32 *next, global_mem u64 *stats, global_mem u32 *data,
                            global_mem u32 *more, global_mem host32 *stop, u32 workers, u32 capacity, u32 chunk, u64 slice,
                            global_mem struct gws__trace_log *trace, global_mem const u64 *peers)
{
    local_array(u32, stack, TASK_ENTRY *TASK_STACK *TASK_GROUP_WORKERS);
    struct tasks t = {{deques, capacity, chunk}, control, block, count, next, stats, peers, stop,
                      group_count() * (group_size() / WARP), workers, slice, clock_ns(), trace};
    run_kernel(t, stack, data, more);
}
#endif
