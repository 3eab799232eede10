/* SPDX-License-Identifier: MIT */
/* gsim: runs trees of tasks and loops over levels on a simulated machine of up to a million workers, under any policy.
 *
 * The tool refuses invalid options before it measures and simulates. It writes standard output last and at once, so a
 * failure leaves it empty. */
#include <stdlib.h>

#include "common/outputs.h"
#include "common/picture.h"
#include "common/ranks.h"
#include "gsim/simulation.h"
#include "gsim/timeline.h"

const char sim_default_policy[] = "chaselev";

static const struct subcommand *const table[] = {
    &simulation_uts.command,       &simulation_bpc.command,
    &simulation_quicksort.command, &simulation_master_slave.command,
    &simulation_levels.command,    &simulation_recorded.command,
    &simulation_advise.command,    NULL,
};

static const char closing[] =
    "Exit status\n"
    "  0 success; 1 out of memory, or a file not read or written; 2 wrong usage; 3 a wrong result\n"
    "\n"
    "Examples\n"
    "  gsim uts -a 3 -d 9 -r 19 --policy split --workers 256 --preset mpi\n"
    "  gsim bpc -n 512 --policy split --preset dinan --workers 512 --wait --ticket --json\n"
    "  gbfs grid:2000x2000 --levels --json > bfs.json; gsim levels --sizes bfs.json --workers 64\n"
    "  gsim uts -d 7 --preset mpi --policy split --workers 1,4,16,64 --out scaling.csv\n"
    "  gsim bpc -d 20 --workers 64 --policy split --trace trace.json\n"
    "  echo tasks 0 10000 64 | gsim recorded --tasks - --workers 8\n"
    "  gtask uts -d 8 --json > run.json; gsim advise --run run.json --workers 64\n";

/* The rows of runtime_worker_row and of runtime_task_row that apply. */
enum { FIRST_ROW = 1, ROWS = 5, SEED_ROW = 7, TASK_ROWS = 2, TRACE_ROW = 1 };

struct sim_files {
    const char *out, *plot; /* NULL: not wanted */
};

#define FIELD(name) offsetof(struct sim_files, name)
static const struct option_row file_row[] = {
    {TEXT("out", "FILE", FIELD(out),
          "write a table with a row for each number of workers: .csv, .tsv or\n"
          ".npy, also with .gz; - is CSV on standard output")},
    {TEXT("plot", "FILE", FIELD(plot),
          "plot busy workers and the queues' tasks over virtual time, or the\n"
          "efficiency and time of several numbers of workers, with gnuplot:\n.svg or .png")},
};

struct sim_session {
    struct runtime_options settings;
    struct machine_options machine;
    struct sim_files files;
    struct gws_sim_options options;
    uint32_t workers[SIM_MAX_ROWS], numbers;
};

static int check_files(const struct sim_session *session, const struct simulation *simulation, const void *state)
{
    const struct sim_files *files = &session->files;
    const char *input = simulation->input ? *(const char *const *)state : NULL;
    const struct named_file file[] = {{simulation->input, input, false},
                                      {"--out", files->out, true},
                                      {"--plot", files->plot, true},
                                      {"--trace", session->settings.trace, true}};
    int status = outputs_check(file, sizeof file / sizeof *file);
    if (status < 0 && files->plot) status = gnuplot_check("plot", files->plot);
    if (status >= 0 || !files->out) return status;
    if (session->settings.json && output_is_stdout(files->out))
        return console_usage("--out - and --json both need standard output");
    return output_check_table("out", files->out);
}

/* Checks what depends on the number of simulations. */
static int check_numbers(const struct sim_session *session, const struct simulation *simulation)
{
    const bool traced = session->settings.trace != NULL;
    if (simulation == &simulation_advise &&
        (session->numbers > 1 || session->files.out || session->files.plot || traced))
        return console_usage("advise simulates one number of workers, without --out, --plot and --trace");
    if (traced && session->numbers > 1) return console_usage("--trace requires one number of workers");
    if (traced && session->workers[0] > TIMELINE_MAX_TRACED)
        return console_usage("--trace has at most %d workers, not %u", TIMELINE_MAX_TRACED, session->workers[0]);
    return -1;
}

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
    if (status < 0) status = machine_workers(&session->machine, session->workers, &session->numbers);
    if (status < 0) status = machine_open(&session->machine, false, &options->machine);
    if (status < 0 && session->machine.ticket && !settings->wait)
        return console_usage("--ticket requires --wait: a thief with a ticket cannot give up");
    if (status < 0) status = runtime_options_check_chunk(settings, levels ? RUNTIME_LOOPS : RUNTIME_TASKS);
    if (status < 0 && simulation && simulation->check) status = simulation->check(state);
    if (status < 0 && simulation)
        status = runtime_options_check_seed(settings, simulation->draws, " by this workload under this --policy");
    if (status < 0 && simulation) status = check_numbers(session, simulation);
    if (status < 0 && simulation) status = check_files(session, simulation, state);
    if (status < 0 && simulation) status = machine_open(&session->machine, true, &options->machine);
    if (vote >= 0) options->machine.vote = vote;
    options->workers = session->workers[0];
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
    if (*where->file) return console_fail_at(status, where);
    const char *why = *where->message ? where->message : gws_status_text(status);
    bool misused = status == GWS_INVALID || status == GWS_TOO_LARGE || status == GWS_UNSUPPORTED;
    console_fail("%s: %s", simulation->command.name, why);
    return misused ? TOOL_MISUSED : status == GWS_WRONG_RESULT ? TOOL_WRONG : TOOL_FAILED;
}

