/* SPDX-License-Identifier: MIT */
/* Squared distances of a stretch of points, and which lie in a box, by the widest vectors that the processor has. A
 * product by a power of two is exact, so even a fused one rounds as the header says; the sums are not fused. */
#include "octree_ask.h"
#include "octree_vectors.h"

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF /* gcc in ISO mode never joins a product and a sum */
#endif

GWS__VECTOR_LOOP squares_loop(bool is_double, const struct gws_octree *tree, uint64_t begin, uint64_t count,
                              const double place[3], double unit, double *restrict squared)
{
    const void *const x = tree->x, *const y = tree->y, *const z = tree->z;
    const double at[3] = {place[0], place[1], place[2]};
    for (uint64_t i = 0; i < count; i++) {
        double dx = gws__number_at(is_double, x, begin + i) * unit - at[0];
        double dy = gws__number_at(is_double, y, begin + i) * unit - at[1];
        double dz = gws__number_at(is_double, z, begin + i) * unit - at[2];
        squared[i] = dx * dx + dy * dy + dz * dz;
    }
}
GWS__VECTORS(squares, false,
             (bool is_double, const struct gws_octree *tree, uint64_t begin, uint64_t count, const double place[3],
              double unit, double *squared),
             tree, begin, count, place, unit, squared)

void gws__octree_squared(struct gws__octree_asker *asker, const double place[3], uint64_t begin, uint64_t end)
{
    const struct gws_octree *tree = asker->batch->tree;
    squares(tree->is_double, tree, begin, end - begin, place, asker->batch->unit, asker->squared);
}

GWS__VECTOR_LOOP inside_loop(bool is_double, const struct gws_octree *tree, const struct gws_octree_box *box,
                             uint64_t begin, uint64_t count, uint64_t *restrict in)
{
    const void *const axes[3] = {tree->x, tree->y, tree->z};
    const struct gws_octree_box b = *box;
    for (uint64_t i = 0; i < count; i++) {
        in[i] = 1;
        for (int axis = 0; axis < 3; axis++) {
            double at = gws__number_at(is_double, axes[axis], begin + i);
            in[i] &= (uint64_t)(at >= b.low[axis]) & (uint64_t)(at <= b.high[axis]);
        }
    }
}
GWS__VECTORS(inside, false,
             (bool is_double, const struct gws_octree *tree, const struct gws_octree_box *box, uint64_t begin,
              uint64_t count, uint64_t *in),
             tree, box, begin, count, in)

void gws__octree_inside(const struct gws_octree *tree, const struct gws_octree_box *box, uint64_t begin, uint64_t end,
                        uint64_t *in)
{
    inside(tree->is_double, tree, box, begin, end - begin, in);
}
