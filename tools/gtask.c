/* SPDX-License-Identifier: MIT */
/* gtask: runs irregular trees of tasks under any policy; measures, checks and traces them.
 *
 * The tool refuses invalid options before any work. It writes standard output last and at once, so a failure leaves it
 * empty. */
#include <stdlib.h>
#include <string.h>

#include "common/console.h"
#include "common/outputs.h"
#include "common/runtime_options.h"
#include "gtask/record.h"
#include "gtask/workload.h"

/* With deques, the length of a queue is bounded by the depth of the tree. The library's default, rounds of levels, has
 * longer queues. */
static const char default_policy[] = "chaselev";

static const struct subcommand *const table[] = {
    &workload_uts.command,          &workload_bpc.command,
    &workload_connect_four.command, &workload_quicksort.command,
    &workload_master_slave.command, &workload_madness.command,
    &workload_md.command,           NULL,
};

static const char closing[] = "Exit status\n"
                              "  0 success; 1 a file could not be read or written, or memory ran out;\n"
                              "  2 wrong usage; 3 a result failed --verify; 4 no such device\n"
                              "\n"
                              "Examples\n"
                              "  gtask uts --tree T1L --policy split --verify --stats\n"
                              "  gtask uts -t 1 -a 3 -d 10 -b 4 -r 19 --repeat 5 --json\n"
                              "  gtask bpc -d 64 -n 512 --work 10 --policy split --trace bpc.json.gz\n";

/* ---- the runs ---- */

struct task_session {
    const struct runtime_options *settings;
    const char *record;
    const struct workload *workload;
    void *state;
    struct ranks *ranks;
    struct task_report report;
};

static int fail(const struct task_session *session, gws_status status, const struct gws_diagnostic *where)
{
    const struct workload *workload = session->workload;
    const char *why = *where->message ? where->message : gws_status_text(status);
    char rank[sizeof where->message + 32];
    if (session->ranks->count > 1 && status == GWS_NO_MEMORY && !*where->message) {
        snprintf(rank, sizeof rank, "rank %u: %s", gws_transport_failed_rank(session->ranks->transport), why);
        why = rank;
    }
    bool misused = status == GWS_INVALID || status == GWS_SYNTAX || status == GWS_TOO_LARGE;
    console_fail("%s: %s", workload->command.name, why);
    return misused ? TOOL_MISUSED : status == GWS_WRONG_RESULT ? TOOL_WRONG : TOOL_FAILED;
}

static gws_status poison(const struct workload *workload, void *state, struct gws_diagnostic *where)
{
    memset((char *)state + workload->result, 0, workload->result_bytes);
    return workload->poison ? workload->poison(state, where) : GWS_OK;
}

/* Runs once and sets *ms to the time. */
static int run_once(struct task_session *session, double *ms)
{
    const struct workload *workload = session->workload;
    struct gws_runtime *runtime = session->report.runtime;
    struct gws_diagnostic where = {0};
    gws_status status = session->settings->verify ? poison(workload, session->state, &where) : GWS_OK;
    if (status == GWS_OK && workload->prepare)
        status = workload->prepare(session->state, runtime, session->settings->seed, &where);
    gws_runtime_stats_reset(runtime);
    double began = gws_clock_ms();
    if (status == GWS_OK) status = workload->run(session->state, runtime, &where);
    *ms = gws_clock_ms() - began;
    return status == GWS_OK ? -1 : fail(session, status, &where);
}

/* Runs once and records the tasks. */
static int run_recorded(struct task_session *session, double *ms)
{
    int failure = record_begin(session->record, session->report.runtime);
    if (failure < 0) failure = run_once(session, ms);
    return failure < 0 ? record_end(session->report.runtime) : failure;
}

static int verify_here(struct task_session *session)
{
    struct gws_diagnostic where = {0};
    struct task_report *report = &session->report;
    if (session->settings->repeat == 1) console_progress_begin("verifying", session->workload->command.name);
    gws_status status = session->workload->verify(session->state, report->runtime, &where);
    if (status == GWS_TOO_LARGE) {
        if (report->verified != VERIFIED_TOO_LONG && !session->settings->quiet)
            console_fail("%s: not verified: %s", session->workload->command.name, where.message);
        report->verified = VERIFIED_TOO_LONG;
        return -1;
    }
    report->verified = status == GWS_OK ? VERIFIED_RIGHT : VERIFIED_WRONG;
    if (status == GWS_OK) return -1;
    if (status != GWS_WRONG_RESULT) return fail(session, status, &where);
    console_fail("%s: the result is wrong: %s", session->workload->command.name, where.message);
    return TOOL_WRONG;
}

