/* SPDX-License-Identifier: MIT */
/* Reports the runs of an algorithm as text and as JSON. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "../common/console.h"
#include "algorithm.h"

enum { HISTOGRAM_LINES = 20 };

bool algorithm_report_begin(struct algorithm_report *report, uint64_t runs)
{
    report->run = calloc(runs, sizeof *report->run);
    return report->run && workers_begin(&report->workers, report->session.runtime);
}

void algorithm_report_clear(struct algorithm_report *report)
{
    workers_clear(&report->workers);
    free(report->run);
    free(report->top);
    free(report->top_row);
    report->run = NULL;
    report->top = NULL;
    report->top_row = NULL;
}

static double member(const struct algorithm_report *report, size_t offset)
{
    return offset ? *(const double *)((const char *)report->state + offset) : 0;
}

void algorithm_report_add_run(struct algorithm_report *report)
{
    const struct algorithm *algorithm = report->algorithm;
    workers_stop(&report->workers, report->session.runtime);
    report->run[report->runs++] = (struct algorithm_run){.source = report->input.source,
                                                         .ms = member(report, algorithm->ms),
                                                         .prepare_ms = member(report, algorithm->prepare_ms),
                                                         .fetch_ms = member(report, algorithm->fetch_ms)};
}

static struct times median_of(const struct algorithm_report *report, size_t offset)
{
    return times_of((const double *)((const char *)report->run + offset), report->runs, sizeof *report->run);
}

static struct device_times device_times_of(const struct algorithm_report *report)
{
    return (struct device_times){.translate_ms = algorithm_devices_translate_ms(report),
                                 .upload_ms = algorithm_devices_upload_ms(report),
                                 .prepare_ms = report->open_ms +
                                               median_of(report, offsetof(struct algorithm_run, prepare_ms)).median,
                                 .run_ms = median_of(report, offsetof(struct algorithm_run, ms)).median,
                                 .fetch_ms = median_of(report, offsetof(struct algorithm_run, fetch_ms)).median};
}

/* ---- text ---- */

static void print_graph(const struct algorithm_report *report, FILE *out)
{
    char text[SESSION_GRAPH_TEXT], name[CONSOLE_NAME], time[CONSOLE_NUMBER];
    const struct session *session = &report->session;
    fprintf(out, "graph     %s: %s, ready in %s", console_name(session->name, name),
            session_graph_text(session->graph, text), console_time(session->load_ms, time));
    if (report->reverse_ms > 0)
        fprintf(out, ", %s in %s", session->graph->directed ? "its reverse" : "found symmetric",
                console_time(report->reverse_ms, time));
    fputc('\n', out);
}

static void print_prepared(const struct algorithm_report *report, FILE *out)
{
    char time[CONSOLE_NUMBER];
    double ms = report->open_ms + median_of(report, offsetof(struct algorithm_run, prepare_ms)).median;
    if (ms >= 0.01) fprintf(out, "prepared  in %s, which the time below does not include\n", console_time(ms, time));
}

static void print_times(const struct algorithm_report *report, FILE *out)
{
    char source[CONSOLE_NAME];
    struct times times = median_of(report, offsetof(struct algorithm_run, ms));
    const struct algorithm_run *last = &report->run[report->runs - 1];
    times_print(&times, out);
    if (report->algorithm->sources)
        fprintf(out, ", %sfrom %s", report->runs > 1 ? "the last " : "",
                session_vertex_text(report->session.graph, last->source, source));
    fputc('\n', out);
}

static void print_top(const struct algorithm_report *report, FILE *out)
{
    const struct algorithm_table *table = report->top;
    char id[CONSOLE_NAME];
    if (!report->top_row) return;
    fprintf(out, "%20s%20s\n", table->column[0].name, table->column[1].name);
    for (uint64_t i = 0; i < report->tops; i++) {
        const uint64_t row = report->top_row[i];
        fprintf(out, "%20s%20.9g\n", session_vertex_text(table->table.graph, ranking_vertex(table, row), id),
                ranking_value(table, row));
    }
}

