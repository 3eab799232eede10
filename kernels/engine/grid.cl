/* SPDX-License-Identifier: MIT */
/* What a persistent kernel needs: warps, a grid barrier, and a work distributor, which hands the units of a step out to
 * warps, with stealing between groups. All groups must be resident.
 *
 * A warp is WARP items with collectives of their own; all of its items call what has "warp" in its comment. Where the
 * device has none, WARP is 1 and an item is a warp.
 *
 * Units 0 .. units - 1 of a step are cut into one slice a group, in order; the last ones may be short or empty. A slice
 * is a deque by index (Abdelmageed's thesis, section 3.2): its cursor says how many units were taken beyond the first
 * pass, which every warp takes without asking. Own warps and thieves both add to the cursor: an addition that returns a
 * place beyond the slice acquires nothing, so no unit is run twice and none is lost. With one cursor for all there is
 * one slice, and the first pass is that of all groups' warps. Cursors are of two generations; a group clears its own of
 * the next step before the barrier that begins it, and nobody uses those before. Additions claim indexes only, so they
 * are relaxed. */

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
/* In all items. */
device_inline u32 warp_sum(u32 value)
{
    for (u32 step = WARP / 2; step > 0; step /= 2) value += warp_shuffle(value, lane_id() ^ step);
    return value;
}
#endif

device_inline u64 lesser(u64 a, u64 b)
{
    return a < b ? a : b;
}

device_inline u32 lesser_word(u32 a, u32 b)
{
    return a < b ? a : b;
}

/* ---- the grid barrier ---- */

/* Shared by all groups of a launch; zero before the first launch. A launch leaves arrived at a multiple of its groups,
 * so launches over one barrier all have as many. */
struct grid_barrier {
    global_mem atom64 *arrived;
    u64 awaited; /* in item 0 */
};

/* No group can pass a barrier before this one has arrived, so what lies beyond the multiple is of this barrier. */
device_inline void grid_barrier_open(struct grid_barrier *all, global_mem atom64 *arrived)
{
    u64 now = item_id() == 0 ? atom_load(arrived, order_relaxed) : 0;
    all->arrived = arrived;
    all->awaited = now - now % group_count();
}

/* What any item wrote before is seen by every item after. Adds to *idle the ticks that the group waited for others. */
device_inline void grid_barrier_wait(struct grid_barrier *all, local_mem u64 *idle)
{
    group_barrier();
    if (item_id() == 0) {
        u64 arrival = clock_ticks();
        all->awaited += group_count();
        /* release: pairs with the others' acquire below, so that they see what this group has written. */
        (void)atom_add(all->arrived, (u64)1, order_release);
        /* acquire: pairs with the others' release above. */
        await_least(all->arrived, all->awaited);
        *idle += clock_ticks() - arrival;
    }
    group_barrier();
}

/* ---- the work distributor ---- */

/* What a group's warps share about its steps, and the sums of what they ran; in local memory. Tasks are units times
 * what a unit counts. */
struct distributor_stats {
    u64 ran, stolen, steals, failed, given; /* given: tasks of its own slices */
    u64 began, idle; /* ticks: when the kernel began, and those that the group waited for others */
    u32 exhausted;                          /* the mark of a step in which a warp of the group saw all slices empty */
};

struct distributor {
    global_mem u32 *cursor; /* one a slice */
    local_mem struct distributor_stats *stats;
    u32 units, slice;    /* in all, and in a slice */
    u32 slices, own;     /* how many, and which is this group's */
    u32 takers, taker;   /* warps that share the first pass over a slice, and which of them this is */
    u32 per;             /* units that a warp takes at once */
    u32 from;            /* the slice it takes from next */
    bool dynamic, first; /* dynamic: a warp that is done acquires more than its even part */
    u32 mark, counts;    /* of the step; tasks in a unit */
};

/* Of units: fewer than 2^31, so that what is taken beyond them is a word, too. */
struct range {
    u32 begin, end;
};

/* The schedules: even parts, one cursor, or stealing. */
#define SCHEDULE_STATIC 0u
#define SCHEDULE_CURSOR 1u
#define SCHEDULE_STEAL 2u

device_inline struct range slice_of(const struct distributor *work, u32 which)
{
    struct range slice;
    slice.begin = lesser_word(work->slice * which, work->units);
    slice.end = lesser_word(slice.begin + work->slice, work->units);
    return slice;
}

