/* SPDX-License-Identifier: MIT */
/* The label that a node takes: the best of the labels of its neighbours, by the weights of its arcs to each label.
 *
 * A lane compares the labels of a short row pair by pair. A warp or a group adds up the weights of a longer row in a
 * hash table in global memory, with linear probing. All slots are empty between rows. A row uses only as much of the
 * table as its length needs. If the labels of a row exceed the table, a hash divides the labels into parts, and the
 * team reads the row once for each part. A part that still exceeds the table is divided again. So the memory does not
 * depend on the length of rows. */
#define COMMUNITIES_PROBES 32u
#define COMMUNITIES_BATCH 4u /* arcs that a lane reads at once */

struct table {
    global_mem u32 *label;
    global_mem u64 *sum;
    u32 bits, mask;
    u32 depth, part; /* the labels are divided into 2^depth parts; the current part */
};

/* Returns the table of a team for a row of at most `arcs` different labels. */
device_inline struct table table_of(const struct communities *s, struct team team, u64 arcs)
{
    struct table table;
    u32 slots = team.group ? s->p.group_slots : s->p.warp_slots;
    u64 at = team.group ? (u64)warps_of(s) * s->p.warp_slots + (u64)s->group * slots : (u64)warp_number(s) * slots;
    table.bits = 5;
    while ((1u << table.bits) < 2 * arcs && (1u << table.bits) < slots) table.bits++;
    table.label = s->table_label + at;
    table.sum = s->table_sum + at;
    table.mask = (1u << table.bits) - 1;
    table.depth = table.part = 0;
    return table;
}

device_inline bool in_part(const struct table *table, u32 label)
{
    return table->depth == 0 || label * 2246822519u >> (32 - table->depth) == table->part;
}

/* Goes on to the next part. Returns false after the last one. */
device_inline bool next_part(struct table *table)
{
    while (table->depth > 0 && table->part % 2 == 1) {
        table->part /= 2;
        table->depth--;
    }
    table->part++;
    return table->depth > 0;
}

device_inline void divide_part(struct table *table)
{
    table->depth++;
    table->part *= 2;
}

/* Adds to the sum of a label. Returns false if the table has no slot for it. */
device_inline bool add_label(const struct table *table, u32 label, u64 weight)
{
    u32 i = label * 2654435769u >> (32 - table->bits);
    for (u32 probe = 0; probe < COMMUNITIES_PROBES; probe++, i = (i + 1) & table->mask) {
        u32 now = word_fresh(&table->label[i]);
        if (now == NONE) now = word_cas(&table->label[i], NONE, label);
        if (now != NONE && now != label) continue;
        word_sum(&table->sum[i], weight);
        return true;
    }
    return false;
}

/* A warp adds the label of each lane, or none for NONE. One lane adds for all lanes with the label of the first one,
 * because the rows of a hub have many arcs to one community. */
device_inline bool add_labels(const struct table *table, u32 label, u64 weight)
{
    bool mine = label != NONE && in_part(table, label), fits = true;
    u32 marks = warp_ballot(mine);
    if (marks == 0) return true;
    u32 first = warp_shuffle(label, first_bit(marks));
    bool same = mine && label == first;
    u32 equal = warp_ballot(same);
    if (bit_count(equal) > 3) {
        u64 sum = warp_sum_long(same ? weight : 0);
        mine = mine && !same;
        if (lane_id() == first_bit(equal)) fits = add_label(table, first, sum);
    }
    if (mine) fits = add_label(table, label, weight);
    return warp_ballot(!fits) == 0;
}

/* ---- the labels that count ---- */

struct choice {
    u64 key; /* 0: none */
    u32 label;
};

device_inline struct choice no_choice(void)
{
    struct choice choice;
    choice.key = 0, choice.label = NONE;
    return choice;
}

device_inline void choose(struct choice *best, u64 key, u32 label)
{
    if (key < best->key || (key == best->key && label >= best->label)) return;
    best->key = key;
    best->label = label;
}

/* Maps a number to an integer with the same order, above 0. */
device_inline u64 key_of(double value)
{
    u64 bits = bits_of_double(value);
    return bits >> 63 ? ~bits : bits | (u64)1 << 63;
}

device_inline bool has_flag(const struct communities *s, u32 node)
{
    return word_stale(&s->flags[node / COMMUNITIES_BLOCK]) >> node % COMMUNITIES_BLOCK & 1;
}

/* The view of a node that decides. */
struct decision {
    u32 node, own; /* own: its label */
    u64 degree;
    u64 sum; /* the weight of the arcs to the node's community, by each lane in part */
};

