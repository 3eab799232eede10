/* SPDX-License-Identifier: MIT */
/* MADNESS trees (traversal/madness.h has the rules, traversal/space/madness_box.h the arithmetic and its symmetries): a
 * group computes a box, and takes the next.
 *
 * Tasks are numbered, in the order in which they are made, and so are groups that want one: who draws ticket n computes
 * task n, and waits until it is there. A task takes a group microseconds, so one counter serves a device's groups, and
 * nobody looks for work where there is none. The groups have to be resident together.
 *
 * What overflows stops everybody: tasks that are not computed then stay MADNESS_WAITING, and the host goes on from
 * there. */

/* ---- a box ---- */

/* Leaves the square and the difference's square in array[0] and array[group_size()]. */
TEMPLATE device_inline void compute(const struct madness_lists *lists, const struct madness_desk *desk,
                                    global_mem double *to)
{
    scratch_mem double *first = desk->array, *second = first + 8 * order * order * order;
    OF_ORDER(find_axes)(lists, desk);
    group_barrier();
    OF_ORDER(integrate_values)(lists, desk);
    group_barrier();
    OF_ORDER(integrate_y)(desk);
    group_barrier();
    OF_ORDER(integrate_z)(lists, desk, to);
    group_barrier();
    OF_ORDER(filter)(desk, first, second, 4, order * order);
    group_barrier();
    OF_ORDER(filter)(desk, second, first, 2, order);
    group_barrier();
    OF_ORDER(filter)(desk, first, second, 1, 1);
    group_barrier();
    OF_ORDER(unfilter)(desk, second, first, 1, 1);
    group_barrier();
    OF_ORDER(unfilter)(desk, first, second, 2, order);
    group_barrier();
    OF_ORDER(measure)(desk, second, to);
    add_items(desk);
}

/* The task of that number, by the whole group. It is done, unless the lists are full. */
TEMPLATE device_inline void run_task(const struct madness_lists *lists, const struct madness_desk *desk, u32 ticket,
                                     global_mem u64 *stats)
{
    for (u32 i = item_id(); i < MADNESS_USED; i += group_size())
        desk->shared[SHARED_TASK + i] = lists->task[(u64)MADNESS_TASK_WORDS * ticket + i];
    if (item_id() == 0) desk->shared[SHARED_ANSWER] = 0;
    group_barrier();
    find_special(lists, desk);
    group_barrier();
    bool divided = desk->shared[SHARED_ANSWER] != 0;
    const bool forced = divided;
    group_barrier();
    if (!forced) {
        if (item_id() == 0) desk->shared[SHARED_ANSWER] = find_place(lists, desk);
        group_barrier();
        if (!desk->shared[SHARED_ANSWER]) return;
        const u32 place = desk->shared[SHARED_PLACE];
        OF_ORDER(compute)(lists, desk, lists->coefficient + (u64)(8 * order * order * order) * place);
        if (item_id() == 0) desk->shared[SHARED_ANSWER] = decide(lists, desk, stats);
        group_barrier();
        divided = desk->shared[SHARED_ANSWER] != 0;
    }
    if (divided && !divide(lists, desk)) return;
    if (item_id() == 0) desk->shared[SHARED_DONE] = forced ? 2 : 1;
}

/* ---- the groups ---- */

/* By one item: the task of that number is there, or MADNESS_NONE when it will not come. Pending is above 0 as long as
 * somebody may still make one. */
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

/* By one item: the task that the group has just done, if it has, is done for the host to see, after the launch. */
device_inline void note_done(const struct madness_lists *lists, const struct madness_desk *desk, global_mem u64 *stats)
{
    const u32 done = desk->shared[SHARED_DONE];
    if (!done) return;
    desk->shared[SHARED_DONE] = 0;
    atom_store(&lists->state[desk->shared[SHARED_TICKET]], (u32)MADNESS_DONE, order_relaxed);
    stats[MADNESS_BOXES]++;
    stats[MADNESS_FORCED] += done == 2;
}

