/* SPDX-License-Identifier: MIT */
/* gtask uts: unbalanced tree search, with the options of the original program (Olivier et al., LCPC 2006) and trees by
 * name. Options that are given replace those of the named tree, or of the original's defaults. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "../../workloads/uts.h"
#include "../common/console.h"
#include "workload.h"

/* ---- trees ---- */

enum { UTS_NOT_GIVEN = -1 };

/* As given; UTS_NOT_GIVEN, UINT64_MAX or not a number where they are not. */
struct uts_given {
    int type, shape;
    uint64_t depth, seed, litter, repeat;
    double branching, chance, turn;
};

enum { MOST_DEPTH = 1 << 20, MOST_BRANCHING = 1 << 24, MOST_LITTER = 100 };

static const char *const type_name[] = {"binomial", "geometric", "hybrid", "balanced", NULL};
static const char *const shape_name[] = {"linear", "exponential", "cyclic", "fixed", NULL};

#define GIVEN(name) offsetof(struct uts_given, name)

static const struct option_row tree_row[] = {
    {CHOICE(NULL, "TYPE", GIVEN(type), type_name, "0 binomial, 1 geometric, 2 hybrid, 3 balanced (default: 1)"),
     .letter = 't', .value = 1},
    {CHOICE(NULL, "SHAPE", GIVEN(shape), shape_name,
            "of geometric trees: 0 linear, 1 exponential, 2 cyclic, 3 fixed\n(default: 0)"),
     .letter = 'a', .value = 1},
    {NUMBER(NULL, "N", GIVEN(depth), 0, MOST_DEPTH, "depth; binomial trees have no bound (default: 6)"), .letter = 'd'},
    {REAL(NULL, "X", GIVEN(branching), MOST_BRANCHING, "branching: children of the root, in the mean (default: 4)"),
     .letter = 'b'},
    {NUMBER(NULL, "N", GIVEN(seed), 0, UINT32_MAX, "seed of the root (default: 0)"), .letter = 'r'},
    {REAL(NULL, "X", GIVEN(chance), 1, "binomial: the chance that a node has children\n(default: 0.234375)"),
     .letter = 'q'},
    {NUMBER(NULL, "N", GIVEN(litter), 0, MOST_LITTER, "binomial: how many it has then (default: 4)"), .letter = 'm'},
    {REAL(NULL, "X", GIVEN(turn), 1, "hybrid: binomial from so deep on, 0 to 1 of -d (default: 0.5)"), .letter = 'f'},
    {NUMBER(NULL, "N", GIVEN(repeat), 1, UINT32_MAX, "compute each hash N times: longer tasks (default: 1)"),
     .letter = 'g'},
};

static void uts_given_begin(struct uts_given *given)
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

static struct gws_uts_tree uts_tree_of(const struct uts_given *given, const struct gws_uts_named *base)
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

static int uts_given_check(const struct uts_given *given, const struct gws_uts_tree *tree)
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

static const struct gws_uts_named *uts_tree_known(const struct gws_uts_tree *tree)
{
    const struct gws_uts_named *named;
    for (uint32_t i = 0; (named = gws_uts_at(i)); i++)
        if (same_tree(&named->tree, tree)) return named;
    return NULL;
}

static void uts_tree_describe(const struct gws_uts_tree *tree, const struct gws_uts_named *known, FILE *out)
{
    if (known) fprintf(out, "%s, ", known->name);
    fputs(type_name[tree->type], out);
    if (is_geometric(tree)) fprintf(out, " (%s)", shape_name[tree->shape]);
    if (tree->type != GWS_UTS_BINOMIAL) fprintf(out, ", depth %" PRIu32, tree->depth);
    fprintf(out, ", branching %.10g, seed %" PRIu32, tree->branching, tree->seed);
    if (is_binomial(tree)) fprintf(out, ", chance %.10g of %" PRIu32, tree->chance, tree->litter);
    if (tree->repeat > 1) fprintf(out, ", each hash %" PRIu32 " times", tree->repeat);
}

static void uts_tree_json(const struct gws_uts_tree *tree, const struct gws_uts_named *known, struct json *json)
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

static gws_status uts_tree_refused(const struct gws_uts_tree *tree, gws_status status, struct gws_where *where)
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

/* ---- the workload ---- */

static const uint64_t most_serial_nodes = 40000000; /* about 15 s */

struct state {
    const char *name, *hash; /* NULL: not given */
    uint64_t batch;          /* 0: chosen */
    struct uts_given given;
    struct gws_uts_tree tree;
    const struct gws_uts_named *known; /* the named tree that this is, whatever it was called; NULL: none */
    struct gws_uts_result result, verified;
};

#define FIELD(name) offsetof(struct state, name)

