/* SPDX-License-Identifier: MIT */
/* gtask uts: unbalanced tree search, with the options of the original program (Olivier et al., LCPC 2006) and named
 * trees. A given option replaces the parameter of the named tree or the original program's default. */
#include <inttypes.h>
#include <string.h>

#include "../../workloads/uts.h"
#include "../common/console.h"
#include "task_sides.h"
#include "uts_tree.h"

/* ---- the workload ---- */

static const uint64_t max_serial_nodes = 40000000; /* about 15 s */

struct uts_state {
    struct task_sides sides; /* must be first */
    const char *name, *hash; /* NULL: not given */
    uint64_t batch;          /* 0: chosen automatically */
    struct gws_uts_tree given;
    struct gws_uts_tree tree;
    const struct gws_uts_named *known; /* the named tree with the same nodes; NULL: none */
    struct gws_uts_result result, verified;
    struct gws_uts_device *program[DEVICE_CHOICES_MAX]; /* for each device */
};

#define FIELD(name) offsetof(struct uts_state, name)

static const struct option_row row[] = {
    {TEXT("tree", "NAME|help", FIELD(name), "search a standard tree, such as T1L; help lists them")},
    {TEXT("hash", "NAME|help", FIELD(hash), "compute SHA-1 this way (default: the fastest supported)")},
    {NUMBER("batch", "N", FIELD(batch), 1, 256, "hash N nodes together (default: automatic)")},
};

static const struct subcommand_rows group[] = {
    {row, sizeof row / sizeof *row, 0},
    {uts_tree_row, UTS_TREE_ROWS, offsetof(struct uts_state, given)},
    TASK_SIDES_GROUPS(struct uts_state),
};

static const struct uts_state initial = {.given = UTS_TREE_NOT_GIVEN};

static int check(void *context)
{
    struct uts_state *state = context;
    int status = options_check_ability("hash", gws_uts_hash_at, 16, state->hash);
    if (status < 0) status = uts_tree_open(state->name, &state->given, &state->tree);
    if (status >= 0) return status;
    state->known = uts_tree_known(&state->tree);
    return task_sides_check(&state->sides, state->hash ? "hash" : state->batch ? "batch" : NULL);
}

/* ---- running ---- */

static int open(void *context, struct gws_runtime *runtime)
{
    struct uts_state *state = context;
    struct gws_diagnostic where = {0};
    int failure = task_sides_open(&state->sides, runtime);
    const struct gws_device_tasks_options options = task_sides_options(&state->sides);
    for (uint32_t i = 0; i < state->sides.devices && failure < 0; i++)
        failure = task_sides_opened(
            gws_uts_device_open(runtime, state->sides.device[i], &options, &state->program[i], &where), &where);
    return failure;
}

static void end(void *context, struct gws_runtime *runtime)
{
    struct uts_state *state = context;
    (void)runtime;
    for (uint32_t i = 0; i < DEVICE_CHOICES_MAX; i++) gws_uts_device_close(state->program[i]);
    task_sides_close(&state->sides);
}

static gws_status run(void *context, struct gws_runtime *runtime, struct gws_diagnostic *where)
{
    struct uts_state *state = context;
    struct task_sides *sides = &state->sides;
    const struct gws_uts_options options = {
        .hash = state->hash, .batch = (uint32_t)state->batch, .ranks = sides->ranks, .devices_only = !sides->workers};
    gws_status status = sides->devices > 0 ? gws_uts_sides(runtime, state->program, sides->devices, &options,
                                                           &state->tree, &state->result, sides->found, where)
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
    uts_tree_print(&((const struct uts_state *)context)->tree, out);
}

static void parameters_json(const void *context, struct json *json)
{
    const struct uts_state *state = context;
    json_name(json, "tree", state->known ? state->known->name : NULL);
    json_text(json, "type", uts_type_name[state->tree.type]);
    json_text(json, "shape", uts_shape_name[state->tree.shape]);
    json_name(json, "hash", !state->sides.workers ? NULL : state->hash ? state->hash : gws_uts_hash_at(0, NULL));
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
    .device = task_sides_address,
    .open = open,
    .use_ranks = task_sides_use_ranks,
    .add_device = task_sides_add_device,
    .end = end,
    .run = run,
    .verify = verify,
    .describe = describe,
    .print = task_sides_print,
    .table = task_sides_table,
    .parameters_json = parameters_json,
    .result_json = task_sides_json,
    .parameter = JSON_TABLE(parameter),
    .found = JSON_TABLE(found),
    .finding = "tree      {nodes} nodes, depth {depth}, {leaves} leaves\n",
    .unit = "nodes",
    .units = offsetof(struct uts_state, result.nodes),
};
