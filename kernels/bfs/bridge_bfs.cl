/* SPDX-License-Identifier: MIT */
/* The device's side of a breadth-first search whose large levels host and device run together, each of them over its
 * own bitmaps (bridge_words.h has the protocol; traversal/graph/bfs/device/host_resident.c is the host's side). Bitmaps do not
 * leave the device, row bounds as there is room. Of the arcs the device has the first words of rows, and hubs' rows as
 * wholes, as there is room (bridge_bfs_words.h, traversal/graph/bfs/device/host_resident_rows.c); the others are read in
 * place, in the host's memory.
 *
 * Bottom-up levels (Beamer et al., SC'12): each unvisited vertex of a chunk looks for a neighbour in the frontier.
 * Top-down: each frontier vertex of a chunk claims its neighbours, 32 items to a row, so that neighbouring arcs cross
 * the bus together (Min et al., "EMOGI", VLDB 2020, section 4.3); long rows take the whole group.
 *
 * State: visited holds what this side knows or found, before what both knew when the level began, front the vertices at
 * its depth. Each side finds on its own, so both may find a vertex: at the same depth, by different parents. Each keeps
 * its parents to itself (own): single words would cross the bus one by one, and take longer than the rest of the level.
 * The device writes the depths of what both found, which takes it a hundredth of what the host's memory would; the host
 * notes which vertices these are and which of them the device alone found, and fetches depths and parents after the
 * search. */

enum { bridge_long_row = 1024, bridge_lanes = 32 };

/* Of the graph, or of its reverse. */
struct bridge_rows {
    global_mem const u64 *bound, *base;
    global_mem const u32 *kept, *rest;
};

struct bridge_bfs {
    struct bridge_rows out, in;
    global_mem atom32 *visited;
    global_mem u32 *before, *front, *own, *depth, *mirror; /* mirror: the host's copy of what this side knows */
    global_mem u64 *stats;                                 /* this group's, the host's to read after the search */
    u64 vertices, words;                                   /* words of a bitmap */
    u32 level;
};

/* The two bounds of a row; what they tell. */
struct bridge_row {
    u64 at, end;
};

device_inline struct bridge_row bridge_row_of(const struct bridge_rows *rows, u64 vertex)
{
    struct bridge_row row = {rows->bound[vertex], rows->bound[vertex + 1]};
    return row;
}

device_inline u32 bridge_kept(struct bridge_row row)
{
    return (u32)row.end - (u32)row.at;
}

device_inline u32 bridge_rest(struct bridge_row row)
{
    return (u32)(row.end >> 32) - (u32)(row.at >> 32);
}

/* Where a part begins, from the lower half of that number and what it was at the beginning of the block. */
device_inline u64 bridge_place(u64 base, u32 low)
{
    u32 since = low - (u32)base;
    return base + since;
}

device_inline u64 bridge_kept_at(const struct bridge_rows *rows, u64 vertex, struct bridge_row row)
{
    return bridge_place(rows->base[vertex / BRIDGE_BLOCK * 2], (u32)row.at);
}

device_inline u64 bridge_rest_at(const struct bridge_rows *rows, u64 vertex, struct bridge_row row)
{
    return bridge_place(rows->base[vertex / BRIDGE_BLOCK * 2 + 1], (u32)(row.at >> 32));
}

device_inline bool bridge_has(global_mem const u32 *bitmap, u32 vertex)
{
    return (bitmap[vertex / 32] >> vertex % 32 & 1) != 0;
}

/* The first of these count neighbours, from words[at] on, that is in the frontier, or NONE. What lies in one piece of
 * what crosses the bus is read at once: a word by itself would have to be asked for as long, and no cache keeps what it
 * came with until it is wanted. */
device_inline u32 bridge_find(global_mem const u32 *front, global_mem const u32 *words, u64 at, u32 count)
{
    u32 begin = (u32)at % BRIDGE_PIECE, end = begin + count;
    words += at - begin;
    for (u32 piece = 0; piece < end; piece += BRIDGE_PIECE) {
        u32 word[BRIDGE_PIECE];
        for (u32 i = 0; i < BRIDGE_PIECE; i++) {
            u32 from = piece + i > begin ? piece + i : begin; /* no word before the row or behind it */
            word[i] = words[from < end ? from : end - 1];
        }
        for (u32 i = 0; i < BRIDGE_PIECE; i++)
            if (piece + i >= begin && piece + i < end && bridge_has(front, word[i])) return word[i];
    }
    return 0xffffffffu;
}

