/* SPDX-License-Identifier: MIT */
/* All queries of one kind (and, for nearest neighbours, of one K) go to the library in one batch. The answers have the
 * order of the file. */
#include "goctree.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BOX, BALL, NEAREST, RAY, KINDS };

static const struct gws_query_kind kinds[KINDS] = {
    [BOX] = {"box", 6, "box X0 Y0 Z0 X1 Y1 Z1"},
    [BALL] = {"ball", 4, "ball X Y Z RADIUS"},
    [NEAREST] = {"nearest", 4, "nearest X Y Z K"},
    [RAY] = {"ray", 7, "ray X Y Z DX DY DZ RADIUS"},
};

static const double max_nearest = 9007199254740992.0; /* 2^53 */

/* ---- reading ---- */

/* Returns the error in a query's numbers, or NULL. */
static const char *fault_of(const struct gws_query *query)
{
    const double *number = query->number;
    switch (query->kind) {
    case BOX:
        for (int a = 0; a < 3; a++)
            if (number[a] > number[3 + a]) return "invalid box: the low corner is above the high one";
        return NULL;
    case NEAREST:
        return number[3] >= 1 && number[3] <= max_nearest && number[3] == floor(number[3])
                   ? NULL
                   : "K must be a whole number from 1 on";
    default:
        return number[kinds[query->kind].numbers - 1] < 0 ? "negative radius" : NULL;
    }
}

int query_read(struct tree_queries *queries, struct gws_runtime *runtime, const char *path)
{
    struct gws_diagnostic where = {0};
    gws_status status = gws_queries_read(runtime, path, kinds, KINDS, &queries->query, &queries->count, &where);
    if (status != GWS_OK) return console_fail_at(status, &where);
    for (uint64_t q = 0; q < queries->count; q++) {
        const char *fault = fault_of(&queries->query[q]);
        if (!fault && queries->counts && queries->query[q].kind != BOX && queries->query[q].kind != BALL)
            fault = "--count answers boxes and balls only";
        if (!fault) continue;
        gws_diagnostic_set(&where, GWS_INVALID, path, queries->query[q].line, 0, "%s", fault);
        return console_fail_at(GWS_INVALID, &where);
    }
    return -1;
}

/* ---- batches ---- */

/* Queries order[begin .. end - 1] have the same kind and K. */
struct query_batch {
    uint64_t begin, end;
    struct gws_octree_hits hits;
};

struct query_context {
    struct tree_queries *queries;
    const struct gws_octree *tree;
    struct gws_runtime *runtime;
    struct gws_octree_on_device *on_device; /* NULL: the CPU answers */
    const struct gws_query **order;         /* by kind and K, then by position in the file */
    struct query_batch *batch;
    uint64_t batches;
};

static bool same_batch(const struct gws_query *a, const struct gws_query *b)
{
    return a->kind == b->kind && (a->kind != NEAREST || a->number[3] == b->number[3]);
}

static int compare(const void *left, const void *right)
{
    const struct gws_query *a = *(const struct gws_query *const *)left, *b = *(const struct gws_query *const *)right;
    if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
    if (!same_batch(a, b)) return a->number[3] < b->number[3] ? -1 : 1;
    return (a > b) - (a < b);
}

static bool make_batches(struct query_context *context)
{
    const struct tree_queries *queries = context->queries;
    context->order = calloc(queries->count + 1, sizeof *context->order);
    if (!context->order) return false;
    for (uint64_t q = 0; q < queries->count; q++) context->order[q] = &queries->query[q];
    qsort(context->order, queries->count, sizeof *context->order, compare);
    context->batch = calloc(queries->count + 1, sizeof *context->batch);
    if (!context->batch) return false;
    for (uint64_t q = 0; q < queries->count; q++) {
        if (q == 0 || !same_batch(context->order[q - 1], context->order[q]))
            context->batch[context->batches++].begin = q;
        context->batch[context->batches - 1].end = q + 1;
    }
    return true;
}

/* A query's numbers have the layout of the library's structs, which consist of doubles in the same order. */
_Static_assert(sizeof(struct gws_octree_box) == 6 * sizeof(double), "a box is six numbers");
_Static_assert(sizeof(struct gws_octree_ball) == 4 * sizeof(double), "a ball is four numbers");
_Static_assert(sizeof(struct gws_octree_ray) == 7 * sizeof(double), "a ray is seven numbers");

