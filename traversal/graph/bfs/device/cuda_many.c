/* SPDX-License-Identifier: MIT */
/* Many searches by the kernels tuned for CUDA: a launch runs a batch of them, a mesh's side by side, each by a cluster
 * of its own, and any other graph's one after the other. A batch's results lie on the device one after the other; they
 * are brought from there and shown in turn. */
#include "cuda.h"

enum { most_batch = 64, any_batch = 8, rounds = 4 /* of a mesh's clusters: so that a long search holds up few */ };

/* Buffers of which a batch has its own. */
static const uint32_t own_buffers[] = {bfs_cuda_depth,     bfs_cuda_parent,   bfs_cuda_level_size,
                                       bfs_cuda_level_how, bfs_cuda_source,   bfs_cuda_told,
                                       bfs_cuda_list,      bfs_cuda_list_end, bfs_cuda_bitmap};

enum { own_count = sizeof own_buffers / sizeof *own_buffers };

/* How many searches' arrays fit into half of what the device has left. */
static uint64_t room_for(struct gws_bfs_device *search)
{
    const struct gws__bfs_cuda *own = search->own;
    uint64_t left = 0, vertices = search->graph->vertices, held = gws_device_memory_held(search->device);
    uint64_t budget = search->memory > held ? search->memory - held : 0;
    uint64_t bytes = vertices * 13 + (own->mesh ? own->rows * 8 : 0) + 64;
    if (gws_device_memory_left(search->device, &left, NULL) != GWS_OK) return 0;
    return (left < budget ? left : budget) / 2 / bytes;
}

static uint32_t at_most(uint64_t wanted, uint64_t most)
{
    return (uint32_t)(wanted < most ? wanted : most);
}

uint32_t gws__bfs_cuda_batch(struct gws_bfs_device *search, uint64_t count)
{
    const struct gws__bfs_cuda *own = search->own;
    uint64_t most = own->mesh ? (uint64_t)gws__bfs_cuda_mesh_clusters(search) * rounds : any_batch, room;
    if (count <= 1 || most <= 1) return 1;
    room = room_for(search);
    if (most > room) most = room;
    return at_most(count, most < most_batch ? most : most_batch);
}

static gws_status open_batch(struct gws_bfs_device *search, uint32_t batch, struct gws_where *where)
{
    struct gws__bfs_cuda *own = search->own;
    for (size_t i = 0; i < own_count; i++) own->buffer[own_buffers[i]] = NULL;
    own->told_of = gws_allocate(search->runtime, batch, sizeof *own->told_of);
    if (!own->told_of) return gws__bfs_device_no_memory(where);
    gws_status status = gws__bfs_cuda_results(search, batch, where);
    return status == GWS_OK && own->mesh ? gws__bfs_cuda_mesh_state(search, own->clusters, where) : status;
}

static void close_batch(struct gws_bfs_device *search, uint32_t batch)
{
    struct gws__bfs_cuda *own = search->own;
    for (size_t i = 0; i < own_count; i++) gws_device_buffer_free(own->buffer[own_buffers[i]]);
    gws_release(search->runtime, own->told_of, batch, sizeof *own->told_of);
}

/* Brings result number index of the batch and shows it. */
static gws_status show(struct gws_bfs_device *search, uint32_t index, uint64_t number, gws_bfs_visit *visit,
                       void *context, struct gws_where *where)
{
    struct gws__bfs_cuda *own = search->own;
    double began = gws_clock_ms();
    gws_status status = gws__bfs_prepare(search->runtime, search->graph, search->result);
    if (status != GWS_OK) return gws__bfs_device_no_memory(where);
    search->result->source = own->source[index];
    search->result->ms = own->ms / own->searches;
    status = gws__bfs_cuda_fetch_result(search, index, where);
    search->copy_ms += gws_clock_ms() - began;
    return status == GWS_OK ? visit(context, number, search->result) : status;
}

static gws_status run_batch(struct gws_bfs_device *search, uint64_t number, gws_bfs_visit *visit, void *context,
                            struct gws_where *where)
{
    struct gws__bfs_cuda *own = search->own;
    gws_status status = gws__bfs_cuda_run(search, where);
    search->copy_ms = 0;
    if (status == GWS_OK) status = gws__bfs_cuda_fetch_stats(search, where);
    if (status == GWS_OK) gws__bfs_device_add_stats(search);
    for (uint32_t i = 0; i < own->searches && status == GWS_OK; i++)
        status = show(search, i, number + i, visit, context, where);
    return status;
}

static gws_status run_all(struct gws_bfs_device *search, uint32_t batch, const uint32_t *source, uint64_t count,
                          gws_bfs_visit *visit, void *context, struct gws_where *where)
{
    struct gws__bfs_cuda *own = search->own;
    gws_status status = open_batch(search, batch, where);
    for (uint64_t at = 0; at < count && status == GWS_OK; at += own->searches) {
        own->source = source + at;
        own->searches = at_most(batch, count - at);
        if (own->clusters > own->searches) own->clusters = own->searches;
        if (search->poisons) status = gws__bfs_cuda_poison(search, where);
        if (status == GWS_OK) status = run_batch(search, at, visit, context, where);
    }
    close_batch(search, batch);
    return status;
}

gws_status gws__bfs_cuda_many(struct gws_bfs_device *search, const uint32_t *source, uint64_t count,
                              gws_bfs_visit *visit, void *context, struct gws_where *where)
{
    struct gws__bfs_cuda *alone = search->own, many = *alone;
    uint32_t batch = gws__bfs_cuda_batch(search, count);
    many.clusters = many.mesh ? at_most(gws__bfs_cuda_mesh_clusters(search), batch) : 1;
    search->own = &many;
    gws_status status = run_all(search, batch, source, count, visit, context, where);
    alone->told = many.told;
    search->own = alone;
    return status;
}
