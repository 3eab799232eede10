/* SPDX-License-Identifier: MIT */
/* BFS by a device and a host that share no atomics: each has arrays of its own, the deques are the host's, and a kernel
 * runs just the ranges that the host took out of them for the device. A word that crosses has one writer: the launch,
 * or the copy back.
 *
 * The device's list mirrors the host's: before a level that it joins, it gets the stretch that it does not know yet,
 * with which bfs_learn marks as visited what was found without it. What the device finds goes behind that stretch, and
 * bfs_parents puts the parents beside it for the host to fetch. A vertex that both sides found in the same level is of
 * the same depth; the host keeps its own parent, and the device learns what it knew. */

/* list[from .. end - 1] was reached; what is before begin, on levels before this one. Begins a level. */
kernel_entry bfs_learn(SEARCH_PARAMETERS, u32 from, u32 begin, u32 end, u32 level)
{
    SEARCH_MAKE(s);
    u64 items = (u64)group_size() * group_count(), first = (u64)group_id() * group_size() + item_id();
    for (u64 i = from + first; i < end; i += items) {
        u32 vertex = s.list[i];
        (void)atom_or(&s.visited[vertex / 32], 1u << vertex % 32, order_relaxed);
        atom_store(&s.depth[vertex], i < begin ? NONE - 1 : level, order_relaxed); /* earlier: some other depth */
    }
    if (first != 0) return;
    atom_store(&s.control[CONTROL_TAIL], end, order_relaxed);
    atom_store(&s.sums[SUM_FOUND], 0, order_relaxed);
}

/* Runs count ranges of a level top-down: places in list, two words for each range. */
kernel_entry bfs_ranges_down(SEARCH_PARAMETERS, global_mem const u32 *ranges, u32 count, u32 level)
{
    local_array(struct group_memory, memory, 1);
    SEARCH_MAKE(s);
    struct pushed pushed = {false, 0, 0, 0};
    for (u32 i = group_id(); i < count; i += group_count())
        expand(s, memory, ranges[2 * i], ranges[2 * i + 1], level + 1, &pushed);
    push_end(s, memory, &pushed);
    if (item_id() == 0 && pushed.weights > 0) (void)atom_add(&s.sums[SUM_FOUND], pushed.weights, order_relaxed);
}

/* The same bottom-up: vertices of the graph. */
kernel_entry bfs_ranges_up(SEARCH_PARAMETERS, global_mem const u32 *ranges, u32 count, u32 level)
{
    local_array(struct group_memory, memory, 1);
    SEARCH_MAKE(s);
    struct pushed pushed = {false, 0, 0, 0};
    for (u32 i = group_id(); i < count; i += group_count())
        adopt(s, memory, ranges[2 * i], ranges[2 * i + 1], level, &pushed);
    push_end(s, memory, &pushed);
    if (item_id() == 0 && pushed.weights > 0) (void)atom_add(&s.sums[SUM_FOUND], pushed.weights, order_relaxed);
}

/* The parents of what the level found: to[i] is that of list[end + i]. */
kernel_entry bfs_parents(SEARCH_PARAMETERS, global_mem u32 *to, u32 end)
{
    SEARCH_MAKE(s);
    u64 items = (u64)group_size() * group_count(), tail = atom_load(&s.control[CONTROL_TAIL], order_relaxed);
    for (u64 i = end + (u64)group_id() * group_size() + item_id(); i < tail; i += items)
        to[i - end] = atom_load(&s.parent[s.list[i]], order_relaxed);
}
