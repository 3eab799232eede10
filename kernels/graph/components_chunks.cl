/* SPDX-License-Identifier: MIT */
/* The first step of components of a sparse graph: a group links the arcs within a chunk of consecutive vertices, in
 * local memory. In graphs whose neighbours have near numbers, such as meshes, few arcs are left. */

/* Divides the vertices equally among the groups: all groups get the same number of chunks. */
device_inline u32 chunk_size(u32 vertices)
{
    u64 all = (u64)group_count() * COMPONENTS_CHUNK, chunks = (vertices + all - 1) / all * group_count();
    u64 size = (vertices + chunks - 1) / chunks;
    return (u32)min_u64((size + 31) / 32 * 32, COMPONENTS_CHUNK);
}

/* Every second vertex on the way gets its grandparent as parent. */
device_inline u32 local_root(local_mem u32 *parent, u32 at)
{
    u32 up = local_fresh(&parent[at]);
    while (up != at) {
        u32 over = local_fresh(&parent[up]);
        if (over != up) local_store(&parent[at], over);
        at = over;
        up = local_fresh(&parent[at]);
    }
    return at;
}

device_inline void local_link(local_mem u32 *parent, u32 a, u32 b)
{
    a = local_root(parent, a);
    b = local_root(parent, b);
    while (a != b) {
        u32 high = a > b ? a : b, low = a > b ? b : a;
        if (local_cas(&parent[high], high, low) == high) break;
        a = local_root(parent, high);
        b = local_root(parent, low);
    }
}

/* Links the arcs of vertex number i of a chunk to the first `size` vertices of the chunk. */
device_inline void link_in_chunk(const struct components *s, local_mem u32 *parent, u64 begin, u32 i, u32 size)
{
    u64 arc = s->offset[begin + i], end = s->offset[begin + i + 1];
    if (end - arc > COMPONENTS_SHORT) return;
    for (; arc < end; arc++) {
        u32 to = s->target[arc] - (u32)begin;
        if (to < size) local_link(parent, i, to);
    }
}

/* parent: COMPONENTS_CHUNK words. */
device_inline void link_chunks(const struct components *s, local_mem u32 *parent)
{
    for (u64 begin = (u64)group_id() * s->chunk; begin < s->vertices; begin += (u64)group_count() * s->chunk) {
        u32 size = (u32)min_u64(s->chunk, s->vertices - begin);
        for (u32 i = item_id(); i < size; i += group_size()) parent[i] = i;
        group_barrier();
        for (u32 i = item_id(); i < size; i += group_size())
            link_in_chunk(s, parent, begin, i, s->undirected ? i : size);
        group_barrier();
        for (u32 i = item_id(); i < size; i += group_size()) s->parent[begin + i] = (u32)begin + local_root(parent, i);
        group_barrier();
    }
}
