/* SPDX-License-Identifier: MIT */
/* Verifies a MADNESS tree against the rules of madness.h. The check traverses the tree again, serially and depth first,
 * with quadrature only.
 *
 * The check shares no code with the builder. The points of the children of a box form a grid of 2 k points along each
 * axis, which represents the box. A rule of k points integrates products of polynomials of degree below k exactly. The
 * polynomial of a child is therefore the interpolant of its values. Integrals over the same grid give the nearest
 * polynomial over the box, without the two-scale relation or folding. The difference is the sum of squared residuals at
 * the grid's points. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ask.h"
#include "madness_quadrature.h"

static const double min_magnitude = 1e-300; /* the smallest number that keeps all digits */

struct check_box {
    uint32_t level, at[3];
};

struct madness_check {
    struct gws_runtime *runtime;
    const struct gws_madness_problem *problem;
    const struct gws_madness_tree *tree;
    struct gws_diagnostic *where;
    struct quadrature grid;
    double *given, *values, *first, *second;
    uint64_t next; /* index of the next family */
    uint64_t boxes, forced, rough;
    double volume;
};

#define WRONG(check, ...) gws_diagnostic_set((check)->where, GWS_WRONG_RESULT, NULL, 0, 0, __VA_ARGS__)
#define NUMBER(n) ((unsigned long long)(n))

/* ---- sums over a box ---- */

/* Evaluates the function on the box's grid. Fills an array of (2 k)^3 values. */
static void evaluate(struct madness_check *check, uint32_t function, const struct check_box *box)
{
    const struct gws_madness_problem *problem = check->problem;
    const uint64_t k = problem->order, n = 2 * k;
    double x[3][2 * max_order];
    for (int a = 0; a < 3; a++)
        for (uint32_t i = 0; i < n; i++) {
            double edge = (problem->high[a] - problem->low[a]) / (double)(UINT64_C(2) << box->level);
            x[a][i] = problem->low[a] + edge * (2.0 * box->at[a] + i % 2 + check->grid.point[i / 2]);
        }
    const struct gws_madness_grid grid = {problem->order, x[0], x[1], x[2]};
    problem->values(problem->context, function, &grid, check->given);
    for (uint64_t e = 0; e < k * k * k; e++)
        for (uint64_t c = 0; c < 8; c++) {
            uint64_t i = (c >> 2 & 1) * k + e / (k * k), j = (c >> 1 & 1) * k + e / k % k, l = (c & 1) * k + e % k;
            check->values[(i * n + j) * n + l] = check->given[8 * e + c];
        }
}

/* Returns the squared difference between the values and the nearest polynomial. */
static double square_left(struct madness_check *check, double scale)
{
    const uint32_t k = check->problem->order;
    const uint64_t n = 2 * (uint64_t)k;
    const double *weight = check->grid.weight;
    double sum = 0;
    sum_points(check->values, 2 * k, n * n, check->grid.parents, k, weight, k, check->first);
    sum_points(check->first, 2 * k, n * k, check->grid.parents, k, weight, k, check->second);
    sum_points(check->second, 2 * k, (uint64_t)k * k, check->grid.parents, k, weight, k, check->first);
    sum_basis(check->first, k, (uint64_t)k * k, check->grid.parents, 2 * k, check->second);
    sum_basis(check->second, k, n * k, check->grid.parents, 2 * k, check->first);
    sum_basis(check->first, k, n * n, check->grid.parents, 2 * k, check->second);
    for (uint64_t e = 0; e < n * n * n; e++) {
        double left = check->values[e] - check->second[e] / 8; /* a child has half of the box along each axis */
        /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): the order is at least 1 */
        sum += left * left * weight[e / (n * n) % k] * weight[e / n % k] * weight[e % k];
    }
    return sum * scale * scale;
}

/* ---- one box ---- */

static gws_status compare_child(struct madness_check *check, const struct gws_madness_family *family, uint32_t c,
                                double scale, double *square)
{
    const uint32_t k = check->problem->order;
    const uint64_t entries = (uint64_t)k * k * k;
    double largest = 0, sum = 0;
    for (uint64_t e = 0; e < entries; e++) {
        check->values[e] = check->given[8 * e + c];
        largest = fmax(largest, fabs(check->values[e]));
    }
    sum_points(check->values, k, (uint64_t)k * k, check->grid.own, k, check->grid.weight, k, check->first);
    sum_points(check->first, k, (uint64_t)k * k, check->grid.own, k, check->grid.weight, k, check->second);
    sum_points(check->second, k, (uint64_t)k * k, check->grid.own, k, check->grid.weight, k, check->first);
    for (uint64_t e = 0; e < entries; e++) {
        double is = family->coefficient[8 * e + c], should = check->first[e] * scale;
        sum += should * should;
        if (fabs(is - should) <= 1e-12 * largest * scale + min_magnitude) continue;
        return WRONG(check, "level %u, box %u %u %u, child %u: coefficient %llu is %.17g, not %.17g", family->level,
                     family->at[0], family->at[1], family->at[2], c, NUMBER(e), is, should);
    }
    *square += sum;
    return GWS_OK;
}

