/* SPDX-License-Identifier: MIT */
/* Hierarchical push (Abdelmageed's thesis, section 3.4.1.2). Each item passes its number of entries. A prefix sum over
 * the group gives the positions of the entries. The first item reserves space for all entries with one addition. Each
 * item then writes its own entries, without gaps. The prefix sum uses the device's group_scan, if there is one.
 * Otherwise it runs in local memory. Some items add up a segment each, and one item adds up the segment totals. All
 * items of a group call. */

#define SCAN_SEGMENTS 16u
#define SCAN_WORDS (GWS_GROUP_SIZE + SCAN_SEGMENTS + 1)

#ifndef group_scan
/* Replaces values by their exclusive prefix sum within each segment, and writes the segment totals behind them. */
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
    group_barrier(); /* all items have read scratch */
    return before;
}

/* A small group collects its pushes in local memory and reserves space for many entries at once, as in the thesis. A
 * large group pushes many entries at once without a buffer. */
#if GWS_GROUP_SIZE <= 64
#define BLOCK_BUFFER_CAPACITY 2048u
#define BLOCK_BUFFER_WORDS BLOCK_BUFFER_CAPACITY
#else
#define BLOCK_BUFFER_WORDS 1u
#endif

/* The state of a group's pushes; all items have the same values. */
struct pushed {
    bool exclusive; /* the push needs no atomics, because no other group writes to the output now */
    u32 end;        /* the end of the output, if exclusive */
    u32 buffered;   /* entries in the block buffer */
    u64 weights;    /* the sum of the entries' weights */
};

/* Reserves count entries of the output and returns the first one's index. */
device_inline u32 reserve_output(global_mem atom32 *tail, struct pushed *pushed, u32 count, local_mem u64 *scratch)
{
    u32 first = pushed->end;
    pushed->end += count;
    /* relaxed: the addition makes reservations disjoint, and the level's end publishes the entries. */
    if (item_id() == 0 && !pushed->exclusive && count > 0) first = atom_add(tail, count, order_relaxed);
    if (item_id() == 0) scratch[0] = first;
    group_barrier();
    first = (u32)scratch[0];
    group_barrier(); /* all items have read scratch */
    return first;
}

/* Flushes the block buffer to out. */
device_inline void push_flush(global_mem atom32 *tail, global_mem u32 *out, struct pushed *pushed,
                              local_mem const u32 *buffer, local_mem u64 *scratch)
{
    u32 buffered = pushed->buffered,
        first = reserve_output(tail, pushed, buffered,
                               scratch); /* after its barriers, all items have written to the buffer */
    for (u32 i = item_id(); i < buffered; i += group_size()) out[first + i] = buffer[i];
    pushed->buffered = 0;
    group_barrier(); /* all items have read the buffer */
}

/* Reserves space for this item's count entries of the given total weight, in the block buffer if there is one, else in
 * the output. Returns the first index. The weights of a group's entries must add up to less than 2^48, and its items
 * must push fewer than 2^16 entries. */
device_inline u32 push_reserve(global_mem atom32 *tail, global_mem u32 *out, struct pushed *pushed, u32 count,
                               u64 weight, local_mem const u32 *buffer, local_mem u64 *scratch)
{
    u64 total, before = group_prefix_sum((u64)count << 48 | weight, scratch, &total) >> 48;
    u32 all = (u32)(total >> 48);
    pushed->weights += total & (((u64)1 << 48) - 1);
#ifdef BLOCK_BUFFER_CAPACITY
    /* This is a loop of at most one round instead of a branch, because all items must reach its barriers. */
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
