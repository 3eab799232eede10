/* SPDX-License-Identifier: MIT */
/* Boxes become grids of 2^21 cells along each axis; points become keys, by the widest vectors that the processor has.
 */
#include "octree_owner.h"

#include <math.h>

#include "octree_vectors.h"

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF /* gcc in ISO mode never joins a product and a sum */
#endif

/* What keeps differences within the range of doubles. */
static double factor_of(const double low[3], const double high[3])
{
    double side = 0;
    for (int axis = 0; axis < 3; axis++) side = fmax(side, high[axis] - low[axis]);
    return isinf(side) ? 0x1p-2 : side > 0 && side < 0x1p-950 ? 0x1p120 : 1;
}

gws_status gws__octree_grid_make(struct gws__octree_grid *grid, const double low[3], const double high[3])
{
    const double most = 0x1p1020; /* for a side so small beside the others that its scale would overflow */
    for (int axis = 0; axis < 3; axis++)
        if (!isfinite(low[axis]) || !isfinite(high[axis]) || !(low[axis] <= high[axis])) return GWS_INVALID;
    grid->factor = factor_of(low, high);
    for (int axis = 0; axis < 3; axis++) {
        grid->low[axis] = low[axis];
        grid->high[axis] = high[axis];
        grid->start[axis] = low[axis] * grid->factor;
        double end = high[axis] * grid->factor, side = end - grid->start[axis];
        grid->scale[axis] = side > 0 ? fmin(gws__octree_cells / side, most) : 0;
    }
    return GWS_OK;
}

GWS__VECTOR_LOOP keys_loop(bool is_double, const struct gws__octree_grid *grid, const struct gws_points *points,
                           uint64_t begin, uint64_t count, uint64_t *restrict key)
{
    const struct gws__octree_grid g = *grid;
    const void *const axes[3] = {points->x, points->y, points->z};
    for (uint64_t i = 0; i < count; i++) {
        uint64_t in = 1, all = 0;
        for (int axis = 0; axis < 3; axis++) {
            double at = gws__number_at(is_double, axes[axis], begin + i);
            in &= (uint64_t)(at >= g.low[axis]) & (uint64_t)(at <= g.high[axis]);
            double along = (at * g.factor - g.start[axis]) * g.scale[axis];
            along = along > 0 ? along : 0; /* also what is not a number */
            along = along < gws__octree_cells - 1 ? along : gws__octree_cells - 1;
            all |= gws__octree_spread((uint64_t)(uint32_t)(int32_t)along) << (2 - axis);
        }
        key[i] = all | (in - 1);
    }
}
GWS__VECTORS(keys, true,
             (bool is_double, const struct gws__octree_grid *grid, const struct gws_points *points, uint64_t begin,
              uint64_t count, uint64_t *key),
             grid, points, begin, count, key)

void gws__octree_keys(const struct gws__octree_grid *grid, const struct gws_points *points, uint64_t begin,
                      uint64_t count, uint64_t *key)
{
    keys(points->is_double, grid, points, begin, count, key);
}
