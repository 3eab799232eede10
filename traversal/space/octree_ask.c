/* SPDX-License-Identifier: MIT */
/* Batches of questions; see octree_ask.h. */
#include "octree_ask.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { block_questions = 32, blocks_at_once = 4, least_room = 256, least_ordered = 2048 };

/* Where the answers to a block of questions lie until the end. */
struct block {
    uint32_t worker;
    uint64_t at;
};

gws_status gws__octree_can_answer(const struct gws_octree *tree, struct gws_where *where)
{
    if (tree->x || tree->points == 0) return GWS_OK;
    return gws_where_set(where, GWS_INVALID, NULL, 0, 0, "the tree has no points in leaf order");
}

static bool can_ask(const struct gws__octree_kind *kind, const double *number)
{
    bool can = !kind->radius || number[kind->numbers - 1] >= 0;
    for (uint32_t i = 0; i < kind->finite; i++) can &= isfinite(number[i]);
    for (int a = 0; kind->corners && a < 3; a++) can &= number[a] <= number[3 + a];
    return can;
}

gws_status gws__octree_check_questions(const struct gws__octree_kind *kind, const void *question, uint64_t count,
                                       uint64_t k, struct gws_where *where)
{
    if (count > (UINT64_C(1) << 48) / (k ? k : 1)) return GWS_TOO_LARGE;
    for (uint64_t q = 0; q < count; q++)
        if (!can_ask(kind, (const double *)question + q * kind->numbers))
            return gws_where_set(where, GWS_INVALID, NULL, 0, 0, "%s %llu %s", kind->name, (unsigned long long)q,
                                 kind->flaw);
    return GWS_OK;
}

void gws__octree_find_unit(struct gws__octree_batch *batch)
{
    const struct gws_octree *tree = batch->tree;
    double most = 0;
    int exponent = 0;
    for (int a = 0; a < 3; a++) most = fmax(most, fmax(fabs(tree->low[a]), fabs(tree->high[a])));
    (void)frexp(most, &exponent);
    if (exponent >= -gws__octree_plain_exponent && exponent <= gws__octree_plain_exponent) exponent = 0;
    batch->unit = ldexp(1, exponent < -1000 ? 1000 : -exponent);
    for (int a = 0; a < 3; a++) {
        double low = tree->low[a] * batch->unit, high = tree->high[a] * batch->unit;
        batch->low[a] = low;
        batch->width[a] = high - low;
        batch->slack[a] = 64 * DBL_EPSILON * fmax(fabs(low), fabs(high));
    }
}

bool gws__octree_make_room(struct gws__octree_asker *asker, uint64_t more)
{
    struct gws_runtime *runtime = asker->batch->runtime;
    bool distances = asker->batch->kind->distances;
    if (asker->failed) return false;
    if (asker->room - asker->hits >= more) return true;
    uint64_t room = asker->room + asker->room / 2 + more + least_room;
    uint64_t *point = gws_allocate(runtime, room, sizeof *point);
    double *distance = distances && point ? gws_allocate(runtime, room, sizeof *distance) : NULL;
    if (!point || (distances && !distance)) {
        gws_release(runtime, point, room, sizeof *point);
        asker->failed = true;
        return false;
    }
    if (asker->hits) memcpy(point, asker->point, asker->hits * sizeof *point);
    if (asker->hits && distances) memcpy(distance, asker->distance, asker->hits * sizeof *distance);
    gws_release(runtime, asker->point, asker->room, sizeof *point);
    gws_release(runtime, asker->distance, asker->room, sizeof *distance);
    asker->point = point;
    asker->distance = distance;
    asker->room = room;
    return true;
}

/* ---- asking ---- */

static uint64_t blocks_of(const struct gws__octree_batch *batch)
{
    return batch->count / block_questions + (batch->count % block_questions != 0);
}

/* The questions of a block, by their places in the order of asking. */
static struct gws_range block_of(const struct gws__octree_batch *batch, uint64_t block)
{
    uint64_t begin = block * block_questions, rest = batch->count - begin;
    return (struct gws_range){begin, begin + (rest < block_questions ? rest : block_questions)};
}