static const struct option_row row[] = {
    {TEXT("tree", "NAME|help", FIELD(name), "a tree that others measure too, such as T1L; help lists them")},
    {TEXT("hash", "NAME|help", FIELD(hash), "how SHA-1 is computed (default: the fastest here)")},
    {NUMBER("batch", "N", FIELD(batch), 1, 256, "nodes hashed together (default: chosen)")},
};

static const struct workload_rows group[] = {
    {row, sizeof row / sizeof *row, 0},
    {tree_row, sizeof tree_row / sizeof *tree_row, offsetof(struct state, given)},
};

static void begin(void *state)
{
    uts_given_begin(&((struct state *)state)->given);
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

static int check(void *context)
{
    struct state *state = context;
    const struct gws_uts_named *named = NULL;
    int status = options_check_ability("hash", gws_uts_hash_at, 16, state->hash);
    if (status >= 0) return status;
    if (state->name && strcmp(state->name, "help") == 0) return list_trees();
    if (state->name && !(named = gws_uts_named(state->name)))
        return console_usage("--tree: no tree '%s'; --tree help lists them", state->name);
    state->tree = uts_tree_of(&state->given, named);
    state->known = uts_tree_known(&state->tree);
    return uts_given_check(&state->given, &state->tree);
}

/* ---- running ---- */

static gws_status run(void *context, struct gws_runtime *runtime, struct gws_where *where)
{
    struct state *state = context;
    struct gws_uts_options options = {.hash = state->hash, .batch = (uint32_t)state->batch};
    gws_status status = gws_uts_search(runtime, &state->tree, &options, &state->result);
    bool refused = status == GWS_INVALID || status == GWS_TOO_LARGE;
    return refused ? uts_tree_refused(&state->tree, status, where) : status;
}

static bool same_result(const struct gws_uts_result *a, const struct gws_uts_result *b)
{
    return a->nodes == b->nodes && a->depth == b->depth && a->leaves == b->leaves;
}

static gws_status verify_known(const struct state *state, struct gws_where *where)
{
    const struct gws_uts_result *want = &state->known->result, *found = &state->result;
    if (same_result(want, found)) return GWS_OK;
    return gws_where_set(
        where, GWS_WRONG_RESULT, NULL, 0, 0,
        "found %" PRIu64 " nodes, depth %" PRIu64 ", %" PRIu64 " leaves; %s has %" PRIu64 ", %" PRIu64 ", %" PRIu64,
        found->nodes, found->depth, found->leaves, state->known->name, want->nodes, want->depth, want->leaves);
}

/* Where the published counts are not known, a serial search, once: later runs are held against the first. */
static gws_status verify(void *context, struct gws_runtime *runtime, struct gws_where *where)
{
    struct state *state = context;
    if (state->known) return verify_known(state, where);
    if (state->verified.nodes && same_result(&state->result, &state->verified)) return GWS_OK;
    if (state->result.nodes > most_serial_nodes)
        return gws_where_set(where, GWS_TOO_LARGE, NULL, 0, 0,
                             "a serial search of %" PRIu64 " nodes would take too long, and the tree has no name",
                             state->result.nodes);
    gws_status status = gws_uts_check(runtime, &state->tree, &state->result, 2 * most_serial_nodes, where);
    if (status == GWS_OK) state->verified = state->result;
    return status;
}

/* ---- showing ---- */

static void describe(const void *context, FILE *out)
{
    const struct state *state = context;
    uts_tree_describe(&state->tree, state->known, out);
}

static void print(const void *context, FILE *out)
{
    const struct gws_uts_result *result = &((const struct state *)context)->result;
    char nodes[CONSOLE_NUMBER], depth[CONSOLE_NUMBER], leaves[CONSOLE_NUMBER];
    fprintf(out, "tree      %s nodes, depth %s, %s leaves\n", console_count(result->nodes, nodes),
            console_count(result->depth, depth), console_count(result->leaves, leaves));
}

static void parameters_json(const void *context, struct json *json)
{
    const struct state *state = context;
    uts_tree_json(&state->tree, state->known, json);
    json_text(json, "hash", state->hash ? state->hash : gws_uts_hash_at(0, NULL));
}

static const struct json_field parameter[] = {{MEMBER(batch, "batch")}};

static const struct json_field found[] = {
    {MEMBER(result.nodes, "nodes")}, {MEMBER(result.depth, "depth")}, {MEMBER(result.leaves, "leaves")}};

const struct workload workload_uts = {
    .name = "uts",
    .about = "Unbalanced tree search: counts the nodes of a tree of hashes (Olivier et al.)",
    WORKLOAD_STATE,
    .begin = begin,
    .check = check,
    .run = run,
    .verify = verify,
    .describe = describe,
    .print = print,
    .parameters_json = parameters_json,
    .parameter = JSON_TABLE(parameter),
    .found = JSON_TABLE(found),
    .unit = "nodes",
    .units = offsetof(struct state, result.nodes),
};