/* The same of all the vertex's neighbours: first among those that the device has. */
device_inline u32 bridge_find_parent(const struct bridge_bfs *bfs, u64 vertex)
{
    struct bridge_row row = bridge_row_of(&bfs->in, vertex);
    u32 parent = 0xffffffffu;
    if (bridge_kept(row) != 0)
        parent = bridge_find(bfs->front, bfs->in.kept, bridge_kept_at(&bfs->in, vertex, row), bridge_kept(row));
    if (parent == 0xffffffffu && bridge_rest(row) != 0)
        parent = bridge_find(bfs->front, bfs->in.rest, bridge_rest_at(&bfs->in, vertex, row), bridge_rest(row));
    return parent;
}

/* The vertices of bitmap words first .. end - 1, for the whole group; then the host's copy of these words. */
device_inline void bridge_bottom_up(const struct bridge_bfs *bfs, u64 first, u64 end)
{
    for (u64 v = first * 32 + item_id(); v < end * 32 && v < bfs->vertices; v += group_size()) {
        u32 vertex = (u32)v, bit = 1u << vertex % 32, parent;
        /* relaxed, here and below: one group has these words in this level. */
        if ((atom_load(&bfs->visited[vertex / 32], order_relaxed) & bit) != 0) continue;
        parent = bridge_find_parent(bfs, v);
        if (parent == 0xffffffffu) continue;
        (void)atom_or(&bfs->visited[vertex / 32], bit, order_relaxed);
        bfs->own[vertex] = parent;
    }
    group_barrier();
    for (u64 w = first + item_id(); w < end; w += group_size())
        bfs->mirror[w] = atom_load(&bfs->visited[w], order_relaxed);
}

device_inline void bridge_claim(const struct bridge_bfs *bfs, u32 vertex, u32 parent)
{
    u32 bit = 1u << vertex % 32;
    /* relaxed: the bit decides who writes own[]; what is there is read after all groups have met. */
    if ((atom_load(&bfs->visited[vertex / 32], order_relaxed) & bit) != 0) return;
    if ((atom_or(&bfs->visited[vertex / 32], bit, order_relaxed) & bit) == 0) bfs->own[vertex] = parent;
}

/* Claims count neighbours of vertex, in words from at on, lane by lane: width items call. From a whole line of memory
 * on, four lines at once. */
device_inline void bridge_expand_part(const struct bridge_bfs *bfs, u32 vertex, global_mem const u32 *words, u64 at,
                                      u32 count, u32 lane, u32 width)
{
    u32 begin = (u32)at % bridge_lanes, end = begin + count;
    words += at - begin;
    for (u32 arc = lane; arc < end; arc += 4 * width) {
        u32 b = arc + width, c = b + width, d = c + width;
        u32 at_a = arc >= begin ? words[arc] : vertex;
        u32 at_b = b >= begin && b < end ? words[b] : vertex;
        u32 at_c = c >= begin && c < end ? words[c] : vertex;
        u32 at_d = d >= begin && d < end ? words[d] : vertex;
        bridge_claim(bfs, at_a, vertex); /* the vertex itself is visited */
        bridge_claim(bfs, at_b, vertex);
        bridge_claim(bfs, at_c, vertex);
        bridge_claim(bfs, at_d, vertex);
    }
}

device_inline void bridge_expand(const struct bridge_bfs *bfs, u64 vertex, struct bridge_row row, u32 lane, u32 width)
{
    for (u32 part = 0; part < 2; part++) {
        u32 count = part == 0 ? bridge_kept(row) : bridge_rest(row);
        u64 at = part == 0 ? bridge_kept_at(&bfs->out, vertex, row) : bridge_rest_at(&bfs->out, vertex, row);
        global_mem const u32 *words = part == 0 ? bfs->out.kept : bfs->out.rest;
        if (count != 0) bridge_expand_part(bfs, (u32)vertex, words, at, count, lane, width);
    }
}

