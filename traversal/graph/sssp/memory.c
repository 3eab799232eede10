/* SPDX-License-Identifier: MIT */
/* The memory of searches for shortest paths: arrays of results, and blocks of entries. Workers exchange empty blocks in
 * batches, since the worker that processes a block is often not the worker that filled it. */
#include <string.h>

#include "state.h"

enum { line = 128, batch = 16 /* number of blocks that a worker exchanges at once */ };

static void release(const struct gws_allocator *allocator, void *memory, uint64_t bytes)
{
    if (memory) allocator->release(allocator->context, memory, (size_t)bytes);
}

/* ---- blocks ---- */

static void lock(struct gws__sssp_scratch *scratch)
{
    /* acquire: pairs with the release in unlock(). */
    while (atomic_flag_test_and_set_explicit(&scratch->lock, memory_order_acquire)) continue;
}

static void unlock(struct gws__sssp_scratch *scratch)
{
    atomic_flag_clear_explicit(&scratch->lock, memory_order_release);
}

static struct gws__sssp_block *pop(struct gws__sssp_block **list, uint64_t *count)
{
    struct gws__sssp_block *block = *list;
    *list = block->next;
    --*count;
    return block;
}

static void push(struct gws__sssp_block **list, uint64_t *count, struct gws__sssp_block *block)
{
    block->next = *list;
    *list = block;
    ++*count;
}

/* The caller holds the lock. */
static bool add_slab(struct gws__sssp_scratch *scratch)
{
    struct gws__sssp_slab *slab = scratch->allocator.allocate(scratch->allocator.context, sizeof *slab);
    if (!slab) return false;
    slab->next = scratch->slab;
    scratch->slab = slab;
    for (int i = 0; i < sssp_slab_blocks; i++) push(&scratch->empty, &scratch->empty_blocks, &slab->block[i]);
    return true;
}

struct gws__sssp_block *gws__sssp_block_acquire(struct sssp *search, struct gws__sssp_worker *me)
{
    struct gws__sssp_scratch *scratch = search->scratch;
    if (!me->empty) {
        lock(scratch);
        bool is_filled = scratch->empty_blocks >= batch || add_slab(scratch);
        for (int i = 0; i < batch && is_filled; i++)
            push(&me->empty, &me->empty_blocks, pop(&scratch->empty, &scratch->empty_blocks));
        unlock(scratch);
    }
    if (!me->empty) return NULL;
    struct gws__sssp_block *block = pop(&me->empty, &me->empty_blocks);
    block->count = 0;
    return block;
}

void gws__sssp_block_release(struct sssp *search, struct gws__sssp_worker *me, struct gws__sssp_block *block)
{
    struct gws__sssp_scratch *scratch = search->scratch;
    push(&me->empty, &me->empty_blocks, block);
    if (me->empty_blocks < 4 * batch) return;
    lock(scratch);
    for (int i = 0; i < 2 * batch; i++)
        push(&scratch->empty, &scratch->empty_blocks, pop(&me->empty, &me->empty_blocks));
    unlock(scratch);
}

void gws__sssp_segments_add(struct sssp *search, struct gws__sssp_worker *me, uint32_t vertex, uint64_t begin,
                            uint64_t end)
{
    const struct gws_allocator *allocator = &search->scratch->allocator;
    uint64_t needed = me->segments + (end - begin + sssp_segment_arcs - 1) / sssp_segment_arcs;
    if (needed > me->segment_capacity) {
        uint64_t capacity = needed < 512 ? 1024 : 2 * needed;
        struct gws__sssp_segment *segment = allocator->allocate(allocator->context, capacity * sizeof *segment);
        me->no_memory |= !segment;
        if (!segment) return;
        if (me->segments) memcpy(segment, me->segment, me->segments * sizeof *segment);
        release(allocator, me->segment, me->segment_capacity * sizeof *segment);
        me->segment = segment;
        me->segment_capacity = capacity;
    }
    for (; begin < end; begin += sssp_segment_arcs) {
        uint64_t arcs = end - begin < sssp_segment_arcs ? end - begin : sssp_segment_arcs;
        me->segment[me->segments++] = (struct gws__sssp_segment){begin, vertex, (uint32_t)arcs};
    }
}

/* ---- results ---- */

