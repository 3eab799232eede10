/* SPDX-License-Identifier: MIT */
/* MADNESS tree creation (Dinan, Larkins, Sadayappan, Krishnamoorthy, Nieplocha: "Scalable Work Stealing", SC 2009,
 * section 2.5.1; Harrison, Fann, Yanai, Gan, Beylkin: "Multiresolution quantum chemistry", J. Chem. Phys. 121, 2004):
 * functions in space become piecewise polynomials, on boxes that are divided until these are good enough. Each box is a
 * task; a box that is not good enough makes eight.
 *
 * The rules, which gws_madness_check() holds a tree against. The cell low .. high is mapped to the unit cube. At level
 * n there are 8^n boxes (n, l), l = 0 .. 2^n - 1 along each axis. The basis of a box, mapped to 0 .. 1, is products of
 * phi_i(x) = sqrt(2i+1) P_i(2x-1), i < k, one for each axis, P_i Legendre's polynomials. The coefficients of box (n, l)
 * are f at the k^3 points of the Gauss-Legendre rule times sqrt(V 8^-n), V the cell's volume, summed up with the
 * products' values and the weights: then the sum of their squares is the square of the L2 norm.
 *   A task is a box, from level 1 on. It computes the coefficients of its eight children, and of the polynomial over
 * the whole box that is nearest to them; the square root of the sum of squares of what is left is its difference. At or
 * above the tolerance the box is divided: eight tasks; else its eight children are leaves, and are kept. The tolerance
 * is the threshold (mode 0), times min(1, 2^-n L) (mode 1), or times min(1, 4^-n L^2) (mode 2), L the shortest edge of
 * the cell. A box that holds a special point, or touches the box of its level that does, is divided without a look at
 * its difference while its level is below the point's. Who computes a box, with how many threads and under which
 * policy, changes no bit of the tree. */
#ifndef GWS_MADNESS_H
#define GWS_MADNESS_H

#include "../lib/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    GWS_MADNESS_ORDER = 30, /* the largest order */
    GWS_MADNESS_LEVEL = 20  /* the deepest level of a box that is a task; its children are one deeper */
};

/* Where a function is asked for: order^3 points in each of the eight children of a box. Along an axis, x[2 i + h] is
 * the i-th point's coordinate in the lower (h = 0) or upper (h = 1) children. */
struct gws_madness_grid {
    uint32_t order;
    const double *x, *y, *z; /* 2 * order entries each */
};

/* Writes the function's values at the grid: that at x[2 i + cx], y[2 j + cy], z[2 l + cz] to
 * value[8 * ((i * order + j) * order + l) + 4 cx + 2 cy + cz]. All must be finite. Called by several threads at once.
 */
typedef void gws_madness_values(void *context, uint32_t function, const struct gws_madness_grid *grid, double *value);

/* Where a function is hard to see, such as a cusp: the grid may miss it. */
struct gws_madness_special {
    uint32_t function;
    uint32_t level; /* boxes around it above this level are divided; at most GWS_MADNESS_LEVEL */
    double at[3];   /* within the cell; on a border between two boxes it belongs to the upper one */
};

struct gws_madness_problem {
    uint32_t functions; /* at least 1: each has a tree of its own */
    gws_madness_values *values;
    void *context;          /* handed to values */
    double low[3], high[3]; /* the cell: finite, low < high, of a volume from 2^-959 on that is finite */
    uint32_t order;         /* k, 1 .. GWS_MADNESS_ORDER */
    uint32_t mode;          /* 0, 1 or 2 */
    double threshold;       /* above 0 */
    uint32_t max_level;     /* boxes of this level are not divided, whatever their difference; 1 .. GWS_MADNESS_LEVEL */
    const struct gws_madness_special *special; /* specials entries */
    uint32_t specials;
    const char *kernel; /* a name from gws_madness_kernel_at(); NULL: the fastest that this processor has */
};

/* Order 7, threshold 1e-5, mode 1, max_level GWS_MADNESS_LEVEL; all else 0. */
GWS_API void gws_madness_defaults(struct gws_madness_problem *problem);

/* Eight leaves: the children of one box. */
struct gws_madness_family {
    uint32_t function;
    uint32_t level;            /* the box's; the leaves' is one more */
    uint32_t at[3];            /* l of the box; child 4 cx + 2 cy + cz lies at (2 l_x + cx, 2 l_y + cy, 2 l_z + cz) */
    double square;             /* of the coefficients, summed */
    double difference;         /* as said above: below the tolerance, but at max_level */
    const double *coefficient; /* of child c, of phi_i phi_j phi_l: at [8 * ((i * k + j) * k + l) + c] */
};

