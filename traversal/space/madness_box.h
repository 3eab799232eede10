/* SPDX-License-Identifier: MIT */
/* The arithmetic of one box of a MADNESS tree: the coefficients of its eight children, and how far they are from what
 * one polynomial over the whole box could say.
 *
 * State: all arrays hold the eight children side by side, entry e of child c at [8 e + c], c = 4 x + 2 y + z. So a
 * vector holds the same entry of all children, whatever the order of the basis, and no lane is ever idle.
 *
 * Each transform is done along one axis at a time, and turns the axes: in(a, m) -> out(m, i) = sum over a of in(a, m)
 * M(a, i), m the two other axes; after three the axes stand as before. Symmetries save three quarters of the work:
 * - Basis functions are even or odd about the middle of a box, and so are pairs of points: the sum and the difference
 * of two values give even and odd coefficients.
 * - The same between two children side by side: H1_ij = (-1)^(i+j) H0_ij. The two lanes of such a pair, which hold the
 *   same coefficient of the two children, hold coefficients 2 i and 2 i + 1 of the parent after filtering: see
 *   "folded" below. Half of the entries remain for each axis, and all lanes are at work until the end.
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

/* What depends on the order k alone. folded is (k + 1) / 2. */
struct gws__madness_tables {
    uint32_t order, folded;
    double point[GWS_MADNESS_ORDER];  /* the k Gauss-Legendre points in 0 .. 1, rising */
    double weight[GWS_MADNESS_ORDER]; /* and their weights */
    /* [a][i]: phi_i(point a) weight a for the lower half of the points; the middle one counts half, being its own
     * partner. folded rows of k. */
    double quadrature[(GWS_MADNESS_ORDER + 1) / 2 * GWS_MADNESS_ORDER];
    /* By axis, [j][i][lane]: H0_(2i)j in the lanes whose child lies low on that axis, H0_(2i+1)j in the others. k rows
     * of folded entries. */
    double two_scale[3][GWS_MADNESS_ORDER * ((GWS_MADNESS_ORDER + 1) / 2) * 8];
};

/* The Gauss-Legendre rule of k points (1 .. 2 GWS_MADNESS_ORDER) over 0 .. 1. */
void gws__madness_rule(uint32_t k, double *point, double *weight);

/* phi_i(x) for i < k: sqrt(2 i + 1) P_i(2 x - 1). */
void gws__madness_basis(uint32_t k, double x, double *phi);

void gws__madness_tables_make(uint32_t order, struct gws__madness_tables *tables);

/* What comes out of a box. */
struct gws__madness_norms {
    double square;     /* of the children's coefficients, summed */
    double difference; /* the square of the distance from one polynomial */
};

/* One way to compute it. All arrays have 8 k^3 entries, best on multiples of 64 bytes. */
struct gws__madness_box {
    const char *name;
    const char *about;
    bool (*is_here)(void); /* has this processor what it takes? */
    /* values -> coefficients, times scale. values are overwritten, spare too. */
    void (*project)(const struct gws__madness_tables *tables, double scale, double *values, double *spare,
                    double *coefficients);
    /* coefficients stay; spare and other are overwritten. */
    struct gws__madness_norms (*compare)(const struct gws__madness_tables *tables, double *coefficients, double *spare,
                                         double *other);
};

extern const struct gws__madness_box gws__madness_plain, gws__madness_avx2, gws__madness_avx512;

/* The one of that name (NULL: the fastest) that this processor has, or NULL. */
const struct gws__madness_box *gws__madness_box_named(const char *name);

#endif
