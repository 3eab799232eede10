/* SPDX-License-Identifier: MIT */
/* Queries on CUDA. kernels/cuda/octree_query.cu answers with one thread per query. Queries for boxes and balls run
 * twice, to count and to list. The host computes the offsets, because the answers include them. */
#include "octree_query_device.h"

#include <math.h>

enum { group = 128 };

_Static_assert(sizeof(struct gws__octree_ray) == 13 * sizeof(double) + 8, "as the kernels have it");

/* One batch and its buffers on the device. */
struct device_query_batch {
    struct gws_octree_on_device *tree;
    const struct gws__octree_kind *kind;
    struct gws_diagnostic *where;
    struct gws_device_buffer *query, *offset, *point, *distance;
    uint64_t count;
    bool owner; /* this thread owns the runtime until end_batch() */
    struct gws_octree_hits made;
};

static gws_status begin_batch(struct device_query_batch *batch, const void *query, uint64_t each)
{
    struct gws_octree_on_device *tree = batch->tree;
    gws_status status = gws_diagnostic_status(batch->where, gws_call_begin(tree->runtime));
    batch->owner = status == GWS_OK;
    if (status == GWS_OK) status = gws__octree_check_queries(batch->kind, query, batch->count, each, batch->where);
    if (status != GWS_OK) return status;
    tree->ms = 0;
    batch->made = (struct gws_octree_hits){.queries = batch->count};
    return gws__octree_hits_offsets(tree->runtime, &batch->made);
}

static gws_status upload_queries(struct device_query_batch *batch, const void *query, uint64_t bytes)
{
    return gws__octree_upload(batch->tree->device, &batch->query, query, batch->count * bytes, batch->where);
}

/* Allocates the answers on host and device. */
static gws_status allocate_hits(struct device_query_batch *batch, uint64_t hits)
{
    struct gws_octree_on_device *tree = batch->tree;
    bool distances = batch->kind->distances;
    gws_status status = gws__octree_hits_allocate(tree->runtime, &batch->made, hits, distances);
    if (status == GWS_OK) status = gws_device_buffer_new(tree->device, hits * 8, &batch->point, batch->where);
    if (status == GWS_OK && distances)
        status = gws_device_buffer_new(tree->device, hits * 8, &batch->distance, batch->where);
    return status;
}

static gws_status fetch_hits(struct device_query_batch *batch, uint64_t hits)
{
    gws_status status = gws_device_read(batch->point, 0, batch->made.point, hits * 8, batch->where);
    if (status == GWS_OK && batch->distance)
        status = gws_device_read(batch->distance, 0, batch->made.distance, hits * 8, batch->where);
    return status;
}

static gws_status end_batch(struct device_query_batch *batch, gws_status status, struct gws_octree_hits *hits)
{
    gws_device_buffer_free(batch->query);
    gws_device_buffer_free(batch->offset);
    gws_device_buffer_free(batch->point);
    gws_device_buffer_free(batch->distance);
    status = gws__octree_hits_end(status, &batch->made, hits);
    return batch->owner ? gws_call_end(batch->tree->runtime, status) : status;
}

/* Runs a kernel over the queries. The kernel's arguments are the tree, the queries, their count, and `more`. */
static gws_status launch_queries(struct device_query_batch *batch, const char *kernel,
                                 const struct gws_device_argument *more, uint32_t count)
{
    struct gws_octree_on_device *tree = batch->tree;
    struct gws_device_argument argument[16] = {{.value = &tree->params, .bytes = sizeof tree->params}};
    uint32_t arguments = 1;
    for (int i = 0; i < query_buffers; i++) argument[arguments++].buffer = tree->buffer[i];
    argument[arguments++].buffer = batch->query;
    argument[arguments++] = (struct gws_device_argument){.value = &batch->count, .bytes = 8};
    for (uint32_t i = 0; i < count; i++) argument[arguments++] = more[i];
    struct gws_device_launch launch = {.program = tree->program,
                                       .kernel = kernel,
                                       .groups = batch->count / group + 1,
                                       .group_size = group,
                                       .argument = argument,
                                       .arguments = arguments};
    double began = gws_clock_ms();
    gws_status status = gws_device_run(tree->device, &launch, batch->where);
    if (status == GWS_OK) status = gws_device_wait(tree->device, batch->where);
    tree->ms += gws_clock_ms() - began;
    return status;
}

/* ---- boxes and balls ---- */

/* Converts counts to offsets, on host and device. */
static gws_status sum_offsets(struct device_query_batch *batch, uint64_t *hits)
{
    uint64_t *offset = batch->made.offset;
    gws_status status = gws_device_read(batch->offset, 0, offset, batch->count * 8, batch->where);
    if (status == GWS_OK) *hits = gws__octree_sum_offsets(offset, batch->count);
    return status == GWS_OK ? gws_device_write(batch->offset, 0, offset, batch->count * 8, batch->where) : status;
}

static gws_status count_or_list(struct device_query_batch *batch, const char *kernel, uint32_t list)
{
    struct gws_device_argument more[4] = {{.buffer = batch->offset}, {.buffer = batch->point}};
    uint32_t count = 2;
    /* The counting pass does not write the lists, so any buffer serves as the argument. */
    if (!list) more[1].buffer = batch->offset;
    if (batch->kind->distances) more[count++].buffer = list ? batch->distance : batch->offset;
    more[count++] = (struct gws_device_argument){.value = &list, .bytes = sizeof list};
    return launch_queries(batch, kernel, more, count);
}

