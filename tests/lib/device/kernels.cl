/* SPDX-License-Identifier: MIT */
/* Kernels of the device tests, in the portability macros of kernels/. No kernel waits for ever. A kernel ends and
 * reports the failure after `patience` unsuccessful polls. */
#define NONE 0xffffffffu

kernel_entry nothing(global_mem u32 *word)
{
    (void)word;
}

/* Sets to[i] = from[i ^ 1] * factor + the group size (at most 64, even), through local memory. count is even. */
kernel_entry scale(global_mem const u32 *from, global_mem u32 *to, u32 factor, u64 count)
{
    local_array(u32, value, 64);
    u64 i = (u64)group_id() * group_size() + item_id();
    value[item_id()] = i < count ? from[i] * factor : 0;
    group_barrier();
    if (i < count) to[i] = value[item_id() ^ 1] + group_size();
}

/* Lets the next launch begin. Waits for the previous launch, then increments each word that equals step, and sets all
 * other words to NONE. */
kernel_entry follow(global_mem u32 *word, u32 step)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;");
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
    u64 i = (u64)group_id() * group_size() + item_id();
    word[i] = word[i] == step ? step + 1 : NONE;
}

/* Runs slowly, since every round waits for memory. */
kernel_entry spin(global_mem volatile u32 *word, u64 rounds)
{
    for (u64 i = 0; i < rounds; i++) word[0] += 1;
}

/* Exchanges messages with the host. The host writes flag[0] and its requests to data[0..63]. The kernel writes
 * flag[16] and its replies to data[64..127]. The reply of each round is the request plus one. If a request does not
 * arrive, the kernel sets flag[16] to NONE and ends. */
kernel_entry ping_pong(global_mem host32 *flag, global_mem u32 *data, u32 rounds, u64 patience)
{
    if (group_id() != 0 || item_id() != 0) return;
    for (u32 round = 1; round <= rounds; round++) {
        u64 polls = 0;
        /* acquire: pairs with the host's release of its flag, so the kernel sees the request. */
        while (host_load(&flag[0], order_acquire) != round && polls < patience) polls++;
        data[64 + round % 64] = data[round % 64] + 1;
        /* release: pairs with the host's acquire of the kernel's flag. */
        host_store(&flag[16], polls < patience ? round : NONE, order_release);
        if (polls == patience) return;
    }
}

/* Runs a barrier of all groups, `rounds` times. word[0] counts arrivals, and word[1] counts groups that gave up. */
kernel_entry grid_barrier(global_mem atom32 *word, u32 rounds, u64 patience)
{
    if (item_id() != 0) return;
    for (u32 round = 1; round <= rounds; round++) {
        u64 polls = 0;
        /* acq_rel, acquire: a group that leaves the barrier sees all writes of all groups before it. */
        (void)atom_add(&word[0], 1u, order_acq_rel);
        while (atom_load(&word[0], order_acquire) < round * group_count() && polls < patience) polls++;
        if (polls < patience) continue;
        (void)atom_add(&word[1], 1u, order_relaxed);
        return;
    }
}

/* Every item adds one to *word, `rounds` times. */
kernel_entry count(global_mem atom64 *word, u32 rounds)
{
    for (u32 round = 0; round < rounds; round++) (void)atom_add(word, (u64)1, order_relaxed);
}
