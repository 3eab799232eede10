/* SPDX-License-Identifier: MIT */
/* Betweenness centrality on a device: the arrays of teams, and the number of teams. */
#include "device_state.h"

enum {
    max_mesh_degree = 8,    /* max mean degree of a graph whose narrow levels run on one group */
    cache_bytes = 48 << 20, /* about the last-level cache of a large GPU */
    memory_part = 4,        /* without options->memory, teams take this part of the device's memory */
};

bool gws__bc_is_mesh(const struct gws_graph *graph)
{
    return graph->arcs <= max_mesh_degree * graph->vertices;
}

/* Sets bytes to the sizes of the buffers of `teams` teams. others, other_arcs: the sums of all teams but the first one,
 * whose sums are buffers of their own. Returns the sum. */
static uint64_t buffer_sizes(const struct gws_betweenness_device *made, uint64_t teams, uint64_t bytes[buffers])
{
    const struct gws_graph *graph = made->kernel.info->graph;
    const uint64_t vertices = graph->vertices, rows = made->rows, pieces = made->pieces;
    const uint64_t arcs = made->with_arcs ? graph->arcs : 0, begins = BC_FIRST_WORDS(vertices);
    const uint64_t size[buffers] = {
        [root] = team_sources * 4, [report] = team_sources * 8, [depth] = vertices * 4,
        [queue] = vertices * 4,    [first] = begins * 4,        [value] = vertices * 8,
        [others] = vertices * 8,   [other_arcs] = arcs * 8,     [scale] = made->scaled ? vertices * 4 : 4,
        [row] = rows * 8,          [piece] = pieces * 8,        [partial] = pieces * 8,
        [part_scale] = pieces * 4, [count] = BC_COUNTS * 4,     [arrived] = BC_ARRIVED * 8};
    uint64_t sum = 0;
    for (uint32_t i = 0; i < buffers; i++)
        sum += bytes[i] = (i == others || i == other_arcs ? teams - 1 : teams) * size[i];
    return sum;
}

void gws__bc_free_buffers(struct gws_betweenness_device *betweenness)
{
    for (uint32_t i = centrality + 1; i < buffers; i++) {
        gws_device_buffer_free(betweenness->buffer[i]);
        betweenness->buffer[i] = NULL;
    }
    betweenness->capacity = 0;
}

gws_status gws__bc_open_buffers(struct gws_betweenness_device *made, uint32_t teams, struct gws_diagnostic *where)
{
    uint64_t bytes[buffers];
    const uint32_t from = made->buffer[centrality] ? centrality + 1 : centrality;
    gws__bc_free_buffers(made);
    (void)buffer_sizes(made, teams, bytes);
    bytes[centrality] = made->kernel.info->graph->vertices * 8;
    bytes[arc] = made->with_arcs ? made->kernel.info->graph->arcs * 8 : 0;
    gws_status status =
        gws__device_kernel_buffers(&made->kernel, bytes + from, buffers - from, made->buffer + from, where);
    if (status == GWS_OK) made->capacity = teams;
    return status;
}

gws_status gws__bc_add_scale(struct gws_betweenness_device *betweenness, struct gws_diagnostic *where)
{
    const struct gws_device_graph_info *info = betweenness->kernel.info;
    struct gws_device_buffer *larger = NULL;
    const uint64_t words = betweenness->capacity * info->graph->vertices;
    gws_status status = gws_device_buffer_new(info->device, words * 4, &larger, where);
    if (status != GWS_OK) return status;
    gws_device_buffer_free(betweenness->buffer[scale]);
    betweenness->buffer[scale] = larger;
    betweenness->scaled = 1;
    return GWS_OK;
}

/* Returns the max number of teams that pays. The depths and values of a dense graph's teams shall stay in the cache.
 * The levels of a mesh leave most groups idle, so teams pay also beyond the cache. */
static uint64_t useful_teams(const struct gws_betweenness_device *betweenness)
{
    const struct gws_graph *graph = betweenness->kernel.info->graph;
    const uint64_t cached = cache_bytes / (12 * graph->vertices + 1), groups = betweenness->kernel.groups;
    const uint64_t min = gws__bc_is_mesh(graph) ? groups / 2 : 1, teams = cached > min ? cached : min;
    return teams < groups ? teams : groups;
}

uint32_t gws__bc_choose_teams(const struct gws_betweenness_device *betweenness, uint64_t memory, uint64_t sources)
{
    const struct gws_device_graph_info *info = betweenness->kernel.info;
    const uint64_t largest = gws_device_describe(info->device)->max_buffer;
    uint64_t bytes[buffers], teams = useful_teams(betweenness);
    const uint64_t one = buffer_sizes(betweenness, 1, bytes), each = buffer_sizes(betweenness, 2, bytes) - one;
    const uint64_t fit = (memory ? memory : info->memory / memory_part) / each;
    const uint64_t vertices = info->graph->vertices, arcs = betweenness->with_arcs ? info->graph->arcs : 0;
    const uint64_t in_buffer = largest / (8 * (vertices > arcs ? vertices : arcs) + 1);
    if (teams > fit) teams = fit;
    if (teams > in_buffer) teams = in_buffer;
    if (teams < 1) teams = 1;
    const uint64_t rounds = (sources + teams - 1) / teams;
    return rounds > 0 ? (uint32_t)((sources + rounds - 1) / rounds) : 1;
}
