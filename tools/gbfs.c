/* SPDX-License-Identifier: MIT */
/* gbfs: breadth-first search of a graph, from one source or many, measured, checked and written out.
 *
 * Everything that can be refused is refused before the graph is loaded; standard output is written last and at once,
 * so that nothing is on it when something fails. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../graphws.h"
#include "common/console.h"
#include "common/json.h"
#include "common/options.h"
#include "common/outputs.h"
#include "common/session.h"
#include "common/workers.h"
#include "gbfs/batch.h"
#include "gbfs/device_auto.h"
#include "gbfs/report.h"

struct settings {
    struct session_settings session;
    struct device_settings devices;
    struct device_choice choice; /* what devices says */
    struct picture_settings pictures;
    const char *source, *out;
    int direction, levels;
};

static const char *const direction_name[] = {"auto", "top-down", "bottom-up", NULL}; /* as enum gws_bfs_direction */

#define FIELD(name) offsetof(struct settings, name)

static const struct option_row search_row[] = {
    {TEXT("source", "V", FIELD(source),
          "where to start: a vertex by its id in the file, random (with arcs;\n"
          "another each time), maxdegree, or FILE.ss, a list (default: random)")},
    {CHOICE("direction", "NAME", FIELD(direction), direction_name,
            "how levels are run: auto, top-down or bottom-up\n(default: auto, level by level)")},
};

static const struct option_row output_row[] = {
    {TEXT("out", "FILE", FIELD(out),
          "write vertex,depth,parent of the last run: .csv, .tsv or .npy,\n"
          "also with .gz; - is CSV on standard output")},
    {FLAG("levels", FIELD(levels), 1, "time each level; print a table of the last run's")},
};

static const char closing[] = "Exit status\n"
                              "  0 success; 1 a file could not be read or written, or memory was short;\n"
                              "  2 wrong usage; 3 a result did not pass --verify; 4 the device is not there\n"
                              "\n"
                              "Examples\n"
                              "  gbfs kron:18 --repeat 16 --verify --stats\n"
                              "  gbfs USA-road-d.NY.gr.gz --source 1 --out depths.csv.gz\n"
                              "  gbfs road:1000000 --device cpu,opencl --threads 2 --groups 16 --stats\n"
                              "  gbfs road:100000 --source 0 --map map.svg\n";

/* ---- the runs ---- */

static int fail(const struct bfs_report *report, gws_status status)
{
    return console_fail("%s: %s", report->session->name, gws_status_text(status));
}

static int verify(struct bfs_report *report)
{
    struct gws_where where = {0};
    struct gws_bfs_result *result = &report->result;
    if (report->engine->repeat == 1) console_progress_begin("verifying the search of", report->session->name);
    gws_status status = gws_bfs_check(report->session->runtime, report->session->graph, result, &where);
    if (status == GWS_OK) report->verified = 1;
    if (status == GWS_OK) return -1;
    if (status != GWS_WRONG_RESULT) return fail(report, status);
    report->verified = 0;
    console_fail("%s: the search from %" PRIu64 " is wrong: %s", report->session->name,
                 gws_graph_id(report->session->graph, result->source), where.message);
    return TOOL_WRONG;
}

/* What the search before has left must not pass for the next one's. */
static int poison(struct bfs_report *report)
{
    gws_bfs_result_poison(&report->result);
    return report->device->device ? device_search_poison(report->device) : -1;
}

