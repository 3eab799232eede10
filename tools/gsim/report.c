/* SPDX-License-Identifier: MIT */
/* The result of a simulation, as text and as JSON. Only wall_ms and events_per_s depend on this machine. */
#include <math.h>

#include "simulation.h"

static double events_per_s(const struct sim_report *report)
{
    return report->wall_ms > 0 ? (double)report->found.events / report->wall_ms * 1e3 : NAN;
}

static void print_machine(const struct sim_report *report, FILE *out)
{
    const struct gws_sim_options *options = report->options;
    const struct runtime_options *settings = report->settings;
    const struct gws_sim_machine *machine = &options->machine;
    char workers[CONSOLE_NUMBER];
    fprintf(out, "workers   %s, %s policy%s%s%s%s%s%s%s\n",
            report->rows > 1 ? report->machine->workers : console_count(options->workers, workers), settings->policy,
            settings->victim ? ", victim " : "", settings->victim ? settings->victim : "",
            settings->amount ? ", amount " : "", settings->amount ? settings->amount : "",
            options->newest ? ", newest first" : "", options->wait ? ", waiting" : "",
            options->ticket ? " by tickets" : "");
    fprintf(out, "machine   %s%s, %s", report->machine->preset, report->machine->costs ? " with other costs" : "",
            machine_topology[machine->topology]);
    if (machine->topology != GWS_SIM_FLAT) fprintf(out, " of %u", machine->host);
    fprintf(out, "%s\n", machine->vote ? ", voting" : "");
}

static void print_steals(const struct gws_sim_result *found, FILE *out)
{
    char steals[CONSOLE_NUMBER], failed[CONSOLE_NUMBER], aborted[CONSOLE_NUMBER], probes[CONSOLE_NUMBER];
    fprintf(out, "stolen    %.1f %% of them in %s steal%s; %s failed, %s given up; %s looks\n",
            found->tasks ? 100.0 * (double)found->stolen / (double)found->tasks : 0,
            console_count(found->steals, steals), found->steals == 1 ? "" : "s",
            console_count(found->failed_steals, failed), console_count(found->aborted_steals, aborted),
            console_count(found->probes, probes));
}

void sim_report_print_work(const struct sim_report *report, FILE *out)
{
    const struct simulation *simulation = report->simulation;
    fprintf(out, "%s: ", simulation->command.name);
    json_fields_print(simulation->parameter, simulation->description, report->state, out);
    if (simulation->describe) simulation->describe(report->state, out);
}

static void print_found(const struct sim_report *report, FILE *out)
{
    const struct simulation *simulation = report->simulation;
    const struct gws_sim_result *found = &report->found;
    const struct sim_row row = sim_row_of(report->options->workers, found);
    char text[CONSOLE_NUMBER], more[CONSOLE_NUMBER], last[CONSOLE_NUMBER];
    fprintf(out, "time      %s in virtual time, %s of it to detect the end\n", console_time(found->virtual_ms, text),
            console_time(found->termination_ms, more));
    json_fields_print(simulation->result, simulation->finding, report->state, out);
    fprintf(out, "tasks     %s, efficiency %.1f %%, at work %.1f %%\n", console_count(found->tasks, text),
            100 * row.efficiency, 100 * row.work_efficiency);
    print_steals(found, out);
    fprintf(out, "queue     at most %s tasks; mean squared distance from the mean %.3g\n",
            console_count(found->queue_high_water, text), found->queue_spread);
    fprintf(out, "start     %s workers had a task, the first after %s in the mean, the last after %s\n",
            console_count(found->started, text), console_time(found->first_task_ms, more),
            console_time(found->last_start_ms, last));
    fprintf(out, "simulated %s events in %s, %s/s\n", console_count(found->events, text),
            console_time(report->wall_ms, more), console_rate(events_per_s(report), last));
}

void sim_report_print(const struct sim_report *report, FILE *out)
{
    fputs("work      ", out);
    sim_report_print_work(report, out);
    fputc('\n', out);
    print_machine(report, out);
    if (report->rows > 1)
        sim_rows_print(report->row, report->rows, out);
    else
        print_found(report, out);
}

static void machine_json(const struct sim_report *report, struct json *json)
{
    const struct gws_sim_machine *machine = &report->options->machine;
    const char *name;
    json_text(json, "preset", report->machine->preset);
    json_text(json, "topology", machine_topology[machine->topology]);
    json_count(json, "host", machine->topology == GWS_SIM_FLAT ? report->options->workers : machine->host);
    json_count(json, "cache", machine->cache);
    json_open(json, "costs", '{');
    for (uint32_t i = 0; (name = gws_sim_cost_at(i, NULL)); i++) json_exact(json, name, machine->cost[i]);
    json_close(json, '}');
}

void sim_report_json(const void *data, struct json *json)
{
    const struct sim_report *report = data;
    const struct simulation *simulation = report->simulation;
    const struct gws_sim_options *options = report->options;
    json_text(json, "workload", simulation->command.name);
    json_open(json, "parameters", '{');
    if (simulation->parameters_json) simulation->parameters_json(report->state, json);
    json_fields(json, simulation->parameter, report->state);
    json_close(json, '}');
    json_fields(json, simulation->result, report->state);
    json_text(json, "policy", options->policy);
    json_name(json, "victim", options->victim);
    json_name(json, "amount", options->amount);
    json_count(json, "chunk", options->chunk);
    json_bool(json, "newest", options->newest);
    json_bool(json, "wait", options->wait);
    json_bool(json, "ticket", options->ticket);
    json_text(json, "termination", options->machine.vote ? "vote" : "counter");
    machine_json(report, json);
    const struct sim_row row = sim_row_of(options->workers, &report->found);
    sim_row_json(&row, json);
    if (report->rows > 1) sim_rows_json(report->row, report->rows, json);
    json_count(json, "seed", options->seed);
    json_number(json, "wall_ms", report->wall_ms);
    json_number(json, "events_per_s", events_per_s(report));
    json_text(json, "version", gws_version());
}
