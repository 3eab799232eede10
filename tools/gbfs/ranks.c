/* SPDX-License-Identifier: MIT */
/* gbfs under mpirun: the ranks hold the graph together and search it together (traversal/rank_bfs.h). Rank 0 prints. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../common/console.h"
#include "../common/outputs.h"
#include "../common/rank_graphs.h"
#include "gbfs.h"

int rank_search_check(const struct bfs_settings *settings)
{
    const struct picture_settings *pictures = &settings->pictures;
    const char *given = settings->devices.devices         ? "device"
                        : settings->index                 ? "index"
                        : settings->levels                ? "levels"
                        : pictures->plot                  ? "plot"
                        : pictures->map                   ? "map"
                        : settings->session.options.trace ? "trace"
                        : settings->session.mapped        ? "mmap"
                                                          : NULL;
    return given ? console_usage("--%s requires one process, not several ranks", given) : -1;
}

struct rank_search {
    struct rank_session graph;
    struct gws_rank_bfs_result result; /* of the last run */
    const struct bfs_settings *settings;
    struct bfs_report report; /* as of one process; rank 0 prints it */
    struct device_search no_device;
    uint64_t sent, walked, levels; /* over all runs: vertices, and levels of rank 0 alone and of all */
};

/* ---- the runs ---- */

static int search(struct rank_search *self, uint32_t source)
{
    struct gws_diagnostic where = {0};
    gws_status status = gws_rank_bfs(self->graph.session.runtime, self->graph.graph, source,
                                     (enum gws_bfs_direction)self->settings->direction, &self->result, &where);
    return status == GWS_OK ? -1 : rank_session_fail(&self->graph, status, &where);
}

static int verify(struct rank_search *self)
{
    const struct session *session = &self->graph.session;
    struct gws_diagnostic where = {0};
    char source[CONSOLE_NAME];
    const double begin = gws_clock_ms();
    gws_status status = gws_rank_bfs_check(session->runtime, self->graph.graph, &self->result, &where);
    self->report.run[self->report.runs - 1].verify_ms = gws_clock_ms() - begin;
    self->report.verified = status == GWS_OK;
    if (status == GWS_OK) return -1;
    if (status != GWS_WRONG_RESULT) return rank_session_fail(&self->graph, status, &where);
    console_fail("%s: the search from %s is wrong: %s", session->name,
                 session_vertex_text(session->graph, self->result.source, source), where.message);
    return TOOL_WRONG;
}

static void poison(struct rank_search *self)
{
    if (!self->result.depth) return;
    memset(self->result.depth, 0x5a, self->graph.graph->rows * sizeof *self->result.depth);
    memset(self->result.parent, 0x5a, self->graph.graph->rows * sizeof *self->result.parent);
}

static void add_run(struct rank_search *self)
{
    struct gws_bfs_result *shown = &self->report.result;
    struct gws_worker_stats total;
    workers_stop(&self->report.workers, self->graph.session.runtime);
    total = workers_now(&self->report.workers);
    ranks_add_run(self->graph.ranks, &total);
    shown->source = self->result.source;
    shown->levels = self->result.levels;
    shown->reached = self->result.reached;
    shown->reached_arcs = self->result.reached_arcs;
    shown->ms = self->result.ms;
    self->sent += self->result.sent;
    self->walked += self->result.walked;
    self->levels += self->result.levels;
    bfs_report_add_run(&self->report);
}

static int search_all(struct rank_search *self, const struct sources *sources)
{
    const struct runtime_options *options = &self->settings->session.options;
    int failure = -1;
    console_progress_begin("searching", self->graph.session.name);
    for (uint64_t i = 0; i < options->warmup && failure < 0; i++)
        failure = search(self, sources->vertex[i % sources->count]);
    for (uint64_t i = 0; i < sources->count && failure < 0; i++) {
        if (i > 0) console_progress(NULL, "searching", i, sources->count);
        if (options->verify) poison(self);
        gws_runtime_stats_reset(self->graph.session.runtime);
        failure = search(self, sources->vertex[i]);
        if (failure >= 0) break;
        add_run(self);
        if (options->verify) failure = verify(self);
    }
    console_progress_end();
    return failure;
}

/* ---- output ---- */

static int write_table(struct rank_search *self)
{
    const struct rank_column column[] = {
        {{.name = "vertex", .kind = GWS_COLUMN_ID}, 0},
        {{.name = "depth", .kind = GWS_COLUMN_U32, .data = self->result.depth}, sizeof *self->result.depth},
        {{.name = "parent", .kind = GWS_COLUMN_VERTEX, .data = self->result.parent}, sizeof *self->result.parent}};
    return rank_table_write(&self->graph, column, 3, self->settings->out);
}

