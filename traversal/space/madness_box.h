/* SPDX-License-Identifier: MIT */
/* The arithmetic of one box of a MADNESS tree. It computes the coefficients of the box's eight children, and their
 * distance from the nearest polynomial over the whole box.
 *
 * State encoding. All arrays interleave the eight children, so entry e of child c is at [8 e + c], c = 4 x + 2 y + z.
 * A vector therefore holds the same entry of all children, and all lanes are busy for every order of the basis.
 *
 * Each transform processes one axis and rotates the axes. It computes in(a, m) -> out(m, i) = sum over a of in(a, m)
 * M(a, i), where m stands for the two other axes. After three transforms the axes have their original order.
 * Symmetries save three quarters of the work:
 * - Basis functions are even or odd about the middle of a box, and points are symmetric. The sum and the difference of
 *   two values therefore give the even and the odd coefficients.
 * - The same holds for two adjacent children: H1_ij = (-1)^(i+j) H0_ij. The two lanes of such a pair hold the same
 *   coefficient of the two children; after filtering they hold coefficients 2 i and 2 i + 1 of the parent ("folded"
 *   below). Each axis halves the number of entries, and all lanes stay busy.
 * - H0_ij = 0 for j > i: a polynomial of degree i over the parent has degree i in a child.
 *
 * Alpert, Beylkin, Gines, Vozovoi: "Adaptive solution of partial differential equations in multiwavelet bases", J.
 * Comp. Phys. 182, 2002, section 2; Harrison et al., "Multiresolution quantum chemistry", J. Chem. Phys. 121, 2004. */
#ifndef GWS_SPACE_MADNESS_BOX_H
#define GWS_SPACE_MADNESS_BOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../madness.h"

/* Tables that depend only on the order k. `folded` stands for (k + 1) / 2. */
struct gws__madness_tables {
    uint32_t order, folded;
    double point[GWS_MADNESS_ORDER];  /* the k Gauss-Legendre points in 0 .. 1, ascending */
    double weight[GWS_MADNESS_ORDER]; /* the weights of the points */
    /* [a][i]: phi_i(point a) weight a for the lower half of the points, in `folded` rows of k entries. The middle
     * point is its own mirror image and has half its weight. */
    double quadrature[(GWS_MADNESS_ORDER + 1) / 2 * GWS_MADNESS_ORDER];
    /* By axis, [j][i][lane]: H0_(2i)j in the lanes of the low children on that axis, H0_(2i+1)j in all other lanes. k
     * rows of `folded` entries. */
    double two_scale[3][GWS_MADNESS_ORDER * ((GWS_MADNESS_ORDER + 1) / 2) * 8];
};

/* Computes the Gauss-Legendre rule of k points (1 .. 2 GWS_MADNESS_ORDER) over 0 .. 1. */
void gws__madness_rule(uint32_t k, double *point, double *weight);

/* Computes phi_i(x) = sqrt(2 i + 1) P_i(2 x - 1) for i < k. */
void gws__madness_basis(uint32_t k, double x, double *phi);

void gws__madness_tables_make(uint32_t order, struct gws__madness_tables *tables);

/* The result of a box. */
struct gws__madness_norms {
    double square;     /* sum of squares of the children's coefficients */
    double difference; /* squared distance from the nearest polynomial */
};

/* A kernel that computes a box. All arrays have 8 k^3 entries, preferably aligned to 64 bytes. */
struct gws__madness_box {
    const char *name;
    const char *about;
    bool (*is_here)(void); /* true if this processor has the required instructions */
    /* Computes coefficients from values, times scale. Overwrites values and scratch. */
    void (*project)(const struct gws__madness_tables *tables, double scale, double *values, double *scratch,
                    double *coefficients);
    /* Computes the norms. Preserves coefficients, overwrites scratch and other. */
    struct gws__madness_norms (*compare)(const struct gws__madness_tables *tables, double *coefficients,
                                         double *scratch, double *other);
};

extern const struct gws__madness_box gws__madness_plain, gws__madness_avx2, gws__madness_avx512;

/* Returns the kernel of that name (NULL: the fastest kernel), or NULL if this processor does not support the kernel. */
const struct gws__madness_box *gws__madness_box_named(const char *name);

#endif
