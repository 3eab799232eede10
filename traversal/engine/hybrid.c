/* SPDX-License-Identifier: MIT */
/* Runs with handoff between a device and the CPU's threads (see hybrid.h). */
#include "hybrid.h"

#include <string.h>

#include "device_run.h"

struct hybrid_run {
    const struct gws__hybrid *given;
    struct gws__device_run *device;
    struct gws__handoff handoff;
    struct gws__handoff_rule rule;      /* the rule for the device's next launch */
    struct gws__mirror words, frontier; /* words: the memory of *state; frontier: a bit for each vertex */
    struct gws__handoff_state *state;
    uint32_t *second; /* a second bitmap */
    struct engine engine;
    struct gws__rounds rounds;
    bool arrays_cross;
};

/* ---- the device ---- */

static gws_status cross(const struct hybrid_run *run, bool to_device, struct gws_diagnostic *where)
{
    gws_status status = gws__mirror_copy(&run->frontier, run->frontier.bytes, to_device, where);
    for (uint32_t i = 0; i < run->given->arrays && run->arrays_cross && status == GWS_OK; i++)
        status = gws__mirror_copy(&run->device->data[i], run->device->data[i].bytes, to_device, where);
    return status;
}

static gws_status launch(void *device, struct gws_diagnostic *where)
{
    struct hybrid_run *run = device;
    const struct gws_device_argument more[] = {{.value = &run->rule, .bytes = sizeof run->rule},
                                               {.buffer = run->words.buffer},
                                               {.buffer = run->frontier.buffer}};
    memset(run->state, 0, sizeof *run->state);
    gws_status status = gws__mirror_copy(&run->words, run->words.bytes, true, where);
    if (status == GWS_OK && run->rule.resumes) status = cross(run, true, where);
    if (status == GWS_OK) status = gws__device_run_launch(run->device, run->given->word, more, 3, where);
    if (status == GWS_OK) status = gws__mirror_copy(&run->words, run->words.bytes, false, where);
    return status == GWS_OK && run->state->handed_off ? cross(run, false, where) : status;
}

/* ---- the threads ---- */

static void set_rule(struct hybrid_run *run, bool resumes)
{
    run->rule = (struct gws__handoff_rule){.resumes = resumes};
    gws__handoff_set_rule(&run->handoff, GWS__HANDOFF_DEVICE, false, &run->rule);
}

static void fetch_frontier(struct hybrid_run *run, uint64_t size)
{
    run->engine.visited = run->frontier.host;
    run->rounds = (struct gws__rounds){.s = &run->engine, .next = run->second, .found = size};
}

/* Moves the frontier to the bitmap that the device reads, and clears the other bitmap. */
static void publish_frontier(struct hybrid_run *run)
{
    if (run->engine.visited == run->second) {
        memcpy(run->frontier.host, run->second, run->frontier.bytes);
        memset(run->second, 0, run->frontier.bytes);
    }
    set_rule(run, true);
}

static void run_on_threads(struct hybrid_run *run)
{
    struct gws_handoff_model *model = &run->handoff.model;
    struct gws__handoff_rule rule;
    double began = gws_clock_ms();
    uint32_t before = run->engine.level;
    gws__handoff_set_rule(&run->handoff, GWS__HANDOFF_HOST, false, &rule);
    gws__handoff_count(&run->handoff);
    fetch_frontier(run, run->state->at.size);
    run->given->loops->run(&run->rounds, &rule);
    if (run->rounds.found > 0) {
        publish_frontier(run);
        gws__handoff_count(&run->handoff);
    }
    model->host_levels += run->engine.level - before;
    model->host_vertices += run->rounds.entered;
    model->host_ms += gws_clock_ms() - began;
}

/* ---- calibration ---- */

static uint64_t publish_trial(void *context, const uint32_t *vertex, uint32_t count)
{
    struct hybrid_run *run = context;
    uint32_t *bitmap = run->frontier.host;
    uint64_t arcs = 0;
    memset(bitmap, 0, run->frontier.bytes);
    memset(run->second, 0, run->frontier.bytes);
    for (uint32_t i = 0; i < count; i++) {
        bitmap[vertex[i] / 32] |= 1U << vertex[i] % 32;
        arcs += gws_graph_degree(run->engine.graph, vertex[i]);
    }
    fetch_frontier(run, count);
    set_rule(run, true);
    return arcs;
}

static void run_trial(void *context)
{
    struct hybrid_run *run = context;
    const struct gws__handoff_rule one = {.max = 1};
    run->given->loops->run(&run->rounds, &one);
}

/* Calibrates the cost model. The trials begin with the initial data. Each side changes its own copy of the arrays, and
 * a handoff transfers only the frontier. Afterwards the function times one copy of the arrays. */
