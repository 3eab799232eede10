/* SPDX-License-Identifier: MIT */
/* Breadth-first search of a graph whose arcs stay in the host's memory, as an algorithm on a two-ended range
 * (kernels/hetero/range.cl): host and device run the large levels together, each over its own bitmaps.
 * traversal/graph/bfs/device/host_resident.c is the host's side. Bitmaps do not leave the device, row bounds as there is
 * room. Of the arcs the device has the first words of rows, and hubs' rows as wholes, as there is room
 * (engine/split_rows.h); the others are read in place, in the host's memory.
 *
 * Bottom-up levels (Beamer et al., SC'12): each unvisited vertex of a chunk looks for a neighbour in the frontier.
 * Top-down: each frontier vertex of a chunk claims its neighbours, 32 items to a row, so that neighbouring arcs cross
 * the bus together (Min et al., "EMOGI", VLDB 2020, section 4.3); long rows take the whole group.
 *
 * State: visited holds what this side knows or found, before what both knew when the level began, front the vertices at
 * its depth. Each side finds on its own, so both may find a vertex: at the same depth, by different parents. Each keeps
 * its parents to itself (parent): single words would cross the bus one by one, and take longer than the rest of the
 * level. The device writes the depths of what both found, which takes it a hundredth of what the host's memory would;
 * the host marks which vertices these are and which of them the device alone found, and fetches depths and parents
 * after the search. */

enum { long_row = 1024, row_lanes = 32 };

#define NO_PARENT 0xffffffffu

struct work {
    struct rows out, in;
    global_mem atom32 *visited;
    global_mem u32 *before, *front, *parent, *depth, *mirror; /* mirror: the host's copy of what this side knows */
    global_mem const u32 *host_a, *host_b, *host_front;
    local_mem u32 *found, *long_rows; /* an item's word; BFS_CHUNK_WORDS words */
    local_mem u64 *sums;              /* an item's word */
    u64 vertices, words, chunk;       /* words of a bitmap, and of those in a chunk */
};

device_inline bool is_in(global_mem const u32 *bitmap, u32 vertex)
{
    return (bitmap[vertex / 32] >> vertex % 32 & 1) != 0;
}

/* The first of these count neighbours, from words[at] on, that is in the frontier, or NONE. What lies in one piece of
 * what crosses the bus is read at once: a word by itself would have to be asked for as long, and no cache keeps what it
 * came with until it is wanted. */
device_inline u32 find_in(global_mem const u32 *front, global_mem const u32 *words, u64 at, u32 count)
{
    u32 begin = (u32)at % SPLIT_ROWS_PIECE, end = begin + count;
    words += at - begin;
    for (u32 piece = 0; piece < end; piece += SPLIT_ROWS_PIECE) {
        u32 word[SPLIT_ROWS_PIECE];
        for (u32 i = 0; i < SPLIT_ROWS_PIECE; i++) {
            u32 from = piece + i > begin ? piece + i : begin; /* no word before the row or behind it */
            word[i] = words[from < end ? from : end - 1];
        }
        for (u32 i = 0; i < SPLIT_ROWS_PIECE; i++)
            if (piece + i >= begin && piece + i < end && is_in(front, word[i])) return word[i];
    }
    return NO_PARENT;
}

/* The same of all the vertex's neighbours: first among those that the device has. */
device_inline u32 find_parent(const struct work *work, u64 vertex)
{
    struct row row = row_of(&work->in, vertex);
    u32 parent = NO_PARENT;
    unrolled for (u32 part = 0; part < 2; part++)
        if (parent == NO_PARENT && part_words(row, part) != 0)
            parent = find_in(work->front, part_of(&work->in, part), part_at(&work->in, vertex, row, part),
                             part_words(row, part));
    return parent;
}

/* The host's copy of words first .. end - 1 of what this side knows, each step-th of them. */
device_inline void publish_words(const struct work *work, u64 first, u64 end, u64 step)
{
    for (u64 w = first; w < end; w += step) work->mirror[w] = atom_load(&work->visited[w], order_relaxed);
}

/* The vertices of bitmap words first .. end - 1, for the whole group; then the host's copy of these words. */
device_inline void bottom_up(const struct work *work, u64 first, u64 end)
{
    for (u64 v = first * 32 + item_id(); v < end * 32 && v < work->vertices; v += group_size()) {
        u32 vertex = (u32)v, bit = 1u << vertex % 32, parent;
        /* relaxed, here and below: one group has these words in this level. */
        if ((atom_load(&work->visited[vertex / 32], order_relaxed) & bit) != 0) continue;
        parent = find_parent(work, v);
        if (parent == NO_PARENT) continue;
        (void)atom_or(&work->visited[vertex / 32], bit, order_relaxed);
        work->parent[vertex] = parent;
    }
    group_barrier();
    publish_words(work, first + item_id(), end, group_size());
}

