/* SPDX-License-Identifier: MIT */
/* gsim: runs trees of tasks and loops over levels on a simulated machine of up to a million workers, under any policy.
 *
 * The tool refuses invalid options before any work. It writes standard output last and at once, so a failure leaves it
 * empty. */
#include <stdlib.h>

#include "gsim/simulation.h"

const char sim_default_policy[] = "chaselev";

static const struct subcommand *const table[] = {
    &simulation_uts.command,
    &simulation_bpc.command,
    &simulation_quicksort.command,
    &simulation_master_slave.command,
    &simulation_levels.command,
    &simulation_advise.command,
    NULL,
};

static const char closing[] =
    "Exit status\n"
    "  0 success; 1 memory ran out, or a file could not be read; 2 wrong usage; 3 a wrong result\n"
    "\n"
    "Examples\n"
    "  gsim uts -a 3 -d 9 -r 19 --policy split --workers 256 --preset mpi\n"
    "  gsim bpc -n 512 --policy split --preset dinan --workers 512 --wait --ticket --json\n"
    "  gbfs grid:2000x2000 --levels --json > bfs.json; gsim levels --sizes bfs.json --workers 64\n"
    "  gtask uts -d 8 --json > run.json; gsim advise --run run.json --workers 64\n";

/* The rows of runtime_worker_row and of runtime_task_row that apply. */
enum { FIRST_ROW = 1, ROWS = 5, SEED_ROW = 7, TASK_ROWS = 2, OUTPUT_ROWS = 2 };

struct sim_session {
    struct runtime_options settings;
    struct machine_options machine;
    struct gws_sim_options options;
};

static int check(struct sim_session *session, const struct simulation *simulation, void *state)
{
    struct runtime_options *settings = &session->settings;
    struct gws_sim_options *options = &session->options;
    const int vote = settings->vote; /* -1: the preset decides */
    const bool levels = simulation && simulation->levels;
    settings->vote = 0;
    if (levels && settings->policy == sim_default_policy) settings->policy = "chunked";
    int status = runtime_options_check(settings);
    if (status < 0 && gws_policy_takes_vote(settings->policy) == levels)
        return console_usage("--policy %s runs %s, which are not simulated", settings->policy,
                             levels ? "loops as tasks" : "tasks in rounds");
    if (status < 0) status = machine_open(&session->machine, &options->machine);
    if (status < 0 && session->machine.ticket && !settings->wait)
        return console_usage("--ticket requires --wait: a thief with a ticket cannot give up");
    if (status < 0) status = runtime_options_check_chunk(settings, levels ? RUNTIME_LOOPS : RUNTIME_TASKS);
    if (status < 0 && simulation && simulation->check) status = simulation->check(state);
    if (status < 0 && simulation)
        status = runtime_options_check_seed(settings, simulation->draws, " by this workload under this --policy");
    if (vote >= 0) options->machine.vote = vote;
    options->workers = (uint32_t)session->machine.workers;
    options->policy = settings->policy;
    options->victim = settings->victim;
    options->amount = settings->amount;
    options->chunk = (uint32_t)settings->chunk;
    options->wait = settings->wait;
    options->newest = session->machine.newest;
    options->ticket = session->machine.ticket;
    options->seed = settings->seed;
    return status;
}

static int fail(const struct simulation *simulation, gws_status status, const struct gws_diagnostic *where)
{
    const char *why = *where->message ? where->message : gws_status_text(status);
    bool misused = status == GWS_INVALID || status == GWS_TOO_LARGE || status == GWS_UNSUPPORTED;
    console_fail("%s: %s", simulation->command.name, why);
    return misused ? TOOL_MISUSED : status == GWS_WRONG_RESULT ? TOOL_WRONG : TOOL_FAILED;
}

static int run(const struct sim_session *session, const struct simulation *simulation, void *state)
{
    const struct runtime_options one_thread = {
        .threads = 1, .max_memory = session->settings.max_memory, .quiet = session->settings.quiet};
    struct gws_runtime *runtime = NULL;
    struct gws_diagnostic where = {0};
    struct sim_report report = {.settings = &session->settings,
                                .machine = &session->machine,
                                .options = &session->options,
                                .simulation = simulation,
                                .state = state};
    int failure = runtime_options_open(&one_thread, &runtime);
    if (failure >= 0) return failure;
    console_progress_begin("simulating", simulation->command.name);
    const double began = gws_clock_ms();
    gws_status status = simulation->run(state, runtime, &session->options, &report.found, &where);
    report.wall_ms = gws_clock_ms() - began;
    console_progress_end();
    gws_runtime_close(runtime);
    if (status != GWS_OK) return fail(simulation, status, &where);
    int printed =
        session->settings.json ? json_print(simulation->json ? simulation->json : sim_report_json, &report) : -1;
    if (!session->settings.json && !session->settings.quiet)
        (simulation->print ? simulation->print : sim_report_print)(&report, stdout);
    return printed < 0 ? console_finish() : printed;
}

int main(int argc, char **argv)
{
    struct sim_session session = {.settings = {.policy = sim_default_policy, .repeat = 1, .vote = -1},
                                  .machine = {.workers = 16, .preset = "threads", .topology = -1}};
    struct subcommand_call call;
    const struct option_group common[] = {
        {"Machine", machine_row, MACHINE_ROWS, &session.machine},
        {"Workers", runtime_worker_row + FIRST_ROW, ROWS, &session.settings},
        {NULL, runtime_worker_row + SEED_ROW, 1, &session.settings},
        {NULL, runtime_task_row, TASK_ROWS, &session.settings},
        {"Output", runtime_output_row, OUTPUT_ROWS, &session.settings},
    };
    const struct subcommand_tool tool = {
        .name = "gsim",
        .kind = "WORKLOAD",
        .about = "Simulates irregular trees of tasks on a machine with many workers. WORKLOAD comes first:",
        .closing = closing,
        .table = table,
        .common = common,
        .commons = sizeof common / sizeof *common};
    int status = subcommand_parse(&tool, argc, argv, &call);
    const struct simulation *simulation = (const struct simulation *)call.command;
    if (status < 0) status = check(&session, simulation, call.state);
    if (status < 0 && !simulation) status = subcommand_refuse_none(&tool);
    if (status < 0) status = run(&session, simulation, call.state);
    if (call.state && simulation->end) simulation->end(call.state);
    free(call.state);
    return status;
}
