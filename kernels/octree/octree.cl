/* SPDX-License-Identifier: MIT */
/* Octree partitioning by tasks (Cederman and Tsigas, section 35.4.2): what a group does with a task, an octant and its
 * points. It counts the points of each of the eight parts, moves them there, into the other of two buffers, and makes a
 * task of each part that has too many; the others have found their place, which a counter adds up.
 *
 * An octant of two pieces or more is divided by many groups: counted piece by piece; whoever counts the last one sums
 * up; moved piece by piece; whoever moves the last one makes the tasks. No group waits for another: the last one goes
 * on. Without pieces, as in the text, one group divides all points alone at first.
 *
 * Points keep their order within an octant, so a leaf has them by their numbers and the tree is canonical
 * (traversal/octree.h). The state is in octree_words.cl. */

/* A group counts the points of an octant's parts, sums the counts of its pieces up to places, and moves points there.
 * All items of the group take part. */

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

/* ---- a task ---- */

/* The octant's DONE goes up by one; true for its last piece, which begins it anew. */
device_inline bool last_of(struct octree t, struct octant o, u64 slot)
{
    /* acq_rel: a release of what the group did with its piece, an acquire of what others did with theirs. */
    if (atom_add(&t.done[slot], 1, order_acq_rel) + 1 < o.count / t.words.piece) return false;
    atom_store(&t.done[slot], 0, order_relaxed); /* published to the next who count by the push of their tasks */
    return true;
}

device_inline struct doing begin_task(struct octree t, struct octant o)
{
    struct doing now;
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
    now.few = group_size() > 1 && now.whole && now.count <= group_size(); /* one item ranks nothing */
    now.counted = now.one = false;
    now.mask = now.settled = 0;
    return now;
}

/* Of an octant that has at most a point for each item: they are read once, and counted as they are ranked. */
device_inline struct point rank_few(struct octree t, struct octant o, struct doing now, struct desk desk)
{
    struct point point = read_point(t, o, now.few, now.begin, item_id(), now.count);
    u64 total;
    for (u32 once = now.few; once > 0; once--) {
        point.before = rank_scan(point.word, desk.scratch, &total);
        for (u32 d = item_id(); d < 8; d += group_size()) desk.count[d] = (u32)(total >> (8 * d)) & 0xffu;
        group_barrier();
    }
    return point;
}

/* The octant's counts into desk.count, as soon as they are known: counted are those of all pieces. */
device_inline bool count_octant(struct octree t, struct octant o, struct doing now, struct desk desk)
{
    u32 item = item_id(), items = group_size();
    for (u32 d = item; d < 8 && !now.few; d += items) desk.count[d] = 0;
    group_barrier();
    count_points(t, o, now.begin, now.scatters || now.few ? 0 : now.count, desk.count);
    group_barrier();
    for (u32 d = item; d < 8 && now.counts; d += items) now.entry[d * now.pieces + o.first] = desk.count[d];
    group_barrier();
    if (item == 0) *desk.last = now.counts && last_of(t, o, now.slot);
    group_barrier();
    bool counted = *desk.last != 0;
    sum_entries(now.entry, counted ? 8 * now.pieces : 0, desk.scratch);
    for (u32 d = item; d < 8 && (counted || now.scatters); d += items)
        desk.count[d] = (d < 7 ? now.entry[(d + 1) * now.pieces] : o.count) - now.entry[d * now.pieces];
    group_barrier();
    return counted;
}

device_inline void judge_parts(struct octree t, struct octant o, struct doing *now, local_mem const u32 *count)
{
    for (u32 d = 0; d < 8; d++) {
        now->mask |= (u32)(count[d] > 0) << d;
        now->settled |= (u32)settles(t, count[d], o.level + 1) << d;
    }
    now->one = (now->whole || now->counted) && (now->mask & (now->mask - 1)) == 0 && (now->settled & now->mask) == 0;
}

/* Where each part's next point goes, into desk.next. */
device_inline void aim(struct octant o, struct doing now, struct desk desk)
{
    for (u32 d = item_id(); d < 8; d += group_size()) {
        u32 to = o.begin + (now.scatters ? now.entry[d * now.pieces + o.first] : 0);
        for (u32 e = 0; e < d && now.whole; e++) to += desk.count[e];
        desk.next[d] = to;
    }
}

/* Runs a task; all items of the group call with the same octant, the first one's hand counts. Barriers stand in loops
 * that run no round where there is nothing to do, as some compilers do not take them in branches. */
device_inline void run_octant(struct octree t, struct octant o, struct hand *hand, struct desk desk)
{
    struct doing now = begin_task(t, o);
    struct point point = rank_few(t, o, now, desk);
    now.counted = count_octant(t, o, now, desk);
    judge_parts(t, o, &now, desk.count);
    bool moves = now.scatters || (now.whole && !now.one);
    aim(o, now, desk);
    group_barrier();
    if (now.few && moves && point.word > 0) write_point(t, o, point, now.settled, desk.next[point.digit]);
    move_points(t, o, now.begin, moves && !now.few ? now.count : 0, now.settled, desk);
    group_barrier(); /* all that is moved comes before the first item's pushes, and its count of pieces */
    if (item_id() > 0 || o.kind == KIND_NONE) return;
    hand->tasks++;
    if (now.one)
        pass_on(t, hand, o, now.mask);
    else if (now.counted)
        push_scattered(t, hand, o);
    else if (now.whole || (now.scatters && last_of(t, o, now.slot)))
        finish_octant(t, hand, o, now, desk.count);
}

/* A group's desk; stands among its kernel's variables. */
#define OCTREE_GROUP_STATE(desk)                                                                                       \
    local_array(u64, desk_words, RANK_WORDS + TASK_WORDS);                                                             \
    local_array(u32, desk_counts, 17);                                                                                 \
    struct desk desk;                                                                                                  \
    desk.scratch = desk_words;                                                                                         \
    desk.task = desk_words + RANK_WORDS;                                                                               \
    desk.count = desk_counts;                                                                                          \
    desk.next = desk_counts + 8;                                                                                       \
    desk.last = desk_counts + 16

/* ---- the beginning ---- */

/* Numbers the points and makes the first tasks: any number of groups. octant has where each octant begins, its points,
 * more than leaf, and its level; their points lie one behind the other, their handles are the first words of INNER.
 * Each group makes tasks for its own deque; static: for round 0. What counts is cleared. */
kernel_entry octree_begin(OCTREE_PARAMETERS, global_mem u32 *octant, u32 octants)
{
    OCTREE_MAKE(t);
    u64 items = (u64)group_size() * group_count(), first = (u64)group_id() * group_size() + item_id();
    for (u64 i = first; i < t.words.points; i += items) t.number[i] = (u32)i;
    if (first == 0) atom_store(&t.control[CONTROL_INNER], (u64)octants, order_relaxed);
    if (item_id() > 0) return;
    struct hand hand = hand_of(POOL_STEALS ? group_id() : 0);
    struct octant o;
    o.side = o.first = o.last = 0;
    for (u32 i = group_id(); i < octants; i += group_count()) {
        o.begin = octant[3 * i];
        o.count = octant[3 * i + 1];
        o.level = octant[3 * i + 2];
        o.handle = i;
        push_divided(t, &hand, o);
    }
}
