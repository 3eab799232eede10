/* SPDX-License-Identifier: MIT */
/* Squared distances, and who lies in a box, compiled once for each kind of processor and number, as octree_keys.h is:
 * NAME, INSIDE, NUMBER, TARGET. */
TARGET static void NAME(const NUMBER *restrict x, const NUMBER *restrict y, const NUMBER *restrict z, uint64_t count,
                        const double place[3], double unit, double *restrict squared)
{
    const double at[3] = {place[0], place[1], place[2]};
    for (uint64_t i = 0; i < count; i++) {
        double dx = (double)x[i] * unit - at[0], dy = (double)y[i] * unit - at[1], dz = (double)z[i] * unit - at[2];
        squared[i] = dx * dx + dy * dy + dz * dz;
    }
}

TARGET static void INSIDE(const NUMBER *restrict x, const NUMBER *restrict y, const NUMBER *restrict z, uint64_t count,
                          const double low[3], const double high[3], uint64_t *restrict in)
{
    const double l[3] = {low[0], low[1], low[2]}, h[3] = {high[0], high[1], high[2]};
    for (uint64_t i = 0; i < count; i++) {
        double at[3] = {(double)x[i], (double)y[i], (double)z[i]};
        in[i] = (uint64_t)(at[0] >= l[0]) & (uint64_t)(at[0] <= h[0]) & (uint64_t)(at[1] >= l[1]) &
                (uint64_t)(at[1] <= h[1]) & (uint64_t)(at[2] >= l[2]) & (uint64_t)(at[2] <= h[2]);
    }
}
#undef NAME
#undef INSIDE
#undef NUMBER
#undef TARGET