device_inline void claim(const struct work *work, u32 vertex, u32 parent)
{
    u32 bit = 1u << vertex % 32;
    /* relaxed: the bit decides who writes parent[]; what is there is read after all groups have met. */
    if ((atom_load(&work->visited[vertex / 32], order_relaxed) & bit) != 0) return;
    if ((atom_or(&work->visited[vertex / 32], bit, order_relaxed) & bit) == 0) work->parent[vertex] = parent;
}

/* Claims count neighbours of vertex, in words from at on, lane by lane: width items call. From a whole line of memory
 * on, four lines at once. */
device_inline void expand_part(const struct work *work, u32 vertex, global_mem const u32 *words, u64 at,
                                      u32 count, u32 lane, u32 width)
{
    u32 begin = (u32)at % row_lanes, end = begin + count;
    words += at - begin;
    for (u32 arc = lane; arc < end; arc += 4 * width) {
        u32 b = arc + width, c = b + width, d = c + width;
        u32 at_a = arc >= begin ? words[arc] : vertex;
        u32 at_b = b >= begin && b < end ? words[b] : vertex;
        u32 at_c = c >= begin && c < end ? words[c] : vertex;
        u32 at_d = d >= begin && d < end ? words[d] : vertex;
        claim(work, at_a, vertex); /* the vertex itself is visited */
        claim(work, at_b, vertex);
        claim(work, at_c, vertex);
        claim(work, at_d, vertex);
    }
}

device_inline void expand(const struct work *work, u64 vertex, struct row row, u32 lane, u32 width)
{
    for (u32 part = 0; part < 2; part++) {
        u32 count = part_words(row, part);
        u64 at = part_at(&work->out, vertex, row, part);
        if (count != 0) expand_part(work, (u32)vertex, part_of(&work->out, part), at, count, lane, width);
    }
}

/* The frontier's vertices in bitmap words first .. end - 1, for the whole group. */
device_inline void top_down(const struct work *work, u64 first, u64 end)
{
    u32 width = group_size() < row_lanes ? group_size() : row_lanes;
    u32 lane = item_id() % width, team = item_id() / width, teams = group_size() / width;
    for (u64 w = first + team; w < end; w += teams) {
        u32 put_off = 0;
        for (u32 bits = work->front[w], at = 0; bits != 0; bits >>= 1, at++) {
            if ((bits & 1) == 0) continue;
            struct row row = row_of(&work->out, w * 32 + at);
            if (row_words(row) > long_row)
                put_off |= 1u << at;
            else
                expand(work, w * 32 + at, row, lane, width);
        }
        if (lane == 0) work->long_rows[w - first] = put_off;
    }
    group_barrier();
    for (u64 w = first; w < end; w++)
        for (u32 bits = work->long_rows[w - first], at = 0; bits != 0; bits >>= 1, at++) {
            u64 v = w * 32 + at;
            if ((bits & 1) != 0) expand(work, v, row_of(&work->out, v), item_id(), group_size());
        }
    group_barrier(); /* long_rows is free again */
}

/* ---- what range.cl calls ---- */

/* The first item of all in a loop of all items, and how many there are. */
device_inline u64 own_item(void)
{
    return group_id() * group_size() + item_id();
}

device_inline u64 all_items(void)
{
    return group_count() * group_size();
}

device_inline global_mem const u32 *host_visited(const struct work *work, local_mem const u64 *order)
{
    return order[ORDER_SIDE] == 0 ? work->host_a : work->host_b;
}

/* If the host ran some levels alone, takes the state of the search from it. */
device_inline void work_begin(const struct work *work, const struct protocol *p, local_mem const u64 *order)
{
    global_mem const u32 *visited = host_visited(work, order);
    if (order[ORDER_FRESH] == 0) return;
    for (u64 w = own_item(); w < work->words; w += all_items()) {
        atom_store(&work->visited[w], visited[w], order_relaxed);
        work->before[w] = visited[w];
        work->front[w] = work->host_front[w];
    }
    protocol_barrier(p->state);
}

device_inline void run_range(const struct work *work, local_mem const u64 *order, u64 chunk)
{
    u64 first = chunk * work->chunk, end = first + work->chunk < work->words ? first + work->chunk : work->words;
    if (order[ORDER_KIND] == ORDER_BOTTOM_UP)
        bottom_up(work, first, end);
    else
        top_down(work, first, end);
}

