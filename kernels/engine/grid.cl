/* SPDX-License-Identifier: MIT */
/* The base of a persistent kernel: warps, a grid barrier, and a work distributor. The distributor schedules the units
 * of a step on warps, with stealing between groups. All groups must be resident.
 *
 * A warp is WARP items with collective operations. All items of a warp call each function whose comment says "a warp".
 * On a device without warps, WARP is 1 and each item is a warp.
 *
 * Units 0 .. units - 1 of a step form one slice per group, in order. The last slices may be shorter or empty. A slice
 * is a deque by index (Abdelmageed's thesis, section 3.2). Its cursor counts the units acquired after the first pass.
 * In the first pass every warp acquires its units without the cursor. The group's warps and thieves add to the cursor.
 * An addition whose result lies beyond the slice acquires nothing, so each unit runs exactly once. With SCHEDULE_CURSOR
 * there is one slice, and the first pass covers the warps of all groups. There are two generations of cursors. A group
 * clears its own cursor of the next step before the barrier that begins that step. No warp uses that cursor earlier.
 * Additions to a cursor are relaxed because they only claim indexes. */

device_inline u32 lane_id(void)
{
    return item_id() % WARP;
}

device_inline u32 warp_id(void)
{
    return item_id() / WARP;
}

device_inline u32 warp_count(void)
{
    return group_size() / WARP;
}

device_inline u32 lanes_below(void)
{
    return (1u << lane_id()) - 1;
}

device_inline u64 warp_shuffle_long(u64 value, u32 lane)
{
    u64 high = warp_shuffle((u32)(value >> 32), lane);
    return high << 32 | warp_shuffle((u32)value, lane);
}

#ifndef warp_sum
/* Returns the sum over a warp to all items. */
device_inline u32 warp_sum(u32 value)
{
    for (u32 step = WARP / 2; step > 0; step /= 2) value += warp_shuffle(value, lane_id() ^ step);
    return value;
}
#endif

/* A warp reserves one place for each marked lane. Returns the lane's place. */
device_inline u32 warp_reserve(global_mem u32 *count, bool mark)
{
    u32 marks = warp_ballot(mark), place = 0;
    if (marks == 0) return 0;
    if (lane_id() == 0) place = word_add(count, bit_count(marks));
    return warp_shuffle(place, 0) + bit_count(marks & lanes_below());
}

device_inline u64 min_u64(u64 a, u64 b)
{
    return a < b ? a : b;
}

device_inline u32 min_u32(u32 a, u32 b)
{
    return a < b ? a : b;
}

/* ---- the grid barrier ---- */

/* A barrier that all groups of a launch share. The word is zero before the first launch. After a launch, *arrived is a
 * multiple of the number of groups, so all launches over one barrier must have the same number of groups. */
struct grid_barrier {
    global_mem atom64 *arrived;
    u64 awaited; /* in item 0 */
};

/* Opens the barrier for a group. No other group passes a barrier before this group arrives. Arrivals beyond the last
 * multiple thus belong to the coming barrier. */
device_inline void grid_barrier_open(struct grid_barrier *all, global_mem atom64 *arrived)
{
    u64 now = item_id() == 0 ? atom_load(arrived, order_relaxed) : 0;
    all->arrived = arrived;
    all->awaited = now - now % group_count();
}

/* After the barrier every item sees all writes that came before the barrier. Adds the ticks that the group waited to
 * *idle. */
device_inline void grid_barrier_wait(struct grid_barrier *all, local_mem u64 *idle)
{
    group_barrier();
    if (item_id() == 0) {
        u64 arrival = clock_ticks();
        all->awaited += group_count();
        /* release: pairs with the acquire of the other groups below. They then see this group's writes. */
        (void)atom_add(all->arrived, (u64)1, order_release);
        /* acquire: pairs with the other groups' release above. */
        await_at_least(all->arrived, all->awaited);
        *idle += clock_ticks() - arrival;
    }
    group_barrier();
}

/* ---- cancelled calls ---- */

/* Returns whether the host asks the kernel to end. stop: a word that the host sets, or a null pointer: never. The word
 * may change at any time, so one item reads it, and publishes the answer to all items before a barrier. relaxed: the
 * word carries no other data. */
device_inline bool stop_requested(global_mem u32 *stop)
{
    return stop && atom_load((global_mem host32 *)stop, order_relaxed) != 0;
}

/* A warp returns the same for all its items. */
device_inline bool warp_stops(global_mem u32 *stop)
{
    if (!stop) return false;
    u32 stops = lane_id() == 0 && stop_requested(stop) ? 1 : 0;
    return warp_shuffle(stops, 0) != 0;
}

/* ---- the work distributor ---- */

/* A group's state and statistics, which its warps share in local memory. Tasks are units times the tasks per unit. */
struct distributor_stats {
    u64 ran, stolen, steals, failed, given; /* given: tasks in the group's own slices */
    u64 began, idle; /* in ticks: the start of the kernel, and the time that the group waited at barriers */
    u32 exhausted;   /* the mark of the last step in which a warp of the group saw all slices empty */
};

struct distributor {
    global_mem u32 *cursor; /* one per slice */
    local_mem struct distributor_stats *stats;
    u32 units, slice;    /* units in total, and per slice */
    u32 slices, own;     /* number of slices, and this group's slice */
    u32 warps, warp;     /* number of warps in the first pass over a slice, and this warp's number */
    u32 per;             /* units that a warp acquires at once */
    u32 from;            /* the slice of the next acquisition */
    bool dynamic, first; /* dynamic: a warp that has finished acquires more than its even part */
    u32 mark, counts;    /* the step's mark; tasks per unit */
};

/* A range of units. A step has fewer than 2^31 units. An acquisition beyond the end thus still fits a word. */
struct unit_range {
    u32 begin, end;
};