/* Unless the result is parted, every rank has the whole result, and rank 0 checks it. */
static int verify(struct task_session *session)
{
    const bool checks = session->ranks->rank == 0 || session->workload->is_parted;
    return ranks_agree(session->ranks, checks ? verify_here(session) : -1);
}

/* Writes the trace of this process's workers. */
static int write_trace(const struct task_session *session)
{
    if (!session->settings->trace) return -1;
    int failure = session->ranks->rank == 0 ? runtime_options_trace(session->settings, session->report.runtime) : -1;
    return ranks_agree(session->ranks, failure);
}

static int run_all(struct task_session *session)
{
    const struct runtime_options *settings = session->settings;
    struct task_report *report = &session->report;
    int failure = -1;
    double ms;
    console_progress_begin("running", session->workload->command.name);
    for (uint64_t i = 0; i < settings->warmup && failure < 0; i++) failure = run_once(session, &ms);
    for (uint64_t i = 0; i < settings->repeat && failure < 0; i++) {
        if (i > 0) console_progress(NULL, session->workload->command.name, i, settings->repeat);
        failure = session->record && i + 1 == settings->repeat ? run_recorded(session, &ms) : run_once(session, &ms);
        if (failure >= 0) break;
        report_add_run(report, ms);
        if (session->workload->add_device) session->workload->add_device(session->state, &session->ranks->own);
        if (i + 1 == settings->repeat) failure = write_trace(session);
        if (failure < 0 && settings->verify) failure = verify(session);
    }
    if (failure < 0 && session->workload->write) failure = session->workload->write(session->state, report->runtime);
    console_progress_end();
    return failure;
}

/* ---- output ---- */

static void print_stats(const struct task_session *session)
{
    bool cpu;
    (void)workload_device(session->workload, session->state, &cpu);
    if (session->workload->table) session->workload->table(session->state, stdout);
    if (session->ranks->count > 1)
        ranks_print(session->ranks, stdout);
    else if (cpu)
        workers_print(&session->report.workers, stdout);
}

/* Prints the report, also for a wrong result. */
static int print_here(const struct task_session *session, int failure)
{
    const struct task_report *report = &session->report;
    int status = -1;
    if (session->settings->json)
        status = json_print(report_json, report);
    else if (!session->settings->quiet)
        report_print(report, stdout);
    if (session->settings->stats && !session->settings->json) print_stats(session);
    if (status < 0) status = console_finish();
    return status != TOOL_DONE || failure < 0 ? status : failure;
}

static int print_all(struct task_session *session, int failure)
{
    if (failure >= 0 && failure != TOOL_WRONG) return failure;
    int status = ranks_gather(session->ranks, &session->report.workers);
    if (status >= 0) return status;
    return ranks_agree(session->ranks, session->ranks->rank == 0 ? print_here(session, failure) : -1);
}

static int run(const struct runtime_options *settings, const char *record, const struct workload *workload, void *state,
               struct ranks *ranks)
{
    struct task_session session = {
        .settings = settings, .record = record, .workload = workload, .state = state, .ranks = ranks};
    struct task_report *report = &session.report;
    *report = (struct task_report){.options = settings, .workload = workload, .state = state, .ranks = ranks};
    int failure = ranks_divide_cpus(ranks, settings->pin);
    if (failure < 0) failure = ranks_agree(ranks, runtime_options_open(settings, &report->runtime));
    if (failure < 0 && !report_begin(report, settings->repeat))
        failure = console_fail("%s", gws_status_text(GWS_NO_MEMORY));
    if (failure < 0 && ranks->count > 1) workload->use_ranks(state, &ranks->run);
    if (failure < 0 && workload->open) failure = workload->open(state, report->runtime);
    failure = ranks_agree(ranks, failure);
    ranks->has_no_queues = workload->has_no_queues && workload_device(workload, state, &(bool){false});
    if (failure < 0) failure = print_all(&session, run_all(&session));
    report_clear(report);
    if (workload->end) workload->end(state, report->runtime);
    gws_runtime_close(report->runtime);
    return failure;
}

/* ---- command line ---- */

