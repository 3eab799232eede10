/* SPDX-License-Identifier: MIT */
/* First hits on rays, points being balls of one radius. Octants grown by the radius are visited in the order in which
 * the ray's direction meets them, and left out when the ray misses them or meets them behind the best hit.
 *
 * Of a ball: t0 is where the ray comes nearest to its centre, v the vector from there; when v * v <= radius squared,
 * the ray enters at t0 - sqrt((radius squared - v * v) / direction squared). Octants are grown by more than roundings
 * can move a ball, and a best hit is later by what they can take from a grazing one, so that none is missed. */
#include <float.h>
#include <math.h>

#include "octree_ask.h"

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF /* gcc in ISO mode never joins a product and a sum */
#endif

/* A ray under way, and its first hit so far. */
struct ray {
    struct gws__octree_asker *asker;
    struct gws__octree_ray is;
    double best;
    uint64_t point;
};

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Where the ray enters the ball round a centre; infinity when it does not. */
static double enter(const struct ray *ray, const double centre[3])
{
    double from[3], nearest[3], reach = ray->is.radius * ray->is.radius;
    for (int a = 0; a < 3; a++) from[a] = ray->is.origin[a] - centre[a];
    if (dot(from, from) <= reach) return 0;
    double t = ray->is.squared > 0 ? -dot(from, ray->is.direction) / ray->is.squared : -1;
    if (t < 0) return INFINITY;
    for (int a = 0; a < 3; a++) nearest[a] = from[a] + t * ray->is.direction[a];
    double left = reach - dot(nearest, nearest);
    if (left < 0) return INFINITY;
    t -= sqrt(left / ray->is.squared);
    return t > 0 ? t : 0;
}

static void look_through(struct ray *ray, const struct gws_octree_node *node)
{
    const struct gws_octree *tree = ray->asker->batch->tree;
    double unit = ray->asker->batch->unit;
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

/* Where the ray enters an octant as grown; infinity when it misses it. */
static double meet(const struct ray *ray, const struct gws__octree_visit *here)
{
    const struct gws__octree_batch *batch = ray->asker->batch;
    double cells = 1 / (double)(UINT32_C(1) << here->level), first = 0, last = INFINITY;
    for (int a = 0; a < 3; a++) {
        double cell = batch->width[a] * cells, low = batch->low[a] + here->corner[a] * cell - ray->is.grown;
        double from = low - ray->is.origin[a], to = from + cell + 2 * ray->is.grown;
        if (ray->is.inverse[a] == 0) {
            if (from > 0 || to < 0) return INFINITY;
            continue;
        }
        double one = (ray->is.inverse[a] > 0 ? from : to) * ray->is.inverse[a];
        double other = (ray->is.inverse[a] > 0 ? to : from) * ray->is.inverse[a];
        first = one > first ? one : first;
        last = other < last ? other : last;
    }
    return first <= last + ray->is.late ? first : INFINITY;
}

static void visit(struct ray *ray, struct gws__octree_visit here)
{
    const struct gws_octree_node *node = &ray->asker->batch->tree->node[here.node];
    double first = meet(ray, &here);
    if (isinf(first) || first > ray->best + ray->is.late) return;
    if (node->child_mask == 0 || node->end - node->begin <= gws__octree_scan / 4) {
        look_through(ray, node);
        return;
    }
    for (unsigned i = 0; i < 8; i++) {
        unsigned c = i ^ ray->is.flip;
        if (node->child_mask >> c & 1) visit(ray, gws__octree_child(&here, c, gws__octree_child_at(node, c)));
    }
}

/* Margins from the largest number that takes part. */
static void find_margins(const struct gws__octree_batch *batch, struct gws__octree_ray *ray)
{
    double most = ray->radius;
    for (int a = 0; a < 3; a++)
        most += fabs(ray->origin[a]) + fabs(batch->low[a]) + fabs(batch->low[a] + batch->width[a]);
    double rounding = 64 * DBL_EPSILON * most;
    ray->grown = ray->radius + rounding;
    ray->late = ray->squared > 0 ? (rounding + sqrt(rounding * ray->radius)) / sqrt(ray->squared) : 0;
}

void gws__octree_ray_make(const struct gws__octree_batch *batch, const struct gws_octree_ray *asked,
                          struct gws__octree_ray *ray)
{
    double longest = 0;
    *ray = (struct gws__octree_ray){.radius = asked->radius * batch->unit};
    for (int a = 0; a < 3; a++) longest = fmax(longest, fabs(asked->direction[a]));
    (void)frexp(longest, &ray->exponent);
    for (int a = 0; a < 3; a++) {
        ray->origin[a] = asked->origin[a] * batch->unit;
        ray->direction[a] = ldexp(asked->direction[a], -ray->exponent);
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

static void ask(struct gws__octree_asker *asker, uint64_t question)
{
    const struct gws__octree_batch *batch = asker->batch;
    struct ray ray = {.asker = asker, .best = INFINITY};
    gws__octree_ray_make(batch, (const struct gws_octree_ray *)batch->question + question, &ray.is);
    visit(&ray, (struct gws__octree_visit){.node = 0});
    if (!isinf(ray.best)) gws__octree_hit(asker, ray.point, gws__octree_ray_length(batch, &ray.is, ray.best));
}

const struct gws__octree_kind gws__octree_rays = {
    .name = "ray",
    .flaw = "is none: its numbers must be finite, its radius not negative",
    .numbers = 7,
    .finite = 7,
    .radius = true,
    .distances = true,
    .ask = ask,
};

gws_status gws_octree_first_on_rays(struct gws_runtime *runtime, const struct gws_octree *tree,
                                    const struct gws_octree_ray *ray, uint64_t count, struct gws_octree_hits *hits,
                                    struct gws_where *where)
{
    return gws__octree_answer(runtime, tree, &gws__octree_rays, ray, count, 0, hits, where);
}
