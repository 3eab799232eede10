/* SPDX-License-Identifier: MIT */
/* What a tree is called, how its options are read, and how it is shown. */
#include "uts_tree.h"

#include <inttypes.h>
#include <math.h>

#include "../common/console.h"

enum { MOST_DEPTH = 1 << 20, MOST_BRANCHING = 1 << 24, MOST_LITTER = 100 };

static const char *const type_name[] = {"binomial", "geometric", "hybrid", "balanced", NULL};
static const char *const shape_name[] = {"linear", "exponential", "cyclic", "fixed", NULL};

#define FIELD(name) offsetof(struct uts_given, name)

const struct option_row uts_tree_row[UTS_TREE_ROWS] = {
    {CHOICE(NULL, "TYPE", FIELD(type), type_name, "0 binomial, 1 geometric, 2 hybrid, 3 balanced (default: 1)"),
     .letter = 't', .value = 1},
    {CHOICE(NULL, "SHAPE", FIELD(shape), shape_name,
            "of geometric trees: 0 linear, 1 exponential, 2 cyclic, 3 fixed\n(default: 0)"),
     .letter = 'a', .value = 1},
    {NUMBER(NULL, "N", FIELD(depth), 0, MOST_DEPTH, "depth; binomial trees have no bound (default: 6)"), .letter = 'd'},
    {REAL(NULL, "X", FIELD(branching), MOST_BRANCHING, "branching: children of the root, in the mean (default: 4)"),
     .letter = 'b'},
    {NUMBER(NULL, "N", FIELD(seed), 0, UINT32_MAX, "seed of the root (default: 0)"), .letter = 'r'},
    {REAL(NULL, "X", FIELD(chance), 1, "binomial: the chance that a node has children\n(default: 0.234375)"),
     .letter = 'q'},
    {NUMBER(NULL, "N", FIELD(litter), 0, MOST_LITTER, "binomial: how many it has then (default: 4)"), .letter = 'm'},
    {REAL(NULL, "X", FIELD(turn), 1, "hybrid: binomial from so deep on, 0 to 1 of -d (default: 0.5)"), .letter = 'f'},
    {NUMBER(NULL, "N", FIELD(repeat), 1, UINT32_MAX, "compute each hash N times: longer tasks (default: 1)"),
     .letter = 'g'},
};

void uts_given_begin(struct uts_given *given)
{
    given->type = given->shape = UTS_NOT_GIVEN;
    given->depth = given->seed = given->litter = given->repeat = UINT64_MAX;
    given->branching = given->chance = given->turn = NAN;
}

static void replace(uint32_t *value, uint64_t given)
{
    if (given != UINT64_MAX) *value = (uint32_t)given;
}

static void replace_real(double *value, double given)
{
    if (!isnan(given)) *value = given;
}

struct gws_uts_tree uts_tree_of(const struct uts_given *given, const struct gws_uts_named *base)
{
    struct gws_uts_tree tree;
    gws_uts_defaults(&tree);
    if (base) tree = base->tree;
    if (given->type != UTS_NOT_GIVEN) tree.type = (enum gws_uts_type)given->type;
    if (given->shape != UTS_NOT_GIVEN) tree.shape = (enum gws_uts_shape)given->shape;
    replace(&tree.depth, given->depth);
    replace(&tree.seed, given->seed);
    replace(&tree.litter, given->litter);
    replace(&tree.repeat, given->repeat);
    replace_real(&tree.branching, given->branching);
    replace_real(&tree.chance, given->chance);
    replace_real(&tree.turn, given->turn);
    return tree;
}

static bool is_geometric(const struct gws_uts_tree *tree)
{
    return tree->type == GWS_UTS_GEOMETRIC || tree->type == GWS_UTS_HYBRID;
}

static bool is_binomial(const struct gws_uts_tree *tree)
{
    return tree->type == GWS_UTS_BINOMIAL || tree->type == GWS_UTS_HYBRID;
}