/* Returns all blocks to the scratch and empties all bins. */
void gws__sssp_bins_clear(struct gws__sssp_scratch *scratch)
{
    scratch->empty = NULL;
    scratch->empty_blocks = 0;
    for (struct gws__sssp_slab *slab = scratch->slab; slab; slab = slab->next)
        for (int i = 0; i < sssp_slab_blocks; i++) push(&scratch->empty, &scratch->empty_blocks, &slab->block[i]);
    for (uint32_t w = 0; w < scratch->workers; w++) {
        struct gws__sssp_worker *worker = &scratch->worker[w], clean = {.far_min = UINT64_MAX};
        clean.segment = worker->segment;
        clean.segment_capacity = worker->segment_capacity;
        memcpy(worker, &clean, offsetof(struct gws__sssp_worker, claim));
    }
}

static uint64_t worker_bytes(uint32_t workers)
{
    return workers * sizeof(struct gws__sssp_worker) + line;
}

static void scratch_free(struct gws__sssp_scratch *scratch, uint64_t vertices)
{
    struct gws_allocator allocator = scratch->allocator;
    for (uint32_t w = 0; scratch->worker && w < scratch->workers; w++)
        release(&allocator, scratch->worker[w].segment,
                scratch->worker[w].segment_capacity * sizeof(struct gws__sssp_segment));
    for (struct gws__sssp_slab *slab = scratch->slab, *next; slab; slab = next) {
        next = slab->next;
        release(&allocator, slab, sizeof *slab);
    }
    release(&allocator, scratch->worker_memory, worker_bytes(scratch->workers));
    release(&allocator, scratch->part, scratch->workers * sizeof *scratch->part);
    release(&allocator, scratch->block, scratch->block_capacity * sizeof *scratch->block);
    release(&allocator, scratch->distance, vertices * sizeof(uint64_t));
    release(&allocator, scratch->parent, vertices * sizeof *scratch->parent);
    release(&allocator, scratch, sizeof *scratch);
}

void gws_sssp_result_clear(struct gws_sssp_result *result)
{
    if (!result) return;
    if (result->scratch) scratch_free(result->scratch, result->vertices);
    *result = (struct gws_sssp_result){0};
}

static bool fits(const struct gws_runtime *runtime, const struct gws_graph *graph, const struct gws_sssp_result *result)
{
    const struct gws_allocator *allocator = gws_runtime_allocator(runtime);
    const struct gws__sssp_scratch *scratch = result->scratch;
    return scratch && result->vertices == graph->vertices && scratch->workers >= gws_runtime_workers(runtime) &&
           scratch->allocator.allocate == allocator->allocate && scratch->allocator.context == allocator->context;
}

static gws_status make(struct gws_runtime *runtime, uint64_t vertices, struct gws_sssp_result *result)
{
    struct gws__sssp_scratch *scratch = gws_allocate(runtime, 1, sizeof *scratch);
    if (!scratch) return GWS_NO_MEMORY;
    memset(scratch, 0, sizeof *scratch);
    result->scratch = scratch;
    result->vertices = vertices;
    scratch->allocator = *gws_runtime_allocator(runtime);
    scratch->workers = gws_runtime_workers(runtime);
    atomic_flag_clear(&scratch->lock);
    scratch->distance = gws_allocate(runtime, vertices, sizeof(uint64_t));
    scratch->parent = gws_allocate(runtime, vertices, sizeof *scratch->parent);
    scratch->part = gws_allocate(runtime, scratch->workers, sizeof *scratch->part);
    scratch->worker_memory = gws_allocate(runtime, worker_bytes(scratch->workers), 1);
    if (!scratch->distance || !scratch->parent || !scratch->part || !scratch->worker_memory) return GWS_NO_MEMORY;
    memset(scratch->worker_memory, 0, worker_bytes(scratch->workers));
    scratch->worker =
        (void *)((char *)scratch->worker_memory + (line - (uintptr_t)scratch->worker_memory % line) % line);
    return GWS_OK;
}

gws_status gws__sssp_prepare(struct gws_runtime *runtime, const struct gws_graph *graph, struct gws_sssp_result *result)
{
    if (!fits(runtime, graph, result)) {
        struct gws_sssp_result fresh = {0};
        gws_status status = make(runtime, graph->vertices, &fresh);
        if (status != GWS_OK) {
            gws_sssp_result_clear(&fresh);
            return status;
        }
        gws_sssp_result_clear(result);
        *result = fresh;
    }
    gws__sssp_bins_clear(result->scratch);
    return GWS_OK;
}
