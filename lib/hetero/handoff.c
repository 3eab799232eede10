/* SPDX-License-Identifier: MIT */
/* Handoff of whole levels: model, rules, calibration; see handoff.h. */
#include "handoff.h"

#include <math.h>
#include <string.h>

#include "../parallel.h"
#include "../random.h"
#include "autotune.h"

enum { max_wait = 1023, repeats = 9, trials = 2 * repeats, max_draws = 1 << 16, max_degree = 256, max_arcs = 4096 };

void gws__handoff_open(struct gws__handoff *handoff, const struct gws_graph *graph)
{
    *handoff = (struct gws__handoff){.model = {.handoff_ns = INFINITY},
                                     .mean = graph->vertices ? (double)graph->arcs / (double)graph->vertices : 0,
                                     .max_host = UINT32_MAX,
                                     .max_device = UINT32_MAX,
                                     .pays = true};
}

/* ---- rules ---- */

static double level_loss(const struct gws__handoff *handoff)
{
    return handoff->model.device_level_ns - handoff->model.host_level_ns;
}

/* Returns the loss at a vertex with the mean number of arcs. */
static double vertex_loss(const struct gws__handoff *handoff)
{
    return (handoff->model.device_step_ns - handoff->model.host_step_ns) * (1 + handoff->mean);
}

double gws__handoff_loss(const struct gws__handoff *handoff, double vertices)
{
    return level_loss(handoff) + vertex_loss(handoff) * vertices;
}

/* A level counts as wide above four times the break-even width. On a wide level the device gains at least three times
 * its loss on a small level. */
static uint32_t wide_level(const struct gws__handoff *handoff)
{
    double loss = level_loss(handoff), gain = -vertex_loss(handoff);
    if (handoff->max_device != UINT32_MAX || gain <= 0 || loss / gain > UINT32_MAX / 8) return UINT32_MAX;
    return loss > 0 ? (uint32_t)(4 * loss / gain) : 0;
}

void gws__handoff_set_rule(const struct gws__handoff *handoff, enum gws__handoff_side side, bool counts_arcs,
                           struct gws__handoff_rule *rule)
{
    bool device = side == GWS__HANDOFF_DEVICE;
    double sign = device ? 1 : -1, vertex = sign * vertex_loss(handoff), step = vertex / (1 + handoff->mean);
    rule->level_loss = (float)(sign * level_loss(handoff));
    rule->vertex_loss = (float)(counts_arcs ? step : vertex);
    rule->arc_loss = (float)(counts_arcs ? step : 0);
    rule->limit = handoff->timed ? INFINITY : (float)handoff->model.handoff_ns;
    rule->max = device ? handoff->max_device : handoff->max_host;
    rule->timed = device && handoff->timed;
    rule->wide = device ? wide_level(handoff) : UINT32_MAX;
}

void gws__handoff_back_off(struct gws__handoff *handoff, double lost)
{
    bool forced = handoff->max_host != UINT32_MAX || handoff->max_device != UINT32_MAX;
    if (handoff->handoffs > 0) {
        handoff->wait = handoff->waited = 0;
    } else if (handoff->pays) {
        handoff->wait = handoff->wait < max_wait ? 2 * handoff->wait + 1 : max_wait;
        handoff->waited = 0;
    } else {
        handoff->waited++;
    }
    handoff->pays = (lost > handoff->model.handoff_ns && handoff->waited >= handoff->wait) || forced;
}

/* ---- calibration ---- */

struct calibration {
    struct gws__handoff *handoff;
    const struct gws__handoff_trial *trial;
    struct gws__measurement host[trials], device[trials], pass[trials];
};

/* Draws distinct random vertices with arcs, at most a quarter of all vertices. Returns the number of arcs of these
 * vertices, or 0 if there are none. */
static uint64_t publish(const struct gws__handoff_trial *trial, uint32_t size, uint64_t seed, uint32_t *count)
{
    uint32_t vertex[gws__handoff_vertices];
    uint64_t arcs = 0;
    if (size > 1 + trial->graph->vertices / 4) size = 1 + (uint32_t)trial->graph->vertices / 4;
    *count = 0;
    for (uint32_t i = 0; i < max_draws && *count < size; i++) {
        uint32_t drawn = gws_random_below(gws_random_at(seed, i), (uint32_t)trial->graph->vertices);
        uint64_t degree = gws_graph_degree(trial->graph, drawn);
        bool known = degree == 0 || degree > max_degree;
        for (uint32_t j = 0; j < *count && !known; j++) known = vertex[j] == drawn;
        if (known) continue;
        if (arcs + degree > max_arcs) break;
        vertex[(*count)++] = drawn;
        arcs += degree;
    }
    return *count > 0 ? trial->publish(trial->context, vertex, *count) : 0;
}

