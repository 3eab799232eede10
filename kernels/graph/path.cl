/* SPDX-License-Identifier: MIT */
/* A path in a tree of parents, from the source to the target. One group follows it: one item reads parent after parent
 * from the target, and then all items bring the path into order and read the distances. */
#define NONE 0xffffffffu

/* Returns the number of vertices on the path, or 0 if the target has no parent. Writes at most `capacity` vertices,
 * from the target to the source. */
device_inline u32 follow_parents(global_mem const u32 *parent, u32 source, u32 target, u32 vertices, u32 capacity,
                                 global_mem u32 *vertex)
{
    u32 v = target, length = 0;
    if (parent[target] == NONE) return 0;
    while (length < vertices && v != NONE) {
        if (length < capacity) vertex[length] = v;
        length++;
        if (v == source) return length;
        v = parent[v];
    }
    return 0;
}

/* parent: of each vertex; NONE: not reached. distance: an entry of `form` for each vertex. vertex: `capacity` entries.
 * length: becomes the number of vertices on the path. If it exceeds capacity, the content of the next two arrays is
 * undefined. vertex, at: the vertices of the path and their distances, `capacity` entries. The launch has one group. */
kernel_entry graph_path(global_mem const u32 *parent, global_mem const u32 *distance, global_mem u32 *vertex,
                        global_mem u64 *at, global_mem u32 *length, u32 source, u32 target, u32 vertices, u32 capacity,
                        u32 form)
{
    if (item_id() == 0) length[0] = follow_parents(parent, source, target, vertices, capacity, vertex);
    group_barrier();
    u32 count = word_fresh(&length[0]);
    u32 ordered = count <= capacity ? count : 0;
    for (u32 i = item_id(); i < ordered / 2; i += group_size()) {
        u32 other = vertex[ordered - 1 - i];
        vertex[ordered - 1 - i] = vertex[i];
        vertex[i] = other;
    }
    group_barrier();
    for (u32 i = item_id(); i < ordered; i += group_size())
        at[i] = form == PATH_LONGS ? ((global_mem const u64 *)distance)[vertex[i]] : distance[vertex[i]];
}
