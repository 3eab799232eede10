/* SPDX-License-Identifier: MIT */
/* gtask madness: functions in space become trees of polynomials (Dinan et al., SC 2009, section 2.5.1). Options that
 * are given replace what the set of functions says. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "../../lib/parallel.h"
#include "../common/console.h"
#include "madness_device.h"
#include "madness_functions.h"
#include "workload.h"

/* Boxes times order^4 that the serial check may take: about 15 s. */
static const double most_serial_work = 1.2e8;

struct state {
    const char *set_name, *kernel;
    uint64_t bodies, order, mode, special_level, max_level; /* UINT64_MAX: not given */
    double threshold;                                       /* not a number: not given */
    const struct madness_set *set;
    struct madness_device device;
    bool whole; /* nothing was given but the set: what is known of it holds */
    struct gws_madness_problem problem;
    struct gws_madness_body *body;       /* problem.functions entries each */
    struct gws_madness_special *special; /* as well */
    struct gws_madness_tree *tree;       /* of the last run */
    double error;                        /* of the last run that was verified; not a number: none was */
    double norm;                         /* and how it came out in the last run */
    uint64_t boxes, divided, forced, leaves, rough;
    uint32_t depth;
};

#define FIELD(name) .field = offsetof(struct state, name)

static const struct option_row row[] = {
    {.name = "function",
     .argument = "NAME|help",
     .help = "what is projected (default: test); sets what follows",
     .kind = OPTION_TEXT,
     FIELD(set_name)},
    {.name = "bodies",
     .argument = "N",
     .help = "functions at once, a body each",
     .kind = OPTION_NUMBER,
     FIELD(bodies),
     .least = 1,
     .most = 1000000},
    {.name = "order",
     .argument = "N",
     .help = "k: polynomials have degrees below it",
     .kind = OPTION_NUMBER,
     FIELD(order),
     .least = 1,
     .most = GWS_MADNESS_ORDER},
    {.name = "threshold",
     .argument = "X",
     .help = "what a box may leave over: see --mode",
     .kind = OPTION_REAL,
     FIELD(threshold),
     .highest = 1e30},
    {.name = "mode",
     .argument = "N",
     .help = "0: the threshold; 1, 2: times a box's edge or its square,\nwhere that is below 1",
     .kind = OPTION_NUMBER,
     FIELD(mode),
     .most = 2},
    {.name = "special-level",
     .argument = "N",
     .help = "above level N, boxes around a body are divided in any case",
     .kind = OPTION_NUMBER,
     FIELD(special_level),
     .most = GWS_MADNESS_LEVEL},
    {.name = "max-level",
     .argument = "N",
     .help = "boxes of level N are not divided (default: 20)",
     .kind = OPTION_NUMBER,
     FIELD(max_level),
     .least = 1,
     .most = GWS_MADNESS_LEVEL},
    {.name = "kernel",
     .argument = "NAME|help",
     .help = "how a box is computed (default: the fastest here)",
     .kind = OPTION_TEXT,
     FIELD(kernel)},
};

static const struct workload_rows group[] = {{row, sizeof row / sizeof *row, 0},
                                             {madness_device_row, MADNESS_DEVICE_ROWS, offsetof(struct state, device)}};

static void begin(void *context)
{
    struct state *state = context;
    state->set_name = madness_set_at(0)->name;
    state->bodies = state->order = state->mode = state->special_level = state->max_level = UINT64_MAX;
    state->threshold = state->error = NAN;
    state->device.form = -1;
}

/* ---- what is asked for ---- */

static int list_sets(void)
{
    const struct madness_set *set;
    for (uint32_t i = 0; (set = madness_set_at(i)); i++) printf("%-12s%s\n", set->name, set->about);
    return console_finish();
}

static int check_kernel(const char *kernel)
{
    const char *name, *about;
    bool help = kernel && strcmp(kernel, "help") == 0;
    if (!kernel) return -1;
    for (uint32_t i = 0; (name = gws_madness_kernel_at(i, &about)); i++) {
        if (help) printf("%-12s%s\n", name, about);
        if (strcmp(kernel, name) == 0) return -1;
    }
    if (help) return console_finish();
    return console_usage("--kernel: this processor has no '%s'; --kernel help lists what it has", kernel);
}

