/* SPDX-License-Identifier: MIT */
/* gtask madness: projects functions in space onto trees of polynomials (Dinan et al., SC 2009, section 2.5.1). Given
 * options replace the defaults of the set of functions. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "../../lib/parallel.h"
#include "../common/console.h"
#include "madness_state.h"

#define FIELD(name) offsetof(struct madness_state, name)

static const struct option_row row[] = {
    {TEXT("function", "NAME|help", FIELD(set_name),
          "project this set of functions, which sets the defaults below\n(default: test)")},
    {NUMBER("bodies", "N", FIELD(bodies), 1, 1000000, "project N functions, one for each body")},
    {NUMBER("order", "N", FIELD(order), 1, GWS_MADNESS_ORDER, "use polynomials of degree below N (k in the paper)")},
    {REAL("threshold", "X", FIELD(threshold), 1e30, "divide boxes with a larger remainder: see --mode")},
    {NUMBER("mode", "N", FIELD(mode), 0, 2,
            "set the tolerance: 0: the threshold; 1, 2: times a box's edge or its\nsquare, if that is below 1")},
    {NUMBER("special-level", "N", FIELD(special_level), 0, GWS_MADNESS_LEVEL,
            "always divide boxes around a body above level N")},
    {NUMBER("max-level", "N", FIELD(max_level), 1, GWS_MADNESS_LEVEL, "divide no boxes of level N (default: 20)")},
    {TEXT("kernel", "NAME|help", FIELD(kernel), "compute boxes with this kernel (default: the fastest supported)")},
    {TEXT("device", "LIST|auto|help", FIELD(device.sides.given),
          "compute boxes on cpu (the default), KIND[:N], or both, such as\ncpu,opencl:1; auto uses the first CUDA "
          "device, if there is one; help\nlists the kinds, gdevices the devices")},
};

static const struct subcommand_rows group[] = {
    {row, sizeof row / sizeof *row, 0},
    {device_groups_row, DEVICE_GROUPS_ROWS, offsetof(struct madness_state, device.sides.groups)}};

/* Returns a given option, or otherwise the default of the set of functions. */
static uint32_t given(uint64_t value, uint32_t otherwise)
{
    return value == UINT64_MAX ? otherwise : (uint32_t)value;
}

static const struct madness_state initial = {.set_name = "test",
                                             .bodies = UINT64_MAX,
                                             .order = UINT64_MAX,
                                             .mode = UINT64_MAX,
                                             .special_level = UINT64_MAX,
                                             .max_level = UINT64_MAX,
                                             .threshold = NAN,
                                             .error = NAN};

/* ---- options ---- */

static int list_sets(void)
{
    const struct madness_set *set;
    for (uint32_t i = 0; (set = madness_set_at(i)); i++) printf("%-12s%s\n", set->name, set->about);
    return console_finish();
}

static bool is_default_set(const struct madness_state *state)
{
    return isnan(state->threshold) &&
           (state->bodies & state->order & state->mode & state->special_level & state->max_level) == UINT64_MAX;
}

static int check(void *context)
{
    struct madness_state *state = context;
    if (strcmp(state->set_name, "help") == 0) return list_sets();
    const struct madness_set *set = state->set = madness_set_named(state->set_name);
    if (!set) return console_usage("--function: unknown function '%s'; --function help lists them", state->set_name);
    if (state->threshold == 0) return console_usage("--threshold: expected a number above 0, got 0");
    int status = madness_device_check(&state->device);
    if (status >= 0) return status;
    bool cpu;
    if (task_sides_address(state, &cpu) && state->kernel)
        return console_usage("--kernel requires the CPU, and --device names only a device");
    state->is_default = is_default_set(state);
    state->problem =
        (struct gws_madness_problem){.functions = given(state->bodies, set->bodies),
                                     .values = set->values,
                                     .order = given(state->order, set->order),
                                     .mode = given(state->mode, set->mode),
                                     .threshold = isnan(state->threshold) ? set->threshold : state->threshold,
                                     .max_level = given(state->max_level, GWS_MADNESS_LEVEL),
                                     .kernel = state->kernel};
    memcpy(state->problem.low, set->low, sizeof set->low);
    memcpy(state->problem.high, set->high, sizeof set->high);
    state->special_level = given(state->special_level, set->special_level);
    state->problem.specials = state->special_level > 0 ? state->problem.functions : 0;
    return options_check_ability("kernel", gws_madness_kernel_at, 12, state->kernel);
}