/* Bottom-up each chunk's words were published with it. */
device_inline void work_publish(const struct work *work, const struct protocol *p, local_mem const u64 *order)
{
    if (order[ORDER_KIND] == ORDER_BOTTOM_UP) return;
    protocol_barrier(p->state);
    publish_words(work, own_item(), work->words, all_items());
}

/* Adds what items of the group have in value to *sum. */
device_inline void add_up(const struct work *work, global_mem atom64 *sum, u64 value)
{
    work->sums[item_id()] = value;
    for (u32 step = group_size() / 2; step > 0; step /= 2) {
        group_barrier();
        if (item_id() < step) work->sums[item_id()] += work->sums[item_id() + step];
    }
    /* relaxed: read after the groups have met. */
    if (item_id() == 0) (void)atom_add(sum, work->sums[0], order_relaxed);
}

/* What the host found in word w, and what was found here, becomes the frontier; returns it. */
device_inline u32 merge_word(const struct work *work, u64 w, u32 host)
{
    u32 all = host | atom_load(&work->visited[w], order_relaxed), found = all & ~work->before[w];
    atom_store(&work->visited[w], all, order_relaxed);
    work->before[w] = all;
    work->front[w] = found;
    return found;
}

/* What either side found becomes the frontier, has its depth, and its degrees are summed up. */
device_inline void merge(const struct work *work, const struct protocol *p, local_mem const u64 *order)
{
    global_mem const u32 *host = host_visited(work, order);
    u64 degrees = 0;
    for (u64 base = group_id() * group_size(); base < work->words; base += all_items()) {
        u64 w = base + item_id();
        work->found[item_id()] = w < work->words ? merge_word(work, w, host[w]) : 0;
        group_barrier();
        for (u32 i = item_id(); i < group_size() * 32; i += group_size()) {
            u64 v = base * 32 + i;
            if ((work->found[i / 32] >> i % 32 & 1) == 0) continue;
            work->depth[v] = (u32)order[ORDER_LEVEL] + 1;
            degrees += row_words(row_of(&work->out, v));
        }
        group_barrier(); /* found is free again */
    }
    add_up(work, &p->state[BFS_DEGREES], degrees);
}

device_inline void work_reply(const struct work *work, const struct protocol *p, local_mem const u64 *order, u64 n)
{
    (void)work;
    protocol_answer(p, n, REPLY_DEGREES, atom_load(&p->state[BFS_DEGREES], order_relaxed));
    if (order[ORDER_KIND] == ORDER_END) atom_store(&p->state[BFS_DEGREES], 0, order_relaxed);
}

/* bound, base, kept, rest: the rows of the graph (engine/split_rows.h); in_..: those of its reverse. rest and in_rest
 * are the host's. visited, before, front: bitmaps of (vertices + 31) / 32 words, parent, depth: vertices words, state:
 * BFS_STATE words, all the device's. host_a, host_b, host_front, mirror: bitmaps, words: PROTOCOL_WORDS words, stats:
 * RANGE_STATS words a group, all the host's. chunk: words of a bitmap in a chunk, at most BFS_CHUNK_WORDS. The group
 * size is a power of two. */
kernel_entry bfs_host_resident(global_mem host64 *words, global_mem atom64 *state, global_mem const u64 *bound,
                               global_mem const u64 *base, global_mem const u32 *kept, global_mem const u32 *rest,
                               global_mem const u64 *in_bound, global_mem const u64 *in_base,
                               global_mem const u32 *in_kept, global_mem const u32 *in_rest,
                               global_mem atom32 *visited, global_mem u32 *before, global_mem u32 *front,
                               global_mem u32 *parent, global_mem u32 *depth, global_mem const u32 *host_a,
                               global_mem const u32 *host_b, global_mem const u32 *host_front, global_mem u32 *mirror,
                               global_mem u64 *stats, u64 vertices, u64 chunk, u64 window, u64 patience, u64 launch)
{
    local_array(u64, order, PROTOCOL_SLOT + 2);
    local_array(u64, sums, GWS_GROUP_SIZE);
    local_array(u32, found, GWS_GROUP_SIZE);
    local_array(u32, long_rows, BFS_CHUNK_WORDS);
    struct protocol protocol = {words, state, launch, patience, window};
    struct work work = {{bound, base, kept, rest}, {in_bound, in_base, in_kept, in_rest},
                        visited, before, front, parent, depth, mirror, host_a, host_b, host_front,
                        found, long_rows, sums, vertices, (vertices + 31) / 32, chunk};
    range_serve(&work, &protocol, order, stats + group_id() * RANGE_STATS);
}
