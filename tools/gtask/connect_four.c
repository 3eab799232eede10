/* SPDX-License-Identifier: MIT */
/* gtask connect4: the best move in four-in-a-row by plain minimax (Cederman and Tsigas, GPU Computing Gems Jade, 2011,
 * section 35.4.1). */
#include <inttypes.h>
#include <string.h>

#include "../../workloads/connect_four.h"
#include "../common/console.h"
#include "task_sides.h"

static const uint64_t max_serial_nodes = 50000000; /* about 10 s */

struct connect_four_state {
    struct task_sides sides; /* must be first */
    const char *position;
    uint64_t ahead, batch;
    struct gws_connect_four_result result, verified;
    const char *schedule;
    struct gws_connect_four_device *program[DEVICE_CHOICES_MAX]; /* for each device */
};

#define FIELD(name) offsetof(struct connect_four_state, name)

static const struct option_row row[] = {
    {TEXT("position", "MOVES", FIELD(position), "start after these moves, columns such as 4435 (default: none)")},
    {NUMBER("ahead", "N", FIELD(ahead), 1, GWS_CONNECT_FOUR_MAX_AHEAD, "look N moves ahead (default: 7)")},
    {NUMBER("batch", "N", FIELD(batch), 1, 256, "take N positions at once (default: automatic)")},
    {TEXT("schedule", "steal|static", FIELD(schedule), "groups of a device share tasks this way (default: steal)")},
};

static const struct subcommand_rows group[] = {{row, sizeof row / sizeof *row, 0},
                                               TASK_SIDES_GROUPS(struct connect_four_state)};

static const struct connect_four_state initial = {.position = "", .ahead = 7};

/* ---- the device ---- */

static bool is_static(const struct connect_four_state *state)
{
    return state->schedule && strcmp(state->schedule, "static") == 0;
}

static int check(void *context)
{
    struct connect_four_state *state = context;
    int status = task_sides_check(&state->sides, state->batch ? "batch" : NULL);
    bool cpu;
    if (status < 0 && state->schedule) status = device_option_check(state->sides.given, "schedule");
    if (status < 0 && state->schedule && !is_static(state) && strcmp(state->schedule, "steal") != 0)
        status = console_usage("--schedule: expected steal or static, got '%s'", state->schedule);
    if (status < 0 && task_sides_address(&state->sides, &cpu) && state->ahead > GWS_CONNECT_FOUR_MAX_DEVICE)
        return console_usage("--ahead: at most %d moves on a device", GWS_CONNECT_FOUR_MAX_DEVICE);
    return status;
}

static int open(void *context, struct gws_runtime *runtime)
{
    struct connect_four_state *state = context;
    struct gws_diagnostic where = {0};
    int failure = task_sides_open(&state->sides, runtime);
    struct gws_device_tasks_options options = task_sides_options(&state->sides);
    options.is_static = is_static(state);
    if (failure < 0 && options.is_static && (state->sides.devices != 1 || state->sides.workers))
        failure = console_usage("--schedule static requires one device");
    for (uint32_t i = 0; i < state->sides.devices && failure < 0; i++)
        failure = task_sides_opened(
            gws_connect_four_device_open(runtime, state->sides.device[i], &options, &state->program[i], &where),
            &where);
    return failure;
}

static void end(void *context, struct gws_runtime *runtime)
{
    struct connect_four_state *state = context;
    (void)runtime;
    for (uint32_t i = 0; i < DEVICE_CHOICES_MAX; i++) gws_connect_four_device_close(state->program[i]);
    task_sides_close(&state->sides);
}

/* ---- running ---- */

static struct gws_connect_four_options options_of(const struct connect_four_state *state)
{
    return (struct gws_connect_four_options){
        .moves = state->position, .ahead = (uint32_t)state->ahead, .batch = (uint32_t)state->batch};
}

static gws_status run(void *context, struct gws_runtime *runtime, struct gws_diagnostic *where)
{
    struct connect_four_state *state = context;
    struct gws_connect_four_options options = options_of(state);
    struct task_sides *sides = &state->sides;
    gws_status status = sides->devices > 0
                            ? gws_connect_four_sides(runtime, state->program, sides->devices, sides->workers, &options,
                                                     &state->result, sides->found, where)
                            : gws_connect_four(runtime, &options, &state->result, where);
    if (status != GWS_SYNTAX) return status;
    const struct gws_diagnostic in = *where;
    return gws_diagnostic_set(where, status, NULL, 0, 0, "--position: move %" PRIu64 " of '%.42s': %s", in.column,
                              state->position, in.message);
}

