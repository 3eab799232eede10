/* SPDX-License-Identifier: MIT */
/* gtask bpc: the bouncing producer-consumer benchmark (Dinan et al., SC 2009, section 2.5.3). */
#include "../../workloads/bpc.h"
#include "workload.h"

struct bpc_state {
    struct gws_bpc_options options;
    struct gws_bpc_result result;
};

#define FIELD(name) offsetof(struct bpc_state, options.name)

static const struct option_row row[] = {
    {NUMBER("depth", "N", FIELD(depth), 0, UINT64_MAX, "run N producers that spawn consumers (default: 64)"),
     .short_name = 'd'},
    {NUMBER("consumers", "N", FIELD(consumers), 0, UINT64_MAX, "spawn N consumers from each (default: 512)"),
     .short_name = 'n'},
    {REAL("work", "US", FIELD(work_us), 1e9, "run each consumer for US microseconds (default: 1000)")},
};

static const struct subcommand_rows group[] = {{row, sizeof row / sizeof *row, 0}};

static const struct bpc_state initial = {.options = {.consumers = 512, .depth = 64, .work_us = 1000}};

static gws_status run(void *context, struct gws_runtime *runtime, struct gws_diagnostic *where)
{
    struct bpc_state *state = context;
    (void)where;
    return gws_bpc(runtime, &state->options, &state->result);
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
    .run = run,
    .verify = verify,
    .parameter = JSON_TABLE(parameter),
    .found = JSON_TABLE(found),
    .description = "depth {depth}, {consumers} consumers of {work_us} us",
    .finding = "ran       {producers} producers and {consumers} consumers; the producer bounced {bounces} times\n",
    .unit = "consumers",
    .units = offsetof(struct bpc_state, result.consumers),
    .work_ms = offsetof(struct bpc_state, result.work_ms),
};
