/* SPDX-License-Identifier: MIT */
/* graphws: graph algorithms on threads and devices; measures, checks and writes the result.
 *
 * The tool refuses invalid options before it loads the graph. It writes standard output last and at once, so a failure
 * leaves it empty. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/console.h"
#include "common/outputs.h"
#include "common/ranks.h"
#include "gbfs/main.h"
#include "graphws/algorithm.h"

/* ---- the runs ---- */

static int fail(const struct algorithm_report *report, gws_status status, const struct gws_diagnostic *where)
{
    char name[CONSOLE_NAME];
    if (report->device) return device_fail(status, where);
    if (*where->file) return console_fail_at(status, where);
    console_fail("%s: %s", console_name(report->session.name, name),
                 *where->message ? where->message : gws_status_text(status));
    return status == GWS_INVALID || status == GWS_UNSUPPORTED ? TOOL_MISUSED : TOOL_FAILED;
}

static void set_table(const struct algorithm_report *report, struct algorithm_table *table)
{
    table->table = (struct gws_table){
        .graph = report->session.graph, .rows = report->session.graph->vertices, .columns = 0, .column = table->column};
}

/* Overwrites the columns of the last result, so stale memory cannot pass as the next result. */
static void poison(const struct algorithm_report *report)
{
    struct algorithm_table table;
    set_table(report, &table);
    report->algorithm->columns(report->state, &table);
    for (uint32_t i = 0; i < table.table.columns; i++) {
        const struct gws_column *column = &table.column[i];
        size_t bytes = column->kind == GWS_COLUMN_U32 || column->kind == GWS_COLUMN_VERTEX ? 4 : 8;
        if (column->kind != GWS_COLUMN_ID && column->data) memset((void *)column->data, 0x5a, table.table.rows * bytes);
    }
}

static int run_once(struct algorithm_report *report)
{
    struct gws_diagnostic where = {0};
    gws_runtime_stats_reset(report->session.runtime);
    gws_status status = report->algorithm->run(report->state, &report->input, &where);
    return status == GWS_OK ? -1 : fail(report, status, &where);
}

static int verify(struct algorithm_report *report)
{
    struct gws_diagnostic where = {0};
    gws_status status = report->algorithm->verify(report->state, &report->input, &where);
    if (status == GWS_TOO_LARGE) {
        report->verified = VERIFIED_TOO_LONG;
        return -1;
    }
    report->verified = status == GWS_OK ? VERIFIED_RIGHT : VERIFIED_WRONG;
    if (status == GWS_OK) return -1;
    if (status != GWS_WRONG_RESULT) return fail(report, status, &where);
    console_fail("%s: the result is wrong: %s", report->session.name, where.message);
    return TOOL_WRONG;
}

/* Sets the source of run i; algorithms without sources have an empty list. */
static void set_source(struct algorithm_report *report, const struct sources *sources, uint64_t i)
{
    if (sources->vertex && sources->count > 0) report->input.source = sources->vertex[i % sources->count];
}

static int run_all(struct algorithm_report *report, const struct sources *sources)
{
    const struct runtime_options *options = &report->settings->session.options;
    const char *name = report->algorithm->command.name;
    const uint64_t runs = report->algorithm->sources ? sources->count : options->repeat;
    int failure = -1;
    console_progress_begin("running", name);
    for (uint64_t i = 0; i < options->warmup && failure < 0; i++) {
        set_source(report, sources, i);
        failure = run_once(report);
    }
    for (uint64_t i = 0; i < runs && failure < 0; i++) {
        if (i > 0) console_progress(NULL, name, i, runs);
        set_source(report, sources, i);
        if (options->verify && (i > 0 || options->warmup > 0)) poison(report);
        failure = run_once(report);
        if (failure >= 0) break;
        algorithm_report_add_run(report);
        if (i + 1 == runs) failure = runtime_options_trace(options, report->session.runtime);
        if (failure < 0 && options->verify) failure = verify(report);
    }
    console_progress_end();
    return failure;
}

