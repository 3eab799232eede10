/* SPDX-License-Identifier: MIT */
/* The strategy for host-resident meshes. The mesh kernel (mesh.c) prefetches 16-byte rows over the bus in pages
 * (mesh_cache.c), or reads one row for each vertex that it claims. Levels of a host-resident search (host_resident.h)
 * would transfer bitmaps of the whole graph for some thousand vertices per level.
 *
 * With CPU workers, each search runs as a whole on the device or on the threads. The depth of a search and the load of
 * the machine are unknown beforehand, so an autotuner chooses the side by the recent cost per vertex on both sides. A
 * handoff of levels does not pay. On NE, a road map and a grid it took 7.6 to 31 % longer than the device alone
 * (datasets/bench/results/host-resident.md). */
#include "../../../engine/mesh_rows.h"
#include "mesh.h"

static struct gws__bfs_mesh *mesh_of(const struct gws_bfs_device *search)
{
    return search->own;
}

/* ---- opening and closing ---- */

static gws_status open_mesh(struct gws_bfs_device *search, struct gws_diagnostic *where)
{
    struct gws_bfs_device_options *chosen = &search->options;
    gws_status status = gws__bfs_persistent_open(search, where);
    if (status != GWS_OK) return status;
    chosen->strategy = GWS_BFS_HOST_RESIDENT;
    chosen->launch = GWS_BFS_PERSISTENT;
    chosen->group_size = mesh_of(search)->kernel->group_size;
    return GWS_OK;
}

bool gws__bfs_mesh_host_cached(const struct gws_bfs_device *search, struct gws_bfs_device_cached *cached)
{
    if (!search->own || search->strategy != &gws__bfs_device_mesh_at_host) return false;
    const struct gws__bfs_mesh *mesh = mesh_of(search);
    *cached = (struct gws_bfs_device_cached){.rows = mesh->device_rows, .all_arcs = search->graph->arcs};
    if (cached->rows > search->graph->vertices) cached->rows = search->graph->vertices;
    cached->arcs = gws__mesh_rows_arcs(search->graph, mesh->device_rows, &cached->whole_rows);
    cached->bytes = mesh->device_rows * sizeof(gws__mesh_row);
    cached->row_words = MESH_ROW_WORDS;
    cached->cpu_searches = search->cpu_searches;
    gws__mesh_cache_read_counts(search, cached);
    return true;
}

/* ---- searching ---- */

static gws_status run_by_threads(struct gws_bfs_device *search, struct gws_diagnostic *where)
{
    struct gws_bfs_options options = {.direction = search->options.direction};
    struct gws_bfs_result *result = search->result;
    return gws_diagnostic_status(where, gws_bfs(search->runtime, search->graph, result->source, &options, result));
}

static gws_status run_mesh(struct gws_bfs_device *search, struct gws_diagnostic *where)
{
    gws_status status = gws__bfs_persistent_reconsider(search, where);
    if (status != GWS_OK) return status;
    if (search->strategy != &gws__bfs_device_mesh_at_host) return search->strategy->run(search, where);
    struct gws__bfs_mesh *mesh = mesh_of(search);
    mesh->by_threads = search->options.cpu && gws__bfs_choose(&mesh->side, search->graph, 0) == 1;
    status = mesh->by_threads ? run_by_threads(search, where) : gws__bfs_persistent_run(search, where);
    if (status != GWS_OK) return status;
    uint64_t reached = mesh->by_threads ? search->result->reached : search->summary.reached;
    gws__bfs_add_time(&mesh->side, search->graph, mesh->by_threads, search->result->ms, reached);
    return GWS_OK;
}

/* Fetches the result, unless threads ran the search and its result is already in place. The statistics exclude
 * searches on threads, like the small levels of a host-resident search. */
static gws_status fetch_mesh(struct gws_bfs_device *search, struct gws_diagnostic *where)
{
    if (!mesh_of(search)->by_threads) return gws__bfs_persistent_fetch(search, where);
    memset(search->ran, 0, (size_t)search->workers * STATS_STRIDE * sizeof *search->ran);
    search->cpu_searches++;
    return GWS_OK;
}

const struct gws__bfs_strategy gws__bfs_device_mesh_at_host = {
    .form = GWS_BFS_FORM_HOST_MESH,
    .open = open_mesh,
    .close = gws__bfs_persistent_close,
    .run = run_mesh,
    .fetch = fetch_mesh,
};
