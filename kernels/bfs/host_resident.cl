/* SPDX-License-Identifier: MIT */
/* Breadth-first search of a graph whose arcs stay in the host's memory, as an algorithm on a two-ended range
 * (kernels/hetero/range.cl). Host and device run the large levels together, each with its own bitmaps.
 * traversal/graph/bfs/device/host_resident.c is the host's side. The device holds the bitmaps and, as far as its memory
 * permits, row bounds, the first words of rows, and the complete rows of hubs (engine/split_rows.h). It reads other
 * arcs in place, in the host's memory.
 *
 * Bottom-up levels (Beamer et al., SC'12): each unvisited vertex of a chunk looks for a neighbour in the frontier.
 * Top-down levels: each frontier vertex of a chunk claims its neighbours. 32 items read a row together, and
 * neighbouring arcs cross the bus in one transfer (Min et al., "EMOGI", VLDB 2020, section 4.3). The whole group reads
 * long rows.
 *
 * State: `visited` holds the vertices that this side knows or has found, `before` the vertices that both sides knew
 * when the level began, and `frontier` the vertices at the level's depth. Each side finds vertices independently. So
 * both may find a vertex, at the same depth but with different parents. Each side keeps its own parents (parent).
 * Transfers of single parents over the bus would take longer than the rest of the level. The device writes the depths
 * of all found vertices, which takes a hundredth of the time of writes to the host's memory. The host marks these
 * vertices and those that only the device found, and fetches depths and parents after the search. */

enum { long_row = 1024, row_lanes = 32 };

#define NO_PARENT 0xffffffffu

struct range_operator {
    struct split_rows out, in;
    global_mem atom32 *visited;
    global_mem u32 *before, *frontier, *parent, *depth, *mirror; /* mirror: the host's copy of this side's visited */
    global_mem const u32 *host_a, *host_b, *host_frontier;
    local_mem u32 *found, *long_rows; /* found: a word per item; long_rows: BFS_CHUNK_WORDS words */
    local_mem u64 *sums;              /* a word per item */
    u64 vertices, words, chunk;       /* vertices; words of a bitmap; words of a bitmap per chunk */
};

device_inline bool is_in(global_mem const u32 *bitmap, u32 vertex)
{
    return (bitmap[vertex / 32] >> vertex % 32 & 1) != 0;
}

/* Returns the first of count neighbours, from words[at] on, that is in the frontier, or NO_PARENT. Reads the words of
 * one bus transfer at once. A separate read of each word would take as long as the transfer, because no cache holds the
 * line until the next read. */
device_inline u32 find_in_frontier(global_mem const u32 *frontier, global_mem const u32 *words, u64 at, u32 count)
{
    u32 begin = (u32)at % SPLIT_ROWS_PIECE, end = begin + count;
    words += at - begin;
    for (u32 piece = 0; piece < end; piece += SPLIT_ROWS_PIECE) {
        u32 word[SPLIT_ROWS_PIECE];
        for (u32 i = 0; i < SPLIT_ROWS_PIECE; i++) {
            u32 from = piece + i > begin ? piece + i : begin; /* the index stays inside the row */
            word[i] = words[from < end ? from : end - 1];
        }
        for (u32 i = 0; i < SPLIT_ROWS_PIECE; i++)
            if (piece + i >= begin && piece + i < end && is_in(frontier, word[i])) return word[i];
    }
    return NO_PARENT;
}

/* Calls find_in_frontier() for all neighbours of the vertex, the cached ones first. */
device_inline u32 find_parent(const struct range_operator *work, u64 vertex)
{
    struct split_row row = row_of(&work->in, vertex);
    u32 parent = NO_PARENT;
    unrolled for (u32 part = 0; part < 2; part++) if (parent == NO_PARENT && part_words(row, part) != 0) parent =
        find_in_frontier(work->frontier, part_of(&work->in, part), part_at(&work->in, vertex, row, part),
                         part_words(row, part));
    return parent;
}

/* Writes every step-th of this side's visited words first .. end - 1 to the host's copy. */
device_inline void publish_words(const struct range_operator *work, u64 first, u64 end, u64 step)
{
    for (u64 w = first; w < end; w += step) work->mirror[w] = atom_load(&work->visited[w], order_relaxed);
}

/* The whole group runs bottom-up for the vertices of bitmap words first .. end - 1. It then publishes these words to
 * the host. */
