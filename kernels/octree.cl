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
 * (traversal/octree.h).
 *
 * State: KEY and NUMBER of each point, twice; side says which of the two has an octant's points. OUT: the numbers of
 * points that have found their place. TWIG: the divided octants as in traversal/space/octree_sprout.h, word 0 the
 * root's sprout; a sprout is a leaf's points * 2 + 1, or where its twig will lie in the host's memory, which begins at
 * base. ENTRY: for piece p and digit d of an octant, first how many points, then where they go, from the octant's first
 * place; DONE: how many of its pieces are through. An octant's words of both are those of the pieces that begin in
 * it, so that octants that exist at the same time have words of their own. */

/* A task's words: begin | points << 32; sprout | level << 40 | side << 48 | kind << 56; first piece | end << 32. */
#define KIND_WHOLE 0u   /* by one group */
#define KIND_COUNT 1u   /* some pieces: count them */
#define KIND_SCATTER 2u /* some pieces: move their points */
#define KIND_NONE 3u    /* no task: the end */
#define SPROUT_MASK (((u64)1 << 40) - 1)

/* Words of CONTROL, each in a cache line of its own. */
#define CONTROL_PLACED 0u /* points that have found their place */
#define CONTROL_STATE 16u /* RUN_ON, or why all stop */
#define CONTROL_TWIGS 32u /* words of TWIG that are taken */
#define CONTROL_HIGH 48u  /* static: the most tasks of a round */
#define CONTROL_ROUNDS 49u /* static: how many had a task */
#define CONTROL_WORDS 64u

#define RUN_ON 0u
#define RUN_OUT_OF_TWIGS 1u
#define RUN_OUT_OF_SLOTS 2u
#define RUN_STUCK 3u /* nothing has happened for too long */

/* A group's statistics: STATS_STRIDE words, written by it alone. */
#define STATS_STRIDE 8u
#define STATS_TASKS 0u
#define STATS_STEALS 1u
#define STATS_FAILED 2u
#define STATS_HIGH 3u /* the most slots of its deque that were in use */
#define STATS_STOLEN 4u

#define KEY_BITS 63u

struct octree {
    global_mem u64 *key, *other_key;
    global_mem u32 *number, *other_number, *out, *entry;
    global_mem atom32 *done;
    global_mem u64 *twig;
    global_mem atom64 *control;
    struct pool pool;
    global_mem u64 *stats;
    u32 points, leaf, depth, piece;
    u64 twigs, base;
};

#define OCTREE_PARAMETERS                                                                                              \
    global_mem u64 *key, global_mem u64 *other_key, global_mem u32 *number, global_mem u32 *other_number,              \
        global_mem u32 *out, global_mem u32 *entry, global_mem atom32 *done, global_mem u64 *twig,                     \
        global_mem atom64 *control, global_mem atom64 *deques, global_mem u64 *stats, u32 room, u32 points, u32 leaf,  \
        u32 depth, u32 piece, u32 chunk, u64 twigs, u64 base

#define OCTREE_MAKE(t)                                                                                                 \
    struct octree t;                                                                                                   \
    t.key = key;                                                                                                       \
    t.other_key = other_key;                                                                                           \
    t.number = number;                                                                                                 \
    t.other_number = other_number;                                                                                     \
    t.out = out;                                                                                                       \
    t.entry = entry;                                                                                                   \
    t.done = done;                                                                                                     \
    t.twig = twig;                                                                                                     \
    t.control = control;                                                                                               \
    t.pool.word = deques;                                                                                              \
    t.pool.room = room;                                                                                                \
    t.pool.chunk = chunk;                                                                                              \
    t.stats = stats;                                                                                                   \
    t.points = points;                                                                                                 \
    t.leaf = leaf;                                                                                                     \
    t.depth = depth;                                                                                                   \
    t.piece = piece;                                                                                                   \
    t.twigs = twigs;                                                                                                   \
    t.base = base

struct octant {
    u32 begin, count; /* its points */
    u64 sprout;       /* where in TWIG its sprout goes */
    u32 level, side, kind;
    u32 first, last; /* of its pieces, those from first to last - 1; unless whole */
};

/* What a group's items share of a task. */
struct desk {
    local_mem u64 *scratch; /* RANK_WORDS */
    local_mem u64 *task;    /* TASK_WORDS */
    local_mem u32 *count;   /* of each part */
    local_mem u32 *next;    /* where its next point goes */
    local_mem u32 *last;    /* is this piece the last one? */
};

/* A group's counts, in the item that takes tasks. */
struct hand {
    u32 self; /* whose deque; static: the round */
    u32 high;
    u64 tasks, steals, failed, stolen;
};

device_inline void octant_pack(struct octant o, u64 *task)
{
    task[0] = o.begin | (u64)o.count << 32;
    task[1] = o.sprout | (u64)o.level << 40 | (u64)o.side << 48 | (u64)o.kind << 56;
    task[2] = o.first | (u64)o.last << 32;
}

