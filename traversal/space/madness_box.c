/* SPDX-License-Identifier: MIT */
/* The table of kernels that compute a box, and the tables that all kernels read. */
#include "madness_box.h"

#include <math.h>
#include <string.h>

/* The kernels, fastest first. */
static const struct gws__madness_box *const all[] = {
#ifdef __x86_64__
    &gws__madness_avx512, &gws__madness_avx2,
#endif
    &gws__madness_plain};

const char *gws_madness_kernel_at(uint32_t i, const char **about)
{
    for (size_t b = 0; b < sizeof all / sizeof *all; b++) {
        if (!all[b]->is_here() || i-- > 0) continue;
        if (about) *about = all[b]->about;
        return all[b]->name;
    }
    return NULL;
}

const struct gws__madness_box *gws__madness_box_named(const char *name)
{
    for (size_t b = 0; b < sizeof all / sizeof *all; b++)
        if (all[b]->is_here() && (!name || strcmp(name, all[b]->name) == 0)) return all[b];
    return NULL;
}

void gws__madness_basis(uint32_t k, double x, double *phi)
{
    double t = 2 * x - 1, before = 0, now = 1;
    for (uint32_t i = 0; i < k; i++) {
        phi[i] = sqrt(2.0 * i + 1) * now;
        double next = ((2.0 * i + 1) * t * now - i * before) / (i + 1);
        before = now;
        now = next;
    }
}

/* Returns P_k(t) and stores the derivative in *slope. */
static double legendre(uint32_t k, double t, double *slope)
{
    double before = 0, now = 1;
    for (uint32_t i = 0; i < k; i++) {
        double next = ((2.0 * i + 1) * t * now - i * before) / (i + 1);
        before = now;
        now = next;
    }
    *slope = k * (t * now - before) / (t * t - 1);
    return now;
}

/* Finds the points by Newton's method from a sufficiently good initial guess (Abramowitz, Stegun, 22.16.6). The points
 * are exactly symmetric. */
void gws__madness_rule(uint32_t k, double *point, double *weight)
{
    const double pi = 3.141592653589793;
    for (uint32_t i = 0; 2 * i < k; i++) {
        double t = cos(pi * (i + 0.75) / (k + 0.5)), slope = 0;
        if (2 * i + 1 == k) t = 0;
        for (int step = 0; step < 8 && t != 0; step++) t -= legendre(k, t, &slope) / slope;
        (void)legendre(k, t, &slope);
        point[i] = (1 - t) / 2;
        point[k - 1 - i] = (1 + t) / 2;
        weight[i] = weight[k - 1 - i] = 1 / ((1 - t * t) * slope * slope);
    }
}

static void make_quadrature(struct gws__madness_tables *tables)
{
    double phi[GWS_MADNESS_ORDER];
    const uint32_t k = tables->order;
    for (uint32_t a = 0; a < tables->folded; a++) {
        double weight = 2 * a + 1 == k ? tables->weight[a] / 2 : tables->weight[a];
        gws__madness_basis(k, tables->point[a], phi);
        for (uint32_t i = 0; i < k; i++) tables->quadrature[a * k + i] = phi[i] * weight;
    }
}

/* Returns H0_ij = integral of phi_i(x / 2) phi_j(x) / sqrt 2, for which a rule of k points is exact. */
static double two_scale_at(const struct gws__madness_tables *tables, uint32_t i, uint32_t j)
{
    double sum = 0, half[GWS_MADNESS_ORDER], whole[GWS_MADNESS_ORDER];
    if (i >= tables->order || j > i) return 0;
    for (uint32_t q = 0; q < tables->order; q++) {
        gws__madness_basis(i + 1, tables->point[q] / 2, half);
        gws__madness_basis(j + 1, tables->point[q], whole);
        sum += half[i] * whole[j] * tables->weight[q];
    }
    return sum / sqrt(2);
}

static void make_two_scale(struct gws__madness_tables *tables)
{
    for (uint32_t j = 0; j < tables->order; j++)
        for (uint32_t i = 0; i < tables->folded; i++) {
            double entry[2] = {two_scale_at(tables, 2 * i, j), two_scale_at(tables, 2 * i + 1, j)};
            for (uint32_t axis = 0; axis < 3; axis++)
                for (uint32_t c = 0; c < 8; c++)
                    tables->two_scale[axis][8 * (j * tables->folded + i) + c] = entry[c >> (2 - axis) & 1];
        }
}

void gws__madness_tables_make(uint32_t order, struct gws__madness_tables *tables)
{
    tables->order = order;
    tables->folded = (order + 1) / 2;
    gws__madness_rule(order, tables->point, tables->weight);
    make_quadrature(tables);
    make_two_scale(tables);
}
