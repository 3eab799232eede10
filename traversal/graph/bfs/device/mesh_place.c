/* SPDX-License-Identifier: MIT */
/* Which searches go by the kernel for meshes (mesh.c), and where the rows of the mesh lie. */
#include "../../../engine/device_graph.h"
#include "../../../engine/mesh_rows.h"
#include "mesh.h"
#include "mesh_row_cache.h"

/* ---- which searches ---- */

/* About what other graphs take, too. */
static bool graph_fits(const struct gws_bfs_device *search)
{
    const struct gws_graph *graph = search->graph, *in = search->in;
    uint64_t bytes = graph->vertices * 32 + graph->arcs * 5 + (1 << 20);
    if (in && in != graph) bytes += in->vertices * 8 + in->arcs * 4;
    return bytes <= gws_device_describe(search->device)->memory;
}

/* What asks for other kernels. */
static bool is_plain(const struct gws_bfs_device *search)
{
    const struct gws_bfs_device_options *options = &search->options;
    bool plain = options->groups == 0 && options->group_size == 0 && options->chunk == 0 && options->threshold == 0 &&
                 options->order == GWS_BFS_WEAKEST;
    return plain && gws_device_describe(search->device)->api == GWS_DEVICE_CUDA &&
           options->direction != GWS_BFS_BOTTOM_UP && gws_runtime_chunk(search->runtime) == 0 &&
           search->graph->vertices > 0;
}

static bool is_mesh(struct gws_bfs_device *search)
{
    bool left_out = search->there->without & GWS_INDEX_SET(GWS_INDEX_MESH);
    if (left_out || !gws__mesh_rows_count(search->graph, &search->mesh_rows)) search->mesh_rows = 0;
    return search->mesh_rows > 0;
}

bool gws__bfs_mesh_supports(struct gws_bfs_device *search)
{
    bool policy = search->container == gws__bfs_chunked || search->container == gws__bfs_static;
    return policy && is_plain(search) && !search->limited && graph_fits(search) && is_mesh(search);
}

/* ---- rows ---- */

/* Bytes on the device without the rows, about: results, the list, the bitmap. */
static uint64_t least_bytes(const struct gws_bfs_device *search, uint64_t rows)
{
    uint64_t vertices = search->graph->vertices;
    return vertices * 12 + rows * 8 + (vertices + 31) / 32 * 4 + (1 << 16);
}

/* Rows that there is room for on the device: all, or of the vertices' first ones as many as fit; none where the arcs
 * are to stay with the host. */
static uint64_t room_for(const struct gws_bfs_device *search, uint64_t rows, uint64_t bytes)
{
    uint64_t vertices = search->graph->vertices;
    uint64_t room = search->budgeted ? bytes / sizeof(gws__mesh_row) : 0;
    return room >= rows ? rows : room < vertices ? room : vertices;
}

bool gws__bfs_mesh_host_supports(struct gws_bfs_device *search)
{
    const struct gws_bfs_device_options *options = &search->options;
    bool steal = !options->cpu || options->steal == GWS_BFS_STEAL_ALL;
    uint32_t kept, places;
    return options->strategy == GWS_BFS_STRATEGY_AUTO && options->launch == GWS_BFS_LAUNCH_AUTO && steal &&
           search->container == gws__bfs_chunked && is_plain(search) && is_mesh(search) &&
           gws__bfs_mesh_keep(search, &kept, &places);
}

bool gws__bfs_mesh_keep(const struct gws_bfs_device *search, uint32_t *kept, uint32_t *places)
{
    uint64_t memory = search->memory, rows = search->mesh_rows, left = 0;
    if (gws_device_describe(search->device)->svm < GWS_SVM_FINE ||
        gws_device_memory_left(search->device, &left, NULL) != GWS_OK)
        return false;
    if (memory > left - left / 32) memory = left - left / 32; /* something of what is free stays for the driver */
    uint64_t least = least_bytes(search, rows);
    if (memory < least) return false;
    uint64_t bytes = memory - least, largest = gws_device_describe(search->device)->max_buffer;
    if (bytes > largest) bytes = largest;
    uint64_t most = search->budgeted ? search->graph->vertices : 0; /* there are less than 2^31 rows */
    *kept = (uint32_t)gws__mesh_cache_keep(rows, most, bytes, places);
    if (*places == 0) *kept = (uint32_t)room_for(search, rows, bytes);
    return true;
}

/* On the device they are the graph's index. With the host, those near go through memory of the host's, the far ones are
 * written where the device reads them. */
gws_status gws__bfs_mesh_open_rows(struct gws_bfs_device *search, struct gws_where *where)
{
    struct gws__bfs_mesh *own = search->own;
    struct gws__mesh_rows rows = {.kept = own->kept};
    void *far = NULL;
    gws_status status;
    if (!own->at_host) {
        status = gws_device_graph_prepare(search->there, GWS_INDEX_MESH, where);
        own->buffer[mesh_row] = gws_device_graph_buffer(search->there, GWS_ARRAY_MESH);
        return status;
    }
    status = gws_device_shared_new(search->device, (own->rows - rows.kept) * sizeof *rows.far,
                                   &own->buffer[mesh_host_row], &far, where);
    if (status != GWS_OK) return status;
    rows.far = far;
    rows.near = gws_allocate(search->runtime, rows.kept, sizeof *rows.near);
    if (!rows.near || gws__mesh_rows_write(search->runtime, search->graph, &rows) != GWS_OK)
        status = gws__bfs_device_no_memory(where);
    if (status == GWS_OK)
        status = gws__bfs_mesh_buffer(search, mesh_row, rows.kept * sizeof *rows.near, rows.near, where);
    gws_release(search->runtime, rows.near, rows.kept, sizeof *rows.near);
    return status;
}
