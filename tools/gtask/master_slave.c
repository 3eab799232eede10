/* SPDX-License-Identifier: MIT */
/* gtask master-slave: masters that spawn short slaves, round by round (Rudolph, Slivkin-Allalouf, Upfal, SPAA 1991,
 * section 4). */
#include <inttypes.h>

#include "../common/console.h"
#include "workload.h"

enum { MOST_MASTERS = 1 << 24 };

struct state {
    struct gws_master_slave_options options;
    struct gws_master_slave_result result;
    int await;
};

#define FIELD(name) offsetof(struct state, name)

static const struct option_row row[] = {
    {NUMBER("masters", "N", FIELD(options.masters), 1, MOST_MASTERS, "masters at the same time (default: 1)")},
    {NUMBER("slaves", "N", FIELD(options.slaves), 0, UINT64_C(1) << 31,
            "slaves of one master in a round (default: 16)")},
    {NUMBER("rounds", "N", FIELD(options.rounds), 1, UINT64_MAX, "rounds of each master (default: 16)")},
    {REAL("master-work", "US", FIELD(options.master_us), 1e9,
          "how long a master runs in a round, in microseconds (default: 10)")},
    {REAL("slave-work", "US", FIELD(options.slave_us), 1e9, "how long a slave runs, in microseconds (default: 10)")},
    {FLAG("await", FIELD(await), 1, "a round begins when all slaves of the last one have finished")},
};

static const struct workload_rows group[] = {{row, sizeof row / sizeof *row, 0}};

static void begin(void *state)
{
    gws_master_slave_defaults(&((struct state *)state)->options);
}

static int check(void *context)
{
    struct state *state = context;
    state->options.await = state->await;
    return -1;
}

static gws_status poison(void *context, struct gws_where *where)
{
    struct state *state = context;
    (void)where;
    state->result = (struct gws_master_slave_result){0};
    return GWS_OK;
}

static gws_status run(void *context, struct gws_runtime *runtime, struct gws_where *where)
{
    struct state *state = context;
    (void)where;
    return gws_master_slave(runtime, &state->options, &state->result);
}

/* How many there must be is known. */
static gws_status verify(void *context, struct gws_runtime *runtime, struct gws_where *where)
{
    const struct state *state = context;
    const struct gws_master_slave_options *options = &state->options;
    const struct gws_master_slave_result *result = &state->result;
    uint64_t rounds = options->masters * options->rounds, slaves = rounds * options->slaves;
    (void)runtime;
    if (result->rounds == rounds && result->slaves == slaves && result->tasks == rounds + slaves) return GWS_OK;
    return gws_where_set(where, GWS_WRONG_RESULT, NULL, 0, 0,
                         "%" PRIu64 " rounds and %" PRIu64 " slaves ran, not %" PRIu64 " and %" PRIu64, result->rounds,
                         result->slaves, rounds, slaves);
}

static void describe(const void *context, FILE *out)
{
    const struct gws_master_slave_options *options = &((const struct state *)context)->options;
    char masters[CONSOLE_NUMBER], rounds[CONSOLE_NUMBER], slaves[CONSOLE_NUMBER];
    fprintf(out, "%s master%s of %g us, %s rounds of %s slaves of %g us%s", console_count(options->masters, masters),
            options->masters == 1 ? "" : "s", options->master_us, console_count(options->rounds, rounds),
            console_count(options->slaves, slaves), options->slave_us, options->await ? ", awaited" : "");
}

static void print(const void *context, FILE *out)
{
    const struct gws_master_slave_result *result = &((const struct state *)context)->result;
    char rounds[CONSOLE_NUMBER], slaves[CONSOLE_NUMBER], strays[CONSOLE_NUMBER];
    fprintf(out, "ran       %s rounds and %s slaves, %s of them away from their master\n",
            console_count(result->rounds, rounds), console_count(result->slaves, slaves),
            console_count(result->strays, strays));
}

static void parameters_json(const void *context, struct json *json)
{
    const struct gws_master_slave_options *options = &((const struct state *)context)->options;
    json_count(json, "masters", options->masters);
    json_count(json, "slaves", options->slaves);
    json_count(json, "rounds", options->rounds);
    json_number(json, "master_us", options->master_us);
    json_number(json, "slave_us", options->slave_us);
    json_bool(json, "await", options->await);
}

static void result_json(const void *context, struct json *json)
{
    const struct gws_master_slave_result *result = &((const struct state *)context)->result;
    json_count(json, "rounds", result->rounds);
    json_count(json, "slaves", result->slaves);
    json_count(json, "strays", result->strays);
}

static uint64_t units(const void *state)
{
    return ((const struct state *)state)->result.slaves;
}

static double work_ms(const void *state)
{
    return ((const struct state *)state)->result.work_ms;
}

const struct workload workload_master_slave = {
    .name = "master-slave",
    .about = "Masters that spawn short slaves, round by round (Rudolph, Slivkin-Allalouf, Upfal)",
    .group = group,
    .groups = sizeof group / sizeof *group,
    .bytes = sizeof(struct state),
    .begin = begin,
    .check = check,
    .device = workload_device,
    .draws = workload_draws,
    .open = workload_open,
    .prepare = workload_prepare,
    .poison = poison,
    .run = run,
    .verify = verify,
    .end = workload_end,
    .describe = describe,
    .print = print,
    .parameters_json = parameters_json,
    .result_json = result_json,
    .unit = "slaves",
    .units = units,
    .work_ms = work_ms,
};
