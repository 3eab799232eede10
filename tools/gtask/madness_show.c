/* SPDX-License-Identifier: MIT */
/* gtask madness: its options, and how a result is shown. */
#include <inttypes.h>
#include <math.h>

#include "../common/console.h"
#include "madness_state.h"

#define FIELD(name) .field = offsetof(struct madness_state, name)

const struct option_row madness_row[MADNESS_ROWS] = {
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

uint32_t madness_given(uint64_t value, uint32_t otherwise)
{
    return value == UINT64_MAX ? otherwise : (uint32_t)value;
}

/* ---- showing ---- */

static const char *kernel_of(const struct madness_state *state)
{
    if (state->device.address) return state->device.address;
    return state->kernel ? state->kernel : gws_madness_kernel_at(0, NULL);
}

void madness_describe(const void *context, FILE *out)
{
    const struct madness_state *state = context;
    const struct gws_madness_problem *problem = &state->problem;
    char functions[CONSOLE_NUMBER];
    fprintf(out, "%s, %s function%s, order %" PRIu32 ", threshold %g, mode %" PRIu32, state->set->name,
            console_count(problem->functions, functions), problem->functions == 1 ? "" : "s", problem->order,
            problem->threshold, problem->mode);
    if (problem->specials > 0)
        fprintf(out, ", special points to level %" PRIu32,
                madness_given(state->special_level, state->set->special_level));
}

void madness_print(const void *context, FILE *out)
{
    const struct madness_state *state = context;
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

void madness_parameters_json(const void *context, struct json *json)
{
    const struct madness_state *state = context;
    const struct gws_madness_problem *problem = &state->problem;
    json_text(json, "function", state->set->name);
    json_count(json, "functions", problem->functions);
    json_count(json, "order", problem->order);
    json_number(json, "threshold", problem->threshold);
    json_count(json, "mode", problem->mode);
    json_count(json, "special_level", madness_given(state->special_level, state->set->special_level));
    json_count(json, "max_level", problem->max_level);
    json_text(json, "kernel", kernel_of(state));
}

void madness_result_json(const void *context, struct json *json)
{
    const struct madness_state *state = context;
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
