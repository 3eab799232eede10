/* SPDX-License-Identifier: MIT */
/* graphws under mpirun: the ranks hold the graph together and run the algorithm together. Rank 0 prints, and writes the
 * file. */
#include <stdlib.h>

#include "../common/console.h"
#include "../common/outputs.h"
#include "algorithm.h"

int algorithm_ranks_check(const struct algorithm_settings *settings, const struct subcommand_call *call)
{
    const struct algorithm *algorithm = (const struct algorithm *)call->command;
    const struct runtime_options *options = &settings->session.options;
    const char *given = settings->device    ? "device"
                        : settings->plot    ? "plot"
                        : settings->top     ? "top"
                        : settings->weights ? "weights"
                        : options->verify   ? "verify"
                        : options->trace    ? "trace"
                                            : NULL;
    if (!algorithm->rank_run)
        return console_usage("%s runs in one process, but was started as several ranks; bfs and cc run as ranks",
                             algorithm->command.name);
    return given ? console_usage("--%s requires one process, not several ranks", given) : -1;
}

struct ranks_run {
    struct rank_session graph;
    struct algorithm_report report; /* rank 0 prints it; its session is a copy of graph.session */
};

static int run_once(struct ranks_run *self)
{
    struct gws_diagnostic where = {0};
    gws_runtime_stats_reset(self->graph.session.runtime);
    gws_status status =
        self->report.algorithm->rank_run(self->report.state, self->graph.session.runtime, self->graph.graph, &where);
    return status == GWS_OK ? -1 : rank_session_fail(&self->graph, status, &where);
}

static int run_all(struct ranks_run *self)
{
    const struct runtime_options *options = &self->report.settings->session.options;
    int failure = -1;
    console_progress_begin("running", self->report.algorithm->command.name);
    for (uint64_t i = 0; i < options->warmup && failure < 0; i++) failure = run_once(self);
    for (uint64_t i = 0; i < options->repeat && failure < 0; i++) {
        failure = run_once(self);
        if (failure >= 0) break;
        algorithm_report_add_run(&self->report);
        struct gws_worker_stats total = workers_now(&self->report.workers);
        ranks_add_run(self->graph.ranks, &total);
    }
    console_progress_end();
    return failure;
}

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
    if (options->stats && !options->json) rank_session_print(&self->graph, out);
    const int finish = console_finish();
    return failure >= 0 ? failure : finish;
}

static int report_all(struct ranks_run *self)
{
    struct ranks *ranks = self->graph.ranks;
    struct rank_column column[RANK_COLUMNS];
    const char *out = self->report.settings->out;
    int failure = -1;
    if (out) {
        const uint32_t columns = self->report.algorithm->rank_columns(self->report.state, column);
        failure = rank_table_write(&self->graph, column, columns, out);
    }
    if (failure < 0) failure = rank_session_gather(&self->graph, &self->report.workers);
    return failure < 0 ? ranks_agree(ranks, ranks->rank == 0 ? print_here(self) : TOOL_DONE) : failure;
}

int algorithm_ranks_run(struct ranks *ranks, const struct algorithm_settings *settings,
                        const struct subcommand_call *call)
{
    struct ranks_run self = {.graph.ranks = ranks};
    const struct gws_read_options read = {.weights = GWS_WEIGHTS_DROP};
    self.report = (struct algorithm_report){
        .settings = settings, .algorithm = (const struct algorithm *)call->command, .state = call->state};
    int failure = rank_session_open(&self.graph, &settings->session, call->operand, read, true);
    self.report.session = self.graph.session;
    self.report.reverse_ms = self.graph.reverse_ms;
    if (failure < 0) {
        const bool begun = algorithm_report_begin(&self.report, settings->session.options.repeat);
        failure = ranks_agree(ranks, begun ? -1 : console_fail("%s", gws_status_text(GWS_NO_MEMORY)));
    }
    if (failure < 0) failure = run_all(&self);
    if (failure < 0) failure = report_all(&self);
    algorithm_report_clear(&self.report);
    self.report.algorithm->clear(self.report.state);
    rank_session_close(&self.graph);
    return failure;
}
