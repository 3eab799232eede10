/* SPDX-License-Identifier: MIT */
/* Squared distances, compiled once for each kind of processor and number, as octree_keys.h is: NAME, NUMBER, TARGET. */
TARGET static void NAME(const NUMBER *restrict x, const NUMBER *restrict y, const NUMBER *restrict z, uint64_t count,
                        const double place[3], double unit, double *restrict squared)
{
    const double at[3] = {place[0], place[1], place[2]};
    for (uint64_t i = 0; i < count; i++) {
        double dx = (double)x[i] * unit - at[0], dy = (double)y[i] * unit - at[1], dz = (double)z[i] * unit - at[2];
        squared[i] = dx * dx + dy * dy + dz * dz;
    }
}
#undef NAME
#undef NUMBER
#undef TARGET
