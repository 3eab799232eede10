/* SPDX-License-Identifier: MIT */
/* graphws under mpirun: the ranks hold the graph together and run the algorithm together. Rank 0 prints. */
#include <stdlib.h>
#include <string.h>

#include "../common/console.h"
#include "../common/outputs.h"
#include "algorithm.h"

int algorithm_ranks_check(const struct algorithm_settings *settings, const struct subcommand_call *call)
{
    const struct algorithm *algorithm = (const struct algorithm *)call->command;
    const struct runtime_options *options = &settings->session.options;
    const bool ranks_values = !algorithm->ranking;
    const char *given = settings->device                  ? "device"
                        : settings->plot && !ranks_values ? "plot"
                        : settings->top && !ranks_values  ? "top"
                        : options->trace                  ? "trace"
                        : settings->session.mapped        ? "mmap"
                                                          : NULL;
    if (!algorithm->rank_run)
        return console_usage("%s runs in one process, but was started as several ranks; bfs, cc, pagerank and sssp run "
                             "as ranks",
                             algorithm->command.name);
    return given ? console_usage("--%s requires one process, not several ranks", given) : -1;
}

struct ranks_run {
    struct rank_session graph;
    struct algorithm_report report; /* rank 0 prints it; its session is a copy of graph.session */
    struct algorithm_rank_input input;
};

/* ---- the runs ---- */

static int run_once(struct ranks_run *self)
{
    struct gws_diagnostic where = {0};
    gws_runtime_stats_reset(self->graph.session.runtime);
    gws_status status = self->report.algorithm->rank_run(self->report.state, &self->input, &where);
    return status == GWS_OK ? -1 : rank_session_fail(&self->graph, status, &where);
}

static int verify(struct ranks_run *self)
{
    struct gws_diagnostic where = {0};
    char name[CONSOLE_NAME];
    gws_status status = self->report.algorithm->rank_verify(self->report.state, &self->input, &where);
    self->report.verified = status == GWS_OK ? VERIFIED_RIGHT : VERIFIED_WRONG;
    if (status == GWS_OK) return -1;
    if (status != GWS_WRONG_RESULT) return rank_session_fail(&self->graph, status, &where);
    console_fail("%s: the result is wrong: %s", console_name(self->graph.session.name, name), where.message);
    return TOOL_WRONG;
}

/* Overwrites the columns of the last result, so stale memory cannot pass as the next result. */
static void poison(const struct ranks_run *self)
{
    struct rank_column column[RANK_COLUMNS];
    const uint32_t columns = self->report.algorithm->rank_columns(self->report.state, column);
    for (uint32_t i = 0; i < columns; i++)
        if (column[i].column.data)
            memset((void *)column[i].column.data, 0x5a, self->graph.graph->rows * column[i].bytes);
}

/* Sets the source of run i; algorithms without sources have an empty list. */
static void set_source(struct ranks_run *self, const struct sources *sources, uint64_t i)
{
    if (sources->vertex && sources->count > 0) self->input.source = sources->vertex[i % sources->count];
    self->report.input.source = self->input.source;
}

static int run_all(struct ranks_run *self, const struct sources *sources)
{
    const struct runtime_options *options = &self->report.settings->session.options;
    const uint64_t runs = self->report.algorithm->sources ? sources->count : options->repeat;
    const char *name = self->report.algorithm->command.name;
    int failure = -1;
    console_progress_begin("running", name);
    for (uint64_t i = 0; i < options->warmup && failure < 0; i++) {
        set_source(self, sources, i);
        failure = run_once(self);
    }
    for (uint64_t i = 0; i < runs && failure < 0; i++) {
        if (i > 0) console_progress(NULL, name, i, runs);
        set_source(self, sources, i);
        if (options->verify && (i > 0 || options->warmup > 0)) poison(self);
        failure = run_once(self);
        if (failure >= 0) break;
        algorithm_report_add_run(&self->report);
        struct gws_worker_stats total = workers_now(&self->report.workers);
        ranks_add_run(self->graph.ranks, &total);
        if (options->verify) failure = verify(self);
    }
    console_progress_end();
    return failure;
}

/* ---- output ---- */

static void outcome_json(const void *data, struct json *json)
{
    const struct ranks_run *self = data;
    algorithm_report_json(&self->report, json);
    rank_session_json(&self->graph, json);
}

static int print_here(const struct ranks_run *self)
{
    const struct algorithm_settings *settings = self->report.settings;
    const struct runtime_options *options = &settings->session.options;
    FILE *out = settings->out && output_is_stdout(settings->out) ? stderr : stdout;
    int failure = -1;
    if (options->json) {
        failure = json_print(outcome_json, self);
    } else if (!options->quiet) {
        algorithm_report_print(&self->report, out);
        fprintf(out, "ranks     %u (%s)\n", self->graph.ranks->count, gws_transport_name(self->graph.ranks->transport));
    }
    if (options->stats && !options->json) rank_session_print(&self->graph, NULL, out);
    const int finish = console_finish();
    return failure >= 0 ? failure : finish;
}

