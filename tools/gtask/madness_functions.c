/* SPDX-License-Identifier: MIT */
/* The sets of functions: two sets from other programs, for comparison, and 128 soft bodies (as in Dinan et al., SC
 * 2009, section 5.1; the paper does not specify the bodies). */
#include "madness_state.h"

#include <math.h>
#include <string.h>

#define CUBE(half) .low = {-(half), -(half), -(half)}, .high = {half, half, half}
#define SCATTERED                                                                                                      \
    .scattered = true, .bodies = 128, .order = 6, .mode = 0, .threshold = 1e-4, .special_level = 2, CUBE(10)

static const struct madness_set all[] = {
    {.name = "test",
     .about = "a Gaussian of norm 1 in a cell of unequal edges, the test of MADNESS itself",
     .values = gws_madness_gaussian,
     .has_norm = true,
     .bodies = 1,
     .order = 7,
     .mode = 1,
     .threshold = 1e-5,
     .low = {-11, -13, -15},
     .high = {10, 11, 12},
     .body = {.sharpness = 1},
     .leaves = 2584,
     .min_error = 2.85e-7,
     .max_error = 2.95e-7},
    {.name = "peak",
     .about = "exp(-30000 r^2), which a grid misses without a special point",
     .values = gws_madness_gaussian,
     .has_norm = true,
     .bodies = 1,
     .order = 10,
     .mode = 1,
     .threshold = 1e-8,
     .special_level = 8,
     CUBE(20),
     .body = {.factor = 1, .sharpness = 30000}},
    {.name = "bodies",
     .about = "scattered Gaussians of norm 1 and various sizes: a function each",
     .values = gws_madness_gaussian,
     SCATTERED,
     .has_norm = true,
     .body = {.sharpness = 1}},
    {.name = "potentials",
     .about = "the potentials of such bodies, 1 / sqrt(r^2 + size^2): a function each",
     .values = gws_madness_potential,
     SCATTERED,
     .body = {.factor = 1, .sharpness = 1}},
};

const struct madness_set *madness_set_at(uint32_t i)
{
    return i < sizeof all / sizeof *all ? &all[i] : NULL;
}

const struct madness_set *madness_set_named(const char *name)
{
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(all[i].name, name) == 0) return &all[i];
    return NULL;
}

/* Returns the squared norm of exp(-sharpness r^2) over all space. */
static double square(double sharpness)
{
    const double pi = 3.141592653589793;
    return pow(pi / (2 * sharpness), 1.5);
}

/* Returns a random number from 0 to 1. */
static double draw(uint64_t seed, uint64_t number)
{
    return (double)(gws_random_at(seed, number) >> 11) * 0x1p-53;
}

static struct gws_madness_body scatter(const struct madness_set *set, uint64_t seed, uint32_t number)
{
    struct gws_madness_body body = set->body;
    for (uint32_t a = 0; a < 3; a++) {
        double edge = set->high[a] - set->low[a];
        body.at[a] = set->low[a] + edge * (0.25 + 0.5 * draw(seed, UINT64_C(4) * number + a));
    }
    body.sharpness *= exp2(4 * draw(seed, UINT64_C(4) * number + 3));
    return body;
}

void madness_bodies(const struct madness_set *set, uint64_t seed, uint32_t count, uint32_t special_level,
                    struct gws_madness_body *body, struct gws_madness_special *special)
{
    for (uint32_t i = 0; i < count; i++) {
        body[i] = set->scattered ? scatter(set, seed, i) : set->body;
        if (body[i].factor == 0) body[i].factor = 1 / sqrt(square(body[i].sharpness));
        special[i] = (struct gws_madness_special){.function = i, .level = special_level};
        memcpy(special[i].at, body[i].at, sizeof special[i].at);
    }
}

double madness_norm(const struct gws_madness_body *body, uint32_t count)
{
    double sum = 0;
    for (uint32_t i = 0; i < count; i++) sum += body[i].factor * body[i].factor * square(body[i].sharpness);
    return sqrt(sum);
}