device_inline struct octant octant_of(u64 first, u64 second, u64 third)
{
    struct octant o;
    o.begin = (u32)first;
    o.count = (u32)(first >> 32);
    o.sprout = second & SPROUT_MASK;
    o.level = (u32)(second >> 40) & 0xffu;
    o.side = (u32)(second >> 48) & 0xffu;
    o.kind = (u32)(second >> 56);
    o.first = (u32)third;
    o.last = (u32)(third >> 32);
    return o;
}

device_inline u32 digit_of(u64 key, u32 level)
{
    return (u32)(key >> (KEY_BITS - 3 - 3 * level)) & 7u;
}

device_inline bool settles(struct octree t, u32 count, u32 level)
{
    return count <= t.leaf || level == t.depth;
}

/* The first of the octant's words of ENTRY and DONE. Not fewer lie before the next octant's than it has pieces. */
device_inline u64 first_entry(struct octree t, struct octant o)
{
    return ((u64)o.begin + t.piece - 1) / t.piece;
}

/* ---- making tasks ---- */

device_inline void stop(struct octree t, u64 why)
{
    u64 on = RUN_ON;
    (void)atom_cas(&t.control[CONTROL_STATE], &on, why, order_relaxed);
}

device_inline void push_octant(struct octree t, struct hand *hand, struct octant o)
{
    u64 task[TASK_WORDS];
    octant_pack(o, task);
    u32 used = pool_push(t.pool, hand->self, task);
    if (used == 0) stop(t, RUN_OUT_OF_SLOTS);
    if (used > hand->high) hand->high = used;
}

/* All pieces of an octant: as one task, which whoever takes it splits, or as one each. */
device_inline void push_pieces(struct octree t, struct hand *hand, struct octant o, u32 kind)
{
    u32 pieces = o.count / t.piece;
    o.kind = kind;
    for (u32 p = 0; p < pieces; p = o.last) {
        o.first = p;
        o.last = POOL_SPLITS ? pieces : p + 1;
        push_octant(t, hand, o);
    }
}

/* An octant that is to be divided. */
device_inline void push_divided(struct octree t, struct hand *hand, struct octant o)
{
    o.kind = KIND_WHOLE;
    if (o.count / t.piece >= 2)
        push_pieces(t, hand, o, KIND_COUNT);
    else
        push_octant(t, hand, o);
}

/* A twig for the octant: where its words after the mask begin; 0 when there is no room. */
device_inline u64 grow_twig(struct octree t, struct octant o, u32 mask)
{
    u64 words = 1;
    for (u32 rest = mask; rest > 0; rest &= rest - 1) words++;
    /* relaxed: the sum makes places disjoint; the kernel's end publishes what lies there. */
    u64 at = atom_add(&t.control[CONTROL_TWIGS], words, order_relaxed);
    if (at + words > t.twigs) {
        stop(t, RUN_OUT_OF_TWIGS);
        return 0;
    }
    t.twig[o.sprout] = t.base + 8 * at;
    t.twig[at] = mask;
    return at + 1;
}

/* The octant's points are in their parts, which become leaves or tasks, the first one last, so that it is the next. */
device_inline void finish_octant(struct octree t, struct hand *hand, struct octant o, local_mem const u32 *count)
{
    u32 mask = 0, places = 0, placed = 0, end = o.begin + o.count;
    for (u32 d = 0; d < 8; d++)
        if (count[d] > 0) {
            mask |= 1u << d;
            places++;
        }
    u64 twig = grow_twig(t, o, mask);
    for (u32 d = 8; d-- > 0 && twig > 0;) {
        struct octant child = o;
        child.count = count[d];
        child.begin = end -= count[d];
        child.level++;
        child.side ^= 1u;
        child.sprout = twig + places - 1;
        if (child.count == 0) continue;
        places--;
        if (settles(t, child.count, child.level)) {
            t.twig[child.sprout] = (u64)child.count << 1 | 1;
            placed += child.count;
        } else
            push_divided(t, hand, child);
    }
    /* relaxed: only the sum counts; what was placed is published by the kernel's end. */
    if (placed > 0) (void)atom_add(&t.control[CONTROL_PLACED], (u64)placed, order_relaxed);
}

/* All points lie in one part, which is divided in turn: they stay where they are. */
device_inline void pass_on(struct octree t, struct hand *hand, struct octant o, u32 mask)
{
    u64 twig = grow_twig(t, o, mask);
    if (twig == 0) return;
    o.sprout = twig;
    o.level++;
    push_divided(t, hand, o);
}

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

/* Moves count points from begin on to their parts, in order, a group's worth at a time. desk->next: where each part's
 * next point goes. */
