/* SPDX-License-Identifier: MIT */
/* The owner of a tree's arrays. The tree frees the arrays with a copy of its runtime's allocator, so the tree may
 * outlive the runtime. */
#ifndef GWS_SPACE_OCTREE_OWNER_H
#define GWS_SPACE_OCTREE_OWNER_H

#include "../../lib/parallel.h"
#include "../octree.h"

/* Cells of a box and Morton keys, as octree.h defines them. The functions round after every operation, so all
 * processors, and devices with doubles, compute the same bits. The cell never decreases when x increases, which
 * queries require. */

enum { gws__octree_key_bits = 3 * GWS_OCTREE_DEPTH, gws__octree_cells = 1 << GWS_OCTREE_DEPTH };

/* The key of a point that is not finite or lies outside the box. */
#define GWS__OCTREE_NO_KEY UINT64_MAX

struct gws__octree_grid {
    double low[3], high[3];
    double factor;   /* 1, or 1/4 where high - low overflows, or 2^120 where the largest high - low is below 2^-950 */
    double start[3]; /* low * factor */
    double scale[3];
};

/* Makes the grid of a box. Returns GWS_INVALID unless low <= high and all numbers are finite. */
gws_status gws__octree_grid_make(struct gws__octree_grid *grid, const double low[3], const double high[3]);

/* Returns the distance from low in cells. x may lie outside the box, and the result may then be infinite. */
static inline double gws__octree_scaled(const struct gws__octree_grid *grid, int axis, double x)
{
    double scaled = x * grid->factor;
    return (scaled - grid->start[axis]) * grid->scale[axis];
}

static inline uint32_t gws__octree_cell(const struct gws__octree_grid *grid, int axis, double x)
{
    double cells = gws__octree_scaled(grid, axis, x);
    if (!(cells > 0)) return 0;
    return cells < gws__octree_cells - 1 ? (uint32_t)cells : gws__octree_cells - 1;
}

/* Moves bit i of a 21-bit number to bit 3 i. */
static inline uint64_t gws__octree_spread(uint64_t bits)
{
    bits = (bits | bits << 32) & UINT64_C(0x001f00000000ffff);
    bits = (bits | bits << 16) & UINT64_C(0x001f0000ff0000ff);
    bits = (bits | bits << 8) & UINT64_C(0x100f00f00f00f00f);
    bits = (bits | bits << 4) & UINT64_C(0x10c30c30c30c30c3);
    return (bits | bits << 2) & UINT64_C(0x1249249249249249);
}

/* Inverts gws__octree_spread(). */
static inline uint32_t gws__octree_gather(uint64_t bits)
{
    bits &= UINT64_C(0x1249249249249249);
    bits = (bits | bits >> 2) & UINT64_C(0x10c30c30c30c30c3);
    bits = (bits | bits >> 4) & UINT64_C(0x100f00f00f00f00f);
    bits = (bits | bits >> 8) & UINT64_C(0x001f0000ff0000ff);
    bits = (bits | bits >> 16) & UINT64_C(0x001f00000000ffff);
    return (uint32_t)((bits | bits >> 32) & 0x1fffff);
}

/* Computes the keys of points begin .. begin + count - 1. */
void gws__octree_keys(const struct gws__octree_grid *grid, const struct gws_points *points, uint64_t begin,
                      uint64_t count, uint64_t *key);

struct gws__octree_owner {
    struct gws_allocator allocator;
    struct gws__octree_grid grid;
    struct gws_octree_node *node;
    uint64_t node_bytes; /* size of the memory at node, which may be larger than the nodes */
    uint64_t *leaf, *level_begin;
    uint32_t *index32;
    uint64_t *index64;
    void *axis[3]; /* points entries each; NULL if the caller owns the tree's x, y and z */
};

/* Creates a tree without arrays. Returns NULL when memory is short. */
struct gws_octree *gws__octree_new(struct gws_runtime *runtime);

