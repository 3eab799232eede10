/* SPDX-License-Identifier: MIT */
/* Portable atomics of all items on a few words. */
kernel_entry gather_words(global_mem u32 *min, u32 count)
{
    u32 items = group_size() * group_count();
    for (u32 i = group_id() * group_size() + item_id(); i < count; i += items) {
        u32 value = i * 2654435761u, before = word_min(&min[i % 4], value);
        if (before > value && word_fresh(&min[i % 4]) > value) word_store(&min[4], 1); /* lost update */
    }
}
