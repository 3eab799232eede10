/* SPDX-License-Identifier: MIT */
/* A lane decides for a node with a short row, and compares its labels pair by pair. The lanes of a warp do so for a row
 * of up to 32 arcs. A warp or a group adds up a longer row in its table (communities_table.cl). */
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
