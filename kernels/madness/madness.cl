/* SPDX-License-Identifier: MIT */
/* MADNESS trees (traversal/madness.h has the rules, traversal/space/madness_box.h the arithmetic and its symmetries). A
 * group computes one box after another.
 *
 * Tasks are numbered in the order of their creation. A group that requests a task draws a ticket. The group with ticket
 * n waits until task n exists, and computes it. A task takes a group microseconds, so one ticket counter suffices for
 * all groups of a device. No group searches for tasks. All groups must be resident.
 *
 * An overflow stops all groups. Tasks that no group has computed stay MADNESS_WAITING, and the host launches them
 * again. */

/* ---- a box ---- */

/* Computes a box. Writes the square to array[0] and the square of the difference to array[group_size()]. */
TEMPLATE device_inline void compute(const struct madness_lists *lists, const struct madness_group *group,
                                    global_mem double *to)
{
    scratch_mem double *first = group->array, *second = first + 8 * order * order * order;
    OF_ORDER(find_axes)(lists, group);
    group_barrier();
    OF_ORDER(integrate_values)(lists, group);
    group_barrier();
    OF_ORDER(integrate_y)(group);
    group_barrier();
    OF_ORDER(integrate_z)(lists, group, to);
    group_barrier();
    OF_ORDER(filter)(group, first, second, 4, order * order);
    group_barrier();
    OF_ORDER(filter)(group, second, first, 2, order);
    group_barrier();
    OF_ORDER(filter)(group, first, second, 1, 1);
    group_barrier();
    OF_ORDER(unfilter)(group, second, first, 1, 1);
    group_barrier();
    OF_ORDER(unfilter)(group, first, second, 2, order);
    group_barrier();
    OF_ORDER(measure)(group, second, to);
    add_items(group);
}

/* Runs a task. All items of the group call it. Afterwards the task is done, unless the lists are full. */
TEMPLATE device_inline void run_task(const struct madness_lists *lists, const struct madness_group *group, u32 ticket,
                                     global_mem u64 *stats)
{
    for (u32 i = item_id(); i < MADNESS_USED; i += group_size())
        group->shared[SHARED_TASK + i] = lists->task[(u64)MADNESS_TASK_WORDS * ticket + i];
    if (item_id() == 0) group->shared[SHARED_RESULT] = 0;
    group_barrier();
    find_special(lists, group);
    group_barrier();
    bool divided = group->shared[SHARED_RESULT] != 0;
    const bool forced = divided;
    group_barrier();
    if (!forced) {
        if (item_id() == 0) group->shared[SHARED_RESULT] = reserve_slot(lists, group);
        group_barrier();
        if (!group->shared[SHARED_RESULT]) return;
        const u32 slot = group->shared[SHARED_SLOT];
        OF_ORDER(compute)(lists, group, lists->coefficient + (u64)(8 * order * order * order) * slot);
        if (item_id() == 0) group->shared[SHARED_RESULT] = decide(lists, group, stats);
        group_barrier();
        divided = group->shared[SHARED_RESULT] != 0;
    }
    if (divided && !divide(lists, group)) return;
    if (item_id() == 0) group->shared[SHARED_DONE] = forced ? 2 : 1;
}

/* ---- the groups ---- */

/* Waits for the task with number `ticket`. One item calls it. Returns MADNESS_NONE if no group will create the task.
 * The pending count is above 0 as long as a group may still create tasks. */
device_inline u32 wait_for(const struct madness_lists *lists, u32 ticket, global_mem u64 *stats)
{
    if (ticket >= lists->tasks) return MADNESS_NONE;
    for (;;) {
        if (atom_load(&lists->control[MADNESS_STOP], order_relaxed)) return MADNESS_NONE;
        /* acquire: pairs with the release in divide(). */
        if (atom_load(&lists->state[ticket], order_acquire) == MADNESS_WAITING) return ticket;
        if (atom_load(&lists->control[MADNESS_PENDING], order_relaxed) == 0) return MADNESS_NONE;
        stats[MADNESS_POLLS]++;
        spin_pause();
    }
}

/* Marks the task that the group has finished, if any, as done. One item calls it. The host reads the mark after the
 * launch. */
device_inline void commit_done(const struct madness_lists *lists, const struct madness_group *group,
                               global_mem u64 *stats)
{
    const u32 done = group->shared[SHARED_DONE];
    if (!done) return;
    group->shared[SHARED_DONE] = 0;
    atom_store(&lists->state[group->shared[SHARED_TICKET]], (u32)MADNESS_DONE, order_relaxed);
    stats[MADNESS_BOXES]++;
    stats[MADNESS_FORCED] += done == 2;
}

