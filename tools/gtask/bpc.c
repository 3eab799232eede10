/* SPDX-License-Identifier: MIT */
/* gtask bpc: the bouncing producer-consumer benchmark (Dinan et al., SC 2009, section 2.5.3). */
#include "../../workloads/bpc.h"
#include "task_sides.h"

struct bpc_state {
    struct task_sides sides; /* must be first */
    struct gws_bpc_options options;
    struct gws_bpc_result result;
    struct gws_bpc_device *program[DEVICE_CHOICES_MAX]; /* for each device */
};

#define FIELD(name) offsetof(struct bpc_state, options.name)

static const struct option_row row[] = {
    {NUMBER("depth", "N", FIELD(depth), 0, UINT64_MAX, "run N producers that spawn consumers (default: 64)"),
     .short_name = 'd'},
    {NUMBER("consumers", "N", FIELD(consumers), 0, UINT64_MAX, "spawn N consumers from each (default: 512)"),
     .short_name = 'n'},
    {REAL("work", "US", FIELD(work_us), 1e9, "run each consumer for US microseconds (default: 1000)")},
};

static const struct subcommand_rows group[] = {{row, sizeof row / sizeof *row, 0}, TASK_SIDES_GROUPS(struct bpc_state)};

static const struct bpc_state initial = {.options = {.consumers = 512, .depth = 64, .work_us = 1000}};

static int check(void *context)
{
    return task_sides_check(&((struct bpc_state *)context)->sides, NULL);
}

static int open(void *context, struct gws_runtime *runtime)
{
    struct bpc_state *state = context;
    struct gws_diagnostic where = {0};
    int failure = task_sides_open(&state->sides, runtime);
    const struct gws_device_tasks_options options = task_sides_options(&state->sides);
    for (uint32_t i = 0; i < state->sides.devices && failure < 0; i++)
        failure = task_sides_opened(
            gws_bpc_device_open(runtime, state->sides.device[i], &options, &state->program[i], &where), &where);
    return failure;
}

static void end(void *context, struct gws_runtime *runtime)
{
    struct bpc_state *state = context;
    (void)runtime;
    for (uint32_t i = 0; i < DEVICE_CHOICES_MAX; i++) gws_bpc_device_close(state->program[i]);
    task_sides_close(&state->sides);
}

static gws_status run(void *context, struct gws_runtime *runtime, struct gws_diagnostic *where)
{
    struct bpc_state *state = context;
    struct task_sides *sides = &state->sides;
    state->options.ranks = sides->ranks;
    if (sides->devices == 0) return gws_bpc(runtime, &state->options, &state->result);
    gws_status status = gws_bpc_sides(runtime, state->program, sides->devices, sides->workers, &state->options,
                                      &state->result, sides->found, where);
    state->result.work_ms = -1; /* unknown in relation to the CPU's workers */
    return status;
}

static gws_status verify(void *context, struct gws_runtime *runtime, struct gws_diagnostic *where)
{
    const struct bpc_state *state = context;
    (void)runtime;
    return gws_bpc_check(&state->options, &state->result, where);
}

#define MEMBER(name, key) JSON_FIELD(struct bpc_state, name, key)
static const struct json_field parameter[] = {
    {MEMBER(options.depth, "depth")}, {MEMBER(options.consumers, "consumers")}, {MEMBER(options.work_us, "work_us")}};

static const struct json_field found[] = {{MEMBER(result.producers, "producers")},
                                          {MEMBER(result.consumers, "consumers")},
                                          {MEMBER(result.bounces, "bounces")}};

const struct workload workload_bpc = {
    .command.name = "bpc",
    .command.about = "Bouncing producer-consumer: thieves steal the producer first (Dinan et al.)",
    WORKLOAD_STATE(struct bpc_state),
    .check = check,
    .device = task_sides_address,
    .open = open,
    .use_ranks = task_sides_use_ranks,
    .add_device = task_sides_add_device,
    .end = end,
    .run = run,
    .print = task_sides_print,
    .table = task_sides_table,
    .result_json = task_sides_json,
    .verify = verify,
    .parameter = JSON_TABLE(parameter),
    .found = JSON_TABLE(found),
    .description = "depth {depth}, {consumers} consumers of {work_us} us",
    .finding = "ran       {producers} producers and {consumers} consumers; the producer bounced {bounces} times\n",
    .unit = "consumers",
    .units = offsetof(struct bpc_state, result.consumers),
    .work_ms = offsetof(struct bpc_state, result.work_ms),
};
