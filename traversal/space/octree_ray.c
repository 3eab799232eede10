/* SPDX-License-Identifier: MIT */
/* Finds first hits of rays on points, each a ball of the same radius. The search enlarges octants by the radius, and
 * visits them in the order in which the ray enters them. The search prunes octants that the ray misses or enters
 * behind the best hit.
 *
 * Let t0 be where the ray is nearest to the centre of a ball, and v the vector from the centre to that point. If v * v
 * <= radius squared, the ray enters at t0 - sqrt((radius squared - v * v) / direction squared). The search also
 * enlarges octants by more than the rounding error of a ball, and extends the best hit by the possible error of a
 * grazing hit. So the search misses no hit. */
#include <float.h>
#include <math.h>

#include "octree_query_state.h"

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF /* gcc in ISO mode never fuses a product and a sum */
#endif

/* The search along one ray, with the first hit so far. */
struct ray_search {
    struct gws__octree_query_context *context;
    struct gws__octree_ray is;
    double best;
    uint64_t point;
};

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Returns the parameter at which the ray enters the ball around a centre, or infinity when the ray misses the ball. */
static double enter(const struct ray_search *ray, const double centre[3])
{
    double from[3], nearest[3], reach = ray->is.radius * ray->is.radius;
    for (int a = 0; a < 3; a++) from[a] = ray->is.origin[a] - centre[a];
    if (dot(from, from) <= reach) return 0;
    double t = ray->is.squared > 0 ? -dot(from, ray->is.direction) / ray->is.squared : -1;
    if (t < 0) return INFINITY;
    for (int a = 0; a < 3; a++) nearest[a] = from[a] + t * ray->is.direction[a];
    double remaining = reach - dot(nearest, nearest);
    if (remaining < 0) return INFINITY;
    t -= sqrt(remaining / ray->is.squared);
    return t > 0 ? t : 0;
}

static void scan_octant(struct ray_search *ray, const struct gws_octree_node *node)
{
    const struct gws_octree *tree = ray->context->batch->tree;
    double unit = ray->context->batch->unit;
    for (uint64_t i = node->begin; i < node->end; i++) {
        double centre[3] = {gws__octree_at(tree, tree->x, i) * unit, gws__octree_at(tree, tree->y, i) * unit,
                            gws__octree_at(tree, tree->z, i) * unit};
        double t = enter(ray, centre);
        if (t > ray->best || isinf(t)) continue;
        uint64_t point = gws_octree_point(tree, i);
        if (t < ray->best || point < ray->point) ray->point = point;
        ray->best = t;
    }
}

/* Returns the parameter at which the ray enters an enlarged octant, or infinity when the ray misses the octant. */
static double enter_octant(const struct ray_search *ray, const struct gws__octree_visit *here)
{
    const struct gws__octree_batch *batch = ray->context->batch;
    double cells = 1 / (double)(UINT32_C(1) << here->level), first = 0, last = INFINITY;
    for (int a = 0; a < 3; a++) {
        double cell = batch->width[a] * cells, low = batch->low[a] + here->corner[a] * cell - ray->is.margin;
        double from = low - ray->is.origin[a], to = from + cell + 2 * ray->is.margin;
        if (ray->is.inverse[a] == 0) {
            if (from > 0 || to < 0) return INFINITY;
            continue;
        }
        double one = (ray->is.inverse[a] > 0 ? from : to) * ray->is.inverse[a];
        double other = (ray->is.inverse[a] > 0 ? to : from) * ray->is.inverse[a];
        first = one > first ? one : first;
        last = other < last ? other : last;
    }
    return first <= last + ray->is.tolerance ? first : INFINITY;
}

static void visit(struct ray_search *ray, struct gws__octree_visit here)
{
    const struct gws_octree_node *node = &ray->context->batch->tree->node[here.node];
    double first = enter_octant(ray, &here);
    if (isinf(first) || first > ray->best + ray->is.tolerance) return;
    if (node->child_mask == 0 || node->end - node->begin <= gws__octree_scan / 4) {
        scan_octant(ray, node);
        return;
    }
    for (unsigned i = 0; i < 8; i++) {
        unsigned c = i ^ ray->is.flip;
        if (node->child_mask >> c & 1) visit(ray, gws__octree_child(&here, c, gws__octree_child_at(node, c)));
    }
}

/* Computes the margins from the largest magnitude in the computation. */
static void find_margins(const struct gws__octree_batch *batch, struct gws__octree_ray *ray)
{
    double largest = ray->radius;
    for (int a = 0; a < 3; a++)
        largest += fabs(ray->origin[a]) + fabs(batch->low[a]) + fabs(batch->low[a] + batch->width[a]);
    double rounding = 64 * DBL_EPSILON * largest;
    ray->margin = ray->radius + rounding;
    ray->tolerance = ray->squared > 0 ? (rounding + sqrt(rounding * ray->radius)) / sqrt(ray->squared) : 0;
}

void gws__octree_ray_make(const struct gws__octree_batch *batch, const struct gws_octree_ray *given,
                          struct gws__octree_ray *ray)
{
    double longest = 0;
    *ray = (struct gws__octree_ray){.radius = given->radius * batch->unit};
    for (int a = 0; a < 3; a++) longest = fmax(longest, fabs(given->direction[a]));
    (void)frexp(longest, &ray->exponent);
    for (int a = 0; a < 3; a++) {
        ray->origin[a] = given->origin[a] * batch->unit;
        ray->direction[a] = ldexp(given->direction[a], -ray->exponent);
        if (ray->direction[a] < 0) ray->flip |= 4U >> a;
        ray->inverse[a] = fabs(ray->direction[a]) > 1e-300 ? 1 / ray->direction[a] : 0;
    }
    ray->squared = dot(ray->direction, ray->direction);
    find_margins(batch, ray);
}

double gws__octree_ray_length(const struct gws__octree_batch *batch, const struct gws__octree_ray *ray, double best)
{
    return ldexp(best, -ray->exponent) / batch->unit;
}

static void run(struct gws__octree_query_context *context, uint64_t query)
{
    const struct gws__octree_batch *batch = context->batch;
    struct ray_search ray = {.context = context, .best = INFINITY};
    gws__octree_ray_make(batch, (const struct gws_octree_ray *)batch->query + query, &ray.is);
    visit(&ray, (struct gws__octree_visit){.node = 0});
    if (!isinf(ray.best)) gws__octree_hit(context, ray.point, gws__octree_ray_length(batch, &ray.is, ray.best));
}

const struct gws__octree_kind gws__octree_rays = {
    .name = "ray",
    .flaw = "is invalid: its numbers must be finite and its radius must not be negative",
    .numbers = 7,
    .finite = 7,
    .radius = true,
    .distances = true,
    .run = run,
};

gws_status gws_octree_first_on_rays(struct gws_runtime *runtime, const struct gws_octree *tree,
                                    const struct gws_octree_ray *ray, uint64_t count, struct gws_octree_hits *hits,
                                    struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, gws__octree_answer(runtime, tree, &gws__octree_rays, ray, count, 0, hits, where));
}