TEMPLATE device_inline void run_group(const struct madness_lists *lists, const struct madness_group *group,
                                      global_mem u64 *stats)
{
    global_mem const double2 *matrices = (global_mem const double2 *)(lists->table + MADNESS_MATRICES);
    for (u32 i = item_id(); i < PAIRS * PAIRS + 2 * order * PAIRS; i += group_size()) group->table[i] = matrices[i];
    if (item_id() == 0) {
        group->shared[SHARED_SLOT] = MADNESS_NONE;
        group->shared[SHARED_DONE] = 0;
    }
    for (;;) {
        if (item_id() == 0) {
            commit_done(lists, group, stats);
            u32 next = atom_add(&lists->control[MADNESS_NEXT], 1u, order_relaxed);
            group->shared[SHARED_TICKET] = wait_for(lists, next, stats);
        }
        group_barrier();
        const u32 ticket = group->shared[SHARED_TICKET];
        if (ticket == MADNESS_NONE) return;
        OF_ORDER(run_task)(lists, group, ticket, stats);
        group_barrier();
    }
}

#define MADNESS_PARAMETERS                                                                                             \
    global_mem u32 *task, global_mem atom32 *state, global_mem atom32 *control, global_mem u32 *family,                \
        global_mem double *number, global_mem double *coefficient, global_mem const double *table,                     \
        global_mem const double *body, global_mem const double *special, global_mem u64 *stats, u32 specials,          \
        u32 kind, u32 max_level, u32 tasks, u32 slots

/* Defines the body of a kernel. array: the group's array of numbers. */
#define MADNESS_RUN(array)                                                                                             \
    local_array(double2, group_table, PAIRS *PAIRS + 2 * order * PAIRS);                                               \
    local_array(double, axis, 6 * order);                                                                              \
    local_array(u32, shared, SHARED_WORDS);                                                                            \
    const struct madness_lists lists = {task, state,   control,  family, number,    coefficient, table,                \
                                        body, special, specials, kind,   max_level, tasks,       slots};               \
    const struct madness_group group = {array, axis, group_table, shared};                                             \
    OF_ORDER(run_group)(&lists, &group, stats + MADNESS_STATS_WORDS * (u64)group_id());

#ifdef __CUDACC__
TEMPLATE device_inline void run_kernel(MADNESS_PARAMETERS, double *scratch)
{
    extern __shared__ double array[];
    MADNESS_RUN((in_global ? scratch + (u64)MADNESS_ARRAY(order) * group_id() : array))
}

#define MADNESS_ARGUMENTS                                                                                              \
    task, state, control, family, number, coefficient, table, body, special, stats, specials, kind, max_level, tasks,  \
        slots, scratch
#define MADNESS_LOCAL_KERNEL(n)                                                                                        \
    kernel_entry __launch_bounds__(MADNESS_MAX_GROUP) madness_##n(MADNESS_PARAMETERS, double *scratch)                 \
    {                                                                                                                  \
        run_kernel<n, false>(MADNESS_ARGUMENTS);                                                                       \
    }
#define MADNESS_GLOBAL_KERNEL(n)                                                                                       \
    kernel_entry __launch_bounds__(MADNESS_MAX_GROUP) madness_global_##n(MADNESS_PARAMETERS, double *scratch)          \
    {                                                                                                                  \
        run_kernel<n, true>(MADNESS_ARGUMENTS);                                                                        \
    }
#define MADNESS_KERNELS(n) MADNESS_LOCAL_KERNEL(n) MADNESS_GLOBAL_KERNEL(n)
MADNESS_KERNELS(1)
MADNESS_KERNELS(2)
MADNESS_KERNELS(3)
MADNESS_KERNELS(4)
MADNESS_KERNELS(5)
MADNESS_KERNELS(6)
MADNESS_KERNELS(7)
MADNESS_KERNELS(8) MADNESS_KERNELS(9) MADNESS_KERNELS(10) MADNESS_KERNELS(11) MADNESS_KERNELS(12) MADNESS_KERNELS(13)
    MADNESS_GLOBAL_KERNEL(14) MADNESS_GLOBAL_KERNEL(15) MADNESS_GLOBAL_KERNEL(16) MADNESS_GLOBAL_KERNEL(17)
        MADNESS_GLOBAL_KERNEL(18) MADNESS_GLOBAL_KERNEL(19) MADNESS_GLOBAL_KERNEL(20) MADNESS_GLOBAL_KERNEL(21)
            MADNESS_GLOBAL_KERNEL(22) MADNESS_GLOBAL_KERNEL(23) MADNESS_GLOBAL_KERNEL(24) MADNESS_GLOBAL_KERNEL(25)
                MADNESS_GLOBAL_KERNEL(26) MADNESS_GLOBAL_KERNEL(27) MADNESS_GLOBAL_KERNEL(28) MADNESS_GLOBAL_KERNEL(29)
                    MADNESS_GLOBAL_KERNEL(30)
#else
kernel_entry madness(MADNESS_PARAMETERS, scratch_mem double *scratch)
{
#if MADNESS_GLOBAL
    MADNESS_RUN(scratch + (u64)MADNESS_ARRAY(order) * group_id())
#else
    MADNESS_RUN(scratch)
#endif
}
#endif