static gws_status calibrate(struct hybrid_run *run, struct gws_diagnostic *where)
{
    const struct gws__handoff_trial trial = {.context = run,
                                             .device = run,
                                             .graph = run->engine.graph,
                                             .state = run->state,
                                             .publish = publish_trial,
                                             .run = run_trial,
                                             .launch = launch};
    run->arrays_cross = true;
    set_rule(run, false);
    run->rule.max = 0;
    gws_status status = launch(run, where);
    run->arrays_cross = false;
    if (status == GWS_OK) status = gws__handoff_calibrate(&run->handoff, &trial, where);
    double began = gws_clock_ms();
    run->arrays_cross = true;
    if (status == GWS_OK) status = cross(run, true, where);
    if (status == GWS_OK) status = cross(run, false, where);
    run->handoff.model.handoff_ns += (gws_clock_ms() - began) * 1e6;
    return status;
}

/* ---- a run ---- */

static gws_status open_run(struct hybrid_run *run, struct gws_device_graph *on_device, struct gws_diagnostic *where)
{
    const struct gws__hybrid *given = run->given;
    const struct gws_device_graph_info *info = gws_device_graph_describe(on_device);
    uint64_t bytes = (info->graph->vertices + 32) / 32 * 4;
    run->engine = (struct engine){.runtime = info->runtime, .graph = info->graph};
    memcpy(run->engine.word, given->word, sizeof given->word);
    gws__handoff_open(&run->handoff, info->graph);
    if (given->max_host > 0) run->handoff.max_host = given->max_host;
    if (given->max_device > 0) run->handoff.max_device = given->max_device;
    gws_status status = gws__device_run_open(on_device, given->program, given->arrays, NULL, true, &run->device, where);
    if (status != GWS_OK) return status;
    bool in_place = run->device->data[0].in_place;
    status = gws__mirror_open(info->runtime, info->device, sizeof *run->state, in_place, &run->words, where);
    if (status == GWS_OK)
        status = gws__mirror_open(info->runtime, info->device, bytes, in_place, &run->frontier, where);
    run->state = run->words.host;
    if (status != GWS_OK) return status;
    run->second = gws_allocate(info->runtime, bytes, 1);
    if (!run->second) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    for (uint32_t i = 0; i < given->arrays; i++) run->engine.data[i] = run->device->data[i].host;
    bool forced = given->max_host > 0 || given->max_device > 0;
    return forced ? GWS_OK : calibrate(run, where);
}

static void close_run(struct hybrid_run *run)
{
    struct gws_runtime *runtime = run->engine.runtime;
    gws_release(runtime, run->second, run->frontier.bytes, 1);
    gws__mirror_close(runtime, &run->words);
    gws__mirror_close(runtime, &run->frontier);
    gws__device_run_close(run->device);
}

/* Copies the data arrays from the side that ran the last round. */
static gws_status finish(struct hybrid_run *run, uint32_t *const *data, struct gws__hybrid_report *report,
                         struct gws_diagnostic *where)
{
    gws_status status = GWS_OK;
    if (run->state->handed_off) {
        run->given->loops->count(&run->rounds);
        report->counted = run->rounds.counted;
    } else {
        status = gws__device_run_counted(run->device, &report->counted, where);
    }
    for (uint32_t i = 0; i < run->given->arrays && status == GWS_OK; i++) {
        const struct gws__mirror *array = &run->device->data[i];
        if (!run->state->handed_off) status = gws__mirror_copy(array, array->bytes, false, where);
        memcpy(data[i], array->host, run->engine.graph->vertices * sizeof *data[i]);
    }
    return status;
}

static gws_status go(struct hybrid_run *run, uint32_t *const *data, struct gws__hybrid_report *report,
                     struct gws_diagnostic *where)
{
    struct gws__hybrid_report made = {.ms = gws_clock_ms()};
    gws_status status;
    run->engine.level = 0;
    memset(run->second, 0, run->frontier.bytes);
    run->arrays_cross = true;
    set_rule(run, false);
    do {
        status = launch(run, where);
        made.device_rounds += run->state->at.level;
        if (status == GWS_OK && run->state->handed_off) run_on_threads(run);
        if (status == GWS_OK && gws_cancelled(run->engine.runtime))
            status = gws_diagnostic_status(where, GWS_CANCELLED);
    } while (status == GWS_OK && run->state->handed_off && run->rounds.found > 0);
    made.ms = gws_clock_ms() - made.ms;
    if (status == GWS_OK) status = finish(run, data, &made, where);
    made.rounds = made.device_rounds + run->engine.level;
    made.model = run->handoff.model;
    if (status == GWS_OK) *report = made;
    return status;
}

gws_status gws__hybrid_run(struct gws_device_graph *on_device, const struct gws__hybrid *hybrid, uint32_t *const *data,
                           struct gws__hybrid_report *report, struct gws_diagnostic *where)
{
    struct hybrid_run run = {.given = hybrid};
    gws_status status = open_run(&run, on_device, where);
    if (status == GWS_OK) status = go(&run, data, report, where);
    close_run(&run);
    return status;
}
