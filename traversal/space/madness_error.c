/* SPDX-License-Identifier: MIT */
/* Computes the error of a MADNESS tree. A rule of k + 1 points measures the residual of polynomials of order k. */
#include <math.h>
#include <string.h>

#include "madness_box.h"
#include "madness_state.h"

enum { max_points = GWS_MADNESS_ORDER + 1 };

struct measure {
    const struct gws_madness_problem *problem;
    const struct gws_madness_tree *tree;
    uint32_t points;
    double point[max_points], weight[max_points];
    double phi[GWS_MADNESS_ORDER * max_points]; /* [i][q]: phi_i at point q */
    double volume;
    uint64_t entries; /* entries of one array: 8 points^3 */
    double *scratch;  /* three arrays per worker */
    double *square;   /* one entry per family */
};

/* Evaluates the basis along one axis. in(i, m), k rows of columns, becomes out(m, q) at the points q. */
static void sum_axis(const struct measure *measure, const double *in, uint64_t columns, double *out)
{
    const uint32_t k = measure->tree->order, points = measure->points;
    for (uint64_t m = 0; m < columns; m++)
        for (uint32_t q = 0; q < points; q++, out += 8) {
            double sum[8] = {0};
            for (uint32_t i = 0; i < k; i++)
                for (uint32_t c = 0; c < 8; c++) sum[c] += in[8 * (i * columns + m) + c] * measure->phi[i * points + q];
            memcpy(out, sum, sizeof sum);
        }
}

static double sum_squares(const struct measure *measure, const double *values, const double *sums, double scale)
{
    const uint32_t points = measure->points;
    double sum[8] = {0}, all = 0;
    for (uint32_t i = 0; i < points; i++)
        for (uint32_t j = 0; j < points; j++)
            for (uint32_t l = 0; l < points; l++, values += 8, sums += 8)
                for (uint32_t c = 0; c < 8; c++) {
                    double difference = values[c] - sums[c] / scale;
                    sum[c] += measure->weight[i] * measure->weight[j] * measure->weight[l] * difference * difference;
                }
    for (uint32_t c = 0; c < 8; c++) all += sum[c];
    return all * scale * scale;
}

static double measure_family(const struct measure *measure, const struct gws_madness_family *family, double *scratch)
{
    double x[3][2 * max_points], *first = scratch, *second = first + measure->entries,
                                 *values = second + measure->entries;
    const struct gws_madness_problem *problem = measure->problem;
    const uint64_t k = problem->order, points = measure->points;
    for (int a = 0; a < 3; a++)
        gws__madness_points(measure->point, measure->points, problem->low[a], problem->high[a], family->level,
                            family->at[a], x[a]);
    const struct gws_madness_grid grid = {measure->points, x[0], x[1], x[2]};
    problem->values(problem->context, family->function, &grid, values);
    sum_axis(measure, family->coefficient, k * k, first);
    sum_axis(measure, first, k * points, second);
    sum_axis(measure, second, points * points, first);
    return sum_squares(measure, values, first, sqrt(ldexp(measure->volume, -3 * ((int)family->level + 1))));
}

static void run(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct measure *measure = context;
    double *scratch = measure->scratch + 3 * worker * measure->entries;
    for (uint64_t i = begin; i < end; i++)
        measure->square[i] = measure_family(measure, &measure->tree->family[i], scratch);
}

static void prepare(struct measure *measure)
{
    double phi[GWS_MADNESS_ORDER];
    gws__madness_rule(measure->points, measure->point, measure->weight);
    for (uint32_t q = 0; q < measure->points; q++) {
        gws__madness_basis(measure->tree->order, measure->point[q], phi);
        for (uint32_t i = 0; i < measure->tree->order; i++) measure->phi[i * measure->points + q] = phi[i];
    }
    measure->volume = 1;
    for (int a = 0; a < 3; a++) measure->volume *= measure->problem->high[a] - measure->problem->low[a];
    measure->entries = UINT64_C(8) * measure->points * measure->points * measure->points;
}

static void sum_up(const struct measure *measure, double *error)
{
    for (uint32_t f = 0; f < measure->tree->functions; f++) {
        double sum = 0;
        for (uint64_t i = measure->tree->part[f].begin; i < measure->tree->part[f].end; i++) sum += measure->square[i];
        error[f] = sqrt(sum);
    }
}

static gws_status madness_error(struct gws_runtime *runtime, const struct gws_madness_problem *problem,
                                const struct gws_madness_tree *tree, double *error)
{
    if (problem->order != tree->order || problem->functions != tree->functions) return GWS_INVALID;
    struct measure measure = {.problem = problem, .tree = tree, .points = tree->order + 1};
    prepare(&measure);
    const uint64_t arrays = UINT64_C(3) * gws_runtime_workers(runtime);
    measure.scratch = gws_allocate(runtime, arrays * measure.entries, sizeof *measure.scratch);
    measure.square = gws_allocate(runtime, tree->families, sizeof *measure.square);
    gws_status status = measure.scratch && measure.square
                            ? gws_parallel_try_for(runtime, tree->families, 1, run, &measure)
                            : GWS_NO_MEMORY;
    if (status == GWS_OK) sum_up(&measure, error);
    gws_release(runtime, measure.square, tree->families, sizeof *measure.square);
    gws_release(runtime, measure.scratch, arrays * measure.entries, sizeof *measure.scratch);
    return status;
}

gws_status gws_madness_error(struct gws_runtime *runtime, const struct gws_madness_problem *problem,
                             const struct gws_madness_tree *tree, double *error)
{
    return GWS_CALL(runtime, NULL, madness_error(runtime, problem, tree, error));
}
