/* SPDX-License-Identifier: MIT */
/* What is made on a device of a result that lies there, one word a vertex; NO_VERTEX: the vertex was not reached. */

kernel_entry result_narrow(global_mem const u32 *from, global_mem u32 *to, u64 count, u32 bytes)
{
    u64 words = (count * bytes + 3) / 4, items = (u64)group_count() * group_size();
    for (u64 word = (u64)group_id() * group_size() + item_id(); word < words; word += items)
        to[word] = narrow_word(from, count, word, bytes);
}

/* Adds the degrees of all vertices reached to *sum. */
kernel_entry result_arcs(global_mem const u64 *offset, global_mem const u32 *depth, u64 vertices, global_mem u64 *sum)
{
    u64 items = (u64)group_count() * group_size(), mine = 0;
    for (u64 v = (u64)group_id() * group_size() + item_id(); v < vertices; v += items) {
        u64 degree = offset[v + 1] - offset[v];
        mine += depth[v] != NO_VERTEX ? degree : 0;
    }
    for (u32 step = WARP / 2; step > 0; step /= 2) {
        u32 other = item_id() % WARP ^ step;
        u64 high = warp_shuffle((u32)(mine >> 32), other);
        mine += high << 32 | warp_shuffle((u32)mine, other);
    }
    if (item_id() % WARP == 0) word_sum(sum, mine);
}