/* Refuses options of the CPU's workers if only a device runs. */
static int refuse_for_device(const struct runtime_options *settings, bool drawn, bool has_table)
{
    const char *given = settings->policy != default_policy ? "policy"
                        : settings->victim                 ? "victim"
                        : settings->amount                 ? "amount"
                        : settings->chunk                  ? "chunk"
                        : settings->wait                   ? "wait"
                        : settings->vote                   ? "termination"
                        : settings->sample                 ? "sample"
                        : settings->stats && !has_table    ? "stats"
                        : settings->seed && !drawn         ? "seed"
                                                           : NULL;
    return given ? console_usage("--%s requires the CPU, and --device names only a device", given) : -1;
}

/* Refuses what several ranks cannot do. */
static int check_ranks(const struct runtime_options *settings, const struct workload *workload, const void *state,
                       const struct ranks *ranks)
{
    bool cpu;
    const bool on_device = workload_device(workload, state, &cpu);
    if (!workload->use_ranks)
        return console_usage("%s runs in one process; uts, bpc, quicksort and madness run as several ranks",
                             workload->command.name);
    if (on_device && workload->has_no_queues && ranks->queue > 0)
        return console_usage("--rank-queue requires the CPU: on devices, no tasks of %s move between ranks",
                             workload->command.name);
    if (settings->vote) return console_usage("--termination requires one process: several ranks always vote");
    if (cpu && !gws_policy_takes_vote(settings->policy))
        return console_usage("--policy %s runs tasks in rounds, which several ranks cannot do", settings->policy);
    return -1;
}

static int check(const struct runtime_options *settings, const char *record, const struct workload *workload,
                 void *state, const struct ranks *ranks)
{
    struct named_file file[2 + WORKLOAD_FILES] = {{"--trace", settings->trace, true}, {"--record", record, true}};
    if (workload->files) workload->files(state, file + 2);
    int status = runtime_options_check(settings);
    if (status < 0) status = outputs_check(file, sizeof file / sizeof *file);
    if (status < 0 && workload->check) status = workload->check(state);
    if (status < 0) status = record_check(record, workload, state, ranks);
    if (status < 0 && ranks->count > 1) status = check_ranks(settings, workload, state, ranks);
    if (status >= 0) return status;
    bool drawn = ranks->count > 1 || (workload->draws && workload->draws(state)), cpu;
    (void)workload_device(workload, state, &cpu);
    status = cpu ? runtime_options_check_chunk(settings, RUNTIME_TASKS)
                 : refuse_for_device(settings, drawn, ranks->count > 1 || workload->table);
    return status < 0 ? runtime_options_check_seed(settings, drawn, " by this workload under this --policy") : status;
}

int main(int argc, char **argv)
{
    struct runtime_options settings = {.policy = default_policy, .repeat = 1};
    struct record_options record = {NULL};
    struct subcommand_call call;
    struct ranks ranks;
    const struct option_group common[] = {
        {"Runs", runtime_run_row, RUNTIME_RUN_ROWS, &settings},
        {"Workers", runtime_worker_row, RUNTIME_WORKER_ROWS, &settings},
        {NULL, runtime_task_row, RUNTIME_TASK_ROWS, &settings},
        {"Ranks", ranks_row, RANKS_ROWS, &ranks},
        {"Output", runtime_report_row, RUNTIME_REPORT_ROWS, &settings},
        {NULL, record_row, RECORD_ROWS, &record},
        {NULL, runtime_output_row, RUNTIME_OUTPUT_ROWS, &settings},
    };
    const struct subcommand_tool tool = {
        .name = "gtask",
        .kind = "WORKLOAD",
        .about = "Runs irregular trees of tasks, balanced by work stealing. WORKLOAD comes first:",
        .closing = closing,
        .table = table,
        .common = common,
        .commons = sizeof common / sizeof *common};
    int status = ranks_open(&ranks, tool.name, argc, argv);
    if (status < 0) {
        status = subcommand_parse(&tool, argc, argv, &call);
        const struct workload *workload = (const struct workload *)call.command;
        if (status < 0)
            status = workload ? check(&settings, record.path, workload, call.state, &ranks)
                              : runtime_options_check(&settings);
        if (status < 0 && !workload) status = subcommand_refuse_none(&tool);
        if (status < 0) status = ranks_watch_calls(&ranks, settings.quiet);
        status = ranks_agree(&ranks, status);
        if (status < 0) status = ranks_agree(&ranks, ranks_choose(&ranks));
        if (status < 0 && workload) status = run(&settings, record.path, workload, call.state, &ranks);
        free(call.state);
    }
    ranks_close(&ranks);
    return status;
}
