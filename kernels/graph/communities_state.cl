/* SPDX-License-Identifier: MIT */
/* The state of the kernel of communities, the rows of a level, and sums over nodes. communities.cl explains the
 * method. */
#define NONE 0xffffffffu

/* The words of a group's local memory. */
struct communities_shared {
    u64 idle;
    u64 sum[32]; /* a word for each warp */
    u64 key[32];
    u32 label[32];
    u32 next;
};

struct communities {
    struct gws__communities_step p;
    global_mem const u64 *offset, *in_offset;
    global_mem const u32 *target, *source, *weight, *in_weight;
    global_mem u32 *node;      /* by vertex: its node on this level; label propagation: the labels */
    global_mem u32 *community; /* by node: the label; label propagation: the other labels */
    global_mem u32 *refined;   /* by node: the label of the part */
    global_mem u64 *degree, *degrees;
    global_mem u32 *next, *flags, *list, *last; /* by block; last: the label before a move */
    global_mem u32 *long_row;
    global_mem u64 *made_offset;
    global_mem u32 *made_target, *made_weight;
    global_mem u32 *table_label;
    global_mem u64 *table_sum;
    global_mem u64 *part; /* a word for each warp */
    global_mem u32 *count;
    global_mem u64 *sums;
    global_mem u32 *stop; /* see stop_requested() */
    local_mem struct communities_shared *shared;
    struct grid_barrier all;
    u32 first, items;  /* number of this item among all items, and the number of items */
    u32 group, groups; /* the same of groups */
    u32 phase;         /* number of the phase whose words count */
    u32 round, number; /* of moves: the round, and the class */
    u32 turn;          /* of label propagation: the iteration */
};

/* The lanes of a team work on one row. A team is a lane, a warp or a group. */
struct team {
    u32 lane, lanes;
    bool group;
};

device_inline struct team warp_team(void)
{
    struct team team;
    team.lane = lane_id(), team.lanes = WARP, team.group = false;
    return team;
}

device_inline struct team group_team(void)
{
    struct team team;
    team.lane = item_id(), team.lanes = group_size(), team.group = true;
    return team;
}

device_inline u32 warp_number(const struct communities *s)
{
    return s->first / WARP;
}

device_inline u32 warps_of(const struct communities *s)
{
    return s->items / WARP;
}

/* All groups of the step wait. A step of a small level has one group. */
device_inline void pass_barrier(struct communities *s)
{
    if (s->groups == 1)
        group_barrier();
    else
        grid_barrier_wait(&s->all, &s->shared->idle);
}

device_inline global_mem u32 *phase_word(const struct communities *s, u32 which)
{
    return &s->count[FIRST_PHASE + s->phase % 4 * PHASE_WORDS + which];
}

/* Begins a phase, for which two barriers at the most lie behind the end of the phase that had its words before. */
device_inline void next_phase(struct communities *s)
{
    s->phase++;
    u32 after = FIRST_PHASE + (s->phase + 1) % 4 * PHASE_WORDS;
    if (s->first == 0)
        for (u32 i = 0; i < PHASE_WORDS; i++) word_store(&s->count[after + i], 0);
    if (s->first == 0) word_store(phase_word(s, PHASE_STOP), stop_requested(s->stop) ? 1 : 0);
}

/* A group acquires its next row. */
device_inline u32 next_of_group(const struct communities *s)
{
    group_barrier();
    if (item_id() == 0) s->shared->next = word_add(phase_word(s, PHASE_GROUP), 1);
    group_barrier();
    return s->shared->next;
}

/* A warp acquires its next `rows` rows. */
device_inline u32 next_of_warp(const struct communities *s, u32 rows)
{
    u32 next = lane_id() == 0 ? word_add(phase_word(s, PHASE_CURSOR), rows) : 0;
    return warp_shuffle(next, 0);
}

/* ---- sums of teams ---- */

device_inline u64 warp_sum_long(u64 value)
{
    for (u32 step = WARP / 2; step > 0; step /= 2) value += warp_shuffle_long(value, lane_id() ^ step);
    return value;
}