device_inline struct decision decision_of(const struct communities *s, u32 node)
{
    struct decision decision;
    decision.node = node;
    decision.own = s->p.step == COMMUNITIES_PROPAGATE ? s->node[node] : s->community[node];
    decision.degree = s->p.step == COMMUNITIES_PROPAGATE ? 0 : s->degree[node];
    decision.sum = 0;
    return decision;
}

/* Returns the label to which an arc adds its weight, or NONE. The arcs to the own community go to the decision's sum.
 */
device_inline u32 label_of(const struct communities *s, struct decision *decision, const struct arc *arc)
{
    if (s->p.step == COMMUNITIES_PROPAGATE) return s->node[arc->target];
    if (arc->target == decision->node) return NONE;
    u32 label = s->community[arc->target];
    bool own = label == decision->own;
    if (own) decision->sum += arc->weight;
    if (s->p.step == COMMUNITIES_MOVE) return own ? NONE : label;
    if (!own) return NONE;
    label = s->refined[arc->target];
    return has_flag(s, label) || class_of_node(label, s->round) != s->number ? label : NONE;
}

/* Two single nodes of a class that want to join each other would swap. The one with the smaller label stays. */
device_inline bool swaps(const struct communities *s, const struct decision *decision, u32 label, u64 degrees)
{
    return label > decision->own && degrees == s->degree[label] && s->degrees[decision->own] == decision->degree &&
           class_of_node(label, s->round) == s->number;
}

device_inline double gain_of(const struct communities *s, u64 sum, u64 degree, u64 degrees)
{
    return modularity_gain(s->p.resolution, s->p.total, sum, degree, degrees);
}

device_inline void choose_label(const struct communities *s, const struct decision *decision, u32 label, u64 sum,
                                struct choice *best)
{
    u64 key = sum;
    if (s->p.step == COMMUNITIES_MOVE) {
        u64 degrees = s->degrees[label];
        key = swaps(s, decision, label, degrees) ? 0 : key_of(gain_of(s, sum, decision->degree, degrees));
    }
    if (s->p.step == COMMUNITIES_REFINE) key = key_of(gain_of(s, sum, decision->degree, s->degree[label]));
    choose(best, key, label);
}

/* Returns the label that the node takes. The decision has the complete sum. */
device_inline u32 decide(const struct communities *s, const struct decision *decision, struct choice best)
{
    if (s->p.step == COMMUNITIES_PROPAGATE) return best.key > 0 ? best.label : decision->own;
    double stay = gain_of(s, decision->sum, decision->degree, s->degrees[decision->own] - decision->degree);
    if (s->p.step == COMMUNITIES_REFINE) /* a node that is badly connected with its community joins no other node */
        return stay >= 0 && best.key > key_of(0) ? best.label : decision->node;
    u64 least = key_of(least_gain(stay, decision->degree));
    bool moves = best.key > least;
    if ((moves ? best.key : least) < key_of(0) && s->degrees[decision->node] == 0)
        return decision->node; /* a new community for the node alone */
    return moves ? best.label : decision->own;
}

/* ---- a row ---- */

/* A lane alone decides for a node with a short row. */
device_inline u32 decide_by_lane(const struct communities *s, u32 node, const struct row *row)
{
    struct decision decision = decision_of(s, node);
    struct choice best = no_choice();
    u32 label[COMMUNITIES_SHORT];
    u64 weight[COMMUNITIES_SHORT];
    unrolled for (u32 i = 0; i < COMMUNITIES_SHORT; i++)
    {
        label[i] = NONE, weight[i] = 0;
        if (i >= row->arcs) continue;
        struct arc arc = arc_of(s, row, i);
        label[i] = label_of(s, &decision, &arc);
        weight[i] = arc.weight;
    }
    unrolled for (u32 i = 0; i < COMMUNITIES_SHORT; i++)
    {
        u64 sum = 0;
        unrolled for (u32 j = 0; j < COMMUNITIES_SHORT; j++) sum += label[j] == label[i] ? weight[j] : 0;
        if (label[i] != NONE) choose_label(s, &decision, label[i], sum, &best);
    }
    return decide(s, &decision, best);
}

