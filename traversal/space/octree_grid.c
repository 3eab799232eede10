/* SPDX-License-Identifier: MIT */
/* Converts boxes to grids of 2^21 cells along each axis, and points to keys, with the processor's widest vectors. Finds
 * the bounding cube of the finite points in one parallel pass over blocks, at memory bandwidth. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "octree_state.h"

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF /* gcc in ISO mode never fuses a product and a sum */
#endif

/* Returns the factor that keeps differences within the range of doubles. */
static double factor_of(const double low[3], const double high[3])
{
    double side = 0;
    for (int axis = 0; axis < 3; axis++) side = fmax(side, high[axis] - low[axis]);
    return isinf(side) ? 0x1p-2 : side > 0 && side < 0x1p-950 ? 0x1p120 : 1;
}

gws_status gws__octree_grid_make(struct gws__octree_grid *grid, const double low[3], const double high[3])
{
    const double max_scale = 0x1p1020; /* limits the scale of a side that is much shorter than the longest side */
    for (int axis = 0; axis < 3; axis++)
        if (!isfinite(low[axis]) || !isfinite(high[axis]) || !(low[axis] <= high[axis])) return GWS_INVALID;
    grid->factor = factor_of(low, high);
    for (int axis = 0; axis < 3; axis++) {
        grid->low[axis] = low[axis];
        grid->high[axis] = high[axis];
        grid->start[axis] = low[axis] * grid->factor;
        double end = high[axis] * grid->factor, side = end - grid->start[axis];
        grid->scale[axis] = side > 0 ? fmin(gws__octree_cells / side, max_scale) : 0;
    }
    return GWS_OK;
}

GWS__VECTOR_LOOP gws__octree_keys_loop(bool is_double, const struct gws__octree_grid *grid,
                                       const struct gws_points *points, uint64_t begin, uint64_t count,
                                       uint64_t *restrict key)
{
    const struct gws__octree_grid g = *grid;
    const void *const axes[3] = {points->x, points->y, points->z};
    for (uint64_t i = 0; i < count; i++) {
        uint64_t in = 1, all = 0;
        for (int axis = 0; axis < 3; axis++) {
            double at = gws__number_at(is_double, axes[axis], begin + i);
            in &= (uint64_t)(at >= g.low[axis]) & (uint64_t)(at <= g.high[axis]);
            double cells = (at * g.factor - g.start[axis]) * g.scale[axis];
            cells = cells > 0 ? cells : 0; /* also replaces NaN */
            cells = cells < gws__octree_cells - 1 ? cells : gws__octree_cells - 1;
            all |= gws__octree_spread((uint64_t)(uint32_t)(int32_t)cells) << (2 - axis);
        }
        key[i] = all | (in - 1);
    }
}
GWS__VECTORS(, gws__octree_keys, true, points->is_double,
             (const struct gws__octree_grid *grid, const struct gws_points *points, uint64_t begin, uint64_t count,
              uint64_t *key),
             grid, points, begin, count, key)

/* ---- the bounding cube ---- */

enum { block = 4096 };

struct extent {
    double low[3], high[3];
    uint64_t non_finite; /* points that are not finite */
    char padding[72];
};

struct bounding {
    const struct gws_points *points;
    struct extent *extent; /* one extent per worker */
};

/* Maps the bits of a floating-point number to an integer of the same order. Flips all bits but the highest of negative
 * numbers. Infinities and NaNs become the extremes. The mapping is its own inverse. */
static inline int32_t order_of_float(int32_t bits)
{
    return bits ^ (int32_t)((uint32_t)(bits >> 31) >> 1);
}

static inline int64_t order_of_double(int64_t bits)
{
    return bits ^ (int64_t)((uint64_t)(bits >> 63) >> 1);
}

/* Computes the minimum and maximum of count numbers, as doubles, infinite if one number is not finite. The macro uses
 * integers, because compilers may reorder integer minima and therefore vectorise them. */
#define RANGE(NUMBER, BITS, INFINITE, ORDER)                                                                           \
    const NUMBER *x = number;                                                                                          \
    BITS end[2] = {INFINITE, -(INFINITE)};                                                                             \
    for (uint64_t i = begin; i < begin + count; i++) {                                                                 \
        BITS bits;                                                                                                     \
        memcpy(&bits, &x[i], sizeof bits);                                                                             \
        bits = ORDER(bits);                                                                                            \
        end[0] = bits < end[0] ? bits : end[0];                                                                        \
        end[1] = bits > end[1] ? bits : end[1];                                                                        \
    }                                                                                                                  \
    bool finite = end[0] >= -(INFINITE) && end[1] < (INFINITE);                                                        \
    for (int e = 0; e < 2; e++) {                                                                                      \
        NUMBER found;                                                                                                  \
        BITS bits = ORDER(end[e]);                                                                                     \
        memcpy(&found, &bits, sizeof found);                                                                           \
        ends[e] = finite ? (double)found : INFINITY;                                                                   \
    }

