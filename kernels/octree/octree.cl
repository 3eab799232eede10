/* SPDX-License-Identifier: MIT */
/* Octree partitioning by tasks (Cederman and Tsigas, section 35.4.2). This file defines how a group runs a task, which
 * is an octant with its points. The group counts the points of the eight parts. It moves the points to the other of two
 * buffers and creates a task for each part with too many points. The points of all other parts are final. A counter
 * adds up their number.
 *
 * Many groups divide an octant of two pieces or more. One group counts each piece, and the group that counts the last
 * piece computes the prefix sums. One group then moves each piece, and the group that moves the last piece creates the
 * tasks. No group waits for another group. Without pieces, as in the paper, a single group divides the root.
 *
 * Points keep their order within an octant, so a leaf has its points in the order of their numbers. The tree is thus
 * canonical (traversal/octree.h). octree_words.cl describes the state. */

/* All items of a group take part in the functions below. */

/* ---- counting ---- */

device_inline void add_counts(local_mem u32 *count, u64 packed)
{
    for (u32 d = 0; d < 8; d++) {
        u32 some = (u32)(packed >> (8 * d)) & 0xffu;
        if (some > 0) local_add(&count[d], some);
    }
}

/* Counts the digits of count points from begin on. An item holds eight counts of eight bits in a word. */
device_inline void count_points(struct octree t, struct octree_octant o, u32 begin, u32 count, local_mem u32 *to)
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

/* Turns the octant's counts, digit by digit and piece by piece, into exclusive prefix sums. Each item adds up eight
 * consecutive entries. */
device_inline void prefix_sum_entries(global_mem u32 *entry, u32 entries, local_mem u64 *scratch)
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
        group_barrier(); /* all items have read scratch and written their entries */
    }
}

/* ---- moving ---- */

/* A point that an item moves. */
struct point {
    u64 key, word; /* word: its digit as one of eight counts; 0: no point */
    u64 before;    /* the sum of word over the items before this one */
    u32 number, digit;
};

/* Returns the point at begin + i if `wanted` is true and i is below count, otherwise zeros. */
device_inline struct point read_point(struct octree t, struct octree_octant o, bool wanted, u32 begin, u32 i, u32 count)
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

device_inline void write_point(struct octree t, struct octree_octant o, struct point point, u32 leaves, u32 first)
{
    u32 to = first + ((u32)(point.before >> (8 * point.digit)) & 0xffu);
    if (leaves >> point.digit & 1u) {
        t.out[to] = point.number;
    } else {
        (o.side ? t.key : t.other_key)[to] = point.key;
        (o.side ? t.number : t.other_number)[to] = point.number;
    }
}

/* Moves count points from begin on to their parts, in order. An item moves one point at a time. group.next: the index
 * of each part's next point. */
device_inline void move_points(struct octree t, struct octree_octant o, u32 begin, u32 count, u32 leaves,
                               struct octree_group group)
{
    for (u32 at = 0; at < count; at += group_size()) {
        struct point point = read_point(t, o, true, begin, at + item_id(), count);
        u64 total;
        point.before = rank_scan(point.word, group.scratch, &total);
        if (point.word > 0) write_point(t, o, point, leaves, group.next[point.digit]);
        group_barrier(); /* all items have read next */
        for (u32 d = item_id(); d < 8; d += group_size()) group.next[d] += (u32)(total >> (8 * d)) & 0xffu;
        group_barrier();
    }
}

/* ---- a task ---- */

/* Counts a piece of the octant as done. For the last piece, resets the count and returns true. */
device_inline bool last_of(struct octree t, struct octree_octant o, u64 slot)
{
    /* acq_rel: releases the group's work on its piece and acquires the other groups' work on their pieces. */
    if (atom_add(&t.done[slot], 1, order_acq_rel) + 1 < o.count / t.words.piece) return false;
    atom_store(&t.done[slot], 0,
               order_relaxed); /* the push of the tasks publishes this store to the groups that run the tasks */
    return true;
}

device_inline struct octant_task begin_task(struct octree t, struct octree_octant o)
{
    struct octant_task now;
    now.whole = o.kind == KIND_WHOLE;
    now.counts = o.kind == KIND_COUNT;
    now.scatters = o.kind == KIND_SCATTER;
    bool piece = now.counts || now.scatters;
    now.pieces = piece ? o.count / t.words.piece : 0;
    now.slot = piece ? first_entry(t, o) : 0;
    now.entry = t.entry + 8 * now.slot;
    now.begin = piece ? o.begin + o.first * t.words.piece : o.begin;
    u32 rest = o.begin + o.count - now.begin;
    now.count = now.whole || (piece && o.first + 1 == now.pieces) ? rest : piece ? t.words.piece : 0;
    now.small = group_size() > 1 && now.whole && now.count <= group_size(); /* a group of one item needs no ranks */
    now.counted = now.single = false;
    now.mask = now.leaves = 0;
    return now;
}

/* Counts an octant with at most one point per item. The items read the points once, and the points' ranks yield the
 * counts. */
device_inline struct point rank_small(struct octree t, struct octree_octant o, struct octant_task now,
                                      struct octree_group group)
{
    struct point point = read_point(t, o, now.small, now.begin, item_id(), now.count);
    u64 total;
    for (u32 once = now.small; once > 0; once--) {
        point.before = rank_scan(point.word, group.scratch, &total);
        for (u32 d = item_id(); d < 8; d += group_size()) group.count[d] = (u32)(total >> (8 * d)) & 0xffu;
        group_barrier();
    }
    return point;
}

