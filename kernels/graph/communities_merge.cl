/* SPDX-License-Identifier: MIT */
/* The next level of Louvain and Leiden: nodes with one label become one node. New nodes have the order of their
 * smallest members. A warp or a group adds up the rows of all members of a new node in its table, first to count the
 * arcs of the new row, and then to write them.
 *
 * Between the steps, degrees[] holds two words for each node: the first member of each label, and the members of all
 * new nodes. The first half of degree[] has the ends of these lists. */
#define MERGE_CHUNK 4u /* new nodes that a warp acquires at once */
#define MERGE_LONG 0x80000000u

struct merge_lists {
    global_mem u32 *label;         /* by node: the label; then the number of the new node */
    global_mem u32 *first;         /* by label: its smallest node */
    global_mem u32 *rank, *member; /* both in one array, one after the other */
    global_mem u32 *end;           /* by new node: the end of its members */
};

device_inline struct merge_lists merge_of(const struct communities *s)
{
    struct merge_lists m;
    m.label = s->p.refines ? s->refined : s->community;
    m.first = (global_mem u32 *)s->degrees;
    m.rank = m.member = m.first + s->p.nodes;
    m.end = (global_mem u32 *)s->degree;
    return m;
}

/* Numbers the labels by their first nodes. Returns the number of labels. */
device_inline u32 number_labels(struct communities *s, const struct merge_lists *m)
{
    for (u64 v = s->first; v < s->p.nodes; v += s->items) m->first[v] = NONE;
    pass_barrier(s);
    for (u64 v = s->first; v < s->p.nodes; v += s->items)
        if (word_stale(&m->first[m->label[v]]) > v) (void)word_min(&m->first[m->label[v]], (u32)v);
    pass_barrier(s);
    for (u64 v = s->first; v < s->p.nodes; v += s->items) m->rank[v] = m->first[m->label[v]] == v ? 1 : 0;
    pass_barrier(s);
    u32 labels = (u32)prefix_sums(s, m->rank, false, s->p.nodes);
    for (u64 v = s->first; v < s->p.nodes; v += s->items) m->label[v] = m->rank[m->first[m->label[v]]];
    pass_barrier(s);
    return labels;
}

/* A new node gets the community of its members. The label of a community is its smallest new node. */
device_inline void lift_communities(struct communities *s, const struct merge_lists *m, u32 made)
{
    global_mem u32 *old = m->rank; /* by new node: the community of its members */
    for (u64 v = s->first; v < s->p.nodes; v += s->items) {
        word_store(&old[m->label[v]], s->community[v]);
        m->first[v] = NONE;
    }
    pass_barrier(s);
    for (u64 c = s->first; c < made; c += s->items)
        if (word_stale(&m->first[old[c]]) > c) (void)word_min(&m->first[old[c]], (u32)c);
    pass_barrier(s);
    for (u64 c = s->first; c < made; c += s->items) s->community[c] = m->first[old[c]];
    pass_barrier(s);
}

device_inline void sort_members(struct communities *s, const struct merge_lists *m, u32 made)
{
    for (u64 c = s->first; c < made; c += s->items) m->end[c] = 0;
    pass_barrier(s);
    for (u64 v = s->first; v < s->p.nodes; v += s->items) (void)word_add(&m->end[m->label[v]], 1);
    pass_barrier(s);
    (void)prefix_sums(s, m->end, false, made);
    for (u64 v = s->first; v < s->p.nodes; v += s->items) m->member[word_add(&m->end[m->label[v]], 1)] = (u32)v;
}

/* Replaces labels by the numbers of the new nodes, also in node[], and lists the members of the new nodes. */
device_inline void number_nodes(struct communities *s)
{
    struct merge_lists m = merge_of(s);
    u32 made = number_labels(s, &m);
    if (s->first == 0) s->count[FOUND_NODES] = made;
    if (made == s->p.nodes) return;
    if (m.label != s->node)
        for (u64 v = s->first; v < s->p.vertices; v += s->items) s->node[v] = m.label[s->node[v]];
    if (s->p.refines) lift_communities(s, &m, made);
    sort_members(s, &m, made);
}

/* ---- the new rows ---- */

/* Adds the sums of a row to the table, by one lane or by a warp. Returns false if a label did not fit. */
device_inline bool add_row(const struct communities *s, const struct merge_lists *m, const struct table *table,
                           u32 node, struct team team)
{
    struct row row = row_of(s, node);
    bool fits = true;
    for (u64 i = team.lane; i < row.arcs && fits; i += team.lanes) {
        struct arc arc = arc_of(s, &row, i);
        u32 label = m->label[arc.target];
        if (arc.target == node && s->p.loops_once) arc.weight *= 2;
        if (in_part(table, label)) fits = add_label(table, label, arc.weight);
    }
    return fits;
}

/* A team adds the rows of the members: a lane each short row, and a warp each longer one. */
device_inline bool add_members(const struct communities *s, const struct merge_lists *m, const struct table *table,
                               struct team team, u32 made)
{
    struct team alone;
    u64 begin = made > 0 ? m->end[made - 1] : 0, end = m->end[made];
    bool fits = true;
    alone.lane = 0, alone.lanes = 1, alone.group = false;
    for (u64 base = begin + team.lane - lane_id(); base < end && fits; base += team.lanes) {
        u64 i = base + lane_id();
        u32 node = i < end ? m->member[i] : NONE;
        u64 arcs = node != NONE ? row_of(s, node).arcs : 0;
        if (arcs <= WARP && node != NONE) fits = add_row(s, m, table, node, alone);
        for (u32 rows = warp_ballot(arcs > WARP); rows; rows &= rows - 1)
            fits = add_row(s, m, table, warp_shuffle(node, first_bit(rows)), warp_team()) && fits;
        fits = warp_ballot(!fits) == 0;
    }
    return fits;
}

