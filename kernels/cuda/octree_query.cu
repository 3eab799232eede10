/* SPDX-License-Identifier: MIT */
/* Octree queries. One thread answers a query. The answers equal the CPU's answers (traversal/octree_query.h) to the
 * last bit. Every operation that decides a result is the same, with a rounding after each operation. Bounds that only
 * save work may differ. Box and ball queries run twice: the first pass counts the points, and the second pass lists
 * them in leaf order. */
#include "octree_walk.cuh"

/* ---- boxes ---- */

struct query_box {
    double low[3], high[3];
};

/* Counts the points that a query finds, and lists these points if `point` is not NULL. */
struct hit_list {
    u64 count;
    u64 *point;
    double *distance;

    __device__ void add(u64 number)
    {
        if (point) point[count] = number;
        count++;
    }
};

/* An octant strictly between the cells of the box's sides lies exactly inside the box. */
struct box_visitor {
    const query_box *query;
    long long first[3], last[3];
    hit_list hits;

    __device__ bool contains(const view &v, u64 place) const
    {
        bool in = true;
        for (int a = 0; a < 3; a++) {
            double x = coordinate(v, a, place);
            in = in && x >= query->low[a] && x <= query->high[a];
        }
        return in;
    }

    __device__ bool visit(const view &v, const tree_node &n, const octant_position &here, u32 *)
    {
        u32 shift = key_levels - (u32)here.level;
        bool inner = true;
        for (int a = 0; a < 3; a++) {
            long long low = (long long)here.corner[a] << shift, high = low + (1ll << shift) - 1;
            if (low > last[a] || high < first[a]) return false;
            if (low <= first[a] || high >= last[a]) inner = false;
        }
        if (!inner && !is_small(n)) return true;
        if (inner && !hits.point) {
            hits.count += n.end - n.begin;
            return false;
        }
        for (u64 i = n.begin; i < n.end; i++)
            if (inner || contains(v, i)) hits.add(number_at(v, i));
        return false;
    }
};

#define TREE query_tree tree, const tree_node *nodes, const void *order, const void *x, const void *y, const void *z
#define VIEW                                                                                                           \
    view v = {&tree, nodes, order, {x, y, z}};                                                                         \
    u64 q = (u64)blockIdx.x * blockDim.x + threadIdx.x;                                                                \
    if (q >= count) return

extern "C" __global__ void __launch_bounds__(128)
    octree_query_boxes(TREE, const query_box *query, u64 count, u64 *offset, u64 *point, u32 list)
{
    VIEW;
    box_visitor visitor = {&query[q], {0, 0, 0}, {0, 0, 0}, {0, list ? point + offset[q] : nullptr, nullptr}};
    bool misses = false;
    for (int a = 0; a < 3; a++) {
        double low = query[q].low[a], high = query[q].high[a];
        misses = misses || high < tree.grid.low[a] || low > tree.grid.high[a];
        visitor.first[a] = low <= tree.grid.low[a] ? -1 : (long long)cell_of(tree.grid, a, low);
        visitor.last[a] = high >= tree.grid.high[a] ? 1ll << key_levels : (long long)cell_of(tree.grid, a, high);
    }
    if (!misses) walk(v, visitor, in_order);
    if (!list) offset[q] = visitor.hits.count;
}

/* ---- balls ---- */

struct query_ball {
    double centre[3], radius;
};

struct ball_visitor {
    double centre[3], squared;
    hit_list hits;

    __device__ bool visit(const view &v, const tree_node &n, const octant_position &here, u32 *)
    {
        if (min_squared(v, here, centre) > squared) return false;
        if (!is_small(n)) return true;
        for (u64 i = n.begin; i < n.end; i++) {
            double apart = squared_distance(v, i, centre);
            if (!(apart <= squared)) continue;
            if (hits.point) hits.distance[hits.count] = distance_of(v, apart);
            hits.add(number_at(v, i));
        }
        return false;
    }
};

extern "C" __global__ void __launch_bounds__(128)
    octree_query_balls(TREE, const query_ball *query, u64 count, u64 *offset, u64 *point, double *distance, u32 list)
{
    VIEW;
    double radius = __dmul_rn(query[q].radius, tree.unit);
    ball_visitor visitor = {{0, 0, 0}, __dmul_rn(radius, radius), {0, nullptr, nullptr}};
    if (list) visitor.hits = {0, point + offset[q], distance + offset[q]};
    for (int a = 0; a < 3; a++) visitor.centre[a] = __dmul_rn(query[q].centre[a], tree.unit);
    walk(v, visitor, in_order);
    if (!list) offset[q] = visitor.hits.count;
}

/* ---- nearest points ---- */

/* The best points so far, as a heap with the worst point on top, in the memory of the answer. distance holds squares
 * until the end. */
struct nearest_visitor {
    double place[3], worst;
    u64 *point;
    double *squared;
    u64 count, k;

    static __device__ bool before(double a, u64 n, double b, u64 m)
    {
        return a < b || (a == b && n < m);
    }

    __device__ void sift_down(u64 at, u64 size, double apart, u64 number)
    {
        for (u64 child = 2 * at + 1; child < size; child = 2 * at + 1) {
            if (child + 1 < size && before(squared[child], point[child], squared[child + 1], point[child + 1])) child++;
            if (!before(apart, number, squared[child], point[child])) break;
            squared[at] = squared[child];
            point[at] = point[child];
            at = child;
        }
        squared[at] = apart;
        point[at] = number;
    }

