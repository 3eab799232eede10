/* SPDX-License-Identifier: MIT */
/* The threads' time is measured, as it costs no more than a search; a device's is taken from a straight line, since
 * only opening it would say more, and that is what may not pay. The lines are through searches of Kronecker and uniform
 * graphs, road maps and grids on an H200 (datasets/bench/RESULTS.md); elsewhere they are a guess, which is as good as
 * the device is like that one. */
#include "device_auto.h"

#include <inttypes.h>

#include "../common/console.h"

enum { most_devices = 16 };

/* A search in ms: base, for each level, for each arc of the reached part. With the graph at the host both work on each
 * level of at least so many arcs (0: they cannot); a mesh is read by rows, one for each vertex reached. */
static const struct price {
    enum gws_device_api api;
    bool both; /* device and threads search best together */
    double open_ms, bytes_a_ms, base_ms, level_ms, arc_ms;
    struct {
        double arcs_a_level, bytes_a_ms, base_ms, arc_ms, row_level_ms, row_ms;
    } host;
} prices[] = {
    {GWS_DEVICE_CUDA, true, 110, 2.7e7, 0.03, 0.0017, 3e-9, {1 << 18, 2.6e6, 1.5, 1.2e-8, 0.0023, 3.3e-7}},
    {GWS_DEVICE_OPENCL, false, 300, 9e6, 0.2, 0.018, 3e-8, {.arcs_a_level = 0}},
};

static const struct price *price_of(const struct gws_device_info *info)
{
    for (size_t i = 0; i < sizeof prices / sizeof *prices; i++)
        if (info->api == prices[i].api) return &prices[i];
    return NULL;
}

/* The first GPU that can be used, of the kind whose price comes first; false: there is none. */
static bool find(struct gws_runtime *runtime, struct gws_device_info *found)
{
    struct gws_device_info info[most_devices];
    uint32_t count = 0;
    const struct price *best = NULL;
    gws_device_list(runtime, info, most_devices, &count);
    for (uint32_t i = 0; i < count && i < most_devices; i++) {
        const struct price *price = price_of(&info[i]);
        if (info[i].type != GWS_DEVICE_GPU || info[i].unusable[0] || !price || (best && best <= price)) continue;
        best = price;
        *found = info[i];
    }
    return best != NULL;
}

/* ---- what it would take ---- */

struct estimate {
    double open_ms, search_ms;
};

static double graph_bytes(const struct gws_graph *graph)
{
    double bytes = (double)graph->vertices * 8 + (double)graph->arcs * 4;
    return graph->reverse ? 2 * bytes : bytes;
}

/* About as the library tells meshes from others (traversal/engine/mesh_rows.c). */
static bool is_mesh(const struct gws_graph *graph)
{
    return graph->arcs <= 4 * graph->vertices && 2 * graph->arcs >= 3 * graph->vertices;
}

static struct estimate estimate_at_host(const struct price *price, const struct gws_graph *graph,
                                        const struct gws_bfs_result *threads)
{
    double arcs = (double)threads->reached_arcs, levels = threads->levels;
    struct estimate device = {price->open_ms + graph_bytes(graph) / price->host.bytes_a_ms,
                              price->host.base_ms + arcs * price->host.arc_ms};
    if (price->host.arcs_a_level <= 0) return (struct estimate){0, threads->ms};
    if (is_mesh(graph))
        device.search_ms = levels * price->host.row_level_ms + (double)threads->reached * price->host.row_ms;
    else if (arcs < levels * price->host.arcs_a_level)
        return (struct estimate){0, threads->ms};
    return device;
}

static struct estimate estimate(const struct price *price, const struct gws_device_info *info,
                                const struct gws_graph *graph, const struct gws_bfs_result *threads)
{
    double bytes = graph_bytes(graph), arcs = (double)threads->reached_arcs, levels = threads->levels;
    if (bytes + (double)graph->vertices * 32 < (double)info->memory * 0.95)
        return (struct estimate){price->open_ms + bytes / price->bytes_a_ms,
                                 price->base_ms + levels * price->level_ms + arcs * price->arc_ms};
    return estimate_at_host(price, graph, threads);
}

static bool pays(struct estimate device, double threads_ms, uint64_t searches)
{
    return device.open_ms + (double)searches * device.search_ms < (double)searches * threads_ms;
}

/* ---- saying so ---- */

static void say(struct device_search *search, const char *what, const struct gws_device_info *info,
                struct estimate device, double threads_ms, uint64_t searches)
{
    char there[CONSOLE_NUMBER], open[CONSOLE_NUMBER], here[CONSOLE_NUMBER], count[CONSOLE_NUMBER];
    snprintf(search->picked, sizeof search->picked,
             "%s: a search takes the threads %s, and on %s about %s after %s to begin; asked for: %s", what,
             console_time(threads_ms, here), info->address, console_time(device.search_ms, there),
             console_time(device.open_ms, open), console_count(searches, count));
}

/* The graph goes to the device; false, and why it is the threads after all, if that fails. */
static bool open_picked(struct device_search *search, struct session *session, const struct gws_device_info *info,
                        const struct gws_bfs_device_options *options)
{
    struct gws_diagnostic where = {0};
    gws_status status = device_search_try(search, session, info->address, options, &where);
    if (status == GWS_OK) return true;
    device_search_close(search);
    snprintf(search->picked, sizeof search->picked, "cpu: %s cannot be used: %.120s", info->address,
             where.message[0] ? where.message : gws_status_text(status));
    return false;
}

static int probe(struct session *session, enum gws_bfs_direction direction, uint32_t source,
                 struct gws_bfs_result *result)
{
    struct gws_bfs_options options = {.direction = direction};
    gws_status status = GWS_OK;
    for (int i = 0; i < 2 && status == GWS_OK; i++) /* the first one also finds its memory */
        status = gws_bfs(session->runtime, session->graph, source, &options, result);
    return status == GWS_OK ? -1 : console_fail("%s: %s", session->name, gws_status_text(status));
}

int device_auto(struct device_search *search, struct session *session, enum gws_bfs_direction direction,
                uint32_t source, uint64_t searches, struct gws_bfs_result *result)
{
    struct gws_device_info info;
    if (!find(session->runtime, &info)) {
        snprintf(search->picked, sizeof search->picked, "cpu: there is no GPU that can be used");
        return -1;
    }
    int failure = probe(session, direction, source, result);
    if (failure >= 0) return failure;
    const struct price *price = price_of(&info);
    struct estimate device = estimate(price, &info, session->graph, result);
    char both[48];
    snprintf(both, sizeof both, "%s%s", price->both ? "cpu," : "", info.address);
    if (direction == GWS_BFS_BOTTOM_UP || !pays(device, result->ms, searches)) {
        say(search, "cpu", &info, device, result->ms, searches);
        return -1;
    }
    search->parts = GWS_BFS_DEPTH | GWS_BFS_PARENT;
    struct gws_bfs_device_options options = {.cpu = price->both, .direction = direction};
    if (open_picked(search, session, &info, &options)) say(search, both, &info, device, result->ms, searches);
    return -1;
}
