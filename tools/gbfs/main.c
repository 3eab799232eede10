/* SPDX-License-Identifier: MIT */
/* Breadth-first search of a graph from one source or many: measures, checks and writes the result.
 *
 * The tool refuses invalid options before it loads the graph. It writes standard output last and at once, so a failure
 * leaves it empty. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../graphws.h"
#include "../common/console.h"
#include "../common/json.h"
#include "../common/outputs.h"
#include "../common/session.h"
#include "../common/workers.h"
#include "gbfs.h"
#include "main.h"

/* ---- the runs ---- */

static int fail(const struct bfs_report *report, gws_status status)
{
    return console_fail("%s: %s", report->session->name, gws_status_text(status));
}

static int verify(struct bfs_report *report)
{
    struct gws_diagnostic where = {0};
    struct gws_bfs_result *result = &report->result;
    if (report->options->repeat == 1) console_progress_begin("verifying the search of", report->session->name);
    const double begin = gws_clock_ms();
    gws_status status = gws_bfs_check(report->session->runtime, report->session->graph, result, &where);
    report->run[report->runs - 1].verify_ms = gws_clock_ms() - begin;
    if (status == GWS_OK) report->verified = 1;
    if (status == GWS_OK) return -1;
    if (status != GWS_WRONG_RESULT) return fail(report, status);
    report->verified = 0;
    char source[CONSOLE_NAME];
    console_fail("%s: the search from %s is wrong: %s", report->session->name,
                 session_vertex_text(report->session->graph, result->source, source), where.message);
    return TOOL_WRONG;
}

/* Overwrites the last result, so stale memory cannot pass as the next result. */
static int poison(struct bfs_report *report)
{
    gws_bfs_result_poison(&report->result);
    return report->device->device ? device_search_poison(report->device) : -1;
}

static int search(struct bfs_report *report, const struct bfs_settings *settings, uint32_t source)
{
    struct gws_bfs_options options = {.direction = (enum gws_bfs_direction)settings->direction,
                                      .index = &report->index,
                                      .time_levels = settings->levels || settings->pictures.plot};
    struct session *session = report->session;
    if (report->device->device) return device_search_run(report->device, source, &report->result);
    gws_status status = gws_bfs(session->runtime, session->graph, source, &options, &report->result);
    return status == GWS_OK ? -1 : fail(report, status);
}

static void start(struct bfs_report *report)
{
    if (report->device->device)
        device_search_start(report->device);
    else
        gws_runtime_stats_reset(report->session->runtime);
}

static void stop(struct bfs_report *report)
{
    if (report->device->device)
        device_search_stop(report->device);
    else
        workers_stop(&report->workers, report->session->runtime);
    bfs_report_add_run(report);
}

static int search_batches(struct bfs_report *report, const struct bfs_settings *settings, const struct sources *sources)
{
    const struct runtime_options *options = &settings->session.options;
    return batch_search(report, sources->vertex, sources->count, settings->devices.batch, options->warmup,
                        options->verify ? verify : NULL);
}

static int search_each(struct bfs_report *report, const struct bfs_settings *settings, const struct sources *sources)
{
    int failure = -1;
    for (uint64_t i = 0; i < settings->session.options.warmup && failure < 0; i++)
        failure = search(report, settings, sources->vertex[i % sources->count]);
    for (uint64_t i = 0; i < sources->count && failure < 0; i++) {
        if (i > 0) console_progress(NULL, "searching", i, sources->count);
        if (settings->session.options.verify) failure = poison(report);
        if (failure >= 0) break;
        start(report);
        failure = search(report, settings, sources->vertex[i]);
        if (failure >= 0) break;
        stop(report);
        if (i + 1 == sources->count) failure = runtime_options_trace(report->options, report->session->runtime);
        if (failure < 0 && settings->session.options.verify) failure = verify(report);
    }
    return failure;
}