/* Returns true if the next family belongs to this box. */
static bool is_next(const struct madness_check *check, uint32_t function, const struct check_box *box)
{
    if (check->next >= check->tree->part[function].end) return false;
    const struct gws_madness_family *family = &check->tree->family[check->next];
    return family->function == function && family->level == box->level &&
           memcmp(family->at, box->at, sizeof box->at) == 0;
}

static gws_status compare_family(struct madness_check *check, uint32_t function, const struct check_box *box,
                                 double difference)
{
    const struct gws_madness_family *family = &check->tree->family[check->next];
    const double scale = sqrt(check->volume * pow(0.125, box->level + 1));
    double square = 0;
    evaluate(check, function, box);
    gws_status status = GWS_OK;
    for (uint32_t c = 0; c < 8 && status == GWS_OK; c++) status = compare_child(check, family, c, scale, &square);
    if (status != GWS_OK) return status;
    check->next++;
    if (fabs(family->square - square) > 1e-10 * square + min_magnitude)
        return WRONG(check, "family %llu: its square is %.17g, not %.17g", NUMBER(check->next - 1), family->square,
                     square);
    if (fabs(family->difference - difference) > 1e-9 * difference + 1e-12 * sqrt(square) + sqrt(min_magnitude))
        return WRONG(check, "family %llu: its difference is %.17g, not %.17g", NUMBER(check->next - 1),
                     family->difference, difference);
    return GWS_OK;
}

static bool is_forced(const struct madness_check *check, uint32_t function, const struct check_box *box)
{
    const struct gws_madness_problem *problem = check->problem;
    if (box->level == problem->max_level) return false;
    for (uint32_t i = 0; i < problem->specials; i++) {
        const struct gws_madness_special *special = &problem->special[i];
        bool touches = special->function == function && box->level < special->level;
        for (int a = 0; a < 3 && touches; a++) {
            double unit = (special->at[a] - problem->low[a]) / (problem->high[a] - problem->low[a]);
            double boxes = pow(2, box->level), in = fmin(floor(unit * boxes), boxes - 1);
            touches = fabs(in - box->at[a]) <= 1;
        }
        if (touches) return true;
    }
    return false;
}

static double tolerance(const struct madness_check *check, uint32_t level)
{
    const struct gws_madness_problem *problem = check->problem;
    double shortest = problem->high[0] - problem->low[0];
    for (int a = 1; a < 3; a++) shortest = fmin(shortest, problem->high[a] - problem->low[a]);
    return problem->threshold * fmin(1, pow(pow(0.5, level) * shortest, problem->mode));
}

static gws_status walk(struct madness_check *check, uint32_t function, const struct check_box *box);

static gws_status walk_children(struct madness_check *check, uint32_t function, const struct check_box *box)
{
    gws_status status = GWS_OK;
    for (uint32_t c = 0; c < 8 && status == GWS_OK; c++) {
        struct check_box child = {box->level + 1, {0, 0, 0}};
        for (uint32_t a = 0; a < 3; a++) child.at[a] = 2 * box->at[a] + (c >> (2 - a) & 1);
        status = walk(check, function, &child);
    }
    return status;
}

/* Returns true if the difference is so near to the tolerance that rounding decides. */
static bool is_near(double difference, double limit, double norm)
{
    return fabs(difference - limit) <= 1e-9 * limit + 1e-12 * norm;
}