/* A team adds the labels of the current part to its table. Returns false if a label did not fit. */
device_inline bool fill_table(const struct communities *s, struct team team, const struct table *table,
                              const struct row *row, struct decision *decision)
{
    bool fits = true;
    struct arc arc[COMMUNITIES_BATCH];
    u32 label[COMMUNITIES_BATCH];
    decision->sum = 0;
    for (u64 base = team.lane - lane_id(); base < row->arcs && fits; base += COMMUNITIES_BATCH * team.lanes) {
        unrolled for (u32 j = 0; j < COMMUNITIES_BATCH; j++)
        {
            u64 i = base + j * team.lanes + lane_id();
            arc[j].target = NONE, arc[j].weight = 0;
            if (i < row->arcs) arc[j] = arc_of(s, row, i);
        }
        unrolled for (u32 j = 0; j < COMMUNITIES_BATCH; j++) label[j] =
            arc[j].target == NONE ? NONE : label_of(s, decision, &arc[j]);
        unrolled for (u32 j = 0; j < COMMUNITIES_BATCH; j++) fits = add_labels(table, label[j], arc[j].weight) && fits;
    }
    return fits;
}

/* A team chooses the best label of the table, unless the table was too small, and clears the table. */
device_inline void empty_table(const struct communities *s, struct team team, const struct table *table, bool fits,
                               const struct decision *decision, struct choice *best)
{
    for (u32 i = team.lane; i <= table->mask; i += team.lanes) {
        u32 label = word_fresh(&table->label[i]);
        if (label == NONE) continue;
        if (fits) choose_label(s, decision, label, long_fresh(&table->sum[i]), best);
        table->label[i] = NONE;
        table->sum[i] = 0;
    }
}

device_inline struct choice warp_best(struct choice best)
{
    for (u32 step = WARP / 2; step > 0; step /= 2) {
        u64 key = warp_shuffle_long(best.key, lane_id() ^ step);
        u32 label = warp_shuffle(best.label, lane_id() ^ step);
        choose(&best, key, label);
    }
    return best;
}

device_inline struct choice team_best(const struct communities *s, struct team team, struct choice best)
{
    best = warp_best(best);
    if (!team.group) return best;
    group_barrier();
    if (lane_id() == 0) s->shared->key[warp_id()] = best.key;
    if (lane_id() == 0) s->shared->label[warp_id()] = best.label;
    group_barrier();
    best = no_choice();
    if (lane_id() < warp_count()) best.key = s->shared->key[lane_id()], best.label = s->shared->label[lane_id()];
    return warp_best(best);
}

device_inline void team_barrier(struct team team)
{
    if (team.group)
        group_barrier();
    else
        warp_barrier();
}

/* A warp or a group decides for a node. All lanes return the label. */
device_inline u32 decide_by_team(const struct communities *s, struct team team, u32 node)
{
    struct row row = row_of(s, node);
    struct decision decision = decision_of(s, node);
    struct choice best = no_choice();
    struct table table = table_of(s, team, min_u64(row.arcs, s->p.nodes));
    bool more = true;
    while (more) {
        bool fits = fill_table(s, team, &table, &row, &decision);
        team_barrier(team);
        fits = !team_any(s, team, !fits);
        empty_table(s, team, &table, fits, &decision, &best);
        team_barrier(team);
        if (!fits) divide_part(&table);
        more = !fits || next_part(&table);
    }
    decision.sum = team_sum(s, team, decision.sum);
    return decide(s, &decision, team_best(s, team, best));
}

/* A warp decides for a node with at most as many arcs as lanes: each lane has an arc, and adds up the weights of all
 * arcs with its label. */
device_inline u32 decide_by_lanes(const struct communities *s, u32 node, const struct row *row)
{
    struct decision decision = decision_of(s, node);
    struct choice best = no_choice();
    struct arc arc;
    u32 label = NONE;
    u64 sum = 0;
    arc.target = NONE, arc.weight = 0;
    if (lane_id() < row->arcs) {
        arc = arc_of(s, row, lane_id());
        label = label_of(s, &decision, &arc);
    }
    for (u32 lane = 0; lane < row->arcs; lane++) {
        u64 weight = s->p.weights == WEIGHT_ONES ? 1 : warp_shuffle_long(arc.weight, lane);
        if (warp_shuffle(label, lane) == label) sum += weight;
    }
    if (label != NONE) choose_label(s, &decision, label, sum, &best);
    decision.sum = warp_sum_long(decision.sum);
    return decide(s, &decision, warp_best(best));
}

/* A warp decides for a node. All lanes return the label. */
device_inline u32 decide_by_warp(const struct communities *s, u32 node)
{
    struct row row = row_of(s, node);
    return row.arcs <= WARP ? decide_by_lanes(s, node, &row) : decide_by_team(s, warp_team(), node);
}