device_inline void bottom_up(const struct range_operator *work, u64 first, u64 end)
{
    for (u64 v = first * 32 + item_id(); v < end * 32 && v < work->vertices; v += group_size()) {
        u32 vertex = (u32)v, bit = 1u << vertex % 32, parent;
        /* relaxed, also in the atom_or() below: one group owns these words in this level. */
        if ((atom_load(&work->visited[vertex / 32], order_relaxed) & bit) != 0) continue;
        parent = find_parent(work, v);
        if (parent == NO_PARENT) continue;
        (void)atom_or(&work->visited[vertex / 32], bit, order_relaxed);
        work->parent[vertex] = parent;
    }
    group_barrier();
    publish_words(work, first + item_id(), end, group_size());
}

device_inline void claim(const struct range_operator *work, u32 vertex, u32 parent)
{
    u32 bit = 1u << vertex % 32;
    /* relaxed: the bit decides which item writes parent[]. Other groups read parent[] after a barrier of all groups. */
    if ((atom_load(&work->visited[vertex / 32], order_relaxed) & bit) != 0) return;
    if ((atom_or(&work->visited[vertex / 32], bit, order_relaxed) & bit) == 0) work->parent[vertex] = parent;
}

/* Claims count neighbours of vertex, from words[at] on. The arcs are interleaved over width items, and lane is this
 * item's number. The loop starts at a whole line of memory and reads four lines at once. */
device_inline void expand_part(const struct range_operator *work, u32 vertex, global_mem const u32 *words, u64 at,
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
        claim(work, at_a, vertex); /* vertex stands for "no arc": vertex is visited */
        claim(work, at_b, vertex);
        claim(work, at_c, vertex);
        claim(work, at_d, vertex);
    }
}

device_inline void expand(const struct range_operator *work, u64 vertex, struct split_row row, u32 lane, u32 width)
{
    for (u32 part = 0; part < 2; part++) {
        u32 count = part_words(row, part);
        u64 at = part_at(&work->out, vertex, row, part);
        if (count != 0) expand_part(work, (u32)vertex, part_of(&work->out, part), at, count, lane, width);
    }
}

/* The whole group runs top-down for the frontier's vertices in bitmap words first .. end - 1. */
device_inline void top_down(const struct range_operator *work, u64 first, u64 end)
{
    u32 width = group_size() < row_lanes ? group_size() : row_lanes;
    u32 lane = item_id() % width, team = item_id() / width, teams = group_size() / width;
    for (u64 w = first + team; w < end; w += teams) {
        u32 postponed = 0;
        for (u32 bits = work->frontier[w], at = 0; bits != 0; bits >>= 1, at++) {
            if ((bits & 1) == 0) continue;
            struct split_row row = row_of(&work->out, w * 32 + at);
            if (row_words(row) > long_row)
                postponed |= 1u << at;
            else
                expand(work, w * 32 + at, row, lane, width);
        }
        if (lane == 0) work->long_rows[w - first] = postponed;
    }
    group_barrier();
    for (u64 w = first; w < end; w++)
        for (u32 bits = work->long_rows[w - first], at = 0; bits != 0; bits >>= 1, at++) {
            u64 v = w * 32 + at;
            if ((bits & 1) != 0) expand(work, v, row_of(&work->out, v), item_id(), group_size());
        }
    group_barrier(); /* all items have read long_rows */
}

/* ---- called by range.cl ---- */

/* own_item() returns this item's number among the items of all groups, and all_items() returns the number of those
 * items. Loops over all items use both functions. */
device_inline u64 own_item(void)
{
    return group_id() * group_size() + item_id();
}

device_inline u64 all_items(void)
{
    return group_count() * group_size();
}

device_inline global_mem const u32 *host_visited(const struct range_operator *work, local_mem const u64 *order)
{
    return order[ORDER_SIDE] == 0 ? work->host_a : work->host_b;
}

/* Copies the state of the search from the host if the host has run levels by itself. */
device_inline void work_begin(const struct range_operator *work, const struct protocol *p, local_mem const u64 *order)
{
    global_mem const u32 *visited = host_visited(work, order);
    if (order[ORDER_FRESH] == 0) return;
    for (u64 w = own_item(); w < work->words; w += all_items()) {
        atom_store(&work->visited[w], visited[w], order_relaxed);
        work->before[w] = visited[w];
        work->frontier[w] = work->host_frontier[w];
    }
    protocol_barrier(p->state);
}

device_inline void run_range(const struct range_operator *work, local_mem const u64 *order, u64 chunk)
{
    u64 first = chunk * work->chunk, end = first + work->chunk < work->words ? first + work->chunk : work->words;
    if (order[ORDER_KIND] == ORDER_BOTTOM_UP)
        bottom_up(work, first, end);
    else
        top_down(work, first, end);
}