device_inline struct unit_range slice_of(const struct distributor *work, u32 which)
{
    struct unit_range slice;
    slice.begin = min_u32(work->slice * which, work->units);
    slice.end = min_u32(slice.begin + work->slice, work->units);
    return slice;
}

device_inline void distributor_count_given(const struct distributor *work)
{
    struct unit_range mine = slice_of(work, work->own);
    if (item_id() != 0) return;
    if (work->slices == group_count()) work->stats->given += (u64)(mine.end - mine.begin) * work->counts;
}

/* Opens a step of `units` units. A warp acquires at most `max` units at once. */
device_inline struct distributor distributor_open(global_mem u32 *cursors, local_mem struct distributor_stats *stats,
                                                  u32 step, u32 units, u32 max, u32 counts, u32 schedule)
{
    struct distributor work;
    bool one = schedule == SCHEDULE_CURSOR;
    work.cursor = cursors + step % 2 * group_count();
    work.stats = stats;
    work.units = units;
    work.slices = one ? 1 : group_count();
    work.own = work.from = one ? 0 : group_id();
    work.slice = one ? units : (units + group_count() - 1) / group_count();
    work.warps = warp_count() * (one ? group_count() : 1);
    work.warp = one ? warp_id() * group_count() + group_id() : warp_id();
    u32 even = (work.slice + work.warps - 1) / work.warps;
    /* If the first pass covers all units, acquiring by cursor costs more than it saves. */
    work.dynamic = schedule != SCHEDULE_STATIC && even > max;
    work.per = min_u32(even > max ? (even + 1) / 2 : even, max);
    if (work.per == 0) work.per = 1;
    work.first = true;
    work.mark = step + 1;
    work.counts = counts;
    distributor_count_given(&work);
    return work;
}

/* Clears the group's cursor of the next step. Call it before the barrier that ends step. */
device_inline void distributor_clear(global_mem u32 *cursors, u32 step)
{
    if (item_id() == 0) cursors[(step + 1) % 2 * group_count() + group_id()] = 0;
}

/* A warp returns its next victim, a slice that has enough units left, or work->slices if there is none. Slices only
 * shrink, so a fruitless probe is final. Warps start their probes at different slices. */
device_inline u32 distributor_victim(const struct distributor *work)
{
    u32 found = work->slices, from = (work->own + 1 + warp_id() * 29) % work->slices;
    u32 first_pass = work->warps * work->per, worth = first_pass / 4;
    for (u32 at = lane_id(); at < work->slices; at += WARP) {
        u32 which = from + at < work->slices ? from + at : from + at - work->slices;
        struct unit_range slice = slice_of(work, which);
        u32 taken = first_pass + word_fresh(&work->cursor[which]);
        if (found == work->slices && slice.begin + taken + worth < slice.end) found = which;
    }
    u32 some = warp_ballot(found < work->slices);
    u32 victim = warp_shuffle(found, some ? first_bit(some) : 0);
    return some ? victim : work->slices;
}

/* Returns a warp's next slice when its last slice is empty, or work->slices if all slices are exhausted. */
device_inline u32 distributor_next_slice(const struct distributor *work)
{
    volatile local_mem u32 *exhausted = &work->stats->exhausted;
    bool known = work->slices == 1 || *exhausted == work->mark;
    if (warp_ballot(known)) return work->slices; /* lanes may have read the mark at different times */
    u32 which = distributor_victim(work);
    if (which == work->slices && lane_id() == 0) *exhausted = work->mark;
    return which;
}

/* A warp counts an acquisition or a failed steal. */
device_inline bool distributor_count(const struct distributor *work, struct unit_range what)
{
    bool some = what.begin < what.end, stolen = work->from != work->own;
    if (lane_id() != 0 || work->counts == 0) return some;
    u64 tasks = some ? (u64)(what.end - what.begin) * work->counts : 0;
    if (some) local_sum(&work->stats->ran, tasks);
    if (some && stolen) local_sum(&work->stats->stolen, tasks);
    if (stolen) local_sum(some ? &work->stats->steals : &work->stats->failed, (u64)1);
    return some;
}

/* A warp acquires units by the cursor of its current slice. */
device_inline struct unit_range distributor_acquire(const struct distributor *work)
{
    struct unit_range slice = slice_of(work, work->from), what;
    u32 taken = 0;
    if (lane_id() == 0) taken = word_add(&work->cursor[work->from], work->per);
    u32 beyond = work->warps * work->per + warp_shuffle(taken, 0);
    what.begin = min_u32(slice.begin + beyond, slice.end);
    what.end = min_u32(what.begin + work->per, slice.end);
    return what;
}

/* A warp acquires its part of its own slice without an atomic operation. It acquires the first range, then further
 * ranges by a stride. */
device_inline struct unit_range distributor_stride(const struct distributor *work, const struct unit_range *last)
{
    struct unit_range slice = slice_of(work, work->own), what;
    u32 begin = work->first ? slice.begin + work->warp * work->per : last->begin + work->warps * work->per;
    what.begin = min_u32(begin, slice.end);
    what.end = min_u32(what.begin + work->per, slice.end);
    return what;
}

/* Replaces the calling warp's last range in *out by its next one. Returns false if the step has no more units. */
device_inline bool distributor_next(struct distributor *work, struct unit_range *out)
{
    if (work->first || !work->dynamic) {
        *out = distributor_stride(work, out);
        work->first = false;
        if (distributor_count(work, *out)) return true;
        if (!work->dynamic) return false;
    }
    while (work->from < work->slices) {
        *out = distributor_acquire(work);
        if (distributor_count(work, *out)) return true;
        work->from = distributor_next_slice(work);
    }
    return false;
}