device_inline void move_points(struct octree t, struct octant o, u32 begin, u32 count, u32 settled, struct desk desk)
{
    global_mem u64 *key = o.side ? t.other_key : t.key, *to_key = o.side ? t.key : t.other_key;
    global_mem u32 *number = o.side ? t.other_number : t.number, *to_number = o.side ? t.number : t.other_number;
    for (u32 at = 0; at < count; at += group_size()) {
        u32 i = at + item_id(), digit = 0;
        u64 one = 0, word = 0, total;
        if (i < count) {
            one = key[begin + i];
            digit = digit_of(one, o.level);
            word = (u64)1 << (8 * digit);
        }
        u64 before = rank_scan(word, desk.scratch, &total);
        if (i < count) {
            u32 to = desk.next[digit] + ((u32)(before >> (8 * digit)) & 0xffu), who = number[begin + i];
            if (settled >> digit & 1u) {
                t.out[to] = who;
            } else {
                to_key[to] = one;
                to_number[to] = who;
            }
        }
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
    if (atom_add(&t.done[slot], 1, order_acq_rel) + 1 < o.count / t.piece) return false;
    atom_store(&t.done[slot], 0, order_relaxed); /* published to the next who count by the push of their tasks */
    return true;
}

/* What a group does with the task in hand: the same in all its items. */
struct doing {
    bool whole, counts, scatters; /* the task's kind; none of them: there is no task */
    u32 pieces, begin, count;     /* of the octant; and the points of this piece */
    u64 slot;                     /* of DONE */
    global_mem u32 *entry;
    bool counted; /* it was the last piece to be counted */
    u32 mask, settled;
    bool one; /* all points lie in one part, which is divided in turn */
};

device_inline struct doing begin_task(struct octree t, struct octant o)
{
    struct doing now;
    now.whole = o.kind == KIND_WHOLE;
    now.counts = o.kind == KIND_COUNT;
    now.scatters = o.kind == KIND_SCATTER;
    bool piece = now.counts || now.scatters;
    now.pieces = piece ? o.count / t.piece : 0;
    now.slot = piece ? first_entry(t, o) : 0;
    now.entry = t.entry + 8 * now.slot;
    now.begin = piece ? o.begin + o.first * t.piece : o.begin;
    u32 rest = o.begin + o.count - now.begin;
    now.count = now.whole || (piece && o.first + 1 == now.pieces) ? rest : piece ? t.piece : 0;
    now.counted = now.one = false;
    now.mask = now.settled = 0;
    return now;
}

/* The octant's counts into desk.count, as soon as they are known: counted are those of all pieces. */
device_inline bool count_octant(struct octree t, struct octant o, struct doing now, struct desk desk)
{
    u32 item = item_id(), items = group_size();
    for (u32 d = item; d < 8; d += items) desk.count[d] = 0;
    group_barrier();
    count_points(t, o, now.begin, now.scatters ? 0 : now.count, desk.count);
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
    now.counted = count_octant(t, o, now, desk);
    judge_parts(t, o, &now, desk.count);
    bool moves = now.scatters || (now.whole && !now.one);
    aim(o, now, desk);
    group_barrier();
    move_points(t, o, now.begin, moves ? now.count : 0, now.settled, desk);
    group_barrier(); /* all that is moved comes before the first item's pushes, and its count of pieces */
    if (item_id() > 0 || o.kind == KIND_NONE) return;
    hand->tasks++;
    if (now.one)
        pass_on(t, hand, o, now.mask);
    else if (now.counted)
        push_pieces(t, hand, o, KIND_SCATTER);
    else if (now.whole || (now.scatters && last_of(t, o, now.slot)))
        finish_octant(t, hand, o, desk.count);
}

/* A group's desk; stands among its kernel's variables. */
#define OCTREE_DESK(desk)                                                                                              \
    local_array(u64, desk_words, RANK_WORDS + TASK_WORDS);                                                             \
    local_array(u32, desk_counts, 17);                                                                                 \
    struct desk desk;                                                                                                  \
    desk.scratch = desk_words;                                                                                         \
    desk.task = desk_words + RANK_WORDS;                                                                               \
    desk.count = desk_counts;                                                                                          \
    desk.next = desk_counts + 8;                                                                                       \
    desk.last = desk_counts + 16

/* ---- the beginning ---- */

/* Numbers the points and makes the first task, in worker 0's deque: any number of groups. points > leaf, and what
 * counts is cleared. */
kernel_entry octree_begin(OCTREE_PARAMETERS)
{
    OCTREE_MAKE(t);
    u64 items = (u64)group_size() * group_count(), first = (u64)group_id() * group_size() + item_id();
    for (u64 i = first; i < points; i += items) t.number[i] = (u32)i;
    if (first > 0) return;
    struct hand hand;
    hand.self = hand.high = 0;
    struct octant root;
    root.begin = root.level = root.side = root.first = root.last = 0;
    root.count = points;
    root.sprout = 0;
    atom_store(&t.control[CONTROL_TWIGS], (u64)1, order_relaxed);
    push_divided(t, &hand, root);
}