/* ---- running ---- */

static bool draws(const void *context)
{
    return ((const struct madness_state *)context)->set->scattered;
}

static int open(void *context, struct gws_runtime *runtime)
{
    struct madness_state *state = context;
    int failure = madness_device_open(&state->device, runtime, state->problem.order);
    state->computed_by = state->device.builder ? task_sides_name(&state->device.sides, 0)
                         : state->kernel       ? state->kernel
                                               : gws_madness_kernel_at(0, NULL);
    return failure;
}

static gws_status poison(void *context, struct gws_diagnostic *where)
{
    struct madness_state *state = context;
    gws_madness_poison(state->tree);
    return state->device.builder ? gws_madness_device_poison(state->device.builder, where) : GWS_OK;
}

static gws_status prepare(void *context, struct gws_runtime *runtime, uint64_t seed, struct gws_diagnostic *where)
{
    struct madness_state *state = context;
    (void)where;
    struct gws_madness_problem *problem = &state->problem;
    gws_madness_destroy(state->tree);
    state->tree = NULL;
    if (!state->body) state->body = gws_allocate(runtime, problem->functions, sizeof *state->body);
    if (!state->special) state->special = gws_allocate(runtime, problem->functions, sizeof *state->special);
    if (!state->body || !state->special) return GWS_NO_MEMORY;
    madness_bodies(state->set, seed, problem->functions, (uint32_t)state->special_level, state->body, state->special);
    problem->context = state->body;
    problem->special = state->special;
    return GWS_OK;
}

static gws_status build(struct madness_state *state, struct gws_runtime *runtime, struct gws_diagnostic *where)
{
    if (state->device.builder) return madness_device_run(&state->device, &state->problem, &state->tree, where);
    return gws_madness_build_on_ranks(runtime, state->device.sides.ranks, &state->problem, &state->tree, where);
}

/* Sets the totals to those of all ranks. */
static gws_status sum_up(struct gws_madness_tree *found, struct gws_runtime *runtime, struct gws_transport *transport)
{
    uint64_t *const count[] = {&found->boxes, &found->divided, &found->forced, &found->leaves, &found->rough};
    uint64_t depth = found->depth, ranks = gws_transport_ranks(transport);
    double *norm = gws_allocate(runtime, ranks, sizeof *norm), squares = 0;
    const gws_status status = gws_transport_agree(transport, norm ? GWS_OK : GWS_NO_MEMORY);
    if (status == GWS_OK && norm) {
        for (size_t i = 0; i < sizeof count / sizeof *count; i++) gws_transport_sum(transport, count[i], 1);
        gws_transport_max(transport, &depth, 1);
        gws_transport_gather(transport, &found->norm, sizeof *norm, norm);
        for (uint64_t r = 0; r < ranks && gws_transport_rank(transport) == 0; r++) squares += norm[r] * norm[r];
        found->depth = (uint32_t)depth, found->norm = sqrt(squares);
    }
    gws_release(runtime, norm, ranks, sizeof *norm);
    return status;
}

static gws_status run(void *context, struct gws_runtime *runtime, struct gws_diagnostic *where)
{
    struct madness_state *state = context;
    const struct gws_ranks *ranks = state->device.sides.ranks;
    gws_status status = build(state, runtime, where);
    if (status == GWS_OK) state->found = *state->tree;
    return status == GWS_OK && ranks ? sum_up(&state->found, runtime, ranks->transport) : status;
}