static gws_status count_and_list(struct gws_octree_on_device *on_device, const struct gws__octree_kind *kind,
                                 const char *kernel, const void *query, uint64_t count, struct gws_octree_hits *hits,
                                 struct gws_diagnostic *where)
{
    struct device_query_batch batch = {.tree = on_device, .kind = kind, .where = where, .count = count};
    uint64_t found = 0;
    gws_status status = begin_batch(&batch, query, 0);
    if (status == GWS_OK) status = upload_queries(&batch, query, kind->numbers * sizeof(double));
    if (status == GWS_OK) status = gws_device_buffer_new(on_device->device, count * 8, &batch.offset, where);
    if (status == GWS_OK && on_device->tree->points == 0)
        status = gws_device_fill(batch.offset, 0, 0, count * 2, where);
    else if (status == GWS_OK)
        status = count_or_list(&batch, kernel, 0);
    if (status == GWS_OK) status = sum_offsets(&batch, &found);
    if (status == GWS_OK) status = allocate_hits(&batch, found);
    if (status == GWS_OK && found > 0) status = count_or_list(&batch, kernel, 1);
    if (status == GWS_OK) status = fetch_hits(&batch, found);
    return end_batch(&batch, status, hits);
}

gws_status gws_octree_on_device_in_boxes(struct gws_octree_on_device *on_device, const struct gws_octree_box *box,
                                         uint64_t count, struct gws_octree_hits *hits, struct gws_diagnostic *where)
{
    return count_and_list(on_device, &gws__octree_boxes, "octree_query_boxes", box, count, hits, where);
}

gws_status gws_octree_on_device_in_balls(struct gws_octree_on_device *on_device, const struct gws_octree_ball *ball,
                                         uint64_t count, struct gws_octree_hits *hits, struct gws_diagnostic *where)
{
    return count_and_list(on_device, &gws__octree_balls, "octree_query_balls", ball, count, hits, where);
}

/* ---- the nearest, and rays ---- */

gws_status gws_octree_on_device_nearest(struct gws_octree_on_device *on_device, const double *position, uint64_t count,
                                        uint64_t k, struct gws_octree_hits *hits, struct gws_diagnostic *where)
{
    struct device_query_batch batch = {.tree = on_device, .kind = &gws__octree_nearest, .where = where, .count = count};
    uint64_t each = k < on_device->tree->points ? k : on_device->tree->points;
    gws_status status = begin_batch(&batch, position, each);
    if (status == GWS_OK) status = upload_queries(&batch, position, 3 * sizeof *position);
    if (status == GWS_OK) status = allocate_hits(&batch, count * each);
    for (uint64_t q = 0; status == GWS_OK && q <= count; q++) batch.made.offset[q] = q * each;
    struct gws_device_argument more[] = {
        {.value = &each, .bytes = sizeof each}, {.buffer = batch.point}, {.buffer = batch.distance}};
    if (status == GWS_OK && count * each > 0) status = launch_queries(&batch, "octree_query_nearest", more, 3);
    if (status == GWS_OK) status = fetch_hits(&batch, count * each);
    return end_batch(&batch, status, hits);
}

/* Removes rays without a hit. Moves the answers of the other rays up. */
static void compact_rays(struct device_query_batch *batch, const struct gws__octree_ray *ray, bool any)
{
    struct gws_octree_hits *made = &batch->made;
    uint64_t hits = 0;
    for (uint64_t q = 0; q < batch->count; q++) {
        made->offset[q] = hits;
        if (!any || isinf(made->distance[q])) continue;
        made->distance[hits] = gws__octree_ray_length(&batch->tree->batch, &ray[q], made->distance[q]);
        made->point[hits++] = made->point[q];
    }
    made->offset[batch->count] = hits;
}

static gws_status first_on_rays(struct device_query_batch *batch, const struct gws__octree_ray *ray)
{
    gws_status status = upload_queries(batch, ray, sizeof *ray);
    if (status == GWS_OK) status = allocate_hits(batch, batch->count);
    struct gws_device_argument more[] = {{.buffer = batch->point}, {.buffer = batch->distance}};
    bool any = batch->count > 0 && batch->tree->tree->points > 0;
    if (status == GWS_OK && any) status = launch_queries(batch, "octree_query_rays", more, 2);
    if (status == GWS_OK && any) status = fetch_hits(batch, batch->count);
    if (status == GWS_OK) compact_rays(batch, ray, any);
    return status;
}

gws_status gws_octree_on_device_first_on_rays(struct gws_octree_on_device *on_device, const struct gws_octree_ray *ray,
                                              uint64_t count, struct gws_octree_hits *hits,
                                              struct gws_diagnostic *where)
{
    struct device_query_batch batch = {.tree = on_device, .kind = &gws__octree_rays, .where = where, .count = count};
    gws_status status = begin_batch(&batch, ray, 0);
    struct gws__octree_ray *made = status == GWS_OK ? gws_allocate(on_device->runtime, count, sizeof *made) : NULL;
    if (status == GWS_OK && !made) status = gws_diagnostic_status(where, GWS_NO_MEMORY);
    for (uint64_t q = 0; made && q < count; q++) gws__octree_ray_make(&on_device->batch, &ray[q], &made[q]);
    if (status == GWS_OK) status = first_on_rays(&batch, made);
    gws_release(on_device->runtime, made, count, sizeof *made);
    return end_batch(&batch, status, hits);
}
