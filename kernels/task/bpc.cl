/* SPDX-License-Identifier: MIT */
/* Bouncing producer-consumer (Dinan et al., SC 2009, section 2.5.3; workloads/bpc.h). A child runs when it is created, so
 * a consumer that waits is a task with one child, which takes the time. The next producer is the last child. The loop
 * creates it first, so it lies below the consumers in the stack, at the end from which tasks go to thieves. */
#define TASK_LENGTH BPC_LENGTH

device_inline u32 bpc_worker(const struct task_state *s)
{
    return s->data[BPC_FIRST] + (group_id() * group_size() + item_id()) / WARP;
}

device_inline void bpc_spin(u64 ticks)
{
    u64 began = clock_ns();
    while (began > 0 && clock_ns() - began < ticks) { /* began is 0 where there is no clock */
    }
}

device_inline u32 task_child(struct task_state *s, const u32 *parent, u32 i, u32 *child)
{
    u32 consumers = s->data[BPC_CONSUMERS];
    if (parent[BPC_KIND] == BPC_CONSUMER) {
        bpc_spin((u64)s->data[BPC_TICKS + 1] << 32 | s->data[BPC_TICKS]);
        task_add(s, BPC_CONSUMED, 1);
        return 0;
    }
    child[BPC_KIND] = BPC_CONSUMER;
    if (i < consumers) return 1;
    bool is_root = parent[BPC_TO_COME] == s->data[BPC_DEPTH];
    if (!is_root && parent[BPC_WORKER] != bpc_worker(s)) task_add(s, BPC_BOUNCES, 1);
    child[BPC_KIND] = BPC_PRODUCER;
    child[BPC_TO_COME] = parent[BPC_TO_COME] - 1;
    child[BPC_WORKER] = bpc_worker(s);
    task_add(s, BPC_PRODUCED, 1);
    return child[BPC_TO_COME] > 0 ? consumers + 1 : 0;
}