static uint64_t question_at(const struct gws__octree_batch *batch, uint64_t i)
{
    return batch->order ? gws_octree_point(batch->order, i) : i;
}

static void ask_blocks(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__octree_batch *batch = context;
    struct gws__octree_asker *asker = &batch->asker[worker];
    for (uint64_t b = begin; b < end; b++) {
        struct gws_range block = block_of(batch, b);
        batch->block[b] = (struct block){worker, asker->hits};
        for (uint64_t i = block.begin; i < block.end; i++) {
            uint64_t question = question_at(batch, i);
            if (batch->k) asker->hits = question * batch->k;
            uint64_t before = asker->hits;
            if (!asker->failed && batch->tree->points > 0) batch->kind->ask(asker, question);
            batch->offset[question] = asker->hits - before;
        }
    }
}

static void copy_block(const struct gws__octree_batch *batch, uint64_t block, struct gws_octree_hits *hits)
{
    struct gws_range range = block_of(batch, block);
    const struct gws__octree_asker *asker = &batch->asker[batch->block[block].worker];
    uint64_t at = batch->block[block].at;
    for (uint64_t i = range.begin; i < range.end; i++) {
        uint64_t question = question_at(batch, i), to = hits->offset[question];
        uint64_t count = hits->offset[question + 1] - to;
        for (uint64_t h = 0; h < count; h++) hits->point[to + h] = asker->point[at + h];
        for (uint64_t h = 0; hits->distance && h < count; h++) hits->distance[to + h] = asker->distance[at + h];
        at += count;
    }
}

struct gathering {
    struct gws__octree_batch *batch;
    struct gws_octree_hits *hits;
    double *const *axis; /* where the questions' places go */
};

static void gather_blocks(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gathering *gathering = context;
    (void)worker;
    for (uint64_t b = begin; b < end; b++) copy_block(gathering->batch, b, gathering->hits);
}

/* ---- the order of asking ---- */

static void find_places(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct gathering *gathering = context;
    const struct gws__octree_kind *kind = gathering->batch->kind;
    double *const *axis = gathering->axis;
    (void)worker;
    for (uint64_t q = begin; q < end; q++) {
        const double *number = (const double *)gathering->batch->question + q * kind->numbers;
        double place[3] = {number[0], number[1], number[2]};
        if (kind->near) kind->near(gathering->batch, q, place);
        for (int a = 0; a < 3; a++) axis[a][q] = place[a];
    }
}

/* Questions of a large batch are asked in the order of a tree over their places, so that one finds in the caches what
 * the one before has looked at. Without memory for that, they are asked as they come. */
static struct gws_octree *find_order(struct gws__octree_batch *batch)
{
    struct gws_octree *order = NULL;
    if (batch->count < least_ordered || batch->tree->nodes < least_ordered) return NULL;
    double *place = gws_allocate(batch->runtime, 3 * batch->count, sizeof *place);
    if (!place) return NULL;
    double *axis[3] = {place, place + batch->count, place + 2 * batch->count};
    struct gathering gathering = {.batch = batch, .axis = axis};
    gws_parallel_for(batch->runtime, batch->count, least_ordered, find_places, &gathering);
    struct gws_points places = {.count = batch->count, .is_double = true, .x = axis[0], .y = axis[1], .z = axis[2]};
    struct gws_octree_options options = {.leaf = 8, .max_depth = 10};
    (void)gws_octree_build(batch->runtime, &places, &options, &order, NULL);
    gws_release(batch->runtime, place, 3 * batch->count, sizeof *place);
    return order;
}

/* ---- all ---- */

uint64_t gws__octree_sum_offsets(uint64_t *offset, uint64_t count)
{
    uint64_t sum = 0;
    for (uint64_t q = 0; q < count; q++) {
        uint64_t hits = offset[q];
        offset[q] = sum;
        sum += hits;
    }
    return offset[count] = sum;
}

static bool ask_every(struct gws__octree_batch *batch)
{
    struct gws_runtime *runtime = batch->runtime;
    struct gws_loop loop = {.count = blocks_of(batch), .chunk = blocks_at_once, .body = ask_blocks, .context = batch};
    bool failed = false;
    gws_parallel_run(runtime, &loop);
    for (uint32_t w = 0; w < gws_runtime_workers(runtime); w++) failed |= batch->asker[w].failed;
    return !failed;
}