device_inline void add_sum(global_mem u64 *sum, u64 value)
{
    value = warp_sum_long(value);
    if (lane_id() == 0 && value > 0) word_sum(sum, value);
}

device_inline void add_count(global_mem u32 *count, u32 value)
{
    value = warp_sum(value);
    if (lane_id() == 0 && value > 0) (void)word_add(count, value);
}

/* Returns the sum over the team to all its lanes. A lane alone calls no such function. */
device_inline u64 team_sum(const struct communities *s, struct team team, u64 value)
{
    value = warp_sum_long(value);
    if (!team.group) return value;
    group_barrier();
    if (lane_id() == 0) s->shared->sum[warp_id()] = value;
    group_barrier();
    return warp_sum_long(lane_id() < warp_count() ? s->shared->sum[lane_id()] : 0);
}

device_inline bool team_any(const struct communities *s, struct team team, bool mark)
{
    u32 marks = warp_ballot(mark);
    if (!team.group) return marks != 0;
    return team_sum(s, team, lane_id() == 0 && marks ? 1 : 0) > 0;
}

/* ---- the rows ---- */

/* A row has the outgoing arcs of a node, and for a directed graph then its incoming arcs. */
struct row {
    u64 begin, other; /* the first arcs of both */
    u64 outs, arcs;   /* numbers of outgoing arcs and of all arcs */
};

device_inline struct row row_of(const struct communities *s, u32 node)
{
    struct row row;
    row.begin = s->offset[node];
    row.outs = row.arcs = s->offset[(u64)node + 1] - row.begin;
    row.other = 0;
    if (s->p.halves == 1) return row;
    row.other = s->in_offset[node];
    row.arcs += s->in_offset[(u64)node + 1] - row.other;
    return row;
}

struct arc {
    u32 target;
    u64 weight;
};

device_inline u64 weight_at(const struct communities *s, global_mem const u32 *weight, u64 at)
{
    if (s->p.weights == WEIGHT_ONES) return 1;
    if (s->p.weights == WEIGHT_WORDS) return weight[at];
    if (s->p.weights == WEIGHT_LONGS) return ((global_mem const u64 *)weight)[at];
    return (u64)((double)float_of(weight[at]) * s->p.scale + 0.5);
}

device_inline struct arc arc_of(const struct communities *s, const struct row *row, u64 i)
{
    struct arc arc;
    bool back = i >= row->outs;
    u64 at = back ? row->other + (i - row->outs) : row->begin + i;
    arc.target = back ? s->source[at] : s->target[at];
    arc.weight = weight_at(s, back ? s->in_weight : s->weight, at);
    return arc;
}

/* ---- prefix sums ---- */

/* An array of 32 or 64 bits. */
device_inline u64 cell(global_mem const u32 *array, bool wide, u64 i)
{
    return wide ? ((global_mem const u64 *)array)[i] : array[i];
}

device_inline void set_cell(global_mem u32 *array, bool wide, u64 i, u64 value)
{
    if (wide)
        ((global_mem u64 *)array)[i] = value;
    else
        array[i] = (u32)value;
}

device_inline u64 range_begin(const struct communities *s, u64 warp, u64 cells)
{
    return min_u64((cells + warps_of(s) - 1) / warps_of(s) * warp, cells);
}

