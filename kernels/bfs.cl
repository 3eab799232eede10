/* SPDX-License-Identifier: MIT */
/* Level-synchronous BFS over a frontier (Abdelmageed's thesis, section 3.3), top-down, and bottom-up (Beamer et al.,
 * SC'12). Groups take chunks of the level from their own deque, then from the others'.
 *
 * State: visited is a bitmap; who sets a vertex's bit owns the vertex: it alone writes parent and depth. A new vertex
 * has a parent and the depth NONE until it is pushed, so that parallel arcs push it once. A frontier holds each vertex
 * once: one as long as the graph has vertices cannot overflow. Orders are relaxed: a level ends
 * with its kernel, which publishes everything. */
#define NONE 0xffffffffu

#define STATS_STRIDE 8u
#define STATS_RAN 0u
#define STATS_STOLEN 1u
#define STATS_STEALS 2u
#define STATS_FAILED 3u

/* The first item of a group takes a range: its own, else from the others, nearest first. Ends when all are empty. */
device_inline u32 take_first(global_mem atom64 *queue, global_mem u64 *stats, u64 *range)
{
    u32 group = group_id(), groups = group_count();
    u32 grab = queue_pop(queue, group, range);
    for (u32 step = 1; grab != GRAB_TOOK && step < groups;) {
        grab = queue_steal(queue, (group + step) % groups, range);
        if (grab == GRAB_TOOK) {
            stats[STATS_STEALS]++;
            stats[STATS_STOLEN] += range[1] - range[0];
        } else {
            stats[STATS_FAILED]++;
        }
        if (grab == GRAB_EMPTY) step++;
    }
    if (grab == GRAB_TOOK) stats[STATS_RAN] += range[1] - range[0];
    return grab;
}

/* The same for the group: all items get the range that the first one took. Empty (0, 0) when the level has no more. */
device_inline void take(global_mem atom64 *queue, global_mem u64 *stats, local_mem u64 *shared, u64 *range)
{
    if (item_id() == 0) {
        range[0] = 0;
        range[1] = 0;
        if (take_first(queue, stats + group_id() * STATS_STRIDE, range) != GRAB_TOOK) range[1] = range[0] = 0;
        shared[0] = range[0];
        shared[1] = range[1];
    }
    group_barrier();
    range[0] = shared[0];
    range[1] = shared[1];
    group_barrier(); /* shared is free again */
}

device_inline bool claim(global_mem atom32 *visited, u32 vertex)
{
    u32 bit = 1u << vertex % 32;
    if (atom_load(&visited[vertex / 32], order_relaxed) & bit) return false;
    return (atom_or(&visited[vertex / 32], bit, order_relaxed) & bit) == 0;
}

/* Claims what vertex has found; returns how many. */
device_inline u32 discover(global_mem const u64 *offset, global_mem const u32 *target, global_mem atom32 *parent,
                           global_mem atom32 *visited, u32 vertex)
{
    u32 found = 0;
    for (u64 arc = offset[vertex]; arc < offset[vertex + 1]; arc++)
        if (claim(visited, target[arc])) {
            atom_store(&parent[target[arc]], vertex, order_relaxed);
            found++;
        }
    return found;
}

/* Writes what discover() claimed to out. */
device_inline void settle(global_mem const u64 *offset, global_mem const u32 *target, global_mem atom32 *depth,
                          global_mem atom32 *parent, global_mem u32 *out, u32 vertex, u32 level)
{
    for (u64 arc = offset[vertex]; arc < offset[vertex + 1]; arc++) {
        u32 other = target[arc];
        if (atom_load(&parent[other], order_relaxed) != vertex || atom_load(&depth[other], order_relaxed) != NONE)
            continue;
        atom_store(&depth[other], level + 1, order_relaxed);
        *out++ = other;
    }
}

/* Fills the deques of groups groups with 0 .. count - 1. One group. */
kernel_entry bfs_fill(global_mem atom64 *queue, u32 groups, u64 count, u64 chunk)
{
    for (u32 g = item_id(); g < groups; g += group_size()) queue_fill(queue, g, groups, count, chunk);
}

/* Expands the frontier in (depth level) into out, from *length on. */
kernel_entry bfs_top_down(global_mem const u64 *offset, global_mem const u32 *target, global_mem atom32 *depth,
                          global_mem atom32 *parent, global_mem atom32 *visited, global_mem const u32 *in,
                          global_mem u32 *out, global_mem atom32 *length, global_mem atom64 *queue,
                          global_mem u64 *stats, u32 level)
{
    local_array(u32, scratch, GWS_GROUP_SIZE + 2);
    local_array(u64, shared, 2);
    u64 range[2];
    for (take(queue, stats, shared, range); range[0] < range[1]; take(queue, stats, shared, range))
        for (u64 begin = range[0]; begin < range[1]; begin += group_size()) {
            u64 at = begin + item_id();
            u32 vertex = at < range[1] ? in[at] : NONE;
            u32 found = vertex == NONE ? 0 : discover(offset, target, parent, visited, vertex);
            u32 place = push_reserve(length, found, scratch);
            if (found > 0) settle(offset, target, depth, parent, out + place, vertex, level);
        }
}

/* True if an unvisited vertex has an arc from depth level; it then is visited. offset and source: the reverse graph. */
device_inline bool adopt(global_mem const u64 *offset, global_mem const u32 *source, global_mem atom32 *depth,
                         global_mem atom32 *parent, global_mem atom32 *visited, u32 vertex, u32 level)
{
    if (atom_load(&depth[vertex], order_relaxed) != NONE) return false;
    for (u64 arc = offset[vertex]; arc < offset[vertex + 1]; arc++) {
        if (atom_load(&depth[source[arc]], order_relaxed) != level) continue;
        (void)atom_or(&visited[vertex / 32], 1u << vertex % 32, order_relaxed);
        atom_store(&parent[vertex], source[arc], order_relaxed);
        atom_store(&depth[vertex], level + 1, order_relaxed);
        return true;
    }
    return false;
}

/* The same level from the other side: the deques hold 0 .. vertices - 1. */
kernel_entry bfs_bottom_up(global_mem const u64 *offset, global_mem const u32 *source, global_mem atom32 *depth,
                           global_mem atom32 *parent, global_mem atom32 *visited, global_mem u32 *out,
                           global_mem atom32 *length, global_mem atom64 *queue, global_mem u64 *stats, u32 level)
{
    local_array(u32, scratch, GWS_GROUP_SIZE + 2);
    local_array(u64, shared, 2);
    u64 range[2];
    for (take(queue, stats, shared, range); range[0] < range[1]; take(queue, stats, shared, range))
        for (u64 begin = range[0]; begin < range[1]; begin += group_size()) {
            u64 at = begin + item_id();
            bool found = at < range[1] && adopt(offset, source, depth, parent, visited, (u32)at, level);
            u32 place = push_reserve(length, found ? 1 : 0, scratch);
            if (found) out[place] = (u32)at;
        }
}