/* Counts the vertices of each level, for --json. */
static int count_levels(struct rank_search *self)
{
    struct gws_bfs_result *shown = &self->report.result;
    shown->level = gws_allocate(self->graph.session.runtime, shown->levels, sizeof *shown->level);
    int failure = shown->level ? -1 : console_fail("%s", gws_status_text(GWS_NO_MEMORY));
    failure = ranks_agree(self->graph.ranks, failure);
    if (failure >= 0 || !shown->level) return failure;
    memset(shown->level, 0, shown->levels * sizeof *shown->level);
    for (uint64_t row = 0; row < self->graph.graph->rows; row++)
        if (self->result.depth[row] < shown->levels) shown->level[self->result.depth[row]].size++;
    for (uint32_t i = 0; i < shown->levels; i++)
        gws_transport_sum(self->graph.ranks->transport, &shown->level[i].size, 1);
    return -1;
}

static void outcome_json(const void *data, struct json *json)
{
    const struct rank_search *self = data;
    bfs_report_json(&self->report, json);
    rank_session_json(&self->graph, json);
    json_count(json, "sent", self->sent);
    json_count(json, "walked", self->walked);
    json_text(json, "direction", settings_direction(self->settings));
    json_count(json, "seed", self->settings->session.options.seed);
    json_text(json, "version", gws_version());
}

static void print_stats(const struct rank_search *self, FILE *out)
{
    char walked[64];
    snprintf(walked, sizeof walked, "rank 0 alone ran %" PRIu64 " of %" PRIu64 " levels", self->walked, self->levels);
    rank_session_print(&self->graph, walked, out);
}

static int print_here(const struct rank_search *self)
{
    const struct runtime_options *options = &self->settings->session.options;
    FILE *out = self->settings->out && output_is_stdout(self->settings->out) ? stderr : stdout;
    char sent[CONSOLE_NUMBER];
    int failure = -1;
    if (options->json) {
        failure = json_print(outcome_json, self);
    } else if (self->settings->graph500 && !options->quiet) {
        graph500_print(&self->report, self->settings, self->graph.ranks->count, out);
    } else if (!options->quiet) {
        bfs_report_print(&self->report, settings_direction(self->settings), out);
        fprintf(out, "ranks     %u (%s), %s vertices sent\n", self->graph.ranks->count,
                gws_transport_name(self->graph.ranks->transport), console_count(self->sent, sent));
    }
    if (options->stats && !options->json) print_stats(self, out);
    const int finish = console_finish();
    return failure >= 0 ? failure : finish;
}

/* Writes the table of a right result, and prints the report of a right or a wrong result. */
static int report_all(struct rank_search *self, int failure)
{
    struct ranks *ranks = self->graph.ranks;
    if (failure >= 0 && failure != TOOL_WRONG) return failure;
    if (failure < 0 && self->settings->out) failure = write_table(self);
    if (failure < 0 && self->settings->session.options.json) failure = count_levels(self);
    if (failure >= 0 && failure != TOOL_WRONG) return failure;
    int status = rank_session_gather(&self->graph, &self->report.workers);
    if (status < 0) status = ranks_agree(ranks, ranks->rank == 0 ? print_here(self) : TOOL_DONE);
    return status != TOOL_DONE || failure < 0 ? status : failure;
}

static int begin_report(struct rank_search *self, uint64_t runs)
{
    const bool begun = bfs_report_begin(&self->report, runs);
    return ranks_agree(self->graph.ranks, begun ? -1 : console_fail("%s", gws_status_text(GWS_NO_MEMORY)));
}

int rank_search(struct ranks *ranks, const struct bfs_settings *settings, const char *name)
{
    struct rank_search self = {.graph.ranks = ranks, .settings = settings};
    const struct runtime_options *options = &settings->session.options;
    const struct gws_read_options read = {.weights = GWS_WEIGHTS_DROP};
    struct sources sources = {0};
    self.report = (struct bfs_report){
        .options = options, .session = &self.graph.session, .device = &self.no_device, .verified = -1};
    int failure = rank_session_open(&self.graph, &settings->session, name, read,
                                    settings->direction != GWS_BFS_TOP_DOWN || options->verify);
    self.report.reverse_ms = self.graph.reverse_ms;
    if (self.graph.graph) self.report.draw_ms = self.graph.graph->draw_ms;
    if (failure < 0)
        failure = rank_sources_choose(&self.graph, settings->source, options->repeat, options->seed, &sources);
    if (failure < 0) failure = begin_report(&self, sources.count);
    if (failure < 0) failure = report_all(&self, search_all(&self, &sources));
    if (self.report.result.level) {
        gws_release(self.graph.session.runtime, self.report.result.level, self.report.result.levels,
                    sizeof *self.report.result.level);
        self.report.result.level = NULL;
    }
    bfs_report_clear(&self.report);
    gws_rank_bfs_result_clear(&self.result);
    sources_clear(&self.graph.session, &sources);
    rank_session_close(&self.graph);
    return failure;
}