/* Makes the ranking of --top and --plot from gathered columns, on rank 0. */
static int rank_values(struct ranks_run *self, const struct gws_column *gathered, uint32_t columns)
{
    struct algorithm_report *report = &self->report;
    const struct algorithm_settings *settings = report->settings;
    report->top = malloc(sizeof *report->top);
    if (!report->top) return console_fail("%s", gws_status_text(GWS_NO_MEMORY));
    report->top->table = (struct gws_table){.graph = &self->graph.about,
                                            .rows = self->graph.about.vertices,
                                            .columns = columns,
                                            .column = report->top->column};
    memcpy(report->top->column, gathered, columns * sizeof *gathered);
    int failure = settings->top ? ranking_select(report) : -1;
    return failure < 0 && settings->plot ? ranking_plot(report, settings->plot) : failure;
}

/* Writes the table, and gathers columns for --top and --plot. *columns: those that the caller releases (in and out). */
static int write_columns(struct ranks_run *self, struct rank_column *column, struct gws_column *gathered,
                         uint32_t *columns)
{
    const struct algorithm_settings *settings = self->report.settings;
    const uint32_t count = self->report.algorithm->rank_columns(self->report.state, column);
    int failure = settings->out ? rank_table_write(&self->graph, column, count, settings->out) : -1;
    if (failure >= 0 || (!settings->top && !settings->plot)) return failure;
    failure = rank_columns_gather(&self->graph, column, count, gathered);
    *columns = count;
    if (failure >= 0) return failure;
    return ranks_agree(self->graph.ranks, self->graph.ranks->rank == 0 ? rank_values(self, gathered, count) : -1);
}

/* Writes the table of a right result, and prints the report of a right or a wrong result. */
static int report_all(struct ranks_run *self, int failure)
{
    const struct algorithm_settings *settings = self->report.settings;
    struct ranks *ranks = self->graph.ranks;
    struct rank_column column[RANK_COLUMNS];
    struct gws_column gathered[RANK_COLUMNS];
    uint32_t columns = 0;
    if (failure < 0 && (settings->out || settings->top || settings->plot))
        failure = write_columns(self, column, gathered, &columns);
    int status =
        failure < 0 || failure == TOOL_WRONG ? rank_session_gather(&self->graph, &self->report.workers) : failure;
    if (status < 0) status = ranks_agree(ranks, ranks->rank == 0 ? print_here(self) : TOOL_DONE);
    rank_columns_release(&self->graph, column, columns, gathered);
    return status != TOOL_DONE || failure < 0 ? status : failure;
}

/* ---- preparation ---- */

static int open_input(struct ranks_run *self)
{
    const struct algorithm_settings *settings = self->report.settings;
    struct gws_runtime *runtime = self->graph.session.runtime;
    struct gws_diagnostic where = {0};
    gws_status status = GWS_OK;
    self->input =
        (struct algorithm_rank_input){.runtime = runtime, .graph = self->graph.graph, .whole = &self->graph.about};
    if (settings->weights)
        status = gws_rank_graph_draw_weights(runtime, self->graph.graph, settings->min_weight, settings->max_weight,
                                             settings->session.options.seed, &where);
    if (status == GWS_OK && self->report.algorithm->rank_open)
        status = self->report.algorithm->rank_open(self->report.state, &self->input, &where);
    return status == GWS_OK ? -1 : rank_session_fail(&self->graph, status, &where);
}

static int prepare(struct ranks_run *self, const char *name, struct sources *sources)
{
    const struct algorithm_settings *settings = self->report.settings;
    const struct algorithm *algorithm = self->report.algorithm;
    const struct runtime_options *options = &settings->session.options;
    const struct gws_read_options read = {.weights = algorithm->weights ? GWS_WEIGHTS_KEEP : GWS_WEIGHTS_DROP};
    int failure = rank_session_open(&self->graph, &settings->session, name, read, algorithm->rank_reverse);
    self->report.session = self->graph.session;
    self->report.reverse_ms = self->graph.reverse_ms;
    if (failure < 0) failure = open_input(self);
    if (failure < 0 && algorithm->sources)
        failure = rank_sources_choose(&self->graph, algorithm_source(algorithm, self->report.state), options->repeat,
                                      options->seed, sources);
    if (failure >= 0) return failure;
    const bool begun = algorithm_report_begin(&self->report, algorithm->sources ? sources->count : options->repeat);
    return ranks_agree(self->graph.ranks, begun ? -1 : console_fail("%s", gws_status_text(GWS_NO_MEMORY)));
}

int algorithm_ranks_run(struct ranks *ranks, const struct algorithm_settings *settings,
                        const struct subcommand_call *call)
{
    struct ranks_run self = {.graph.ranks = ranks};
    struct sources sources = {0};
    self.report = (struct algorithm_report){
        .settings = settings, .algorithm = (const struct algorithm *)call->command, .state = call->state};
    int failure = prepare(&self, call->operand, &sources);
    if (failure < 0) failure = report_all(&self, run_all(&self, &sources));
    algorithm_report_clear(&self.report);
    self.report.algorithm->clear(self.report.state);
    sources_clear(&self.graph.session, &sources);
    rank_session_close(&self.graph);
    return failure;
}
