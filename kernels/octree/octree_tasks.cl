/* SPDX-License-Identifier: MIT */
/* Octrees by tasks. Each part of a divided octant becomes a leaf or a task. One item writes the leaves to the record
 * and pushes the tasks in batches. An octant of many pieces becomes one task per piece, or one task that its worker
 * splits. */

device_inline void stop(struct octree t, u64 why)
{
    u64 on = RUN_ON;
    (void)atom_cas(&t.control[CONTROL_STATE], &on, why, order_relaxed);
}

/* A batch of tasks that a worker pushes. The worker has not yet written the tasks from place to first + count - 1. */
struct task_batch {
    u32 first, count, place;
};

device_inline struct task_batch batch_reserve(struct octree t, struct octree_worker *worker, u32 count)
{
    struct task_batch batch;
    batch.count = count;
    batch.first = batch.place = count > 0 ? pool_reserve(t.pool, worker->self, count) : 0;
    if (batch.first == POOL_FULL) stop(t, RUN_OUT_OF_SLOTS);
    return batch;
}

device_inline void batch_write(struct octree t, struct octree_worker *worker, struct task_batch *batch,
                               struct octree_octant o)
{
    u64 task[TASK_WORDS];
    octant_pack(o, task);
    if (batch->first != POOL_FULL) pool_write(t.pool, worker->self, batch->place++, task);
}

device_inline void batch_commit(struct octree t, struct octree_worker *worker, struct task_batch batch)
{
    if (batch.first == POOL_FULL || batch.count == 0) return;
    pool_commit(t.pool, worker->self, batch.first, batch.count);
    if (batch.place > worker->high) worker->high = batch.place;
}

/* Returns the number of tasks for an octant's pieces: one task, which the worker splits, or one task per piece. */
device_inline u32 tasks_of_pieces(struct octree t, struct octree_octant o)
{
    return POOL_SPLITS ? 1 : o.count / t.words.piece;
}

device_inline void write_pieces(struct octree t, struct octree_worker *worker, struct task_batch *batch,
                                struct octree_octant o, u32 kind)
{
    u32 pieces = o.count / t.words.piece;
    o.kind = kind;
    for (u32 p = 0; p < pieces; p = o.last) {
        o.first = p;
        o.last = POOL_SPLITS ? pieces : p + 1;
        batch_write(t, worker, batch, o);
    }
}

/* Returns the number of tasks for an octant that must be divided. */
device_inline u32 tasks_of(struct octree t, struct octree_octant o)
{
    return o.count / t.words.piece >= 2 ? tasks_of_pieces(t, o) : 1;
}

device_inline void write_divided(struct octree t, struct octree_worker *worker, struct task_batch *batch,
                                 struct octree_octant o)
{
    o.kind = KIND_WHOLE;
    if (o.count / t.words.piece >= 2)
        write_pieces(t, worker, batch, o, KIND_COUNT);
    else
        batch_write(t, worker, batch, o);
}

device_inline void push_divided(struct octree t, struct octree_worker *worker, struct octree_octant o)
{
    struct task_batch batch = batch_reserve(t, worker, tasks_of(t, o));
    write_divided(t, worker, &batch, o);
    batch_commit(t, worker, batch);
}

/* Clears the unused rest of the group's inner words, because the host reads the whole record. */
device_inline void clear_unused_inner(struct octree t, struct octree_worker *worker)
{
    for (; worker->inner_words > 0; worker->inner_words--, worker->inner++)
        if (worker->inner < t.words.inner_words) t.inner[worker->inner] = 0;
}

/* Creates an inner node for the octant. Returns the index of the node's first word after the mask, or 0 if INNER is
 * full. The persistent kernel's groups reserve words for several inner nodes at once. */
device_inline u64 new_inner(struct octree t, struct octree_worker *worker, struct octree_octant o, u32 mask)
{
    u32 words = 1;
    for (u32 rest = mask; rest > 0; rest &= rest - 1) words++;
    if (worker->inner_words < words) {
        clear_unused_inner(t, worker);
        /* relaxed: the addition makes reservations disjoint, and the kernel's end publishes the words. */
        worker->inner_words = POOL_STEALS ? INNER_BATCH : words;
        worker->inner = atom_add(&t.control[CONTROL_INNER], (u64)worker->inner_words, order_relaxed);
    }
    u64 at = worker->inner;
    if (at + words > t.words.inner_words) {
        stop(t, RUN_OUT_OF_INNER);
        return 0;
    }
    worker->inner += words;
    worker->inner_words -= words;
    t.inner[o.handle] = t.words.base + 8 * at;
    t.inner[at] = mask;
    return at + 1;
}

/* Returns the part of the octant whose points end at end. */
device_inline struct octree_octant part_of(struct octree_octant o, u32 count, u32 end, u64 handle)
{
    o.count = count;
    o.begin = end - count;
    o.level++;
    o.side ^= 1u;
    o.handle = handle;
    return o;
}

/* Finishes a divided octant by turning its parts into leaves or tasks. Pushes the first part's task last, which makes
 * it the next task to run. */
device_inline void finish_octant(struct octree t, struct octree_worker *worker, struct octree_octant o,
                                 struct octant_task now, local_mem const u32 *count)
{
    u32 finalised = 0, end = o.begin + o.count, tasks = 0, divided = now.mask & ~now.leaves;
    u64 inner = new_inner(t, worker, o, now.mask), handle = inner;
    if (inner == 0) return;
    for (u32 d = 0; d < 8; d++) {
        handle += now.mask >> d & 1u;
        if (divided >> d & 1u) tasks += tasks_of(t, part_of(o, count[d], o.begin + o.count, 0));
    }
    struct task_batch batch = batch_reserve(t, worker, tasks);
    for (u32 d = 8; d-- > 0;) {
        if (!(now.mask >> d & 1u)) continue;
        struct octree_octant part = part_of(o, count[d], end, --handle);
        end = part.begin;
        if (divided >> d & 1u) {
            write_divided(t, worker, &batch, part);
        } else {
            t.inner[handle] = (u64)part.count << 1 | 1;
            finalised += part.count;
        }
    }
    batch_commit(t, worker, batch);
    /* relaxed: workers read only the sum, and the kernel's end publishes the points. */
    if (finalised > 0) (void)atom_add(&t.control[CONTROL_FINALISED], (u64)finalised, order_relaxed);
}

/* Finishes an octant whose points all lie in one part that must be divided. Pushes a task for the part and leaves the
 * points in place. */
device_inline void push_single_part(struct octree t, struct octree_worker *worker, struct octree_octant o, u32 mask)
{
    u64 inner = new_inner(t, worker, o, mask);
    if (inner == 0) return;
    o.handle = inner;
    o.level++;
    push_divided(t, worker, o);
}

device_inline void push_scattered(struct octree t, struct octree_worker *worker, struct octree_octant o)
{
    struct task_batch batch = batch_reserve(t, worker, tasks_of_pieces(t, o));
    write_pieces(t, worker, &batch, o, KIND_SCATTER);
    batch_commit(t, worker, batch);
}