/* One function's part of the tree. */
struct gws_madness_part {
    uint64_t begin, end; /* its families */
    uint32_t depth;      /* the deepest leaf's level */
    double norm;         /* L2, of the piecewise polynomial */
};

/* Read-only to users. */
struct gws_madness_tree {
    uint32_t order, functions;
    double low[3], high[3];
    uint64_t boxes;    /* tasks */
    uint64_t divided;  /* of these; families = boxes - divided */
    uint64_t forced;   /* of the divided ones, for the sake of a special point: nothing was computed there */
    uint64_t families; /* leaves = 8 * families */
    uint64_t leaves;
    uint64_t rough;                          /* families at max_level whose difference is not below the tolerance */
    uint32_t depth;                          /* the deepest leaf's level */
    double norm;                             /* the root of the sum of squares of the parts' norms */
    const struct gws_madness_part *part;     /* functions entries */
    const struct gws_madness_family *family; /* families entries: by function, then in the order of a walk depth first,
                                              * children from 0 to 7 */
    const char *kernel;                      /* that computed it; static storage */
    struct gws__madness_owner *owner;        /* private: who frees it */
};

/* Builds the tree; problem and what it points at are not kept. Errors, *tree as it was: GWS_INVALID (a number out of
 * bounds, no such kernel), GWS_OUT_OF_RANGE (a value of the function that is not finite, or too large to be squared),
 * GWS_NO_MEMORY. where->message says what; where may be NULL.
 * Cost: for each box 8 k^3 values of the function and about 53 k^4 operations (without symmetries it would be 104): for
 * k = 10 13 us on a core with AVX-512, 20 with AVX2, 59 without. Takes 64 k^3 bytes for each family, in pieces of 4 MiB
 * for each worker; touching them first takes about as long as computing them. */
GWS_API gws_status gws_madness_build(struct gws_runtime *runtime, const struct gws_madness_problem *problem,
                                     struct gws_madness_tree **tree, struct gws_where *where);

/* Frees the tree; NULL is allowed. */
GWS_API void gws_madness_destroy(struct gws_madness_tree *tree);

/* Overwrites the tree's families and coefficients with what no tree has; it can only be destroyed then. For who
 * verifies the next tree, which may lie in the same memory: so one that was not written cannot pass for right. NULL is
 * allowed. */
GWS_API void gws_madness_poison(struct gws_madness_tree *tree);

/* The ways to compute a box, of those that this processor has the i-th, the fastest first; NULL past the end. about
 * (may be NULL) receives a sentence. Their results differ in the last bits, for some round less often. */
GWS_API const char *gws_madness_kernel_at(uint32_t i, const char **about);

/* The value of a function of the tree at a point. Errors: GWS_OUT_OF_RANGE (no such function, or a point outside of the
 * cell). O(log(families) + k^3). */
GWS_API gws_status gws_madness_value(const struct gws_madness_tree *tree, uint32_t function, const double at[3],
                                     double *value);

/* How far the tree is from what it was made of: the L2 norm of the difference, by the rule of k + 1 points in each
 * leaf, for each function into error (tree->functions entries). problem is that of the tree. Errors: GWS_INVALID
 * (another order or number of functions), GWS_NO_MEMORY. In parallel; takes some times as long as building. */
GWS_API gws_status gws_madness_error(struct gws_runtime *runtime, const struct gws_madness_problem *problem,
                                     const struct gws_madness_tree *tree, double *error);

/* Builds the tree of the same problem once more, serially, straight from the rules above and apart from the builder,
 * and compares every box and every coefficient, to rounding; a box whose difference is at the tolerance, to rounding,
 * may be either. Errors: GWS_WRONG_RESULT (where->message says what differs first), GWS_INVALID (another order or
 * number of functions), GWS_NO_MEMORY. Takes some 10 to 50 times as long as building on one core. */
GWS_API gws_status gws_madness_check(struct gws_runtime *runtime, const struct gws_madness_problem *problem,
                                     const struct gws_madness_tree *tree, struct gws_where *where);

/* ---- functions ---- */

struct gws_madness_body {
    double at[3];
    double factor;
    double sharpness; /* 1 / length^2, above 0 */
};

/* For problem.values, with an array of functions bodies for its context.
 * A Gaussian: factor * exp(-sharpness r^2), r the distance from the body. As a product of three, it is asked for along
 * the axes only. */
GWS_API void gws_madness_gaussian(void *bodies, uint32_t function, const struct gws_madness_grid *grid, double *value);

/* The potential of a soft body: factor / sqrt(r^2 + 1 / sharpness). */
GWS_API void gws_madness_potential(void *bodies, uint32_t function, const struct gws_madness_grid *grid, double *value);

#ifdef __cplusplus
}
#endif
#endif
