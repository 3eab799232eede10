/* SPDX-License-Identifier: MIT */
/* Primes on a device. A task is a block of 1,000 numbers. The groups take blocks from a host queue until it ends them, and
 * add the number of primes in a block to *found. */
device_inline bool is_prime(u32 n)
{
    for (u32 d = 2; d * d <= n; d++)
        if (n % d == 0) return false;
    return n > 1;
}

kernel_entry count_primes(global_mem host64 *words, global_mem atom64 *state, u64 capacity, global_mem u32 *found)
{
    local_array(u64, taken, 3);
    struct host_queue queue = {words, state, capacity};
    for (;;) {
        u64 block = host_queue_take(&queue, taken);
        if (block == HOST_QUEUE_HALT) break;
        for (u32 i = item_id(); i < 1000; i += group_size())
            if (is_prime((u32)block * 1000 + i)) (void)word_add(found, 1);
    }
}
