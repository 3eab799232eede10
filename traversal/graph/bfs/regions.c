/* SPDX-License-Identifier: MIT */
/* Breadth-first search by regions, 32 levels at once, for graphs whose neighbours are close in memory: meshes, and
 * road networks in a spatial order. A search level by level walks such a graph from end to end thousands of times.
 * Each visit of a page costs another address translation. This search splits the vertices into regions that fit a
 * core's cache and TLB. A region runs 32 levels before it receives messages from its neighbours. This is the k-level
 * asynchronous paradigm (Harshvardhan, Fidel, Amato, Rauchwerger, PACT 2014), which equals delta-stepping (Meyer,
 * Sanders, 2003) with unit weights.
 *
 * A task is one region in one round. The worker that runs the region, assigned or stolen, has exclusive access to the
 * region until the barrier. The worker reads the messages of the other regions and expands the region's own vertices
 * by depth. A later message with a smaller depth may correct a depth, and a worker then expands the vertex again. A
 * superstep of 32 levels ends when no message has a depth within the superstep. The depths of these levels are then
 * final. Parents stay correct, because the vertex that set a depth is the parent. If the parent's depth falls later,
 * the vertex's depth falls too, unless another parent has already lowered it as far.
 *
 * Memory orders. Only the worker of a region writes the depths of its vertices. Other workers read these depths
 * (relaxed) to save useless messages. Depths only fall, so a stale value costs at most an extra message. The barrier
 * orders all other accesses. */
#include "regions.h"

struct region_task {
    struct gws__bfs *bfs;
    struct gws__bfs_regions *regions;
    struct gws__bfs_region_worker *me;
    struct gws__bfs_block **outbox;
    uint32_t region;
};

static uint32_t depth_of(const struct gws__bfs *bfs, uint32_t vertex)
{
    return atomic_load_explicit((_Atomic uint32_t *)&bfs->engine.data[0][vertex], memory_order_relaxed);
}

/* Reaches one of the region's own vertices at depth. */
static inline void reach(struct region_task *task, uint32_t vertex, uint32_t parent, uint32_t depth)
{
    struct gws__bfs *bfs = task->bfs;
    if (depth >= depth_of(bfs, vertex)) return;
    atomic_store_explicit((_Atomic uint32_t *)&bfs->engine.data[0][vertex], depth, memory_order_relaxed);
    bfs->engine.data[1][vertex] = parent;
    uint32_t ahead = depth - task->regions->begin;
    struct gws__bfs_list *list =
        ahead < regions_levels ? &task->me->bucket[ahead] : &task->regions->pending[task->region];
    if (!gws__bfs_list_add(list, &task->regions->allocator, vertex)) task->me->failed = true;
}

static void write_message(struct region_task *task, uint32_t region, struct gws__bfs_message message)
{
    struct gws__bfs_block *block = task->outbox[region];
    if (!block || block->count == bfs_block_messages) {
        block = gws__bfs_block_acquire(&task->me->blocks, &task->regions->allocator);
        if (!block) {
            task->me->failed = true;
            return;
        }
        block->next = task->outbox[region];
        task->outbox[region] = block;
    }
    block->message[block->count++] = message;
    if (message.depth < task->me->min_depth) task->me->min_depth = message.depth;
}

static void expand(struct region_task *task, uint32_t vertex, uint32_t depth)
{
    const struct gws_graph *graph = task->bfs->engine.graph;
    uint32_t shift = task->regions->shift;
    for (uint64_t a = graph->offset[vertex], end = graph->offset[vertex + (uint64_t)1]; a < end; a++) {
        uint32_t target = graph->target[a];
        if (target >> shift == task->region)
            reach(task, target, vertex, depth + 1);
        else if (depth + 1 < depth_of(task->bfs, target))
            write_message(task, target >> shift, (struct gws__bfs_message){target, vertex, depth + 1});
    }
}

/* Reads the messages of the last round to this region. The reader keeps the emptied blocks. */
static void read_messages(struct region_task *task)
{
    struct gws__bfs_regions *regions = task->regions;
    for (uint32_t w = 0; w < regions->workers; w++) {
        struct gws__bfs_block **inbox = &regions->worker[w].outbox[(regions->round - 1) & 1][task->region];
        for (struct gws__bfs_block *block = *inbox, *next; block; block = next) {
            next = block->next;
            for (uint64_t i = 0; i < block->count; i++)
                reach(task, block->message[i].vertex, block->message[i].parent, block->message[i].depth);
            block->next = task->me->blocks.empty;
            task->me->blocks.empty = block;
        }
        *inbox = NULL;
    }
}

/* Takes over the vertices that the last superstep left at depth begin. The task later skips a vertex with a depth
 * corrected since then, because that vertex has already run. */
static void swap_pending(struct region_task *task)
{
    struct gws__bfs_list *pending = &task->regions->pending[task->region], *bucket = &task->me->bucket[0];
    struct gws__bfs_list swapped = *bucket;
    *bucket = *pending;
    *pending = swapped;
}