static void end(void *context, struct gws_runtime *runtime)
{
    struct madness_state *state = context;
    gws_madness_destroy(state->tree);
    madness_device_close(&state->device);
    gws_release(runtime, state->body, state->problem.functions, sizeof *state->body);
    gws_release(runtime, state->special, state->problem.functions, sizeof *state->special);
    state->tree = NULL;
    state->body = NULL;
    state->special = NULL;
}

/* ---- output ---- */

static void describe(const void *context, FILE *out)
{
    const struct madness_state *state = context;
    if (state->problem.specials > 0) fprintf(out, ", special points to level %" PRIu64, state->special_level);
}

static void print(const void *context, FILE *out)
{
    const struct madness_state *state = context;
    char boxes[CONSOLE_NUMBER], leaves[CONSOLE_NUMBER], rough[CONSOLE_NUMBER];
    fprintf(out, "tree      %s boxes, %s leaves, depth %" PRIu32 ", computed by %s\n",
            console_count(state->found.boxes, boxes), console_count(state->found.leaves, leaves), state->found.depth,
            state->computed_by);
    if (state->found.rough > 0)
        fprintf(out, "rough     %s boxes at the maximum level exceed the tolerance\n",
                console_count(state->found.rough, rough));
    fprintf(out, "norm      %.10g", state->found.norm);
    if (!isnan(state->error)) fprintf(out, ", error %.3g", state->error);
    fputc('\n', out);
    if (!isnan(state->error) && state->set->has_norm && madness_is_cut(state))
        fprintf(out, "cut       at level %" PRIu32 ", so --verify does not compare the norm with the exact %.10g\n",
                state->problem.max_level, madness_norm(state->body, state->problem.functions));
    madness_device_print(&state->device, out);
}

#define MADNESS_MEMBER(name, key) JSON_FIELD(struct madness_state, name, key)
static const struct json_field parameter[] = {
    {MADNESS_MEMBER(set_name, "function")},           {MADNESS_MEMBER(problem.functions, "functions")},
    {MADNESS_MEMBER(problem.order, "order")},         {MADNESS_MEMBER(problem.threshold, "threshold")},
    {MADNESS_MEMBER(problem.mode, "mode")},           {MADNESS_MEMBER(special_level, "special_level")},
    {MADNESS_MEMBER(problem.max_level, "max_level")}, {MADNESS_MEMBER(computed_by, "kernel")},
};

#define FOUND(name) JSON_FIELD(struct madness_state, found.name, #name)
static const struct json_field found[] = {
    {FOUND(boxes)}, {FOUND(divided)}, {FOUND(forced)}, {FOUND(leaves)},
    {FOUND(rough)}, {FOUND(depth)},   {FOUND(norm)},   {MADNESS_MEMBER(error, "error")}};

static void result_json(const void *context, struct json *json)
{
    madness_device_json(&((const struct madness_state *)context)->device, json);
}

const struct workload workload_madness = {
    .command.name = "madness",
    .command.about = "Functions in space as trees of polynomials (Dinan et al., Harrison et al.)",
    SUBCOMMAND_STATE(struct madness_state),
    .check = check,
    .device = task_sides_address,
    .draws = draws,
    .open = open,
    .use_ranks = task_sides_use_ranks,
    .add_device = task_sides_add_device,
    .is_parted = true,
    .prepare = prepare,
    .poison = poison,
    .run = run,
    .verify = madness_verify,
    .end = end,
    .describe = describe,
    .print = print,
    .parameter = JSON_TABLE(parameter),
    .found = JSON_TABLE(found),
    .description = "{function}, {functions} function{s}, order {order}, threshold {threshold}, mode {mode}",
    .result_json = result_json,
    .unit = "boxes",
    .units = offsetof(struct madness_state, found.boxes),
};
