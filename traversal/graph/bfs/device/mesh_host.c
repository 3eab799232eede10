/* SPDX-License-Identifier: MIT */
/* The way of a mesh whose arcs lie with the host: by the kernel for meshes (bfs_cuda_mesh.c), which has rows of 16
 * bytes brought over the bus in pages ahead of it (bfs_cuda_pages.h), or reads one for each vertex that it claims.
 * Levels of the bridge (bfs_bridge.h) would pass bitmaps of the whole graph over the bus, for some thousand vertices
 * each.
 *
 * With the CPU's side the search is handed over as that of a graph in both memories is (bfs_cuda_hand.c), and of whole
 * searches those are the threads' that they run in less time (bfs_cuda_turns.h). */
#include <string.h>

#include "../../../engine/mesh_rows.h"
#include "cuda_handoff.h"
#include "cuda_turns.h"
#include "mesh_row_cache.h"

struct at_host {
    struct gws__bfs_cuda_handed
        handed; /* first: its functions find it here; without the CPU's side only .cuda is used */
    struct gws__bfs_turns turns;
    bool by_threads; /* the last search */
};

static struct gws__bfs_cuda *cuda_of(const struct gws_bfs_device *search)
{
    return &((struct at_host *)search->own)->handed.cuda;
}

/* ---- opening and closing ---- */

static gws_status open_mesh(struct gws_bfs_device *search, struct gws_where *where)
{
    struct gws_bfs_device_options *chosen = &search->options;
    struct at_host *own = gws_allocate(search->runtime, 1, sizeof *own);
    if (!own) return gws__bfs_device_no_memory(where);
    memset(own, 0, sizeof *own);
    search->own = own;
    struct gws__bfs_cuda *cuda = cuda_of(search);
    cuda->at_host = true;
    if (!gws__bfs_cuda_mesh_keep(search, &cuda->kept, &cuda->places)) return gws__bfs_device_no_memory(where);
    gws_status status = chosen->cpu ? gws__bfs_cuda_hand_open(search, where) : gws__bfs_cuda_open(search, where);
    if (status != GWS_OK) return status;
    chosen->form = chosen->cpu ? GWS_BFS_FORM_HANDED : GWS_BFS_FORM_KEPT;
    chosen->group_size = cuda->group_size;
    return GWS_OK;
}

static void close_mesh(struct gws_bfs_device *search)
{
    if (!search->own) return;
    gws__bfs_cuda_hand_free(search); /* what there is of it */
    gws_release(search->runtime, search->own, 1, sizeof(struct at_host));
    search->own = NULL;
}

/* If that fails, the search has nothing left to run with, and says so from then on. */
gws_status gws__bfs_cuda_host_reconsider(struct gws_bfs_device *search, struct gws_where *where)
{
    if (!search->own)
        return gws_where_set(where, GWS_DEVICE, NULL, 0, 0, "the graph could not be put where the device reads it");
    if (!gws__bfs_cuda_is_wide(search)) return GWS_OK;
    close_mesh(search);
    search->options.form = GWS_BFS_FORM_AUTO;
    gws_status status = gws__bfs_device_from_host.open(search, where);
    if (status == GWS_OK) {
        search->way = &gws__bfs_device_from_host;
    } else {
        gws__bfs_device_from_host.close(search);
        search->own = NULL;
    }
    return status;
}

static bool goes_this_way(const struct gws_bfs_device *search)
{
    return search->way == &gws__bfs_device_mesh_at_host || search->way == &gws__bfs_device_mesh_handed;
}

bool gws__bfs_cuda_host_kept(const struct gws_bfs_device *search, struct gws_bfs_device_kept *kept)
{
    if (!search->own || !goes_this_way(search)) return false;
    const struct gws__bfs_cuda *cuda = cuda_of(search);
    *kept = (struct gws_bfs_device_kept){.rows = cuda->kept, .all_arcs = search->graph->arcs};
    if (kept->rows > search->graph->vertices) kept->rows = search->graph->vertices;
    kept->arcs = gws__mesh_rows_arcs(search->graph, cuda->kept, &kept->whole_rows);
    kept->bytes = cuda->kept * sizeof(gws__mesh_row);
    kept->row_words = gws__mesh_row_words;
    gws__bfs_cuda_pages_count(search, kept);
    return true;
}

/* ---- searching ---- */

static gws_status run_by_threads(struct gws_bfs_device *search, struct gws_where *where)
{
    struct gws_bfs_options options = {.direction = search->options.direction};
    struct gws_bfs_result *result = search->result;
    gws_status status = gws_bfs(search->runtime, search->graph, result->source, &options, result);
    return status == GWS_OK ? GWS_OK : gws_where_set(where, status, NULL, 0, 0, "%s", gws_status_text(status));
}

static gws_status run_alone(struct gws_bfs_device *search, struct gws_where *where)
{
    gws_status status = gws__bfs_cuda_host_reconsider(search, where);
    if (status != GWS_OK) return status;
    return goes_this_way(search) ? gws__bfs_cuda_run(search, where) : search->way->run(search, where);
}

static gws_status run_both(struct gws_bfs_device *search, struct gws_where *where)
{
    gws_status status = gws__bfs_cuda_host_reconsider(search, where);
    if (status != GWS_OK) return status;
    if (!goes_this_way(search)) return search->way->run(search, where);
    struct at_host *own = search->own;
    own->by_threads = gws__bfs_turns_threads(&own->turns);
    status = own->by_threads ? run_by_threads(search, where) : gws__bfs_cuda_hand_run(search, where);
    if (status != GWS_OK) return status;
    uint64_t reached = own->by_threads ? search->result->reached : own->handed.cuda.told.reached;
    gws__bfs_turns_learn(&own->turns, own->by_threads, search->result->ms, reached);
    return GWS_OK;
}

/* The threads' result is where it belongs; what they did is not counted, as small levels of the bridge are not. */
static gws_status fetch_both(struct gws_bfs_device *search, struct gws_where *where)
{
    struct at_host *own = search->own;
    if (!own->by_threads) return gws__bfs_cuda_hand_fetch(search, where);
    memset(search->ran, 0, (size_t)search->workers * bfs_stats_words * sizeof *search->ran);
    own->handed.sum.host_searches++;
    return GWS_OK;
}

const struct gws__bfs_way gws__bfs_device_mesh_at_host = {
    .form = "graph with the host, one kernel for meshes",
    .open = open_mesh,
    .close = close_mesh,
    .run = run_alone,
    .fetch = gws__bfs_cuda_fetch,
    .poison = gws__bfs_cuda_poison,
};

const struct gws__bfs_way gws__bfs_device_mesh_handed = {
    .form = "graph with the host, a mesh handed from one to the other",
    .open = open_mesh,
    .close = close_mesh,
    .run = run_both,
    .fetch = fetch_both,
    .poison = gws__bfs_cuda_poison,
};
