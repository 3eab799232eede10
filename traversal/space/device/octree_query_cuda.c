/* SPDX-License-Identifier: MIT */
/* Questions on CUDA: kernels/cuda/octree_query.cu, a thread each. Boxes and balls are asked twice, to count and to
 * list; offsets are summed up by the host, who keeps them anyway. */
#include <math.h>

#include "octree_query_cuda.h"

enum { group = 128 };

_Static_assert(sizeof(struct gws__octree_ray) == 13 * sizeof(double) + 8, "as the kernels have it");

/* One batch: what lies on the device for it. */
struct asking {
    struct gws_octree_on_device *there;
    struct gws_where *where;
    struct gws_device_buffer *question, *offset, *point, *distance;
    uint64_t count;
    struct gws_octree_hits made;
};

/* ---- a batch ---- */

static gws_status begin(struct asking *asking, const void *question, uint64_t bytes)
{
    struct gws_octree_on_device *there = asking->there;
    there->ms = 0;
    asking->made = (struct gws_octree_hits){.questions = asking->count};
    gws_status status = gws__octree_hits_offsets(there->runtime, &asking->made);
    if (status == GWS_OK)
        status = gws_device_buffer_new(there->device, asking->count * bytes, &asking->question, asking->where);
    return status == GWS_OK ? gws_device_write(asking->question, 0, question, asking->count * bytes, asking->where)
                            : status;
}

/* Room for so many answers on both sides. */
static gws_status make_room(struct asking *asking, uint64_t hits, bool distances)
{
    struct gws_octree_on_device *there = asking->there;
    gws_status status = gws__octree_hits_room(there->runtime, &asking->made, hits, distances);
    if (status == GWS_OK) status = gws_device_buffer_new(there->device, hits * 8, &asking->point, asking->where);
    if (status == GWS_OK && distances)
        status = gws_device_buffer_new(there->device, hits * 8, &asking->distance, asking->where);
    return status;
}

static gws_status fetch(struct asking *asking, uint64_t hits)
{
    gws_status status = gws_device_read(asking->point, 0, asking->made.point, hits * 8, asking->where);
    if (status == GWS_OK && asking->distance)
        status = gws_device_read(asking->distance, 0, asking->made.distance, hits * 8, asking->where);
    return status;
}

static gws_status end(struct asking *asking, gws_status status, struct gws_octree_hits *hits)
{
    gws_device_buffer_free(asking->question);
    gws_device_buffer_free(asking->offset);
    gws_device_buffer_free(asking->point);
    gws_device_buffer_free(asking->distance);
    if (status != GWS_OK) {
        gws_octree_hits_clear(&asking->made);
        return status;
    }
    gws_octree_hits_clear(hits);
    *hits = asking->made;
    return GWS_OK;
}

/* Runs a kernel over the questions: the tree, the questions, their count, and more. */
static gws_status launch(struct asking *asking, const char *kernel, const struct gws_device_argument *more,
                         uint32_t count)
{
    struct gws_octree_on_device *there = asking->there;
    struct gws_device_argument argument[16] = {{.value = &there->asked, .bytes = sizeof there->asked}};
    uint32_t arguments = 1;
    for (int i = 0; i < asked_buffers; i++) argument[arguments++].buffer = there->buffer[i];
    argument[arguments++].buffer = asking->question;
    argument[arguments++] = (struct gws_device_argument){.value = &asking->count, .bytes = 8};
    for (uint32_t i = 0; i < count; i++) argument[arguments++] = more[i];
    struct gws_device_launch launch = {.program = there->program,
                                       .kernel = kernel,
                                       .groups = asking->count / group + 1,
                                       .group_size = group,
                                       .argument = argument,
                                       .arguments = arguments};
    double began = gws_clock_ms();
    gws_status status = gws_device_run(there->device, &launch, asking->where);
    if (status == GWS_OK) status = gws_device_wait(there->device, asking->where);
    there->ms += gws_clock_ms() - began;
    return status;
}

/* ---- boxes and balls ---- */

/* Counts become offsets, on both sides. */
static gws_status sum_offsets(struct asking *asking, uint64_t *hits)
{
    uint64_t *offset = asking->made.offset, sum = 0;
    gws_status status = gws_device_read(asking->offset, 0, offset, asking->count * 8, asking->where);
    for (uint64_t q = 0; status == GWS_OK && q < asking->count; q++) {
        uint64_t found = offset[q];
        offset[q] = sum;
        sum += found;
    }
    offset[asking->count] = *hits = sum;
    return status == GWS_OK ? gws_device_write(asking->offset, 0, offset, asking->count * 8, asking->where) : status;
}

static gws_status run_twice(struct asking *asking, const char *kernel, bool distances, uint32_t list)
{
    struct gws_device_argument more[4] = {{.buffer = asking->offset}, {.buffer = asking->point}};
    uint32_t count = 2;
    /* While they are counted nothing is listed, and any buffer will do. */
    if (!list) more[1].buffer = asking->offset;
    if (distances) more[count++].buffer = list ? asking->distance : asking->offset;
    more[count++] = (struct gws_device_argument){.value = &list, .bytes = sizeof list};
    return launch(asking, kernel, more, count);
}

