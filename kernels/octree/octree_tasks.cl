/* SPDX-License-Identifier: MIT */
/* Octrees by tasks: a divided octant's parts become leaves, which are written down, or tasks, which go into the pool
 * some at once; an octant of many pieces becomes a task for each, or one that whoever takes it splits. One item of a
 * group does all of that. */

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
    return POOL_SPLITS ? 1 : o.count / t.words.piece;
}

device_inline void put_pieces(struct octree t, struct hand *hand, struct batch *batch, struct octant o, u32 kind)
{
    u32 pieces = o.count / t.words.piece;
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
    return o.count / t.words.piece >= 2 ? tasks_of_pieces(t, o) : 1;
}

device_inline void put_divided(struct octree t, struct hand *hand, struct batch *batch, struct octant o)
{
    o.kind = KIND_WHOLE;
    if (o.count / t.words.piece >= 2)
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

/* The record is read as a whole: what is left of a group's room has nothing in it, instead of what nobody wrote. */
device_inline void leave_room(struct octree t, struct hand *hand)
{
    for (; hand->inner_words > 0; hand->inner_words--, hand->inner++)
        if (hand->inner < t.words.inner_words) t.inner[hand->inner] = 0;
}

/* An inner node for the octant: where its words after the mask begin; 0 when there is no room. A group that stays
 * takes room for several inner nodes at once. */
device_inline u64 new_inner(struct octree t, struct hand *hand, struct octant o, u32 mask)
{
    u32 words = 1;
    for (u32 rest = mask; rest > 0; rest &= rest - 1) words++;
    if (hand->inner_words < words) {
        leave_room(t, hand);
        /* relaxed: the sum makes places disjoint; the kernel's end publishes what lies there. */
        hand->inner_words = POOL_STEALS ? INNER_BATCH : words;
        hand->inner = atom_add(&t.control[CONTROL_INNER], (u64)hand->inner_words, order_relaxed);
    }
    u64 at = hand->inner;
    if (at + words > t.words.inner_words) {
        stop(t, RUN_OUT_OF_INNER);
        return 0;
    }
    hand->inner += words;
    hand->inner_words -= words;
    t.inner[o.handle] = t.words.base + 8 * at;
    t.inner[at] = mask;
    return at + 1;
}

/* The octant's part of that digit, whose points end at end. */
device_inline struct octant part_of(struct octant o, u32 count, u32 end, u64 handle)
{
    o.count = count;
    o.begin = end - count;
    o.level++;
    o.side ^= 1u;
    o.handle = handle;
    return o;
}

/* The octant's points are in their parts, which become leaves or tasks, the first one last, so that it is the next. */
device_inline void finish_octant(struct octree t, struct hand *hand, struct octant o, struct doing now,
                                 local_mem const u32 *count)
{
    u32 placed = 0, end = o.begin + o.count, tasks = 0, divided = now.mask & ~now.settled;
    u64 inner = new_inner(t, hand, o, now.mask), handle = inner;
    if (inner == 0) return;
    for (u32 d = 0; d < 8; d++) {
        handle += now.mask >> d & 1u;
        if (divided >> d & 1u) tasks += tasks_of(t, part_of(o, count[d], o.begin + o.count, 0));
    }
    struct batch batch = batch_begin(t, hand, tasks);
    for (u32 d = 8; d-- > 0;) {
        if (!(now.mask >> d & 1u)) continue;
        struct octant part = part_of(o, count[d], end, --handle);
        end = part.begin;
        if (divided >> d & 1u) {
            put_divided(t, hand, &batch, part);
        } else {
            t.inner[handle] = (u64)part.count << 1 | 1;
            placed += part.count;
        }
    }
    batch_end(t, hand, batch);
    /* relaxed: only the sum counts; what was placed is published by the kernel's end. */
    if (placed > 0) (void)atom_add(&t.control[CONTROL_FINALISED], (u64)placed, order_relaxed);
}

/* All points lie in one part, which is divided in turn: they stay where they are. */
device_inline void pass_on(struct octree t, struct hand *hand, struct octant o, u32 mask)
{
    u64 inner = new_inner(t, hand, o, mask);
    if (inner == 0) return;
    o.handle = inner;
    o.level++;
    push_divided(t, hand, o);
}

device_inline void push_scattered(struct octree t, struct hand *hand, struct octant o)
{
    struct batch batch = batch_begin(t, hand, tasks_of_pieces(t, o));
    put_pieces(t, hand, &batch, o, KIND_SCATTER);
    batch_end(t, hand, batch);
}
