/* SPDX-License-Identifier: MIT */
/* What the engine derives from a graph once: each vertex's neighbour of highest degree, and the isolated vertices. */

/* Of a vertex with an incoming arc, the neighbour of highest degree, the first of those; by a warp. */
device_inline u32 most_likely(global_mem const u64 *offset, global_mem const u32 *target, u64 begin, u64 end)
{
    u64 best = 0;
    for (u64 arc = begin + lane_id(); arc < end; arc += WARP) {
        u32 other = target[arc];
        u64 degree = lesser(offset[(u64)other + 1] - offset[other], 0xffffffffu);
        u64 worth = degree << 32 | (NONE - other);
        best = worth > best ? worth : best;
    }
    for (u32 step = WARP / 2; step > 0; step /= 2) {
        u64 worth = warp_shuffle_long(best, lane_id() ^ step);
        best = worth > best ? worth : best;
    }
    return NONE - (u32)best;
}

/* Fills likely and isolated, and adds to count[COUNT_CANDIDATES], from the rows of arcs towards each vertex: the
 * likely neighbours of a bitmap's word by a warp. */
kernel_entry engine_prepare(u32 vertices, global_mem const u64 *offset, global_mem const u64 *in_offset,
                            global_mem const u32 *source, global_mem u32 *likely, global_mem u32 *isolated,
                            global_mem u32 *count)
{
    u64 words = ((u64)vertices + 31) / 32, warps = (u64)group_count() * warp_count();
    for (u64 word = (u64)group_id() * warp_count() + warp_id(); word < words; word += warps) {
        u32 led = 0, any = 0;
        for (u32 bit = 0; bit < 32 && word * 32 + bit < vertices; bit++) {
            u64 vertex = word * 32 + bit, begin = in_offset[vertex], end = in_offset[vertex + 1];
            bool has = begin < end, leads = offset[vertex] < offset[vertex + 1];
            u32 best = has ? most_likely(offset, source, begin, end) : NONE; /* has is the same in all lanes */
            led |= (has ? 1u : 0) << bit;
            any |= (has || leads ? 1u : 0) << bit;
            if (lane_id() == 0) likely[vertex] = best;
        }
        if (lane_id() != 0) continue;
        isolated[word] = ~any;
        (void)word_add(&count[COUNT_CANDIDATES], bit_count(led));
    }
}
