/* SPDX-License-Identifier: MIT */
/* A worker's stack of tasks, and the step that creates a warp of children.
 *
 * A worker is a warp, or an item on devices without warps. Its stack lies in local memory, word by word: word k of the
 * task in place p is at k * TASK_STACK + p. The last words are the range of the children that have not been created. The
 * stack is a ring: the oldest task is in place `base`. A step distributes the children of the newest tasks over the
 * lanes. All lanes thus create a child each, however few children a task has. Children that have children themselves
 * become the newest tasks. So the worker runs depth first, and its oldest tasks, which it gives away, are the largest.
 * While many workers are idle, a step takes the oldest tasks instead: breadth first, there are tasks for them sooner.
 * If the oldest task has many children left, the worker gives half of them away: so the children of one task reach all
 * workers, in as many steps as a tree of halves has levels (lazy binary splitting: Tzannes, Caragea, Barua, Vishkin,
 * PPoPP 2010).
 *
 * All lanes of a worker call these functions together. */

/* A worker. All lanes have the same values, except for lane. */
struct task_worker {
    u32 self, lane;
    local_mem u32 *stack;
    u32 base, height; /* place of the oldest task, number of tasks */
    u32 parents;      /* tasks whose children filled the last step */
    u32 oldest_first; /* 1: a step takes the oldest tasks; 0: the newest ones */
    u32 unused;  /* own blocks that the worker has seen empty, one bit each */
    u32 random, steps;
    u64 made, with_children;   /* tasks created, and those with children */
};

/* Returns the same random number in all lanes (Marsaglia's xorshift). */
device_inline u32 next_random(struct task_worker *w)
{
    w->random ^= w->random << 13;
    w->random ^= w->random >> 17;
    w->random ^= w->random << 5;
    return w->random;
}

/* Returns the sum of the values of this lane and all lanes below. */
device_inline u32 warp_sum_below(u32 value, u32 lane)
{
    for (u32 by = 1; by < WARP; by *= 2) {
        u32 below = warp_shuffle(value, lane - by);
        if (lane >= by) value += below;
    }
    return value;
}

device_inline u64 warp_shuffle_long(u64 value, u32 lane)
{
    return (u64)warp_shuffle((u32)(value >> 32), lane) << 32 | warp_shuffle((u32)value, lane);
}

/* Returns the word with all bits that the lanes set. No two lanes set the same bit. */
device_inline u32 warp_join(u32 bits)
{
#ifdef warp_sum
    return warp_sum(bits);
#else
    for (u32 by = 1; by < WARP; by *= 2) bits |= warp_shuffle(bits, item_id() % WARP ^ by);
    return bits;
#endif
}

/* Returns the place of a task, counted from the oldest. */
device_inline u32 stack_place(const struct task_worker *w, u32 index)
{
    return (w->base + index) % TASK_STACK;
}

/* Closes the gaps that remain when the tasks 0, 2 .. 2 * (count - 1), counted from the oldest, leave the stack: moves
 * the tasks between them up, to the places count .. 2 * count - 1. */
device_inline void stack_close_gaps(struct task_worker *w, u32 count)
{
    u32 task[TASK_ENTRY];
    for (u32 first = (count - 1) / WARP * WARP + WARP; first > 0; first -= WARP) {
        u32 i = first - WARP + w->lane, from = stack_place(w, 2 * i + 1), to = stack_place(w, count + i);
        if (i < count)
            unrolled for (u32 k = 0; k < TASK_ENTRY; k++) task[k] = w->stack[k * TASK_STACK + from];
        warp_barrier(); /* all lanes have read their tasks */
        if (i < count)
            unrolled for (u32 k = 0; k < TASK_ENTRY; k++) w->stack[k * TASK_STACK + to] = task[k];
        warp_barrier();
    }
}

/* Returns whether the oldest task has enough children left for two workers. The stack must not be empty. */
device_inline bool stack_divisible(const struct task_worker *w)
{
    u32 left = w->stack[TASK_END * TASK_STACK + w->base] - w->stack[TASK_FIRST * TASK_STACK + w->base];
    return left >= TASK_DIVISIBLE && w->height < TASK_STACK;
}

