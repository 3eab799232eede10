/* SPDX-License-Identifier: MIT */
/* Level-synchronous BFS over a frontier (Abdelmageed's thesis, chapter 3), top-down, and bottom-up (Beamer, Asanovic,
 * Patterson, SC 2012): what a group does with a range of a level. The kernels are in bfs_{alone,shared}.cl.
 *
 * State: visited is a bitmap; who sets a vertex's bit owns the vertex: it alone writes parent and depth, and puts the
 * vertex into list. Every vertex enters the list at most once, so the output frontier of a level is the stretch behind
 * its input, one as long as the graph has vertices cannot overflow, and nothing is copied. An unreached vertex has the
 * depth and the parent NONE. Orders are relaxed where nothing is said: a level's end publishes everything. */
#define NONE 0xffffffffu

/* Words of control, 32 bits each. A level's are constant while it runs, but for TAIL. */
#define CONTROL_LEVEL 0u   /* the frontier's depth */
#define CONTROL_BEGIN 1u   /* the frontier: list[BEGIN .. END - 1] */
#define CONTROL_END 2u     /* */
#define CONTROL_BOTTOM 3u  /* 1: the level runs bottom-up */
#define CONTROL_WORKERS 4u /* deques that the level is cut into */
#define CONTROL_GPU 5u     /* those of them, the first ones, that are groups' */
#define CONTROL_STEALS 6u  /* 1: groups may steal */
#define CONTROL_STATE 7u   /* bfs_alone.cl */
#define CONTROL_RECORDS 8u /* bfs_alone.cl */
#define CONTROL_ARRIVED 9u /* bfs_alone.cl */
#define CONTROL_PLANNED 10u /* the words above */
#define CONTROL_TAIL 32u   /* where list ends; reserved by addition, on a line of its own */
#define CONTROL_WORDS 64u

/* Sums, 64 bits each. */
#define SUM_DEGREES 0u    /* of the frontier */
#define SUM_FOUND 1u      /* of the next one, so far: the degrees of what was pushed */
#define SUM_UNEXPLORED 2u /* arcs that leave vertices whose level has not run */
#define SUM_WORDS 16u

/* What every kernel gets. in_offset and source are the reverse graph, an undirected graph's own. */
struct search {
    global_mem const u64 *offset, *in_offset;
    global_mem const u32 *target, *source;
    global_mem atom32 *depth, *parent, *visited, *control;
    global_mem u32 *list;
    global_mem atom64 *sums, *queue;
    global_mem u64 *stats;
    global_mem struct gws__trace_log *trace; /* a null pointer: nothing is traced */
};

#define SEARCH_PARAMETERS                                                                                              \
    global_mem const u64 *offset, global_mem const u32 *target, global_mem const u64 *in_offset,                       \
        global_mem const u32 *source, global_mem atom32 *depth, global_mem atom32 *parent, global_mem atom32 *visited, \
        global_mem u32 *list, global_mem atom32 *control, global_mem atom64 *sums, global_mem atom64 *queue,           \
        global_mem u64 *stats, global_mem struct gws__trace_log *trace
#define SEARCH_MAKE(name)                                                                                              \
    struct search name;                                                                                                \
    name.offset = offset, name.target = target, name.in_offset = in_offset, name.source = source, name.depth = depth,  \
    name.parent = parent, name.visited = visited, name.list = list, name.control = control, name.sums = sums,          \
    name.queue = queue, name.stats = stats, name.trace = trace

/* A group's own. */
struct group_memory {
    u64 scan[SCAN_WORDS];
    u64 row_begin[GWS_GROUP_SIZE], row_end[GWS_GROUP_SIZE];
    u64 range[2];
    u32 row_vertex[GWS_GROUP_SIZE], word;
    u32 bag[BAG_WORDS];
};

#define STRIP 4u     /* arcs of an item between two pushes */
#define PATIENCE 64u /* arcs of a row that an item looks at alone, bottom-up; a multiple of STRIP */

device_inline bool claim(global_mem atom32 *visited, u32 vertex)
{
    u32 bit = 1u << vertex % 32;
    if (atom_load(&visited[vertex / 32], order_relaxed) & bit) return false;
    return (atom_or(&visited[vertex / 32], bit, order_relaxed) & bit) == 0;
}

device_inline void reach(struct search s, u32 vertex, u32 parent, u32 depth)
{
    atom_store(&s.parent[vertex], parent, order_relaxed);
    atom_store(&s.depth[vertex], depth, order_relaxed);
}

