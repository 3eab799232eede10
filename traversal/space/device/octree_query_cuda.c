/* SPDX-License-Identifier: MIT */
/* Questions on CUDA: a tree and its points come to the device, and kernels/cuda/octree_query.cu answers, a thread each.
 * Boxes and balls are asked twice, to count and to list; offsets are summed up by the host, who keeps them anyway. */
#include <math.h>
#include <string.h>

#include "../../../kernels/kernels.h"
#include "../../octree_on_device.h"
#include "../octree_ask.h"
#include "octree_device_state.h"

enum { group = 128 };

_Static_assert(sizeof(struct gws__octree_ray) == 13 * sizeof(double) + 8, "as the kernels have it");

/* What each kernel gets first, as kernels/cuda/octree_query.cu has it; then these buffers, in this order. */
struct gws__asked_tree {
    struct gws__octree_grid grid;
    double unit, low[3], width[3], slack[3];
    uint32_t wide, is_double;
};

enum gws__asked_buffer { asked_nodes, asked_order, asked_axis_x, asked_axis_y, asked_axis_z, asked_buffers };

struct gws_octree_on_device {
    struct gws_runtime *runtime;
    struct gws_device *device;
    const struct gws_octree *tree;
    struct gws_device_program *program;
    struct gws_device_buffer *buffer[asked_buffers];
    struct gws__asked_tree asked;
    struct gws__octree_batch batch; /* what the CPU's questions know of the tree */
    double ms;                      /* of the last batch, on the device */
};

/* ---- the tree, to the device ---- */

/* A buffer that holds what lies in the host's memory. */
static gws_status put(struct gws_device *device, struct gws_device_buffer **buffer, const void *from, uint64_t bytes,
                      struct gws_where *where)
{
    gws_status status = gws_device_buffer_new(device, bytes, buffer, where);
    return status == GWS_OK ? gws_device_write(*buffer, 0, from, bytes, where) : status;
}

static gws_status put_tree(struct gws_octree_on_device *there, struct gws_where *where)
{
    const struct gws_octree *tree = there->tree;
    const void *order = tree->index64 ? (const void *)tree->index64 : tree->index32;
    uint64_t number = tree->points * (tree->is_double ? sizeof(double) : sizeof(float));
    const struct {
        const void *from;
        uint64_t bytes;
    } parts[asked_buffers] = {{tree->node, tree->nodes * sizeof *tree->node},
                              {order, tree->points * (tree->index64 ? 8 : 4)},
                              {tree->x, number},
                              {tree->y, number},
                              {tree->z, number}};
    gws_status status = GWS_OK;
    for (int i = 0; i < asked_buffers && status == GWS_OK; i++)
        status = put(there->device, &there->buffer[i], parts[i].from, parts[i].bytes, where);
    return status;
}

static void describe(struct gws_octree_on_device *there)
{
    const struct gws__octree_batch *batch = &there->batch;
    struct gws__asked_tree *asked = &there->asked;
    gws__octree_find_unit(&there->batch);
    asked->grid = there->tree->owner->grid;
    asked->unit = batch->unit;
    memcpy(asked->low, batch->low, sizeof asked->low);
    memcpy(asked->width, batch->width, sizeof asked->width);
    memcpy(asked->slack, batch->slack, sizeof asked->slack);
    asked->wide = there->tree->index64 != NULL;
    asked->is_double = there->tree->is_double;
}

gws_status gws_octree_on_device_open(struct gws_runtime *runtime, struct gws_device *device,
                                     const struct gws_octree *tree, struct gws_octree_on_device **there,
                                     struct gws_where *where)
{
    gws_status status = gws__octree_can_answer(tree, where);
    if (status != GWS_OK) return status;
    if (gws_device_describe(device)->api != GWS_DEVICE_CUDA)
        return gws_where_set(where, GWS_UNSUPPORTED, NULL, 0, 0, "%s: questions are answered by CUDA devices",
                             gws_device_describe(device)->address);
    struct gws_octree_on_device *made = gws_allocate(runtime, 1, sizeof *made);
    if (!made) return gws__octree_no_memory(where);
    *made = (struct gws_octree_on_device){.runtime = runtime, .device = device, .tree = tree, .batch.tree = tree};
    describe(made);
    status = gws__kernel_program_build(device, "octree_query", NULL, &made->program, where);
    if (status == GWS_OK) status = put_tree(made, where);
    if (status == GWS_OK)
        *there = made;
    else
        gws_octree_on_device_close(made);
    return status;
}