static gws_status walk(struct madness_check *check, uint32_t function, const struct check_box *box)
{
    const double scale = sqrt(check->volume * pow(0.125, box->level + 1)), limit = tolerance(check, box->level);
    const bool last = box->level == check->problem->max_level, is_family = is_next(check, function, box);
    check->boxes++;
    if (gws_cancelled(check->runtime)) return GWS_CANCELLED;
    if (is_forced(check, function, box)) {
        check->forced++;
        return walk_children(check, function, box);
    }
    evaluate(check, function, box);
    double difference = sqrt(square_left(check, scale));
    bool divided = difference >= limit && !last;
    if (divided == is_family && (last || !is_near(difference, limit, check->tree->part[function].norm)))
        return WRONG(check,
                     "function %u, level %u, box %u %u %u: %s, with a difference of %.17g and a tolerance of %.17g",
                     function, box->level, box->at[0], box->at[1], box->at[2], is_family ? "not divided" : "divided",
                     difference, limit);
    if (!is_family) return walk_children(check, function, box);
    check->rough += check->tree->family[check->next].difference >= limit;
    return compare_family(check, function, box, difference);
}

/* ---- all ---- */

static gws_status same(const struct madness_check *check, const char *what, uint64_t found, uint64_t expected)
{
    if (found == expected) return GWS_OK;
    return WRONG(check, "%s: %llu, not %llu", what, NUMBER(found), NUMBER(expected));
}

static gws_status check_totals(const struct madness_check *check, double square)
{
    const struct gws_madness_tree *tree = check->tree;
    gws_status status = same(check, "boxes", tree->boxes, check->boxes);
    if (status == GWS_OK) status = same(check, "divided boxes", tree->divided, check->boxes - check->next);
    if (status == GWS_OK) status = same(check, "forced boxes", tree->forced, check->forced);
    if (status == GWS_OK) status = same(check, "families", tree->families, check->next);
    if (status == GWS_OK) status = same(check, "leaves", tree->leaves, 8 * check->next);
    if (status == GWS_OK) status = same(check, "rough families", tree->rough, check->rough);
    if (status == GWS_OK && fabs(tree->norm * tree->norm - square) > 1e-12 * square)
        return WRONG(check, "the norm is %.17g, not %.17g", tree->norm, sqrt(square));
    return status;
}

static gws_status check_function(struct madness_check *check, uint32_t function, double *square)
{
    const struct gws_madness_part *part = &check->tree->part[function];
    uint32_t depth = 0;
    double sum = 0;
    gws_status status = same(check, "a part's first family", part->begin, check->next);
    if (status == GWS_OK) status = walk_children(check, function, &(struct check_box){0, {0, 0, 0}});
    if (status == GWS_OK) status = same(check, "a part's last family", part->end, check->next);
    for (uint64_t i = part->begin; i < check->next && status == GWS_OK; i++) {
        depth = check->tree->family[i].level >= depth ? check->tree->family[i].level + 1 : depth;
        sum += check->tree->family[i].square;
    }
    if (status == GWS_OK) status = same(check, "a part's depth", part->depth, depth);
    if (status == GWS_OK && fabs(part->norm * part->norm - sum) > 1e-12 * sum)
        return WRONG(check, "function %u: its norm is %.17g, not %.17g", function, part->norm, sqrt(sum));
    *square += sum;
    return status;
}

static gws_status madness_check(struct gws_runtime *runtime, const struct gws_madness_problem *problem,
                                const struct gws_madness_tree *tree, struct gws_diagnostic *where)
{
    if (problem->order != tree->order || problem->functions != tree->functions) return GWS_INVALID;
    const uint64_t entries = UINT64_C(8) * problem->order * problem->order * problem->order;
    struct madness_check *check = gws_allocate(runtime, 1, sizeof *check);
    double *memory = gws_allocate(runtime, 4 * entries, sizeof *memory), square = 0;
    gws_status status = check && memory ? GWS_OK : GWS_NO_MEMORY;
    if (status == GWS_OK) {
        *check =
            (struct madness_check){.runtime = runtime, .problem = problem, .tree = tree, .where = where, .volume = 1};
        check->given = memory;
        check->values = memory + entries;
        check->first = memory + 2 * entries;
        check->second = memory + 3 * entries;
        for (int a = 0; a < 3; a++) check->volume *= problem->high[a] - problem->low[a];
        check->grid.order = problem->order;
        find_points(&check->grid);
        find_basis(&check->grid);
        for (uint32_t f = 0; f < tree->functions && status == GWS_OK; f++) status = check_function(check, f, &square);
        if (status == GWS_OK) status = check_totals(check, square);
    }
    gws_release(runtime, memory, 4 * entries, sizeof *memory);
    gws_release(runtime, check, 1, sizeof *check);
    return status;
}

gws_status gws_madness_check(struct gws_runtime *runtime, const struct gws_madness_problem *problem,
                             const struct gws_madness_tree *tree, struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, ask_end(runtime, madness_check(runtime, problem, tree, where), where));
}