static int search(struct bfs_report *report, const struct settings *settings, uint32_t source)
{
    struct gws_bfs_options options = {.direction = (enum gws_bfs_direction)settings->direction,
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
        workers_start(report->session->runtime);
}

static void stop(struct bfs_report *report)
{
    if (report->device->device)
        device_search_stop(report->device);
    else
        workers_stop(&report->workers, report->session->runtime);
    bfs_report_note(report);
}

static int search_batches(struct bfs_report *report, const struct settings *settings, const struct sources *sources)
{
    const struct engine_settings *engine = &settings->session.engine;
    return batch_search(report, sources->vertex, sources->count, settings->devices.batch, engine->warmup,
                        engine->verify ? verify : NULL);
}

static int search_each(struct bfs_report *report, const struct settings *settings, const struct sources *sources)
{
    int failure = -1;
    for (uint64_t i = 0; i < settings->session.engine.warmup && failure < 0; i++)
        failure = search(report, settings, sources->vertex[i % sources->count]);
    for (uint64_t i = 0; i < sources->count && failure < 0; i++) {
        if (i > 0) console_progress(NULL, "searching", i, sources->count);
        if (settings->session.engine.verify) failure = poison(report);
        if (failure >= 0) break;
        start(report);
        failure = search(report, settings, sources->vertex[i]);
        if (failure >= 0) break;
        stop(report);
        if (i + 1 == sources->count) failure = engine_trace(report->engine, report->session->runtime);
        if (failure < 0 && settings->session.engine.verify) failure = verify(report);
    }
    return failure;
}

static int search_all(struct bfs_report *report, const struct settings *settings, const struct sources *sources)
{
    console_progress_begin("searching", report->session->name);
    int failure = (settings->devices.batch ? search_batches : search_each)(report, settings, sources);
    console_progress_end();
    return failure;
}

/* Bottom-up steps on a directed graph need its reverse; making it may find that it is not directed at all. */
static int reverse(struct bfs_report *report, const struct settings *settings)
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

static int load(struct session *session, const struct settings *settings, const char *name)
{
    char *positions = NULL;
    int failure = pictures_positions(&settings->pictures, name, &positions);
    struct gws_read_options read = {.weights = GWS_WEIGHTS_DROP, .positions = positions};
    if (failure < 0) failure = session_load(session, &settings->session, name, read);
    free(positions);
    return failure < 0 ? pictures_ready(&settings->pictures, session) : failure;
}

/* The graph is loaded once it is known that there is the device. */
static int prepare(struct bfs_report *report, const struct settings *settings, const char *name)
{
    struct session *session = report->session;
    struct gws_device_graph_options placing = device_graph_options(&settings->devices);
    struct gws_bfs_device_options options = device_options(
        &settings->devices, &settings->session.engine, &settings->choice, (enum gws_bfs_direction)settings->direction);
    int failure = session_start(session, &settings->session);
    if (failure < 0) failure = device_search_device(report->device, session->runtime, &settings->choice);
    if (failure < 0) failure = load(session, settings, name);
    if (failure < 0) failure = reverse(report, settings);
    if (report->device->device) console_progress_begin("preparing the device for", name);
    if (failure < 0) failure = device_search_open(report->device, session, &placing, &options);
    console_progress_end();
    return failure;
}

/* ---- what comes out ---- */

static int write_table(const struct bfs_report *report, const char *path)
{
    const struct gws_bfs_result *result = &report->result;
    struct gws_where where = {0};
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

struct outcome {
    const struct bfs_report *report;
    const struct settings *settings;
};

static void outcome_json(const void *data, struct json *json)
{
    const struct bfs_report *report = ((const struct outcome *)data)->report;
    const struct settings *settings = ((const struct outcome *)data)->settings;
    bfs_report_json(report, json);
    json_text(json, "direction", direction_name[settings->direction]);
    if (settings->devices.batch) json_count(json, "batch", settings->devices.batch);
    if (settings->levels) bfs_report_levels_json(report, json);
    json_count(json, "seed", settings->session.engine.seed);
    json_text(json, "version", gws_version());
}

/* The summary and the tables go to standard error where the table of vertices takes standard output. */
static void print_text(const struct bfs_report *report, const struct settings *settings)
{
    FILE *out = settings->out && output_is_stdout(settings->out) ? stderr : stdout;
    if (!settings->session.engine.quiet) bfs_report_print(report, direction_name[settings->direction], out);
    if (settings->levels) bfs_report_print_levels(report, out);
    if (!settings->session.engine.stats) return;
    if (report->device->device) {
        device_report_print_workers(report->device, out);
        device_report_print_model(report->device, out);
    } else {
        workers_print(&report->workers, out);
    }
}

static int print_all(const struct bfs_report *report, const struct settings *settings)
{
    int failure = -1;
    if (settings->session.engine.json)
        failure = json_print(outcome_json, &(struct outcome){report, settings});
    else
        print_text(report, settings);
    int finish = console_finish();
    return failure >= 0 ? failure : finish;
}

static int report_all(struct bfs_report *report, const struct settings *settings, int failure)
{
    if (failure >= 0 && failure != TOOL_WRONG) return failure;
    if (failure < 0 && settings->out) failure = write_table(report, settings->out);
    if (failure < 0) failure = pictures_draw(&settings->pictures, report);
    if (failure >= 0 && failure != TOOL_WRONG) return failure;
    int status = print_all(report, settings);
    return status != TOOL_DONE || failure < 0 ? status : failure;
}

/* --device auto, now that it is known what there is to do. */
static int pick(struct bfs_report *report, const struct settings *settings, const struct sources *sources)
{
    if (!settings->choice.automatic || sources->count == 0) return -1;
    console_progress_begin("picking what searches", report->session->name);
    int failure = device_auto(report->device, report->session, (enum gws_bfs_direction)settings->direction,
                              sources->vertex[0], sources->count + settings->session.engine.warmup, &report->result);
    console_progress_end();
    return failure;
}

static int run(const struct settings *settings, const char *name)
{
    struct session session = {0};
    struct sources sources = {0};
    struct device_search device = {0};
    struct bfs_report report = {
        .engine = &settings->session.engine, .session = &session, .device = &device, .verified = -1};
    int failure = prepare(&report, settings, name);
    if (failure < 0)
        failure = sources_choose(&session, settings->source, settings->session.engine.repeat,
                                 settings->session.engine.seed, &sources);
    if (failure < 0) failure = pick(&report, settings, &sources);
    if (failure < 0 && !bfs_report_begin(&report, sources.count)) failure = fail(&report, GWS_NO_MEMORY);
    if (failure < 0) failure = report_all(&report, settings, search_all(&report, settings, &sources));
    bfs_report_clear(&report);
    sources_clear(&session, &sources);
    device_search_close(&device);
    session_close(&session);
    return failure;
}

/* ---- the command line ---- */

/* Devices steal without drawing. */
static int check_seed(const struct settings *settings)
{
    const struct engine_settings *engine = &settings->session.engine;
    if (strcmp(settings->source, "random") == 0) return -1;
    if (engine->seed && settings->choice.address[0])
        return console_usage("--seed: nothing is drawn with --device and a --source");
    return engine_check_seed(engine, false, " with this --source and under this --policy");
}

static int check_files(const struct settings *settings, const char *graph)
{
    const struct picture_settings *pictures = &settings->pictures;
    char *positions = NULL; /* also those beside GRAPH */
    int failure = pictures_positions(pictures, graph, &positions);
    const struct named_file file[] = {
        {"GRAPH", session_is_generator(graph) ? NULL : graph, false},
        {"--source", packed_name_ends(settings->source, ".ss") ? settings->source : NULL, false},
        {"--positions", positions, false},
        {"--out", settings->out, true},
        {"--map", pictures->map, true},
        {"--plot", pictures->plot, true},
        {"--trace", settings->session.engine.trace, true}};
    if (failure < 0) failure = outputs_check(file, sizeof file / sizeof *file);
    free(positions);
    return failure;
}

static int check(struct settings *settings, int operands, char **operand)
{
    int failure = session_check(&settings->session, operands ? operand[0] : NULL);
    if (failure < 0) failure = device_check(&settings->devices, &settings->session.engine, &settings->choice);
    if (failure < 0 && !settings->choice.address[0]) /* devices cut chunks under every policy that they have */
        failure = engine_check_chunk(&settings->session.engine, ENGINE_LOOPS);
    if (failure < 0) failure = sources_check(settings->source);
    if (failure < 0) failure = check_seed(settings);
    if (failure >= 0) return failure;
    if (operands == 0) return console_usage("expected a GRAPH; gbfs --help says more");
    if (operands > 1) return console_usage("expected one GRAPH, got '%s' too", operand[1]);
    failure = check_files(settings, operand[0]);
    if (failure < 0) failure = pictures_check(&settings->pictures, operand[0]);
    if (failure >= 0 || !settings->out) return failure;
    if (settings->session.engine.json && output_is_stdout(settings->out))
        return console_usage("--out - and --json both want standard output");
    return output_check_table("out", settings->out);
}

int main(int argc, char **argv)
{
    struct settings settings = {.source = "random", .session.engine.repeat = 1, .devices = DEVICE_SETTINGS_NONE};
    const struct option_group group[] = {
        {"Search", search_row, sizeof search_row / sizeof *search_row, &settings},
        {"Runs", engine_run_row, ENGINE_RUN_ROWS, &settings.session.engine},
        {"Graph", session_file_row, SESSION_FILE_ROWS, &settings.session},
        {NULL, session_edges_row, SESSION_EDGES_ROWS, &settings.session},
        {"Workers", engine_worker_row, ENGINE_WORKER_ROWS, &settings.session.engine},
        {"Devices", device_row, DEVICE_ROWS, &settings.devices},
        {NULL, device_groups_row, DEVICE_GROUPS_ROWS, &settings.devices.groups},
        {"Output", output_row, sizeof output_row / sizeof *output_row, &settings},
        {NULL, picture_row, PICTURE_ROWS, &settings.pictures},
        {NULL, engine_report_row, ENGINE_REPORT_ROWS, &settings.session.engine},
        {NULL, engine_output_row, ENGINE_OUTPUT_ROWS, &settings.session.engine},
    };
    const struct command_line line = {
        .name = "gbfs",
        .synopsis = "[options] GRAPH",
        .about = "Breadth-first search. GRAPH is a file (plain or gzip), - for standard input, or a generator:\n"
                 "kron:SCALE[:EDGEFACTOR[:SEED]], uniform:SCALE[:EDGEFACTOR[:SEED]], grid:WxH, road:N[:SEED].",
        .closing = closing,
        .group = group,
        .groups = sizeof group / sizeof *group};
    int first;
    int status = options_parse(&line, argc, argv, &first);
    if (status < 0) status = check(&settings, argc - first, argv + first);
    return status < 0 ? run(&settings, argv[first]) : status;
}
