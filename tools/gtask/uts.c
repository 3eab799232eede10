/* SPDX-License-Identifier: MIT */
/* gtask uts: unbalanced tree search, with the options of the original program (Olivier et al., LCPC 2006) and named
 * trees. A given option replaces the parameter of the named tree or the original program's default. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "../../workloads/uts.h"
#include "../common/console.h"
#include "task_device.h"

/* ---- trees ---- */

enum { MAX_DEPTH = 1 << 20, MAX_BRANCHING = 1 << 24, MAX_FACTOR = 100 };

static const char *const type_name[] = {"binomial", "geometric", "hybrid", "balanced", NULL};
static const char *const shape_name[] = {"linear", "exponential", "cyclic", "fixed", NULL};

#define FIELD_OF_TREE(name) offsetof(struct gws_uts_tree, name)

static const struct option_row tree_row[] = {
    {CHOICE(NULL, "TYPE", FIELD_OF_TREE(type), type_name,
            "search a tree of type 0 binomial, 1 geometric, 2 hybrid, 3 balanced\n(default: 1)"),
     .short_name = 't', .value = 1},
    {CHOICE(NULL, "SHAPE", FIELD_OF_TREE(shape), shape_name,
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
enum { TREE_ROWS = sizeof tree_row / sizeof *tree_row };

/* Values of options that are not given. */
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
        if (!is_same(given, &not_given, &tree_row[i]) && !affects(tree, tree_row[i].short_name))
            return console_usage("-%c has no effect in a %s tree", tree_row[i].short_name, type_name[tree->type]);
    return -1;
}

/* Returns the named tree with the same nodes; NULL: none. Options without effect on the type may differ. */
static const struct gws_uts_named *uts_tree_known(const struct gws_uts_tree *tree)
{
    const struct gws_uts_named *named;
    for (uint32_t i = 0; (named = gws_uts_at(i)); i++) {
        bool same = true;
        for (uint32_t r = 0; r < TREE_ROWS; r++)
            same = same && (tree_row[r].short_name == 'g' || !affects(tree, tree_row[r].short_name) ||
                            is_same(tree, &named->tree, &tree_row[r]));
        if (same) return named;
    }
    return NULL;
}

static gws_status uts_tree_refused(const struct gws_uts_tree *tree, gws_status status, struct gws_diagnostic *where)
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

/* ---- the workload ---- */

static const uint64_t max_serial_nodes = 40000000; /* about 15 s */

struct uts_state {
    const char *name, *hash; /* NULL: not given */
    uint64_t batch;          /* 0: chosen automatically */
    struct gws_uts_tree given;
    struct gws_uts_tree tree;
    const struct gws_uts_named *known; /* the named tree with the same nodes; NULL: none */
    struct gws_uts_result result, verified;
    struct task_device device;
    struct gws_uts_device *search; /* on the device; NULL: on the CPU */
};

#define FIELD(name) offsetof(struct uts_state, name)

static const struct option_row row[] = {
    {TEXT("tree", "NAME|help", FIELD(name), "search a standard tree, such as T1L; help lists them")},
    {TEXT("hash", "NAME|help", FIELD(hash), "compute SHA-1 this way (default: the fastest supported)")},
    {NUMBER("batch", "N", FIELD(batch), 1, 256, "hash N nodes together (default: automatic)")},
};

static const struct subcommand_rows group[] = {
    {row, sizeof row / sizeof *row, 0},
    {tree_row, sizeof tree_row / sizeof *tree_row, offsetof(struct uts_state, given)},
    {task_device_row, TASK_DEVICE_ROWS, offsetof(struct uts_state, device)},
};

static const struct uts_state initial = {.given = NOT_GIVEN};

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
    struct uts_state *state = context;
    const struct gws_uts_named *named = NULL;
    int status = options_check_ability("hash", gws_uts_hash_at, 16, state->hash);
    if (status >= 0) return status;
    if (state->name && strcmp(state->name, "help") == 0) return list_trees();
    if (state->name && !(named = gws_uts_named(state->name)))
        return console_usage("--tree: unknown tree '%s'; --tree help lists them", state->name);
    state->tree = uts_tree_of(&state->given, named);
    state->known = uts_tree_known(&state->tree);
    status = task_device_check(&state->device, state->hash ? "hash" : state->batch ? "batch" : NULL);
    return status >= 0 ? status : uts_given_check(&state->given, &state->tree);
}

/* ---- running ---- */

static const char *device(const void *context, bool *cpu)
{
    const struct uts_state *state = context;
    *cpu = !state->device.address;
    return state->device.address;
}

static int open(void *context, struct gws_runtime *runtime)
{
    struct uts_state *state = context;
    struct gws_diagnostic where = {0};
    int failure = task_device_open(&state->device, runtime);
    if (failure >= 0 || !state->device.device) return failure;
    const struct gws_device_tasks_options options = task_device_options(&state->device);
    gws_status status = gws_uts_device_open(runtime, state->device.device, &options, &state->search, &where);
    return task_device_opened(status, &where);
}

static void end(void *context, struct gws_runtime *runtime)
{
    struct uts_state *state = context;
    (void)runtime;
    gws_uts_device_close(state->search);
    task_device_close(&state->device);
}

static gws_status run(void *context, struct gws_runtime *runtime, struct gws_diagnostic *where)
{
    struct uts_state *state = context;
    struct gws_uts_options options = {.hash = state->hash, .batch = (uint32_t)state->batch};
    gws_status status =
        state->search
            ? gws_uts_device_search(state->search, &state->tree, &state->result, &state->device.stats, where)
            : gws_uts_search(runtime, &state->tree, &options, &state->result);
    bool refused = status == GWS_INVALID || status == GWS_TOO_LARGE;
    return refused ? uts_tree_refused(&state->tree, status, where) : status;
}

static gws_status verify_known(const struct uts_state *state, struct gws_diagnostic *where)
{
    const struct gws_uts_result *want = &state->known->result, *found = &state->result;
    if (memcmp(want, found, sizeof *want) == 0) return GWS_OK;
    return gws_diagnostic_set(
        where, GWS_WRONG_RESULT, NULL, 0, 0,
        "found %" PRIu64 " nodes, depth %" PRIu64 ", %" PRIu64 " leaves; %s has %" PRIu64 ", %" PRIu64 ", %" PRIu64,
        found->nodes, found->depth, found->leaves, state->known->name, want->nodes, want->depth, want->leaves);
}

/* Checks a named tree against its published counts. For other trees, checks the first run against a serial search, and
 * later runs against the first. */
static gws_status verify(void *context, struct gws_runtime *runtime, struct gws_diagnostic *where)
{
    struct uts_state *state = context;
    if (state->known) return verify_known(state, where);
    if (state->verified.nodes && memcmp(&state->result, &state->verified, sizeof state->result) == 0) return GWS_OK;
    if (state->result.nodes > max_serial_nodes)
        return gws_diagnostic_set(where, GWS_TOO_LARGE, NULL, 0, 0,
                                  "a serial search of %" PRIu64 " nodes would take too long, and the tree has no name",
                                  state->result.nodes);
    gws_status status = gws_uts_check(runtime, &state->tree, &state->result, 2 * max_serial_nodes, where);
    if (status == GWS_OK) state->verified = state->result;
    return status;
}

/* ---- output ---- */

static void describe(const void *context, FILE *out)
{
    const struct gws_uts_named *known = ((const struct uts_state *)context)->known;
    const struct gws_uts_tree *tree = &((const struct uts_state *)context)->tree;
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
    const struct uts_state *state = context;
    json_name(json, "tree", state->known ? state->known->name : NULL);
    json_text(json, "type", type_name[state->tree.type]);
    json_text(json, "shape", shape_name[state->tree.shape]);
    json_name(json, "hash", state->search ? NULL : state->hash ? state->hash : gws_uts_hash_at(0, NULL));
}

static void print(const void *context, FILE *out)
{
    task_device_print(&((const struct uts_state *)context)->device, out);
}

static void result_json(const void *context, struct json *json)
{
    task_device_json(&((const struct uts_state *)context)->device, json);
}

#define MEMBER(name, key) JSON_FIELD(struct uts_state, name, key)
static const struct json_field parameter[] = {
    {MEMBER(tree.depth, "depth")},   {MEMBER(tree.branching, "branching")},
    {MEMBER(tree.seed, "seed")},     {MEMBER(tree.chance, "chance")},
    {MEMBER(tree.turn, "turn")},     {MEMBER(tree.branching_factor, "branching_factor")},
    {MEMBER(tree.repeat, "repeat")}, {MEMBER(batch, "batch")}};

static const struct json_field found[] = {
    {MEMBER(result.nodes, "nodes")}, {MEMBER(result.depth, "depth")}, {MEMBER(result.leaves, "leaves")}};

const struct workload workload_uts = {
    .command.name = "uts",
    .command.about = "Unbalanced tree search: counts the nodes of a tree of hashes (Olivier et al.)",
    WORKLOAD_STATE(struct uts_state),
    .check = check,
    .device = device,
    .open = open,
    .end = end,
    .run = run,
    .verify = verify,
    .describe = describe,
    .print = print,
    .parameters_json = parameters_json,
    .result_json = result_json,
    .parameter = JSON_TABLE(parameter),
    .found = JSON_TABLE(found),
    .finding = "tree      {nodes} nodes, depth {depth}, {leaves} leaves\n",
    .unit = "nodes",
    .units = offsetof(struct uts_state, result.nodes),
};