/* ---- preparation ---- */

static int draw_weights(struct algorithm_report *report)
{
    const struct algorithm_settings *settings = report->settings;
    gws_status status = gws_graph_draw_weights(report->session.runtime, report->session.graph, settings->min_weight,
                                               settings->max_weight, settings->session.options.seed);
    return status == GWS_OK ? -1 : console_fail("%s: %s", report->session.name, gws_status_text(status));
}

static int build_reverse(struct algorithm_report *report)
{
    struct session *session = &report->session;
    const struct algorithm *algorithm = report->algorithm;
    if (!session->graph->directed || !algorithm->reverse || !algorithm->reverse(report->state)) return -1;
    console_progress_begin("reversing", session->name);
    double begin = gws_clock_ms();
    gws_status status = gws_graph_add_reverse(session->runtime, session->graph);
    report->reverse_ms = gws_clock_ms() - begin;
    console_progress_end();
    return status == GWS_OK ? -1 : console_fail("%s: %s", session->name, gws_status_text(status));
}

static int open_input(struct algorithm_report *report)
{
    struct gws_diagnostic where = {0};
    const struct session *session = &report->session;
    gws_status status = GWS_OK;
    algorithm_devices_select(report);
    report->input = (struct algorithm_input){
        .runtime = session->runtime, .graph = session->graph, .seed = report->settings->session.options.seed};
    report->input.by_vertex = report->settings->out || report->settings->top || report->settings->plot;
    report->input.table = report->settings->out != NULL;
    report->input.device = report->opened;
    report->input.devices = report->devices > 1 ? report->devices : 0;
    if (report->devices == 1)
        status = gws_device_graph_open(session->runtime, report->device, session->graph, NULL, &report->input.on_device,
                                       &where);
    double begin = gws_clock_ms(), other = algorithm_devices_translate_ms(report);
    if (status == GWS_OK && report->algorithm->open)
        status = report->algorithm->open(report->state, &report->input, &where);
    if (status == GWS_OK && report->algorithm->open)
        report->open_ms = gws_clock_ms() - begin - (algorithm_devices_translate_ms(report) - other) -
                          algorithm_devices_upload_ms(report);
    if (report->open_ms < 0) report->open_ms = 0;
    return status == GWS_OK ? -1 : fail(report, status, &where);
}

static int prepare(struct algorithm_report *report, const char *name)
{
    const struct algorithm_settings *settings = report->settings;
    const enum gws_weights weights = report->algorithm->weights ? GWS_WEIGHTS_KEEP : GWS_WEIGHTS_DROP;
    int failure = session_start(&report->session, &settings->session);
    /* Before the graph is loaded, so a missing device is reported first. */
    if (failure < 0) failure = algorithm_devices_open(report);
    if (failure < 0)
        failure =
            session_load(&report->session, &settings->session, name, (struct gws_read_options){.weights = weights});
    if (failure < 0 && settings->weights) failure = draw_weights(report);
    if (failure < 0) failure = build_reverse(report);
    return failure < 0 ? open_input(report) : failure;
}

/* ---- output ---- */

static int write_table(const struct algorithm_report *report, const char *path)
{
    struct gws_diagnostic where = {0};
    struct algorithm_table table;
    set_table(report, &table);
    report->algorithm->columns(report->state, &table);
    console_progress_begin("writing", path);
    gws_status status = gws_table_write(report->session.runtime, &table.table, path, &where);
    console_progress_end();
    return status == GWS_OK ? -1 : console_fail_at(status, &where);
}

/* Makes the ranking for --top and --plot. */
static int rank(struct algorithm_report *report)
{
    const struct algorithm *algorithm = report->algorithm;
    struct gws_diagnostic where = {0};
    if (!report->settings->top && !report->settings->plot) return -1;
    if (!(report->top = malloc(sizeof *report->top))) return console_fail("%s", gws_status_text(GWS_NO_MEMORY));
    set_table(report, report->top);
    gws_status status = GWS_OK;
    if (algorithm->ranking)
        status = algorithm->ranking(report->state, &report->input, report->top);
    else
        algorithm->columns(report->state, report->top);
    if (status != GWS_OK) return fail(report, status, &where);
    int failure = report->settings->top ? ranking_select(report) : -1;
    return failure < 0 && report->settings->plot ? ranking_plot(report, report->settings->plot) : failure;
}