/* A team counts the labels of its table, or appends them to the row of the new node, and clears the table. at: the
 * number of labels before, in a word that the team shares. */
device_inline u32 write_table(const struct communities *s, struct team team, const struct table *table, bool fits,
                              u64 row, global_mem u32 *at)
{
    u32 labels = 0;
    for (u32 i = team.lane; i <= table->mask; i += team.lanes) {
        u32 label = word_fresh(&table->label[i]);
        if (label == NONE) continue;
        labels++;
        if (fits && s->p.step == COMMUNITIES_WRITE) {
            u64 place = row + (word_add(at, 1) & ~MERGE_LONG);
            s->made_target[place] = label;
            set_cell(s->made_weight, s->p.out == WEIGHT_LONGS, place, long_fresh(&table->sum[i]));
        }
        table->label[i] = NONE;
        table->sum[i] = 0;
    }
    return fits ? labels : 0;
}

/* Counts or writes the row of a new node. arcs: the number of arcs of its members. */
device_inline void merge_row(const struct communities *s, const struct merge_lists *m, struct team team, u32 made,
                             u64 arcs)
{
    struct table table = table_of(s, team, min_u64(arcs, s->p.made));
    u64 labels = 0, row = s->made_offset[made];
    bool more = true;
    while (more) {
        bool fits = add_members(s, m, &table, team, made);
        team_barrier(team);
        fits = !team_any(s, team, !fits);
        labels += write_table(s, team, &table, fits, row, &m->first[made]);
        team_barrier(team);
        if (!fits) divide_part(&table);
        more = !fits || next_part(&table);
    }
    labels = team_sum(s, team, labels);
    if (team.lane == 0 && s->p.step == COMMUNITIES_COUNT) s->made_offset[made] = labels;
}

/* Returns the number of arcs of the members, or in the second step of the new row, which are not more. */
device_inline u64 size_of(const struct communities *s, u32 made)
{
    u64 size = s->made_offset[made];
    return s->p.step == COMMUNITIES_COUNT ? size : s->made_offset[(u64)made + 1] - size;
}

/* Lists the nodes whose members have many arcs, and marks them in m->first, which then counts the arcs written. */
device_inline void list_long_rows(const struct communities *s, const struct merge_lists *m)
{
    for (u64 base = s->first - lane_id(); base < s->p.made; base += s->items) {
        u64 c = base + lane_id();
        bool is_long = c < s->p.made && s->made_offset[c] > COMMUNITIES_LONG;
        u32 place = warp_reserve(&s->count[FOUND_LONG], is_long);
        if (is_long) s->long_row[place] = (u32)c;
        if (c < s->p.made) m->first[c] = is_long ? MERGE_LONG : 0;
    }
}

/* Groups handle the listed rows, and warps the others. */
device_inline void merge_rows(struct communities *s, const struct merge_lists *m, u32 longs)
{
    next_phase(s);
    for (u32 i = longs > 0 ? next_of_group(s) : 0; i < longs; i = next_of_group(s))
        merge_row(s, m, group_team(), s->long_row[i], size_of(s, s->long_row[i]));
    for (u32 base = next_of_warp(s, MERGE_CHUNK); base < s->p.made; base = next_of_warp(s, MERGE_CHUNK))
        for (u32 c = base; c < min_u32(base + MERGE_CHUNK, s->p.made); c++)
            if (!(word_fresh(&m->first[c]) & MERGE_LONG)) merge_row(s, m, warp_team(), c, size_of(s, c));
}

/* Computes the offsets of the new rows. */
device_inline void count_rows(struct communities *s)
{
    struct merge_lists m = merge_of(s);
    for (u64 c = s->first; c < s->p.made; c += s->items) s->made_offset[c] = 0;
    pass_barrier(s);
    for (u64 v = s->first; v < s->p.nodes; v += s->items) {
        u64 arcs = row_of(s, (u32)v).arcs;
        if (arcs > 0) word_sum(&s->made_offset[m.label[v]], arcs);
    }
    pass_barrier(s);
    list_long_rows(s, &m);
    pass_barrier(s);
    merge_rows(s, &m, word_fresh(&s->count[FOUND_LONG]));
    pass_barrier(s);
    u64 arcs = prefix_sums(s, (global_mem u32 *)s->made_offset, true, s->p.made);
    if (s->first > 0) return;
    s->made_offset[s->p.made] = arcs;
    s->sums[LEVEL_ARCS] = arcs;
}

/* Writes the new rows. Louvain then starts with single nodes. */
device_inline void write_rows(struct communities *s)
{
    struct merge_lists m = merge_of(s);
    merge_rows(s, &m, s->p.longs);
    if (s->p.refines) return;
    pass_barrier(s);
    for (u64 c = s->first; c < s->p.made; c += s->items) s->community[c] = (u32)c;
}
