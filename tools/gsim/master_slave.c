/* SPDX-License-Identifier: MIT */
/* gsim master-slave: masters that spawn short slaves, in virtual time. */
#include "simulation.h"

enum { MAX_MASTERS = 1 << 24 };

struct simulated_master_slave_state {
    struct gws_master_slave_options options;
    struct gws_master_slave_result result;
    int await;
};

#define FIELD(name) offsetof(struct simulated_master_slave_state, name)

static const struct option_row row[] = {
    {NUMBER("masters", "N", FIELD(options.masters), 1, MAX_MASTERS, "run N masters concurrently (default: 1)")},
    {NUMBER("slaves", "N", FIELD(options.slaves), 0, UINT64_C(1) << 31,
            "spawn N slaves from each master in a round (default: 16)")},
    {NUMBER("rounds", "N", FIELD(options.rounds), 1, UINT64_MAX, "run N rounds of each master (default: 16)")},
    {REAL("master-work", "US", FIELD(options.master_us), 1e9,
          "run a master for US microseconds in a round (default: 10)")},
    {REAL("slave-work", "US", FIELD(options.slave_us), 1e9, "run a slave for US microseconds (default: 10)")},
    {FLAG("await", FIELD(await), 1, "begin a round when all slaves of the last one have finished")},
};

static const struct subcommand_rows group[] = {{row, sizeof row / sizeof *row, 0}};

static const struct simulated_master_slave_state initial = {
    .options = {.masters = 1, .slaves = 16, .rounds = 16, .master_us = 10, .slave_us = 10}};

static int check(void *context)
{
    struct simulated_master_slave_state *state = context;
    state->options.await = state->await;
    return -1;
}

static gws_status run(void *context, struct gws_runtime *runtime, const struct gws_sim_options *options,
                      struct gws_sim_result *found, struct gws_diagnostic *where)
{
    struct simulated_master_slave_state *state = context;
    return gws_master_slave_simulate(runtime, options, &state->options, &state->result, found, where);
}

#define MEMBER(name, key) JSON_FIELD(struct simulated_master_slave_state, name, key)
static const struct json_field parameter[] = {
    {MEMBER(options.masters, "masters")},   {MEMBER(options.slaves, "slaves")},
    {MEMBER(options.rounds, "rounds")},     {MEMBER(options.master_us, "master_us")},
    {MEMBER(options.slave_us, "slave_us")}, {MEMBER(options.await, "await")}};

static const struct json_field result[] = {
    {MEMBER(result.rounds, "rounds")}, {MEMBER(result.slaves, "slaves")}, {MEMBER(result.strays, "strays")}};

const struct simulation simulation_master_slave = {
    .command.name = "master-slave",
    .command.about = "Masters that spawn short slaves, round by round (Rudolph, Slivkin-Allalouf, Upfal)",
    SUBCOMMAND_STATE(struct simulated_master_slave_state),
    .check = check,
    .run = run,
    .parameter = JSON_TABLE(parameter),
    .result = JSON_TABLE(result),
    .description = "{masters} master{s} of {master_us} us, {rounds} rounds of {slaves} slaves of {slave_us} us"
                   "{await?, awaited}",
    .finding = "ran       {rounds} rounds and {slaves} slaves, {strays} of them away from their master\n",
};
