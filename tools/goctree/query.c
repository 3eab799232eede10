/* SPDX-License-Identifier: MIT */
/* Questions of one kind (and one K, of nearest) go to the library in one batch; answers come out in the order of the
 * questions. */
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

static const double most_nearest = 9007199254740992.0; /* 2^53 */

/* ---- reading ---- */

/* What is wrong with a question beyond its form, or NULL. */
static const char *fault_of(const struct gws_query *question)
{
    const double *number = question->number;
    switch (question->kind) {
    case BOX:
        for (int a = 0; a < 3; a++)
            if (number[a] > number[3 + a]) return "a box whose low corner is above its high one";
        return NULL;
    case NEAREST:
        return number[3] >= 1 && number[3] <= most_nearest && number[3] == floor(number[3])
                   ? NULL
                   : "K must be a whole number from 1 on";
    default:
        return number[kinds[question->kind].numbers - 1] < 0 ? "a negative radius" : NULL;
    }
}

int query_read(struct query *query, struct gws_runtime *runtime, const char *path)
{
    struct gws_diagnostic where = {0};
    gws_status status = gws_queries_read(runtime, path, kinds, KINDS, &query->question, &query->count, &where);
    if (status != GWS_OK) return console_fail_at(status, &where);
    for (uint64_t q = 0; q < query->count; q++) {
        const char *fault = fault_of(&query->question[q]);
        if (!fault) continue;
        gws_diagnostic_set(&where, GWS_INVALID, path, query->question[q].line, 0, "%s", fault);
        return console_fail_at(GWS_INVALID, &where);
    }
    return -1;
}

/* ---- batches ---- */

/* Question order[begin .. end - 1] are alike. */
struct batch {
    uint64_t begin, end;
    struct gws_octree_hits hits;
};

struct asking {
    struct query *query;
    const struct gws_octree *tree;
    struct gws_runtime *runtime;
    struct gws_octree_on_device *there; /* NULL: the CPU answers */
    const struct gws_query **order;     /* by kind and K, then as in the file */
    struct batch *batch;
    uint64_t batches;
};

static bool alike(const struct gws_query *a, const struct gws_query *b)
{
    return a->kind == b->kind && (a->kind != NEAREST || a->number[3] == b->number[3]);
}

static int compare(const void *left, const void *right)
{
    const struct gws_query *a = *(const struct gws_query *const *)left, *b = *(const struct gws_query *const *)right;
    if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
    if (!alike(a, b)) return a->number[3] < b->number[3] ? -1 : 1;
    return (a > b) - (a < b);
}

static bool cut_batches(struct asking *asking)
{
    const struct query *query = asking->query;
    asking->order = calloc(query->count + 1, sizeof *asking->order);
    if (!asking->order) return false;
    for (uint64_t q = 0; q < query->count; q++) asking->order[q] = &query->question[q];
    qsort(asking->order, query->count, sizeof *asking->order, compare);
    asking->batch = calloc(query->count + 1, sizeof *asking->batch);
    if (!asking->batch) return false;
    for (uint64_t q = 0; q < query->count; q++) {
        if (q == 0 || !alike(asking->order[q - 1], asking->order[q])) asking->batch[asking->batches++].begin = q;
        asking->batch[asking->batches - 1].end = q + 1;
    }
    return true;
}

/* A question's numbers are laid out as the library's structs are: the doubles in their order. */
_Static_assert(sizeof(struct gws_octree_box) == 6 * sizeof(double), "a box is six numbers");
_Static_assert(sizeof(struct gws_octree_ball) == 4 * sizeof(double), "a ball is four numbers");
_Static_assert(sizeof(struct gws_octree_ray) == 7 * sizeof(double), "a ray is seven numbers");

