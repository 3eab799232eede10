/* SPDX-License-Identifier: MIT */
/* Points, polynomials and sums of madness_check.c. A child has k points along each axis, and a box has 2 k points.
 * Bisection between the roots of the previous order finds the points. */
#ifndef GWS_CHECK_MADNESS_QUADRATURE_H
#define GWS_CHECK_MADNESS_QUADRATURE_H

#include <math.h>
#include <string.h>

#include "../madness.h"

enum { max_order = GWS_MADNESS_ORDER };

struct quadrature {
    uint32_t order;
    double point[max_order], weight[max_order];
    double own[max_order][max_order];         /* [q][i]: phi_i of a child at the child's own points */
    double parents[2 * max_order][max_order]; /* [q][i]: phi_i of the box at the points of the box's grid */
};

/* ---- points and polynomials ---- */

static double legendre(uint32_t n, double t)
{
    double before = 1, now = t;
    if (n == 0) return 1;
    for (uint32_t i = 2; i <= n; i++) {
        double next = ((2.0 * i - 1) * t * now - (i - 1.0) * before) / i;
        before = now;
        now = next;
    }
    return now;
}

static double bisect(uint32_t n, double low, double high)
{
    bool rises = legendre(n, low) < 0;
    for (int step = 0; step < 80; step++) {
        double middle = (low + high) / 2;
        if ((legendre(n, middle) < 0) == rises)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

/* Finds the points. Each root of P_n lies between two adjacent values of the list -1, roots of P_(n-1), 1. */
static void find_points(struct quadrature *to)
{
    const uint32_t k = to->order;
    double root[max_order + 2] = {-1, 1};
    for (uint32_t n = 1; n <= k; n++) {
        double next[max_order + 2] = {-1};
        for (uint32_t i = 0; i < n; i++) next[i + 1] = bisect(n, root[i], root[i + 1]);
        next[n + 1] = 1;
        memcpy(root, next, sizeof root);
    }
    for (uint32_t q = 0; q < k; q++) {
        double t = root[q + 1], below = k * legendre(k - 1, t);
        to->point[q] = (1 + t) / 2;
        to->weight[q] = (1 - t * t) / (below * below);
    }
}

static double phi(uint32_t i, double x)
{
    return sqrt(2.0 * i + 1) * legendre(i, 2 * x - 1);
}

static void find_basis(struct quadrature *to)
{
    const uint32_t k = to->order;
    for (uint32_t i = 0; i < k; i++)
        for (uint32_t q = 0; q < k; q++) {
            to->own[q][i] = phi(i, to->point[q]);
            to->parents[q][i] = phi(i, to->point[q] / 2);
            to->parents[k + q][i] = phi(i, (1 + to->point[q]) / 2);
        }
}

/* ---- sums ---- */

/* sum_points() computes to(m, i) = sum over q of from(q, m) matrix(q, i) weight(q). sum_basis() is the transpose, with
 * to(m, q) = sum over i. */
static void sum_points(const double *from, uint32_t points, uint64_t columns, double (*matrix)[max_order],
                       uint32_t order, const double *weight, uint32_t period, double *to)
{
    for (uint64_t m = 0; m < columns; m++)
        for (uint32_t i = 0; i < order; i++) {
            double sum = 0;
            for (uint32_t q = 0; q < points; q++) sum += from[q * columns + m] * matrix[q][i] * weight[q % period];
            to[m * order + i] = sum;
        }
}

static void sum_basis(const double *from, uint32_t order, uint64_t columns, double (*matrix)[max_order],
                      uint32_t points, double *to)
{
    for (uint64_t m = 0; m < columns; m++)
        for (uint32_t q = 0; q < points; q++) {
            double sum = 0;
            for (uint32_t i = 0; i < order; i++) sum += from[i * columns + m] * matrix[q][i];
            to[m * points + q] = sum;
        }
}

#endif
