/* SPDX-License-Identifier: MIT */
/* gsim uts: unbalanced tree search in virtual time, with the trees of gtask uts. */
#include <string.h>

#include "../gtask/uts_tree.h"
#include "run_file.h"
#include "simulation.h"

struct simulated_uts_state {
    const char *name; /* NULL: not given */
    uint64_t batch;
    struct gws_uts_tree given, tree;
    const struct gws_uts_named *known; /* the named tree with the same nodes; NULL: none */
    struct gws_uts_result result;
};

#define FIELD(name) offsetof(struct simulated_uts_state, name)

static const struct option_row row[] = {
    {TEXT("tree", "NAME|help", FIELD(name), "search a standard tree, such as T1L; help lists them")},
    {NUMBER("batch", "N", FIELD(batch), 1, 256, "pop N nodes together (default: 1)")},
};

static const struct subcommand_rows group[] = {
    {row, sizeof row / sizeof *row, 0},
    {uts_tree_row, UTS_TREE_ROWS, offsetof(struct simulated_uts_state, given)},
};

static const struct simulated_uts_state initial = {.given = UTS_TREE_NOT_GIVEN, .batch = 1};

static int check(void *context)
{
    struct simulated_uts_state *state = context;
    int status = uts_tree_open(state->name, &state->given, &state->tree);
    state->known = status < 0 ? uts_tree_known(&state->tree) : NULL;
    return status;
}

static gws_status run(void *context, struct gws_runtime *runtime, const struct gws_sim_options *options,
                      struct gws_sim_result *found, struct gws_diagnostic *where)
{
    struct simulated_uts_state *state = context;
    gws_status status =
        gws_uts_simulate(runtime, options, &state->tree, (uint32_t)state->batch, &state->result, found, where);
    const bool explained = where->message[0] != '\0';
    if ((status == GWS_INVALID || status == GWS_TOO_LARGE) && !explained)
        return uts_tree_refused(&state->tree, status, where);
    const struct gws_uts_named *known = state->known;
    if (status != GWS_OK || !known || memcmp(&known->result, &state->result, sizeof state->result) == 0) return status;
    return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0, "the simulation did not find all nodes of %s",
                              known->name);
}

/* Returns the index of the file's text in the names; -1: it is none of them. */
static int index_of(const struct run_file *file, const char *path, const char *const *name)
{
    const struct run_member *member = run_file_member(file, path);
    int i = 0;
    while (name[i] && !run_member_is(member, name[i])) i++;
    return name[i] ? i : -1;
}

static const char *take(void *context, const struct run_file *file)
{
    struct simulated_uts_state *state = context;
    const int type = index_of(file, "parameters.type", uts_type_name);
    const int shape = index_of(file, "parameters.shape", uts_shape_name);
    if (type < 0 || shape < 0) return "a tree of an unknown type or shape";
    state->tree.type = (enum gws_uts_type)type;
    state->tree.shape = (enum gws_uts_shape)shape;
    if (state->batch == 0) state->batch = GWS_UTS_BATCH; /* of threads */
    state->known = uts_tree_known(&state->tree);
    return NULL;
}

static void describe(const void *context, FILE *out)
{
    uts_tree_print(&((const struct simulated_uts_state *)context)->tree, out);
}

static void parameters_json(const void *context, struct json *json)
{
    const struct simulated_uts_state *state = context;
    json_name(json, "tree", state->known ? state->known->name : NULL);
    json_text(json, "type", uts_type_name[state->tree.type]);
    json_text(json, "shape", uts_shape_name[state->tree.shape]);
}

#define MEMBER(name, key) JSON_FIELD(struct simulated_uts_state, name, key)
static const struct json_field parameter[] = {
    {MEMBER(tree.depth, "depth")},   {MEMBER(tree.branching, "branching")},
    {MEMBER(tree.seed, "seed")},     {MEMBER(tree.chance, "chance")},
    {MEMBER(tree.turn, "turn")},     {MEMBER(tree.branching_factor, "branching_factor")},
    {MEMBER(tree.repeat, "repeat")}, {MEMBER(batch, "batch")}};

static const struct json_field result[] = {
    {MEMBER(result.nodes, "nodes")}, {MEMBER(result.depth, "depth")}, {MEMBER(result.leaves, "leaves")}};

const struct simulation simulation_uts = {
    .command.name = "uts",
    .command.about = "Unbalanced tree search: counts the nodes of a tree of hashes (Olivier et al.)",
    SUBCOMMAND_STATE(struct simulated_uts_state),
    .check = check,
    .run = run,
    .cost = GWS_SIM_node,
    .take = take,
    .describe = describe,
    .parameters_json = parameters_json,
    .parameter = JSON_TABLE(parameter),
    .result = JSON_TABLE(result),
    .finding = "tree      {nodes} nodes, depth {depth}, {leaves} leaves\n",
};
