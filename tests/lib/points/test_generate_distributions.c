/* SPDX-License-Identifier: MIT */
/* Checks the distributions of generated points by the Kolmogorov-Smirnov distance. The distance of a correct generator
 * exceeds 1.95 / sqrt(n) for one seed in a thousand. */
#include "generated.h"

#include <inttypes.h>
#include <math.h>

static int ascending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static void check_distribution(const char *what, double *value, uint64_t count, double (*below)(double value))
{
    double worst = 0;
    qsort(value, count, sizeof *value, ascending);
    for (uint64_t i = 0; i < count; i++) {
        double distance = fabs(below(value[i]) - ((double)i + 0.5) / (double)count);
        worst = distance > worst ? distance : worst;
    }
    ck_assert_msg(worst < 1.95 / sqrt((double)count), "%s: %g", what, worst);
}

static double below_uniform(double x)
{
    return x;
}

static double below_gauss(double x)
{
    return 0.5 * erfc(-x / sqrt(2));
}

static double below_sphere(double cosine)
{
    return (cosine + 1) / 2;
}

static double below_plummer(double radius)
{
    return pow(1 + 1 / (radius * radius), -1.5) / 0.999;
}

enum { many = 100000 };

static void check_axes(const char *description, double (*below)(double value))
{
    struct gws_points points = generate(description, true, 2);
    check_distribution(description, points.x, points.count, below);
    check_distribution(description, points.y, points.count, below);
    check_distribution(description, points.z, points.count, below);
    gws_points_clear(&points);
}

/* Counts points in 8 x 8 x 8 cells of [low, high)^3. Chi squared with 511 degrees of freedom exceeds 615 in one case of
 * a thousand. The check detects dependent axes. */
static void check_cells(const char *description, double (*below)(double value))
{
    struct gws_points points = generate(description, true, 2);
    static double count[512];
    double expected = (double)points.count / 512, sum = 0;
    memset(count, 0, sizeof count);
    for (uint64_t i = 0; i < points.count; i++) {
        int x = (int)(8 * below(gws_points_at(&points, points.x, i)));
        int y = (int)(8 * below(gws_points_at(&points, points.y, i)));
        int z = (int)(8 * below(gws_points_at(&points, points.z, i)));
        count[x * 64 + y * 8 + z]++;
    }
    for (int i = 0; i < 512; i++) sum += (count[i] - expected) * (count[i] - expected) / expected;
    ck_assert_msg(sum < 615, "%s: %g", description, sum);
    gws_points_clear(&points);
}

START_TEST(uniform_is_uniform)
{
    check_axes("uniform:100k", below_uniform);
    check_cells("uniform:100k:2", below_uniform);
}
END_TEST

START_TEST(gauss_is_normal)
{
    check_axes("gauss:100k", below_gauss);
    check_cells("gauss:100k:2", below_gauss);
}
END_TEST

START_TEST(shell_is_a_sphere)
{
    struct gws_points points = generate("shell:100k:3", true, 2);
    for (uint64_t i = 0; i < points.count; i++) {
        double x = gws_points_at(&points, points.x, i), y = gws_points_at(&points, points.y, i),
               z = gws_points_at(&points, points.z, i);
        if (fabs(x * x + y * y + z * z - 1) > 1e-15 * 8) ck_abort_msg("point %" PRIu64 " is off the sphere", i);
    }
    gws_points_clear(&points);
    check_axes("shell:100k", below_sphere);
}
END_TEST

START_TEST(plummer_has_its_mass)
{
    struct gws_points points = generate("plummer:100k", true, 2);
    double *radius = malloc(many * sizeof *radius), *cosine = malloc(many * sizeof *cosine);
    for (uint64_t i = 0; i < many; i++) {
        double x = gws_points_at(&points, points.x, i), y = gws_points_at(&points, points.y, i),
               z = gws_points_at(&points, points.z, i);
        radius[i] = sqrt(x * x + y * y + z * z);
        cosine[i] = y / radius[i];
    }
    check_distribution("radius", radius, many, below_plummer);
    check_distribution("direction", cosine, many, below_sphere);
    free(radius);
    free(cosine);
    gws_points_clear(&points);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {
        {uniform_is_uniform, 1}, {gauss_is_normal, 1}, {shell_is_a_sphere, 1}, {plummer_has_its_mass, 1}, {0}};
    return gws_test_run("points distributions", test);
}