static int print_all(const struct algorithm_report *report)
{
    const struct algorithm_settings *settings = report->settings;
    const struct runtime_options *options = &settings->session.options;
    FILE *out = settings->out && output_is_stdout(settings->out) ? stderr : stdout;
    int failure = -1;
    if (options->json)
        failure = json_print(algorithm_report_json, report);
    else if (!options->quiet)
        algorithm_report_print(report, out);
    if (options->stats && !options->json && !report->device) workers_print(&report->workers, out);
    if (options->stats && !options->json && report->input.devices > 1) algorithm_parts_print(report, out);
    int finish = console_finish();
    return failure >= 0 ? failure : finish;
}

/* Writes the table of a right result, and prints the report of a right or a wrong result. */
static int report_all(struct algorithm_report *report, int failure)
{
    if (failure >= 0 && failure != TOOL_WRONG) return failure;
    if (failure < 0 && report->settings->out) failure = write_table(report, report->settings->out);
    if (failure < 0) failure = rank(report);
    if (failure >= 0 && failure != TOOL_WRONG) return failure;
    int status = print_all(report);
    return status != TOOL_DONE || failure < 0 ? status : failure;
}

static int run(const struct algorithm_settings *settings, const struct subcommand_call *call)
{
    struct sources sources = {0};
    struct algorithm_report report = {
        .settings = settings, .algorithm = (const struct algorithm *)call->command, .state = call->state};
    const struct runtime_options *options = &settings->session.options;
    int failure = prepare(&report, call->operand);
    if (failure < 0 && report.algorithm->sources)
        failure = sources_choose(&report.session, algorithm_source(report.algorithm, call->state), options->repeat,
                                 options->seed, &sources);
    if (failure < 0 && !algorithm_report_begin(&report, report.algorithm->sources ? sources.count : options->repeat))
        failure = console_fail("%s", gws_status_text(GWS_NO_MEMORY));
    if (failure < 0) failure = report_all(&report, run_all(&report, &sources));
    algorithm_report_clear(&report);
    report.algorithm->clear(report.state);
    sources_clear(&report.session, &sources);
    gws_device_graph_close(report.input.on_device);
    algorithm_devices_close(&report);
    session_close(&report.session);
    return failure;
}

/* Changes "graphws help ALGORITHM" to "graphws ALGORITHM --help". */
static void replace_help(int *argc, char **argv)
{
    static char help[] = "--help";
    if (*argc < 2 || strcmp(argv[1], "help") != 0) return;
    if (*argc > 2) argv[1] = argv[2];
    argv[*argc > 2 ? 2 : 1] = help;
    *argc = *argc > 2 ? 3 : 2;
}

int main(int argc, char **argv)
{
    struct algorithm_settings settings = {.session.options.repeat = 1};
    struct subcommand_call call;
    struct ranks ranks;
    replace_help(&argc, argv);
    if (argc > 1 && strcmp(argv[1], "bfs") == 0) return gbfs_main("graphws", argc - 1, argv + 1);
    int status = ranks_open(&ranks, "graphws", argc, argv);
    if (status < 0) {
        status = algorithm_parse(&settings, &ranks, argc, argv, &call);
        if (status < 0 && ranks.transport) status = algorithm_ranks_check(&settings, &call);
        status = ranks_agree(&ranks, status);
        if (status < 0) status = ranks_agree(&ranks, ranks_choose_for_graphs(&ranks));
        if (status < 0)
            status = ranks.transport ? algorithm_ranks_run(&ranks, &settings, &call) : run(&settings, &call);
        free(call.state);
    }
    ranks_close(&ranks);
    return status;
}