/* Publishes the words of a top-down level. In a bottom-up level, bottom_up() publishes the words of each chunk. */
device_inline void work_publish(const struct range_operator *work, const struct protocol *p, local_mem const u64 *order)
{
    if (order[ORDER_KIND] == ORDER_BOTTOM_UP) return;
    protocol_barrier(p->state);
    publish_words(work, own_item(), work->words, all_items());
}

/* Adds the values of the group's items to *sum. */
device_inline void group_add(const struct range_operator *work, global_mem atom64 *sum, u64 value)
{
    work->sums[item_id()] = value;
    for (u32 step = group_size() / 2; step > 0; step /= 2) {
        group_barrier();
        if (item_id() < step) work->sums[item_id()] += work->sums[item_id() + step];
    }
    /* relaxed: items read the sum only after a barrier of all groups. */
    if (item_id() == 0) (void)atom_add(sum, work->sums[0], order_relaxed);
}

/* Merges the vertices that the host found in word w with the vertices that the device found. Returns the merged
 * frontier's word. */
device_inline u32 merge_word(const struct range_operator *work, u64 w, u32 host)
{
    u32 all = host | atom_load(&work->visited[w], order_relaxed), found = all & ~work->before[w];
    atom_store(&work->visited[w], all, order_relaxed);
    work->before[w] = all;
    work->frontier[w] = found;
    return found;
}

/* Makes the frontier of the vertices that either side found, writes their depths, and adds up their degrees. */
device_inline void merge(const struct range_operator *work, const struct protocol *p, local_mem const u64 *order)
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
        group_barrier(); /* all items have read found */
    }
    group_add(work, &p->state[BFS_DEGREES], degrees);
}

device_inline void work_reply(const struct range_operator *work, const struct protocol *p, local_mem const u64 *order,
                              u64 n)
{
    (void)work;
    protocol_write_reply(p, n, REPLY_DEGREES, atom_load(&p->state[BFS_DEGREES], order_relaxed));
    if (order[ORDER_KIND] == ORDER_END) atom_store(&p->state[BFS_DEGREES], 0, order_relaxed);
}

/* bound, base, cached, host: the rows of the graph (engine/split_rows.h). in_..: the rows of its reverse. host and
 * in_host are memory of the host. Memory of the device: visited, before, frontier: bitmaps of (vertices + 31) / 32
 * words. parent, depth: vertices words. state: BFS_STATE words. Memory of the host: host_a, host_b, host_frontier,
 * mirror: bitmaps. words: PROTOCOL_WORDS words. stats: RANGE_STATS words per group. chunk: words of a bitmap in a
 * chunk, at most BFS_CHUNK_WORDS. The group size is a power of two. */
kernel_entry bfs_host_resident(global_mem host64 *words, global_mem atom64 *state, global_mem const u64 *bound,
                               global_mem const u64 *base, global_mem const u32 *cached, global_mem const u32 *host,
                               global_mem const u64 *in_bound, global_mem const u64 *in_base,
                               global_mem const u32 *in_cached, global_mem const u32 *in_host,
                               global_mem atom32 *visited, global_mem u32 *before, global_mem u32 *frontier,
                               global_mem u32 *parent, global_mem u32 *depth, global_mem const u32 *host_a,
                               global_mem const u32 *host_b, global_mem const u32 *host_frontier,
                               global_mem u32 *mirror, global_mem u64 *stats, u64 vertices, u64 chunk, u64 window,
                               u64 patience, u64 launch)
{
    local_array(u64, order, PROTOCOL_SLOT + 2);
    local_array(u64, sums, GWS_GROUP_SIZE);
    local_array(u32, found, GWS_GROUP_SIZE);
    local_array(u32, long_rows, BFS_CHUNK_WORDS);
    struct protocol protocol = {words, state, launch, patience, window};
    struct range_operator work = {{bound, base, cached, host},
                                  {in_bound, in_base, in_cached, in_host},
                                  visited,
                                  before,
                                  frontier,
                                  parent,
                                  depth,
                                  mirror,
                                  host_a,
                                  host_b,
                                  host_frontier,
                                  found,
                                  long_rows,
                                  sums,
                                  vertices,
                                  (vertices + 31) / 32,
                                  chunk};
    range_serve(&work, &protocol, order, stats + group_id() * RANGE_STATS);
}