TEMPLATE device_inline void run_group(const struct madness_lists *lists, const struct madness_desk *desk,
                                      global_mem u64 *stats)
{
    global_mem const double2 *matrices = (global_mem const double2 *)(lists->table + MADNESS_MATRICES);
    for (u32 i = item_id(); i < PAIRS * PAIRS + 2 * order * PAIRS; i += group_size()) desk->table[i] = matrices[i];
    if (item_id() == 0) {
        desk->shared[SHARED_PLACE] = MADNESS_NONE;
        desk->shared[SHARED_DONE] = 0;
    }
    for (;;) {
        if (item_id() == 0) {
            note_done(lists, desk, stats);
            u32 next = atom_add(&lists->control[MADNESS_NEXT], 1u, order_relaxed);
            desk->shared[SHARED_TICKET] = wait_for(lists, next, stats);
        }
        group_barrier();
        const u32 ticket = desk->shared[SHARED_TICKET];
        if (ticket == MADNESS_NONE) return;
        OF_ORDER(run_task)(lists, desk, ticket, stats);
        group_barrier();
    }
}

#define MADNESS_PARAMETERS                                                                                             \
    global_mem u32 *task, global_mem atom32 *state, global_mem atom32 *control, global_mem u32 *family,                \
        global_mem double *number, global_mem double *coefficient, global_mem const double *table,                     \
        global_mem const double *body, global_mem const double *special, global_mem u64 *stats, u32 specials,          \
        u32 kind, u32 max_level, u32 tasks, u32 places

/* The kernel proper; array is the group's. */
#define MADNESS_RUN(array)                                                                                             \
    local_array(double2, table_here, PAIRS *PAIRS + 2 * order * PAIRS);                                                \
    local_array(double, axis, 6 * order);                                                                              \
    local_array(u32, shared, SHARED_WORDS);                                                                            \
    const struct madness_lists lists = {task, state,   control,  family, number,    coefficient, table,                \
                                        body, special, specials, kind,   max_level, tasks,       places};              \
    const struct madness_desk desk = {array, axis, table_here, shared};                                                \
    OF_ORDER(run_group)(&lists, &desk, stats + MADNESS_STATS_WORDS * (u64)group_id());

#ifdef __CUDACC__
TEMPLATE device_inline void run_here(MADNESS_PARAMETERS, double *scratch)
{
    extern __shared__ double array[];
    MADNESS_RUN((far ? scratch + (u64)MADNESS_ARRAY(order) * group_id() : array))
}

#define MADNESS_ARGUMENTS                                                                                              \
    task, state, control, family, number, coefficient, table, body, special, stats, specials, kind, max_level, tasks,  \
        places, scratch
#define MADNESS_NEAR_KERNEL(n)                                                                                         \
    kernel_entry __launch_bounds__(MADNESS_MAX_GROUP) madness_##n(MADNESS_PARAMETERS, double *scratch)                 \
    {                                                                                                                  \
        run_here<n, false>(MADNESS_ARGUMENTS);                                                                         \
    }
#define MADNESS_FAR_KERNEL(n)                                                                                          \
    kernel_entry __launch_bounds__(MADNESS_MAX_GROUP) madness_global_##n(MADNESS_PARAMETERS, double *scratch)          \
    {                                                                                                                  \
        run_here<n, true>(MADNESS_ARGUMENTS);                                                                          \
    }
#define MADNESS_KERNELS(n) MADNESS_NEAR_KERNEL(n) MADNESS_FAR_KERNEL(n)
MADNESS_KERNELS(1)
MADNESS_KERNELS(2) MADNESS_KERNELS(3) MADNESS_KERNELS(4) MADNESS_KERNELS(5) MADNESS_KERNELS(6) MADNESS_KERNELS(7)
    MADNESS_KERNELS(8) MADNESS_KERNELS(9) MADNESS_KERNELS(10) MADNESS_KERNELS(11) MADNESS_KERNELS(12)
        MADNESS_KERNELS(13) MADNESS_FAR_KERNEL(14) MADNESS_FAR_KERNEL(15) MADNESS_FAR_KERNEL(16) MADNESS_FAR_KERNEL(17)
            MADNESS_FAR_KERNEL(18) MADNESS_FAR_KERNEL(19) MADNESS_FAR_KERNEL(20) MADNESS_FAR_KERNEL(21)
                MADNESS_FAR_KERNEL(22) MADNESS_FAR_KERNEL(23) MADNESS_FAR_KERNEL(24) MADNESS_FAR_KERNEL(25)
                    MADNESS_FAR_KERNEL(26) MADNESS_FAR_KERNEL(27) MADNESS_FAR_KERNEL(28) MADNESS_FAR_KERNEL(29)
                        MADNESS_FAR_KERNEL(30)
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
