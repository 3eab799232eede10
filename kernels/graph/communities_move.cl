/* SPDX-License-Identifier: MIT */
/* The moves of Louvain and Leiden, and Leiden's refinement, by the rules that traversal/graph/communities/moving.c
 * explains: a round visits 16 classes, and the nodes of a class decide at the same time.
 *
 * A class takes up to three phases. The first one finds the nodes that decide. Lanes decide for nodes with short rows
 * at once. The phase lists the others, middle rows from the start of list[] and long rows from its end. Warps and
 * groups decide for them in the second phase. The last phase moves the nodes. Phases without work are left out. */

device_inline u32 blocks_of(const struct communities *s)
{
    return (s->p.nodes + COMMUNITIES_BLOCK - 1) / COMMUNITIES_BLOCK;
}

/* Returns the block's node if it decides, or NONE. A node is active if a neighbour's community changed since it last
 * decided. A node decides about its part until another node has joined it. */
device_inline u32 deciding_node(const struct communities *s, u32 block)
{
    u32 node = node_of_class(block, s->number, s->round), flags = word_fresh(&s->flags[block]);
    u32 bit = 1u << node % COMMUNITIES_BLOCK;
    bool marked = flags & bit;
    if (node >= s->p.nodes) return NONE;
    if (s->p.step == COMMUNITIES_REFINE) return marked ? NONE : node;
    if (marked) word_store(&s->flags[block], flags & ~bit);
    return marked ? node : NONE;
}

/* Stores the label that a node takes. Returns 1 if it is a new one. */
device_inline u32 set_next(const struct communities *s, u32 node, u32 label)
{
    u32 own = s->p.step == COMMUNITIES_REFINE ? node : s->community[node];
    s->last[node / COMMUNITIES_BLOCK] = own;
    s->next[node / COMMUNITIES_BLOCK] = label == own ? NONE : label;
    return label == own ? 0 : 1;
}

/* Returns the number of nodes that a lane moves. All lanes of a warp make the same number of passes. */
device_inline u32 decide_short_rows(const struct communities *s)
{
    u32 moves = 0, blocks = blocks_of(s);
    for (u64 base = s->first - lane_id(); base < blocks; base += s->items) {
        u64 b = base + lane_id();
        u32 node = b < blocks ? deciding_node(s, (u32)b) : NONE;
        struct row row;
        row.arcs = 0;
        if (node != NONE) row = row_of(s, node);
        if (b < blocks) s->next[b] = NONE;
        if (node != NONE && row.arcs <= COMMUNITIES_SHORT) moves += set_next(s, node, decide_by_lane(s, node, &row));
        bool is_middle = row.arcs > COMMUNITIES_SHORT && row.arcs <= COMMUNITIES_LONG;
        bool is_long = row.arcs > COMMUNITIES_LONG;
        u32 place = warp_reserve(phase_word(s, PHASE_MIDDLE), is_middle);
        if (is_middle) s->list[place] = node;
        place = warp_reserve(phase_word(s, PHASE_LONG), is_long);
        if (is_long) s->list[blocks - 1 - place] = node;
    }
    return moves;
}

device_inline u32 decide_listed_rows(const struct communities *s, u32 middles, u32 longs)
{
    u32 moves = 0, last = blocks_of(s) - 1;
    for (u32 i = longs > 0 ? next_of_group(s) : 0; i < longs; i = next_of_group(s)) {
        u32 node = s->list[last - i], label = decide_by_team(s, group_team(), node);
        if (item_id() == 0) moves += set_next(s, node, label);
    }
    for (u32 i = next_of_warp(s, 1); i < middles; i = next_of_warp(s, 1)) {
        u32 node = s->list[i], label = decide_by_warp(s, node);
        if (lane_id() == 0) moves += set_next(s, node, label);
    }
    return moves;
}

device_inline void set_flag(const struct communities *s, u32 node)
{
    global_mem u32 *flags = &s->flags[node / COMMUNITIES_BLOCK];
    u32 bit = 1u << node % COMMUNITIES_BLOCK;
    if (!(word_fresh(flags) & bit)) (void)word_or(flags, bit);
}

/* Returns the community of a node before the moves of the class, which are under way. */
device_inline u32 last_community(const struct communities *s, u32 node)
{
    u32 block = node / COMMUNITIES_BLOCK;
    bool moves = class_of_node(node, s->round) == s->number && s->next[block] != NONE;
    return moves ? s->last[block] : s->community[node];
}

