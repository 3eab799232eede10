/* SPDX-License-Identifier: MIT */
/* The problem of a MADNESS tree, with validation, the tolerance and the points of a box (madness.h has the rules).
 * This file also creates and finishes trees for all builders. */
#include <math.h>
#include <string.h>

#include "../madness.h"
#include "madness_box.h"
#include "madness_state.h"

/* ---- validation ---- */

/* Returns true if the cell is valid. The builders divide by the volume of a box, so the deepest box must have a normal
 * volume. */
static bool is_cell(const double *low, const double *high)
{
    double volume = 1;
    for (int a = 0; a < 3; a++) {
        if (!(isfinite(low[a]) && isfinite(high[a]) && low[a] < high[a])) return false;
        volume *= high[a] - low[a];
    }
    return isnormal(volume) && isnormal(ldexp(volume, -3 * (GWS_MADNESS_LEVEL + 1)));
}

static bool is_special(const struct gws_madness_problem *problem, const struct gws_madness_special *special)
{
    if (special->function >= problem->functions || special->level > GWS_MADNESS_LEVEL) return false;
    for (int a = 0; a < 3; a++)
        if (!(special->at[a] >= problem->low[a] && special->at[a] <= problem->high[a])) return false;
    return true;
}

gws_status gws__madness_problem_check(const struct gws_madness_problem *problem, struct gws_diagnostic *where)
{
    const char *wrong = NULL;
    if (problem->functions == 0 || !problem->values) wrong = "the problem has no function";
    if (!is_cell(problem->low, problem->high)) wrong = "the cell is empty, not finite or its volume out of range";
    if (problem->order == 0 || problem->order > GWS_MADNESS_ORDER) wrong = "the order is not 1 to 30";
    if (problem->mode > 2) wrong = "the mode is not 0, 1 or 2";
    if (!(problem->threshold > 0 && isfinite(problem->threshold))) wrong = "the threshold is not above 0";
    if (problem->max_level == 0 || problem->max_level > GWS_MADNESS_LEVEL) wrong = "the deepest level is not 1 to 20";
    for (uint32_t i = 0; !wrong && i < problem->specials; i++)
        if (!is_special(problem, &problem->special[i])) wrong = "a special point is out of bounds";
    if (!wrong && !gws__madness_box_named(problem->kernel)) wrong = "this processor has no kernel of that name";
    return wrong ? gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "%s", wrong) : GWS_OK;
}

void gws_madness_defaults(struct gws_madness_problem *problem)
{
    *problem = (struct gws_madness_problem){.order = 7, .threshold = 1e-5, .mode = 1, .max_level = GWS_MADNESS_LEVEL};
}

/* ---- a box ---- */

double gws__madness_tolerance(const struct gws_madness_problem *problem, uint32_t level)
{
    double shortest = INFINITY;
    for (int a = 0; a < 3; a++) shortest = fmin(shortest, problem->high[a] - problem->low[a]);
    const double scaled = ldexp(shortest, -(int)level);
    if (problem->mode == 0) return problem->threshold;
    return problem->threshold * fmin(1, problem->mode == 1 ? scaled : scaled * scaled);
}

double gws__madness_scale(const struct gws_madness_problem *problem, uint32_t level)
{
    double volume = 1;
    for (int a = 0; a < 3; a++) volume *= problem->high[a] - problem->low[a];
    return sqrt(ldexp(volume, -3 * ((int)level + 1)));
}

void gws__madness_points(const double *point, uint32_t count, double low, double high, uint32_t level, uint32_t at,
                         double *x)
{
    const double edge = ldexp(high - low, -(int)level - 1);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t h = 0; h < 2; h++) x[2 * i + h] = low + edge * (2.0 * at + h + point[i]);
}

/* ---- a tree ---- */

struct gws__madness_slab *gws__madness_slab_new(struct gws_runtime *runtime, uint64_t entries, uint64_t families)
{
    enum { line = 64, usual_bytes = 4 << 20 };
    struct gws__madness_slab *slab;
    const uint64_t each = entries * sizeof(double) + sizeof(struct gws_madness_family), around = sizeof *slab + line;
    const uint64_t max_families = around + each < usual_bytes ? (usual_bytes - around) / each : 1;
    const uint64_t capacity = families < UINT64_MAX ? families : max_families, need = around + capacity * each;
    const uint64_t bytes = families < UINT64_MAX || need > usual_bytes ? need : usual_bytes;
    slab = gws_allocate(runtime, bytes, 1);
    if (!slab) return NULL;
    *slab = (struct gws__madness_slab){.bytes = bytes, .capacity = capacity};
    const uintptr_t end = (uintptr_t)(slab->family + capacity);
    slab->coefficient = (double *)((char *)(slab->family + capacity) + (line - end % line) % line);
    return slab;
}

struct gws__madness_owner *gws__madness_owner_new(struct gws_runtime *runtime,
                                                  const struct gws_madness_problem *problem)
{
    struct gws__madness_owner *owner = gws_allocate(runtime, 1, sizeof *owner);
    if (!owner) return NULL;
    *owner = (struct gws__madness_owner){.allocator = *gws_runtime_allocator(runtime)};
    struct gws_madness_tree *tree = &owner->tree;
    tree->order = problem->order;
    tree->functions = problem->functions;
    memcpy(tree->low, problem->low, sizeof tree->low);
    memcpy(tree->high, problem->high, sizeof tree->high);
    tree->owner = owner;
    return owner;
}

/* Counts the families at the deepest level that exceed the tolerance. */
static uint64_t count_rough(const struct gws_madness_problem *problem, const struct gws_madness_tree *tree)
{
    uint64_t rough = 0;
    for (uint64_t i = 0; i < tree->families; i++)
        rough += tree->family[i].difference >= gws__madness_tolerance(problem, tree->family[i].level);
    return rough;
}

gws_status gws__madness_finish(struct gws_runtime *runtime, const struct gws_madness_problem *problem,
                               gws_status status, struct gws__madness_owner *owner, struct gws_madness_tree **tree,
                               struct gws_diagnostic *where)
{
    if (status == GWS_OK) status = gws__madness_gather(runtime, owner);
    if (status == GWS_OUT_OF_RANGE)
        (void)gws_diagnostic_set(where, status, NULL, 0, 0, "a value of the function is not finite, or too large");
    if (status == GWS_OK) {
        owner->tree.rough = count_rough(problem, &owner->tree);
        *tree = &owner->tree;
    } else if (owner)
        gws_madness_destroy(&owner->tree);
    return status;
}

/* The functions to represent by MADNESS trees. The values of a box's eight children are adjacent, so compilers
 * vectorise the loops over c. */

/* Computes exp(-sharpness (x - center)^2) at the points of one axis, for the eight children. shift selects this axis's
 * bit of a child's number. */
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
            double difference = x[2 * i + (c >> shift & 1)] - center;
            value[8 * i + c] = difference * difference;
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
