/* SPDX-License-Identifier: MIT */
/* The first step of components of a sparse graph whose neighbours have near numbers, such as a mesh: a group links the
 * arcs within a chunk of consecutive vertices, in local memory. Few arcs are left. */
#define COMPONENTS_NEAR 256u /* the vertices whose arcs tell whether neighbours are near */

/* Divides the vertices equally among the groups: all groups get the same number of chunks. */
device_inline u32 chunk_size(u32 vertices)
{
    u64 all = (u64)group_count() * COMPONENTS_CHUNK, chunks = (vertices + all - 1) / all * group_count();
    u64 size = (vertices + chunks - 1) / chunks;
    return (u32)min_u64((size + 31) / 32 * 32, COMPONENTS_CHUNK);
}

/* Returns whether three arcs in four are shorter than half a chunk, among some arcs. All groups return the same.
 * count: two words of local memory. */
device_inline bool neighbours_are_near(const struct components *s, u32 chunk, local_mem u32 *count)
{
    u32 near = 0, arcs = 0;
    if (item_id() == 0) count[0] = count[1] = 0;
    group_barrier();
    for (u32 i = item_id(); i < COMPONENTS_NEAR; i += group_size()) {
        u64 v = (u64)i * s->vertices / COMPONENTS_NEAR, end = min_u64(s->offset[v + 1], s->offset[v] + 4);
        for (u64 arc = s->offset[v]; arc < end; arc++, arcs++)
            near += s->target[arc] - (u32)v + chunk / 2 < chunk ? 1 : 0;
    }
    (void)local_add(&count[0], near);
    (void)local_add(&count[1], arcs);
    group_barrier();
    bool are = count[0] * 4 >= count[1] * 3;
    group_barrier(); /* all items have read the counts */
    return are;
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