/* Calls the library's function for the device or for the CPU. */
#define ANSWER(function, ...)                                                                                          \
    (context->on_device ? gws_octree_on_device_##function(context->on_device, __VA_ARGS__, &batch->hits, where)        \
                        : gws_octree_##function(context->runtime, context->tree, __VA_ARGS__, &batch->hits, where))

static gws_status answer_batch(struct query_context *context, struct query_batch *batch, double *number,
                               struct gws_diagnostic *where)
{
    const struct gws_query *first = context->order[batch->begin];
    uint64_t count = batch->end - batch->begin, numbers = first->kind == NEAREST ? 3 : kinds[first->kind].numbers;
    gws_status status;
    for (uint64_t i = 0; i < count; i++)
        memcpy(number + i * numbers, context->order[batch->begin + i]->number, numbers * sizeof *number);
    if (context->queries->counts)
        return totals_answer(context->queries, context->runtime, context->tree, first->kind == BOX, number,
                             context->order + batch->begin, count);
    if (first->kind == BOX)
        status = ANSWER(in_boxes, (const struct gws_octree_box *)number, count);
    else if (first->kind == BALL)
        status = ANSWER(in_balls, (const struct gws_octree_ball *)number, count);
    else if (first->kind == NEAREST)
        status = ANSWER(nearest, number, count, (uint64_t)first->number[3]);
    else
        status = ANSWER(first_on_rays, (const struct gws_octree_ray *)number, count);
    if (context->on_device) context->queries->device_ms += gws_octree_on_device_ms(context->on_device);
    return status;
}

static gws_status answer_all(struct query_context *context, struct gws_diagnostic *where)
{
    double *number = calloc(context->queries->count + 1, GWS_QUERY_NUMBERS * sizeof *number);
    gws_status status = number ? GWS_OK : GWS_NO_MEMORY;
    for (uint64_t b = 0; b < context->batches && status == GWS_OK; b++) {
        double began = gws_clock_ms();
        status = answer_batch(context, &context->batch[b], number, where);
        context->queries->ms += gws_clock_ms() - began;
    }
    free(number);
    return status;
}

/* ---- answers in the order of the file ---- */

/* Entries begin to end - 1 of hits belong to one query. */
struct hit_range {
    const struct gws_octree_hits *hits;
    uint64_t begin, end;
};

static void list_hits(struct tree_queries *queries, const struct hit_range *range)
{
    uint64_t row = 0;
    for (uint64_t q = 0; q < queries->count; q++) {
        for (uint64_t h = range[q].begin; h < range[q].end; h++, row++) {
            queries->number[row] = (int64_t)q;
            queries->point[row] = (int64_t)range[q].hits->point[h];
            queries->distance[row] = range[q].hits->distance ? range[q].hits->distance[h] : NAN;
        }
    }
}

static bool order_hits(struct query_context *context)
{
    struct tree_queries *queries = context->queries;
    struct hit_range *range = calloc(queries->count + 1, sizeof *range);
    if (!range) return false;
    for (uint64_t b = 0; b < context->batches; b++) {
        const struct query_batch *batch = &context->batch[b];
        for (uint64_t i = 0; i < batch->end - batch->begin; i++)
            range[context->order[batch->begin + i] - queries->query] =
                (struct hit_range){&batch->hits, batch->hits.offset[i], batch->hits.offset[i + 1]};
        queries->hits += batch->hits.offset[batch->hits.queries];
    }
    queries->number = calloc(queries->hits + 1, sizeof *queries->number);
    queries->point = calloc(queries->hits + 1, sizeof *queries->point);
    queries->distance = calloc(queries->hits + 1, sizeof *queries->distance);
    bool allocated = queries->number && queries->point && queries->distance;
    if (allocated) list_hits(queries, range);
    free(range);
    return allocated;
}

/* Copies the tree to the device. If the device does not support queries, the CPU answers them. */
static gws_status upload_tree(struct query_context *context, struct gws_device *device, struct gws_diagnostic *where)
{
    double began = gws_clock_ms();
    gws_status status = gws_octree_on_device_open(context->runtime, device, context->tree, &context->on_device, where);
    if (status == GWS_UNSUPPORTED) return GWS_OK;
    context->queries->upload_ms = gws_clock_ms() - began;
    context->queries->on_device = status == GWS_OK;
    return status;
}

int query_answer(struct tree_queries *queries, struct gws_runtime *runtime, struct gws_device *device,
                 const struct gws_octree *tree, const char *path)
{
    struct query_context context = {.queries = queries, .tree = tree, .runtime = runtime};
    struct gws_diagnostic where = {0};
    gws_status status = device && !queries->counts ? upload_tree(&context, device, &where) : GWS_OK;
    if (status == GWS_OK) status = make_batches(&context) ? answer_all(&context, &where) : GWS_NO_MEMORY;
    for (uint64_t q = 0; queries->counts && status == GWS_OK && q < queries->count; q++)
        queries->hits += (uint64_t)queries->total[q];
    if (status == GWS_OK && !queries->counts && !order_hits(&context)) status = GWS_NO_MEMORY;
    for (uint64_t b = 0; b < context.batches && context.batch; b++) gws_octree_hits_clear(&context.batch[b].hits);
    gws_octree_on_device_close(context.on_device);
    free(context.batch);
    free(context.order);
    if (status == GWS_OK) return -1;
    return console_fail("%s: %s", path, *where.message ? where.message : gws_status_text(status));
}

int query_write(const struct tree_queries *queries, struct gws_runtime *runtime, const char *path)
{
    const struct gws_column column[] = {{"query", GWS_COLUMN_I64, queries->number},
                                        {"point", GWS_COLUMN_I64, queries->point},
                                        {"distance", GWS_COLUMN_F64, queries->distance}};
    const struct gws_column totals[] = {{"query", GWS_COLUMN_I64, queries->number},
                                        {"count", GWS_COLUMN_I64, queries->total},
                                        {queries->sum_of, GWS_COLUMN_F64, queries->sum}};
    const struct gws_table points = {.rows = queries->hits, .columns = 3, .column = column};
    const struct gws_table counts = {.rows = queries->count, .columns = queries->sum_of ? 3 : 2, .column = totals};
    struct gws_diagnostic where = {0};
    console_progress_begin("writing", path);
    gws_status status = gws_table_write(runtime, queries->counts ? &counts : &points, path, &where);
    console_progress_end();
    return status == GWS_OK ? -1 : console_fail_at(status, &where);
}

void query_clear(struct tree_queries *queries, struct gws_runtime *runtime)
{
    gws_release(runtime, queries->query, queries->count, sizeof *queries->query);
    free(queries->number);
    free(queries->point);
    free(queries->distance);
    free(queries->value);
    free(queries->total);
    free(queries->sum);
    *queries = (struct tree_queries){0};
}