/* As many answers to each question: workers write them where they belong. */
static gws_status ask_in_place(struct gws__octree_batch *batch, struct gws_octree_hits *made)
{
    uint64_t hits = batch->count * batch->k;
    uint32_t workers = gws_runtime_workers(batch->runtime);
    gws_status status = gws__octree_hits_room(batch->runtime, made, hits, batch->kind->distances);
    if (status != GWS_OK) return status;
    for (uint32_t w = 0; w < workers; w++) {
        batch->asker[w].point = made->point;
        batch->asker[w].distance = made->distance;
        batch->asker[w].room = hits;
    }
    (void)ask_every(batch); /* there is room */
    for (uint32_t w = 0; w < workers; w++) {
        batch->asker[w].point = NULL;
        batch->asker[w].distance = NULL;
    }
    (void)gws__octree_sum_offsets(made->offset, batch->count);
    return GWS_OK;
}

static gws_status ask_all(struct gws__octree_batch *batch, struct gws_octree_hits *made)
{
    struct gws_runtime *runtime = batch->runtime;
    gws__octree_find_unit(batch);
    if (batch->k) return ask_in_place(batch, made);
    if (!ask_every(batch)) return GWS_NO_MEMORY;
    uint64_t hits = gws__octree_sum_offsets(made->offset, batch->count);
    gws_status status = gws__octree_hits_room(runtime, made, hits, batch->kind->distances);
    if (status != GWS_OK) return status;
    struct gathering gathering = {.batch = batch, .hits = made};
    gws_parallel_for(runtime, blocks_of(batch), 64, gather_blocks, &gathering);
    return GWS_OK;
}

static void clear_askers(const struct gws__octree_batch *batch)
{
    uint32_t workers = gws_runtime_workers(batch->runtime);
    for (uint32_t w = 0; batch->asker && w < workers; w++) {
        gws_release(batch->runtime, batch->asker[w].point, batch->asker[w].room, sizeof(uint64_t));
        gws_release(batch->runtime, batch->asker[w].distance, batch->asker[w].room, sizeof(double));
    }
    gws_release(batch->runtime, batch->asker, workers, sizeof *batch->asker);
}

static gws_status answer(struct gws__octree_batch *batch, struct gws_octree_hits *hits)
{
    struct gws_runtime *runtime = batch->runtime;
    struct gws_octree_hits made = {.questions = batch->count};
    uint32_t workers = gws_runtime_workers(runtime);
    batch->asker = gws_allocate(runtime, workers, sizeof *batch->asker);
    for (uint32_t w = 0; batch->asker && w < workers; w++) {
        memset(&batch->asker[w], 0, offsetof(struct gws__octree_asker, squared));
        batch->asker[w].batch = batch;
    }
    batch->block = gws_allocate(runtime, blocks_of(batch), sizeof *batch->block);
    (void)gws__octree_hits_offsets(runtime, &made);
    batch->offset = made.offset;
    struct gws_octree *order = made.offset ? find_order(batch) : NULL;
    batch->order = order;
    gws_status status = batch->asker && batch->block && made.offset ? ask_all(batch, &made) : GWS_NO_MEMORY;
    gws_octree_destroy(order);
    clear_askers(batch);
    gws_release(runtime, batch->block, blocks_of(batch), sizeof *batch->block);
    return gws__octree_hits_end(status, &made, hits);
}

gws_status gws__octree_answer(struct gws_runtime *runtime, const struct gws_octree *tree,
                              const struct gws__octree_kind *kind, const void *question, uint64_t count, uint64_t k,
                              struct gws_octree_hits *hits, struct gws_where *where)
{
    struct gws__octree_batch batch = {.runtime = runtime,
                                      .tree = tree,
                                      .kind = kind,
                                      .question = question,
                                      .count = count,
                                      .k = k < tree->points ? k : tree->points};
    gws_status status = gws__octree_can_answer(tree, where);
    if (status == GWS_OK) status = gws__octree_check_questions(kind, question, count, batch.k, where);
    return status == GWS_OK ? answer(&batch, hits) : status;
}
