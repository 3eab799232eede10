/* SPDX-License-Identifier: MIT */
/* The table of the numbers of children of a tree.
 *
 * A geometric node has floor(ln(1 - u) / ln(1 - p)) children, u = draw / 2^31. That number increases with the draw, so
 * the table holds the smallest draw of each number, at most 100 per depth. The inverse formula gives an estimate of
 * that draw. The code then steps from the estimate to the draw at which the rounded formula changes. A binomial node
 * has children if its draw is small enough. */
#include "uts_table.h"

#include <math.h>

#include "../lib/parallel.h"
#include "sha1.h"

enum { max_depth = 1 << 20, max_shaped_depth = 4096, max_branching = 1 << 24, draws_log = 31 };

#define DRAWS ((uint32_t)1 << draws_log)

static const double pi = 3.141592653589793;

/* ---- validation ---- */

static bool within(double x, double low, double high)
{
    return x >= low && x <= high; /* false for NaN */
}

static bool has_shape(const struct gws_uts_tree *tree)
{
    return tree->type == GWS_UTS_GEOMETRIC || tree->type == GWS_UTS_HYBRID;
}

static bool is_binomial(const struct gws_uts_tree *tree)
{
    return tree->type == GWS_UTS_BINOMIAL || tree->type == GWS_UTS_HYBRID;
}

static bool is_shape_legal(const struct gws_uts_tree *tree)
{
    if ((unsigned)tree->shape > GWS_UTS_FIXED) return false;
    if (tree->shape == GWS_UTS_FIXED) return true;
    return tree->depth >= (tree->shape == GWS_UTS_EXPONENTIAL ? 2 : 1) && tree->depth <= max_shaped_depth;
}

/* Returns the probability that the subtree of one node of a binomial tree is finite, where chance * branching_factor >
 * 1. This probability is the smaller root of s = 1 - q + q s^m. Newton's method from 0 converges to that root from
 * below. */
static double chance_to_end(double q, uint32_t m)
{
    double s = 0;
    for (uint32_t i = 0; i < 100; i++) s -= (1 - q + q * pow(s, m) - s) / (q * m * pow(s, m - 1.0) - 1);
    return s;
}

static bool is_endless(const struct gws_uts_tree *tree)
{
    bool lives = is_binomial(tree) && tree->chance * tree->branching_factor > 1;
    if (lives && tree->type == GWS_UTS_HYBRID) return true;
    if (lives) return pow(chance_to_end(tree->chance, tree->branching_factor), floor(tree->branching)) < 0.5;
    return tree->type == GWS_UTS_GEOMETRIC && tree->shape == GWS_UTS_EXPONENTIAL && tree->branching > 0 &&
           tree->branching <= 1;
}

gws_status gws__uts_check(const struct gws_uts_tree *tree)
{
    bool legal = (unsigned)tree->type <= GWS_UTS_BALANCED && tree->depth <= max_depth && tree->repeat > 0 &&
                 within(tree->branching, 0, max_branching);
    if (has_shape(tree)) legal = legal && is_shape_legal(tree);
    if (is_binomial(tree))
        legal = legal && within(tree->chance, 0, 1) && tree->branching_factor <= gws__uts_max_children;
    if (tree->type == GWS_UTS_HYBRID) legal = legal && within(tree->turn, 0, 1);
    if (!legal) return GWS_INVALID;
    return is_endless(tree) ? GWS_TOO_LARGE : GWS_OK;
}

/* ---- one row ---- */

/* Returns the mean of the geometric distribution at this depth, with the same operations as the original program. */
static double mean_at(const struct gws_uts_tree *tree, uint32_t depth)
{
    double b = tree->branching, x = depth, d = tree->depth;
    if (depth == 0 || b == 0) return b;
    switch (tree->shape) {
    case GWS_UTS_EXPONENTIAL:
        return b * pow(x, -log(b) / log(d));
    case GWS_UTS_CYCLIC:
        return depth > (uint64_t)5 * tree->depth ? 0 : pow(b, sin(2.0 * pi * x / d));
    case GWS_UTS_FIXED:
        return depth < tree->depth ? b : 0;
    default:
        return depth < tree->depth ? b * (1.0 - x / d) : 0;
    }
}

/* Computes the formula for the number of children, without the maximum. scale: ln(1 - p). */
static double children_of(double scale, uint32_t draw)
{
    return floor(log(1.0 - (double)draw / DRAWS) / scale);
}

/* Returns the smallest draw with at least n children, or DRAWS if there is none. */
static uint32_t threshold(double scale, uint32_t n)
{
    double guess = ceil((1.0 - exp(n * scale)) * DRAWS);
    uint32_t draw = (uint32_t)guess;
    while (draw > 0 && children_of(scale, draw - 1) >= n) draw--;
    while (draw < DRAWS && children_of(scale, draw) < n) draw++;
    return draw;
}