static int search_all(struct bfs_report *report, const struct bfs_settings *settings, const struct sources *sources)
{
    console_progress_begin("searching", report->session->name);
    int failure = (settings->devices.batch ? search_batches : search_each)(report, settings, sources);
    console_progress_end();
    return failure;
}

/* Builds the reverse of a directed graph, which bottom-up steps need. If the reverse equals the graph, the graph
 * becomes undirected. */
static int reverse(struct bfs_report *report, const struct bfs_settings *settings)
{
    struct session *session = report->session;
    if (settings->direction == GWS_BFS_TOP_DOWN || !session->graph->directed) return -1;
    console_progress_begin("reversing", session->name);
    double begin = gws_clock_ms();
    gws_status status = gws_graph_add_reverse(session->runtime, session->graph);
    report->reverse_ms = gws_clock_ms() - begin;
    console_progress_end();
    return status == GWS_OK ? -1 : fail(report, status);
}

static int build_index(struct bfs_report *report, const struct bfs_settings *settings)
{
    struct session *session = report->session;
    if (!settings->index) return -1;
    console_progress_begin("indexing", session->name);
    gws_status status = gws_bfs_index_build(session->runtime, session->graph, &report->index);
    console_progress_end();
    return status == GWS_OK ? -1 : fail(report, status);
}

static int load(struct session *session, const struct bfs_settings *settings, const char *name)
{
    char *positions = NULL;
    int failure = pictures_positions(&settings->pictures, name, &positions);
    struct gws_read_options read = {.weights = GWS_WEIGHTS_DROP, .positions = positions};
    if (failure < 0) failure = session_load(session, &settings->session, name, read);
    free(positions);
    return failure < 0 ? pictures_ready(&settings->pictures, session) : failure;
}

/* Loads the graph after the device is open, so a missing device is reported first. */
static int prepare(struct bfs_report *report, const struct bfs_settings *settings, const char *name)
{
    struct session *session = report->session;
    struct gws_device_graph_options placing = device_graph_options(&settings->devices);
    struct gws_bfs_device_options options = device_options(
        &settings->devices, &settings->session.options, &settings->choice, (enum gws_bfs_direction)settings->direction);
    int failure = session_start(session, &settings->session);
    if (failure < 0)
        failure = device_search_device(report->device, session->runtime, &settings->choice, &settings->list);
    if (failure < 0) failure = load(session, settings, name);
    if (failure < 0) failure = reverse(report, settings);
    if (failure < 0) failure = build_index(report, settings);
    report->device->parts = device_parts(&settings->devices);
    if (report->device->device) console_progress_begin("preparing the device for", name);
    if (failure < 0) failure = device_search_open(report->device, session, &placing, &options);
    console_progress_end();
    return failure;
}

/* ---- output ---- */

static int write_table(const struct bfs_report *report, const char *path)
{
    const struct gws_bfs_result *result = &report->result;
    struct gws_diagnostic where = {0};
    struct gws_column column[] = {{.name = "vertex", .kind = GWS_COLUMN_ID},
                                  {.name = "depth", .kind = GWS_COLUMN_U32, .data = result->depth},
                                  {.name = "parent", .kind = GWS_COLUMN_VERTEX, .data = result->parent}};
    struct gws_table table = {
        .graph = report->session->graph, .rows = result->vertices, .columns = 3, .column = column};
    console_progress_begin("writing", path);
    gws_status status = gws_table_write(report->session->runtime, &table, path, &where);
    console_progress_end();
    return status == GWS_OK ? -1 : console_fail_at(status, &where);
}

struct bfs_outcome {
    const struct bfs_report *report;
    const struct bfs_settings *settings;
};

static void outcome_json(const void *data, struct json *json)
{
    const struct bfs_report *report = ((const struct bfs_outcome *)data)->report;
    const struct bfs_settings *settings = ((const struct bfs_outcome *)data)->settings;
    bfs_report_json(report, json);
    json_text(json, "direction", settings_direction(settings));
    if (settings->devices.batch) json_count(json, "batch", settings->devices.batch);
    if (settings->levels) bfs_report_levels_json(report, json);
    json_count(json, "seed", settings->session.options.seed);
    json_text(json, "version", gws_version());
}

