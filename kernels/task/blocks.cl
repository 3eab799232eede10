/* SPDX-License-Identifier: MIT */
/* Blocks of tasks in global memory, and lists of blocks.
 *
 * A block holds up to TASK_BLOCK tasks, word by word: word k of task j is at k * TASK_BLOCK + j. Behind the words of a
 * task lies the range of its children that have not been created (task_words.h). count[b] is the number of tasks in block b that have
 * not been taken. So the tasks of a paused run are those of all blocks with a count. The numbers of blocks are
 *
 *     0 ..          TASK_RESERVE blocks for each worker, which hold its stack at a pause
 *                   and a block for thieves of other devices
 *     reserve ..    TASK_OWN blocks for each worker, which only that worker fills. Any worker may empty a block: it
 *                   stores the count 0 with release order. The owner loads the count with acquire order and fills the
 *                   block again. So no list of free blocks is hot
 *     shared ..     blocks for workers whose own blocks are all full
 *
 * Two lists link blocks through next[]: free shared blocks, and full blocks that no deque had a slot for. They are
 * stacks (Treiber, IBM RJ 5118, 1986) with a tag against ABA. Both operations release and acquire, so that a worker sees
 * what the previous worker wrote to the block. Only one lane of a warp calls the functions on lists. */
#define TASK_ENTRY (TASK_LENGTH + TASK_RANGE) /* words of a task in memory */
#define TASK_END (TASK_LENGTH + TASK_RANGE_END)
#define TASK_FIRST (TASK_LENGTH + TASK_RANGE_FIRST)
#if TASK_STACK < TASK_BLOCK + WARP
#error "a full stack must have a block of tasks"
#endif
#define NO_BLOCK 0xffffffffu

/* The arguments of the kernel. */
struct tasks {
    struct pool pool; /* the deques, whose tasks are numbers of blocks */
    global_mem atom64 *control;
    global_mem u32 *block;
    global_mem atom32 *count, *next;
    global_mem u64 *stats;
    global_mem const u64 *peers; /* the other devices of the group (task_words.h); NULL: none */
    global_mem host32 *stop;
    u32 workers, places; /* places: for so many workers the buffers have places */
    u64 slice, began; /* in nanoseconds, or in ticks where the clock counts these */
    global_mem struct gws__trace_log *trace; /* NULL: none */
};

/* Words of ACTIVE, which peers access, too. */
device_inline u64 active_load(struct tasks t)
{
    return wide_load(&t.control[TASK_ACTIVE], order_relaxed, t.peers != 0);
}

device_inline void active_add(struct tasks t, u64 value)
{
    (void)wide_add(&t.control[TASK_ACTIVE], value, order_relaxed, t.peers != 0);
}

/* Sets flags of the device and of its peers. relaxed: flags carry no data. */
device_inline void set_flags(struct tasks t, u64 flags, u64 of_peers)
{
    (void)wide_or(&t.control[TASK_ACTIVE], flags, order_relaxed, t.peers != 0);
    for (u32 i = 0; t.peers && i < (u32)t.peers[TASK_PEERS_COUNT]; i++) {
        u64 at = t.peers[TASK_PEERS_FIRST + i * TASK_PEER_STRIDE + TASK_PEER_CONTROL];
        (void)wide_or((global_mem atom64 *)(size_t)at + TASK_ACTIVE, of_peers, order_relaxed, true);
    }
}

device_inline void list_push(struct tasks t, u32 list, u32 block)
{
    u64 head = atom_load(&t.control[list], order_relaxed), tagged;
    do {
        atom_store(&t.next[block], (u32)head, order_relaxed);
        tagged = ((head >> 32) + 1) << 32 | (block + 1);
    } while (!atom_cas(&t.control[list], &head, tagged, order_acq_rel));
}

/* Returns NO_BLOCK if the list is empty. */
device_inline u32 list_pop(struct tasks t, u32 list)
{
    /* acquire: pairs with the release in list_push(). */
    u64 head = atom_load(&t.control[list], order_acquire);
    while ((u32)head > 0) {
        u64 after = ((head >> 32) + 1) << 32 | atom_load(&t.next[(u32)head - 1], order_relaxed);
        if (atom_cas(&t.control[list], &head, after, order_acq_rel)) return (u32)head - 1;
        head = atom_load(&t.control[list], order_acquire);
    }
    return NO_BLOCK;
}

device_inline global_mem u32 *block_words(struct tasks t, u32 block)
{
    return t.block + (u64)block * (TASK_BLOCK * TASK_ENTRY);
}

/* Return the number of a worker's first block in the reserve, its first own block, and the first shared block. */
device_inline u32 reserve_block(u32 worker)
{
    return worker * TASK_RESERVE;
}

/* Returns the number of the worker's block for thieves of other devices. */
device_inline u32 export_block(u32 worker)
{
    return worker * TASK_RESERVE + TASK_RESERVE - 1;
}

device_inline u32 own_block(struct tasks t, u32 worker)
{
    return t.places * TASK_RESERVE + worker * TASK_OWN;
}

device_inline u32 shared_block(struct tasks t)
{
    return t.places * (TASK_RESERVE + TASK_OWN);
}
