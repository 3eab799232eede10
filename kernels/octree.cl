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
#define TWIGS_AT_ONCE 64u
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
    u32 twigs; /* words of TWIG that it has room in, from twig on */
    u64 twig;
    u64 tasks, steals, failed, stolen;
};

/* What a group does with the task in hand: the same in all its items. */
struct doing {
    bool whole, counts, scatters; /* the task's kind; none of them: there is no task */
    u32 pieces, begin, count;     /* of the octant; and the points of this piece */
    u64 slot;                     /* of DONE */
    global_mem u32 *entry;
    bool few;     /* a whole octant of at most a point for each item */
    bool counted; /* it was the last piece to be counted */
    u32 mask, settled;
    bool one; /* all points lie in one part, which is divided in turn */
};

device_inline struct hand hand_of(u32 self)
{
    struct hand hand;
    hand.self = self;
    hand.high = hand.twigs = 0;
    hand.twig = hand.tasks = hand.steals = hand.failed = hand.stolen = 0;
    return hand;
}

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

/* Tasks on their way into the pool: those from place to end - 1 are still to be put. */
struct batch {
    u32 first, count, place;
};

device_inline struct batch batch_begin(struct octree t, struct hand *hand, u32 count)
{
    struct batch batch;
    batch.count = count;
    batch.first = batch.place = count > 0 ? pool_begin(t.pool, hand->self, count) : 0;
    if (batch.first == POOL_FULL) stop(t, RUN_OUT_OF_SLOTS);
    return batch;
}

device_inline void batch_put(struct octree t, struct hand *hand, struct batch *batch, struct octant o)
{
    u64 task[TASK_WORDS];
    octant_pack(o, task);
    if (batch->first != POOL_FULL) pool_put(t.pool, hand->self, batch->place++, task);
}

device_inline void batch_end(struct octree t, struct hand *hand, struct batch batch)
{
    if (batch.first == POOL_FULL || batch.count == 0) return;
    pool_end(t.pool, hand->self, batch.first, batch.count);
    if (batch.place > hand->high) hand->high = batch.place;
}

/* The tasks of an octant's pieces: one, which whoever takes it splits, or as many as pieces. */
device_inline u32 tasks_of_pieces(struct octree t, struct octant o)
{
    return POOL_SPLITS ? 1 : o.count / t.piece;
}

device_inline void put_pieces(struct octree t, struct hand *hand, struct batch *batch, struct octant o, u32 kind)
{
    u32 pieces = o.count / t.piece;
    o.kind = kind;
    for (u32 p = 0; p < pieces; p = o.last) {
        o.first = p;
        o.last = POOL_SPLITS ? pieces : p + 1;
        batch_put(t, hand, batch, o);
    }
}

/* Of an octant that is to be divided. */
device_inline u32 tasks_of(struct octree t, struct octant o)
{
    return o.count / t.piece >= 2 ? tasks_of_pieces(t, o) : 1;
}

device_inline void put_divided(struct octree t, struct hand *hand, struct batch *batch, struct octant o)
{
    o.kind = KIND_WHOLE;
    if (o.count / t.piece >= 2)
        put_pieces(t, hand, batch, o, KIND_COUNT);
    else
        batch_put(t, hand, batch, o);
}

device_inline void push_divided(struct octree t, struct hand *hand, struct octant o)
{
    struct batch batch = batch_begin(t, hand, tasks_of(t, o));
    put_divided(t, hand, &batch, o);
    batch_end(t, hand, batch);
}

/* A twig for the octant: where its words after the mask begin; 0 when there is no room. A group that stays
 * takes room for several twigs at once. */
device_inline u64 grow_twig(struct octree t, struct hand *hand, struct octant o, u32 mask)
{
    u32 words = 1;
    for (u32 rest = mask; rest > 0; rest &= rest - 1) words++;
    if (hand->twigs < words) {
        /* relaxed: the sum makes places disjoint; the kernel's end publishes what lies there. */
        hand->twigs = POOL_STEALS ? TWIGS_AT_ONCE : words;
        hand->twig = atom_add(&t.control[CONTROL_TWIGS], (u64)hand->twigs, order_relaxed);
    }
    u64 at = hand->twig;
    if (at + words > t.twigs) {
        stop(t, RUN_OUT_OF_TWIGS);
        return 0;
    }
    hand->twig += words;
    hand->twigs -= words;
    t.twig[o.sprout] = t.base + 8 * at;
    t.twig[at] = mask;
    return at + 1;
}

/* The octant's part of that digit, whose points end at end. */
device_inline struct octant part_of(struct octant o, u32 count, u32 end, u64 sprout)
{
    o.count = count;
    o.begin = end - count;
    o.level++;
    o.side ^= 1u;
    o.sprout = sprout;
    return o;
}

/* The octant's points are in their parts, which become leaves or tasks, the first one last, so that it is the next. */
device_inline void finish_octant(struct octree t, struct hand *hand, struct octant o, struct doing now,
                                 local_mem const u32 *count)
{
    u32 placed = 0, end = o.begin + o.count, tasks = 0, divided = now.mask & ~now.settled;
    u64 twig = grow_twig(t, hand, o, now.mask), sprout = twig;
    if (twig == 0) return;
    for (u32 d = 0; d < 8; d++) {
        sprout += now.mask >> d & 1u;
        if (divided >> d & 1u) tasks += tasks_of(t, part_of(o, count[d], o.begin + o.count, 0));
    }
    struct batch batch = batch_begin(t, hand, tasks);
    for (u32 d = 8; d-- > 0;) {
        if (!(now.mask >> d & 1u)) continue;
        struct octant part = part_of(o, count[d], end, --sprout);
        end = part.begin;
        if (divided >> d & 1u) {
            put_divided(t, hand, &batch, part);
        } else {
            t.twig[sprout] = (u64)part.count << 1 | 1;
            placed += part.count;
        }
    }
    batch_end(t, hand, batch);
    /* relaxed: only the sum counts; what was placed is published by the kernel's end. */
    if (placed > 0) (void)atom_add(&t.control[CONTROL_PLACED], (u64)placed, order_relaxed);
}

/* All points lie in one part, which is divided in turn: they stay where they are. */
device_inline void pass_on(struct octree t, struct hand *hand, struct octant o, u32 mask)
{
    u64 twig = grow_twig(t, hand, o, mask);
    if (twig == 0) return;
    o.sprout = twig;
    o.level++;
    push_divided(t, hand, o);
}

device_inline void push_scattered(struct octree t, struct hand *hand, struct octant o)
{
    struct batch batch = batch_begin(t, hand, tasks_of_pieces(t, o));
    put_pieces(t, hand, &batch, o, KIND_SCATTER);
    batch_end(t, hand, batch);
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
    if (atom_add(&t.done[slot], 1, order_acq_rel) + 1 < o.count / t.piece) return false;
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
    now.pieces = piece ? o.count / t.piece : 0;
    now.slot = piece ? first_entry(t, o) : 0;
    now.entry = t.entry + 8 * now.slot;
    now.begin = piece ? o.begin + o.first * t.piece : o.begin;
    u32 rest = o.begin + o.count - now.begin;
    now.count = now.whole || (piece && o.first + 1 == now.pieces) ? rest : piece ? t.piece : 0;
    now.few = now.whole && now.count <= group_size();
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
    struct hand hand = hand_of(0);
    struct octant root;
    root.begin = root.level = root.side = root.first = root.last = 0;
    root.count = points;
    root.sprout = 0;
    atom_store(&t.control[CONTROL_TWIGS], (u64)1, order_relaxed);
    push_divided(t, &hand, root);
}
