/* SPDX-License-Identifier: MIT */
/* gsim master-slave: masters that spawn short slaves, in virtual time. */
#include "../gtask/master_slave_state.h"
#include "simulation.h"

static const struct subcommand_rows group[] = {{master_slave_row, MASTER_SLAVE_ROWS, 0}};

static gws_status run(void *context, struct gws_runtime *runtime, const struct gws_sim_options *options,
                      struct gws_sim_result *found, struct gws_diagnostic *where)
{
    struct master_slave_state *state = context;
    return gws_master_slave_simulate(runtime, options, &state->options, &state->result, found, where);
}

const struct simulation simulation_master_slave = {
    .command.name = "master-slave",
    .command.about = "Masters that spawn short slaves, round by round (Rudolph, Slivkin-Allalouf, Upfal)",
    .command.group = group,
    .command.groups = sizeof group / sizeof *group,
    .command.bytes = sizeof(struct master_slave_state),
    .command.initial = &master_slave_initial,
    .check = master_slave_check,
    .run = run,
    .cost = GWS_SIM_COSTS_COUNT,
    .parameter = {master_slave_parameter, MASTER_SLAVE_ROWS},
    .result = {master_slave_found, MASTER_SLAVE_RESULTS},
    .description = master_slave_description,
    .finding = master_slave_finding,
};
