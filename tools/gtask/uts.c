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

enum { MOST_DEPTH = 1 << 20, MOST_BRANCHING = 1 << 24, MOST_FACTOR = 100 };

static const char *const type_name[] = {"binomial", "geometric", "hybrid", "balanced", NULL};
static const char *const shape_name[] = {"linear", "exponential", "cyclic", "fixed", NULL};

#define PLACE(name) offsetof(struct gws_uts_tree, name)

static const struct option_row tree_row[] = {
    {CHOICE(NULL, "TYPE", PLACE(type), type_name, "0 binomial, 1 geometric, 2 hybrid, 3 balanced (default: 1)"),
     .letter = 't', .value = 1},
    {CHOICE(NULL, "SHAPE", PLACE(shape), shape_name,
            "of geometric trees: 0 linear, 1 exponential, 2 cyclic, 3 fixed\n(default: 0)"),
     .letter = 'a', .value = 1},
    {NUMBER(NULL, "N", PLACE(depth), 0, MOST_DEPTH, "depth; binomial trees have no bound (default: 6)"), .letter = 'd'},
    {REAL(NULL, "X", PLACE(branching), MOST_BRANCHING, "branching: children of the root, in the mean (default: 4)"),
     .letter = 'b'},
    {NUMBER(NULL, "N", PLACE(seed), 0, UINT32_MAX, "seed of the root (default: 0)"), .letter = 'r'},
    {REAL(NULL, "X", PLACE(chance), 1, "binomial: the chance that a node has children\n(default: 0.234375)"),
     .letter = 'q'},
    {NUMBER(NULL, "N", PLACE(branching_factor), 0, MOST_FACTOR, "binomial: how many it has then (default: 4)"),
     .letter = 'm'},
    {REAL(NULL, "X", PLACE(turn), 1, "hybrid: binomial from so deep on, 0 to 1 of -d (default: 0.5)"), .letter = 'f'},
    {NUMBER(NULL, "N", PLACE(repeat), 1, UINT32_MAX, "compute each hash N times: longer tasks (default: 1)"),
     .letter = 'g'},
};
enum { TREE_ROWS = sizeof tree_row / sizeof *tree_row };

/* What options did not fill in. */
#define NOT_GIVEN                                                                                                      \
    {                                                                                                                  \
        (enum gws_uts_type) - 1, (enum gws_uts_shape) - 1, UINT64_MAX, NAN, UINT64_MAX, NAN, UINT64_MAX, NAN,          \
            UINT64_MAX                                                                                                 \
    }
static const struct gws_uts_tree not_given = NOT_GIVEN;

static bool is_geometric(const struct gws_uts_tree *tree)
{
    return tree->type == GWS_UTS_GEOMETRIC || tree->type == GWS_UTS_HYBRID;
}

static bool is_binomial(const struct gws_uts_tree *tree)
{
    return tree->type == GWS_UTS_BINOMIAL || tree->type == GWS_UTS_HYBRID;
}

/* Does a tree of this type look at what the option says? */
static bool matters(const struct gws_uts_tree *tree, char letter)
{
    return letter == 'a'                    ? is_geometric(tree)
           : letter == 'd'                  ? tree->type != GWS_UTS_BINOMIAL
           : letter == 'q' || letter == 'm' ? is_binomial(tree)
           : letter == 'f'                  ? tree->type == GWS_UTS_HYBRID
                                            : true;
}

/* Do both say the same for a row? */
static bool is_same(const struct gws_uts_tree *a, const struct gws_uts_tree *b, const struct option_row *row)
{
    size_t bytes = row->kind == OPTION_CHOICE ? sizeof a->type : sizeof a->depth;
    return memcmp((const char *)a + row->field, (const char *)b + row->field, bytes) == 0;
}

static struct gws_uts_tree uts_tree_of(const struct gws_uts_tree *given, const struct gws_uts_named *base)
{
    struct gws_uts_tree tree = base ? base->tree : gws_uts_defaults;
    for (uint32_t i = 0; i < TREE_ROWS; i++) {
        const size_t field = tree_row[i].field, bytes = tree_row[i].kind == OPTION_CHOICE ? sizeof(int) : 8;
        if (!is_same(given, &not_given, &tree_row[i]))
            memcpy((char *)&tree + field, (const char *)given + field, bytes);
    }
    return tree;
}

static int uts_given_check(const struct gws_uts_tree *given, const struct gws_uts_tree *tree)
{
    for (uint32_t i = 0; i < TREE_ROWS; i++)
        if (!is_same(given, &not_given, &tree_row[i]) && !matters(tree, tree_row[i].letter))
            return console_usage("-%c changes nothing in a %s tree", tree_row[i].letter, type_name[tree->type]);
    return -1;
}

/* The named tree of the same nodes. What their type does not look at may differ. */
static const struct gws_uts_named *uts_tree_known(const struct gws_uts_tree *tree)
{
    const struct gws_uts_named *named;
    for (uint32_t i = 0; (named = gws_uts_at(i)); i++) {
        bool same = true;
        for (uint32_t r = 0; r < TREE_ROWS; r++)
            same = same && (tree_row[r].letter == 'g' || !matters(tree, tree_row[r].letter) ||
                            is_same(tree, &named->tree, &tree_row[r]));
        if (same) return named;
    }
    return NULL;
}

