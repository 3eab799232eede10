/* SPDX-License-Identifier: MIT */
/* Generated points. The seed and i name the random stream of point i, so the same description makes the same points
 * with any number of threads. The code uses only operations that IEEE 754 rounds exactly (of libm only sqrt). The
 * points thus do not depend on the C library either.
 *
 * gauss: the polar method (Marsaglia and Bray, SIAM Review 6, 1964). shell: Marsaglia, "Choosing a point from the
 * surface of a sphere", Ann. Math. Stat. 43, 1972. plummer: the mass within radius r is r^3 / (1 + r^2)^(3/2). The cube
 * root of a uniform number has the distribution of the largest of three uniform numbers. The code draws those three
 * instead. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "../base/description.h"
#include "../parallel.h"
#include "../points.h"
#include "../random.h"

#ifdef __clang__ /* in ISO C mode gcc never fuses a multiplication and an addition; clang needs this pragma */
#pragma STDC FP_CONTRACT OFF
#endif

struct vector {
    double x, y, z;
};

/* Draws a point from the stream whose state is *state. */
typedef struct vector draw_point(uint64_t *state);

/* Draws 0 <= u < 1, in steps of 2^-53. */
static double draw_unit(uint64_t *state)
{
    return (double)(gws_random_next(state) >> 11) * 0x1p-53;
}

/* Draws -1 < u < 1 from the odd multiples of 2^-53. The result is never 0. */
static double draw_signed(uint64_t *state)
{
    int64_t bits = (int64_t)gws_random_next(state);
    return (double)((bits >> 11) * 2 + 1) * 0x1p-53;
}

static struct vector draw_uniform(uint64_t *state)
{
    struct vector point;
    point.x = draw_unit(state);
    point.y = draw_unit(state);
    point.z = draw_unit(state);
    return point;
}

/* Draws a point (*a, *b) of the unit disk without its centre and rim. Returns its squared distance from the centre. */
static double draw_disk(uint64_t *state, double *a, double *b)
{
    for (;;) {
        *a = draw_signed(state);
        *b = draw_signed(state);
        double square = *a * *a + *b * *b;
        if (square < 1) return square;
    }
}

/* Returns the natural logarithm of a normal number x > 0, to a few units in the last place. With x = m 2^e and
 * sqrt(1/2) < m < sqrt(2), log m = 2 artanh((m - 1) / (m + 1)). The function truncates this series at terms below
 * 2^-60. */
static double logarithm(double x)
{
    static const double ln2 = 0.693147180559945309417232;
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int exponent = (int)(bits >> 52) - 1023;
    bits = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1023) << 52;
    memcpy(&x, &bits, sizeof x);
    if (x > 1.4142135623730951) {
        x *= 0.5;
        exponent++;
    }
    double t = (x - 1) / (x + 1), square = t * t, sum = 0;
    for (int i = 23; i >= 1; i -= 2) sum = sum * square + 1.0 / i;
    return exponent * ln2 + 2 * t * sum;
}

static void draw_normal_pair(uint64_t *state, double *first, double *second)
{
    double a, b, square = draw_disk(state, &a, &b), scale = sqrt(-2 * logarithm(square) / square);
    *first = a * scale;
    *second = b * scale;
}

static struct vector draw_gauss(uint64_t *state)
{
    struct vector point;
    double unused;
    draw_normal_pair(state, &point.x, &point.y);
    draw_normal_pair(state, &point.z, &unused);
    return point;
}

static struct vector draw_shell(uint64_t *state)
{
    double a, b, square = draw_disk(state, &a, &b), scale = 2 * sqrt(1 - square);
    return (struct vector){a * scale, b * scale, 1 - 2 * square};
}

static struct vector draw_plummer(uint64_t *state)
{
    double t;
    do {
        double u = draw_unit(state), v = draw_unit(state), w = draw_unit(state);
        t = u > v ? u : v;
        t = t > w ? t : w;
    } while (t * t * t >= 0.999);
    struct vector point = draw_shell(state);
    double radius = t / sqrt(1 - t * t);
    return (struct vector){point.x * radius, point.y * radius, point.z * radius};
}

