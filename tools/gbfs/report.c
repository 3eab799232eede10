/* SPDX-License-Identifier: MIT */
/* Reports breadth-first searches. Times cover the whole search. The rate is the sum over the runs of the edges of the
 * reached parts, divided by the sum of the times. */
#include "gbfs.h"

#include <inttypes.h>
#include <stdlib.h>

#include "../common/console.h"
#include "../common/workers.h"

bool bfs_report_begin(struct bfs_report *report, uint64_t runs)
{
    report->run = calloc(runs, sizeof *report->run);
    return report->run && workers_begin(&report->workers, report->session->runtime);
}

void bfs_report_clear(struct bfs_report *report)
{
    gws_bfs_result_clear(&report->result);
    gws_bfs_index_clear(&report->index);
    workers_clear(&report->workers);
    free(report->run);
    report->run = NULL;
}

void bfs_report_add_run(struct bfs_report *report)
{
    const struct gws_bfs_result *result = &report->result;
    bool directed = report->session->graph->directed;
    report->run[report->runs++] = (struct bfs_run){.source = result->source,
                                                   .levels = result->levels,
                                                   .reached = result->reached,
                                                   .edges = directed ? result->reached_arcs : result->reached_arcs / 2,
                                                   .ms = result->ms,
                                                   .fetch_ms = report->device->fetch_ms};
}

static struct times summarise(const struct bfs_report *report, double *gteps)
{
    struct times times = times_of(&report->run->ms, report->runs, sizeof *report->run);
    double edges = 0;
    for (uint64_t i = 0; i < report->runs; i++) edges += (double)report->run[i].edges;
    *gteps = times.total > 0 ? edges / times.total * 1e-6 : 0;
    return times;
}

/* Returns the medians of the runs' times. */
static struct device_times device_times_of(const struct bfs_report *report)
{
    const struct device_search *device = report->device;
    const struct bfs_run *run = report->run;
    return (struct device_times){.translate_ms = gws_device_translate_ms(device->device),
                                 .upload_ms = device->parted ? device->upload_ms
                                                             : gws_device_graph_describe(device->graph)->upload_ms,
                                 .prepare_ms = device->prepare_ms,
                                 .run_ms = times_of(&run->ms, report->runs, sizeof *run).median,
                                 .fetch_ms = times_of(&run->fetch_ms, report->runs, sizeof *run).median};
}

/* ---- text ---- */

static void print_graph(const struct bfs_report *report, FILE *out)
{
    char text[SESSION_GRAPH_TEXT], name[CONSOLE_NAME], load[CONSOLE_NUMBER], reverse[CONSOLE_NUMBER];
    const struct session *session = report->session;
    fprintf(out, "graph     %s: %s, ready in %s", console_name(session->name, name),
            session_graph_text(session->graph, text), console_time(session->load_ms, load));
    if (report->reverse_ms > 0)
        fprintf(out, ", %s in %s", session->graph->directed ? "its reverse" : "found symmetric",
                console_time(report->reverse_ms, reverse));
    fputc('\n', out);
}

static void print_prepared(const struct gws_bfs_index *index, FILE *out)
{
    char time[CONSOLE_NUMBER], bytes[CONSOLE_NUMBER];
    if (!index->graph) return;
    fprintf(out, "prepared  hubs of %s bytes in %s\n", console_count(index->bytes, bytes),
            console_time(index->ms, time));
}

static void print_times(const struct bfs_report *report, FILE *out)
{
    double gteps;
    struct times times = summarise(report, &gteps);
    times_print(&times, out);
    fprintf(out, ", %.3g GTEPS\n", gteps);
}

static void print_reached(const struct bfs_report *report, FILE *out)
{
    const struct bfs_run *last = &report->run[report->runs - 1];
    const struct gws_graph *graph = report->session->graph;
    char reached[CONSOLE_NUMBER], levels[CONSOLE_NUMBER], source[CONSOLE_NAME];
    fprintf(out, "reached   %s vertices (%.3g %%) in %s levels from %s%s\n", console_count(last->reached, reached),
            workers_share(last->reached, graph->vertices), console_count(last->levels, levels),
            session_vertex_text(graph, last->source, source), report->runs > 1 ? " (the last run)" : "");
}

static void print_stolen(const struct bfs_report *report, FILE *out)
{
    struct gws_worker_stats total = workers_total(&report->workers);
    char tasks[CONSOLE_NUMBER];
    fprintf(out, "stolen    %.1f %% of %s tasks\n", workers_share(total.stolen, total.tasks),
            console_count(total.tasks, tasks));
}

char *bfs_report_policy_text(const struct bfs_report *report, char *text)
{
    if (!report->device->device || report->device->chosen.cpu)
        return runtime_options_text(report->options, report->session->runtime, text);
    snprintf(text, RUNTIME_OPTIONS_TEXT, "%s policy", gws_runtime_policy(report->session->runtime));
    return text;
}