/* A team moves a node, and activates the neighbours outside the new community, so that they decide again. */
device_inline void move_node(const struct communities *s, u32 node, u32 to, struct team team)
{
    if (team.lane == 0) {
        word_sum(&s->degrees[s->last[node / COMMUNITIES_BLOCK]], (u64)0 - s->degree[node]);
        word_sum(&s->degrees[to], s->degree[node]);
        s->community[node] = to;
    }
    struct row row = row_of(s, node);
    for (u64 i = team.lane; i < row.arcs; i += team.lanes) {
        u32 target = i < row.outs ? s->target[row.begin + i] : s->source[row.other + (i - row.outs)];
        if (target != node && last_community(s, target) != to) set_flag(s, target);
    }
}

device_inline void join_part(const struct communities *s, u32 node, u32 to, struct team team)
{
    if (team.lane != 0) return;
    s->refined[node] = to;
    word_sum(&s->degree[to], s->degree[node]);
    set_flag(s, to);
}

device_inline void change_node(const struct communities *s, u32 node, struct team team)
{
    u32 to = s->next[node / COMMUNITIES_BLOCK];
    if (to == NONE) return;
    if (s->p.step == COMMUNITIES_REFINE)
        join_part(s, node, to, team);
    else
        move_node(s, node, to, team);
}

/* Moves the nodes that have a next label. */
device_inline void change_nodes(const struct communities *s, u32 middles, u32 longs)
{
    struct team alone;
    u32 blocks = blocks_of(s);
    alone.lane = 0, alone.lanes = 1, alone.group = false;
    for (u32 i = s->group; i < longs; i += s->groups) change_node(s, s->list[blocks - 1 - i], group_team());
    for (u32 i = warp_number(s); i < middles; i += warps_of(s)) change_node(s, s->list[i], warp_team());
    for (u32 b = s->first; b < blocks; b += s->items) {
        if (s->next[b] == NONE) continue;
        u32 node = node_of_class(b, s->number, s->round);
        if (row_of(s, node).arcs <= COMMUNITIES_SHORT) change_node(s, node, alone);
    }
}

/* Moves the nodes of a class. Returns their number. */
device_inline u32 move_class(struct communities *s)
{
    next_phase(s);
    add_count(phase_word(s, PHASE_MOVES), decide_short_rows(s));
    pass_barrier(s);
    u32 middles = word_fresh(phase_word(s, PHASE_MIDDLE)), longs = word_fresh(phase_word(s, PHASE_LONG));
    if (middles + longs > 0) {
        add_count(phase_word(s, PHASE_MOVES), decide_listed_rows(s, middles, longs));
        pass_barrier(s);
    }
    u32 moves = word_fresh(phase_word(s, PHASE_MOVES));
    if (moves == 0) return 0;
    change_nodes(s, middles, longs);
    pass_barrier(s);
    return moves;
}

/* Counts the communities. The flags serve as scratch. */
device_inline void count_communities(struct communities *s)
{
    u32 labels = 0;
    for (u32 b = s->first; b < blocks_of(s); b += s->items) s->flags[b] = 0;
    pass_barrier(s);
    for (u64 v = s->first; v < s->p.nodes; v += s->items) {
        u32 label = s->community[v], bit = 1u << label % COMMUNITIES_BLOCK;
        global_mem u32 *flags = &s->flags[label / COMMUNITIES_BLOCK];
        if (!(word_fresh(flags) & bit) && !(word_or(flags, bit) & bit)) labels++;
    }
    add_count(&s->count[FOUND_LABELS], labels);
}

/* Moves nodes round by round until no node moves. */
device_inline void move_nodes(struct communities *s)
{
    u32 moves = 1, stops = 0, rounds = 0;
    u64 all = 0;
    for (u32 b = s->first; b < blocks_of(s); b += s->items) s->flags[b] = (1u << COMMUNITIES_BLOCK) - 1;
    pass_barrier(s);
    for (; rounds < COMMUNITIES_ROUNDS && moves > 0 && !stops; rounds++) {
        moves = 0;
        s->round = s->p.round + rounds;
        for (s->number = 0; s->number < COMMUNITIES_BLOCK; s->number++) moves += move_class(s);
        all += moves;
        stops = word_fresh(phase_word(s, PHASE_STOP));
    }
    if (s->first == 0) s->count[FOUND_ROUNDS] = rounds;
    if (s->first == 0) s->sums[LEVEL_MOVES] = all;
    if (s->p.refines) count_communities(s);
}

/* Every node is a part of its own at first. */
device_inline void refine_nodes(struct communities *s)
{
    for (u64 v = s->first; v < s->p.nodes; v += s->items) s->refined[v] = (u32)v;
    for (u32 b = s->first; b < blocks_of(s); b += s->items) s->flags[b] = 0;
    pass_barrier(s);
    s->round = s->p.round;
    for (s->number = 0; s->number < COMMUNITIES_BLOCK; s->number++) (void)move_class(s);
}
