/* SPDX-License-Identifier: MIT */
/* BFS by groups and CPU workers on shared deques (Abdelmageed's thesis, chapter 3), on devices whose atomics are
 * coherent with the host's. The host partitions each level. Groups and CPU workers acquire and steal ranges by the same
 * functions (queue/acquire.cl).
 *
 * A launch for one level uses bfs_top_down or bfs_bottom_up. The persistent kernel in this file runs level after level
 * (kernels/hetero/flags.h), top-down only. If a level has more device workers than resident groups, a group emulates
 * several workers. It first empties the deques of the additional workers. Then it runs as the worker of its own number,
 * which may steal. */

/* Runs all workers that this group emulates, from the last one down to its own. */
device_inline void emulate_workers(struct bfs_search s, local_mem struct bfs_group_memory *my)
{
    struct role own = group_role(s), role = own;
    u32 device_workers = atom_load(&s.control[CONTROL_DEVICE_WORKERS], order_relaxed),
        more = (device_workers - 1 - own.self) / group_count();
    for (u32 left = more + 1; left > 0; left--) {
        role.self = own.self + (left - 1) * group_count();
        role.steals = own.steals && left == 1;
        run_level(s, my, role, false);
    }
}

kernel_entry bfs_persistent(SEARCH_PARAMETERS, global_mem atom32 *flags)
{
    local_array(struct bfs_group_memory, memory, 1);
    SEARCH_MAKE(s);
    global_mem atom32 *flag = flags + group_id() * FLAG_STRIDE;
    while (flag_wait(flag, &memory->word)) {
        emulate_workers(s, memory);
        flag_done(flag);
    }
}