/* The frontier's vertices in bitmap words first .. end - 1, for the whole group. long_rows: as many words. */
device_inline void bridge_top_down(const struct bridge_bfs *bfs, u64 first, u64 end, local_mem u32 *long_rows)
{
    u32 width = group_size() < bridge_lanes ? group_size() : bridge_lanes;
    u32 lane = item_id() % width, team = item_id() / width, teams = group_size() / width;
    for (u64 w = first + team; w < end; w += teams) {
        u32 put_off = 0;
        for (u32 bits = bfs->front[w], at = 0; bits != 0; bits >>= 1, at++) {
            if ((bits & 1) == 0) continue;
            struct bridge_row row = bridge_row_of(&bfs->out, w * 32 + at);
            if (bridge_kept(row) + bridge_rest(row) > bridge_long_row)
                put_off |= 1u << at;
            else
                bridge_expand(bfs, w * 32 + at, row, lane, width);
        }
        if (lane == 0) long_rows[w - first] = put_off;
    }
    group_barrier();
    for (u64 w = first; w < end; w++)
        for (u32 bits = long_rows[w - first], at = 0; bits != 0; bits >>= 1, at++) {
            u64 v = w * 32 + at;
            if ((bits & 1) != 0) bridge_expand(bfs, v, bridge_row_of(&bfs->out, v), item_id(), group_size());
        }
    group_barrier(); /* long_rows is free again */
}

/* Runs chunks until host and device have met; all groups. shared: a word of local memory. */
device_inline void bridge_run_level(const struct bridge_bfs *bfs, global_mem host64 *words, global_mem atom64 *state,
                                    local_mem const u64 *order, u64 n, u64 window, u64 chunk, local_mem u64 *shared,
                                    local_mem u32 *long_rows)
{
    u64 count = order[BRIDGE_COUNT], first = order[BRIDGE_FIRST], split = order[BRIDGE_SPLIT];
    u64 ran = 0, stolen = 0, steals = 0;
    bool bottom_up = order[BRIDGE_WHAT] == BRIDGE_BOTTOM_UP;
    for (;;) {
        if (item_id() == 0) shared[0] = bridge_take(words, state, n, count, first, window);
        group_barrier();
        u64 mine = shared[0], end;
        group_barrier(); /* shared is free again */
        if (mine == BRIDGE_NO_CHUNK) break;
        end = (mine + 1) * chunk < bfs->words ? (mine + 1) * chunk : bfs->words;
        ran += (end - mine * chunk) * 32;
        if (mine < split) stolen += (end - mine * chunk) * 32;
        if (mine < split) steals++;
        if (bottom_up)
            bridge_bottom_up(bfs, mine * chunk, end);
        else
            bridge_top_down(bfs, mine * chunk, end, long_rows);
    }
    if (item_id() == 0) {
        bfs->stats[BRIDGE_STATS_RAN] += ran;
        bfs->stats[BRIDGE_STATS_STOLEN] += stolen;
        bfs->stats[BRIDGE_STATS_STEALS] += steals;
    }
    if (bottom_up) return;
    bridge_meet(state);
    for (u64 w = group_id() * group_size() + item_id(); w < bfs->words; w += group_count() * group_size())
        bfs->mirror[w] = atom_load(&bfs->visited[w], order_relaxed);
}

/* Takes the state of the search from the host. */
device_inline void bridge_load(const struct bridge_bfs *bfs, global_mem const u32 *visited, global_mem const u32 *front)
{
    for (u64 w = group_id() * group_size() + item_id(); w < bfs->words; w += group_count() * group_size()) {
        atom_store(&bfs->visited[w], visited[w], order_relaxed);
        bfs->before[w] = visited[w];
        bfs->front[w] = front[w];
    }
}

/* Adds what items of the group have in value to *sum. scratch: GWS_GROUP_SIZE words. */
device_inline void bridge_add_up(global_mem atom64 *sum, u64 value, local_mem u64 *scratch)
{
    scratch[item_id()] = value;
    for (u32 step = group_size() / 2; step > 0; step /= 2) {
        group_barrier();
        if (item_id() < step) scratch[item_id()] += scratch[item_id() + step];
    }
    /* relaxed: read after the groups have met. */
    if (item_id() == 0) (void)atom_add(sum, scratch[0], order_relaxed);
}

/* What the host found (theirs) and what was found here becomes the frontier, and has its depth. Returns the degrees of
 * this item's part of it. found: words of local memory, one an item. */
