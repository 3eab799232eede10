/* SPDX-License-Identifier: MIT */
/* gsim advise: reads the run of a workload (gtask --json), and simulates it on the machine under policy after policy.
 */
#include "advise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIELD(name) offsetof(struct advise_state, name)

static const struct option_row row[] = {
    {TEXT("run", "FILE", FIELD(path), "advise on the run in FILE, an output of gtask --json")},
    {FLAG("as-preset", FIELD(as_preset), 1, "let tasks take the time of the preset (default: of the run)")},
};

static const struct subcommand_rows group[] = {{row, sizeof row / sizeof *row, 0}};

static const struct advise_state initial = {.task_ns = NAN};

static const struct simulation *const table[] = {&simulation_uts, &simulation_bpc, &simulation_quicksort,
                                                 &simulation_master_slave};

/* ---- the run ---- */

static int refuse(const struct advise_state *state, const char *why, const char *what)
{
    char name[CONSOLE_NAME], shown[CONSOLE_NAME];
    return console_usage("%s: %s%s", console_name(state->path, name), why, console_name(what, shown));
}

/* Copies a text of the file, without the end of one that is too long. */
static void copy(const struct run_member *member, char *text, size_t bytes)
{
    snprintf(text, bytes, "%.*s", (int)(member->length < bytes ? member->length : bytes - 1), member->value);
}

static int find_workload(struct advise_state *state, const struct run_file *file)
{
    const struct run_member *workload = run_file_member(file, "workload");
    const struct run_member *device = run_file_member(file, "devices"), *policy = run_file_member(file, "policy");
    char name[32];
    if (!workload || !workload->is_text || !device || !policy || !policy->is_text)
        return refuse(state, "not the output of gtask --json", "");
    copy(workload, name, sizeof name);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (run_member_is(workload, table[i]->command.name)) state->simulation = table[i];
    if (!state->simulation) return refuse(state, "no simulation of the workload ", name);
    const bool more = device + 1 < file->member + file->members && strcmp(device[1].path, "devices") == 0;
    if (more || !run_member_is(device, "cpu")) return refuse(state, "a run with devices, not on threads alone", "");
    copy(policy, state->policy, sizeof state->policy);
    return -1;
}

static uint64_t count_of(const struct run_file *file, const char *path)
{
    uint64_t count = 0;
    for (size_t i = 0; i < file->members; i++) count += strcmp(file->member[i].path, path) == 0;
    return count;
}

static int take_times(struct advise_state *state, const struct run_file *file)
{
    const double seed = run_file_sum(file, "seed"), busy = run_file_sum(file, "workers.busy_ms");
    state->runs = count_of(file, "runs.ms");
    state->threads = count_of(file, "workers.busy_ms");
    state->ms = run_file_sum(file, "ms.median");
    state->efficiency = run_file_sum(file, "efficiency");
    if (!state->runs || busy < 0 || seed < 0 || state->ms < 0 || state->efficiency < 0)
        return refuse(state, "not the output of gtask --json: no times of workers", "");
    state->busy_ms = busy / (double)state->runs;
    state->seed = seed < 0x1p64 ? (uint64_t)seed : 0;
    return -1;
}

static int take_parameters(struct advise_state *state, const struct run_file *file)
{
    const struct simulation *simulation = state->simulation;
    state->state = malloc(simulation->command.bytes);
    if (!state->state) return console_fail("%s", gws_status_text(GWS_NO_MEMORY));
    memcpy(state->state, simulation->command.initial, simulation->command.bytes);
    for (size_t i = 0; i < simulation->parameter.fields; i++)
        if (!run_file_parameter(file, &simulation->parameter.field[i], state->state))
            return refuse(state, "not the output of gtask --json: no parameter ", simulation->parameter.field[i].key);
    const char *missing = simulation->take ? simulation->take(state->state, file) : NULL;
    return missing ? refuse(state, "not simulated: ", missing) : -1;
}

static int check(void *context)
{
    struct advise_state *state = context;
    struct run_file file;
    if (!state->path) return console_usage("advise requires a run: --run FILE");
    int status = run_file_read(state->path, &file);
    if (status < 0) status = find_workload(state, &file);
    if (status < 0) status = take_times(state, &file);
    if (status < 0) status = take_parameters(state, &file);
    run_file_clear(&file);
    return status;
}

static void end(void *context)
{
    struct advise_state *state = context;
    free(state->state);
}

const struct simulation simulation_advise = {
    .command.name = "advise",
    .command.about = "The fastest policy, victims and amount for a run of gtask, and what limits it",
    SUBCOMMAND_STATE(struct advise_state),
    .input = "--run",
    .check = check,
    .draws = true,
    .run = advise_run,
    .end = end,
    .print = advise_print,
    .json = advise_json,
};
