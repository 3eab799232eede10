/* SPDX-License-Identifier: MIT */
/* Functions to make MADNESS trees of. The eight children of a box stand side by side, so the loops over c are what a
 * compiler makes vectors of. */
#include <math.h>

#include "../madness.h"

/* exp(-sharpness (x - center)^2) at the points of one axis, for the eight children: shift says which bit of a child's
 * number is this axis's. */
static void exponentials(const double *x, uint32_t order, double center, double sharpness, uint32_t shift,
                         double *value)
{
    for (uint32_t i = 0; i < order; i++) {
        double low = x[2 * i] - center, high = x[2 * i + 1] - center;
        double at[2] = {exp(-sharpness * low * low), exp(-sharpness * high * high)};
        for (uint32_t c = 0; c < 8; c++) value[8 * i + c] = at[c >> shift & 1];
    }
}

void gws_madness_gaussian(void *bodies, uint32_t function, const struct gws_madness_grid *grid, double *value)
{
    const struct gws_madness_body *body = (const struct gws_madness_body *)bodies + function;
    const uint32_t k = grid->order;
    double x[8 * (GWS_MADNESS_ORDER + 1)], y[8 * (GWS_MADNESS_ORDER + 1)], z[8 * (GWS_MADNESS_ORDER + 1)];
    exponentials(grid->x, k, body->at[0], body->sharpness, 2, x);
    exponentials(grid->y, k, body->at[1], body->sharpness, 1, y);
    exponentials(grid->z, k, body->at[2], body->sharpness, 0, z);
    for (uint32_t i = 0; i < k; i++)
        for (uint32_t j = 0; j < k; j++) {
            double both[8];
            for (uint32_t c = 0; c < 8; c++) both[c] = body->factor * x[8 * i + c] * y[8 * j + c];
            for (uint32_t l = 0; l < k; l++, value += 8)
                for (uint32_t c = 0; c < 8; c++) value[c] = both[c] * z[8 * l + c];
        }
}

static void squares(const double *x, uint32_t order, double center, uint32_t shift, double *value)
{
    for (uint32_t i = 0; i < order; i++)
        for (uint32_t c = 0; c < 8; c++) {
            double apart = x[2 * i + (c >> shift & 1)] - center;
            value[8 * i + c] = apart * apart;
        }
}

void gws_madness_potential(void *bodies, uint32_t function, const struct gws_madness_grid *grid, double *value)
{
    const struct gws_madness_body *body = (const struct gws_madness_body *)bodies + function;
    const uint32_t k = grid->order;
    const double soft = 1 / body->sharpness;
    double x[8 * (GWS_MADNESS_ORDER + 1)], y[8 * (GWS_MADNESS_ORDER + 1)], z[8 * (GWS_MADNESS_ORDER + 1)];
    squares(grid->x, k, body->at[0], 2, x);
    squares(grid->y, k, body->at[1], 1, y);
    squares(grid->z, k, body->at[2], 0, z);
    for (uint32_t i = 0; i < k; i++)
        for (uint32_t j = 0; j < k; j++)
            for (uint32_t l = 0; l < k; l++, value += 8)
                for (uint32_t c = 0; c < 8; c++)
                    value[c] = body->factor / sqrt(x[8 * i + c] + y[8 * j + c] + z[8 * l + c] + soft);
}
