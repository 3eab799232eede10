/* SPDX-License-Identifier: MIT */
/* MADNESS tree creation (Dinan, Larkins, Sadayappan, Krishnamoorthy, Nieplocha: "Scalable Work Stealing", SC 2009,
 * section 2.5.1; Harrison, Fann, Yanai, Gan, Beylkin: "Multiresolution quantum chemistry", J. Chem. Phys. 121, 2004).
 * The tree represents functions in space by piecewise polynomials, on boxes that the builder divides until the
 * polynomials meet a tolerance. Each box is a task, and a box above the tolerance spawns eight tasks.
 *
 * gws_madness_check() compares a tree with these rules. The unit cube represents the cell low .. high. Level n has 8^n
 * boxes (n, l), l = 0 .. 2^n - 1 along each axis. The basis of a box, mapped to 0 .. 1, consists of products of
 * phi_i(x) = sqrt(2i+1) P_i(2x-1), i < k, one factor per axis, where P_i are the Legendre polynomials. The
 * coefficients of box (n, l) are sums over the k^3 points of the Gauss-Legendre rule. Each term is f times sqrt(V
 * 8^-n) times the weight times the product's value, where V is the cell's volume. The sum of their squares is the
 * square of the L2 norm.
 *
 * A task is a box, from level 1 on. The task computes the coefficients of the box's eight children and the nearest
 * polynomial over the whole box. The L2 norm of the residual is the box's difference. A task with a difference at or
 * above the tolerance spawns eight tasks. Otherwise the task stores the eight children as leaves. The tolerance is the
 * threshold (mode 0), times min(1, 2^-n L) (mode 1), or times min(1, 4^-n L^2) (mode 2), where L is the shortest edge
 * of the cell. Above the level of a special point, the box that contains the point and the boxes of the same level
 * that touch that box are divided regardless of their difference. The schedule, the number of threads and the policy
 * do not change any bit of the tree. */
#ifndef GWS_MADNESS_H
#define GWS_MADNESS_H

#include "../lib/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    GWS_MADNESS_ORDER = 30, /* the largest order */
    GWS_MADNESS_LEVEL = 20  /* the deepest level of a task, whose children are one level deeper */
};

/* The points at which the builder evaluates a function, order^3 in each of the eight children of a box. Along an axis,
 * x[2 i + h] is the coordinate of the i-th point in the lower (h = 0) or upper (h = 1) children. */
struct gws_madness_grid {
    uint32_t order;
    const double *x, *y, *z; /* 2 * order entries each */
};

/* Writes the function's values on the grid. The value at x[2 i + cx], y[2 j + cy], z[2 l + cz] goes to value[8 * ((i *
 * order + j) * order + l) + 4 cx + 2 cy + cz]. All values must be finite. Several threads call this function
 * concurrently. */
typedef void gws_madness_values(void *context, uint32_t function, const struct gws_madness_grid *grid, double *value);

/* A point near which the grid may miss a feature of the function, such as a cusp. */
struct gws_madness_special {
    uint32_t function;
    uint32_t level; /* the builder divides boxes near the point on levels above this one; at most GWS_MADNESS_LEVEL */
    double at[3];   /* within the cell, where a point on a border belongs to the upper box */
};

struct gws_madness_problem {
    uint32_t functions; /* at least 1, each with its own tree */
    gws_madness_values *values;
    void *context;          /* passed to values */
    double low[3], high[3]; /* the cell: finite, low < high, volume finite and at least 2^-959 */
    uint32_t order;         /* k, 1 .. GWS_MADNESS_ORDER */
    uint32_t mode;          /* 0, 1 or 2 */
    double threshold;       /* positive */
    uint32_t max_level;     /* the level whose boxes the builder never divides; 1 .. GWS_MADNESS_LEVEL */
    const struct gws_madness_special *special; /* specials entries */
    uint32_t specials;
    const char *kernel; /* a name from gws_madness_kernel_at(); NULL: the fastest kernel of this processor */
};

/* Sets order 7, threshold 1e-5, mode 1, max_level GWS_MADNESS_LEVEL and all other fields to 0. */
GWS_API void gws_madness_defaults(struct gws_madness_problem *problem);

/* Eight leaves, which are the children of one box. */
struct gws_madness_family {
    uint32_t function;
    uint32_t level;    /* level of the box, whose leaves are one level deeper */
    uint32_t at[3];    /* l of the box; child 4 cx + 2 cy + cz lies at (2 l_x + cx, 2 l_y + cy, 2 l_z + cz) */
    double square;     /* sum of squares of the coefficients */
    double difference; /* see above; below the tolerance, except at max_level */
    const double
        *coefficient; /* the coefficient of phi_i phi_j phi_l in child c is at [8 * ((i * k + j) * k + l) + c] */
};

/* One function's part of the tree. */
struct gws_madness_part {
    uint64_t begin, end; /* the part's families are begin .. end - 1 */
    uint32_t depth;      /* the deepest leaf's level */
    double norm;         /* L2 norm of the piecewise polynomial */
};