/* Prints to standard error if the table of vertices goes to standard output. */
static void print_text(const struct bfs_report *report, const struct bfs_settings *settings)
{
    FILE *out = settings->out && output_is_stdout(settings->out) ? stderr : stdout;
    if (settings->graph500 && !settings->session.options.quiet)
        graph500_print(report, settings, 1, out);
    else if (!settings->session.options.quiet)
        bfs_report_print(report, settings_direction(settings), out);
    if (settings->levels) bfs_report_print_levels(report, out);
    if (!settings->session.options.stats) return;
    if (report->device->device) {
        (report->device->parted ? parted_print_parts : device_report_print_workers)(report->device, out);
        device_report_print_model(report->device, out);
    } else {
        workers_print(&report->workers, out);
    }
}

static int print_all(const struct bfs_report *report, const struct bfs_settings *settings)
{
    int failure = -1;
    if (settings->session.options.json)
        failure = json_print(outcome_json, &(struct bfs_outcome){report, settings});
    else
        print_text(report, settings);
    int finish = console_finish();
    return failure >= 0 ? failure : finish;
}

static int report_all(struct bfs_report *report, const struct bfs_settings *settings, int failure)
{
    if (failure >= 0 && failure != TOOL_WRONG) return failure;
    if (failure < 0 && settings->out) failure = write_table(report, settings->out);
    if (failure < 0) failure = pictures_draw(&settings->pictures, report);
    if (failure >= 0 && failure != TOOL_WRONG) return failure;
    int status = print_all(report, settings);
    return status != TOOL_DONE || failure < 0 ? status : failure;
}

/* Resolves --device auto, which needs the graph, a source and the number of searches. */
static int select_device(struct bfs_report *report, const struct bfs_settings *settings, const struct sources *sources)
{
    if (!settings->choice.automatic || sources->count == 0) return -1;
    console_progress_begin("selecting the device for", report->session->name);
    int failure = device_auto(report->device, report->session, (enum gws_bfs_direction)settings->direction,
                              sources->vertex[0], sources->count + settings->session.options.warmup, &report->result);
    console_progress_end();
    return failure;
}

static int run(const struct bfs_settings *settings, const char *name)
{
    struct session session = {0};
    struct sources sources = {0};
    struct device_search device = {0};
    struct bfs_report report = {
        .options = &settings->session.options, .session = &session, .device = &device, .verified = -1};
    int failure = prepare(&report, settings, name);
    if (failure < 0)
        failure = sources_choose(&session, settings->source, settings->session.options.repeat,
                                 settings->session.options.seed, &sources);
    if (failure < 0) failure = select_device(&report, settings, &sources);
    if (failure < 0 && !bfs_report_begin(&report, sources.count)) failure = fail(&report, GWS_NO_MEMORY);
    if (failure < 0) failure = report_all(&report, settings, search_all(&report, settings, &sources));
    bfs_report_clear(&report);
    sources_clear(&session, &sources);
    device_search_close(&device);
    session_close(&session);
    return failure;
}

int gbfs_main(const char *tool, int argc, char **argv)
{
    struct bfs_settings settings = BFS_SETTINGS_NONE;
    struct ranks ranks;
    const char *graph = NULL;
    int status = ranks_open(&ranks, tool, argc, argv);
    if (status < 0) {
        status = settings_parse(&settings, &ranks, argc, argv, &graph);
        if (status < 0 && ranks.transport) status = rank_search_check(&settings);
        status = ranks_agree(&ranks, status);
        if (status < 0) status = ranks_agree(&ranks, ranks_choose_for_graphs(&ranks));
        if (status < 0) status = ranks.transport ? rank_search(&ranks, &settings, graph) : run(&settings, graph);
    }
    ranks_close(&ranks);
    return status;
}
