/* SPDX-License-Identifier: MIT */
/* gtask master-slave: masters that spawn short slaves, round by round (Rudolph, Slivkin-Allalouf, Upfal, SPAA 1991,
 * section 4). */
#include <inttypes.h>

#include "../../workloads/master_slave.h"
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

static const struct json_field parameter[] = {
    {MEMBER(options.masters, "masters")},   {MEMBER(options.slaves, "slaves")},
    {MEMBER(options.rounds, "rounds")},     {MEMBER(options.master_us, "master_us")},
    {MEMBER(options.slave_us, "slave_us")}, {MEMBER(options.await, "await")}};

static const struct json_field found[] = {
    {MEMBER(result.rounds, "rounds")}, {MEMBER(result.slaves, "slaves")}, {MEMBER(result.strays, "strays")}};

const struct workload workload_master_slave = {
    .name = "master-slave",
    .about = "Masters that spawn short slaves, round by round (Rudolph, Slivkin-Allalouf, Upfal)",
    WORKLOAD_STATE,
    .begin = begin,
    .check = check,
    .run = run,
    .verify = verify,
    .describe = describe,
    .print = print,
    .parameter = JSON_TABLE(parameter),
    .found = JSON_TABLE(found),
    .unit = "slaves",
    .units = offsetof(struct state, result.slaves),
    .work_ms = offsetof(struct state, result.work_ms),
};