static void print_histogram(const struct algorithm_report *report, FILE *out)
{
    if (!report->algorithm->histogram) return;
    const struct algorithm_histogram of = report->algorithm->histogram(report->state);
    if (of.values == 0) return;
    const uint64_t width = (of.values + HISTOGRAM_LINES - 1) / HISTOGRAM_LINES;
    fprintf(out, "%20s%20s\n", of.value, of.counted);
    for (uint64_t low = 0; low < of.values; low += width) {
        char range[2 * CONSOLE_NUMBER], number[CONSOLE_NUMBER];
        uint64_t count = 0, end = of.values - low < width ? of.values : low + width;
        for (uint64_t i = low; i < end; i++) count += of.count[i];
        snprintf(range, sizeof range, end - low > 1 ? "%" PRIu64 "-%" PRIu64 : "%" PRIu64, low, end - 1);
        fprintf(out, "%20s%20s\n", range, console_count(count, number));
    }
}

void algorithm_report_print(const struct algorithm_report *report, FILE *out)
{
    const struct algorithm *algorithm = report->algorithm;
    char text[RUNTIME_OPTIONS_TEXT], addresses[ALGORITHM_ADDRESSES];
    print_graph(report, out);
    if (report->device) {
        struct device_times times = device_times_of(report);
        fprintf(out, "device    %s, %s\n", algorithm_devices_text(report, addresses),
                gws_device_describe(report->device)->name);
        if (report->selected[0]) fprintf(out, "selected  %s\n", report->selected);
        device_times_print(&times, algorithm->command.name, out);
    } else {
        fprintf(out, "workers   %s\n",
                runtime_options_text(&report->settings->session.options, report->session.runtime, text));
        print_prepared(report, out);
    }
    print_times(report, out);
    json_fields_print(algorithm->found, algorithm->finding, report->state, out);
    print_histogram(report, out);
    verified_print(report->verified, out);
    print_top(report, out);
}

/* ---- JSON ---- */

static void runs_json(const struct algorithm_report *report, struct json *json)
{
    json_open(json, "runs", '[');
    for (uint64_t i = 0; i < report->runs; i++) {
        const struct algorithm_run *run = &report->run[i];
        json_open(json, NULL, '{');
        if (report->algorithm->sources) session_vertex_json(json, "source", report->session.graph, run->source);
        json_number(json, "ms", run->ms);
        json_number(json, "prepare_ms", run->prepare_ms);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void top_json(const struct algorithm_report *report, struct json *json)
{
    const struct algorithm_table *table = report->top;
    if (!report->top_row) return;
    json_open(json, "top", '[');
    for (uint64_t i = 0; i < report->tops; i++) {
        const uint64_t row = report->top_row[i];
        json_open(json, NULL, '{');
        session_vertex_json(json, "id", table->table.graph, ranking_vertex(table, row));
        json_number(json, "value", ranking_value(table, row));
        json_close(json, '}');
    }
    json_close(json, ']');
}

/* Adds the counts of the values 0, 1, ... */
static void histogram_json(const struct algorithm_report *report, struct json *json)
{
    if (!report->algorithm->histogram) return;
    const struct algorithm_histogram of = report->algorithm->histogram(report->state);
    json_open(json, "histogram", '[');
    for (uint64_t i = 0; i < of.values; i++) json_count(json, NULL, of.count[i]);
    json_close(json, ']');
}

void algorithm_report_json(const void *data, struct json *json)
{
    const struct algorithm_report *report = data;
    const struct algorithm *algorithm = report->algorithm;
    const struct runtime_options *options = &report->settings->session.options;
    struct times times = median_of(report, offsetof(struct algorithm_run, ms));
    char addresses[ALGORITHM_ADDRESSES];
    session_graph_json(json, "graph", report->session.name, report->session.graph);
    json_text(json, "algorithm", algorithm->command.name);
    json_fields(json, algorithm->parameter, report->state);
    json_number(json, "load_ms", report->session.load_ms);
    json_number(json, "reverse_ms", report->reverse_ms);
    json_number(json, "prepare_ms",
                report->open_ms + median_of(report, offsetof(struct algorithm_run, prepare_ms)).median);
    runtime_options_json(options, report->session.runtime, json);
    runtime_devices_json(!report->device, report->device ? algorithm_devices_text(report, addresses) : NULL, json);
    runs_json(report, json);
    times_json(&times, json);
    json_fields(json, algorithm->found, report->state);
    histogram_json(report, json);
    json_verdict(json, "verified", (int)report->verified - VERIFIED_WRONG);
    top_json(report, json);
    if (report->device) {
        struct device_times of_device = device_times_of(report);
        if (report->selected[0]) json_text(json, "selected", report->selected);
        device_times_json(&of_device, json);
        if (report->input.devices > 1) algorithm_parts_json(report, json);
    } else {
        workers_json(&report->workers, json, "workers");
    }
    json_count(json, "seed", options->seed);
    json_text(json, "version", gws_version());
}
