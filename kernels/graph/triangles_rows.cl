/* SPDX-License-Identifier: MIT */
/* The directed rows of kernels/graph/triangles.cl. The row of a vertex has the ranks of its neighbours of lower rank.
 */
device_inline u64 reserve_places(const struct triangles *s, u32 count)
{
    /* relaxed: the sum only reserves places. */
    return atom_add((global_mem atom64 *)&s->sums[TRIANGLES_ENTRIES], (u64)count, order_relaxed);
}

/* Groups sort the rows of heavy vertices whose targets fit in the bitmap. */
device_inline bool is_sorted(const struct triangles *s, u64 vertex, u64 degree)
{
    return degree >= TRIANGLES_HEAVY && s->rank[vertex] < TRIANGLES_BITS;
}

/* ---- rows that groups sort ---- */

/* Marks the targets in the bitmap. Returns the number of neighbours in the item's part of the row. */
device_inline u32 mark_targets(const struct triangles *s, u32 vertex, u32 rank)
{
    u64 begin = s->offset[vertex], end = s->offset[(u64)vertex + 1];
    u32 neighbours = 0;
    for (u64 from = begin + item_id(); from < end; from += 4 * group_size()) {
        u32 to[4];
        unrolled for (u32 i = 0; i < 4; i++)
        {
            u64 arc = from + i * group_size();
            bool counts = arc < end && is_neighbour(s, vertex, begin, arc);
            neighbours += counts ? 1 : 0;
            to[i] = counts ? s->rank[s->target[arc]] : rank;
        }
        unrolled for (u32 i = 0; i < 4; i++)
        {
            if (to[i] < rank) (void)local_or(&s->group->bits[to[i] / 32], 1u << to[i] % 32);
        }
    }
    return neighbours;
}

device_inline u32 count_entries(const struct triangles *s, u32 begin, u32 end)
{
    u32 count = 0;
    for (u32 word = begin; word < end; word++) {
        u32 bits = s->group->bits[word];
        count += (bits & 0xffff ? 1 : 0) + (bits >> 16 ? 1 : 0);
    }
    return count;
}

/* Writes the entries of words begin .. end - 1 of the bitmap to out[at ...], and clears the words. */
device_inline void write_entries(const struct triangles *s, u32 begin, u32 end, u64 at)
{
    for (u32 word = begin; word < end; word++) {
        u32 bits = s->group->bits[word];
        if (bits & 0xffff) s->out[at++] = word << 17 | (bits & 0xffff);
        if (bits >> 16) s->out[at++] = word << 17 | 1u << 16 | bits >> 16;
        s->group->bits[word] = 0;
    }
}

/* A group makes the row of a vertex. Item 0 returns the number of wedges. */
device_inline u64 sort_row(const struct triangles *s, u32 vertex)
{
    u32 rank = s->rank[vertex], words = rank / 32 + 1, per = (words + group_size() - 1) / group_size();
    u32 begin = min_u32(item_id() * per, words), end = min_u32(begin + per, words), total;
    u32 neighbours = warp_sum(mark_targets(s, vertex, rank));
    if (lane_id() == 0) (void)local_add(&s->group->neighbours, neighbours);
    group_barrier();
    u32 before = group_prefix(s->group, count_entries(s, begin, end), &total);
    neighbours = s->group->neighbours;
    if (item_id() == 0) s->group->place = reserve_places(s, total);
    group_barrier();
    if (item_id() == 0) {
        s->row[vertex] = row_word(s->group->place, total, ROW_ASCENDS);
        s->group->neighbours = 0;
    }
    write_entries(s, begin, end, s->group->place + before);
    return item_id() == 0 ? pairs(neighbours) : 0;
}

device_inline u64 sort_rows(const struct triangles *s)
{
    u64 wedges = 0;
    u32 units = s->words[TRIANGLES_UNITS];
    struct unit_cursor at = first_unit(s, s->words + TRIANGLES_SORTED);
    while (at.unit < units) {
        u64 unit = s->unit[at.unit];
        u32 vertex = (u32)(unit >> 32);
        acquire_ahead(&at);
        if ((u32)unit == 0 && is_sorted(s, vertex, TRIANGLES_HEAVY)) wedges += sort_row(s, vertex);
        next_unit(s, &at);
    }
    return wedges;
}

/* ---- other rows ---- */