/* Compares everything but the memory, which may differ from run to run. */
static bool same_result(const struct gws_connect_four_result *a, const struct gws_connect_four_result *b)
{
    bool same = a->move == b->move && a->nodes == b->nodes && a->leaves == b->leaves;
    for (int i = 0; i < GWS_CONNECT_FOUR_COLUMNS; i++)
        same = same && a->legal[i] == b->legal[i] && a->value[i] == b->value[i];
    return same;
}

/* Checks the first run against a serial search, and later runs against the first. */
static gws_status verify(void *context, struct gws_runtime *runtime, struct gws_diagnostic *where)
{
    struct connect_four_state *state = context;
    struct gws_connect_four_options options = options_of(state);
    (void)runtime;
    if (state->verified.nodes && same_result(&state->result, &state->verified)) return GWS_OK;
    if (state->result.nodes > max_serial_nodes)
        return gws_diagnostic_set(where, GWS_TOO_LARGE, NULL, 0, 0,
                                  "a serial search of %" PRIu64 " positions would take too long", state->result.nodes);
    gws_status status = gws_connect_four_check(&options, &state->result, where);
    if (status == GWS_OK) state->verified = state->result;
    return status;
}

/* ---- output ---- */

static void describe(const void *context, FILE *out)
{
    const struct connect_four_state *state = context;
    fputs(*state->position ? state->position : "the empty board", out);
}

static const char *value_text(int32_t value, char *text)
{
    if (value == GWS_CONNECT_FOUR_WON) return "won";
    if (value == -GWS_CONNECT_FOUR_WON) return "lost";
    snprintf(text, CONSOLE_NUMBER, "%" PRId32, value);
    return text;
}

static void print(const void *context, FILE *out)
{
    const struct gws_connect_four_result *result = &((const struct connect_four_state *)context)->result;
    char text[CONSOLE_NUMBER];
    fprintf(out, "move      column %" PRIu32 "; values", result->move);
    for (int i = 0; i < GWS_CONNECT_FOUR_COLUMNS; i++)
        fprintf(out, " %s", result->legal[i] ? value_text(result->value[i], text) : "-");
    fputc('\n', out);
    task_sides_print(&((const struct connect_four_state *)context)->sides, out);
}

static void result_json(const void *context, struct json *json)
{
    const struct gws_connect_four_result *result = &((const struct connect_four_state *)context)->result;
    task_sides_json(&((const struct connect_four_state *)context)->sides, json);
    json_name(json, "schedule", ((const struct connect_four_state *)context)->schedule);
    json_count(json, "move", result->move);
    json_open(json, "values", '[');
    for (int i = 0; i < GWS_CONNECT_FOUR_COLUMNS; i++) {
        if (result->legal[i])
            json_integer(json, NULL, result->value[i]);
        else
            json_null(json, NULL);
    }
    json_close(json, ']');
}

#define MEMBER(name, key) JSON_FIELD(struct connect_four_state, name, key)
static const struct json_field parameter[] = {
    {MEMBER(position, "position")}, {MEMBER(ahead, "ahead")}, {MEMBER(batch, "batch")}};

static const struct json_field found[] = {{MEMBER(result.nodes, "nodes")},
                                          {MEMBER(result.leaves, "leaves")},
                                          {MEMBER(result.open_nodes, "open_nodes")},
                                          {MEMBER(result.node_bytes, "node_bytes")}};

const struct workload workload_connect_four = {
    .command.name = "connect4",
    .command.about = "Four-in-a-row: the best move by plain minimax (Cederman, Tsigas)",
    WORKLOAD_STATE(struct connect_four_state),
    .check = check,
    .device = task_sides_address,
    .open = open,
    .end = end,
    .run = run,
    .verify = verify,
    .describe = describe,
    .print = print,
    .table = task_sides_table,
    .parameter = JSON_TABLE(parameter),
    .result_json = result_json,
    .found = JSON_TABLE(found),
    .description = "{ahead} move{s} ahead of ",
    .finding = "positions {nodes}, memory for {open_nodes} open ones\n",
    .unit = "positions",
    .units = offsetof(struct connect_four_state, result.nodes),
};
