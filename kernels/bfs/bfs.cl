/* SPDX-License-Identifier: MIT */
/* Level-synchronous BFS over a frontier (Abdelmageed's thesis, chapter 3), top-down and bottom-up (Beamer, Asanovic,
 * Patterson, SC 2012). This file defines how a group processes a range of a level. The kernels are in
 * bfs_device_only.cl and bfs_shared.cl.
 *
 * State: visited is a bitmap. The item that sets a vertex's bit owns the vertex. Only this item writes parent and depth
 * and appends the vertex to list. Every vertex enters the list at most once. So a list with capacity for all vertices
 * cannot overflow. The output frontier of a level is the segment behind its input, so no step copies a frontier. An
 * unreached vertex has depth and parent NONE. Orders are relaxed unless a comment says otherwise, because a level's end
 * publishes all writes. */
#define NONE 0xffffffffu

/* The arguments of every kernel. in_offset and source are the reverse, or the graph itself if it is undirected. */
struct bfs_search {
    global_mem const u64 *offset, *in_offset;
    global_mem const u32 *target, *source;
    global_mem atom32 *depth, *parent, *visited, *control;
    global_mem u32 *list;
    global_mem atom64 *sums, *queue;
    global_mem u64 *stats;
    global_mem struct gws__trace_log *trace; /* a null pointer: no trace */
};

#define SEARCH_PARAMETERS                                                                                              \
    global_mem const u64 *offset, global_mem const u32 *target, global_mem const u64 *in_offset,                       \
        global_mem const u32 *source, global_mem atom32 *depth, global_mem atom32 *parent, global_mem atom32 *visited, \
        global_mem u32 *list, global_mem atom32 *control, global_mem atom64 *sums, global_mem atom64 *queue,           \
        global_mem u64 *stats, global_mem struct gws__trace_log *trace
#define SEARCH_MAKE(name)                                                                                              \
    struct bfs_search name;                                                                                            \
    name.offset = offset, name.target = target, name.in_offset = in_offset, name.source = source, name.depth = depth,  \
    name.parent = parent, name.visited = visited, name.list = list, name.control = control, name.sums = sums,          \
    name.queue = queue, name.stats = stats, name.trace = trace

/* A group's local memory. */
struct bfs_group_memory {
    u64 scan[SCAN_WORDS];
    u64 row_begin[GWS_GROUP_SIZE], row_end[GWS_GROUP_SIZE];
    u64 range[2];
    u32 row_vertex[GWS_GROUP_SIZE], word;
    u32 buffer[BLOCK_BUFFER_WORDS];
};

#define STRIP 4u /* arcs that an item processes between two pushes */

/* Arcs of a row that one item reads bottom-up before the group reads the rest; a multiple of STRIP. */
#define ITEM_ARCS 64u

device_inline bool claim(global_mem atom32 *visited, u32 vertex)
{
    u32 bit = 1u << vertex % 32;
    if (atom_load(&visited[vertex / 32], order_relaxed) & bit) return false;
    return (atom_or(&visited[vertex / 32], bit, order_relaxed) & bit) == 0;
}

device_inline void reach(struct bfs_search s, u32 vertex, u32 parent, u32 depth)
{
    atom_store(&s.parent[vertex], parent, order_relaxed);
    atom_store(&s.depth[vertex], depth, order_relaxed);
}

/* Reserves space for vertices in list (queue/group_push.cl). */
device_inline u32 push_reserve_vertices(struct bfs_search s, local_mem struct bfs_group_memory *my,
                                        struct pushed *pushed, u32 count, u64 degrees)
{
    return push_reserve(&s.control[CONTROL_TAIL], s.list, pushed, count, degrees, my->buffer, my->scan);
}

device_inline void push(struct bfs_search s, local_mem struct bfs_group_memory *my, u32 place, u32 vertex)
{
#ifdef BLOCK_BUFFER_CAPACITY
    (void)s;
    my->buffer[place] = vertex;
#else
    (void)my;
    s.list[place] = vertex;
#endif
}

/* Ends a group's pushes by flushing the block buffer. */
device_inline void push_end(struct bfs_search s, local_mem struct bfs_group_memory *my, struct pushed *pushed)
{
    push_flush(&s.control[CONTROL_TAIL], s.list, pushed, my->buffer, my->scan);
}

/* ---- top-down ---- */

