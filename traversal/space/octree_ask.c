/* SPDX-License-Identifier: MIT */
/* Batches of questions; see octree_ask.h. */
#include "octree_ask.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { block_questions = 32, least_room = 256 };

/* Where the answers to a block of questions lie until the end. */
struct block {
    uint32_t worker;
    uint64_t at;
};

struct gws__octree_hits_owner {
    struct gws_allocator allocator;
    uint64_t hits;
};

gws_status gws__octree_can_answer(const struct gws_octree *tree, struct gws_where *where)
{
    if (tree->x || tree->points == 0) return GWS_OK;
    return gws_where_set(where, GWS_INVALID, NULL, 0, 0, "the tree has no points in leaf order");
}

static void find_unit(struct gws__octree_batch *batch)
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
    bool distances = asker->batch->distances;
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

static void ask_blocks(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__octree_batch *batch = context;
    struct gws__octree_asker *asker = &batch->asker[worker];
    for (uint64_t b = begin; b < end; b++) {
        uint64_t first = b * block_questions, rest = batch->count - first;
        uint64_t last = first + (rest < block_questions ? rest : block_questions);
        batch->block[b] = (struct block){worker, asker->hits};
        for (uint64_t q = first; q < last; q++) {
            uint64_t before = asker->hits;
            if (!asker->failed && batch->tree->points > 0) batch->ask(asker, q);
            batch->offset[q] = asker->hits - before;
        }
    }
}

static void copy_blocks(void *context, uint32_t worker, uint64_t begin, uint64_t end, struct gws_octree_hits *hits)
{
    const struct gws__octree_batch *batch = context;
    (void)worker;
    for (uint64_t b = begin; b < end; b++) {
        uint64_t first = b * block_questions, last = first + block_questions;
        if (last > batch->count) last = batch->count;
        const struct gws__octree_asker *asker = &batch->asker[batch->block[b].worker];
        uint64_t to = hits->offset[first], count = hits->offset[last] - to, at = batch->block[b].at;
        if (count) memcpy(hits->point + to, asker->point + at, count * sizeof *hits->point);
        if (count && hits->distance) memcpy(hits->distance + to, asker->distance + at, count * sizeof *hits->distance);
    }
}

struct gathering {
    struct gws__octree_batch *batch;
    struct gws_octree_hits *hits;
};

static void gather_blocks(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gathering *gathering = context;
    copy_blocks(gathering->batch, worker, begin, end, gathering->hits);
}

/* ---- all ---- */

static uint64_t blocks_of(const struct gws__octree_batch *batch)
{
    return batch->count / block_questions + (batch->count % block_questions != 0);
}

/* Counts become offsets. */
static uint64_t sum_offsets(uint64_t *offset, uint64_t count)
{
    uint64_t sum = 0;
    for (uint64_t q = 0; q < count; q++) {
        uint64_t hits = offset[q];
        offset[q] = sum;
        sum += hits;
    }
    return offset[count] = sum;
}

static gws_status ask_all(struct gws__octree_batch *batch, struct gws_octree_hits *made)
{
    struct gws_runtime *runtime = batch->runtime;
    bool failed = false;
    find_unit(batch);
    gws_parallel_for(runtime, blocks_of(batch), 1, ask_blocks, batch);
    for (uint32_t w = 0; w < gws_runtime_workers(runtime); w++) failed |= batch->asker[w].failed;
    if (failed) return GWS_NO_MEMORY;
    uint64_t hits = sum_offsets(made->offset, batch->count);
    made->owner->hits = hits;
    made->point = gws_allocate(runtime, hits, sizeof *made->point);
    if (batch->distances) made->distance = gws_allocate(runtime, hits, sizeof *made->distance);
    if (!made->point || (batch->distances && !made->distance)) return GWS_NO_MEMORY;
    struct gathering gathering = {batch, made};
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

gws_status gws__octree_answer(struct gws__octree_batch *batch, struct gws_octree_hits *hits)
{
    struct gws_runtime *runtime = batch->runtime;
    struct gws_octree_hits made = {.questions = batch->count};
    uint32_t workers = gws_runtime_workers(runtime);
    if (batch->count > UINT64_C(1) << 48) return GWS_TOO_LARGE;
    batch->asker = gws_allocate(runtime, workers, sizeof *batch->asker);
    for (uint32_t w = 0; batch->asker && w < workers; w++) {
        memset(&batch->asker[w], 0, offsetof(struct gws__octree_asker, squared));
        batch->asker[w].batch = batch;
    }
    batch->block = gws_allocate(runtime, blocks_of(batch), sizeof *batch->block);
    made.owner = gws_allocate(runtime, 1, sizeof *made.owner);
    if (made.owner) *made.owner = (struct gws__octree_hits_owner){.allocator = *gws_runtime_allocator(runtime)};
    if (made.owner) made.offset = batch->offset = gws_allocate(runtime, batch->count + 1, sizeof *made.offset);
    gws_status status = batch->asker && batch->block && made.offset ? ask_all(batch, &made) : GWS_NO_MEMORY;
    clear_askers(batch);
    gws_release(runtime, batch->block, blocks_of(batch), sizeof *batch->block);
    if (status == GWS_OK) {
        gws_octree_hits_clear(hits);
        *hits = made;
    } else {
        gws_octree_hits_clear(&made);
    }
    return status;
}

/* What gws_allocate() gave, after the runtime is gone. */
static void release(const struct gws_allocator *allocator, void *memory, uint64_t count, uint64_t size)
{
    if (memory) allocator->release(allocator->context, memory, count ? (size_t)(count * size) : 1);
}

void gws_octree_hits_clear(struct gws_octree_hits *hits)
{
    if (!hits || !hits->owner) return;
    struct gws__octree_hits_owner owner = *hits->owner;
    release(&owner.allocator, hits->offset, hits->questions + 1, sizeof *hits->offset);
    release(&owner.allocator, hits->point, owner.hits, sizeof *hits->point);
    release(&owner.allocator, hits->distance, owner.hits, sizeof *hits->distance);
    release(&owner.allocator, hits->owner, 1, sizeof *hits->owner);
    *hits = (struct gws_octree_hits){0};
}