/* Counts this task's points, and writes the octant's counts to group.count once all pieces are counted. Returns true if
 * this task counted the last piece. */
device_inline bool count_octant(struct octree t, struct octree_octant o, struct octant_task now,
                                struct octree_group group)
{
    u32 item = item_id(), items = group_size();
    for (u32 d = item; d < 8 && !now.small; d += items) group.count[d] = 0;
    group_barrier();
    count_points(t, o, now.begin, now.scatters || now.small ? 0 : now.count, group.count);
    group_barrier();
    for (u32 d = item; d < 8 && now.counts; d += items) now.entry[d * now.pieces + o.first] = group.count[d];
    group_barrier();
    if (item == 0) *group.last = now.counts && last_of(t, o, now.slot);
    group_barrier();
    bool counted = *group.last != 0;
    prefix_sum_entries(now.entry, counted ? 8 * now.pieces : 0, group.scratch);
    for (u32 d = item; d < 8 && (counted || now.scatters); d += items)
        group.count[d] = (d < 7 ? now.entry[(d + 1) * now.pieces] : o.count) - now.entry[d * now.pieces];
    group_barrier();
    return counted;
}

device_inline void classify_parts(struct octree t, struct octree_octant o, struct octant_task *now,
                                  local_mem const u32 *count)
{
    for (u32 d = 0; d < 8; d++) {
        now->mask |= (u32)(count[d] > 0) << d;
        now->leaves |= (u32)is_leaf(t, count[d], o.level + 1) << d;
    }
    now->single = (now->whole || now->counted) && (now->mask & (now->mask - 1)) == 0 && (now->leaves & now->mask) == 0;
}

/* Writes the index of each part's next point to group.next. */
device_inline void compute_targets(struct octree_octant o, struct octant_task now, struct octree_group group)
{
    for (u32 d = item_id(); d < 8; d += group_size()) {
        u32 to = o.begin + (now.scatters ? now.entry[d * now.pieces + o.first] : 0);
        for (u32 e = 0; e < d && now.whole; e++) to += group.count[e];
        group.next[d] = to;
    }
}

/* Runs a task. All items of the group call with the same octant. The function uses only the first item's worker. Some
 * compilers reject barriers in branches. So the barriers are in loops that run no round if there is no work. */
device_inline void run_octant(struct octree t, struct octree_octant o, struct octree_worker *worker,
                              struct octree_group group)
{
    struct octant_task now = begin_task(t, o);
    struct point point = rank_small(t, o, now, group);
    now.counted = count_octant(t, o, now, group);
    classify_parts(t, o, &now, group.count);
    bool moves = now.scatters || (now.whole && !now.single);
    compute_targets(o, now, group);
    group_barrier();
    if (now.small && moves && point.word > 0) write_point(t, o, point, now.leaves, group.next[point.digit]);
    move_points(t, o, now.begin, moves && !now.small ? now.count : 0, now.leaves, group);
    group_barrier(); /* all moves come before the first item's pushes and its count of pieces */
    if (item_id() > 0 || o.kind == KIND_NONE) return;
    worker->tasks++;
    if (now.single)
        push_single_part(t, worker, o, now.mask);
    else if (now.counted)
        push_scattered(t, worker, o);
    else if (now.whole || (now.scatters && last_of(t, o, now.slot)))
        finish_octant(t, worker, o, now, group.count);
}

/* Declares a group's state among its kernel's variables. */
#define OCTREE_GROUP_STATE(group)                                                                                      \
    local_array(u64, group_words, RANK_WORDS + TASK_WORDS);                                                            \
    local_array(u32, group_counts, 17);                                                                                \
    struct octree_group group;                                                                                         \
    group.scratch = group_words;                                                                                       \
    group.task = group_words + RANK_WORDS;                                                                             \
    group.count = group_counts;                                                                                        \
    group.next = group_counts + 8;                                                                                     \
    group.last = group_counts + 16

/* ---- the beginning ---- */

/* Numbers the points and creates the first tasks, with any number of groups. `octant` has three words for each octant:
 * begin, points (more than leaf) and level. The points of an octant are contiguous. The octants' handles are the first
 * words of INNER. Each group creates tasks in its own deque (static: for round 0). The caller has set all counters to
 * zero. */
kernel_entry octree_begin(OCTREE_PARAMETERS, global_mem u32 *octant, u32 octants)
{
    OCTREE_MAKE(t);
    u64 items = (u64)group_size() * group_count(), first = (u64)group_id() * group_size() + item_id();
    for (u64 i = first; i < t.words.points; i += items) t.number[i] = (u32)i;
    if (first == 0) atom_store(&t.control[CONTROL_INNER], (u64)octants, order_relaxed);
    if (item_id() > 0) return;
    struct octree_worker worker = new_worker(POOL_STEALS ? group_id() : 0);
    struct octree_octant o;
    o.side = o.first = o.last = 0;
    for (u32 i = group_id(); i < octants; i += group_count()) {
        o.begin = octant[3 * i];
        o.count = octant[3 * i + 1];
        o.level = octant[3 * i + 2];
        o.handle = i;
        push_divided(t, &worker, o);
    }
}
