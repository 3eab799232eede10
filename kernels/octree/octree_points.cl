/* SPDX-License-Identifier: MIT */
/* Octrees by tasks: a group counts the points of an octant's parts, sums the counts of its pieces up to places, and
 * moves points there. All items of the group take part. */

/* ---- counting ---- */

device_inline void add_counts(local_mem u32 *count, u64 packed)
{
    for (u32 d = 0; d < 8; d++) {
        u32 some = (u32)(packed >> (8 * d)) & 0xffu;
        if (some > 0) local_add(&count[d], some);
    }
}

/* Adds up the digits of count points from begin on. An item keeps eight counts of eight bits in a word. */
device_inline void count_points(struct octree t, struct octant o, u32 begin, u32 count, local_mem u32 *to)
{
    global_mem u64 *key = o.side ? t.other_key : t.key;
    u64 packed = 0;
    u32 held = 0;
    for (u32 i = item_id(); i < count; i += group_size()) {
        packed += (u64)1 << (8 * digit_of(key[begin + i], o.level));
        if (++held < 255) continue;
        add_counts(to, packed);
        packed = held = 0;
    }
    add_counts(to, packed);
}

/* Turns the octant's counts, digit by digit and piece by piece, into places. Each item adds up eight in a row. */
device_inline void sum_entries(global_mem u32 *entry, u32 entries, local_mem u64 *scratch)
{
    u64 carry = 0, total = 0;
    for (u32 at = 0; at < entries; at += 8 * group_size()) {
        u32 first = at + 8 * item_id(), last = first < entries ? first + 8 : first;
        u64 sum = 0;
        for (u32 i = first; i < last; i++) sum += entry[i];
        u64 place = carry + rank_scan(sum, scratch, &total);
        for (u32 i = first; i < last; i++) {
            u32 some = entry[i];
            entry[i] = (u32)place;
            place += some;
        }
        carry += total;
        group_barrier(); /* scratch is free, and the entries are written */
    }
}

/* ---- moving ---- */

/* A point in an item's hands. */
struct point {
    u64 key, word; /* word: its digit as one of eight counts; 0: there is no point */
    u64 before;    /* the same, of the items before this one */
    u32 number, digit;
};

/* Point number i of those from begin on, if it is one of count and wanted. */
device_inline struct point read_point(struct octree t, struct octant o, bool wanted, u32 begin, u32 i, u32 count)
{
    struct point point;
    point.key = point.word = point.before = 0;
    point.number = point.digit = 0;
    if (!wanted || i >= count) return point;
    point.key = (o.side ? t.other_key : t.key)[begin + i];
    point.number = (o.side ? t.other_number : t.number)[begin + i];
    point.digit = digit_of(point.key, o.level);
    point.word = (u64)1 << (8 * point.digit);
    return point;
}

device_inline void write_point(struct octree t, struct octant o, struct point point, u32 settled, u32 first)
{
    u32 to = first + ((u32)(point.before >> (8 * point.digit)) & 0xffu);
    if (settled >> point.digit & 1u) {
        t.out[to] = point.number;
    } else {
        (o.side ? t.key : t.other_key)[to] = point.key;
        (o.side ? t.number : t.other_number)[to] = point.number;
    }
}

/* Moves count points from begin on to their parts, in order, a group's worth at a time. desk->next: where each part's
 * next point goes. */
device_inline void move_points(struct octree t, struct octant o, u32 begin, u32 count, u32 settled, struct desk desk)
{
    for (u32 at = 0; at < count; at += group_size()) {
        struct point point = read_point(t, o, true, begin, at + item_id(), count);
        u64 total;
        point.before = rank_scan(point.word, desk.scratch, &total);
        if (point.word > 0) write_point(t, o, point, settled, desk.next[point.digit]);
        group_barrier(); /* all have read next */
        for (u32 d = item_id(); d < 8; d += group_size()) desk.next[d] += (u32)(total >> (8 * d)) & 0xffu;
        group_barrier();
    }
}
