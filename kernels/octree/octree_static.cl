/* SPDX-License-Identifier: MIT */
/* The static scheme: one kernel per round. The host launches several rounds ahead. A round without tasks ends at once.
 */
kernel_entry_small octree_round(OCTREE_PARAMETERS, u32 round)
{
    OCTREE_MAKE(t);
    OCTREE_GROUP_STATE(group);
    u64 count = atom_load(&t.pool.word[round % 3], order_relaxed);
    u32 places = words.queue_capacity / 2, begin = round % 2 * places;
    bool over = atom_load(&t.control[CONTROL_STATE], order_relaxed) != RUN_ON;
    struct octree_worker worker = new_worker(round);
    if (over || count > places) count = 0;
    u32 item = group_id() * group_size() + item_id();
    if (item == 0) {
        atom_store(&t.pool.word[(round + 2) % 3], 0, order_relaxed); /* this round neither reads nor writes this word */
        if (count > atom_load(&t.control[CONTROL_HIGH], order_relaxed))
            atom_store(&t.control[CONTROL_HIGH], count, order_relaxed);
        if (count > 0) (void)atom_add(&t.control[CONTROL_ROUNDS], (u64)1, order_relaxed);
    }
    for (u64 i = group_id(); i < count; i += group_count()) {
        u64 task[TASK_WORDS];
        slot_read(t.pool.word, begin + i, task);
        group_barrier(); /* the first item has finished reading the group's state */
        run_octant(t, octant_of(task[0], task[1], task[2]), &worker, group);
    }
    if (item_id() == 0) t.stats[(u64)group_id() * STATS_STRIDE + STATS_TASKS] += worker.tasks;
}
