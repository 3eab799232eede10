/* SPDX-License-Identifier: MIT */
/* The device's side of the tests of queues, for devices and for emulating threads. */

#define LITMUS_KEY 0x9e3779b97f4a7c15

/* Takes tasks until the queue ends the group. Counts each task in seen[]. sent[] has what the host wrote for each task
 * before it enqueued the task: the task's number times the key. result: the number of wrong words, and of groups that
 * ended. */
kernel_entry host_queue_mark(global_mem host64 *words, global_mem atom64 *state, u64 capacity, global_mem u32 *seen,
                             global_mem const u64 *sent, global_mem u32 *result)
{
    local_array(u64, taken, 3);
    struct host_queue queue;
    queue.words = words, queue.state = state, queue.capacity = capacity;
    for (;;) {
        u64 task = host_queue_take(&queue, taken);
        if (task == HOST_QUEUE_HALT) break;
        if (item_id() == 0) (void)word_add(&seen[task], 1);
        if (sent[task] != task * LITMUS_KEY) (void)word_add(&result[0], 1);
    }
    if (item_id() == 0) (void)word_add(&result[1], 1);
}
