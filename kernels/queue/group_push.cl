/* SPDX-License-Identifier: MIT */
/* Hierarchical push (Abdelmageed's thesis, section 3.4.1.2): each item passes its number of entries, a prefix sum over
 * the group gives their positions, the first item reserves space for all entries with one addition, and each item
 * writes its own entries densely. The prefix sum is the device's (group_scan) or runs in local memory: some items add
 * up a segment each, and one item adds up the segment totals. All items of a group call. */

#define SCAN_SEGMENTS 16u
#define SCAN_WORDS (GWS_GROUP_SIZE + SCAN_SEGMENTS + 1)

#ifndef group_scan
/* Exclusive prefix sum within each segment, followed by the segment totals. */
device_inline void scan_segments(local_mem u64 *scratch, u32 segment)
{
    u32 item = item_id(), first = item * segment;
    u64 sum = 0;
    if (item >= SCAN_SEGMENTS) return;
    for (u32 i = first; i < first + segment && i < group_size(); i++) {
        u64 value = scratch[i];
        scratch[i] = sum;
        sum += value;
    }
    scratch[GWS_GROUP_SIZE + item] = sum;
}

device_inline void scan_totals(local_mem u64 *scratch, u32 segments)
{
    u64 sum = 0;
    for (u32 i = 0; i < segments; i++) {
        u64 value = scratch[GWS_GROUP_SIZE + i];
        scratch[GWS_GROUP_SIZE + i] = sum;
        sum += value;
    }
    scratch[GWS_GROUP_SIZE + SCAN_SEGMENTS] = sum;
}
#endif

/* Returns the exclusive prefix sum over the group's items, and their total in *total. scratch: SCAN_WORDS words of
 * local memory. */
device_inline u64 group_prefix_sum(u64 value, local_mem u64 *scratch, u64 *total)
{
#ifdef group_scan
    u64 before = group_scan(value);
    if (item_id() == group_size() - 1) scratch[GWS_GROUP_SIZE + SCAN_SEGMENTS] = before + value;
    group_barrier();
#else
    u32 segment = (group_size() + SCAN_SEGMENTS - 1) / SCAN_SEGMENTS, item = item_id();
    scratch[item] = value;
    group_barrier();
    scan_segments(scratch, segment);
    group_barrier();
    if (item == 0) scan_totals(scratch, (group_size() + segment - 1) / segment);
    group_barrier();
    u64 before = scratch[item] + scratch[GWS_GROUP_SIZE + item / segment];
#endif
    *total = scratch[GWS_GROUP_SIZE + SCAN_SEGMENTS];
    group_barrier(); /* scratch is free again */
    return before;
}

/* Small groups collect their pushes in local memory and reserve space for many at once, as in the thesis; a large group
 * pushes many entries at once anyway. */
#if GWS_GROUP_SIZE <= 64
#define BLOCK_BUFFER_CAPACITY 2048u
#define BLOCK_BUFFER_WORDS BLOCK_BUFFER_CAPACITY
#else
#define BLOCK_BUFFER_WORDS 1u
#endif

/* The pushes of a group; the same in all its items. */
struct pushed {
    bool exclusive; /* no other group writes to the output now, so the push needs no atomics */
    u32 end;        /* the end of the output, if exclusive */
    u32 buffered;   /* entries in the block buffer */
    u64 weights;    /* the sum of the entries' weights */
};

/* Reserves count entries of the output and returns the first one's index. */
device_inline u32 reserve_output(global_mem atom32 *tail, struct pushed *pushed, u32 count, local_mem u64 *scratch)
{
    u32 first = pushed->end;
    pushed->end += count;
    /* relaxed: the addition makes reservations disjoint; the level's end publishes the entries. */
    if (item_id() == 0 && !pushed->exclusive && count > 0) first = atom_add(tail, count, order_relaxed);
    if (item_id() == 0) scratch[0] = first;
    group_barrier();
    first = (u32)scratch[0];
    group_barrier(); /* scratch is free again */
    return first;
}

/* Flushes the block buffer to out. */
device_inline void push_flush(global_mem atom32 *tail, global_mem u32 *out, struct pushed *pushed,
                              local_mem const u32 *buffer, local_mem u64 *scratch)
{
    u32 buffered = pushed->buffered,
        first = reserve_output(tail, pushed, buffered, scratch); /* behind its barriers, all items have written to the
                                                                  * buffer */
    for (u32 i = item_id(); i < buffered; i += group_size()) out[first + i] = buffer[i];
    pushed->buffered = 0;
    group_barrier(); /* the buffer is free again */
}

/* Reserves space for this item's count entries of the given total weight: in the block buffer if there is one, else in
 * the output. Returns the first index. A group's weights must be below 2^48; all its items push fewer than 2^16
 * entries. */
device_inline u32 push_reserve(global_mem atom32 *tail, global_mem u32 *out, struct pushed *pushed, u32 count,
                               u64 weight, local_mem const u32 *buffer, local_mem u64 *scratch)
{
    u64 total, before = group_prefix_sum((u64)count << 48 | weight, scratch, &total) >> 48;
    u32 all = (u32)(total >> 48);
    pushed->weights += total & (((u64)1 << 48) - 1);
#ifdef BLOCK_BUFFER_CAPACITY
    /* A loop of at most one round, as it contains barriers. */
    for (u32 full = pushed->buffered + all > BLOCK_BUFFER_CAPACITY ? 1 : 0; full > 0; full--)
        push_flush(tail, out, pushed, buffer, scratch);
    u32 first = pushed->buffered;
    pushed->buffered += all;
#else
    (void)out;
    (void)buffer;
    u32 first = reserve_output(tail, pushed, all, scratch);
#endif
    return first + (u32)before;
}
