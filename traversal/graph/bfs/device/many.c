/* SPDX-License-Identifier: MIT */
/* Searches on a device from many sources, in launches of several where the way has those. */
#include "cuda.h"

static gws_status one_by_one(struct gws_bfs_device *search, const uint32_t *source, uint64_t count,
                             gws_bfs_visit *visit, void *context, struct gws_where *where)
{
    struct gws_bfs_result result = {0};
    gws_status status = GWS_OK;
    for (uint64_t i = 0; i < count && status == GWS_OK; i++) {
        gws_bfs_result_poison(search->poisons ? &result : NULL);
        if (search->poisons) status = gws_bfs_device_poison(search, where);
        if (status == GWS_OK) status = gws_bfs_device_run(search, source[i], &result, where);
        if (status == GWS_OK) status = visit(context, i, &result);
    }
    gws_bfs_result_clear(&result);
    return status;
}

static bool is_tuned(const struct gws_bfs_device *search)
{
    return search->tuned || search->way == &gws__bfs_device_mesh_at_host;
}

bool gws_bfs_device_has_batches(const struct gws_bfs_device *search)
{
    return is_tuned(search);
}

/* Whether a mesh is to be searched as one is settled before: by the searches of the call before. */
static gws_status together(struct gws_bfs_device *search, const uint32_t *source, uint64_t count, gws_bfs_visit *visit,
                           void *context, struct gws_where *where)
{
    struct gws_bfs_result result = {0};
    bool changed;
    gws_status status = search->tuned ? gws__bfs_cuda_reconsider(search, &changed, where)
                                      : gws__bfs_cuda_host_reconsider(search, where);
    if (status != GWS_OK) return status;
    if (!is_tuned(search) || gws__bfs_cuda_batch(search, count) <= 1)
        return one_by_one(search, source, count, visit, context, where);
    search->result = &result;
    status = gws__bfs_cuda_many(search, source, count, visit, context, where);
    gws_bfs_result_clear(&result);
    return status;
}

gws_status gws_bfs_device_run_many(struct gws_bfs_device *search, const uint32_t *source, uint64_t count,
                                   gws_bfs_visit *visit, void *context, struct gws_where *where)
{
    for (uint64_t i = 0; i < count; i++)
        if (source[i] >= search->graph->vertices)
            return gws_where_set(where, GWS_OUT_OF_RANGE, NULL, 0, 0, "%s", gws_status_text(GWS_OUT_OF_RANGE));
    if (is_tuned(search)) return together(search, source, count, visit, context, where);
    return one_by_one(search, source, count, visit, context, where);
}