/* Returns the row that contains an arc of the group's rows: the first row whose end is beyond the arc. */
device_inline u32 row_of(local_mem const struct bfs_group_memory *my, u64 arc)
{
    u32 low = 0, high = group_size() - 1;
    while (low < high) {
        u32 middle = (low + high) / 2;
        if (my->row_end[middle] > arc)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* The items of a group share the arcs of the group's rows evenly. Thus no item processes a hub by itself. */
device_inline void expand_strip(struct bfs_search s, local_mem struct bfs_group_memory *my, u64 first, u64 arcs,
                                u32 depth, struct pushed *pushed)
{
    u32 hit[STRIP], parent[STRIP], hits = 0;
    u64 degrees = 0;
    for (u32 k = 0; k < STRIP; k++) {
        u64 arc = first + k * group_size() + item_id();
        u32 row = arc < arcs ? row_of(my, arc) : 0;
        parent[k] = my->row_vertex[row];
        hit[k] = arc < arcs ? s.target[my->row_begin[row] + arc] : NONE;
    }
    for (u32 k = 0; k < STRIP; k++)
        if (hit[k] != NONE && !claim(s.visited, hit[k])) hit[k] = NONE;
    for (u32 k = 0; k < STRIP; k++) {
        if (hit[k] == NONE) continue;
        reach(s, hit[k], parent[k], depth);
        degrees += s.offset[hit[k] + 1] - s.offset[hit[k]];
        hits++;
    }
    u32 place = push_reserve_vertices(s, my, pushed, hits, degrees);
    for (u32 k = 0; k < STRIP; k++)
        if (hit[k] != NONE) push(s, my, place++, hit[k]);
}

/* Expands list[begin .. end - 1]. The successors get depth `depth`. */
device_inline void expand(struct bfs_search s, local_mem struct bfs_group_memory *my, u64 begin, u64 end, u32 depth,
                          struct pushed *pushed)
{
    for (u64 first = begin; first < end; first += group_size()) {
        u64 at = first + item_id(), row = 0, degree = 0, arcs;
        if (at < end) {
            u32 vertex = s.list[at];
            row = s.offset[vertex];
            degree = s.offset[vertex + 1] - row;
            my->row_vertex[item_id()] = vertex;
        }
        u64 before = group_prefix_sum(degree, my->scan, &arcs);
        my->row_begin[item_id()] = row - before; /* row_begin plus an arc's number in the group is its index */
        my->row_end[item_id()] = before + degree;
        group_barrier();
        for (u64 arc = 0; arc < arcs; arc += STRIP * group_size()) expand_strip(s, my, arc, arcs, depth, pushed);
        group_barrier(); /* all items have read the rows, so the group may overwrite them */
    }
}

/* ---- bottom-up ---- */

/* An item reads the first ITEM_ARCS arcs of an unreached vertex's row. It loads a strip at once to overlap the cache
 * misses. It advances *row and returns the first source at level, or NONE. */
device_inline u32 find_parent_by_item(struct bfs_search s, u32 vertex, u64 *row, u64 row_end, u32 level)
{
    u32 parent = NONE;
    u64 end = row_end - *row > ITEM_ARCS ? *row + ITEM_ARCS : row_end;
    while (*row < end && parent == NONE) {
        u32 source[STRIP], depth[STRIP];
        for (u32 k = 0; k < STRIP; k++) source[k] = *row + k < end ? s.source[*row + k] : vertex;
        for (u32 k = 0; k < STRIP; k++) depth[k] = atom_load(&s.depth[source[k]], order_relaxed);
        for (u32 k = STRIP; k > 0; k--)
            if (depth[k - 1] == level) parent = source[k - 1];
        *row += STRIP;
    }
    return parent;
}

/* All items together read the remaining arcs of rows that items did not finish. They read one row after the other, each
 * up to the first source at level. The waiting item gets that source, or NONE. */
device_inline u32 find_parent_by_group(struct bfs_search s, local_mem struct bfs_group_memory *my, bool waits, u64 row,
                                       u64 row_end, u32 level)
{
    u64 waiting, mine = group_prefix_sum(waits ? 1 : 0, my->scan, &waiting);
    u32 parent = NONE;
    if (waits) {
        my->row_begin[mine] = row;
        my->row_end[mine] = row_end;
    }
    if (item_id() == 0) my->word = 0;
    group_barrier();
    u64 first = my->row_begin[0];
    for (u32 i = 0; i < waiting;) {
        u64 arc = first + item_id(), end = my->row_end[i];
        if (arc < end && atom_load(&s.depth[s.source[arc]], order_relaxed) == level)
            (void)local_max(&my->word, s.source[arc] + 1);
        group_barrier();
        u32 best = my->word;
        group_barrier();
        if (item_id() == 0) my->word = 0;
        if (waits && i == mine && best > 0) parent = best - 1;
        first += group_size();
        if (best > 0 || first >= end) first = ++i < waiting ? my->row_begin[i] : 0;
        group_barrier();
    }
    group_barrier(); /* all items have read the rows, so the group may overwrite them */
    return parent;
}

/* Every unreached vertex of begin .. end - 1 looks for a neighbour at level and stops at the first one. */
device_inline void find_parents(struct bfs_search s, local_mem struct bfs_group_memory *my, u64 begin, u64 end,
                                u32 level, struct pushed *pushed)
{
    for (u64 first = begin; first < end; first += group_size()) {
        u64 at = first + item_id(), row = 0, row_end = 0, degree = 0;
        u32 vertex = (u32)at, parent = NONE;
        if (at < end && atom_load(&s.depth[vertex], order_relaxed) == NONE) {
            row = s.in_offset[vertex];
            row_end = s.in_offset[vertex + 1];
        }
        if (row < row_end) parent = find_parent_by_item(s, vertex, &row, row_end, level);
        u32 rest = find_parent_by_group(s, my, parent == NONE && row < row_end, row, row_end, level);
        if (rest != NONE) parent = rest;
        if (parent != NONE) {
            (void)atom_or(&s.visited[vertex / 32], 1u << vertex % 32, order_relaxed);
            reach(s, vertex, parent, level + 1);
            degree = s.offset[vertex + 1] - s.offset[vertex];
        }
        u32 place = push_reserve_vertices(s, my, pushed, parent != NONE ? 1 : 0, degree);
        if (parent != NONE) push(s, my, place, vertex);
    }
}