static gws_status ask_twice(struct asking *asking, const void *question, uint64_t bytes, const char *kernel,
                            bool distances, struct gws_octree_hits *hits)
{
    uint64_t found = 0;
    gws_status status = begin(asking, question, bytes);
    if (status == GWS_OK)
        status = gws_device_buffer_new(asking->there->device, asking->count * 8, &asking->offset, asking->where);
    if (status == GWS_OK && asking->there->tree->points == 0)
        status = gws_device_fill(asking->offset, 0, 0, asking->count * 2, asking->where);
    else if (status == GWS_OK)
        status = run_twice(asking, kernel, distances, 0);
    if (status == GWS_OK) status = sum_offsets(asking, &found);
    if (status == GWS_OK) status = make_room(asking, found, distances);
    if (status == GWS_OK && found > 0) status = run_twice(asking, kernel, distances, 1);
    if (status == GWS_OK) status = fetch(asking, found);
    return end(asking, status, hits);
}

gws_status gws_octree_on_device_in_boxes(struct gws_octree_on_device *there, const struct gws_octree_box *box,
                                         uint64_t count, struct gws_octree_hits *hits, struct gws_where *where)
{
    struct asking asking = {.there = there, .where = where, .count = count};
    gws_status status = gws__octree_check_boxes(box, count, where);
    return status == GWS_OK ? ask_twice(&asking, box, sizeof *box, "octree_ask_boxes", false, hits) : status;
}

gws_status gws_octree_on_device_in_balls(struct gws_octree_on_device *there, const struct gws_octree_ball *ball,
                                         uint64_t count, struct gws_octree_hits *hits, struct gws_where *where)
{
    struct asking asking = {.there = there, .where = where, .count = count};
    gws_status status = gws__octree_check_balls(ball, count, where);
    return status == GWS_OK ? ask_twice(&asking, ball, sizeof *ball, "octree_ask_balls", true, hits) : status;
}

/* ---- the nearest ---- */

gws_status gws_octree_on_device_nearest(struct gws_octree_on_device *there, const double *place, uint64_t count,
                                        uint64_t k, struct gws_octree_hits *hits, struct gws_where *where)
{
    struct asking asking = {.there = there, .where = where, .count = count};
    uint64_t each = k < there->tree->points ? k : there->tree->points;
    gws_status status = gws__octree_check_places(there->tree, place, count, k, where);
    if (status != GWS_OK) return status;
    status = begin(&asking, place, 3 * sizeof *place);
    if (status == GWS_OK) status = make_room(&asking, count * each, true);
    for (uint64_t q = 0; status == GWS_OK && q <= count; q++) asking.made.offset[q] = q * each;
    struct gws_device_argument more[] = {
        {.value = &each, .bytes = sizeof each}, {.buffer = asking.point}, {.buffer = asking.distance}};
    if (status == GWS_OK && count * each > 0) status = launch(&asking, "octree_ask_nearest", more, 3);
    if (status == GWS_OK) status = fetch(&asking, count * each);
    return end(&asking, status, hits);
}

/* ---- rays ---- */

/* Rays that hit nothing have no answer: those of the others move up. */
static void close_up(struct asking *asking, const struct gws__octree_ray *ray)
{
    struct gws_octree_hits *made = &asking->made;
    struct gws__octree_batch batch = gws__octree_batch_of(asking->there->tree);
    uint64_t hits = 0;
    for (uint64_t q = 0; q < asking->count; q++) {
        made->offset[q] = hits;
        if (isinf(made->distance[q])) continue;
        made->distance[hits] = gws__octree_ray_length(&batch, &ray[q], made->distance[q]);
        made->point[hits++] = made->point[q];
    }
    made->offset[asking->count] = hits;
}

static gws_status ask_rays(struct asking *asking, const struct gws__octree_ray *ray)
{
    gws_status status = begin(asking, ray, sizeof *ray);
    if (status == GWS_OK) status = make_room(asking, asking->count, true);
    struct gws_device_argument more[] = {{.buffer = asking->point}, {.buffer = asking->distance}};
    bool any = asking->count > 0 && asking->there->tree->points > 0;
    if (status == GWS_OK && any) status = launch(asking, "octree_ask_rays", more, 2);
    if (status == GWS_OK && any) status = fetch(asking, asking->count);
    for (uint64_t q = 0; status == GWS_OK && !any && q < asking->count; q++) asking->made.distance[q] = INFINITY;
    if (status == GWS_OK) close_up(asking, ray);
    return status;
}

gws_status gws_octree_on_device_first_on_rays(struct gws_octree_on_device *there, const struct gws_octree_ray *ray,
                                              uint64_t count, struct gws_octree_hits *hits, struct gws_where *where)
{
    struct asking asking = {.there = there, .where = where, .count = count};
    gws_status status = gws__octree_check_rays(ray, count, where);
    if (status != GWS_OK) return status;
    if (count > UINT64_C(1) << 48) return GWS_TOO_LARGE;
    struct gws__octree_batch batch = gws__octree_batch_of(there->tree);
    struct gws__octree_ray *made = gws_allocate(there->runtime, count, sizeof *made);
    if (!made) return gws_where_set(where, GWS_NO_MEMORY, NULL, 0, 0, "%s", gws_status_text(GWS_NO_MEMORY));
    for (uint64_t q = 0; q < count; q++) gws__octree_ray_make(&batch, &ray[q], &made[q]);
    status = end(&asking, ask_rays(&asking, made), hits);
    gws_release(there->runtime, made, count, sizeof *made);
    return status;
}
