/* SPDX-License-Identifier: MIT */
/* Traversal of an octree by one thread, from the root down, and the positions of points and octants for a query. */
#ifndef GWS_KERNELS_CUDA_OCTREE_WALK_CUH
#define GWS_KERNELS_CUDA_OCTREE_WALK_CUH

#include "octree_nodes.cuh"

static constexpr u32 scan = 64; /* a query scans octants of at most this many points */
static constexpr u32 in_order = 0x76543210u, nearest_first = 0x76534210u; /* children, by nibbles */

using query_tree = octree_query_tree;

struct view {
    const query_tree *t;
    const tree_node *nodes;
    const void *order, *axis[3];
};

inside u64 number_at(const view &v, u64 place)
{
    return v.t->wide ? ((const u64 *)v.order)[place] : ((const u32 *)v.order)[place];
}

inside double coordinate(const view &v, int a, u64 place)
{
    return v.t->is_double ? ((const double *)v.axis[a])[place] : (double)((const float *)v.axis[a])[place];
}

inside void scaled_point(const view &v, u64 place, double at[3])
{
    for (int a = 0; a < 3; a++) at[a] = __dmul_rn(coordinate(v, a, place), v.t->unit);
}

inside double dot(const double a[3], const double b[3])
{
    return __dadd_rn(__dadd_rn(__dmul_rn(a[0], b[0]), __dmul_rn(a[1], b[1])), __dmul_rn(a[2], b[2]));
}

inside double squared_distance(const view &v, u64 place, const double from[3])
{
    double at[3];
    scaled_point(v, place, at);
    for (int a = 0; a < 3; a++) at[a] = __dsub_rn(at[a], from[a]);
    return dot(at, at);
}

inside double distance_of(const view &v, double squared)
{
    return __ddiv_rn(__dsqrt_rn(squared), v.t->unit);
}

/* An octant's corner in cells of its level. */
struct octant_position {
    u32 corner[3];
    int level;
};

/* Returns a lower bound of the squared distance between a position and any point of an octant. */
inside double min_squared(const view &v, const octant_position &here, const double place[3])
{
    double sum = 0, cells_of_level = 1.0 / (double)(1u << here.level);
    for (int a = 0; a < 3; a++) {
        double cell = v.t->width[a] * cells_of_level, low = v.t->low[a] + here.corner[a] * cell;
        double below = low - place[a], above = place[a] - (low + cell);
        double apart = (below > above ? below : above) - v.t->slack[a];
        sum += apart > 0 ? apart * apart : 0;
    }
    return sum * (1 - 0x1p-48);
}

inside bool is_small(const tree_node &n)
{
    return (n.mask & 255) == 0 || n.end - n.begin <= scan;
}

/* Visits octants from the root down. visitor.visit() returns whether to descend into an octant's children, and sets
 * their order by flip. */
template <typename kind> inside void walk(const view &v, kind &visitor, u32 sequence)
{
    u64 at[key_levels + 1] = {0};
    unsigned char step[key_levels + 1], first[key_levels + 1];
    bool into[key_levels + 1];
    octant_position here = {{0, 0, 0}, 0};
    u32 flip = 0;
    into[0] = visitor.visit(v, v.nodes[0], here, &flip);
    first[0] = (unsigned char)flip;
    step[0] = 0;
    while (here.level >= 0) {
        int l = here.level;
        if (!into[l] || step[l] == 8) {
            for (int a = 0; a < 3; a++) here.corner[a] >>= 1;
            here.level--;
            continue;
        }
        u32 c = (sequence >> 4 * step[l]++ & 15) ^ first[l], mask = v.nodes[at[l]].mask & 255;
        if (!(mask >> c & 1)) continue;
        at[l + 1] = v.nodes[at[l]].first_child + (u32)__popc(mask & ((1u << c) - 1));
        for (int a = 0; a < 3; a++) here.corner[a] = here.corner[a] << 1 | (c >> (2 - a) & 1);
        here.level++;
        into[l + 1] = visitor.visit(v, v.nodes[at[l + 1]], here, &flip);
        first[l + 1] = (unsigned char)flip;
        step[l + 1] = 0;
    }
}

#endif
