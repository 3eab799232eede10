/* SPDX-License-Identifier: MIT */
/* gtask bpc: the bouncing producer-consumer benchmark (Dinan et al., SC 2009, section 2.5.3). */
#include <inttypes.h>

#include "../../workloads/bpc.h"
#include "../common/console.h"
#include "workload.h"

struct state {
    struct gws_bpc_options options;
    struct gws_bpc_result result;
};

#define FIELD(name) offsetof(struct state, options.name)

static const struct option_row row[] = {
    {NUMBER("depth", "N", FIELD(depth), 0, UINT64_MAX, "producers that make something (default: 64)"), .letter = 'd'},
    {NUMBER("consumers", "N", FIELD(consumers), 0, UINT64_MAX, "consumers of each (default: 512)"), .letter = 'n'},
    {REAL("work", "US", FIELD(work_us), 1e9, "how long a consumer takes, in microseconds (default: 1000)")},
};

static const struct workload_rows group[] = {{row, sizeof row / sizeof *row, 0}};

static void begin(void *state)
{
    gws_bpc_defaults(&((struct state *)state)->options);
}

static gws_status run(void *context, struct gws_runtime *runtime, struct gws_where *where)
{
    struct state *state = context;
    (void)where;
    return gws_bpc(runtime, &state->options, &state->result);
}

/* How many there must be is known. */
static gws_status verify(void *context, struct gws_runtime *runtime, struct gws_where *where)
{
    const struct state *state = context;
    const struct gws_bpc_options *options = &state->options;
    const struct gws_bpc_result *result = &state->result;
    uint64_t producers = options->depth + 1, consumers = options->depth * options->consumers;
    (void)runtime;
    if (result->producers == producers && result->consumers == consumers && result->tasks == producers + consumers)
        return GWS_OK;
    return gws_where_set(where, GWS_WRONG_RESULT, NULL, 0, 0,
                         "%" PRIu64 " producers and %" PRIu64 " consumers ran, not %" PRIu64 " and %" PRIu64,
                         result->producers, result->consumers, producers, consumers);
}

static void describe(const void *context, FILE *out)
{
    const struct gws_bpc_options *options = &((const struct state *)context)->options;
    char depth[CONSOLE_NUMBER], consumers[CONSOLE_NUMBER];
    fprintf(out, "depth %s, %s consumers of %g us", console_count(options->depth, depth),
            console_count(options->consumers, consumers), options->work_us);
}

static void print(const void *context, FILE *out)
{
    const struct gws_bpc_result *result = &((const struct state *)context)->result;
    char producers[CONSOLE_NUMBER], consumers[CONSOLE_NUMBER], bounces[CONSOLE_NUMBER];
    fprintf(out, "ran       %s producers and %s consumers; the producer bounced %s times\n",
            console_count(result->producers, producers), console_count(result->consumers, consumers),
            console_count(result->bounces, bounces));
}

static const struct json_field parameter[] = {
    {MEMBER(options.depth, "depth")}, {MEMBER(options.consumers, "consumers")}, {MEMBER(options.work_us, "work_us")}};

static const struct json_field found[] = {{MEMBER(result.producers, "producers")},
                                          {MEMBER(result.consumers, "consumers")},
                                          {MEMBER(result.bounces, "bounces")}};

const struct workload workload_bpc = {
    .name = "bpc",
    .about = "Bouncing producer and consumers: who has work is stolen away (Dinan et al.)",
    WORKLOAD_STATE,
    .begin = begin,
    .run = run,
    .verify = verify,
    .describe = describe,
    .print = print,
    .parameter = JSON_TABLE(parameter),
    .found = JSON_TABLE(found),
    .unit = "consumers",
    .units = offsetof(struct state, result.consumers),
    .work_ms = offsetof(struct state, result.work_ms),
};