static const struct point_generator {
    const char *prefix;
    draw_point *draw;
    double limit; /* every coordinate is below this limit; a float that rounds to the limit becomes the next smaller
                   * float. 0: no limit */
} generators[] = {
    {"uniform:", draw_uniform, 1},
    {"gauss:", draw_gauss, 0},
    {"plummer:", draw_plummer, 0},
    {"shell:", draw_shell, 0},
};

static const struct point_generator *generator_of(const char *name)
{
    for (size_t i = 0; i < sizeof generators / sizeof *generators; i++)
        if (strncmp(name, generators[i].prefix, strlen(generators[i].prefix)) == 0) return &generators[i];
    return NULL;
}

bool gws_points_is_generator(const char *name)
{
    return generator_of(name) != NULL;
}

/* ---- arrays ---- */

struct filling {
    const struct point_generator *generator;
    uint64_t seed;
    struct gws_points *points;
};

static float to_float(double value, double limit)
{
    float rounded = (float)value;
    return limit != 0 && rounded >= (float)limit ? nextafterf((float)limit, 0) : rounded;
}

static void set_point(const struct filling *filling, uint64_t i, struct vector point)
{
    const struct gws_points *points = filling->points;
    double limit = filling->generator->limit;
    if (points->is_double) {
        ((double *)points->x)[i] = point.x;
        ((double *)points->y)[i] = point.y;
        ((double *)points->z)[i] = point.z;
    } else {
        ((float *)points->x)[i] = to_float(point.x, limit);
        ((float *)points->y)[i] = to_float(point.y, limit);
        ((float *)points->z)[i] = to_float(point.z, limit);
    }
}

static void fill(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct filling *filling = context;
    (void)worker;
    for (uint64_t i = begin; i < end; i++) {
        uint64_t state = gws_random_at(filling->seed, i);
        set_point(filling, i, filling->generator->draw(&state));
    }
}

/* Reads a count with an optional suffix: N, Nk, NM or NG. */
static gws_status read_count(struct gws__description *description, uint64_t *count)
{
    static const char suffixes[] = "kMG";
    const char *start = description->at;
    gws_status status = gws__description_number(description, "the number of points", 0, UINT64_MAX, count);
    const char *suffix = status == GWS_OK && *description->at ? strchr(suffixes, *description->at) : NULL;
    if (!suffix) return status;
    for (const char *at = suffixes; at <= suffix; at++) {
        if (*count > UINT64_MAX / 1000) {
            description->at = start;
            return gws__description_fail(description, GWS_TOO_LARGE, "too large for ", "the number of points");
        }
        *count *= 1000;
    }
    description->at++;
    return GWS_OK;
}

static gws_status points_generate(struct gws_runtime *runtime, const char *description, bool is_double,
                                  struct gws_points *points, struct gws_diagnostic *where)
{
    struct gws_points made = {0};
    struct filling filling = {.generator = generator_of(description), .seed = 1, .points = &made};
    struct gws__description rest = {.text = description, .at = description, .where = where};
    uint64_t count = 0;
    if (!filling.generator)
        return gws__description_fail(&rest, GWS_SYNTAX, "expected ", "uniform:, gauss:, plummer: or shell:");
    rest.at += strlen(filling.generator->prefix);
    gws_status status = read_count(&rest, &count);
    if (status == GWS_OK) status = gws__description_optional(&rest, "the seed", 0, UINT64_MAX, &filling.seed);
    if (status == GWS_OK) status = gws__description_end(&rest, "N[:SEED]");
    if (status != GWS_OK) return status;
    status = gws_points_make(runtime, count, is_double, 0, NULL, &made);
    if (status != GWS_OK)
        return gws_diagnostic_set(where, status, description, 0, 0, "out of memory for %" PRIu64 " points", count);
    const struct gws_loop loop = {.count = count, .grain = 1 << 12, .body = fill, .context = &filling};
    status = gws_parallel_try(runtime, &loop);
    if (status != GWS_OK)
        gws_points_clear(&made);
    else
        *points = made;
    return gws_diagnostic_status(where, status);
}

gws_status gws_points_generate(struct gws_runtime *runtime, const char *description, bool is_double,
                               struct gws_points *points, struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, points_generate(runtime, description, is_double, points, where));
}
