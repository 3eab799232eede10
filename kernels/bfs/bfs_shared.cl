/* SPDX-License-Identifier: MIT */
/* BFS by groups and CPU workers on shared deques (Abdelmageed's thesis, chapter 3), where atomics of both sides hold
 * against each other. The host cuts each level; groups and CPU workers take and steal by the same words (take.cl).
 *
 * A kernel for one level is bfs_top_down or bfs_bottom_up. This one stays from level to level
 * (kernels/hetero/flags.cl). Where a level has more workers on the device than groups are resident, a group plays
 * several: it empties the other ones' deques, and then is the one with its own number, which may steal. They run
 * top-down levels only. */

/* All the workers that this group plays, from the last one down to its own. */
device_inline void play(struct search s, local_mem struct group_memory *my)
{
    struct role own = own_role(s), role = own;
    u32 gpu = atom_load(&s.control[CONTROL_GPU], order_relaxed), more = (gpu - 1 - own.self) / group_count();
    for (u32 left = more + 1; left > 0; left--) {
        role.self = own.self + (left - 1) * group_count();
        role.steals = own.steals && left == 1;
        run_level(s, my, role, false);
    }
}

kernel_entry bfs_persistent(SEARCH_PARAMETERS, global_mem atom32 *flags)
{
    local_array(struct group_memory, memory, 1);
    SEARCH_MAKE(s);
    global_mem atom32 *flag = flags + group_id() * FLAG_STRIDE;
    while (flag_wait(flag, &memory->word)) {
        play(s, memory);
        flag_done(flag);
    }
}