/* What the first pass over a row finds. */
struct row_counts {
    u32 neighbours, targets, flags;
};

/* An item counts the neighbours and the targets of a vertex in every `step`-th arc. */
device_inline struct row_counts count_targets(const struct triangles *s, u32 vertex, u64 begin, u64 end, u32 first,
                                              u32 step)
{
    u32 rank = s->rank[vertex];
    struct row_counts counts = {0, 0, 0};
    for (u64 arc = begin + first; arc < end; arc += step) {
        if (!is_neighbour(s, vertex, begin, arc)) continue;
        u32 to = s->rank[s->target[arc]];
        counts.neighbours++;
        if (to >= rank) continue;
        counts.targets++;
        if (to >= TRIANGLES_PACKED) counts.flags = ROW_PLAIN;
    }
    return counts;
}

/* Does the work by a warp. All items return the same. */
device_inline struct row_counts count_long(const struct triangles *s, u32 vertex, u64 begin, u64 end)
{
    struct row_counts counts = count_targets(s, vertex, begin, end, lane_id(), WARP);
    counts.neighbours = warp_sum(counts.neighbours);
    counts.targets = warp_sum(counts.targets);
    counts.flags = warp_ballot(counts.flags != 0) ? ROW_PLAIN : 0;
    return counts;
}

device_inline void fill_short(const struct triangles *s, u32 vertex, u64 begin, u64 end, u64 row)
{
    u32 rank = s->rank[vertex];
    u64 at = row_begin(row);
    for (u64 arc = begin; arc < end; arc++) {
        u32 to = s->rank[s->target[arc]];
        if (to < rank && is_neighbour(s, vertex, begin, arc)) s->out[at++] = entry_of((row & ROW_PLAIN) != 0, to);
    }
}

/* Does the work of fill_short() by a warp. */
device_inline void fill_long(const struct triangles *s, u32 vertex, u64 begin, u64 end, u64 row)
{
    u32 rank = s->rank[vertex];
    u64 at = row_begin(row);
    for (u64 from = begin; from < end; from += WARP) {
        u64 arc = from + lane_id();
        u32 to = arc < end && is_neighbour(s, vertex, begin, arc) ? s->rank[s->target[arc]] : rank;
        u32 marks = warp_ballot(to < rank);
        if (to < rank) s->out[at + bit_count(marks & lanes_below())] = entry_of((row & ROW_PLAIN) != 0, to);
        at += bit_count(marks);
    }
}

/* A warp makes the rows of its items' vertices, except those that groups make. Returns the wedges of the item's
 * vertex. */
device_inline u64 make_rows(const struct triangles *s, u64 v)
{
    u64 begin = v < s->vertices ? s->offset[v] : 0, end = v < s->vertices ? s->offset[v + 1] : 0, place = 0;
    bool mine = v < s->vertices && !is_sorted(s, v, end - begin), is_long = mine && end - begin > WARP / 4;
    struct row_counts counts = {0, 0, 0};
    if (mine && !is_long) counts = count_targets(s, (u32)v, begin, end, 0, 1);
    u32 longs = warp_ballot(is_long);
    for (u32 left = longs; left; left &= left - 1) {
        u32 lane = first_bit(left);
        struct row_counts its =
            count_long(s, warp_shuffle((u32)v, lane), warp_shuffle_long(begin, lane), warp_shuffle_long(end, lane));
        if (lane_id() == lane) counts = its;
    }
    u32 sum = warp_prefix(counts.targets), total = warp_shuffle(sum, WARP - 1);
    if (lane_id() == 0 && total > 0) place = reserve_places(s, total);
    u64 row = row_word(warp_shuffle_long(place, 0) + sum - counts.targets, counts.targets, counts.flags);
    if (mine) s->row[v] = row;
    if (mine && !is_long) fill_short(s, (u32)v, begin, end, row);
    for (u32 left = longs; left; left &= left - 1) {
        u32 lane = first_bit(left);
        fill_long(s, warp_shuffle((u32)v, lane), warp_shuffle_long(begin, lane), warp_shuffle_long(end, lane),
                  warp_shuffle_long(row, lane));
    }
    return pairs(counts.neighbours);
}

device_inline u64 make_other_rows(const struct triangles *s)
{
    u64 wedges = 0;
    for (u64 base = s->first - lane_id(); base < s->vertices; base += s->items)
        wedges += make_rows(s, base + lane_id());
    return wedges;
}