void gws_octree_on_device_close(struct gws_octree_on_device *there)
{
    if (!there) return;
    for (int i = 0; i < asked_buffers; i++) gws_device_buffer_free(there->buffer[i]);
    if (there->program) gws_device_program_free(there->program);
    gws_release(there->runtime, there, 1, sizeof *there);
}

double gws_octree_on_device_ms(const struct gws_octree_on_device *there)
{
    return there->ms;
}

/* ---- a batch ---- */

/* One batch: what lies on the device for it. */
struct asking {
    struct gws_octree_on_device *there;
    const struct gws__octree_kind *kind;
    struct gws_where *where;
    struct gws_device_buffer *question, *offset, *point, *distance;
    uint64_t count;
    struct gws_octree_hits made;
};

static gws_status begin(struct asking *asking, const void *question, uint64_t bytes)
{
    struct gws_octree_on_device *there = asking->there;
    there->ms = 0;
    asking->made = (struct gws_octree_hits){.questions = asking->count};
    gws_status status = gws__octree_hits_offsets(there->runtime, &asking->made);
    return status == GWS_OK ? put(there->device, &asking->question, question, asking->count * bytes, asking->where)
                            : status;
}

/* Room for so many answers on both sides. */
static gws_status make_room(struct asking *asking, uint64_t hits)
{
    struct gws_octree_on_device *there = asking->there;
    bool distances = asking->kind->distances;
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
    return gws__octree_hits_end(status, &asking->made, hits);
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
    uint64_t *offset = asking->made.offset;
    gws_status status = gws_device_read(asking->offset, 0, offset, asking->count * 8, asking->where);
    if (status == GWS_OK) *hits = gws__octree_sum_offsets(offset, asking->count);
    return status == GWS_OK ? gws_device_write(asking->offset, 0, offset, asking->count * 8, asking->where) : status;
}

static gws_status count_or_list(struct asking *asking, const char *kernel, uint32_t list)
{
    struct gws_device_argument more[4] = {{.buffer = asking->offset}, {.buffer = asking->point}};
    uint32_t count = 2;
    /* While they are counted nothing is listed, and any buffer will do. */
    if (!list) more[1].buffer = asking->offset;
    if (asking->kind->distances) more[count++].buffer = list ? asking->distance : asking->offset;
    more[count++] = (struct gws_device_argument){.value = &list, .bytes = sizeof list};
    return launch(asking, kernel, more, count);
}

static gws_status ask_twice(struct gws_octree_on_device *there, const struct gws__octree_kind *kind, const char *kernel,
                            const void *question, uint64_t count, struct gws_octree_hits *hits, struct gws_where *where)
{
    struct asking asking = {.there = there, .kind = kind, .where = where, .count = count};
    uint64_t found = 0;
    gws_status status = gws__octree_check_questions(kind, question, count, 0, where);
    if (status != GWS_OK) return status;
    status = begin(&asking, question, kind->numbers * sizeof(double));
    if (status == GWS_OK) status = gws_device_buffer_new(there->device, count * 8, &asking.offset, where);
    if (status == GWS_OK && there->tree->points == 0)
        status = gws_device_fill(asking.offset, 0, 0, count * 2, where);
    else if (status == GWS_OK)
        status = count_or_list(&asking, kernel, 0);
    if (status == GWS_OK) status = sum_offsets(&asking, &found);
    if (status == GWS_OK) status = make_room(&asking, found);
    if (status == GWS_OK && found > 0) status = count_or_list(&asking, kernel, 1);
    if (status == GWS_OK) status = fetch(&asking, found);
    return end(&asking, status, hits);
}

