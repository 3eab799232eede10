/* SPDX-License-Identifier: MIT */
/* Work counts are sums over the runs. The rate is the number of input points over the median time. */
#include "goctree.h"

#include <inttypes.h>
#include <stdlib.h>

bool report_begin(struct tree_report *report, uint64_t runs)
{
    report->run = calloc(runs, sizeof *report->run);
    report->verified = -1;
    return report->run && workers_begin(&report->workers, report->runtime);
}

void report_clear(struct tree_report *report)
{
    workers_clear(&report->workers);
    free(report->run);
    report->run = NULL;
}

/* Converts the statistics of a device run to the type of CPU workers' statistics. */
static struct gws_worker_stats work_of(const struct gws_side_stats *cpu, const struct gws_side_stats *groups,
                                       uint64_t high_water)
{
    return (struct gws_worker_stats){.tasks = cpu->run + groups->run,
                                     .stolen = gws_side_stolen(cpu) + gws_side_stolen(groups),
                                     .steals = cpu->steals + groups->steals,
                                     .failed_steals = cpu->failed + groups->failed,
                                     .high_water = high_water};
}

void report_add_run(struct tree_report *report)
{
    struct tree_run *run = &report->run[report->runs++];
    workers_stop(&report->workers, report->runtime);
    *run = (struct tree_run){.ms = report->tree->stats.ms, .stats = report->tree->stats};
    if (report->device->builder) run->device = report->device->stats;
    run->other_ms = report->device->call_ms - run->ms - run->device.upload_ms - run->device.download_ms;
    run->total = report->device->builder ? work_of(&run->device.cpu, &run->device.device, run->device.high_water)
                                         : workers_now(&report->workers);
}

/* Returns the sum over all runs of a device's builder. */
static struct hybrid_stats hybrid_stats_of_runs(const struct tree_report *report)
{
    struct hybrid_stats sum = {.launches = 0};
    for (uint64_t i = 0; i < report->runs; i++) {
        const struct gws_octree_device_stats *run = &report->run[i].device;
        hybrid_stats_add(&sum, &(struct hybrid_stats){run->cpu, run->device, run->launches, run->handed_off});
    }
    return sum;
}

/* Returns the sum over all runs. */
static struct gws_worker_stats total_of_runs(const struct tree_report *report)
{
    struct hybrid_stats hybrid = hybrid_stats_of_runs(report);
    uint64_t max = 0;
    if (!report->device->builder) return workers_total(&report->workers);
    for (uint64_t i = 0; i < report->runs; i++)
        if (report->run[i].device.high_water > max) max = report->run[i].device.high_water;
    return work_of(&hybrid.cpu, &hybrid.device, max);
}

/* Returns a name such as "cuda:0", or NULL if the CPU builds. */
static const char *device_name(const struct tree_report *report)
{
    return report->device->device ? gws_device_describe(report->device->device)->address : NULL;
}

static struct times times_of_runs(const struct tree_report *report)
{
    return times_of(&report->run->ms, report->runs, sizeof *report->run);
}

/* Returns the medians of the runs' times. */
static struct device_times device_times_of(const struct tree_report *report)
{
    const struct tree_run *run = report->run;
    uint64_t runs = report->runs;
    return (struct device_times){.translate_ms = gws_device_translate_ms(report->device->device),
                                 .upload_ms = times_of(&run->device.upload_ms, runs, sizeof *run).median,
                                 .prepare_ms =
                                     report->device->open_ms + times_of(&run->other_ms, runs, sizeof *run).median,
                                 .run_ms = times_of(&run->ms, runs, sizeof *run).median,
                                 .fetch_ms = times_of(&run->device.download_ms, runs, sizeof *run).median};
}

static const char *builder_name(const struct tree_report *report)
{
    return gws_octree_builder_at(report->tree->stats.builder, NULL);
}

static double mpoints_per_s(const struct tree_report *report, const struct times *times)
{
    return times->median > 0 ? (double)report->given / times->median / 1e3 : 0;
}

/* ---- text ---- */

static void print_work(const struct tree_report *report, FILE *out)
{
    struct gws_worker_stats total = total_of_runs(report);
    if (report->device->builder && total.tasks == 0) return;
    char tasks[CONSOLE_NUMBER], steals[CONSOLE_NUMBER], queue[CONSOLE_NUMBER];
    fprintf(out, "tasks     %s, %.1f %% of them stolen in %s steal%s", console_count(total.tasks, tasks),
            workers_share(total.stolen, total.tasks), console_count(total.steals, steals),
            total.steals == 1 ? "" : "s");
    if (!report->device->builder) fprintf(out, "; efficiency %.1f %%", 100 * workers_efficiency(&total));
    if (total.high_water > 0) fprintf(out, "; queue at most %s", console_count(total.high_water, queue));
    if (total.samples > 0) fprintf(out, "; mean squared distance from the mean %.3g", workers_spread(&total));
    fputc('\n', out);
}

static void print_queries(const struct tree_queries *queries, FILE *out)
{
    char count[CONSOLE_NUMBER], hits[CONSOLE_NUMBER], time[CONSOLE_NUMBER], each[CONSOLE_NUMBER];
    char device[CONSOLE_NUMBER], upload[CONSOLE_NUMBER];
    fprintf(out, "answers   %s to %s quer%s in %s", console_count(queries->hits, hits),
            console_count(queries->count, count), queries->count == 1 ? "y" : "ies", console_time(queries->ms, time));
    if (queries->count > 0) fprintf(out, ", %s each", console_time(queries->ms / (double)queries->count, each));
    if (queries->on_device)
        fprintf(out, "; on the device %s, upload of the tree %s", console_time(queries->device_ms, device),
                console_time(queries->upload_ms, upload));
    fputc('\n', out);
}