static void expand_bucket(struct region_task *task, uint32_t ahead)
{
    enum { far = 12, near = 6 };
    const struct gws_graph *graph = task->bfs->engine.graph;
    struct gws__bfs_list *bucket = &task->me->bucket[ahead];
    uint32_t depth = task->regions->begin + ahead;
    for (uint64_t i = 0; i < bucket->count; i++) {
        if (i + far < bucket->count) __builtin_prefetch(&graph->offset[bucket->vertex[i + far]]);
        if (i + near < bucket->count) __builtin_prefetch(&graph->target[graph->offset[bucket->vertex[i + near]]]);
        if (depth_of(task->bfs, bucket->vertex[i]) == depth) expand(task, bucket->vertex[i], depth);
    }
    if (bucket->count && depth + 1 > task->me->deepest) task->me->deepest = depth + 1;
    bucket->count = 0;
}

static void run_regions(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__bfs *bfs = context;
    struct gws__bfs_regions *regions = bfs->result->scratch->regions;
    struct gws__bfs_region_worker *me = &regions->worker[worker];
    if (me->round != regions->round) {
        me->round = regions->round;
        me->min_depth = UINT32_MAX;
    }
    for (uint64_t i = begin; i < end; i++) {
        struct region_task task = {bfs, regions, me, me->outbox[regions->round & 1], regions->active[i]};
        regions->home[task.region] = worker;
        if (regions->first) swap_pending(&task);
        read_messages(&task);
        for (uint32_t ahead = 0; ahead < regions_levels; ahead++) expand_bucket(&task, ahead);
    }
}

static bool is_active(const struct gws__bfs_regions *regions, uint32_t region)
{
    if (regions->first && regions->pending[region].count) return true;
    for (uint32_t w = 0; w < regions->workers; w++)
        if (regions->worker[w].outbox[(regions->round - 1) & 1][region]) return true;
    return false;
}

/* Lists the regions with work, each for the worker that last ran the region, whose cache may still hold it. A stolen
 * region stays with the thief in later rounds (affinity scheduling, Markatos and LeBlanc, TPDS 1994). */
static void list_active(struct gws__bfs_regions *regions)
{
    uint32_t found[bfs_max_regions];
    regions->actives = 0;
    for (uint32_t w = 0; w < regions->workers; w++) regions->part[w] = (struct gws_range){0, 0};
    for (uint32_t region = 0; region < regions->count; region++) {
        if (!is_active(regions, region)) continue;
        found[regions->actives++] = region;
        regions->part[regions->home[region]].end++;
    }
    uint64_t begin = 0;
    for (uint32_t w = 0; w < regions->workers; w++) {
        uint64_t count = regions->part[w].end;
        regions->part[w] = (struct gws_range){begin, begin};
        begin += count;
    }
    for (uint32_t i = 0; i < regions->actives; i++)
        regions->active[regions->part[regions->home[found[i]]].end++] = found[i];
}

/* Checks the finished round. Returns GWS_NO_MEMORY if memory ran out. Sets *continues if any message has a depth
 * within the superstep. */
static gws_status check_round(const struct gws__bfs_regions *regions, bool *continues)
{
    uint32_t min_depth = UINT32_MAX;
    for (uint32_t w = 0; w < regions->workers; w++) {
        const struct gws__bfs_region_worker *worker = &regions->worker[w];
        if (worker->failed) return GWS_NO_MEMORY;
        if (worker->round == regions->round && worker->min_depth < min_depth) min_depth = worker->min_depth;
    }
    *continues = min_depth < regions->begin + regions_levels;
    return GWS_OK;
}

static gws_status run_rounds(struct gws__bfs *bfs)
{
    struct gws__bfs_regions *regions = bfs->result->scratch->regions;
    for (;;) {
        regions->round++;
        list_active(regions);
        if (regions->actives == 0) return GWS_OK;
        struct gws_loop loop = {.count = regions->actives,
                                .part = regions->part,
                                .chunk = 1,
                                .grain = 1,
                                .body = run_regions,
                                .context = bfs};
        gws_status status = gws_parallel_try(bfs->engine.runtime, &loop);
        bool continues = false;
        if (status == GWS_OK) status = check_round(regions, &continues);
        if (status != GWS_OK) return status;
        regions->first = !continues;
        if (!continues) regions->begin += regions_levels;
    }
}

static void fill_depths(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    struct gws__bfs *bfs = context;
    for (uint64_t v = begin; v < end; v++) bfs->engine.data[0][v] = GWS_NO_VERTEX;
}

gws_status gws__bfs_by_regions(struct gws__bfs *bfs)
{
    gws_status status = gws__bfs_regions_prepare(bfs);
    if (status != GWS_OK) return status;
    struct gws__bfs_regions *regions = bfs->result->scratch->regions;
    gws__engine_uncounted(bfs->engine.runtime, bfs->engine.graph->vertices, 65536, fill_depths, bfs);
    uint32_t source = bfs->result->source;
    bfs->engine.data[0][source] = 0;
    if (!gws__bfs_list_add(&regions->pending[source >> regions->shift], &regions->allocator, source))
        return GWS_NO_MEMORY;
    status = run_rounds(bfs);
    return status == GWS_OK ? gws__bfs_regions_count(bfs) : status;
}
