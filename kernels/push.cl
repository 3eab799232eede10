/* SPDX-License-Identifier: MIT */
/* Hierarchical push (Abdelmageed's thesis, section 3.4.2): each item says how many entries it has, a scan over the
 * group places them, the first item reserves room for all with one addition, and each item writes its own densely. The
 * scan is the device's where it has one (group_scan), else Hillis and Steele's in local memory. All items of a group
 * call. */

/* Where in the output this item's count entries go. scratch: GWS_GROUP_SIZE + 2 words of local memory. */
device_inline u32 push_reserve(global_mem atom32 *length, u32 count, local_mem u32 *scratch)
{
    u32 item = item_id(), last = group_size() - 1, before;
#ifdef group_scan
    before = group_scan(count);
#else
    scratch[item] = count;
    group_barrier();
    for (u32 step = 1; step <= last; step *= 2) {
        u32 lower = item >= step ? scratch[item - step] : 0;
        group_barrier();
        scratch[item] += lower;
        group_barrier();
    }
    before = scratch[item] - count;
#endif
    /* relaxed: the sum makes reservations disjoint; what is written there is published by the level's end. */
    if (item == last) scratch[GWS_GROUP_SIZE] = before + count;
    group_barrier();
    if (item == 0) scratch[GWS_GROUP_SIZE + 1] = atom_add(length, scratch[GWS_GROUP_SIZE], order_relaxed);
    group_barrier();
    before += scratch[GWS_GROUP_SIZE + 1];
    group_barrier(); /* scratch is free again */
    return before;
}