device_inline u64 bridge_merge(const struct bridge_bfs *bfs, global_mem const u32 *theirs, local_mem u32 *found)
{
    u64 degrees = 0;
    for (u64 base = group_id() * group_size(); base < bfs->words; base += group_count() * group_size()) {
        u64 w = base + item_id();
        found[item_id()] = 0;
        if (w < bfs->words) {
            u32 host = theirs[w], mine = atom_load(&bfs->visited[w], order_relaxed), before = bfs->before[w];
            found[item_id()] = (host | mine) & ~before;
            atom_store(&bfs->visited[w], host | mine, order_relaxed);
            bfs->before[w] = host | mine;
            bfs->front[w] = (host | mine) & ~before;
        }
        group_barrier();
        for (u32 i = item_id(); i < group_size() * 32; i += group_size()) {
            u64 v = base * 32 + i;
            if ((found[i / 32] >> i % 32 & 1) == 0) continue;
            bfs->depth[v] = bfs->level + 1;
            struct bridge_row row = bridge_row_of(&bfs->out, v);
            degrees += bridge_kept(row) + bridge_rest(row);
        }
        group_barrier(); /* found is free again */
    }
    return degrees;
}

/* bound, base, kept, rest: the rows of the graph (bridge_bfs_words.h); in_..: those of its reverse. rest and in_rest
 * are the host's. visited, before, front: bitmaps of (vertices + 31) / 32 words, own, depth: vertices words, state:
 * BRIDGE_BFS_STATE words, all the device's. host_a, host_b, host_front, mirror: bitmaps, words: BRIDGE_WORDS words,
 * stats: BRIDGE_STATS_STRIDE words a group, all the host's. chunk: words of a bitmap in a chunk, at most
 * BRIDGE_MOST_WORDS. The group size is a power of two. */
kernel_entry bridge_search(global_mem host64 *words, global_mem atom64 *state, global_mem const u64 *bound,
                           global_mem const u64 *base, global_mem const u32 *kept, global_mem const u32 *rest,
                           global_mem const u64 *in_bound, global_mem const u64 *in_base, global_mem const u32 *in_kept,
                           global_mem const u32 *in_rest, global_mem atom32 *visited, global_mem u32 *before,
                           global_mem u32 *front, global_mem u32 *own, global_mem u32 *depth,
                           global_mem const u32 *host_a, global_mem const u32 *host_b, global_mem const u32 *host_front,
                           global_mem u32 *mirror, global_mem u64 *stats, u64 vertices, u64 chunk, u64 window,
                           u64 launch, u64 patience)
{
    local_array(u64, order, BRIDGE_SLOT + 1);
    local_array(u64, scratch, GWS_GROUP_SIZE);
    local_array(u32, found, GWS_GROUP_SIZE);
    local_array(u32, long_rows, BRIDGE_MOST_WORDS);
    struct bridge_bfs bfs = {{bound, base, kept, rest}, {in_bound, in_base, in_kept, in_rest},
                             visited, before, front, own, depth, mirror, stats + group_id() * BRIDGE_STATS_STRIDE,
                             vertices, (vertices + 31) / 32, 0};
    u64 n = item_id() == 0 ? host_load(&words[BRIDGE_REPLY], order_relaxed) : 0;
    while (bridge_await(words, state, launch, patience, window, order, &n)) {
        u64 what = order[BRIDGE_WHAT];
        global_mem const u32 *theirs = order[BRIDGE_SIDE] == 0 ? host_a : host_b;
        bfs.level = (u32)order[BRIDGE_LEVEL];
        if (what == BRIDGE_MERGE) {
            u64 degrees = bridge_merge(&bfs, theirs, found);
            bridge_add_up(&state[BRIDGE_DEGREE_SUM], degrees, scratch);
        } else if (what != BRIDGE_END) {
            if (order[BRIDGE_FRESH] != 0) {
                bridge_load(&bfs, theirs, host_front);
                bridge_meet(state);
            }
            bridge_run_level(&bfs, words, state, order, n, window, chunk, scratch, long_rows);
        }
        /* Who replies has seen what all items wrote, to the host's memory, too; so its release passes it on. */
        bridge_meet(state);
        if (group_id() * group_size() + item_id() == 0) {
            u64 reply = BRIDGE_REPLY_SLOTS + n % BRIDGE_ORDERS * BRIDGE_SLOT;
            host_store(&words[reply + BRIDGE_RAN], atom_load(&state[BRIDGE_LIMIT], order_relaxed) / 2, order_relaxed);
            host_store(&words[reply + BRIDGE_DEGREES], atom_load(&state[BRIDGE_DEGREE_SUM], order_relaxed),
                       order_relaxed);
            if (what == BRIDGE_END) atom_store(&state[BRIDGE_DEGREE_SUM], 0, order_relaxed);
            bridge_reply(words, n);
        }
        if (what == BRIDGE_END) return;
    }
}