void bfs_report_print(const struct bfs_report *report, const char *direction, FILE *out)
{
    bool device = report->device->device != NULL;
    char policy[RUNTIME_OPTIONS_TEXT];
    print_graph(report, out);
    fprintf(out, "search    %s, direction %s\n", bfs_report_policy_text(report, policy), direction);
    print_prepared(&report->index, out);
    if (report->device->selected[0]) fprintf(out, "selected  %s\n", report->device->selected);
    if (device) {
        struct device_times of_device = device_times_of(report);
        device_report_print(report->device, out);
        device_times_print(&of_device, "search", out);
    }
    print_times(report, out);
    print_reached(report, out);
    if (device && !report->device->parted) device_report_print_stolen(report->device, out);
    if (!device) print_stolen(report, out);
    if (report->verified >= 0)
        fprintf(out, "verified  %s\n", report->verified ? "every run is correct" : "NO: the last run is wrong");
}

void bfs_report_print_levels(const struct bfs_report *report, FILE *out)
{
    fprintf(out, "%-10s%15s  %-10s%12s%12s\n", "level", "vertices", "direction", "workers", "ms");
    for (uint32_t i = 0; i < report->result.levels; i++) {
        const struct gws_bfs_level *level = &report->result.level[i];
        char size[CONSOLE_NUMBER];
        fprintf(out, "%-10u%15s  %-10s%12u", i, console_count(level->size, size),
                level->bottom_up ? "bottom-up" : "top-down", level->workers);
        if (report->device->device)
            fprintf(out, "%12s\n", "-");
        else
            fprintf(out, "%12.3f\n", level->ms);
    }
}

/* ---- JSON ---- */

static void runs_json(const struct bfs_report *report, struct json *json)
{
    json_open(json, "runs", '[');
    for (uint64_t i = 0; i < report->runs; i++) {
        const struct bfs_run *run = &report->run[i];
        json_open(json, NULL, '{');
        session_vertex_json(json, "source", report->session->graph, run->source);
        json_count(json, "reached", run->reached);
        json_count(json, "levels", run->levels);
        json_number(json, "ms", run->ms);
        if (report->device->device) json_number(json, "fetch_ms", run->fetch_ms);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void devices_json(const struct device_search *search, struct json *json)
{
    bool device = search->device != NULL;
    char text[PARTED_ADDRESSES];
    runtime_devices_json(!device || search->chosen.cpu, device ? parted_addresses(search, text) : NULL, json);
}

static void prepared_json(const struct gws_bfs_index *index, struct json *json)
{
    if (!index->graph) return;
    json_open(json, "prepared", '[');
    json_open(json, NULL, '{');
    json_text(json, "name", "hubs");
    json_number(json, "ms", index->ms);
    json_count(json, "bytes", index->bytes);
    json_close(json, '}');
    json_close(json, ']');
}

void bfs_report_json(const struct bfs_report *report, struct json *json)
{
    const struct session *session = report->session;
    double gteps;
    struct times times = summarise(report, &gteps);
    session_graph_json(json, "graph", session->name, session->graph);
    json_text(json, "algorithm", "bfs");
    json_number(json, "load_ms", session->load_ms);
    json_number(json, "reverse_ms", report->reverse_ms);
    runtime_options_json(report->options, session->runtime, json);
    devices_json(report->device, json);
    prepared_json(&report->index, json);
    if (report->device->selected[0]) json_text(json, "selected", report->device->selected);
    runs_json(report, json);
    times_json(&times, json);
    json_number(json, "gteps", gteps);
    json_verdict(json, "verified", report->verified);
    if (report->device->device) {
        struct device_times of_device = device_times_of(report);
        device_times_json(&of_device, json);
        device_report_json(report->device, json);
    } else {
        workers_json(&report->workers, json, "workers");
    }
    json_open(json, "level_sizes", '[');
    for (uint32_t i = 0; i < report->result.levels; i++) json_count(json, NULL, report->result.level[i].size);
    json_close(json, ']');
}

void bfs_report_levels_json(const struct bfs_report *report, struct json *json)
{
    json_open(json, "levels", '[');
    for (uint32_t i = 0; i < report->result.levels; i++) {
        const struct gws_bfs_level *level = &report->result.level[i];
        json_open(json, NULL, '{');
        json_count(json, "size", level->size);
        json_text(json, "direction", level->bottom_up ? "bottom-up" : "top-down");
        json_count(json, "workers", level->workers);
        if (report->device->device)
            json_null(json, "ms");
        else
            json_number(json, "ms", level->ms);
        json_close(json, '}');
    }
    json_close(json, ']');
}