/* Read-only to users. */
struct gws_madness_tree {
    uint32_t order, functions;
    double low[3], high[3];
    uint64_t boxes;    /* tasks */
    uint64_t divided;  /* divided boxes; families = boxes - divided */
    uint64_t forced;   /* boxes divided because of a special point, without computation */
    uint64_t families; /* leaves = 8 * families */
    uint64_t leaves;
    uint64_t rough;                      /* families at max_level whose difference is not below the tolerance */
    uint32_t depth;                      /* the deepest leaf's level */
    double norm;                         /* the root of the sum of squares of the parts' norms */
    const struct gws_madness_part *part; /* functions entries */
    const struct gws_madness_family
        *family;        /* families entries: by function, then in depth-first order, children from 0 to 7 */
    const char *kernel; /* the kernel that computed the tree; static storage */
    struct gws__madness_owner *owner; /* private: owns the arrays */
};

/* Builds the tree, which does not refer to problem afterwards. Errors leave *tree unchanged: GWS_INVALID (a number out
 * of range, an unknown kernel), GWS_OUT_OF_RANGE (a value of the function is not finite, or its square overflows),
 * GWS_NO_MEMORY. where->message names the reason. where may be NULL. Cost: 8 k^3 values of the function and about 53
 * k^4 operations per box (104 k^4 without symmetries). For k = 10 a box takes 13 us on a core with AVX-512, 20 with
 * AVX2, 59 without. The tree takes 64 k^3 bytes per family, in slabs of 4 MiB per worker. The first touch of the
 * memory takes about as long as the computation. */
GWS_API gws_status gws_madness_build(struct gws_runtime *runtime, const struct gws_madness_problem *problem,
                                     struct gws_madness_tree **tree, struct gws_diagnostic *where);

/* Frees the tree. Accepts NULL. */
GWS_API void gws_madness_destroy(struct gws_madness_tree *tree);

/* Overwrites the tree's families and coefficients with a pattern that no tree contains. Afterwards the caller can only
 * destroy the tree. A caller that verifies the next tree, possibly in the same memory, calls this function, so stale
 * data cannot pass verification. Accepts NULL. */
GWS_API void gws_madness_poison(struct gws_madness_tree *tree);

/* Returns the name of the i-th kernel that this processor supports, fastest first, or NULL past the end. *about (about
 * may be NULL) receives a one-sentence description. The results of kernels differ in the last bits, because some
 * kernels round less often. */
GWS_API const char *gws_madness_kernel_at(uint32_t i, const char **about);

/* Evaluates a function of the tree at a point. Errors: GWS_OUT_OF_RANGE (no such function, or a point outside the
 * cell). Cost: O(log(families) + k^3). */
GWS_API gws_status gws_madness_value(const struct gws_madness_tree *tree, uint32_t function, const double at[3],
                                     double *value);

/* Computes the error of the tree into error (tree->functions entries). The error of a function is the L2 norm of the
 * difference between function and tree, by the rule of k + 1 points in each leaf. problem must be the problem of the
 * tree. Errors: GWS_INVALID (a different order or number of functions), GWS_NO_MEMORY. The function runs in parallel,
 * and takes a few times as long as building. */
GWS_API gws_status gws_madness_error(struct gws_runtime *runtime, const struct gws_madness_problem *problem,
                                     const struct gws_madness_tree *tree, double *error);

/* Builds the tree of the same problem again, serially and independently of the builder, directly from the rules above.
 * Compares every box and every coefficient, up to rounding. If the difference of a box equals the tolerance, up to
 * rounding, the check accepts the box divided or not. Errors: GWS_WRONG_RESULT (where->message names the first
 * difference), GWS_INVALID (a different order or number of functions), GWS_NO_MEMORY. The check takes 10 to 50 times
 * as long as building on one core. */
GWS_API gws_status gws_madness_check(struct gws_runtime *runtime, const struct gws_madness_problem *problem,
                                     const struct gws_madness_tree *tree, struct gws_diagnostic *where);

/* ---- functions ---- */

struct gws_madness_body {
    double at[3];
    double factor;
    double sharpness; /* 1 / length^2, positive */
};

/* A function for problem.values, with an array of `functions` bodies as context. It computes the Gaussian factor *
 * exp(-sharpness r^2), where r is the distance from the body. A Gaussian is a product of three factors, so the
 * function evaluates it along the axes only. */
GWS_API void gws_madness_gaussian(void *bodies, uint32_t function, const struct gws_madness_grid *grid, double *value);

/* Computes the potential of a soft body, factor / sqrt(r^2 + 1 / sharpness). The parameters are those of
 * gws_madness_gaussian(). */
GWS_API void gws_madness_potential(void *bodies, uint32_t function, const struct gws_madness_grid *grid, double *value);

#ifdef __cplusplus
}
#endif
#endif
