/* SPDX-License-Identifier: MIT */
#include "uts_tree.h"

#include <inttypes.h>
#include <string.h>

#include "../common/console.h"

enum { MAX_DEPTH = 1 << 20, MAX_BRANCHING = 1 << 24, MAX_FACTOR = 100 };

const char *const uts_type_name[] = {"binomial", "geometric", "hybrid", "balanced", NULL};
const char *const uts_shape_name[] = {"linear", "exponential", "cyclic", "fixed", NULL};

#define FIELD_OF_TREE(name) offsetof(struct gws_uts_tree, name)

const struct option_row uts_tree_row[UTS_TREE_ROWS] = {
    {CHOICE(NULL, "TYPE", FIELD_OF_TREE(type), uts_type_name,
            "search a tree of type 0 binomial, 1 geometric, 2 hybrid, 3 balanced\n(default: 1)"),
     .short_name = 't', .value = 1},
    {CHOICE(NULL, "SHAPE", FIELD_OF_TREE(shape), uts_shape_name,
            "shape a geometric tree: 0 linear, 1 exponential, 2 cyclic, 3 fixed\n(default: 0)"),
     .short_name = 'a', .value = 1},
    {NUMBER(NULL, "N", FIELD_OF_TREE(depth), 0, MAX_DEPTH, "limit the depth, except in binomial trees (default: 6)"),
     .short_name = 'd'},
    {REAL(NULL, "X", FIELD_OF_TREE(branching), MAX_BRANCHING,
          "give the root X children in the mean: the branching (default: 4)"),
     .short_name = 'b'},
    {NUMBER(NULL, "N", FIELD_OF_TREE(seed), 0, UINT32_MAX, "seed the root with N (default: 0)"), .short_name = 'r'},
    {REAL(NULL, "X", FIELD_OF_TREE(chance), 1, "binomial: give a node children with chance X (default: 0.234375)"),
     .short_name = 'q'},
    {NUMBER(NULL, "N", FIELD_OF_TREE(branching_factor), 0, MAX_FACTOR,
            "binomial: give such a node N children (default: 4)"),
     .short_name = 'm'},
    {REAL(NULL, "X", FIELD_OF_TREE(turn), 1, "hybrid: become binomial at the fraction X of -d (default: 0.5)"),
     .short_name = 'f'},
    {NUMBER(NULL, "N", FIELD_OF_TREE(repeat), 1, UINT32_MAX, "compute each hash N times for longer tasks (default: 1)"),
     .short_name = 'g'},
};
/* ---- options that are not given ---- */

static const struct gws_uts_tree not_given = UTS_TREE_NOT_GIVEN;

static bool is_geometric(const struct gws_uts_tree *tree)
{
    return tree->type == GWS_UTS_GEOMETRIC || tree->type == GWS_UTS_HYBRID;
}

static bool is_binomial(const struct gws_uts_tree *tree)
{
    return tree->type == GWS_UTS_BINOMIAL || tree->type == GWS_UTS_HYBRID;
}

/* Returns true if the option affects trees of this type. */
static bool affects(const struct gws_uts_tree *tree, char short_name)
{
    return short_name == 'a'                        ? is_geometric(tree)
           : short_name == 'd'                      ? tree->type != GWS_UTS_BINOMIAL
           : short_name == 'q' || short_name == 'm' ? is_binomial(tree)
           : short_name == 'f'                      ? tree->type == GWS_UTS_HYBRID
                                                    : true;
}

/* Returns true if both trees have the same value for a row. */
static bool is_same(const struct gws_uts_tree *a, const struct gws_uts_tree *b, const struct option_row *row)
{
    size_t bytes = row->kind == OPTION_CHOICE ? sizeof a->type : sizeof a->depth;
    return memcmp((const char *)a + row->field, (const char *)b + row->field, bytes) == 0;
}

