/* SPDX-License-Identifier: MIT */
/* The index "hubs" of a graph on a device (traversal/device_graph.h), and kernels for results of one word per vertex.
 * NO_VERTEX: the vertex was not reached. */
#define NO_VERTEX 0xffffffffu

/* Packs entries of `bytes` bytes (1, 2 or 4) and returns word number `word` in little-endian order. NO_VERTEX and an
 * entry that does not fit become all ones. */
device_inline u32 narrow_word(global_mem const u32 *from, u64 count, u64 word, u32 bytes)
{
    u32 entries = 4 / bytes, bits = 8 * bytes, max = 0xffffffffu >> (32 - bits), packed = 0;
    for (u32 i = 0; i < entries; i++) {
        u64 at = word * entries + i;
        u32 value = at < count ? from[at] : 0;
        packed |= (value < max ? value : max) << i * bits;
    }
    return packed;
}

#ifndef GWS_HOST_WORKER /* the device */
/* Returns a source's rank as a hub. A higher degree ranks higher. Among equal degrees, a lower number ranks higher. */
device_inline u64 hub_worth(global_mem const u64 *offset, u32 vertex)
{
    u64 degree = offset[(u64)vertex + 1] - offset[vertex];
    return (degree < NO_VERTEX ? degree : NO_VERTEX) << 32 | (NO_VERTEX - vertex);
}

/* A warp returns the best source in a row of arcs towards a vertex. */
device_inline u32 row_hub(global_mem const u64 *offset, global_mem const u32 *source, u64 begin, u64 end)
{
    u64 best = 0;
    for (u64 arc = begin + lane_id(); arc < end; arc += WARP) {
        u64 worth = hub_worth(offset, source[arc]);
        best = worth > best ? worth : best;
    }
    for (u32 step = WARP / 2; step > 0; step /= 2) {
        u64 worth = warp_shuffle_long(best, lane_id() ^ step);
        best = worth > best ? worth : best;
    }
    return NO_VERTEX - (u32)best;
}

/* A warp processes the 32 vertices of a word of the bitmap. Adds the number of vertices with an incoming arc to
 * *candidates, which must be 0 before. The vertices are those of the graph from number first on: offset has all rows of
 * the graph, in_offset, hub and isolated begin with vertex first. */
kernel_entry index_hubs(u32 vertices, u32 first, global_mem const u64 *offset, global_mem const u64 *in_offset,
                        global_mem const u32 *source, global_mem u32 *hub, global_mem u32 *isolated,
                        global_mem u64 *candidates)
{
    u64 words = ((u64)vertices + 31) / 32, warps = (u64)group_count() * warp_count();
    for (u64 word = (u64)group_id() * warp_count() + warp_id(); word < words; word += warps) {
        u32 led = 0, any = 0;
        for (u32 bit = 0; bit < 32 && word * 32 + bit < vertices; bit++) {
            u64 vertex = word * 32 + bit, begin = in_offset[vertex], end = in_offset[vertex + 1];
            bool has = begin < end, leads = offset[first + vertex] < offset[first + vertex + 1];
            u32 best = has ? row_hub(offset, source, begin, end) : NO_VERTEX; /* has is the same in all lanes */
            led |= (has ? 1u : 0) << bit;
            any |= (has || leads ? 1u : 0) << bit;
            if (lane_id() == 0) hub[vertex] = best;
        }
        if (lane_id() != 0) continue;
        isolated[word] = ~any;
        word_sum(candidates, (u64)bit_count(led));
    }
}

kernel_entry result_narrow(global_mem const u32 *from, global_mem u32 *to, u64 count, u32 bytes)
{
    u64 words = (count * bytes + 3) / 4, items = (u64)group_count() * group_size();
    for (u64 word = (u64)group_id() * group_size() + item_id(); word < words; word += items)
        to[word] = narrow_word(from, count, word, bytes);
}

/* Adds the degrees of all reached vertices to *sum. */
kernel_entry result_arcs(global_mem const u64 *offset, global_mem const u32 *depth, u64 vertices, global_mem u64 *sum)
{
    u64 items = (u64)group_count() * group_size(), mine = 0;
    for (u64 v = (u64)group_id() * group_size() + item_id(); v < vertices; v += items) {
        u64 degree = offset[v + 1] - offset[v];
        mine += depth[v] != NO_VERTEX ? degree : 0;
    }
    for (u32 step = WARP / 2; step > 0; step /= 2) mine += warp_shuffle_long(mine, lane_id() ^ step);
    if (lane_id() == 0) word_sum(sum, mine);
}
#endif