GWS__VECTOR_LOOP find_range_loop(bool is_double, const struct gws_points *points, int axis, uint64_t begin,
                                 uint64_t count, double ends[2])
{
    const void *number = axis == 0 ? points->x : axis == 1 ? points->y : points->z;
    if (is_double) {
        RANGE(double, int64_t, INT64_C(0x7ff0000000000000), order_of_double)
    } else {
        RANGE(float, int32_t, INT32_C(0x7f800000), order_of_float)
    }
}
GWS__VECTORS(static, find_range, true, points->is_double,
             (const struct gws_points *points, int axis, uint64_t begin, uint64_t count, double ends[2]), points, axis,
             begin, count, ends)

/* Extends the extent by a block. Returns false, without a change, when a number in the block is not finite. */
static bool widen(const struct gws_points *points, uint64_t begin, uint64_t count, struct extent *extent)
{
    double ends[3][2];
    for (int a = 0; a < 3; a++) {
        find_range(points, a, begin, count, ends[a]);
        if (isinf(ends[a][0])) return false;
    }
    for (int a = 0; a < 3; a++) {
        extent->low[a] = fmin(extent->low[a], ends[a][0]);
        extent->high[a] = fmax(extent->high[a], ends[a][1]);
    }
    return true;
}

/* Extends the extent by the finite points of a block, point by point. */
static void bound_finite_points(const struct gws_points *points, uint64_t begin, uint64_t end, struct extent *extent)
{
    for (uint64_t i = begin; i < end; i++) {
        double at[3] = {gws_points_at(points, points->x, i), gws_points_at(points, points->y, i),
                        gws_points_at(points, points->z, i)};
        if (!isfinite(at[0]) || !isfinite(at[1]) || !isfinite(at[2])) {
            extent->non_finite++;
            continue;
        }
        for (int a = 0; a < 3; a++) {
            if (at[a] < extent->low[a]) extent->low[a] = at[a];
            if (at[a] > extent->high[a]) extent->high[a] = at[a];
        }
    }
}

static void bound_blocks(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct bounding *bound = context;
    struct extent *extent = &bound->extent[worker];
    for (uint64_t b = begin; b < end; b++) {
        uint64_t first = b * block, rest = bound->points->count - first, count = rest < block ? rest : block;
        if (!widen(bound->points, first, count, extent))
            bound_finite_points(bound->points, first, first + count, extent);
    }
}

/* Clamps the cube to the range of doubles. */
static void make_cube(const double min[3], const double max[3], double low[3], double high[3])
{
    double half = 0; /* half a side, because the whole side may overflow */
    for (int a = 0; a < 3; a++) half = fmax(half, max[a] / 2 - min[a] / 2);
    for (int a = 0; a < 3; a++) {
        low[a] = min[a];
        high[a] = fmin(low[a] + half + half, DBL_MAX);
        if (high[a] < max[a]) high[a] = max[a]; /* rounding or denormal numbers can lose the maximum */
    }
}

gws_status gws__octree_find_box(struct gws__octree_state *state)
{
    struct gws_runtime *runtime = state->runtime;
    uint32_t workers = gws_runtime_workers(runtime);
    struct bounding bound = {state->points, gws_allocate(runtime, workers, sizeof *bound.extent)};
    if (!bound.extent) return GWS_NO_MEMORY;
    struct extent none = {.low = {INFINITY, INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY, -INFINITY}};
    for (uint32_t w = 0; w < workers; w++) bound.extent[w] = none;
    struct gws_loop loop = {.count = state->points->count / block + (state->points->count % block != 0),
                            .grain = 16,
                            .chunk = 4,
                            .body = bound_blocks,
                            .context = &bound};
    gws_status status = gws_parallel_try(runtime, &loop);
    struct extent all = none;
    for (uint32_t w = 0; w < workers; w++) {
        for (int a = 0; a < 3; a++) {
            all.low[a] = fmin(all.low[a], bound.extent[w].low[a]);
            all.high[a] = fmax(all.high[a], bound.extent[w].high[a]);
        }
        all.non_finite += bound.extent[w].non_finite;
    }
    gws_release(runtime, bound.extent, workers, sizeof *bound.extent);
    if (status != GWS_OK) return status;
    if (state->points->count == all.non_finite) all = (struct extent){.non_finite = all.non_finite};
    double low[3], high[3];
    make_cube(all.low, all.high, low, high);
    status = gws__octree_grid_make(&state->grid, low, high);
    return status == GWS_OK && all.non_finite > 0 && !state->drop ? gws__octree_no_key(state) : status;
}
