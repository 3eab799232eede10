/* SPDX-License-Identifier: MIT */
/* The loop over points that makes keys, compiled once for each kind of processor and number: NAME, NUMBER and TARGET
 * say for which. Without a branch, so that compilers make vectors of it. */
TARGET static void NAME(const struct gws__octree_grid *grid, const NUMBER *restrict x, const NUMBER *restrict y,
                        const NUMBER *restrict z, uint64_t count, uint64_t *restrict key)
{
    const struct gws__octree_grid g = *grid;
    for (uint64_t i = 0; i < count; i++) {
        double at[3] = {(double)x[i], (double)y[i], (double)z[i]};
        uint64_t in = 1, all = 0;
        for (int axis = 0; axis < 3; axis++) {
            in &= (uint64_t)(at[axis] >= g.low[axis]) & (uint64_t)(at[axis] <= g.high[axis]);
            double scaled = at[axis] * g.factor;
            double along = (scaled - g.start[axis]) * g.scale[axis];
            along = along > 0 ? along : 0; /* also what is not a number */
            along = along < gws__octree_cells - 1 ? along : gws__octree_cells - 1;
            all |= gws__octree_spread((uint64_t)(uint32_t)(int32_t)along) << (2 - axis);
        }
        key[i] = all | (in - 1);
    }
}
#undef NAME
#undef NUMBER
#undef TARGET
