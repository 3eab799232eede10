/* SPDX-License-Identifier: MIT */
/* Counts are sums over the runs; rates are quotients of sums. Efficiency is busy time over total time of the workers.
 * If an option sets the tasks' time, the efficiency at work is that time over total time. */
#include "workload.h"

#include <math.h>
#include <stdlib.h>

#include "../common/console.h"
#include "../common/workers.h"

/* Sums over all runs; NAN if unknown. */
struct task_sums {
    struct times times;
    struct gws_worker_stats total;
    double tasks_per_s, units_per_s, work_efficiency, spread;
};

bool report_begin(struct task_report *report, uint64_t runs)
{
    report->run = calloc(runs, sizeof *report->run);
    return report->run && workers_begin(&report->workers, report->runtime);
}

void report_clear(struct task_report *report)
{
    workers_clear(&report->workers);
    free(report->run);
    report->run = NULL;
}

void report_add_run(struct task_report *report, double ms)
{
    const struct workload *workload = report->workload;
    const char *state = report->state;
    workers_stop(&report->workers, report->runtime);
    struct gws_worker_stats total = workers_now(&report->workers);
    ranks_add_run(report->ranks, &total);
    report->run[report->runs++] =
        (struct task_run){.ms = ms,
                          .units = *(const uint64_t *)(state + workload->units),
                          .work_ms = workload->work_ms ? *(const double *)(state + workload->work_ms) : -1,
                          .total = total};
}

/* Returns part / whole; NAN if it is unknown. A negative part is unknown. */
static double ratio(double part, double whole)
{
    return part >= 0 && whole > 0 ? part / whole : NAN;
}

static struct task_sums sum_up(const struct task_report *report)
{
    struct task_sums sums = {.times = times_of(&report->run->ms, report->runs, sizeof *report->run),
                             .total = workers_total(&report->workers)};
    double work_ms = 0, seconds = sums.times.total / 1e3, units = 0;
    for (uint64_t i = 0; i < report->runs; i++) {
        units += (double)report->run[i].units;
        work_ms += report->run[i].work_ms;
    }
    sums.tasks_per_s = ratio((double)sums.total.tasks, seconds);
    sums.units_per_s = ratio(units, seconds);
    sums.work_efficiency = ratio(work_ms, sums.times.total * report->workers.count);
    sums.spread = workers_spread(&sums.total);
    return sums;
}

/* ---- text ---- */

static void print_tasks(const struct task_sums *sums, FILE *out)
{
    char tasks[CONSOLE_NUMBER], rate[CONSOLE_NUMBER];
    fprintf(out, "tasks     %s, %s/s, efficiency %.1f %%", console_count(sums->total.tasks, tasks),
            console_rate(sums->tasks_per_s, rate), 100 * workers_efficiency(&sums->total));
    if (!isnan(sums->work_efficiency)) fprintf(out, ", at work %.1f %%", 100 * sums->work_efficiency);
    fputc('\n', out);
}

static void print_steals(const struct task_sums *sums, FILE *out)
{
    const struct gws_worker_stats *total = &sums->total;
    char steals[CONSOLE_NUMBER], failed[CONSOLE_NUMBER], aborted[CONSOLE_NUMBER], queue[CONSOLE_NUMBER];
    fprintf(out, "stolen    %.1f %% of them in %s steal%s; %s failed, %s given up\n",
            workers_share(total->stolen, total->tasks), console_count(total->steals, steals),
            total->steals == 1 ? "" : "s", console_count(total->failed_steals, failed),
            console_count(total->aborted_steals, aborted));
    fprintf(out, "queue     at most %s tasks", console_count(total->high_water, queue));
    if (!isnan(sums->spread)) fprintf(out, "; mean squared distance from the mean %.3g", sums->spread);
    fputc('\n', out);
}

void report_print(const struct task_report *report, FILE *out)
{
    const struct workload *workload = report->workload;
    struct task_sums sums = sum_up(report);
    char text[RUNTIME_OPTIONS_TEXT], rate[CONSOLE_NUMBER];
    fprintf(out, "work      %s: ", workload->command.name);
    json_fields_print(workload->parameter, workload->description, report->state, out);
    if (workload->describe) workload->describe(report->state, out);
    bool workers;
    (void)workload_device(workload, report->state, &workers);
    fprintf(out, "\n");
    const bool several = report->ranks->count > 1;
    if (workers) fprintf(out, "workers   %s", runtime_options_text(report->options, report->runtime, text));
    if (several)
        fprintf(out, "%s on each of %u ranks (%s)", workers ? "" : "device    one", report->ranks->count,
                gws_transport_name(report->ranks->transport));
    if (workers || several) fputc('\n', out);
    times_print(&sums.times, out);
    fprintf(out, ", %s %s/s\n", console_rate(sums.units_per_s, rate), workload->unit);
    if (workload->print) workload->print(report->state, out);
    json_fields_print(workload->found, workload->finding, report->state, out);
    if (workers) print_tasks(&sums, out);
    if (workers) print_steals(&sums, out);
    if (several) ranks_print_steals(report->ranks, out);
    verified_print(report->verified, out);
}

/* ---- JSON ---- */

static void runs_json(const struct task_report *report, struct json *json)
{
    json_open(json, "runs", '[');
    for (uint64_t i = 0; i < report->runs; i++) {
        const struct task_run *run = &report->run[i];
        json_open(json, NULL, '{');
        json_number(json, "ms", run->ms);
        json_count(json, report->workload->unit, run->units);
        workers_counts_json(&run->total, json);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void rates_json(const struct task_report *report, const struct task_sums *sums, struct json *json)
{
    char name[CONSOLE_NUMBER];
    snprintf(name, sizeof name, "%s_per_s", report->workload->unit);
    times_json(&sums->times, json);
    json_number(json, "tasks_per_s", sums->tasks_per_s);
    json_number(json, name, sums->units_per_s);
    json_number(json, "work_efficiency", sums->work_efficiency);
    json_number(json, "queue_spread", sums->spread);
}

void report_json(const void *data, struct json *json)
{
    const struct task_report *report = data;
    const struct workload *workload = report->workload;
    struct task_sums sums = sum_up(report);
    json_text(json, "workload", workload->command.name);
    json_open(json, "parameters", '{');
    if (workload->parameters_json) workload->parameters_json(report->state, json);
    json_fields(json, workload->parameter, report->state);
    json_close(json, '}');
    if (workload->result_json) workload->result_json(report->state, json);
    json_fields(json, workload->found, report->state);
    runtime_options_json(report->options, report->runtime, json);
    bool cpu;
    const char *device = workload_device(report->workload, report->state, &cpu);
    runtime_devices_json(cpu, device, json);
    runtime_options_task_json(report->options, json);
    rates_json(report, &sums, json);
    workers_counts_json(&sums.total, json);
    json_verdict(json, "verified", (int)report->verified - VERIFIED_WRONG);
    runs_json(report, json);
    workers_json(&report->workers, json, "workers");
    ranks_json(report->ranks, json, "ranks");
    json_bool(json, "pin", report->options->pin);
    json_count(json, "seed", report->options->seed);
    json_text(json, "version", gws_version());
}