static uint32_t given(uint64_t value, uint32_t otherwise)
{
    return value == UINT64_MAX ? otherwise : (uint32_t)value;
}

static bool is_whole(const struct state *state)
{
    return isnan(state->threshold) &&
           (state->bodies & state->order & state->mode & state->special_level & state->max_level) == UINT64_MAX;
}

static int check(void *context)
{
    struct state *state = context;
    if (strcmp(state->set_name, "help") == 0) return list_sets();
    const struct madness_set *set = state->set = madness_set_named(state->set_name);
    if (!set) return console_usage("--function: no '%s'; --function help lists them", state->set_name);
    if (state->threshold == 0) return console_usage("--threshold: expected a number above 0, got 0");
    int status = madness_device_check(&state->device);
    if (status >= 0) return status;
    if (state->device.address && state->kernel)
        return console_usage("--kernel is for the CPU, and --device names another");
    state->whole = is_whole(state);
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
    state->problem.specials = given(state->special_level, set->special_level) > 0 ? state->problem.functions : 0;
    return check_kernel(state->kernel);
}

/* ---- running ---- */

static const char *device(const void *context)
{
    return ((const struct state *)context)->device.address;
}

static int open(void *context, struct gws_runtime *runtime)
{
    struct state *state = context;
    return madness_device_open(&state->device, runtime, state->problem.order);
}

static gws_status prepare(void *context, struct gws_runtime *runtime, uint64_t seed)
{
    struct state *state = context;
    struct gws_madness_problem *problem = &state->problem;
    gws_madness_destroy(state->tree);
    state->tree = NULL;
    if (!state->body) state->body = gws_allocate(runtime, problem->functions, sizeof *state->body);
    if (!state->special) state->special = gws_allocate(runtime, problem->functions, sizeof *state->special);
    if (!state->body || !state->special) return GWS_NO_MEMORY;
    madness_bodies(state->set, seed, problem->functions, given(state->special_level, state->set->special_level),
                   state->body, state->special);
    problem->context = state->body;
    problem->special = state->special;
    return GWS_OK;
}

static gws_status run(void *context, struct gws_runtime *runtime, struct gws_where *where)
{
    struct state *state = context;
    gws_status status = state->device.address ? madness_device_run(&state->device, &state->problem, &state->tree, where)
                                              : gws_madness_build(runtime, &state->problem, &state->tree, where);
    if (status != GWS_OK) return status;
    state->boxes = state->tree->boxes;
    state->divided = state->tree->divided;
    state->forced = state->tree->forced;
    state->leaves = state->tree->leaves;
    state->rough = state->tree->rough;
    state->depth = state->tree->depth;
    state->norm = state->tree->norm;
    return GWS_OK;
}

static gws_status find_error(struct state *state, struct gws_runtime *runtime)
{
    const uint32_t functions = state->problem.functions;
    double *error = gws_allocate(runtime, functions, sizeof *error), sum = 0;
    gws_status status = error ? gws_madness_error(runtime, &state->problem, state->tree, error) : GWS_NO_MEMORY;
    for (uint32_t f = 0; f < functions && status == GWS_OK; f++) sum += error[f] * error[f];
    if (status == GWS_OK) state->error = sqrt(sum);
    gws_release(runtime, error, functions, sizeof *error);
    return status;
}

/* What is known without building the tree again. */
static gws_status verify_known(const struct state *state, struct gws_where *where)
{
    const struct madness_set *set = state->set;
    const double norm = madness_norm(state->body, state->problem.functions);
    if (set->has_norm && !(fabs(state->norm - norm) <= state->error + 1e-12 * norm))
        return gws_where_set(where, GWS_WRONG_RESULT, NULL, 0, 0, "the norm is %.10g, not %.10g, and the error %.3g",
                             state->norm, norm, state->error);
    if (!state->whole || set->leaves == 0) return GWS_OK;
    if (state->leaves == set->leaves && state->error >= set->least && state->error <= set->most) return GWS_OK;
    return gws_where_set(where, GWS_WRONG_RESULT, NULL, 0, 0,
                         "found %" PRIu64 " leaves and an error of %.3g; %s has %" PRIu64 " and %.3g to %.3g",
                         state->leaves, state->error, set->name, set->leaves, set->least, set->most);
}

