/* SPDX-License-Identifier: MIT */
/* gtask madness: its options, and how a result is shown. */
#include <inttypes.h>
#include <math.h>

#include "../common/console.h"
#include "madness_state.h"

#define FIELD(name) offsetof(struct madness_state, name)

const struct option_row madness_row[MADNESS_ROWS] = {
    {TEXT("function", "NAME|help", FIELD(set_name), "what is projected (default: test); sets what follows")},
    {NUMBER("bodies", "N", FIELD(bodies), 1, 1000000, "functions at once, a body each")},
    {NUMBER("order", "N", FIELD(order), 1, GWS_MADNESS_ORDER, "k: polynomials have degrees below it")},
    {REAL("threshold", "X", FIELD(threshold), 1e30, "what a box may leave over: see --mode")},
    {NUMBER("mode", "N", FIELD(mode), 0, 2,
            "0: the threshold; 1, 2: times a box's edge or its square,\nwhere that is below 1")},
    {NUMBER("special-level", "N", FIELD(special_level), 0, GWS_MADNESS_LEVEL,
            "above level N, boxes around a body are divided in any case")},
    {NUMBER("max-level", "N", FIELD(max_level), 1, GWS_MADNESS_LEVEL,
            "boxes of level N are not divided (default: 20)")},
    {TEXT("kernel", "NAME|help", FIELD(kernel), "how a box is computed (default: the fastest here)")},
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

#define FOUND(name) JSON_FIELD(struct madness_state, name, #name)
static const struct json_field found[] = {{FOUND(boxes)}, {FOUND(divided)}, {FOUND(forced)}, {FOUND(leaves)},
                                          {FOUND(rough)}, {FOUND(depth)},   {FOUND(norm)},   {FOUND(error)}};

void madness_result_json(const void *context, struct json *json)
{
    json_fields(json, (struct json_table)JSON_TABLE(found), context);
    madness_device_json(&((const struct madness_state *)context)->device, json);
}
