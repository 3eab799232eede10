/* SPDX-License-Identifier: MIT */
/* Kernels of tests/lib/hetero/time_host_queue.c. A task is a number of rounds that each item of a group computes. */

/* Marsaglia's xorshift. The result is 0 only for value 0. */
device_inline u32 price_work(u64 rounds, u32 value)
{
    for (u64 i = 0; i < rounds; i++) {
        value ^= value << 13;
        value ^= value >> 17;
        value ^= value << 5;
    }
    return value;
}

/* Groups take tasks from a host queue until it ends them. */
kernel_entry price_queue(global_mem host64 *words, global_mem atom64 *state, u64 capacity, global_mem u32 *never)
{
    local_array(u64, taken, 3);
    struct host_queue queue;
    queue.words = words, queue.state = state, queue.capacity = capacity;
    u32 value = item_id() + 1;
    for (;;) {
        u64 task = host_queue_take(&queue, taken);
        if (task == HOST_QUEUE_HALT) break;
        value = price_work(task, value);
    }
    if (value == 0) (void)word_add(never, 1);
}

/* Each group runs one task, from task number `first` on: the hardware schedules them. */
kernel_entry price_groups(global_mem const u64 *task, u64 first, global_mem u32 *never)
{
    u32 value = price_work(task[first + group_id()], item_id() + 1);
    if (value == 0) (void)word_add(never, 1);
}