    __device__ void sift_up(double apart, u64 number)
    {
        u64 at = count++;
        while (at > 0 && before(squared[(at - 1) / 2], point[(at - 1) / 2], apart, number)) {
            squared[at] = squared[(at - 1) / 2];
            point[at] = point[(at - 1) / 2];
            at = (at - 1) / 2;
        }
        squared[at] = apart;
        point[at] = number;
    }

    __device__ void insert(double apart, u64 number)
    {
        if (count < k)
            sift_up(apart, number);
        else if (before(apart, number, squared[0], point[0]))
            sift_down(0, count, apart, number);
        if (count == k) worst = squared[0];
    }

    __device__ bool visit(const view &v, const tree_node &n, const octant_position &here, u32 *flip)
    {
        if (min_squared(v, here, place) > worst) return false;
        *flip = 0;
        for (int a = 0; a < 3; a++) {
            double half = v.t->width[a] * (0.5 / (double)(1u << here.level));
            if (place[a] >= v.t->low[a] + (here.corner[a] * 2.0 + 1) * half) *flip |= 4u >> a;
        }
        if (!is_small(n)) return true;
        for (u64 i = n.begin; i < n.end; i++) {
            double apart = squared_distance(v, i, place);
            if (apart <= worst) insert(apart, number_at(v, i));
        }
        return false;
    }
};

extern "C" __global__ void __launch_bounds__(128)
    octree_query_nearest(TREE, const double *query, u64 count, u64 k, u64 *point, double *distance)
{
    VIEW;
    nearest_visitor visitor = {{0, 0, 0}, INFINITY, point + q * k, distance + q * k, 0, k};
    for (int a = 0; a < 3; a++) visitor.place[a] = __dmul_rn(query[3 * q + a], tree.unit);
    walk(v, visitor, nearest_first);
    for (u64 rest = visitor.count; rest-- > 1;) { /* sorts the heap */
        double apart = visitor.squared[rest];
        u64 number = visitor.point[rest];
        visitor.squared[rest] = visitor.squared[0];
        visitor.point[rest] = visitor.point[0];
        visitor.sift_down(0, rest, apart, number);
    }
    for (u64 i = 0; i < visitor.count; i++) visitor.squared[i] = distance_of(v, visitor.squared[i]);
}

/* ---- rays ---- */

/* The layout of struct gws__octree_ray. */
struct query_ray {
    double origin[3], direction[3], radius, squared, inverse[3], margin, tolerance;
    u32 flip;
    int exponent;
};

struct ray_visitor {
    query_ray r;
    double best;
    u64 point;

    /* Returns the distance at which the ray enters the ball around a point. */
    __device__ double enter(const view &v, u64 place) const
    {
        double from[3], nearest[3], centre[3], reach = __dmul_rn(r.radius, r.radius);
        scaled_point(v, place, centre);
        for (int a = 0; a < 3; a++) from[a] = __dsub_rn(r.origin[a], centre[a]);
        if (dot(from, from) <= reach) return 0;
        double t = r.squared > 0 ? __ddiv_rn(-dot(from, r.direction), r.squared) : -1;
        if (t < 0) return INFINITY;
        for (int a = 0; a < 3; a++) nearest[a] = __dadd_rn(from[a], __dmul_rn(t, r.direction[a]));
        double left = __dsub_rn(reach, dot(nearest, nearest));
        if (left < 0) return INFINITY;
        t = __dsub_rn(t, __dsqrt_rn(__ddiv_rn(left, r.squared)));
        return t > 0 ? t : 0;
    }

    /* Returns the distance at which the ray enters an octant enlarged by the margin. */
    __device__ double enter_octant(const view &v, const octant_position &here) const
    {
        double first = 0, last = INFINITY, cells_of_level = 1.0 / (double)(1u << here.level);
        for (int a = 0; a < 3; a++) {
            double cell = v.t->width[a] * cells_of_level, low = v.t->low[a] + here.corner[a] * cell - r.margin;
            double from = low - r.origin[a], to = from + cell + 2 * r.margin;
            if (r.inverse[a] == 0) {
                if (from > 0 || to < 0) return INFINITY;
                continue;
            }
            double one = (r.inverse[a] > 0 ? from : to) * r.inverse[a];
            double other = (r.inverse[a] > 0 ? to : from) * r.inverse[a];
            first = one > first ? one : first;
            last = other < last ? other : last;
        }
        return first <= last + r.tolerance ? first : INFINITY;
    }

    __device__ bool visit(const view &v, const tree_node &n, const octant_position &here, u32 *flip)
    {
        double first = enter_octant(v, here);
        *flip = r.flip;
        if (first == INFINITY || first > best + r.tolerance) return false;
        if ((n.mask & 255) && n.end - n.begin > scan / 4) return true;
        for (u64 i = n.begin; i < n.end; i++) {
            double t = enter(v, i);
            if (t > best || t == INFINITY) continue;
            u64 number = number_at(v, i);
            if (t < best || number < point) point = number;
            best = t;
        }
        return false;
    }
};

/* Answers ray queries. best: the distance of the first hit, or infinity if the ray hits no ball. */
extern "C" __global__ void __launch_bounds__(128)
    octree_query_rays(TREE, const query_ray *query, u64 count, u64 *point, double *best)
{
    VIEW;
    ray_visitor visitor = {query[q], INFINITY, none};
    walk(v, visitor, in_order);
    point[q] = visitor.point;
    best[q] = visitor.best;
}
