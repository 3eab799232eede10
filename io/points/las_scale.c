/* SPDX-License-Identifier: MIT */
/* Chooses the scale and the shift of LAS's coordinates, which are numbers of 32 bits. */
#include "las.h"

#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

enum { max_decimals = 12, min_decimals = -300, grain = 1 << 14 };

/* The bounds of one worker's rows. */
struct bounds {
    double low[3], high[3];
};

struct scale_search {
    const struct gws_points *points;
    struct gws__las_scale *scale;
    struct bounds *bounds; /* an entry for each worker */
    int axis;
    _Atomic uint64_t bad; /* the first row that is not finite. relaxed: read after the loops */
    _Atomic bool inexact; /* a coordinate is no multiple of the scale. relaxed: likewise */
};

static double coordinate(const struct gws_points *points, int axis, uint64_t i)
{
    return gws_points_at(points, (const void *[]){points->x, points->y, points->z}[axis], i);
}

static void find_bounds(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct scale_search *search = context;
    struct bounds *bounds = &search->bounds[worker];
    for (int axis = 0; axis < 3; axis++) {
        for (uint64_t i = begin; i < end; i++) {
            double value = coordinate(search->points, axis, i);
            uint64_t bad = atomic_load_explicit(&search->bad, memory_order_relaxed);
            while (!isfinite(value) && i < bad &&
                   !atomic_compare_exchange_weak_explicit(&search->bad, &bad, i, memory_order_relaxed,
                                                          memory_order_relaxed)) {
            }
            if (value < bounds->low[axis]) bounds->low[axis] = value;
            if (value > bounds->high[axis]) bounds->high[axis] = value;
        }
    }
}

/* Sets the bounds of all points; 0 if there are none. */
static gws_status set_bounds(const struct gws__points_writing *writing, struct scale_search *search)
{
    uint32_t workers = gws_runtime_workers(writing->runtime);
    struct gws__las_scale *scale = search->scale;
    search->bounds = gws_allocate(writing->runtime, workers, sizeof *search->bounds);
    if (!search->bounds) return GWS_NO_MEMORY;
    for (uint32_t w = 0; w < workers; w++)
        for (int axis = 0; axis < 3; axis++)
            search->bounds[w].low[axis] = INFINITY, search->bounds[w].high[axis] = -INFINITY;
    gws_status status = gws_parallel_try_for(writing->runtime, search->points->count, grain, find_bounds, search);
    for (int axis = 0; axis < 3 && search->points->count > 0; axis++) {
        scale->low[axis] = INFINITY, scale->high[axis] = -INFINITY;
        for (uint32_t w = 0; w < workers; w++) {
            scale->low[axis] = fmin(scale->low[axis], search->bounds[w].low[axis]);
            scale->high[axis] = fmax(scale->high[axis], search->bounds[w].high[axis]);
        }
    }
    gws_release(writing->runtime, search->bounds, workers, sizeof *search->bounds);
    uint64_t bad = atomic_load_explicit(&search->bad, memory_order_relaxed);
    if (status != GWS_OK || bad == UINT64_MAX) return status;
    return gws_diagnostic_set(writing->where, GWS_UNSUPPORTED, writing->path, 0, 0,
                              "LAS has no coordinates that are not finite, such as those of point %" PRIu64, bad);
}

/* Sets `inexact` unless the reader gets all coordinates of the axis back, doubles to rounding. */
static void find_inexact(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct scale_search *search = context;
    bool is_double = search->points->is_double;
    int axis = search->axis;
    (void)worker;
    if (atomic_load_explicit(&search->inexact, memory_order_relaxed)) return;
    for (uint64_t i = begin; i < end; i++) {
        double value = coordinate(search->points, axis, i);
        double again = gws__las_unscaled(search->scale, axis, gws__las_whole(search->scale, axis, value));
        if (is_double ? fabs(again - value) <= 4e-16 * fabs(value) : (float)again == (float)value) continue;
        atomic_store_explicit(&search->inexact, true, memory_order_relaxed);
        return;
    }
}

/* Sets the axis's scale to 10^-decimals. Returns false if the coordinates then do not fit in 32 bits. The shift is a
 * multiple of the scale, and 0 if possible. */
static bool set_scale(struct gws__las_scale *scale, int axis, int decimals)
{
    double unit = pow(10, -decimals), low = scale->low[axis], high = scale->high[axis], limit = INT32_MAX - 1;
    bool shifts = fmax(fabs(low), fabs(high)) / unit >= limit;
    double shift = shifts ? rint((low / 2 + high / 2) / unit) * unit : 0;
    if (!(fmax(high - shift, shift - low) / unit < limit)) return false;
    scale->scale[axis] = unit, scale->shift[axis] = shift;
    return true;
}

static gws_status choose_scale(struct gws_runtime *runtime, struct scale_search *search)
{
    int decimals = 0;
    while (decimals > min_decimals && !set_scale(search->scale, search->axis, decimals)) decimals--;
    for (; decimals <= max_decimals && set_scale(search->scale, search->axis, decimals); decimals++) {
        atomic_store_explicit(&search->inexact, false, memory_order_relaxed);
        gws_status status = gws_parallel_try_for(runtime, search->points->count, grain, find_inexact, search);
        if (status != GWS_OK || !atomic_load_explicit(&search->inexact, memory_order_relaxed)) return status;
    }
    set_scale(search->scale, search->axis, decimals - 1);
    return GWS_OK;
}

gws_status gws__las_scale_choose(const struct gws__points_writing *writing, struct gws__las_scale *scale)
{
    struct scale_search search = {.points = writing->points, .scale = scale, .bad = UINT64_MAX};
    gws_status status = set_bounds(writing, &search);
    for (; search.axis < 3 && status == GWS_OK; search.axis++) status = choose_scale(writing->runtime, &search);
    return status;
}