static void make_geometric(double mean, struct gws__uts_row *row)
{
    double scale = log(1.0 - 1.0 / (1.0 + mean));
    uint32_t n = 0;
    for (uint32_t draw = 0; mean > 0 && n < gws__uts_max_children; n++) {
        draw = threshold(scale, n + 1);
        if (draw == DRAWS) break;
        row->at[n] = draw;
    }
    row->low = n > 0 ? row->at[0] : 0;
    row->width = n > 0 ? DRAWS - row->at[0] : 0;
    for (; n <= gws__uts_max_children; n++) row->at[n] = UINT32_MAX;
    for (uint32_t k = 0; k < gws__uts_buckets; k++) {
        for (n = 0; row->at[n] <= DRAWS / gws__uts_buckets * k;) n++;
        row->begin[k] = (uint8_t)n;
    }
}

/* Makes a row in which draws below width have n children, and other draws have none. */
static void make_equal(uint32_t n, uint32_t width, struct gws__uts_row *row)
{
    row->low = 0;
    row->width = n > 0 ? width : 0;
    for (uint32_t k = 0; k <= gws__uts_max_children; k++) row->at[k] = UINT32_MAX;
    for (uint32_t k = 0; k < gws__uts_buckets; k++) row->begin[k] = (uint8_t)n;
}

static bool is_geometric(const struct gws_uts_tree *tree, uint32_t depth)
{
    return tree->type == GWS_UTS_GEOMETRIC || (tree->type == GWS_UTS_HYBRID && depth < tree->turn * tree->depth);
}

void gws__uts_row_make(const struct gws_uts_tree *tree, uint32_t depth, struct gws__uts_row *row)
{
    if (is_geometric(tree, depth)) {
        make_geometric(mean_at(tree, depth), row);
    } else if (is_binomial(tree)) {
        make_equal(tree->branching_factor, (uint32_t)ceil(tree->chance * DRAWS), row);
    } else {
        double n = depth < tree->depth ? fmin(floor(tree->branching), gws__uts_max_children) : 0;
        make_equal((uint32_t)n, DRAWS, row);
    }
}

/* ---- the table ---- */

/* Returns the number of depths with rows of their own. An exponential tree is infinite, but few nodes are deeper than
 * these rows. */
static uint32_t depths_of(const struct gws_uts_tree *tree)
{
    uint32_t shaped[] = {[GWS_UTS_LINEAR] = tree->depth,
                         [GWS_UTS_EXPONENTIAL] = 8 * tree->depth,
                         [GWS_UTS_CYCLIC] = 5 * tree->depth + 1,
                         [GWS_UTS_FIXED] = tree->depth > 0 ? tree->depth : 1};
    if (tree->type == GWS_UTS_BINOMIAL) return 0;
    if (tree->type == GWS_UTS_BALANCED) return tree->depth;
    uint32_t depths = shaped[tree->shape];
    double turn = ceil(tree->turn * tree->depth);
    return tree->type == GWS_UTS_HYBRID && turn < depths ? (uint32_t)turn : depths;
}

static bool are_alike(const struct gws_uts_tree *tree)
{
    return tree->type == GWS_UTS_BALANCED || (has_shape(tree) && tree->shape == GWS_UTS_FIXED);
}

gws_status gws__uts_table_make(struct gws_runtime *runtime, const struct gws_uts_tree *tree, const uint32_t *root,
                               struct gws__uts_table *table)
{
    struct gws__uts_table made = {.tree = *tree, .depths = depths_of(tree), .stride = !are_alike(tree)};
    made.rows = made.stride ? made.depths : 1;
    made.row = gws_allocate(runtime, made.rows, sizeof *made.row);
    if (!made.row) return GWS_NO_MEMORY;
    for (uint32_t i = 0; i < made.rows; i++) gws__uts_row_make(tree, i, &made.row[i]);
    made.formula = tree->type == GWS_UTS_GEOMETRIC && tree->shape == GWS_UTS_EXPONENTIAL;
    gws__uts_row_make(tree, made.depths, &made.rest);
    uint32_t draw = gws__sha1_draw(root[gws__sha1_words - 1]);
    struct gws__uts_row scratch;
    const struct gws__uts_row *first = gws__uts_row(&made, 0, &scratch);
    made.root_children = draw - first->low < first->width ? gws__uts_children(first, draw) : 0;
    if (tree->type == GWS_UTS_BINOMIAL) made.root_children = (uint32_t)tree->branching;
    *table = made;
    return GWS_OK;
}

void gws__uts_table_clear(struct gws_runtime *runtime, struct gws__uts_table *table)
{
    gws_release(runtime, table->row, table->rows, sizeof *table->row);
    table->row = NULL;
}
