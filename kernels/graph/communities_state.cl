/* SPDX-License-Identifier: MIT */
/* The state of the kernel of communities, and the rows of a level. communities.cl explains the method. */
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