/* Divides the children of a task: the upper half goes to a copy of the task in place `to`. */
device_apart void divide_task(local_mem u32 *stack, u32 from, u32 to)
{
    u32 first = stack[TASK_FIRST * TASK_STACK + from], end = stack[TASK_END * TASK_STACK + from];
    for (u32 k = 0; k < TASK_LENGTH; k++) stack[k * TASK_STACK + to] = stack[k * TASK_STACK + from];
    stack[TASK_END * TASK_STACK + to] = end;
    stack[TASK_FIRST * TASK_STACK + to] = stack[TASK_END * TASK_STACK + from] = first + (end - first) / 2;
}

/* Divides the oldest task: the upper half of its children becomes the oldest task. */
device_inline void stack_divide(struct task_worker *w)
{
    u32 from = w->base;
    w->base = (w->base + TASK_STACK - 1) % TASK_STACK;
    w->height++;
    warp_barrier(); /* all lanes have read the range */
    if (w->lane == 0) divide_task(w->stack, from, w->base);
    warp_barrier();
}

/* Prepares the stack for a gift of every second task: divides the oldest task if it is divisible. Returns false if the
 * worker has too little work to give. */
device_inline bool stack_can_give(struct task_worker *w)
{
    if (!stack_divisible(w)) return w->height > 1 && w->height > w->parents;
    stack_divide(w);
    return true;
}

/* Returns the place of the task that is `index` places behind the next one that a step takes. */
device_inline u32 stack_next(const struct task_worker *w, u32 index)
{
    return stack_place(w, w->oldest_first > 0 ? index : w->height - 1 - index);
}

/* Pushes the children of all lanes that have children themselves. */
device_inline void stack_push(struct task_worker *w, const u32 *child, u32 children)
{
    u32 marks = warp_ballot(children > 0);
    u32 place = stack_place(w, w->height + bit_count(marks & ((1u << w->lane) - 1)));
    if (children > 0) {
        unrolled for (u32 k = 0; k < TASK_LENGTH; k++) w->stack[k * TASK_STACK + place] = child[k];
        w->stack[TASK_END * TASK_STACK + place] = children;
        w->stack[TASK_FIRST * TASK_STACK + place] = 0;
    }
    w->height += bit_count(marks);
    w->with_children += bit_count(marks);
}

/* The child that a lane creates: child number `number` of the task with stack_next() index `parent`. */
struct task_choice {
    u32 children; /* of the whole warp */
    u32 parent, number;
};

/* Takes up to a warp of children from the next tasks. The stack must not be empty. */
device_inline struct task_choice stack_take(struct task_worker *w)
{
    struct task_choice choice;
    u32 place = stack_next(w, w->lane), last = 0, left = 0;
    if (w->lane < w->height) {
        last = w->stack[TASK_END * TASK_STACK + place];
        left = last - w->stack[TASK_FIRST * TASK_STACK + place];
    }
    u32 offered = left < WARP ? left : WARP;
    u32 end = warp_sum_below(offered, w->lane), begin = end - offered;
    u32 all = warp_shuffle(end, WARP - 1);
    bool gives = offered > 0 && begin < WARP;
    u32 starts = warp_join(gives ? 1u << begin : 0);
    choice.children = all < WARP ? all : WARP;
    choice.parent = bit_count(starts & ((2u << w->lane) - 1)) - 1;
    choice.number = warp_shuffle(last + begin, choice.parent) - 1 - w->lane;
    w->parents = bit_count(starts);
    bool stays = gives && left > WARP - begin;
    if (stays) w->stack[TASK_END * TASK_STACK + place] = last - (WARP - begin);
    if (warp_ballot(stays)) w->parents--;
    return choice;
}

/* Creates up to a warp of children of the next tasks. The stack must not be empty, and must have WARP free places. */
device_inline void stack_step(struct task_state *s, struct task_worker *w)
{
    u32 parent[TASK_LENGTH], child[TASK_LENGTH], children = 0;
    struct task_choice choice = stack_take(w);
    u32 place = stack_next(w, choice.parent);
    unrolled for (u32 k = 0; k < TASK_LENGTH; k++) parent[k] = w->stack[k * TASK_STACK + place];
    w->height -= w->parents;
    if (w->oldest_first > 0) w->base = stack_place(w, w->parents);
    w->made += choice.children;
    warp_barrier(); /* all lanes have read their parents, so children may take their places */
    if (w->lane < choice.children) children = task_child(s, parent, choice.number, child);
    stack_push(w, child, children);
    warp_barrier();
}