/* Simulates each number of workers. *report then has the last one. */
static int simulate(struct sim_session *session, struct gws_runtime *runtime, struct sim_report *report,
                    struct sim_row *row, void *state)
{
    gws_status status = GWS_OK;
    struct gws_diagnostic where = {0};
    console_progress_begin("simulating", report->simulation->command.name);
    for (uint32_t i = 0; i < session->numbers && status == GWS_OK; i++) {
        session->options.workers = session->workers[i];
        const double began = gws_clock_ms();
        status = report->simulation->run(state, runtime, &session->options, &report->found, &where);
        report->wall_ms = gws_clock_ms() - began;
        row[i] = sim_row_of(session->workers[i], &report->found);
    }
    console_progress_end();
    return status == GWS_OK ? -1 : fail(report->simulation, status, &where);
}

static int write_files(const struct sim_session *session, struct gws_runtime *runtime, const struct sim_report *report,
                       struct timeline *timeline)
{
    const struct sim_files *files = &session->files;
    const char *trace = session->settings.trace;
    const uint64_t end_ns = (uint64_t)(report->found.virtual_ms * 1e6);
    int status = trace ? timeline_write(timeline, end_ns, session->settings.policy, trace) : -1;
    if (status < 0 && files->out) status = sim_rows_write(report->row, report->rows, runtime, files->out);
    return status < 0 && files->plot ? sim_plot(report, timeline, runtime, files->plot) : status;
}

static int run(struct sim_session *session, struct gws_runtime *runtime, const struct simulation *simulation,
               void *state)
{
    static struct timeline timeline;
    struct sim_row row[SIM_MAX_ROWS];
    struct sim_report report = {.settings = &session->settings,
                                .machine = &session->machine,
                                .options = &session->options,
                                .simulation = simulation,
                                .state = state,
                                .row = row,
                                .rows = session->numbers};
    const bool is_traced = session->settings.trace != NULL;
    int failure = -1;
    if (!timeline_open(&timeline, runtime, session->workers[0], is_traced))
        failure = console_fail("%s", gws_status_text(GWS_NO_MEMORY));
    if (is_traced || (session->files.plot && session->numbers == 1)) session->options.observer = &timeline.observer;
    if (failure < 0) failure = simulate(session, runtime, &report, row, state);
    if (failure < 0) failure = write_files(session, runtime, &report, &timeline);
    timeline_close(&timeline);
    if (failure >= 0) return failure;
    if (session->settings.json) return json_print(simulation->json ? simulation->json : sim_report_json, &report);
    FILE *out = session->files.out && output_is_stdout(session->files.out) ? stderr : stdout;
    if (!session->settings.quiet) (simulation->print ? simulation->print : sim_report_print)(&report, out);
    return -1;
}

static int run_with_runtime(struct sim_session *session, const struct simulation *simulation, void *state)
{
    const struct runtime_options *settings = &session->settings;
    const struct runtime_options one_thread = {
        .threads = 1, .max_memory = settings->max_memory, .quiet = settings->quiet, .no_sync = settings->no_sync};
    struct gws_runtime *runtime = NULL;
    int status = runtime_options_open(&one_thread, &runtime);
    if (status >= 0) return status;
    status = run(session, runtime, simulation, state);
    gws_runtime_close(runtime);
    return status < 0 ? console_finish() : status;
}

int main(int argc, char **argv)
{
    struct sim_session session = {.settings = {.policy = sim_default_policy, .repeat = 1, .vote = -1},
                                  .machine = {.workers = "16", .preset = "threads", .topology = -1}};
    struct subcommand_call call;
    const struct option_group common[] = {
        {"Machine", machine_row, MACHINE_ROWS, &session.machine},
        {"Workers", runtime_worker_row + FIRST_ROW, ROWS, &session.settings},
        {NULL, runtime_worker_row + SEED_ROW, 1, &session.settings},
        {NULL, runtime_task_row, TASK_ROWS, &session.settings},
        {"Output", file_row, sizeof file_row / sizeof *file_row, &session.files},
        {NULL, runtime_report_row + TRACE_ROW, 1, &session.settings},
        {NULL, runtime_output_row, RUNTIME_OUTPUT_ROWS, &session.settings},
    };
    const struct subcommand_tool tool = {
        .name = "gsim",
        .kind = "WORKLOAD",
        .about = "Simulates irregular trees of tasks on a machine with many workers. WORKLOAD comes first:",
        .closing = closing,
        .table = table,
        .common = common,
        .commons = sizeof common / sizeof *common};
    int status = ranks_refuse(tool.name);
    if (status >= 0) return status;
    status = subcommand_parse(&tool, argc, argv, &call);
    const struct simulation *simulation = (const struct simulation *)call.command;
    if (status < 0) status = check(&session, simulation, call.state);
    if (status < 0 && !simulation) status = subcommand_refuse_none(&tool);
    if (status < 0 && simulation) status = run_with_runtime(&session, simulation, call.state);
    if (call.state && simulation->end) simulation->end(call.state);
    free(call.state);
    return status;
}
