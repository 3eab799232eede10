/* SPDX-License-Identifier: MIT */
/* Searches on a device from many sources. By a kernel for whole searches a launch runs a batch of them: a mesh's side
 * by side, each by a cluster of its own, and any other graph's one after the other. A batch's results lie on the device
 * one behind the other; they are brought from there and shown in turn. */
#include "state.h"

enum { most_batch = 64 };

static gws_status one_by_one(struct gws_bfs_device *search, const uint32_t *source, uint64_t count,
                             gws_bfs_visit *visit, void *context, struct gws_where *where)
{
    struct gws_bfs_result result = {0};
    gws_status status = GWS_OK;
    for (uint64_t i = 0; i < count && status == GWS_OK; i++) {
        gws_bfs_result_poison(search->poisons ? &result : NULL);
        if (search->poisons) status = gws_bfs_device_poison(search, where);
        if (status == GWS_OK) status = gws_bfs_device_run(search, source[i], &result, where);
        if (status == GWS_OK) status = gws_bfs_device_fetch(search, GWS_BFS_DEPTH | GWS_BFS_PARENT, &result, where);
        if (status == GWS_OK) status = visit(context, i, &result);
    }
    gws_bfs_result_clear(&result);
    search->result = NULL;
    return status;
}

/* ---- batches ---- */

/* How many searches share a launch: their arrays take half of what the device has left, at most. */
static uint32_t batch_of(struct gws_bfs_device *search, uint64_t count)
{
    uint64_t left = 0, more, held = gws_device_memory_held(search->device);
    uint64_t most = search->kernel->batch(search, &more);
    uint64_t bytes = search->graph->vertices * (8 + search->kernel->level_bytes) + more + 64;
    uint64_t budget = search->memory > held ? search->memory - held : 0;
    if (gws_device_memory_left(search->device, &left, NULL) != GWS_OK) return 1;
    if (left > budget) left = budget;
    if (most > most_batch) most = most_batch;
    if (most > count) most = count;
    return (uint32_t)(most < left / 2 / bytes ? most : left / 2 / bytes);
}

/* Brings result number index of the batch and shows it. */
static gws_status show(struct gws_bfs_device *search, uint32_t index, uint64_t number, gws_bfs_visit *visit,
                       void *context, struct gws_where *where)
{
    gws_status status = gws__bfs_prepare(search->runtime, search->graph, search->result);
    if (status != GWS_OK) return gws__bfs_device_no_memory(where);
    search->result->source = search->results.from[index];
    search->result->ms = search->results.ms / search->results.searches;
    status = gws__bfs_persistent_hear(search, index, where);
    if (status == GWS_OK) status = gws__bfs_persistent_fetch_result(search, index, where);
    return status == GWS_OK ? visit(context, number, search->result) : status;
}

static gws_status run_batch(struct gws_bfs_device *search, uint64_t number, gws_bfs_visit *visit, void *context,
                            struct gws_where *where)
{
    gws_status status = search->poisons ? gws__bfs_persistent_poison(search, where) : GWS_OK;
    if (status == GWS_OK) status = gws__bfs_persistent_launch(search, where);
    if (status == GWS_OK) status = gws__bfs_persistent_fetch_stats(search, where);
    if (status == GWS_OK) gws__bfs_device_add_stats(search);
    for (uint32_t i = 0; i < search->results.searches && status == GWS_OK; i++)
        status = show(search, i, number + i, visit, context, where);
    return status;
}

static gws_status run_batches(struct gws_bfs_device *search, uint32_t batch, const uint32_t *source, uint64_t count,
                              gws_bfs_visit *visit, void *context, struct gws_where *where)
{
    gws_status status = gws__bfs_results_new(search, batch, where);
    if (status == GWS_OK && search->kernel->batch_open) status = search->kernel->batch_open(search, batch, where);
    for (uint64_t at = 0; at < count && status == GWS_OK; at += search->results.searches) {
        search->results.from = source + at;
        search->results.searches = count - at < batch ? (uint32_t)(count - at) : batch;
        status = run_batch(search, at, visit, context, where);
    }
    if (search->kernel->batch_close) search->kernel->batch_close(search);
    return status;
}

/* The arrays of a single search make room for those of a batch, and come back. */
static gws_status in_batches(struct gws_bfs_device *search, uint32_t batch, const uint32_t *source, uint64_t count,
                             gws_bfs_visit *visit, void *context, struct gws_where *where)
{
    struct gws_bfs_result result = {0};
    struct gws__bfs_results results = search->results;
    struct gws_device_buffer **depth = &search->array[gws__bfs_depth], **parent = &search->array[gws__bfs_parent];
    struct gws_device_buffer *kept[] = {*depth, *parent};
    *depth = *parent = NULL;
    search->results = (struct gws__bfs_results){.searches = 0};
    search->result = &result;
    gws_status status = run_batches(search, batch, source, count, visit, context, where);
    gws_device_buffer_free(*depth);
    gws_device_buffer_free(*parent);
    gws__bfs_results_free(search);
    *depth = kept[0];
    *parent = kept[1];
    search->results = results;
    gws_bfs_result_clear(&result);
    search->result = NULL;
    return status;
}

/* Whether a mesh is to be searched as one is settled before: by the searches of the call before. */
static gws_status reconsider(struct gws_bfs_device *search, struct gws_where *where)
{
    bool changed;
    if (search->way == &gws__bfs_device_mesh_at_host) return gws__bfs_mesh_host_reconsider(search, where);
    return search->way == &gws__bfs_device_whole ? gws__bfs_persistent_reconsider(search, &changed, where) : GWS_OK;
}

/* Ways by a kernel that runs several searches in a launch. */
bool gws_bfs_device_has_batches(const struct gws_bfs_device *search)
{
    return search->way == &gws__bfs_device_whole ||
           (search->way == &gws__bfs_device_mesh_at_host && !search->options.cpu);
}

gws_status gws_bfs_device_run_many(struct gws_bfs_device *search, const uint32_t *source, uint64_t count,
                                   gws_bfs_visit *visit, void *context, struct gws_where *where)
{
    for (uint64_t i = 0; i < count; i++)
        if (source[i] >= search->graph->vertices) return gws__bfs_device_status(GWS_OUT_OF_RANGE, where);
    gws_status status = reconsider(search, where);
    if (status != GWS_OK) return status;
    uint32_t batch = gws_bfs_device_has_batches(search) && count > 1 ? batch_of(search, count) : 1;
    return batch > 1 ? in_batches(search, batch, source, count, visit, context, where)
                     : one_by_one(search, source, count, visit, context, where);
}
