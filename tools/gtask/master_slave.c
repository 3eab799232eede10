/* SPDX-License-Identifier: MIT */
/* gtask master-slave: masters that spawn short slaves, round by round (Rudolph, Slivkin-Allalouf, Upfal, SPAA 1991,
 * section 4). */
#include "master_slave_state.h"
#include "workload.h"

static const struct subcommand_rows group[] = {{master_slave_row, MASTER_SLAVE_ROWS, 0}};

static gws_status run(void *context, struct gws_runtime *runtime, struct gws_diagnostic *where)
{
    struct master_slave_state *state = context;
    (void)where;
    return gws_master_slave(runtime, &state->options, &state->result);
}

static gws_status verify(void *context, struct gws_runtime *runtime, struct gws_diagnostic *where)
{
    const struct master_slave_state *state = context;
    (void)runtime;
    return gws_master_slave_check(&state->options, &state->result, where);
}

const struct workload workload_master_slave = {
    .command.name = "master-slave",
    .command.about = "Masters that spawn short slaves, round by round (Rudolph, Slivkin-Allalouf, Upfal)",
    .command.group = group,
    .command.groups = sizeof group / sizeof *group,
    .command.bytes = sizeof(struct master_slave_state),
    .command.initial = &master_slave_initial,
    .result = offsetof(struct master_slave_state, result),
    .result_bytes = sizeof(struct gws_master_slave_result),
    .check = master_slave_check,
    .run = run,
    .verify = verify,
    .parameter = {master_slave_parameter, MASTER_SLAVE_ROWS},
    .found = {master_slave_found, MASTER_SLAVE_RESULTS},
    .description = master_slave_description,
    .finding = master_slave_finding,
    .unit = "slaves",
    .units = offsetof(struct master_slave_state, result.slaves),
    .work_ms = offsetof(struct master_slave_state, result.work_ms),
};