static struct gws_uts_tree tree_of(const struct gws_uts_tree *given, const struct gws_uts_named *base)
{
    struct gws_uts_tree tree = base ? base->tree : gws_uts_defaults;
    for (uint32_t i = 0; i < UTS_TREE_ROWS; i++) {
        const size_t field = uts_tree_row[i].field, bytes = uts_tree_row[i].kind == OPTION_CHOICE ? sizeof(int) : 8;
        if (!is_same(given, &not_given, &uts_tree_row[i]))
            memcpy((char *)&tree + field, (const char *)given + field, bytes);
    }
    return tree;
}

static int check_given(const struct gws_uts_tree *given, const struct gws_uts_tree *tree)
{
    for (uint32_t i = 0; i < UTS_TREE_ROWS; i++)
        if (!is_same(given, &not_given, &uts_tree_row[i]) && !affects(tree, uts_tree_row[i].short_name))
            return console_usage("-%c has no effect in a %s tree", uts_tree_row[i].short_name,
                                 uts_type_name[tree->type]);
    return -1;
}

const struct gws_uts_named *uts_tree_known(const struct gws_uts_tree *tree)
{
    const struct gws_uts_named *named;
    for (uint32_t i = 0; (named = gws_uts_at(i)); i++) {
        bool same = true;
        for (uint32_t r = 0; r < UTS_TREE_ROWS; r++)
            same = same && (uts_tree_row[r].short_name == 'g' || !affects(tree, uts_tree_row[r].short_name) ||
                            is_same(tree, &named->tree, &uts_tree_row[r]));
        if (same) return named;
    }
    return NULL;
}

static int list_trees(void)
{
    const struct gws_uts_named *named;
    char nodes[CONSOLE_NUMBER], leaves[CONSOLE_NUMBER];
    for (uint32_t i = 0; (named = gws_uts_at(i)); i++)
        printf("%-8s%-48s%18s nodes%8" PRIu64 " deep%18s leaves\n", named->name, named->about,
               console_count(named->result.nodes, nodes), named->result.depth,
               console_count(named->result.leaves, leaves));
    return console_finish();
}

int uts_tree_open(const char *name, const struct gws_uts_tree *given, struct gws_uts_tree *tree)
{
    const struct gws_uts_named *named = NULL;
    if (name && strcmp(name, "help") == 0) return list_trees();
    if (name && !(named = gws_uts_named(name)))
        return console_usage("--tree: unknown tree '%s'; --tree help lists them", name);
    *tree = tree_of(given, named);
    return check_given(given, tree);
}

void uts_tree_print(const struct gws_uts_tree *tree, FILE *out)
{
    const struct gws_uts_named *known = uts_tree_known(tree);
    if (known) fprintf(out, "%s, ", known->name);
    fputs(uts_type_name[tree->type], out);
    if (is_geometric(tree)) fprintf(out, " (%s)", uts_shape_name[tree->shape]);
    if (tree->type != GWS_UTS_BINOMIAL) fprintf(out, ", depth %" PRIu64, tree->depth);
    fprintf(out, ", branching %.10g, seed %" PRIu64, tree->branching, tree->seed);
    if (is_binomial(tree)) fprintf(out, ", chance %.10g of %" PRIu64, tree->chance, tree->branching_factor);
    if (tree->repeat > 1) fprintf(out, ", each hash %" PRIu64 " times", tree->repeat);
}

gws_status uts_tree_refused(const struct gws_uts_tree *tree, gws_status status, struct gws_diagnostic *where)
{
    if (status == GWS_TOO_LARGE && is_binomial(tree))
        return gws_diagnostic_set(where, status, NULL, 0, 0, "-q times -m is %g: above 1 the tree is infinite",
                                  tree->chance * (double)tree->branching_factor);
    if (status == GWS_TOO_LARGE)
        return gws_diagnostic_set(where, status, NULL, 0, 0, "-b is %g: at 1 and below an exponential tree is infinite",
                                  tree->branching);
    return gws_diagnostic_set(where, status, NULL, 0, 0, "-d is %" PRIu64 ": a tree of this shape needs %s",
                              tree->depth, tree->shape == GWS_UTS_EXPONENTIAL ? "2 to 4096" : "1 to 4096");
}