/* Replaces each cell by the sum of the cells before it. Returns the sum of all cells. Each warp has a range. */
device_inline u64 prefix_sums(struct communities *s, global_mem u32 *array, bool wide, u64 cells)
{
    u64 begin = range_begin(s, warp_number(s), cells), end = range_begin(s, warp_number(s) + (u64)1, cells);
    u64 sum = 0, before = 0, total = 0;
    for (u64 i = begin + lane_id(); i < end; i += WARP) sum += cell(array, wide, i);
    sum = warp_sum_long(sum);
    if (lane_id() == 0) s->part[warp_number(s)] = sum;
    pass_barrier(s);
    for (u32 i = lane_id(); i < warps_of(s); i += WARP) {
        before += i < warp_number(s) ? s->part[i] : 0;
        total += s->part[i];
    }
    before = warp_sum_long(before);
    total = warp_sum_long(total);
    for (u64 base = begin; base < end; base += WARP) {
        u64 i = base + lane_id(), value = i < end ? cell(array, wide, i) : 0, up = value;
        for (u32 step = 1; step < WARP; step *= 2) {
            u64 other = warp_shuffle_long(up, lane_id() >= step ? lane_id() - step : 0);
            up += lane_id() >= step ? other : 0;
        }
        if (i < end) set_cell(array, wide, i, before + up - value);
        before += warp_shuffle_long(up, WARP - 1);
    }
    pass_barrier(s);
    return total;
}

/* ---- sums of degrees ---- */

/* Each lane returns a part of the sum of a row's weights, and adds those within the community to *inside. */
device_inline u64 sum_row(const struct communities *s, global_mem const u32 *label, u32 node, struct team team,
                          u64 *inside)
{
    struct row row = row_of(s, node);
    u64 sum = 0;
    for (u64 i = team.lane; i < row.arcs; i += team.lanes) {
        struct arc arc = arc_of(s, &row, i);
        if (arc.target == node && s->p.loops_once) arc.weight *= 2;
        sum += arc.weight;
        if (label[arc.target] == label[node]) *inside += arc.weight;
    }
    return sum;
}

device_inline u64 set_degree(const struct communities *s, u32 label, u32 node, u64 degree)
{
    s->degree[node] = degree;
    word_sum(&s->degrees[label], degree);
    return degree;
}

/* All lanes of a warp make the same number of passes. Returns the sum of degrees of a lane. */
device_inline u64 sum_short_rows(const struct communities *s, global_mem const u32 *label, u64 *inside)
{
    struct team alone;
    u64 total = 0;
    alone.lane = 0, alone.lanes = 1, alone.group = false;
    for (u64 base = s->first - lane_id(); base < s->p.nodes; base += s->items) {
        u64 v = base + lane_id();
        u64 arcs = v < s->p.nodes ? row_of(s, (u32)v).arcs : 0;
        bool is_long = arcs > COMMUNITIES_LONG;
        u32 place = warp_reserve(&s->count[FOUND_LONG], is_long);
        if (is_long) s->long_row[place] = (u32)v;
        if (v < s->p.nodes && arcs <= 2 * WARP)
            total += set_degree(s, label[v], (u32)v, sum_row(s, label, (u32)v, alone, inside));
        for (u32 rows = warp_ballot(arcs > 2 * WARP && !is_long); rows; rows &= rows - 1) {
            u32 node = warp_shuffle((u32)v, first_bit(rows));
            u64 sum = warp_sum_long(sum_row(s, label, node, warp_team(), inside));
            if (lane_id() == 0) total += set_degree(s, label[node], node, sum);
        }
    }
    return total;
}

/* Computes the degrees of nodes and of labels, and the weights within communities. */
device_inline void sum_degrees(struct communities *s, global_mem const u32 *label)
{
    u64 inside = 0;
    for (u64 v = s->first; v < s->p.nodes; v += s->items) {
        s->degrees[v] = 0;
        if (s->p.begins > 0) s->node[v] = (u32)v;
        if (s->p.begins == 1) s->community[v] = (u32)v;
    }
    pass_barrier(s);
    u64 total = sum_short_rows(s, label, &inside);
    pass_barrier(s);
    u32 rows = word_fresh(&s->count[FOUND_LONG]);
    for (u32 i = s->group; i < rows; i += s->groups) {
        u32 node = s->long_row[i];
        u64 sum = team_sum(s, group_team(), sum_row(s, label, node, group_team(), &inside));
        if (item_id() == 0) total += set_degree(s, label[node], node, sum);
    }
    add_sum(&s->sums[LEVEL_INSIDE], inside);
    add_sum(&s->sums[LEVEL_TOTAL], total);
}