/* Of the library, the function of the CPU or of the device. */
#define ASK(function, ...)                                                                                             \
    (asking->there ? gws_octree_on_device_##function(asking->there, __VA_ARGS__, &batch->hits, where)                  \
                   : gws_octree_##function(asking->runtime, asking->tree, __VA_ARGS__, &batch->hits, where))

static gws_status ask_batch(struct asking *asking, struct batch *batch, double *number, struct gws_diagnostic *where)
{
    const struct gws_query *first = asking->order[batch->begin];
    uint64_t count = batch->end - batch->begin, numbers = first->kind == NEAREST ? 3 : kinds[first->kind].numbers;
    gws_status status;
    for (uint64_t i = 0; i < count; i++)
        memcpy(number + i * numbers, asking->order[batch->begin + i]->number, numbers * sizeof *number);
    if (first->kind == BOX)
        status = ASK(in_boxes, (const struct gws_octree_box *)number, count);
    else if (first->kind == BALL)
        status = ASK(in_balls, (const struct gws_octree_ball *)number, count);
    else if (first->kind == NEAREST)
        status = ASK(nearest, number, count, (uint64_t)first->number[3]);
    else
        status = ASK(first_on_rays, (const struct gws_octree_ray *)number, count);
    if (asking->there) asking->query->device_ms += gws_octree_on_device_ms(asking->there);
    return status;
}

static gws_status ask_all(struct asking *asking, struct gws_diagnostic *where)
{
    double *number = calloc(asking->query->count + 1, GWS_QUERY_NUMBERS * sizeof *number);
    gws_status status = number ? GWS_OK : GWS_NO_MEMORY;
    for (uint64_t b = 0; b < asking->batches && status == GWS_OK; b++) {
        double began = gws_clock_ms();
        status = ask_batch(asking, &asking->batch[b], number, where);
        asking->query->ms += gws_clock_ms() - began;
    }
    free(number);
    return status;
}

/* ---- answers in order ---- */

/* Where a question's hits are. */
struct found {
    const struct gws_octree_hits *hits;
    uint64_t begin, end;
};

static void list_hits(struct query *query, const struct found *found)
{
    uint64_t row = 0;
    for (uint64_t q = 0; q < query->count; q++) {
        for (uint64_t h = found[q].begin; h < found[q].end; h++, row++) {
            query->asked[row] = (int64_t)q;
            query->point[row] = (int64_t)found[q].hits->point[h];
            query->distance[row] = found[q].hits->distance ? found[q].hits->distance[h] : NAN;
        }
    }
}

static bool put_in_order(struct asking *asking)
{
    struct query *query = asking->query;
    struct found *found = calloc(query->count + 1, sizeof *found);
    if (!found) return false;
    for (uint64_t b = 0; b < asking->batches; b++) {
        const struct batch *batch = &asking->batch[b];
        for (uint64_t i = 0; i < batch->end - batch->begin; i++)
            found[asking->order[batch->begin + i] - query->question] =
                (struct found){&batch->hits, batch->hits.offset[i], batch->hits.offset[i + 1]};
        query->hits += batch->hits.offset[batch->hits.queries];
    }
    query->asked = calloc(query->hits + 1, sizeof *query->asked);
    query->point = calloc(query->hits + 1, sizeof *query->point);
    query->distance = calloc(query->hits + 1, sizeof *query->distance);
    bool room = query->asked && query->point && query->distance;
    if (room) list_hits(query, found);
    free(found);
    return room;
}

/* A device that answers no questions leaves them to the CPU. */
static gws_status bring_tree(struct asking *asking, struct gws_device *device, struct gws_diagnostic *where)
{
    double began = gws_clock_ms();
    gws_status status = gws_octree_on_device_open(asking->runtime, device, asking->tree, &asking->there, where);
    if (status == GWS_UNSUPPORTED) return GWS_OK;
    asking->query->there_ms = gws_clock_ms() - began;
    asking->query->on_device = status == GWS_OK;
    return status;
}

int query_answer(struct query *query, struct gws_runtime *runtime, struct gws_device *device,
                 const struct gws_octree *tree, const char *path)
{
    struct asking asking = {.query = query, .tree = tree, .runtime = runtime};
    struct gws_diagnostic where = {0};
    gws_status status = device ? bring_tree(&asking, device, &where) : GWS_OK;
    if (status == GWS_OK) status = cut_batches(&asking) ? ask_all(&asking, &where) : GWS_NO_MEMORY;
    if (status == GWS_OK && !put_in_order(&asking)) status = GWS_NO_MEMORY;
    for (uint64_t b = 0; b < asking.batches && asking.batch; b++) gws_octree_hits_clear(&asking.batch[b].hits);
    gws_octree_on_device_close(asking.there);
    free(asking.batch);
    free(asking.order);
    if (status == GWS_OK) return -1;
    return console_fail("%s: %s", path, *where.message ? where.message : gws_status_text(status));
}

int query_write(const struct query *query, struct gws_runtime *runtime, const char *path)
{
    const struct gws_column column[] = {{"question", GWS_COLUMN_I64, query->asked},
                                        {"point", GWS_COLUMN_I64, query->point},
                                        {"distance", GWS_COLUMN_F64, query->distance}};
    const struct gws_table table = {.rows = query->hits, .columns = 3, .column = column};
    struct gws_diagnostic where = {0};
    console_progress_begin("writing", path);
    gws_status status = gws_table_write(runtime, &table, path, &where);
    console_progress_end();
    return status == GWS_OK ? -1 : console_fail_at(status, &where);
}

void query_clear(struct query *query, struct gws_runtime *runtime)
{
    gws_release(runtime, query->question, query->count, sizeof *query->question);
    free(query->asked);
    free(query->point);
    free(query->distance);
    *query = (struct query){0};
}