/* Uses `reusable` for the nodes unless that memory is much too large. Otherwise frees the memory before it allocates
 * the nodes. Reuse avoids fresh pages, which the system takes about as long to clear as a worker takes to write their
 * nodes. */
void gws__octree_owner_reuse(struct gws_runtime *runtime, struct gws_octree *tree, void *reusable,
                             uint64_t reusable_bytes);

/* Allocates arrays for the tree's counts of nodes, leaves and levels, except for arrays that exist. Returns false when
 * memory is short. */
bool gws__octree_owner_allocate(struct gws_runtime *runtime, struct gws_octree *tree);

/* Frees memory of gws_allocate(), even after the runtime is closed. Accepts NULL. */
void gws__octree_release(const struct gws_allocator *allocator, void *memory, uint64_t count, uint64_t size);

/* Frees x, y and z. */
void gws__octree_owner_release_points(struct gws_octree *tree);

/* ---- loops over coordinates ---- */

/* Vectorised loops over coordinates. The source has a loop once, without branches, as NAME_loop(is_double, ...). The
 * macros compile this function for floats and doubles and for each instruction set. GWS__VECTORS(LINKAGE, NAME, LONG,
 * IS_DOUBLE, PARAMETERS, ...) defines the function NAME, which selects the version for the coordinate type and the
 * processor. NAME uses AVX-512 only if LONG is true, because AVX-512 slows down short loops. PARAMETERS is the
 * parenthesised parameter list, and the parameter names follow. */

#define GWS__VECTOR_LOOP static inline __attribute__((always_inline)) void

#define GWS__VECTORS_FOR(LINKAGE, NAME, LOOP, IS_DOUBLE, PARAMETERS, ...)                                              \
    LINKAGE void NAME PARAMETERS                                                                                       \
    {                                                                                                                  \
        if (IS_DOUBLE)                                                                                                 \
            LOOP(true, __VA_ARGS__);                                                                                   \
        else                                                                                                           \
            LOOP(false, __VA_ARGS__);                                                                                  \
    }

#if !defined __x86_64__
#define GWS__VECTORS(LINKAGE, NAME, LONG, IS_DOUBLE, PARAMETERS, ...)                                                  \
    GWS__VECTORS_FOR(LINKAGE, NAME, NAME##_loop, IS_DOUBLE, PARAMETERS, __VA_ARGS__)
#else
#ifdef __clang__
#define GWS__WIDEST "avx512f,avx512dq,avx512vl"
#else
#define GWS__WIDEST "avx512f,avx512dq,avx512vl,prefer-vector-width=512" /* gcc prefers 256 bits by default */
#endif
#define GWS__TARGET(KIND) __attribute__((target(KIND))) static
#define GWS__VECTORS(LINKAGE, NAME, LONG, IS_DOUBLE, PARAMETERS, ...)                                                  \
    GWS__VECTORS_FOR(static, NAME##_plain, NAME##_loop, IS_DOUBLE, PARAMETERS, __VA_ARGS__)                            \
    GWS__VECTORS_FOR(GWS__TARGET("avx2"), NAME##_avx2, NAME##_loop, IS_DOUBLE, PARAMETERS, __VA_ARGS__)                \
    GWS__VECTORS_FOR(GWS__TARGET(GWS__WIDEST), NAME##_avx512, NAME##_loop, IS_DOUBLE, PARAMETERS, __VA_ARGS__)         \
    LINKAGE void NAME PARAMETERS                                                                                       \
    {                                                                                                                  \
        if ((LONG) && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&                       \
            __builtin_cpu_supports("avx512vl"))                                                                        \
            NAME##_avx512(__VA_ARGS__);                                                                                \
        else                                                                                                           \
            (__builtin_cpu_supports("avx2") ? NAME##_avx2 : NAME##_plain)(__VA_ARGS__);                                \
    }
#endif

/* Returns entry i of an array of floats or doubles. */
static inline double gws__number_at(bool is_double, const void *number, uint64_t i)
{
    return is_double ? ((const double *)number)[i] : (double)((const float *)number)[i];
}

#endif