static gws_status verify(void *context, struct gws_runtime *runtime, struct gws_where *where)
{
    struct state *state = context;
    gws_status status = find_error(state, runtime);
    if (status == GWS_OK) status = verify_known(state, where);
    if (status == GWS_OK && state->device.address)
        status = madness_device_compare(&state->device, runtime, &state->problem, state->tree, where);
    if (status != GWS_OK) return status;
    if ((double)state->boxes * pow(state->problem.order, 4) > most_serial_work)
        return gws_where_set(where, GWS_TOO_LARGE, NULL, 0, 0,
                             "a serial projection of %" PRIu64 " boxes would take too long", state->boxes);
    return gws_madness_check(runtime, &state->problem, state->tree, where);
}

static void end(void *context, struct gws_runtime *runtime)
{
    struct state *state = context;
    gws_madness_destroy(state->tree);
    madness_device_close(&state->device);
    gws_release(runtime, state->body, state->problem.functions, sizeof *state->body);
    gws_release(runtime, state->special, state->problem.functions, sizeof *state->special);
    state->tree = NULL;
    state->body = NULL;
    state->special = NULL;
}

/* ---- showing ---- */

static const char *kernel_of(const struct state *state)
{
    if (state->device.address) return state->device.address;
    return state->kernel ? state->kernel : gws_madness_kernel_at(0, NULL);
}

static void describe(const void *context, FILE *out)
{
    const struct state *state = context;
    const struct gws_madness_problem *problem = &state->problem;
    char functions[CONSOLE_NUMBER];
    fprintf(out, "%s, %s function%s, order %" PRIu32 ", threshold %g, mode %" PRIu32, state->set->name,
            console_count(problem->functions, functions), problem->functions == 1 ? "" : "s", problem->order,
            problem->threshold, problem->mode);
    if (problem->specials > 0)
        fprintf(out, ", special points to level %" PRIu32, given(state->special_level, state->set->special_level));
}

static void print(const void *context, FILE *out)
{
    const struct state *state = context;
    char boxes[CONSOLE_NUMBER], leaves[CONSOLE_NUMBER], rough[CONSOLE_NUMBER];
    fprintf(out, "tree      %s boxes, %s leaves, depth %" PRIu32 ", computed by %s\n",
            console_count(state->boxes, boxes), console_count(state->leaves, leaves), state->depth, kernel_of(state));
    if (state->rough > 0)
        fprintf(out, "rough     %s boxes at the deepest level are not below the threshold\n",
                console_count(state->rough, rough));
    fprintf(out, "norm      %.10g", state->norm);
    if (!isnan(state->error)) fprintf(out, ", error %.3g", state->error);
    fputc('\n', out);
    madness_device_print(&state->device, out);
}

static void parameters_json(const void *context, struct json *json)
{
    const struct state *state = context;
    const struct gws_madness_problem *problem = &state->problem;
    json_text(json, "function", state->set->name);
    json_count(json, "functions", problem->functions);
    json_count(json, "order", problem->order);
    json_number(json, "threshold", problem->threshold);
    json_count(json, "mode", problem->mode);
    json_count(json, "special_level", given(state->special_level, state->set->special_level));
    json_count(json, "max_level", problem->max_level);
    json_text(json, "kernel", kernel_of(state));
}

static void result_json(const void *context, struct json *json)
{
    const struct state *state = context;
    json_count(json, "boxes", state->boxes);
    json_count(json, "divided", state->divided);
    json_count(json, "forced", state->forced);
    json_count(json, "leaves", state->leaves);
    json_count(json, "rough", state->rough);
    json_count(json, "depth", state->depth);
    json_number(json, "norm", state->norm);
    json_number(json, "error", state->error);
    madness_device_json(&state->device, json);
}

static uint64_t units(const void *context)
{
    return ((const struct state *)context)->boxes;
}

const struct workload workload_madness = {
    .name = "madness",
    .about = "Functions in space become trees of polynomials (Dinan et al., Harrison et al.)",
    .group = group,
    .groups = sizeof group / sizeof *group,
    .bytes = sizeof(struct state),
    .begin = begin,
    .check = check,
    .device = device,
    .open = open,
    .prepare = prepare,
    .run = run,
    .verify = verify,
    .end = end,
    .describe = describe,
    .print = print,
    .parameters_json = parameters_json,
    .result_json = result_json,
    .unit = "boxes",
    .units = units,
    .work_ms = workload_work_ms,
};