gws_status gws_octree_on_device_in_boxes(struct gws_octree_on_device *there, const struct gws_octree_box *box,
                                         uint64_t count, struct gws_octree_hits *hits, struct gws_where *where)
{
    return ask_twice(there, &gws__octree_boxes, "octree_ask_boxes", box, count, hits, where);
}

gws_status gws_octree_on_device_in_balls(struct gws_octree_on_device *there, const struct gws_octree_ball *ball,
                                         uint64_t count, struct gws_octree_hits *hits, struct gws_where *where)
{
    return ask_twice(there, &gws__octree_balls, "octree_ask_balls", ball, count, hits, where);
}

/* ---- the nearest, and rays ---- */

gws_status gws_octree_on_device_nearest(struct gws_octree_on_device *there, const double *place, uint64_t count,
                                        uint64_t k, struct gws_octree_hits *hits, struct gws_where *where)
{
    struct asking asking = {.there = there, .kind = &gws__octree_places, .where = where, .count = count};
    uint64_t each = k < there->tree->points ? k : there->tree->points;
    gws_status status = gws__octree_check_questions(&gws__octree_places, place, count, each, where);
    if (status != GWS_OK) return status;
    status = begin(&asking, place, 3 * sizeof *place);
    if (status == GWS_OK) status = make_room(&asking, count * each);
    for (uint64_t q = 0; status == GWS_OK && q <= count; q++) asking.made.offset[q] = q * each;
    struct gws_device_argument more[] = {
        {.value = &each, .bytes = sizeof each}, {.buffer = asking.point}, {.buffer = asking.distance}};
    if (status == GWS_OK && count * each > 0) status = launch(&asking, "octree_ask_nearest", more, 3);
    if (status == GWS_OK) status = fetch(&asking, count * each);
    return end(&asking, status, hits);
}

/* Rays that hit nothing have no answer: those of the others move up. */
static void close_up(struct asking *asking, const struct gws__octree_ray *ray, bool any)
{
    struct gws_octree_hits *made = &asking->made;
    uint64_t hits = 0;
    for (uint64_t q = 0; q < asking->count; q++) {
        made->offset[q] = hits;
        if (!any || isinf(made->distance[q])) continue;
        made->distance[hits] = gws__octree_ray_length(&asking->there->batch, &ray[q], made->distance[q]);
        made->point[hits++] = made->point[q];
    }
    made->offset[asking->count] = hits;
}

static gws_status ask_rays(struct asking *asking, const struct gws__octree_ray *ray)
{
    gws_status status = begin(asking, ray, sizeof *ray);
    if (status == GWS_OK) status = make_room(asking, asking->count);
    struct gws_device_argument more[] = {{.buffer = asking->point}, {.buffer = asking->distance}};
    bool any = asking->count > 0 && asking->there->tree->points > 0;
    if (status == GWS_OK && any) status = launch(asking, "octree_ask_rays", more, 2);
    if (status == GWS_OK && any) status = fetch(asking, asking->count);
    if (status == GWS_OK) close_up(asking, ray, any);
    return status;
}

gws_status gws_octree_on_device_first_on_rays(struct gws_octree_on_device *there, const struct gws_octree_ray *ray,
                                              uint64_t count, struct gws_octree_hits *hits, struct gws_where *where)
{
    struct asking asking = {.there = there, .kind = &gws__octree_rays, .where = where, .count = count};
    gws_status status = gws__octree_check_questions(&gws__octree_rays, ray, count, 0, where);
    if (status != GWS_OK) return status;
    struct gws__octree_ray *made = gws_allocate(there->runtime, count, sizeof *made);
    if (!made) return gws__octree_no_memory(where);
    for (uint64_t q = 0; q < count; q++) gws__octree_ray_make(&there->batch, &ray[q], &made[q]);
    status = end(&asking, ask_rays(&asking, made), hits);
    gws_release(there->runtime, made, count, sizeof *made);
    return status;
}