device_inline void distributor_count_given(const struct distributor *work)
{
    struct range mine = slice_of(work, work->own);
    if (item_id() != 0) return;
    if (work->slices == group_count()) work->stats->given += (u64)(mine.end - mine.begin) * work->counts;
}

/* Opens a step of units; max is how many of them a warp may acquire at once. */
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
    work.takers = warp_count() * (one ? group_count() : 1);
    work.taker = one ? warp_id() * group_count() + group_id() : warp_id();
    u32 even = (work.slice + work.takers - 1) / work.takers;
    /* Where the first pass has all, asking for more costs more than it saves. */
    work.dynamic = schedule != SCHEDULE_STATIC && even > max;
    work.per = lesser_word(even > max ? (even + 1) / 2 : even, max);
    if (work.per == 0) work.per = 1;
    work.first = true;
    work.mark = step + 1;
    work.counts = counts;
    distributor_count_given(&work);
    return work;
}

/* Before the barrier that ends step. */
device_inline void distributor_clear(global_mem u32 *cursors, u32 step)
{
    if (item_id() == 0) cursors[(step + 1) % 2 * group_count() + group_id()] = 0;
}

/* The warp's next victim: a slice that has enough units left; none: work->slices. Slices only empty, so a probe that
 * finds none is final. Warps begin their probes at different places. */
device_inline u32 distributor_victim(const struct distributor *work)
{
    u32 found = work->slices, from = (work->own + 1 + warp_id() * 29) % work->slices;
    u32 first_pass = work->takers * work->per, worth = first_pass / 4;
    for (u32 at = lane_id(); at < work->slices; at += WARP) {
        u32 which = from + at < work->slices ? from + at : from + at - work->slices;
        struct range slice = slice_of(work, which);
        u32 taken = first_pass + word_fresh(&work->cursor[which]);
        if (found == work->slices && slice.begin + taken + worth < slice.end) found = which;
    }
    u32 some = warp_ballot(found < work->slices);
    u32 victim = warp_shuffle(found, some ? first_bit(some) : 0);
    return some ? victim : work->slices;
}

/* The slice that a warp takes from when the last one is empty. */
device_inline u32 distributor_turn(const struct distributor *work)
{
    volatile local_mem u32 *exhausted = &work->stats->exhausted;
    bool known = work->slices == 1 || *exhausted == work->mark;
    if (warp_ballot(known)) return work->slices; /* lanes may have read it at different times */
    u32 which = distributor_victim(work);
    if (which == work->slices && lane_id() == 0) *exhausted = work->mark;
    return which;
}

/* Counts what a warp acquired, or a failed steal. */
device_inline bool distributor_count(const struct distributor *work, struct range what)
{
    bool some = what.begin < what.end, theft = work->from != work->own;
    if (lane_id() != 0 || work->counts == 0) return some;
    u64 tasks = some ? (u64)(what.end - what.begin) * work->counts : 0;
    if (some) local_sum(&work->stats->ran, tasks);
    if (some && theft) local_sum(&work->stats->stolen, tasks);
    if (theft) local_sum(some ? &work->stats->steals : &work->stats->failed, (u64)1);
    return some;
}

/* A warp acquires by the cursor of the slice whose turn it is. */
device_inline struct range distributor_acquire(const struct distributor *work)
{
    struct range slice = slice_of(work, work->from), what;
    u32 taken = 0;
    if (lane_id() == 0) taken = word_add(&work->cursor[work->from], work->per);
    u32 beyond = work->takers * work->per + warp_shuffle(taken, 0);
    what.begin = lesser_word(slice.begin + beyond, slice.end);
    what.end = lesser_word(what.begin + work->per, slice.end);
    return what;
}

/* The warp's part of its own slice without an atomic: first, and then by strides. */
device_inline struct range distributor_stride(const struct distributor *work, const struct range *last)
{
    struct range slice = slice_of(work, work->own), what;
    u32 begin = work->first ? slice.begin + work->taker * work->per : last->begin + work->takers * work->per;
    what.begin = lesser_word(begin, slice.end);
    what.end = lesser_word(what.begin + work->per, slice.end);
    return what;
}

/* The next range for the calling warp, given the one before; false: the step has no more. */
device_inline bool distributor_next(struct distributor *work, struct range *out)
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
        work->from = distributor_turn(work);
    }
    return false;
}
