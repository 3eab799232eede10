/* SPDX-License-Identifier: MIT */
/* Boxes become grids of 2^21 cells along each axis; points become keys, by the widest vectors that the processor has.
 */
#include "octree_owner.h"

#include <math.h>

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

#define NAME floats_plain
#define NUMBER float
#define TARGET
#include "octree_keys.h"
#define NAME doubles_plain
#define NUMBER double
#define TARGET
#include "octree_keys.h"

#if defined __x86_64__
#ifdef __clang__
#define WIDER "avx512f,avx512dq,avx512vl"
#else
#define WIDER "avx512f,avx512dq,avx512vl,prefer-vector-width=512" /* gcc takes half of it unless told */
#endif
#define NAME floats_avx2
#define NUMBER float
#define TARGET __attribute__((target("avx2")))
#include "octree_keys.h"
#define NAME doubles_avx2
#define NUMBER double
#define TARGET __attribute__((target("avx2")))
#include "octree_keys.h"
#define NAME floats_avx512
#define NUMBER float
#define TARGET __attribute__((target(WIDER)))
#include "octree_keys.h"
#define NAME doubles_avx512
#define NUMBER double
#define TARGET __attribute__((target(WIDER)))
#include "octree_keys.h"
#endif

void gws__octree_keys_plain(const struct gws__octree_grid *grid, const struct gws_points *points, uint64_t begin,
                            uint64_t count, uint64_t *key)
{
    if (points->is_double) {
        const double *x = points->x, *y = points->y, *z = points->z;
        doubles_plain(grid, x + begin, y + begin, z + begin, count, key);
    } else {
        const float *x = points->x, *y = points->y, *z = points->z;
        floats_plain(grid, x + begin, y + begin, z + begin, count, key);
    }
}

#if defined __x86_64__
/* False where the processor has neither. */
static bool by_vectors(const struct gws__octree_grid *grid, const struct gws_points *points, uint64_t begin,
                       uint64_t count, uint64_t *key)
{
    bool wider =
        __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    if (!wider && !__builtin_cpu_supports("avx2")) return false;
    if (points->is_double) {
        const double *x = points->x, *y = points->y, *z = points->z;
        (wider ? doubles_avx512 : doubles_avx2)(grid, x + begin, y + begin, z + begin, count, key);
    } else {
        const float *x = points->x, *y = points->y, *z = points->z;
        (wider ? floats_avx512 : floats_avx2)(grid, x + begin, y + begin, z + begin, count, key);
    }
    return true;
}
#endif

void gws__octree_keys(const struct gws__octree_grid *grid, const struct gws_points *points, uint64_t begin,
                      uint64_t count, uint64_t *key)
{
#if defined __x86_64__
    if (by_vectors(grid, points, begin, count, key)) return;
#endif
    gws__octree_keys_plain(grid, points, begin, count, key);
}
