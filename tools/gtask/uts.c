/* SPDX-License-Identifier: MIT */
/* gtask uts: unbalanced tree search, with the options of the original program (Olivier et al., LCPC 2006) and trees by
 * name. Options that are given replace those of the named tree, or of the original's defaults. */
#include <inttypes.h>
#include <string.h>

#include "../common/console.h"
#include "uts_tree.h"

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
    {uts_tree_row, UTS_TREE_ROWS, offsetof(struct state, given)},
};

static void begin(void *state)
{
    uts_given_begin(&((struct state *)state)->given);
}

/* ---- names ---- */

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
