/* SPDX-License-Identifier: MIT */
/* The strategy with handoff between a kernel for whole searches and one CPU thread (handoff.h). A handoff ends one
 * launch or starts another launch. The handoff transfers one bit per vertex, through shared memory if there is any,
 * otherwise by copies. */
#include <string.h>

#include "handoff.h"

enum { state, list, visited, mirrors = gws__bfs_handoff_mirrors };

/* ---- launching ---- */

static gws_status cross(const struct gws__bfs_handoff *handoff, uint64_t entries, bool to_device,
                        struct gws_diagnostic *where)
{
    const struct gws__mirror *mirror = handoff->mirror;
    gws_status status = gws__mirror_copy(&mirror[list], entries * sizeof *handoff->list, to_device, where);
    return status == GWS_OK ? gws__mirror_copy(&mirror[visited], mirror[visited].bytes, to_device, where) : status;
}

static gws_status launch(void *device, struct gws_diagnostic *where)
{
    struct gws_bfs_device *search = device;
    struct gws__bfs_handoff *handoff = search->handoff;
    const struct gws__handoff_rule *rule = &handoff->rule;
    memset(handoff->state, 0, sizeof *handoff->state);
    handoff->enabled = true;
    gws_status status = gws__mirror_copy(&handoff->mirror[state], sizeof *handoff->state, true, where);
    if (status == GWS_OK && rule->resumes) status = cross(handoff, rule->from.size, true, where);
    if (status == GWS_OK) status = gws__bfs_persistent_launch(search, where);
    if (status == GWS_OK) status = gws__mirror_copy(&handoff->mirror[state], sizeof *handoff->state, false, where);
    if (status != GWS_OK || !handoff->state->handed_off) return status;
    return cross(handoff, handoff->state->entries, false, where);
}

/* ---- opening and closing ---- */

/* Creates the mirrors. The host's words have 64 bits and the device's words 32 bits, so the host's last word may extend
 * past the device's bitmap. */
static gws_status open_mirrors(struct gws_bfs_device *search, struct gws_diagnostic *where)
{
    struct gws__bfs_handoff *handoff = search->handoff;
    const uint64_t bytes[mirrors] = {[state] = sizeof *handoff->state,
                                     [list] = GWS_HANDOFF_CAPACITY * sizeof *handoff->list,
                                     [visited] = (search->graph->vertices + 63) / 64 * 8};
    bool in_place = gws_device_describe(search->device)->svm >= GWS_SVM_FINE;
    gws_status status = GWS_OK;
    handoff->argument[0] = (struct gws_device_argument){.value = &handoff->rule, .bytes = sizeof handoff->rule};
    for (int i = 0; i < mirrors && status == GWS_OK; i++) {
        status = gws__mirror_open(search->runtime, search->device, bytes[i], in_place, &handoff->mirror[i], where);
        handoff->argument[1 + i].buffer = handoff->mirror[i].buffer;
    }
    handoff->state = handoff->mirror[state].host;
    handoff->list = handoff->mirror[list].host;
    handoff->visited = handoff->mirror[visited].host;
    return status;
}

/* Calibrates the cost model. The mesh kernel claims the frontier that it takes over, and does not count the arcs of
 * that frontier. */
static gws_status calibrate(struct gws_bfs_device *search, struct gws_diagnostic *where)
{
    struct gws__bfs_handoff *handoff = search->handoff;
    handoff->claims = search->kernel == &gws__bfs_mesh;
    handoff->counts_arcs = !handoff->claims;
    return gws__bfs_handoff_calibrate(handoff, launch, search, where);
}

static gws_status open_handoff(struct gws_bfs_device *search, struct gws_diagnostic *where)
{
    search->handoff = gws_allocate(search->runtime, 1, sizeof *search->handoff);
    if (!search->handoff) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    gws_status status = gws__bfs_handoff_open(search->runtime, search->graph, search->handoff);
    if (status != GWS_OK) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    status = gws__bfs_persistent_open(search, where);
    if (status == GWS_OK) status = open_mirrors(search, where);
    search->result = &(struct gws_bfs_result){.source = 0}; /* the launches of the calibration need a source */
    if (status == GWS_OK) status = calibrate(search, where);
    search->result = NULL;
    return status;
}

static void close_handoff(struct gws_bfs_device *search)
{
    struct gws__bfs_handoff *handoff = search->handoff;
    gws__bfs_persistent_close(search);
    if (!handoff) return;
    for (int i = 0; i < mirrors; i++) gws__mirror_close(search->runtime, &handoff->mirror[i]);
    gws__bfs_handoff_close(handoff);
    gws_release(search->runtime, handoff, 1, sizeof *handoff);
    search->handoff = NULL;
}

/* ---- searching ---- */

/* Runs a search. A change of the kernel requires a new calibration. */
static gws_status run_handoff(struct gws_bfs_device *search, struct gws_diagnostic *where)
{
    struct gws__bfs_handoff *handoff = search->handoff;
    const struct gws__bfs_persistent *kernel = search->kernel;
    gws_status status = gws__bfs_persistent_reconsider(search, where);
    if (status == GWS_OK && kernel != search->kernel) status = calibrate(search, where);
    if (status != GWS_OK) return status;
    gws__bfs_handoff_begin(handoff);
    handoff->enabled = handoff->base.pays;
    if (!handoff->base.pays)
        return gws__bfs_persistent_run(search, where); /* the search is slightly faster without handoff */
    double began = gws_clock_ms();
    do {
        status = launch(search, where);
    } while (status == GWS_OK && handoff->state->handed_off && gws__bfs_handoff_run(handoff));
    search->result->ms = gws_clock_ms() - began;
    if (status == GWS_OK) status = gws__bfs_persistent_read_summary(search, 0, where);
    if (status != GWS_OK || !handoff->state->handed_off) return status;
    search->summary.levels = handoff->at.level; /* the search ended on the CPU */
    search->summary.reached = handoff->at.reached;
    return GWS_OK;
}

static gws_status fetch_handoff(struct gws_bfs_device *search, struct gws_diagnostic *where)
{
    struct gws__bfs_handoff *handoff = search->handoff;
    gws_status status = gws__bfs_persistent_fetch(search, where);
    if (status != GWS_OK) return status;
    gws__bfs_handoff_commit(handoff, search->result);
    if (handoff->finds > 0) search->result->reached_arcs = gws__bfs_device_reached_arcs(search);
    uint64_t *thread = search->ran + (uint64_t)search->options.groups * STATS_STRIDE;
    for (uint64_t i = 0; i < handoff->levels; i++) thread[STATS_RUN] += handoff->ran[i].size;
    thread[STATS_ASSIGNED] = thread[STATS_RUN];
    return GWS_OK;
}

const struct gws__bfs_strategy gws__bfs_device_handoff = {
    .form = GWS_BFS_FORM_HANDOFF,
    .open = open_handoff,
    .close = close_handoff,
    .run = run_handoff,
    .fetch = fetch_handoff,
};

bool gws_bfs_device_model(const struct gws_bfs_device *search, struct gws_handoff_model *model)
{
    if (search->handoff) *model = search->handoff->base.model;
    return search->handoff;
}
