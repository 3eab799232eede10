/* SPDX-License-Identifier: MIT */
/* gtask madness: projects functions in space onto trees of polynomials (Dinan et al., SC 2009, section 2.5.1). Given
 * options replace the defaults of the set of functions. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "../../lib/parallel.h"
#include "../common/console.h"
#include "madness_state.h"

/* The serial check runs only if boxes * order^4 is at most this; it then takes about 15 s. */
static const double max_serial_work = 1.2e8;

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

static gws_status run(void *context, struct gws_runtime *runtime, struct gws_diagnostic *where)
{
    struct madness_state *state = context;
    gws_status status = build(state, runtime, where);
    if (status == GWS_OK) state->found = *state->tree;
    return status;
}

static gws_status find_error(struct madness_state *state, struct gws_runtime *runtime)
{
    const uint32_t functions = state->problem.functions;
    double *error = gws_allocate(runtime, functions, sizeof *error), sum = 0;
    gws_status status = error ? gws_madness_error(runtime, &state->problem, state->tree, error) : GWS_NO_MEMORY;
    for (uint32_t f = 0; f < functions && status == GWS_OK; f++) sum += error[f] * error[f];
    if (status == GWS_OK) state->error = sqrt(sum);
    gws_release(runtime, error, functions, sizeof *error);
    return status;
}

/* Returns whether --max-level kept boxes whole that the tolerance or a special point divides. Then the points of a leaf
 * may miss the function, and neither the norm nor the error says how much is lost. */
static bool is_cut(const struct madness_state *state)
{
    return state->found.rough > 0 || (state->problem.specials > 0 && state->special_level > state->problem.max_level);
}

/* Checks against known results, without building the tree again. */
static gws_status verify_known(const struct madness_state *state, struct gws_diagnostic *where)
{
    const struct madness_set *set = state->set;
    const double norm = madness_norm(state->body, state->problem.functions);
    if (set->has_norm && !is_cut(state) && !(fabs(state->found.norm - norm) <= state->error + 1e-12 * norm))
        return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0,
                                  "the norm is %.10g, not %.10g, and the error %.3g", state->found.norm, norm,
                                  state->error);
    if (!state->is_default || set->leaves == 0) return GWS_OK;
    if (state->found.leaves == set->leaves && state->error >= set->min_error && state->error <= set->max_error)
        return GWS_OK;
    return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0,
                              "found %" PRIu64 " leaves and an error of %.3g; %s has %" PRIu64 " and %.3g to %.3g",
                              state->found.leaves, state->error, set->name, set->leaves, set->min_error,
                              set->max_error);
}

static gws_status verify(void *context, struct gws_runtime *runtime, struct gws_diagnostic *where)
{
    struct madness_state *state = context;
    gws_status status = find_error(state, runtime);
    if (status == GWS_OK) status = verify_known(state, where);
    if (status == GWS_OK && state->device.builder)
        status = madness_device_compare(&state->device, runtime, &state->problem, state->tree, where);
    if (status != GWS_OK) return status;
    if ((double)state->found.boxes * pow(state->problem.order, 4) > max_serial_work)
        return gws_diagnostic_set(where, GWS_TOO_LARGE, NULL, 0, 0,
                                  "a serial projection of %" PRIu64 " boxes would take too long", state->found.boxes);
    return gws_madness_check(runtime, &state->problem, state->tree, where);
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
    if (!isnan(state->error) && state->set->has_norm && is_cut(state))
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
    .prepare = prepare,
    .poison = poison,
    .run = run,
    .verify = verify,
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
