/* SPDX-License-Identifier: MIT */
/* Selects the device for --device auto by a cost model. The tool measures the threads' time, at the cost of a search. A
 * device's time is a linear estimate, because a measurement needs an open device, and opening one may not pay off. The
 * coefficients fit searches of Kronecker and uniform graphs, road maps and grids on an H200
 * (datasets/bench/results/hybrid.md); for other devices the coefficients are a guess. */
#include "device.h"

#include <inttypes.h>

#include "../common/console.h"

enum { MAX_DEVICES = 16 };

/* Cost of a search in ms: base, per level, and per arc of the reached part. With a host-resident graph, threads and
 * device share each level of at least arcs_a_level arcs (0: unsupported). With a host-resident mesh, the search reads
 * one row for each reached vertex. */
static const struct cost_model {
    enum gws_device_api api;
    bool both; /* device and threads together are fastest */
    double open_ms, bytes_a_ms, base_ms, level_ms, arc_ms;
    struct {
        double arcs_a_level, bytes_a_ms, base_ms, arc_ms, row_level_ms, row_ms;
    } host;
} cost_models[] = {
    {GWS_DEVICE_CUDA, true, 110, 2.7e7, 0.03, 0.0017, 3e-9, {1 << 18, 2.6e6, 1.5, 1.2e-8, 0.0023, 3.3e-7}},
    {GWS_DEVICE_OPENCL, false, 300, 9e6, 0.2, 0.018, 3e-8, {.arcs_a_level = 0}},
};

static const struct cost_model *cost_model_of(const struct gws_device_info *info)
{
    for (size_t i = 0; i < sizeof cost_models / sizeof *cost_models; i++)
        if (info->api == cost_models[i].api) return &cost_models[i];
    return NULL;
}

/* Finds the first usable GPU of the first kind in cost_models; false: there is none. */
static bool find(struct gws_runtime *runtime, struct gws_device_info *found)
{
    struct gws_device_info info[MAX_DEVICES];
    uint32_t count = 0;
    const struct cost_model *best = NULL;
    gws_device_list(runtime, info, MAX_DEVICES, &count);
    for (uint32_t i = 0; i < count && i < MAX_DEVICES; i++) {
        const struct cost_model *model = cost_model_of(&info[i]);
        if (info[i].type != GWS_DEVICE_GPU || info[i].unusable[0] || !model || (best && best <= model)) continue;
        best = model;
        *found = info[i];
    }
    return best != NULL;
}

/* ---- estimates ---- */

struct estimate {
    double open_ms, search_ms;
};

static double graph_bytes(const struct gws_graph *graph)
{
    double bytes = (double)graph->vertices * 8 + (double)graph->arcs * 4;
    return graph->reverse ? 2 * bytes : bytes;
}

/* Approximates the library's test for meshes (traversal/engine/mesh_rows.c). */
static bool is_mesh(const struct gws_graph *graph)
{
    return graph->arcs <= 4 * graph->vertices && 2 * graph->arcs >= 3 * graph->vertices;
}

static struct estimate estimate_at_host(const struct cost_model *model, const struct gws_graph *graph,
                                        const struct gws_bfs_result *threads)
{
    double arcs = (double)threads->reached_arcs, levels = threads->levels;
    struct estimate device = {model->open_ms + graph_bytes(graph) / model->host.bytes_a_ms,
                              model->host.base_ms + arcs * model->host.arc_ms};
    if (model->host.arcs_a_level <= 0) return (struct estimate){0, threads->ms};
    if (is_mesh(graph))
        device.search_ms = levels * model->host.row_level_ms + (double)threads->reached * model->host.row_ms;
    else if (arcs < levels * model->host.arcs_a_level)
        return (struct estimate){0, threads->ms};
    return device;
}

static struct estimate estimate(const struct cost_model *model, const struct gws_device_info *info,
                                const struct gws_graph *graph, const struct gws_bfs_result *threads)
{
    double bytes = graph_bytes(graph), arcs = (double)threads->reached_arcs, levels = threads->levels;
    if (bytes + (double)graph->vertices * 32 < (double)info->memory * 0.95)
        return (struct estimate){model->open_ms + bytes / model->bytes_a_ms,
                                 model->base_ms + levels * model->level_ms + arcs * model->arc_ms};
    return estimate_at_host(model, graph, threads);
}

static bool pays(struct estimate device, double threads_ms, uint64_t searches)
{
    return device.open_ms + (double)searches * device.search_ms < (double)searches * threads_ms;
}

/* ---- the selection ---- */

static void describe(struct device_search *search, const char *what, const struct gws_device_info *info,
                     struct estimate device, double threads_ms, uint64_t searches)
{
    char device_time[CONSOLE_NUMBER], open[CONSOLE_NUMBER], host_time[CONSOLE_NUMBER], count[CONSOLE_NUMBER];
    snprintf(search->selected, sizeof search->selected,
             "%s: a search takes %s with the threads, and about %s on %s after %s of setup; searches: %s", what,
             console_time(threads_ms, host_time), console_time(device.search_ms, device_time), info->address,
             console_time(device.open_ms, open), console_count(searches, count));
}

/* Copies the graph to the device. If that fails, selects the threads, with the reason, and returns false. */
static bool open_selected(struct device_search *search, struct session *session, const struct gws_device_info *info,
                          const struct gws_bfs_device_options *options)
{
    struct gws_diagnostic where = {0};
    gws_status status = device_search_try(search, session, info->address, options, &where);
    if (status == GWS_OK) return true;
    device_search_close(search);
    snprintf(search->selected, sizeof search->selected, "cpu: %s cannot be used: %.120s", info->address,
             where.message[0] ? where.message : gws_status_text(status));
    return false;
}

static int probe(struct session *session, enum gws_bfs_direction direction, uint32_t source,
                 struct gws_bfs_result *result)
{
    struct gws_bfs_options options = {.direction = direction};
    gws_status status = GWS_OK;
    for (int i = 0; i < 2 && status == GWS_OK; i++) /* the first run also allocates memory */
        status = gws_bfs(session->runtime, session->graph, source, &options, result);
    return status == GWS_OK ? -1 : console_fail("%s: %s", session->name, gws_status_text(status));
}

int device_auto(struct device_search *search, struct session *session, enum gws_bfs_direction direction,
                uint32_t source, uint64_t searches, struct gws_bfs_result *result)
{
    struct gws_device_info info;
    if (!find(session->runtime, &info)) {
        snprintf(search->selected, sizeof search->selected, "cpu: there is no usable GPU");
        return -1;
    }
    int failure = probe(session, direction, source, result);
    if (failure >= 0) return failure;
    const struct cost_model *model = cost_model_of(&info);
    struct estimate device = estimate(model, &info, session->graph, result);
    char both[48];
    snprintf(both, sizeof both, "%s%s", model->both ? "cpu," : "", info.address);
    if (direction == GWS_BFS_BOTTOM_UP || !pays(device, result->ms, searches)) {
        describe(search, "cpu", &info, device, result->ms, searches);
        return -1;
    }
    search->parts = GWS_BFS_DEPTH | GWS_BFS_PARENT;
    struct gws_bfs_device_options options = {.cpu = model->both, .direction = direction};
    if (open_selected(search, session, &info, &options)) describe(search, both, &info, device, result->ms, searches);
    return -1;
}
