/* SPDX-License-Identifier: MIT */
/* Squared distances of a stretch of points, and which lie in a box, by the widest vectors that the processor has. A
 * product by a power of two is exact, so even a fused one rounds as the header says; the sums are not fused. */
#include "octree_ask.h"

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF /* gcc in ISO mode never joins a product and a sum */
#endif

#define NAME floats_plain
#define INSIDE floats_in_plain
#define NUMBER float
#define TARGET
#include "octree_squared.h"
#define NAME doubles_plain
#define INSIDE doubles_in_plain
#define NUMBER double
#define TARGET
#include "octree_squared.h"

#if defined __x86_64__
#define NAME floats_avx2
#define INSIDE floats_in_avx2
#define NUMBER float
#define TARGET __attribute__((target("avx2")))
#include "octree_squared.h"
#define NAME doubles_avx2
#define INSIDE doubles_in_avx2
#define NUMBER double
#define TARGET __attribute__((target("avx2")))
#include "octree_squared.h"
#define HAS_VECTORS __builtin_cpu_supports("avx2")
#else
#define floats_avx2 floats_plain
#define doubles_avx2 doubles_plain
#define floats_in_avx2 floats_in_plain
#define doubles_in_avx2 doubles_in_plain
#define HAS_VECTORS 0
#endif

void gws__octree_squared(struct gws__octree_asker *asker, const double place[3], uint64_t begin, uint64_t end)
{
    const struct gws_octree *tree = asker->batch->tree;
    double unit = asker->batch->unit;
    bool vectors = HAS_VECTORS;
    if (tree->is_double) {
        const double *x = tree->x, *y = tree->y, *z = tree->z;
        (vectors ? doubles_avx2 : doubles_plain)(x + begin, y + begin, z + begin, end - begin, place, unit,
                                                 asker->squared);
    } else {
        const float *x = tree->x, *y = tree->y, *z = tree->z;
        (vectors ? floats_avx2 : floats_plain)(x + begin, y + begin, z + begin, end - begin, place, unit,
                                               asker->squared);
    }
}

void gws__octree_inside(const struct gws_octree *tree, const struct gws_octree_box *box, uint64_t begin, uint64_t end,
                        uint64_t *in)
{
    bool vectors = HAS_VECTORS;
    if (tree->is_double) {
        const double *x = tree->x, *y = tree->y, *z = tree->z;
        (vectors ? doubles_in_avx2 : doubles_in_plain)(x + begin, y + begin, z + begin, end - begin, box->low,
                                                       box->high, in);
    } else {
        const float *x = tree->x, *y = tree->y, *z = tree->z;
        (vectors ? floats_in_avx2 : floats_in_plain)(x + begin, y + begin, z + begin, end - begin, box->low, box->high,
                                                     in);
    }
}