static void print_device(const struct tree_report *report, FILE *out)
{
    const struct gws_octree_device_options *chosen = &report->device->chosen;
    if (!report->device->builder) return;
    struct device_times times = device_times_of(report);
    fprintf(out, "device    %s, ", device_name(report));
    if (chosen->groups > 0)
        fprintf(out, "%" PRIu32 " group%s of %" PRIu32 "%s, ", chosen->groups, chosen->groups == 1 ? "" : "s",
                chosen->group_size, chosen->cpu ? " beside the threads" : "");
    fprintf(out, "%s; %.0f MB held\n", gws_octree_form_name(chosen->form), (double)report->device->stats.memory / 1e6);
    device_times_print(&times, "build", out);
}

void report_print(const struct tree_report *report, FILE *out)
{
    struct times times = times_of_runs(report);
    char text[RUNTIME_OPTIONS_TEXT], name[CONSOLE_NAME], load[CONSOLE_NUMBER], rate[CONSOLE_NUMBER];
    fprintf(out, "input     %s, %s in %s\n", console_name(report->name, name),
            gws_points_is_generator(report->name) ? "generated" : "read", console_time(report->load_ms, load));
    shape_points_print(report, out);
    fprintf(out, "workers   %s\nbuilder   %s\n",
            runtime_options_text(&report->settings->options, report->runtime, text), builder_name(report));
    print_device(report, out);
    times_print(&times, out);
    fprintf(out, ", %s points/s\n", console_rate(1e6 * mpoints_per_s(report, &times), rate));
    shape_tree_print(report, out);
    print_work(report, out);
    struct hybrid_stats hybrid = hybrid_stats_of_runs(report);
    if (report->device->chosen.cpu) hybrid_stats_print(&hybrid, "octants", out);
    if (report->queries) print_queries(report->queries, out);
    if (report->verified >= 0)
        fprintf(out, "verified  %s\n", report->verified ? "every tree is correct" : "NO: the last tree is wrong");
}

/* ---- JSON ---- */

#define OF_RUN(name, key) JSON_FIELD(struct tree_run, name, key)
static const struct json_field run_field[] = {{OF_RUN(ms, "ms")},
                                              {OF_RUN(stats.bounds_ms, "bounds_ms")},
                                              {OF_RUN(stats.sort_ms, "sort_ms")},
                                              {OF_RUN(stats.flatten_ms, "flatten_ms")},
                                              {OF_RUN(device.upload_ms, "upload_ms")},
                                              {OF_RUN(device.download_ms, "fetch_ms")},
                                              {OF_RUN(stats.tasks, "octant_tasks")}};
#define OF_QUERIES(name, key) JSON_FIELD(struct tree_queries, name, key)
static const struct json_field query_field[] = {
    {OF_QUERIES(count, "queries")},       {OF_QUERIES(hits, "answers")},        {OF_QUERIES(ms, "ms")},
    {OF_QUERIES(on_device, "on_device")}, {OF_QUERIES(device_ms, "device_ms")}, {OF_QUERIES(upload_ms, "upload_ms")}};

static void runs_json(const struct tree_report *report, struct json *json)
{
    json_open(json, "runs", '[');
    for (uint64_t i = 0; i < report->runs; i++) {
        const struct tree_run *run = &report->run[i];
        json_open(json, NULL, '{');
        json_fields(json, (struct json_table)JSON_TABLE(run_field), run);
        workers_counts_json(&run->total, json);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void queries_json(const struct tree_queries *queries, struct json *json)
{
    if (!queries) {
        json_null(json, "query");
        return;
    }
    json_open(json, "query", '{');
    json_fields(json, (struct json_table)JSON_TABLE(query_field), queries);
    json_close(json, '}');
}

void report_json(const void *data, struct json *json)
{
    const struct tree_report *report = data;
    struct times times = times_of_runs(report);
    struct gws_worker_stats total = total_of_runs(report);
    struct hybrid_stats hybrid = hybrid_stats_of_runs(report);
    const struct runtime_options *options = &report->settings->options;
    shape_json(report, json);
    times_json(&times, json);
    json_number(json, "mpoints_per_s", mpoints_per_s(report, &times));
    json_text(json, "builder", builder_name(report));
    runtime_options_json(options, report->runtime, json);
    runtime_options_task_json(options, json);
    runtime_devices_json(!report->device->builder || report->device->chosen.cpu, device_name(report), json);
    json_text(json, "form", report->device->builder ? gws_octree_form_name(report->device->chosen.form) : "cpu");
    json_count(json, "device_memory", report->device->stats.memory);
    if (report->device->builder) {
        struct device_times of_device = device_times_of(report);
        device_times_json(&of_device, json);
    }
    json_count(json, "groups", report->device->chosen.groups);
    hybrid_stats_json(&hybrid, report->device->chosen.cpu, device_name(report), json);
    json_count(json, "launches", hybrid.launches);
    json_count(json, "handed_off", hybrid.handed_off);
    workers_counts_json(&total, json);
    json_number(json, "queue_spread", workers_spread(&total));
    json_verdict(json, "verified", report->verified);
    queries_json(report->queries, json);
    runs_json(report, json);
    workers_json(&report->workers, json, "workers");
    json_bool(json, "pin", options->pin);
    json_count(json, "seed", options->seed);
    json_text(json, "version", gws_version());
}
