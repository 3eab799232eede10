/* SPDX-License-Identifier: MIT */
/* MADNESS trees: what becomes of a box. Its family of children is kept, or the box is divided: eight more tasks. */

/* The box of the task's level that holds the point, along an axis. */
device_inline u32 box_of(double at, double low, double edge, u32 level)
{
    const u32 boxes = 1u << level;
    double where = (at - low) / edge * boxes;
    return where < boxes ? (u32)where : boxes - 1;
}

/* Any item that finds a special point near by says so in SHARED_ANSWER, which is 0 before. */
device_inline void find_special(const struct madness_lists *lists, const struct madness_desk *desk)
{
    local_mem const u32 *task = desk->shared + SHARED_TASK;
    if (task[MADNESS_LEVEL] >= lists->max_level) return;
    for (u32 i = item_id(); i < lists->specials; i += group_size()) {
        global_mem const double *special = lists->special + MADNESS_SPECIAL_NUMBERS * i;
        bool near = (u32)special[3] == task[MADNESS_FUNCTION] && task[MADNESS_LEVEL] < (u32)special[4];
        for (u32 a = 0; near && a < 3; a++) {
            u32 at =
                box_of(special[a], lists->table[MADNESS_LOW + a], lists->table[MADNESS_EDGE + a], task[MADNESS_LEVEL]);
            near = at <= task[MADNESS_AT + a] + 1 && task[MADNESS_AT + a] <= at + 1;
        }
        if (near) desk->shared[SHARED_ANSWER] = 1;
    }
}

/* By one item: room for eight tasks, which count as pending from now on instead of their parent; MADNESS_NONE if there
 * is none. Relaxed: nobody learns of the tasks by these counters. */
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

/* By all items of the group; answers whether there was room. */
device_inline bool divide(const struct madness_lists *lists, const struct madness_desk *desk)
{
    local_mem const u32 *task = desk->shared + SHARED_TASK;
    if (item_id() == 0) desk->shared[SHARED_MADE] = reserve(lists);
    group_barrier();
    const u32 made = desk->shared[SHARED_MADE];
    if (made == MADNESS_NONE) return false;
    for (u32 c = item_id(); c < 8; c += group_size()) {
        global_mem u32 *child = lists->task + (u64)MADNESS_TASK_WORDS * (made + c);
        child[MADNESS_FUNCTION] = task[MADNESS_FUNCTION];
        child[MADNESS_LEVEL] = task[MADNESS_LEVEL] + 1;
        for (u32 a = 0; a < 3; a++) child[MADNESS_AT + a] = 2 * task[MADNESS_AT + a] + (c >> (2 - a) & 1);
        for (u32 i = MADNESS_AT + 3; i < MADNESS_TASK_WORDS; i++) child[i] = 0;
        /* release: pairs with the acquire in wait_for(), so that who sees the state sees the task. */
        atom_store(&lists->state[made + c], (u32)MADNESS_WAITING, order_release);
    }
    return true;
}

/* By one item: the family stays where it is. */
device_inline void keep(const struct madness_lists *lists, const struct madness_desk *desk, double square,
                        double difference)
{
    global_mem u32 *family = lists->family + (u64)MADNESS_FAMILY_WORDS * desk->shared[SHARED_PLACE];
    global_mem double *number = lists->number + (u64)MADNESS_FAMILY_NUMBERS * desk->shared[SHARED_PLACE];
    for (u32 i = 0; i < MADNESS_USED; i++) family[i] = desk->shared[SHARED_TASK + i];
    family[MADNESS_USED] = 1;
    number[0] = square;
    number[1] = difference;
    desk->shared[SHARED_PLACE] = MADNESS_NONE;
    atom_add(&lists->control[MADNESS_PENDING], 0xffffffffu, order_relaxed); /* one less */
}

/* By one item: keeps the family, or answers that the box has to be divided. */
device_inline bool decide(const struct madness_lists *lists, const struct madness_desk *desk, global_mem u64 *stats)
{
    const u32 level = desk->shared[SHARED_TASK + MADNESS_LEVEL];
    const double square = desk->array[0], difference = sqrt(desk->array[group_size()]);
    const double tolerance = lists->table[MADNESS_TOLERANCE + level];
    if (!isfinite(square)) {
        atom_store(&lists->control[MADNESS_STOP], (u32)MADNESS_NOT_FINITE, order_relaxed);
        return true;
    }
    bool last = level >= lists->max_level;
    if (!last && fabs(difference - tolerance) <= 1e-9 * tolerance + 1e-12 * sqrt(square)) stats[MADNESS_NEAR]++;
    if (difference >= tolerance && !last) return true;
    keep(lists, desk, square, difference);
    return false;
}

/* By one item: a place for a family that may be kept, if the group has none. False, and everybody stops, when there is
 * no room. The host fetches it even if no family comes to be there. */
device_inline bool find_place(const struct madness_lists *lists, const struct madness_desk *desk)
{
    if (desk->shared[SHARED_PLACE] != MADNESS_NONE) return true;
    u32 place = atom_add(&lists->control[MADNESS_SLOTS], 1u, order_relaxed);
    if (place >= lists->places) {
        atom_store(&lists->control[MADNESS_STOP], (u32)MADNESS_FULL, order_relaxed);
        return false;
    }
    desk->shared[SHARED_PLACE] = place;
    global_mem u32 *family = lists->family + (u64)MADNESS_FAMILY_WORDS * place;
    global_mem double *number = lists->number + (u64)MADNESS_FAMILY_NUMBERS * place;
    for (u32 i = 0; i < MADNESS_FAMILY_WORDS; i++) family[i] = 0;
    for (u32 i = 0; i < MADNESS_FAMILY_NUMBERS; i++) number[i] = 0;
    return true;
}
