/* SPDX-License-Identifier: MIT */
/* Hierarchical push (Abdelmageed's thesis, section 3.4.1.2): each item says how many entries it has, a scan over the
 * group places them, the first item reserves room for all with one addition, and each item writes its own densely. The
 * scan is the device's where it has one (group_scan), else one of our own in local memory: some items add up a stretch
 * each, one adds up the stretches. All items of a group call. */

#define SCAN_PARTS 16u
#define SCAN_WORDS (GWS_GROUP_SIZE + SCAN_PARTS + 1)

#ifndef group_scan
/* Leaves in scratch each value's sum of those before it in its stretch, and behind them the stretches' sums. */
device_inline void scan_parts(local_mem u64 *scratch, u32 part)
{
    u32 item = item_id(), first = item * part;
    u64 sum = 0;
    if (item >= SCAN_PARTS) return;
    for (u32 i = first; i < first + part && i < group_size(); i++) {
        u64 value = scratch[i];
        scratch[i] = sum;
        sum += value;
    }
    scratch[GWS_GROUP_SIZE + item] = sum;
}

device_inline void scan_sums(local_mem u64 *scratch, u32 parts)
{
    u64 sum = 0;
    for (u32 i = 0; i < parts; i++) {
        u64 value = scratch[GWS_GROUP_SIZE + i];
        scratch[GWS_GROUP_SIZE + i] = sum;
        sum += value;
    }
    scratch[GWS_GROUP_SIZE + SCAN_PARTS] = sum;
}
#endif

/* The sum of the values of the items before this one, and in *total that of all. scratch: SCAN_WORDS of local memory. */
device_inline u64 sum_before(u64 value, local_mem u64 *scratch, u64 *total)
{
#ifdef group_scan
    u64 before = group_scan(value);
    if (item_id() == group_size() - 1) scratch[GWS_GROUP_SIZE + SCAN_PARTS] = before + value;
    group_barrier();
#else
    u32 part = (group_size() + SCAN_PARTS - 1) / SCAN_PARTS, item = item_id();
    scratch[item] = value;
    group_barrier();
    scan_parts(scratch, part);
    group_barrier();
    if (item == 0) scan_sums(scratch, (group_size() + part - 1) / part);
    group_barrier();
    u64 before = scratch[item] + scratch[GWS_GROUP_SIZE + item / part];
#endif
    *total = scratch[GWS_GROUP_SIZE + SCAN_PARTS];
    group_barrier(); /* scratch is free again */
    return before;
}

/* Small groups collect what they push in local memory and reserve room for many at once, as the thesis has it; large
 * ones push much at once anyway. */
#if GWS_GROUP_SIZE <= 64
#define BAG_ROOM 2048u
#define BAG_WORDS BAG_ROOM
#else
#define BAG_WORDS 1u
#endif

/* What a group has pushed, the same in all its items. */
struct pushed {
    bool alone;  /* no other group writes to the output now, so it needs no atomics: */
    u32 end;     /* there it ends */
    u32 held;    /* in the bag */
    u64 weights; /* the sum of what the entries weigh */
};

/* Room for count entries of the output: where they begin. */
device_inline u32 push_claim(global_mem atom32 *tail, struct pushed *pushed, u32 count, local_mem u64 *scratch)
{
    u32 first = pushed->end;
    pushed->end += count;
    /* relaxed: the sum makes reservations disjoint; what is written there is published by the level's end. */
    if (item_id() == 0 && !pushed->alone && count > 0) first = atom_add(tail, count, order_relaxed);
    if (item_id() == 0) scratch[0] = first;
    group_barrier();
    first = (u32)scratch[0];
    group_barrier(); /* scratch is free again */
    return first;
}

/* Empties the bag into out. */
device_inline void push_flush(global_mem atom32 *tail, global_mem u32 *out, struct pushed *pushed,
                              local_mem const u32 *bag, local_mem u64 *scratch)
{
    u32 held = pushed->held, first = push_claim(tail, pushed, held, scratch); /* and all have written into the bag */
    for (u32 i = item_id(); i < held; i += group_size()) out[first + i] = bag[i];
    pushed->held = 0;
    group_barrier(); /* the bag is free again */
}

/* Where this item's count entries go, which weigh so much together: places in the bag where there is one, else in the
 * output. A group's weights must be below 2^48; all its items push fewer than 2^16. */
device_inline u32 push_reserve(global_mem atom32 *tail, global_mem u32 *out, struct pushed *pushed, u32 count,
                               u64 weight, local_mem const u32 *bag, local_mem u64 *scratch)
{
    u64 total, before = sum_before((u64)count << 48 | weight, scratch, &total) >> 48;
    u32 all = (u32)(total >> 48);
    pushed->weights += total & (((u64)1 << 48) - 1);
#ifdef BAG_ROOM
    /* A loop that runs at most once: it has barriers in it. */
    for (u32 full = pushed->held + all > BAG_ROOM ? 1 : 0; full > 0; full--)
        push_flush(tail, out, pushed, bag, scratch);
    u32 first = pushed->held;
    pushed->held += all;
#else
    (void)out;
    (void)bag;
    u32 first = push_claim(tail, pushed, all, scratch);
#endif
    return first + (u32)before;
}
