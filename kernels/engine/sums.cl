/* SPDX-License-Identifier: MIT */
/* Sums over warps (grid.cl). All items of a warp call these functions. */
device_inline u64 warp_sum_long(u64 value)
{
    for (u32 step = WARP / 2; step > 0; step /= 2) value += warp_shuffle_long(value, lane_id() ^ step);
    return value;
}

device_inline void add_sum(global_mem u64 *sum, u64 value)
{
    value = warp_sum_long(value);
    if (lane_id() == 0 && value > 0) word_sum(sum, value);
}

/* Returns the inclusive prefix sum of the items' values. */
device_inline u32 warp_prefix(u32 value)
{
    for (u32 step = 1; step < WARP; step *= 2) {
        u32 below = warp_shuffle(value, lane_id() >= step ? lane_id() - step : 0);
        value += lane_id() >= step ? below : 0;
    }
    return value;
}