/* push.cl's words for list. */
device_inline u32 push_place(struct search s, local_mem struct group_memory *my, struct pushed *pushed, u32 count,
                             u64 degrees)
{
    return push_reserve(&s.control[CONTROL_TAIL], s.list, pushed, count, degrees, my->bag, my->scan);
}

device_inline void push(struct search s, local_mem struct group_memory *my, u32 place, u32 vertex)
{
#ifdef BAG_ROOM
    (void)s;
    my->bag[place] = vertex;
#else
    (void)my;
    s.list[place] = vertex;
#endif
}

/* The end of what a group pushes: nothing is held back. */
device_inline void push_end(struct search s, local_mem struct group_memory *my, struct pushed *pushed)
{
    push_flush(&s.control[CONTROL_TAIL], s.list, pushed, my->bag, my->scan);
}

/* ---- top-down ---- */

/* The row that an arc of the group's rows belongs to: the first that ends behind it. */
device_inline u32 row_of(local_mem const struct group_memory *my, u64 arc)
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

/* The group's items share its rows' arcs evenly, whatever their lengths, so that no item runs a hub alone. */
device_inline void expand_strip(struct search s, local_mem struct group_memory *my, u64 first, u64 arcs, u32 depth,
                                struct pushed *pushed)
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
    u32 place = push_place(s, my, pushed, hits, degrees);
    for (u32 k = 0; k < STRIP; k++)
        if (hit[k] != NONE) push(s, my, place++, hit[k]);
}

/* Expands list[begin .. end - 1], whose successors get depth. */
device_inline void expand(struct search s, local_mem struct group_memory *my, u64 begin, u64 end, u32 depth,
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
        u64 before = sum_before(degree, my->scan, &arcs);
        my->row_begin[item_id()] = row - before; /* an arc's number among the group's is what is added to it */
        my->row_end[item_id()] = before + degree;
        group_barrier();
        for (u64 arc = 0; arc < arcs; arc += STRIP * group_size()) expand_strip(s, my, arc, arcs, depth, pushed);
        group_barrier(); /* the rows are free again */
    }
}

/* ---- bottom-up ---- */

/* An item looks at the first PATIENCE arcs of the row of a vertex that is not reached, a strip at once so that their
 * misses overlap. Moves *row on; returns the first source at level, NONE if there is none. */
device_inline u32 adopt_alone(struct search s, u32 vertex, u64 *row, u64 row_end, u32 level)
{
    u32 parent = NONE;
    u64 end = row_end - *row > PATIENCE ? *row + PATIENCE : row_end;
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

/* What is left of rows that an item did not finish alone: all items look at it together, row by row, each up to the
 * first source at level, which the waiting item gets; NONE if there is none. */
device_inline u32 adopt_rest(struct search s, local_mem struct group_memory *my, bool waits, u64 row, u64 row_end,
                             u32 level)
{
    u64 waiting, mine = sum_before(waits ? 1 : 0, my->scan, &waiting);
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
    group_barrier(); /* the rows are free again */
    return parent;
}

/* Every vertex of begin .. end - 1 that is not reached looks for a neighbour at level, up to the first. */
device_inline void adopt(struct search s, local_mem struct group_memory *my, u64 begin, u64 end, u32 level,
                         struct pushed *pushed)
{
    for (u64 first = begin; first < end; first += group_size()) {
        u64 at = first + item_id(), row = 0, row_end = 0, degree = 0;
        u32 vertex = (u32)at, parent = NONE;
        if (at < end && atom_load(&s.depth[vertex], order_relaxed) == NONE) {
            row = s.in_offset[vertex];
            row_end = s.in_offset[vertex + 1];
        }
        if (row < row_end) parent = adopt_alone(s, vertex, &row, row_end, level);
        u32 rest = adopt_rest(s, my, parent == NONE && row < row_end, row, row_end, level);
        if (rest != NONE) parent = rest;
        if (parent != NONE) {
            (void)atom_or(&s.visited[vertex / 32], 1u << vertex % 32, order_relaxed);
            reach(s, vertex, parent, level + 1);
            degree = s.offset[vertex + 1] - s.offset[vertex];
        }
        u32 place = push_place(s, my, pushed, parent != NONE ? 1 : 0, degree);
        if (parent != NONE) push(s, my, place, vertex);
    }
}
