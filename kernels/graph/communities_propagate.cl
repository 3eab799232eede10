/* SPDX-License-Identifier: MIT */
/* Synchronous label propagation (LDBC Graphalytics). An iteration reads the labels in one array and writes those in
 * another one. A vertex without a changed neighbour keeps its label, and is not read. If many labels change, marking
 * their neighbours costs more than it saves, so all vertices decide in the next iteration.
 *
 * A lane decides for a vertex with a short row, and the whole warp for each vertex with a longer row among its 32.
 * Groups decide for the vertices with long rows, which the first phase lists. */
#define PROPAGATE_CHUNK 4u /* blocks of WARP vertices that a warp acquires at once */
#define PROPAGATE_FEW 8u   /* marks pay if fewer than 1 / PROPAGATE_FEW of the labels change */

/* Three bitmaps of vertices take turns: those that decide now, those that decide next, and the one that is cleared. */
device_inline global_mem u32 *marks_of(const struct communities *s, u32 turn)
{
    return s->flags + (u64)(turn % 3) * ((s->p.vertices + 31) / 32);
}

device_inline void mark_neighbours(const struct communities *s, u32 node, struct team team)
{
    global_mem u32 *marks = marks_of(s, s->turn + 1);
    struct row row = row_of(s, node);
    for (u64 i = team.lane; i < row.arcs; i += team.lanes) {
        u32 to = i < row.outs ? s->target[row.begin + i] : s->source[row.other + (i - row.outs)];
        u32 bit = 1u << to % 32;
        if (!(word_stale(&marks[to / 32]) & bit)) (void)word_or(&marks[to / 32], bit);
    }
}

/* A team sets the next label of a vertex. Returns 1 in the first lane if the label changes. */
device_inline u32 set_label(const struct communities *s, u32 node, u32 label, struct team team, bool marks)
{
    bool changes = label != s->node[node];
    if (team.lane == 0) s->community[node] = label;
    if (changes && marks) mark_neighbours(s, node, team);
    return changes && team.lane == 0 ? 1 : 0;
}

device_inline bool decides(const struct communities *s, u32 node, bool everyone)
{
    return everyone || (word_stale(&marks_of(s, s->turn)[node / 32]) >> node % 32 & 1);
}

/* A warp handles WARP vertices from `base` on. Returns the number of labels that a lane has changed. */
device_inline u32 propagate_block(const struct communities *s, u64 base, bool everyone, bool marks)
{
    u64 v = base + lane_id();
    u32 changes = 0;
    struct team alone;
    struct row row;
    alone.lane = 0, alone.lanes = 1, alone.group = false;
    row.arcs = 0;
    bool mine = v < s->p.vertices, runs = mine && decides(s, (u32)v, everyone);
    if (runs) row = row_of(s, (u32)v);
    if (mine && !runs) s->community[v] = s->node[v];
    if (runs && row.arcs <= COMMUNITIES_SHORT)
        changes += set_label(s, (u32)v, decide_by_lane(s, (u32)v, &row), alone, marks);
    for (u32 rows = warp_ballot(row.arcs > COMMUNITIES_SHORT && row.arcs <= COMMUNITIES_LONG); rows; rows &= rows - 1) {
        u32 node = warp_shuffle((u32)v, first_bit(rows));
        changes += set_label(s, node, decide_by_warp(s, node), warp_team(), marks);
    }
    return changes;
}

device_inline u32 propagate_blocks(const struct communities *s, bool everyone, bool marks)
{
    u32 changes = 0, blocks = (s->p.vertices + WARP - 1) / WARP, begin = 0;
    while (begin < blocks) {
        begin = next_of_warp(s, PROPAGATE_CHUNK);
        u32 end = min_u32(begin + PROPAGATE_CHUNK, blocks);
        for (u32 block = begin; block < end; block++) changes += propagate_block(s, (u64)block * WARP, everyone, marks);
    }
    return changes;
}

device_inline u32 propagate_long_rows(const struct communities *s, bool everyone, bool marks)
{
    u32 changes = 0, rows = word_fresh(&s->count[FOUND_LONG]);
    for (u32 i = rows > 0 ? next_of_group(s) : 0; i < rows; i = next_of_group(s)) {
        u32 node = s->long_row[i];
        if (decides(s, node, everyone))
            changes += set_label(s, node, decide_by_team(s, group_team(), node), group_team(), marks);
    }
    return changes;
}

device_inline void begin_labels(const struct communities *s)
{
    u32 words = (s->p.vertices + 31) / 32;
    for (u64 base = s->first - lane_id(); base < s->p.vertices; base += s->items) {
        u64 v = base + lane_id();
        bool is_long = v < s->p.vertices && row_of(s, (u32)v).arcs > COMMUNITIES_LONG;
        u32 place = warp_reserve(&s->count[FOUND_LONG], is_long);
        if (v < s->p.vertices) s->node[v] = (u32)v;
        if (is_long) s->long_row[place] = (u32)v;
    }
    for (u64 i = s->first; i < 3 * (u64)words; i += s->items) s->flags[i] = 0;
}

/* Runs all iterations. The labels of the last one are in node[]. */
device_inline void propagate(struct communities *s)
{
    bool everyone = true, marks = false, more = true;
    begin_labels(s);
    pass_barrier(s);
    for (s->turn = 0; more; s->turn++) {
        next_phase(s);
        global_mem u32 *cleared = marks_of(s, s->turn + 2);
        for (u32 i = s->first; i < (s->p.vertices + 31) / 32; i += s->items) cleared[i] = 0;
        u32 changes = propagate_long_rows(s, everyone, marks);
        changes += propagate_blocks(s, everyone, marks);
        add_count(phase_word(s, PHASE_MOVES), changes);
        pass_barrier(s);
        global_mem u32 *labels = s->node;
        s->node = s->community;
        s->community = labels;
        changes = word_fresh(phase_word(s, PHASE_MOVES));
        everyone = !marks;
        marks = changes < s->p.vertices / PROPAGATE_FEW;
        more = changes > 0 && s->turn + 1 < s->p.max && !word_fresh(phase_word(s, PHASE_STOP));
    }
    if (s->first == 0) s->count[FOUND_ROUNDS] = s->turn;
    if (s->turn % 2 == 1)
        for (u64 v = s->first; v < s->p.vertices; v += s->items) s->community[v] = s->node[v];
}
