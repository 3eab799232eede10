/* SPDX-License-Identifier: MIT */
/* All items use the portable atomics on a few words of both sizes. */
kernel_entry gather_words(global_mem u32 *min, global_mem u64 *long_min_of, u32 count)
{
    u32 items = group_size() * group_count();
    for (u32 i = group_id() * group_size() + item_id(); i < count; i += items) {
        u32 value = i * 2654435761u, before = word_min(&min[i % 4], value);
        if (before > value && word_fresh(&min[i % 4]) > value) word_store(&min[4], 1); /* flags a lost update */
        u64 wide = (u64)value << 32 | i, old = long_min(&long_min_of[i % 4], wide);
        if (old > wide && long_fresh(&long_min_of[i % 4]) > wide) word_store(&min[4], 1);
    }
}
