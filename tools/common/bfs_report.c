/* SPDX-License-Identifier: MIT */
/* Times are of the whole search; the rate is edges of the reached parts over time, both summed over the runs, which is
 * mean edges over mean time. */
#include "bfs_report.h"

#include <inttypes.h>
#include <stdlib.h>

#include "console.h"

struct times {
    double min, median, mean, max, gteps;
};

bool bfs_report_begin(struct bfs_report *report, uint64_t runs)
{
    report->run = calloc(runs, sizeof *report->run);
    return report->run && workers_begin(&report->workers, report->session->runtime);
}

void bfs_report_clear(struct bfs_report *report)
{
    gws_bfs_result_clear(&report->result);
    workers_clear(&report->workers);
    free(report->run);
    report->run = NULL;
}

void bfs_report_note(struct bfs_report *report)
{
    const struct gws_bfs_result *result = &report->result;
    bool directed = report->session->graph->directed;
    report->run[report->runs++] = (struct bfs_run){.source = result->source,
                                                   .levels = result->levels,
                                                   .reached = result->reached,
                                                   .edges = directed ? result->reached_arcs : result->reached_arcs / 2,
                                                   .ms = result->ms};
}

static int compare_times(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* If there is no memory to sort in, the median is left at the mean. */
static struct times summarise(const struct bfs_report *report)
{
    struct times times = {0};
    double edges = 0, total = 0, *ms = calloc(report->runs + 1, sizeof *ms);
    for (uint64_t i = 0; i < report->runs; i++) {
        const struct bfs_run *run = &report->run[i];
        if (ms) ms[i] = run->ms;
        if (i == 0 || run->ms < times.min) times.min = run->ms;
        if (i == 0 || run->ms > times.max) times.max = run->ms;
        total += run->ms;
        edges += (double)run->edges;
    }
    uint64_t n = report->runs;
    times.median = times.mean = n ? total / (double)n : 0;
    times.gteps = total > 0 ? edges / total * 1e-6 : 0;
    if (ms && n) {
        qsort(ms, n, sizeof *ms, compare_times);
        times.median = (ms[(n - 1) / 2] + ms[n / 2]) / 2;
    }
    free(ms);
    return times;
}

/* ---- for people ---- */

static void print_graph(const struct bfs_report *report, FILE *out)
{
    char text[SESSION_GRAPH_TEXT], load[CONSOLE_NUMBER], reverse[CONSOLE_NUMBER];
    const struct session *session = report->session;
    fprintf(out, "graph     %s: %s, ready in %s", session->name, session_graph_text(session->graph, text),
            console_time(session->load_ms, load));
    if (report->reverse_ms > 0)
        fprintf(out, ", %s in %s", session->graph->directed ? "its reverse" : "found symmetric",
                console_time(report->reverse_ms, reverse));
    fputc('\n', out);
}

static void print_times(const struct bfs_report *report, FILE *out)
{
    char text[4][CONSOLE_NUMBER], runs[CONSOLE_NUMBER];
    struct times times = summarise(report);
    if (report->runs == 1)
        fprintf(out, "time      %s", console_time(times.mean, text[0]));
    else
        fprintf(out, "time      %s median of %s runs (%s to %s, mean %s)", console_time(times.median, text[0]),
                console_count(report->runs, runs), console_time(times.min, text[1]), console_time(times.max, text[2]),
                console_time(times.mean, text[3]));
    fprintf(out, ", %.3g GTEPS\n", times.gteps);
}

static void print_reached(const struct bfs_report *report, FILE *out)
{
    const struct bfs_run *last = &report->run[report->runs - 1];
    const struct gws_graph *graph = report->session->graph;
    char reached[CONSOLE_NUMBER], levels[CONSOLE_NUMBER];
    fprintf(out, "reached   %s vertices (%.3g %%) in %s levels from %" PRIu64 "%s\n",
            console_count(last->reached, reached), workers_share(last->reached, graph->vertices),
            console_count(last->levels, levels), gws_graph_id(graph, last->source),
            report->runs > 1 ? " (the last run)" : "");
}

void bfs_report_print(const struct bfs_report *report, const char *direction, FILE *out)
{
    const struct gws_runtime *runtime = report->session->runtime;
    struct gws_worker_stats total = workers_total(&report->workers);
    uint32_t threads = gws_runtime_workers(runtime);
    char tasks[CONSOLE_NUMBER];
    print_graph(report, out);
    fprintf(out, "search    %s policy, %u thread%s, direction %s\n", gws_runtime_policy(runtime), threads,
            threads == 1 ? "" : "s", direction);
    print_times(report, out);
    print_reached(report, out);
    fprintf(out, "stolen    %.1f %% of %s tasks\n", workers_share(total.stolen, total.tasks),
            console_count(total.tasks, tasks));
    if (report->verified >= 0)
        fprintf(out, "verified  %s\n", report->verified ? "every run holds" : "NO: the last run does not hold");
}

void bfs_report_print_levels(const struct bfs_report *report, FILE *out)
{
    fprintf(out, "%-10s%15s  %-10s%12s%12s\n", "level", "vertices", "direction", "workers", "ms");
    for (uint32_t i = 0; i < report->result.levels; i++) {
        const struct gws_bfs_level *level = &report->result.level[i];
        char size[CONSOLE_NUMBER];
        fprintf(out, "%-10u%15s  %-10s%12u%12.3f\n", i, console_count(level->size, size),
                level->bottom_up ? "bottom-up" : "top-down", level->workers, level->ms);
    }
}

/* ---- JSON ---- */

static void runs_json(const struct bfs_report *report, struct json *json)
{
    json_open(json, "runs", '[');
    for (uint64_t i = 0; i < report->runs; i++) {
        const struct bfs_run *run = &report->run[i];
        json_open(json, NULL, '{');
        json_count(json, "source", gws_graph_id(report->session->graph, run->source));
        json_count(json, "reached", run->reached);
        json_count(json, "levels", run->levels);
        json_number(json, "ms", run->ms);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void times_json(const struct bfs_report *report, struct json *json)
{
    struct times times = summarise(report);
    json_open(json, "ms", '{');
    json_number(json, "min", times.min);
    json_number(json, "median", times.median);
    json_number(json, "mean", times.mean);
    json_number(json, "max", times.max);
    json_close(json, '}');
    json_number(json, "gteps", times.gteps);
}

void bfs_report_json(const struct bfs_report *report, struct json *json)
{
    const struct session *session = report->session;
    session_graph_json(json, "graph", session->name, session->graph);
    json_number(json, "load_ms", session->load_ms);
    json_number(json, "reverse_ms", report->reverse_ms);
    json_text(json, "policy", gws_runtime_policy(session->runtime));
    json_count(json, "threads", gws_runtime_workers(session->runtime));
    json_open(json, "devices", '[');
    json_text(json, NULL, "cpu");
    json_close(json, ']');
    json_count(json, "chunk", gws_runtime_chunk(session->runtime));
    runs_json(report, json);
    times_json(report, json);
    if (report->verified < 0)
        json_null(json, "verified");
    else
        json_bool(json, "verified", report->verified);
    workers_json(&report->workers, json, "workers");
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
        json_number(json, "ms", level->ms);
        json_close(json, '}');
    }
    json_close(json, ']');
}
