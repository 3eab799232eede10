/* SPDX-License-Identifier: MIT */
/* Octrees by tasks: the words of a task, of what all groups share and of what a group has to itself.
 *
 * State: KEY and NUMBER of each point, twice; side says which of the two has an octant's points. OUT: the numbers of
 * points that have found their place. INNER: the divided octants as in traversal/space/octree_state.h, word 0 the
 * root's handle; a handle is a leaf's points * 2 + 1, or where its inner node will lie in the host's memory, which
 * begins at base. ENTRY: for piece p and digit d of an octant, first how many points, then where they go, from the
 * octant's first place; DONE: how many of its pieces are through. An octant's words of both are those of the pieces
 * that begin in it, so that octants that exist at the same time have words of their own. */

/* A task's words: begin | points << 32; handle | level << 40 | side << 48 | kind << 56; first piece | end << 32. */
#define KIND_WHOLE 0u   /* by one group */
#define KIND_COUNT 1u   /* some pieces: count them */
#define KIND_SCATTER 2u /* some pieces: move their points */
#define KIND_NONE 3u    /* no task: the end */
#define HANDLE_MASK (((u64)1 << 40) - 1)

#define KEY_BITS 63u

/* What is asked of a tree, as struct gws__octree_params has it for the host: room and chunk are the pool's. */
struct octree_words {
    u32 room, points, leaf, depth, piece, chunk;
    u64 inner_words, base;
};

struct octree {
    global_mem u64 *key, *other_key;
    global_mem u32 *number, *other_number, *out, *entry;
    global_mem atom32 *done;
    global_mem u64 *inner;
    global_mem atom64 *control;
    struct pool pool;
    global_mem u64 *stats;
    global_mem struct gws__trace_log *trace; /* a null pointer: nothing is traced */
    struct octree_words words;
};

#define OCTREE_PARAMETERS                                                                                              \
    global_mem u64 *key, global_mem u64 *other_key, global_mem u32 *number, global_mem u32 *other_number,              \
        global_mem u32 *out, global_mem u32 *entry, global_mem atom32 *done, global_mem u64 *inner,                    \
        global_mem atom64 *control, global_mem atom64 *deques, global_mem u64 *stats,                                  \
        global_mem struct gws__trace_log *trace, struct octree_words words

#define OCTREE_MAKE(t)                                                                                                 \
    struct octree t;                                                                                                   \
    t.key = key;                                                                                                       \
    t.other_key = other_key;                                                                                           \
    t.number = number;                                                                                                 \
    t.other_number = other_number;                                                                                     \
    t.out = out;                                                                                                       \
    t.entry = entry;                                                                                                   \
    t.done = done;                                                                                                     \
    t.inner = inner;                                                                                                   \
    t.control = control;                                                                                               \
    t.pool.word = deques;                                                                                              \
    t.pool.room = words.room;                                                                                          \
    t.pool.chunk = words.chunk;                                                                                        \
    t.stats = stats;                                                                                                   \
    t.trace = trace;                                                                                                   \
    t.words = words

struct octant {
    u32 begin, count; /* its points */
    u64 handle;       /* where in INNER its handle goes */
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
    u32 inner_words; /* words of INNER that it has room in, from inner on */
    u64 inner;
    u64 tasks, steals, failed;
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
    hand.high = hand.inner_words = 0;
    hand.inner = hand.tasks = hand.steals = hand.failed = 0;
    return hand;
}

device_inline void octant_pack(struct octant o, u64 *task)
{
    task[0] = o.begin | (u64)o.count << 32;
    task[1] = o.handle | (u64)o.level << 40 | (u64)o.side << 48 | (u64)o.kind << 56;
    task[2] = o.first | (u64)o.last << 32;
}

device_inline struct octant octant_of(u64 first, u64 second, u64 third)
{
    struct octant o;
    o.begin = (u32)first;
    o.count = (u32)(first >> 32);
    o.handle = second & HANDLE_MASK;
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
    return count <= t.words.leaf || level == t.words.depth;
}

/* The first of the octant's words of ENTRY and DONE. Not fewer lie before the next octant's than it has pieces. */
device_inline u64 first_entry(struct octree t, struct octant o)
{
    return ((u64)o.begin + t.words.piece - 1) / t.words.piece;
}
