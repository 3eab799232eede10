/* SPDX-License-Identifier: MIT */
/* The words of a task, of the shared state and of a group's state, for octrees by tasks.
 *
 * State: KEY and NUMBER of each point, in two buffers each. `side` selects the buffer with an octant's points. OUT: the
 * numbers of final points. INNER: the inner nodes as in traversal/space/octree_state.h. Word 0 is the root's handle.
 * The handle of a leaf is its number of points * 2 + 1. The handle of a divided octant is the address of its inner node
 * in the host's copy of INNER, which begins at base. ENTRY: for piece p and digit d of an octant, first the number of
 * points. Later it is the offset of these points from the octant's first point. DONE: the number of finished pieces. An
 * octant uses the words of ENTRY and DONE of the pieces that begin in it. Octants that exist at the same time thus have
 * separate words. */

/* A task's words: begin | points << 32; handle | level << 40 | side << 48 | kind << 56; first piece | end << 32. */
#define KIND_WHOLE 0u   /* divide the octant by one group */
#define KIND_COUNT 1u   /* count some pieces */
#define KIND_SCATTER 2u /* move the points of some pieces */
#define KIND_NONE 3u    /* no task: the end */
#define HANDLE_MASK (((u64)1 << 40) - 1)

#define KEY_BITS 63u

struct octree {
    global_mem u64 *key, *other_key;
    global_mem u32 *number, *other_number, *out, *entry;
    global_mem atom32 *done;
    global_mem u64 *inner;
    global_mem atom64 *control;
    struct pool pool;
    global_mem u64 *stats;
    global_mem struct gws__trace_log *trace; /* a null pointer turns tracing off */
    struct gws__octree_params words;
};

#define OCTREE_PARAMETERS                                                                                              \
    global_mem u64 *key, global_mem u64 *other_key, global_mem u32 *number, global_mem u32 *other_number,              \
        global_mem u32 *out, global_mem u32 *entry, global_mem atom32 *done, global_mem u64 *inner,                    \
        global_mem atom64 *control, global_mem atom64 *deques, global_mem u64 *stats,                                  \
        global_mem struct gws__trace_log *trace, struct gws__octree_params words

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
    t.pool.capacity = words.queue_capacity;                                                                            \
    t.pool.chunk = words.chunk;                                                                                        \
    t.stats = stats;                                                                                                   \
    t.trace = trace;                                                                                                   \
    t.words = words

struct octree_octant {
    u32 begin, count; /* its points */
    u64 handle;       /* the index of its handle in INNER */
    u32 level, side, kind;
    u32 first, last; /* the task's pieces are first .. last - 1, unless its kind is KIND_WHOLE */
};

/* The part of a task's state that a group's items share. */
struct octree_group {
    local_mem u64 *scratch; /* RANK_WORDS words */
    local_mem u64 *task;    /* TASK_WORDS words */
    local_mem u32 *count;   /* points of each part */
    local_mem u32 *next;    /* the index of each part's next point */
    local_mem u32 *last;    /* 1 if this is the last piece */
};

/* A group's worker, in the item that acquires tasks. */
struct octree_worker {
    u32 self; /* the worker's deque; static: the round */
    u32 high;
    u32 inner_words; /* reserved words of INNER, from inner on */
    u64 inner;
    u64 tasks, steals, failed;
};

/* A group's current task, the same in all its items. */
struct octant_task {
    bool whole, counts, scatters; /* the task's kind; all false: no task */
    u32 pieces, begin, count;     /* pieces of the octant; the points of this piece */
    u64 slot;                     /* the octant's word of DONE */
    global_mem u32 *entry;
    bool small;   /* a whole octant with at most a point per item */
    bool counted; /* all pieces are counted, this one last */
    u32 mask, leaves;
    bool single; /* all points lie in one part, which must be divided too */
};

device_inline struct octree_worker new_worker(u32 self)
{
    struct octree_worker worker;
    worker.self = self;
    worker.high = worker.inner_words = 0;
    worker.inner = worker.tasks = worker.steals = worker.failed = 0;
    return worker;
}

device_inline void octant_pack(struct octree_octant o, u64 *task)
{
    task[0] = o.begin | (u64)o.count << 32;
    task[1] = o.handle | (u64)o.level << 40 | (u64)o.side << 48 | (u64)o.kind << 56;
    task[2] = o.first | (u64)o.last << 32;
}

device_inline struct octree_octant octant_of(u64 first, u64 second, u64 third)
{
    struct octree_octant o;
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

device_inline bool is_leaf(struct octree t, u32 count, u32 level)
{
    return count <= t.words.leaf || level == t.words.depth;
}

/* Returns the octant's first word of ENTRY and DONE. The octant has at least one word per piece before the first word
 * of the next octant. */
device_inline u64 first_entry(struct octree t, struct octree_octant o)
{
    return ((u64)o.begin + t.words.piece - 1) / t.words.piece;
}
