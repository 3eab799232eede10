/* SPDX-License-Identifier: MIT */
/* The advice as text and as JSON: the report of the advised simulation, and the comparison behind it. */
#include "advise.h"

#include <math.h>

/* Makes the report of the advised simulation from the report of the whole. settings and options are its parts. */
static struct sim_report report_of(const struct sim_report *report, struct runtime_options *settings,
                                   struct gws_sim_options *options)
{
    const struct advise_state *state = report->state;
    const struct advise_candidate *chosen = &state->candidate[state->chosen];
    *settings = *report->settings;
    settings->policy = chosen->policy;
    settings->victim = chosen->victim;
    settings->amount = chosen->amount;
    *options = advise_options(report->options, chosen);
    options->seed = state->seed;
    if (!isnan(state->task_ns)) options->machine.cost[state->simulation->cost] = state->task_ns;
    struct sim_report of = *report;
    of.settings = settings;
    of.options = options;
    of.simulation = state->simulation;
    of.state = state->state;
    return of;
}

static double efficiency_of(const struct gws_sim_result *found, uint32_t workers)
{
    const double whole = found->virtual_ms * workers;
    return whole > 0 ? found->busy_ms / whole : NAN;
}

static void print_candidates(const struct sim_report *report, FILE *out)
{
    const struct advise_state *state = report->state;
    char text[CONSOLE_NUMBER], chunk[CONSOLE_NUMBER];
    fprintf(out, "\n%-10s%-10s%-12s%12s%12s\n", "policy", "victim", "amount", "time", "efficiency");
    for (uint32_t i = 0; i < state->candidates; i++) {
        const struct advise_candidate *one = &state->candidate[i];
        snprintf(chunk, sizeof chunk, "%s%s", one->amount ? one->amount : "-", one->chunk ? " " : "");
        if (one->chunk) snprintf(chunk, sizeof chunk, "chunk %u", one->chunk);
        fprintf(out, "%-10s%-10s%-12s%12s%10.1f %%%s\n", one->policy, one->victim ? one->victim : "-", chunk,
                console_time(one->found.virtual_ms, text), 100 * efficiency_of(&one->found, report->options->workers),
                i == state->chosen ? "  advised" : "");
    }
    fputc('\n', out);
}

static void print_limit(const struct advise_state *state, FILE *out)
{
    char text[CONSOLE_NUMBER];
    fprintf(out, "limit     %s", state->limit);
    for (uint32_t i = 0; i < ADVISE_PARTS; i++)
        if (state->part[i].name)
            fprintf(out, "; with %s at a tenth %s", state->part[i].name, console_time(state->part[i].virtual_ms, text));
    fputc('\n', out);
}

static void print_choice(const struct advise_state *state, FILE *out)
{
    const struct advise_candidate *chosen = &state->candidate[state->chosen];
    fprintf(out, "advice    --policy %s", chosen->policy);
    if (chosen->victim) fprintf(out, " --victim %s", chosen->victim);
    if (chosen->amount) fprintf(out, " --amount %s", chosen->amount);
    if (chosen->chunk) fprintf(out, " --chunk %u", chosen->chunk);
    fputc('\n', out);
}

void advise_print(const struct sim_report *report, FILE *out)
{
    const struct advise_state *state = report->state;
    struct runtime_options settings;
    struct gws_sim_options options;
    const struct sim_report advised = report_of(report, &settings, &options);
    char text[CONSOLE_NUMBER], threads[CONSOLE_NUMBER];
    fprintf(out, "run       %s on %s threads, %s policy, efficiency %.1f %%\n", console_time(state->ms, text),
            console_count(state->threads, threads), state->policy, 100 * state->efficiency);
    if (!isnan(state->task_ns))
        fprintf(out, "task      %.3g ns for each %s\n", state->task_ns, gws_sim_cost_at(state->simulation->cost, NULL));
    sim_report_print(&advised, out);
    print_candidates(report, out);
    print_choice(state, out);
    print_limit(state, out);
}

static void candidates_json(const struct sim_report *report, struct json *json)
{
    const struct advise_state *state = report->state;
    json_open(json, "candidates", '[');
    for (uint32_t i = 0; i < state->candidates; i++) {
        const struct advise_candidate *one = &state->candidate[i];
        json_open(json, NULL, '{');
        json_text(json, "policy", one->policy);
        json_name(json, "victim", one->victim);
        json_name(json, "amount", one->amount);
        json_count(json, "chunk", one->chunk);
        json_exact(json, "virtual_ms", one->found.virtual_ms);
        json_exact(json, "efficiency", efficiency_of(&one->found, report->options->workers));
        json_close(json, '}');
    }
    json_close(json, ']');
}

void advise_json(const void *data, struct json *json)
{
    const struct sim_report *report = data;
    const struct advise_state *state = report->state;
    struct runtime_options settings;
    struct gws_sim_options options;
    const struct sim_report advised = report_of(report, &settings, &options);
    sim_report_json(&advised, json);
    json_open(json, "advice", '{');
    json_open(json, "run", '{');
    json_text(json, "policy", state->policy);
    json_count(json, "threads", state->threads);
    json_number(json, "ms", state->ms);
    json_number(json, "efficiency", state->efficiency);
    json_close(json, '}');
    json_number(json, "task_ns", state->task_ns);
    candidates_json(report, json);
    json_text(json, "limit", state->limit);
    json_open(json, "at_a_tenth", '[');
    for (uint32_t i = 0; i < ADVISE_PARTS; i++) {
        if (!state->part[i].name) continue;
        json_open(json, NULL, '{');
        json_text(json, "costs", state->part[i].name);
        json_exact(json, "virtual_ms", state->part[i].virtual_ms);
        json_close(json, '}');
    }
    json_close(json, ']');
    json_close(json, '}');
}
