/* SPDX-License-Identifier: MIT */
/* gsim quicksort: sorts keys in virtual time; each part of the array is a task. */
#include "../../lib/parallel.h"
#include "run_file.h"
#include "simulation.h"

struct simulated_quicksort_state {
    uint64_t count, cutoff;
    struct gws_quicksort_result result;
};

#define FIELD(name) offsetof(struct simulated_quicksort_state, name)

static const struct option_row row[] = {
    {NUMBER("keys", "N", FIELD(count), 0, (UINT64_C(1) << 48) - 1, "sort N keys of 64 bits (default: 10000000)")},
    {NUMBER("cutoff", "N", FIELD(cutoff), 1, UINT64_MAX, "sort parts of at most N keys in one task (default: 2048)")},
};

static const struct subcommand_rows group[] = {{row, sizeof row / sizeof *row, 0}};

static const struct simulated_quicksort_state initial = {.count = 10000000, .cutoff = GWS_QUICKSORT_CUTOFF};

static gws_status run(void *context, struct gws_runtime *runtime, const struct gws_sim_options *options,
                      struct gws_sim_result *found, struct gws_diagnostic *where)
{
    struct simulated_quicksort_state *state = context;
    const struct gws_quicksort_options sort = {.cutoff = state->cutoff, .seed = options->seed};
    uint64_t *keys = gws_allocate(runtime, state->count, sizeof *keys);
    if (!keys) return GWS_NO_MEMORY;
    gws_quicksort_fill(runtime, GWS_QUICKSORT_RANDOM, options->seed, keys, state->count);
    const uint64_t sum = gws_quicksort_sum(runtime, keys, state->count);
    gws_status status =
        gws_quicksort_simulate(runtime, options, keys, state->count, &sort, &state->result, found, where);
    if (status == GWS_OK) status = gws_quicksort_check(runtime, keys, state->count, sum, where);
    gws_release(runtime, keys, state->count, sizeof *keys);
    return status;
}

static const char *take(void *context, const struct run_file *file)
{
    (void)context;
    return run_member_is(run_file_member(file, "parameters.order"), "random") ? NULL
                                                                              : "keys in another order than random";
}

#define MEMBER(name, key) JSON_FIELD(struct simulated_quicksort_state, name, key)
static const struct json_field parameter[] = {{MEMBER(count, "keys")}, {MEMBER(cutoff, "cutoff")}};

static const struct json_field result[] = {
    {MEMBER(result.tasks, "parts")}, {MEMBER(result.splits, "splits")}, {MEMBER(result.depth, "depth")}};

const struct simulation simulation_quicksort = {
    .command.name = "quicksort",
    .command.about = "Quicksort, with a task for each part of any size (Rudolph, Slivkin-Allalouf, Upfal)",
    SUBCOMMAND_STATE(struct simulated_quicksort_state),
    .draws = true,
    .run = run,
    .cost = GWS_SIM_key,
    .take = take,
    .parameter = JSON_TABLE(parameter),
    .result = JSON_TABLE(result),
    .description = "{keys} keys, cutoff {cutoff}",
    .finding = "parts     {parts}, of which {splits} were divided, depth {depth}\n",
};
