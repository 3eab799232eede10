/* SPDX-License-Identifier: MIT */
/* Prefix sums over a group of at most RANK_ITEMS items. The summands are words of eight counts of eight bits. The sum
 * thus gives each item the number of earlier items with the same digit. The scan uses rows of items that exchange
 * values (subgroups) if the language has them, else the device's scan, else local memory. All items of a group call
 * it. */

#ifdef row_items
#define RANK_WORDS (RANK_ITEMS / row_items)
/* Returns the exclusive prefix sum over the group's items, and their total in *total. scratch: RANK_WORDS unused words
 * of local memory. The caller may reuse scratch after the group's next barrier. */
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