/* Measures the time of a launch of at most `levels` levels. took->work becomes the work of the first level. */
static gws_status time_launch(const struct calibration *all, uint32_t levels, uint32_t size, uint64_t seed,
                              struct gws__measurement *took, struct gws_diagnostic *where)
{
    uint32_t count;
    all->handoff->max_device = levels;
    uint64_t arcs = publish(all->trial, size, seed, &count);
    double began = gws_clock_ms();
    gws_status status = all->trial->launch(all->trial->device, where);
    *took = (struct gws__measurement){(double)(count + arcs), (gws_clock_ms() - began) * 1e6};
    return status;
}

/* Measures the time of the device's level by the device's tick clock. The kernel's time on the nanosecond clock
 * calibrates the tick clock. Without such clocks, the time is the difference between a launch with the level and a
 * launch without it. */
static gws_status time_device(struct calibration *all, uint32_t i, uint32_t size, uint64_t seed,
                              struct gws_diagnostic *where)
{
    const struct gws__handoff_state *state = all->trial->state;
    struct gws__measurement took, without;
    gws_status status = time_launch(all, 1, size, seed, &took, where);
    if (status != GWS_OK) return status;
    double ticks = (double)(state->ticks[3] - state->ticks[0]);
    double ns = (double)(state->ticks[2] - state->ticks[1]) * (double)(state->ns[1] - state->ns[0]) / fmax(ticks, 1);
    if (ticks <= 0) {
        status = time_launch(all, 0, size, seed, &without, where);
        ns = fmax(0, took.ns - without.ns);
    }
    all->device[i] = (struct gws__measurement){took.work, ns};
    all->pass[i] = (struct gws__measurement){took.work, took.ns - ns};
    return status;
}

/* Measures the host's level. The seed differs from the device's seed. The level's data is thus not in the cache. */
static void time_host(struct calibration *all, uint32_t i, uint32_t size, uint64_t seed)
{
    uint32_t count;
    uint64_t arcs = publish(all->trial, size, seed, &count);
    double began = gws_clock_ms();
    all->trial->run(all->trial->context);
    all->host[i] = (struct gws__measurement){(double)(count + arcs), (gws_clock_ms() - began) * 1e6};
}

static gws_status measure(struct calibration *all, struct gws_diagnostic *where)
{
    gws_status status = GWS_OK;
    for (uint32_t i = 0; i < trials && status == GWS_OK; i++) {
        uint32_t size = i % 2 ? gws__handoff_vertices : 1;
        status = time_device(all, i, size, 2 * (uint64_t)i, where);
        if (status == GWS_OK) time_host(all, i, size, 2 * (uint64_t)i + 1);
    }
    return status;
}

gws_status gws__handoff_calibrate(struct gws__handoff *handoff, const struct gws__handoff_trial *trial,
                                  struct gws_diagnostic *where)
{
    struct calibration all = {.handoff = handoff, .trial = trial};
    const uint32_t max_device = handoff->max_device;
    uint32_t count;
    if (trial->graph->arcs == 0 || publish(trial, 1, 0, &count) == 0) return GWS_OK; /* no levels */
    handoff->timed = true;
    gws_status status = measure(&all, where);
    handoff->timed = false;
    handoff->max_device = max_device;
    if (status != GWS_OK) return status;
    struct gws__cost_line host = gws__cost_line_fit(all.host, trials), device = gws__cost_line_fit(all.device, trials);
    handoff->model.host_level_ns = host.level_ns;
    handoff->model.host_step_ns = host.step_ns;
    handoff->model.device_level_ns = device.level_ns;
    handoff->model.device_step_ns = device.step_ns;
    handoff->model.handoff_ns = gws__cost_line_fit(all.pass, trials).level_ns;
    return GWS_OK;
}

/* ---- mirrored memory ---- */

gws_status gws__mirror_open(struct gws_runtime *runtime, struct gws_device *device, uint64_t bytes, bool in_place,
                            struct gws__mirror *mirror, struct gws_diagnostic *where)
{
    *mirror = (struct gws__mirror){.bytes = bytes, .in_place = in_place};
    if (!in_place) mirror->host = gws_allocate(runtime, bytes, 1);
    if (!in_place && !mirror->host) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    gws_status status = in_place ? gws_device_shared_new(device, bytes, &mirror->buffer, &mirror->host, where)
                                 : gws_device_buffer_new(device, bytes, &mirror->buffer, where);
    if (status == GWS_OK && !in_place) status = gws_device_fill(mirror->buffer, 0, 0, bytes / 4, where);
    if (status == GWS_OK && mirror->host) memset(mirror->host, 0, bytes);
    return status;
}

void gws__mirror_close(struct gws_runtime *runtime, struct gws__mirror *mirror)
{
    if (!mirror->in_place) gws_release(runtime, mirror->host, mirror->bytes, 1);
    gws_device_buffer_free(mirror->buffer);
    *mirror = (struct gws__mirror){.bytes = 0};
}

gws_status gws__mirror_copy(const struct gws__mirror *mirror, uint64_t bytes, bool to_device,
                            struct gws_diagnostic *where)
{
    if (mirror->in_place || bytes == 0) return GWS_OK;
    return to_device ? gws_device_write(mirror->buffer, 0, mirror->host, bytes, where)
                     : gws_device_read(mirror->buffer, 0, mirror->host, bytes, where);
}
