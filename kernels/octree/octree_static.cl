/* SPDX-License-Identifier: MIT */
/* The static scheme: a kernel a round. The host gives several rounds ahead; one that finds no task ends at once. */
kernel_entry_small octree_round(OCTREE_PARAMETERS, u32 round)
{
    OCTREE_MAKE(t);
    OCTREE_GROUP_STATE(desk);
    u64 count = atom_load(&t.pool.word[round % 3], order_relaxed);
    u32 places = words.room / 2, begin = round % 2 * places;
    bool over = atom_load(&t.control[CONTROL_STATE], order_relaxed) != RUN_ON;
    struct hand hand = hand_of(round);
    if (over || count > places) count = 0;
    u32 item = group_id() * group_size() + item_id();
    if (item == 0) {
        atom_store(&t.pool.word[(round + 2) % 3], 0, order_relaxed); /* this round neither reads nor adds there */
        if (count > atom_load(&t.control[CONTROL_HIGH], order_relaxed))
            atom_store(&t.control[CONTROL_HIGH], count, order_relaxed);
        if (count > 0) (void)atom_add(&t.control[CONTROL_ROUNDS], (u64)1, order_relaxed);
    }
    for (u64 i = group_id(); i < count; i += group_count()) {
        u64 task[TASK_WORDS];
        slot_get(t.pool.word, begin + i, task);
        group_barrier(); /* the first item is through with the desk */
        run_octant(t, octant_of(task[0], task[1], task[2]), &hand, desk);
    }
    if (item_id() == 0) t.stats[(u64)group_id() * STATS_STRIDE + STATS_TASKS] += hand.tasks;
}
