/* SPDX-License-Identifier: MIT */
/* Prefix sums, and the degrees of nodes and labels, for the kernel of communities. */

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