static gws_status uts_tree_refused(const struct gws_uts_tree *tree, gws_status status, struct gws_diagnostic *where)
{
    if (status == GWS_TOO_LARGE && is_binomial(tree))
        return gws_diagnostic_set(where, status, NULL, 0, 0, "-q times -m is %g: beyond 1 the tree has no end",
                                  tree->chance * (double)tree->branching_factor);
    if (status == GWS_TOO_LARGE)
        return gws_diagnostic_set(where, status, NULL, 0, 0, "-b is %g: at 1 and below an exponential tree has no end",
                                  tree->branching);
    return gws_diagnostic_set(where, status, NULL, 0, 0, "-d is %" PRIu64 ": a tree of this shape needs %s",
                              tree->depth, tree->shape == GWS_UTS_EXPONENTIAL ? "2 to 4096" : "1 to 4096");
}

/* ---- the workload ---- */

static const uint64_t most_serial_nodes = 40000000; /* about 15 s */

struct state {
    const char *name, *hash; /* NULL: not given */
    uint64_t batch;          /* 0: chosen */
    struct gws_uts_tree given;
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

static const struct state initial = {.given = NOT_GIVEN};

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

static gws_status run(void *context, struct gws_runtime *runtime, struct gws_diagnostic *where)
{
    struct state *state = context;
    struct gws_uts_options options = {.hash = state->hash, .batch = (uint32_t)state->batch};
    gws_status status = gws_uts_search(runtime, &state->tree, &options, &state->result);
    bool refused = status == GWS_INVALID || status == GWS_TOO_LARGE;
    return refused ? uts_tree_refused(&state->tree, status, where) : status;
}

static gws_status verify_known(const struct state *state, struct gws_diagnostic *where)
{
    const struct gws_uts_result *want = &state->known->result, *found = &state->result;
    if (memcmp(want, found, sizeof *want) == 0) return GWS_OK;
    return gws_diagnostic_set(
        where, GWS_WRONG_RESULT, NULL, 0, 0,
        "found %" PRIu64 " nodes, depth %" PRIu64 ", %" PRIu64 " leaves; %s has %" PRIu64 ", %" PRIu64 ", %" PRIu64,
        found->nodes, found->depth, found->leaves, state->known->name, want->nodes, want->depth, want->leaves);
}

/* Where the published counts are not known, a serial search, once: later runs are held against the first. */
static gws_status verify(void *context, struct gws_runtime *runtime, struct gws_diagnostic *where)
{
    struct state *state = context;
    if (state->known) return verify_known(state, where);
    if (state->verified.nodes && memcmp(&state->result, &state->verified, sizeof state->result) == 0) return GWS_OK;
    if (state->result.nodes > most_serial_nodes)
        return gws_diagnostic_set(where, GWS_TOO_LARGE, NULL, 0, 0,
                                  "a serial search of %" PRIu64 " nodes would take too long, and the tree has no name",
                                  state->result.nodes);
    gws_status status = gws_uts_check(runtime, &state->tree, &state->result, 2 * most_serial_nodes, where);
    if (status == GWS_OK) state->verified = state->result;
    return status;
}

/* ---- showing ---- */

static void describe(const void *context, FILE *out)
{
    const struct gws_uts_named *known = ((const struct state *)context)->known;
    const struct gws_uts_tree *tree = &((const struct state *)context)->tree;
    if (known) fprintf(out, "%s, ", known->name);
    fputs(type_name[tree->type], out);
    if (is_geometric(tree)) fprintf(out, " (%s)", shape_name[tree->shape]);
    if (tree->type != GWS_UTS_BINOMIAL) fprintf(out, ", depth %" PRIu64, tree->depth);
    fprintf(out, ", branching %.10g, seed %" PRIu64, tree->branching, tree->seed);
    if (is_binomial(tree)) fprintf(out, ", chance %.10g of %" PRIu64, tree->chance, tree->branching_factor);
    if (tree->repeat > 1) fprintf(out, ", each hash %" PRIu64 " times", tree->repeat);
}

static void parameters_json(const void *context, struct json *json)
{
    const struct state *state = context;
    json_name(json, "tree", state->known ? state->known->name : NULL);
    json_text(json, "type", type_name[state->tree.type]);
    json_text(json, "shape", shape_name[state->tree.shape]);
    json_text(json, "hash", state->hash ? state->hash : gws_uts_hash_at(0, NULL));
}

static const struct json_field parameter[] = {
    {MEMBER(tree.depth, "depth")},   {MEMBER(tree.branching, "branching")},
    {MEMBER(tree.seed, "seed")},     {MEMBER(tree.chance, "chance")},
    {MEMBER(tree.turn, "turn")},     {MEMBER(tree.branching_factor, "branching_factor")},
    {MEMBER(tree.repeat, "repeat")}, {MEMBER(batch, "batch")}};

static const struct json_field found[] = {
    {MEMBER(result.nodes, "nodes")}, {MEMBER(result.depth, "depth")}, {MEMBER(result.leaves, "leaves")}};

const struct workload workload_uts = {
    .name = "uts",
    .about = "Unbalanced tree search: counts the nodes of a tree of hashes (Olivier et al.)",
    WORKLOAD_STATE,
    .check = check,
    .run = run,
    .verify = verify,
    .describe = describe,
    .parameters_json = parameters_json,
    .parameter = JSON_TABLE(parameter),
    .found = JSON_TABLE(found),
    .finding = "tree      {nodes} nodes, depth {depth}, {leaves} leaves\n",
    .unit = "nodes",
    .units = offsetof(struct state, result.nodes),
};
