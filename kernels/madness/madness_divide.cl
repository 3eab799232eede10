/* SPDX-License-Identifier: MIT */
/* The decision about a box of a MADNESS tree. The group either commits the family of children or divides the box into
 * eight more tasks. */

/* Returns the index, along an axis, of the box of the given level that contains the point. */
device_inline u32 box_of(double at, double low, double edge, u32 level)
{
    const u32 boxes = 1u << level;
    double where = (at - low) / edge * boxes;
    return where < boxes ? (u32)where : boxes - 1;
}

/* Searches for a special point near the box. An item that finds one sets SHARED_RESULT, which must be 0 before. */
device_inline void find_special(const struct madness_lists *lists, const struct madness_group *group)
{
    local_mem const u32 *task = group->shared + SHARED_TASK;
    if (task[MADNESS_LEVEL] >= lists->max_level) return;
    for (u32 i = item_id(); i < lists->specials; i += group_size()) {
        global_mem const double *special = lists->special + MADNESS_SPECIAL_NUMBERS * i;
        bool near = (u32)special[3] == task[MADNESS_FUNCTION] && task[MADNESS_LEVEL] < (u32)special[4];
        for (u32 a = 0; near && a < 3; a++) {
            u32 at =
                box_of(special[a], lists->table[MADNESS_LOW + a], lists->table[MADNESS_EDGE + a], task[MADNESS_LEVEL]);
            near = at <= task[MADNESS_AT + a] + 1 && task[MADNESS_AT + a] <= at + 1;
        }
        if (near) group->shared[SHARED_RESULT] = 1;
    }
}

/* Reserves eight tasks. One item calls it. The tasks replace their parent in the pending count. Returns MADNESS_NONE if
 * the list is full. Operations are relaxed, because these counters publish no task. */
device_inline u32 reserve(const struct madness_lists *lists)
{
    u32 made = atom_add(&lists->control[MADNESS_TAIL], 8u, order_relaxed);
    if (made + 8 > lists->tasks) {
        atom_store(&lists->control[MADNESS_STOP], (u32)MADNESS_FULL, order_relaxed);
        return MADNESS_NONE;
    }
    atom_add(&lists->control[MADNESS_PENDING], 7u, order_relaxed);
    return made;
}

/* Divides the box. All items of the group call it. Returns false if the list is full. */
device_inline bool divide(const struct madness_lists *lists, const struct madness_group *group)
{
    local_mem const u32 *task = group->shared + SHARED_TASK;
    if (item_id() == 0) group->shared[SHARED_MADE] = reserve(lists);
    group_barrier();
    const u32 made = group->shared[SHARED_MADE];
    if (made == MADNESS_NONE) return false;
    for (u32 c = item_id(); c < 8; c += group_size()) {
        global_mem u32 *child = lists->task + (u64)MADNESS_TASK_WORDS * (made + c);
        child[MADNESS_FUNCTION] = task[MADNESS_FUNCTION];
        child[MADNESS_LEVEL] = task[MADNESS_LEVEL] + 1;
        for (u32 a = 0; a < 3; a++) child[MADNESS_AT + a] = 2 * task[MADNESS_AT + a] + (c >> (2 - a) & 1);
        for (u32 i = MADNESS_AT + 3; i < MADNESS_TASK_WORDS; i++) child[i] = 0;
        /* release: pairs with the acquire in wait_for(). An item that sees the state thus sees the task. */
        atom_store(&lists->state[made + c], (u32)MADNESS_WAITING, order_release);
    }
    return true;
}

/* Commits the family in the group's slot. One item calls it. */
device_inline void commit_family(const struct madness_lists *lists, const struct madness_group *group, double square,
                                 double difference)
{
    global_mem u32 *family = lists->family + (u64)MADNESS_FAMILY_WORDS * group->shared[SHARED_SLOT];
    global_mem double *number = lists->number + (u64)MADNESS_FAMILY_NUMBERS * group->shared[SHARED_SLOT];
    for (u32 i = 0; i < MADNESS_USED; i++) family[i] = group->shared[SHARED_TASK + i];
    family[MADNESS_USED] = 1;
    number[0] = square;
    number[1] = difference;
    group->shared[SHARED_SLOT] = MADNESS_NONE;
    atom_add(&lists->control[MADNESS_PENDING], 0xffffffffu, order_relaxed); /* adds -1: one task fewer is pending */
}

/* Commits the family, or returns true if the box must be divided. One item calls it. */
device_inline bool decide(const struct madness_lists *lists, const struct madness_group *group, global_mem u64 *stats)
{
    const u32 level = group->shared[SHARED_TASK + MADNESS_LEVEL];
    const double square = group->array[0], difference = sqrt(group->array[group_size()]);
    const double tolerance = lists->table[MADNESS_TOLERANCE + level];
    if (!isfinite(square)) {
        atom_store(&lists->control[MADNESS_STOP], (u32)MADNESS_NOT_FINITE, order_relaxed);
        return true;
    }
    bool last = level >= lists->max_level;
    if (!last && fabs(difference - tolerance) <= 1e-9 * tolerance + 1e-12 * sqrt(square)) stats[MADNESS_NEAR]++;
    if (difference >= tolerance && !last) return true;
    commit_family(lists, group, square, difference);
    return false;
}

/* Reserves a slot for a family if the group has none. One item calls it. If no slot is left, it stops all groups and
 * returns false. The host fetches a reserved slot even if no group commits a family to it. */
device_inline bool reserve_slot(const struct madness_lists *lists, const struct madness_group *group)
{
    if (group->shared[SHARED_SLOT] != MADNESS_NONE) return true;
    u32 slot = atom_add(&lists->control[MADNESS_SLOTS], 1u, order_relaxed);
    if (slot >= lists->slots) {
        atom_store(&lists->control[MADNESS_STOP], (u32)MADNESS_FULL, order_relaxed);
        return false;
    }
    group->shared[SHARED_SLOT] = slot;
    global_mem u32 *family = lists->family + (u64)MADNESS_FAMILY_WORDS * slot;
    global_mem double *number = lists->number + (u64)MADNESS_FAMILY_NUMBERS * slot;
    for (u32 i = 0; i < MADNESS_FAMILY_WORDS; i++) family[i] = 0;
    for (u32 i = 0; i < MADNESS_FAMILY_NUMBERS; i++) number[i] = 0;
    return true;
}
