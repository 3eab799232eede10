/* SPDX-License-Identifier: MIT */
/* Sums over a group of at most RANK_ITEMS items, for words of eight counts of eight bits: what tells each item how many
 * items before it have its digit. By rows of items that pass values among themselves where the dialect has them, else
 * by the device's scan, or one of our own in local memory. All items of a group call. */
#define RANK_ITEMS 128u

#ifdef row_items
#define RANK_WORDS (RANK_ITEMS / row_items)
/* The sum of the values of the items before this one, and in *total that of all. scratch: RANK_WORDS of local memory,
 * not in use by anybody; it is free again after the group's next barrier. */
device_inline u64 rank_scan(u64 value, local_mem u64 *scratch, u64 *total)
{
    u32 lane = item_id() % row_items, row = item_id() / row_items;
    u64 upto = value, before = 0, all = 0;
    for (u32 by = 1; by < row_items; by *= 2) {
        u64 below = row_from_below(upto, by);
        if (lane >= by) upto += below;
    }
    if (lane == row_items - 1) scratch[row] = upto;
    group_barrier();
    for (u32 r = 0; r < group_size() / row_items; r++) {
        if (r == row) before = all;
        all += scratch[r];
    }
    *total = all;
    return before + upto - value;
}
#elif defined GWS_GROUP_SIZE && GWS_GROUP_SIZE == 1
#define RANK_WORDS 1u
device_inline u64 rank_scan(u64 value, local_mem u64 *scratch, u64 *total)
{
    (void)scratch;
    *total = value;
    return 0;
}
#else
#define RANK_WORDS (RANK_ITEMS + 1)
device_inline u64 rank_scan(u64 value, local_mem u64 *scratch, u64 *total)
{
    u32 item = item_id();
#ifdef group_scan
    u64 upto = group_scan(value) + value;
#else
    u64 upto = value;
    scratch[item] = value;
    group_barrier();
    for (u32 by = 1; by < group_size(); by *= 2) {
        upto += item >= by ? scratch[item - by] : 0;
        group_barrier();
        scratch[item] = upto;
        group_barrier();
    }
#endif
    if (item == group_size() - 1) scratch[RANK_ITEMS] = upto;
    group_barrier();
    *total = scratch[RANK_ITEMS];
    return upto - value;
}
#endif