int uts_given_check(const struct uts_given *given, const struct gws_uts_tree *tree)
{
    const char *none = given->shape != UTS_NOT_GIVEN && !is_geometric(tree)           ? "-a"
                       : given->depth != UINT64_MAX && tree->type == GWS_UTS_BINOMIAL ? "-d"
                       : !isnan(given->chance) && !is_binomial(tree)                  ? "-q"
                       : given->litter != UINT64_MAX && !is_binomial(tree)            ? "-m"
                       : !isnan(given->turn) && tree->type != GWS_UTS_HYBRID          ? "-f"
                                                                                      : NULL;
    return none ? console_usage("%s changes nothing in a %s tree", none, type_name[tree->type]) : -1;
}

/* Do both have the same nodes? What their type does not look at may differ. */
static bool same_tree(const struct gws_uts_tree *a, const struct gws_uts_tree *b)
{
    bool same = a->type == b->type && a->seed == b->seed && a->branching == b->branching;
    if (a->type != GWS_UTS_BINOMIAL) same = same && a->depth == b->depth;
    if (is_geometric(a)) same = same && a->shape == b->shape;
    if (is_binomial(a)) same = same && a->chance == b->chance && a->litter == b->litter;
    if (a->type == GWS_UTS_HYBRID) same = same && a->turn == b->turn;
    return same;
}

const struct gws_uts_named *uts_tree_known(const struct gws_uts_tree *tree)
{
    const struct gws_uts_named *named;
    for (uint32_t i = 0; (named = gws_uts_at(i)); i++)
        if (same_tree(&named->tree, tree)) return named;
    return NULL;
}

void uts_tree_describe(const struct gws_uts_tree *tree, const struct gws_uts_named *known, FILE *out)
{
    if (known) fprintf(out, "%s, ", known->name);
    fputs(type_name[tree->type], out);
    if (is_geometric(tree)) fprintf(out, " (%s)", shape_name[tree->shape]);
    if (tree->type != GWS_UTS_BINOMIAL) fprintf(out, ", depth %" PRIu32, tree->depth);
    fprintf(out, ", branching %.10g, seed %" PRIu32, tree->branching, tree->seed);
    if (is_binomial(tree)) fprintf(out, ", chance %.10g of %" PRIu32, tree->chance, tree->litter);
    if (tree->repeat > 1) fprintf(out, ", each hash %" PRIu32 " times", tree->repeat);
}

void uts_tree_json(const struct gws_uts_tree *tree, const struct gws_uts_named *known, struct json *json)
{
    json_name(json, "tree", known ? known->name : NULL);
    json_text(json, "type", type_name[tree->type]);
    json_text(json, "shape", shape_name[tree->shape]);
    json_count(json, "depth", tree->depth);
    json_number(json, "branching", tree->branching);
    json_count(json, "seed", tree->seed);
    json_number(json, "chance", tree->chance);
    json_count(json, "litter", tree->litter);
    json_number(json, "turn", tree->turn);
    json_count(json, "repeat", tree->repeat);
}

gws_status uts_tree_refused(const struct gws_uts_tree *tree, gws_status status, struct gws_where *where)
{
    if (status == GWS_TOO_LARGE && is_binomial(tree))
        return gws_where_set(where, status, NULL, 0, 0, "-q times -m is %g: beyond 1 the tree has no end",
                             tree->chance * tree->litter);
    if (status == GWS_TOO_LARGE)
        return gws_where_set(where, status, NULL, 0, 0, "-b is %g: at 1 and below an exponential tree has no end",
                             tree->branching);
    return gws_where_set(where, status, NULL, 0, 0, "-d is %" PRIu32 ": a tree of this shape needs %s", tree->depth,
                         tree->shape == GWS_UTS_EXPONENTIAL ? "2 to 4096" : "1 to 4096");
}
