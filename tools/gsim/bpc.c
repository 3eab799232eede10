/* SPDX-License-Identifier: MIT */
/* gsim bpc: the bouncing producer-consumer benchmark in virtual time. */
#include "simulation.h"

struct simulated_bpc_state {
    struct gws_bpc_options options;
    struct gws_bpc_result result;
};

#define FIELD(name) offsetof(struct simulated_bpc_state, options.name)

static const struct option_row row[] = {
    {NUMBER("depth", "N", FIELD(depth), 0, UINT64_MAX, "run N producers that spawn consumers (default: 64)"),
     .short_name = 'd'},
    {NUMBER("consumers", "N", FIELD(consumers), 0, UINT64_MAX, "spawn N consumers from each (default: 512)"),
     .short_name = 'n'},
    {REAL("work", "US", FIELD(work_us), 1e9, "run each consumer for US microseconds (default: 1000)")},
};

static const struct subcommand_rows group[] = {{row, sizeof row / sizeof *row, 0}};

static const struct simulated_bpc_state initial = {.options = {.consumers = 512, .depth = 64, .work_us = 1000}};

static gws_status run(void *context, struct gws_runtime *runtime, const struct gws_sim_options *options,
                      struct gws_sim_result *found, struct gws_diagnostic *where)
{
    struct simulated_bpc_state *state = context;
    return gws_bpc_simulate(runtime, options, &state->options, &state->result, found, where);
}

#define MEMBER(name, key) JSON_FIELD(struct simulated_bpc_state, name, key)
static const struct json_field parameter[] = {
    {MEMBER(options.depth, "depth")}, {MEMBER(options.consumers, "consumers")}, {MEMBER(options.work_us, "work_us")}};

static const struct json_field result[] = {{MEMBER(result.producers, "producers")},
                                           {MEMBER(result.consumers, "consumers")},
                                           {MEMBER(result.bounces, "bounces")}};

const struct simulation simulation_bpc = {
    .command.name = "bpc",
    .command.about = "Bouncing producer-consumer: thieves steal the producer first (Dinan et al.)",
    SUBCOMMAND_STATE(struct simulated_bpc_state),
    .run = run,
    .cost = GWS_SIM_COSTS_COUNT,
    .parameter = JSON_TABLE(parameter),
    .result = JSON_TABLE(result),
    .description = "depth {depth}, {consumers} consumers of {work_us} us",
    .finding = "ran       {producers} producers and {consumers} consumers; the producer bounced {bounces} times\n",
};
