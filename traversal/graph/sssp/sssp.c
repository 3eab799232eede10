/* SPDX-License-Identifier: MIT */
/* Shortest paths by delta-stepping (Meyer, Sanders, J. Algorithms 2003): a bucket holds the active vertices whose
 * distances lie in one interval of width delta. The search processes the lowest bucket until it is empty. Each worker
 * has its own bins of each bucket, as in gapbs (Beamer, Asanovic, Patterson 2015). Without a barrier, it processes the
 * vertices that it adds to the current bucket itself (bucket fusion, Zhang et al., CGO 2020). Here a round covers
 * several buckets. delta is so small that little work is repeated, and a round has enough buckets to occupy all
 * workers. Each worker processes its part in the order of the buckets.
 *
 * State encoding. A bin is a list of blocks of entries. A worker has bins for 64 consecutive buckets; entries of higher
 * buckets wait in `far`. An entry has a tag of the distance that added it. A worker skips the entry if the distance has
 * fallen since, so each distance of a vertex is expanded once. The blocks of a round are the tasks of a loop, and
 * thieves steal blocks. Long rows become segments, the tasks of a second loop.
 *
 * Distances (packed.c, wide.c, real.c): most graphs have integer distances so small that distance and parent share a
 * word. Otherwise, the search starts again with 63-bit distances.
 *
 * The parents are a tree. A vertex gets its final distance d from a parent that already has distance d - weight. If the
 * parent's distance falls later, the parent offers the vertex a shorter distance, unless rounding makes both equal. A
 * cycle of parents would consist of equal distances. A distance changes only when it falls, so each vertex of the cycle
 * would have its distance later than its parent, which is impossible. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "plan.h"
#include "state.h"

/* ---- rounds ---- */

static uint64_t lowest_bucket(const struct sssp *search)
{
    uint64_t lowest = UINT64_MAX;
    for (uint32_t w = 0; w < search->workers; w++) {
        const struct gws__sssp_worker *worker = gws__sssp_worker_of(search, w);
        uint64_t ahead = gws__sssp_ahead(search, worker);
        uint64_t bucket = ahead ? search->base + (uint64_t)__builtin_ctzll(ahead) : worker->far_min;
        if (bucket < lowest) lowest = bucket;
    }
    return lowest;
}

/* Moves entries of far buckets into slots that are now free, if the round needs some of these buckets. */
static void fetch_far(struct sssp *search)
{
    uint64_t far_min = UINT64_MAX;
    for (uint32_t w = 0; w < search->workers; w++)
        if (search->scratch->worker[w].far_min < far_min) far_min = search->scratch->worker[w].far_min;
    if (far_min - search->base < search->fused)
        gws_parallel_for(search->runtime, search->workers, 1, search->loops->nearer, search);
}

static bool reserve_blocks(struct gws__sssp_scratch *scratch, uint64_t blocks)
{
    if (blocks <= scratch->block_capacity) return true;
    struct gws_allocator *allocator = &scratch->allocator;
    uint64_t capacity = 2 * blocks + 1024;
    struct gws__sssp_block **block = allocator->allocate(allocator->context, capacity * sizeof *block);
    if (!block) return false;
    if (scratch->block) allocator->release(allocator->context, scratch->block, scratch->block_capacity * sizeof *block);
    scratch->block = block;
    scratch->block_capacity = capacity;
    return true;
}

static uint64_t count_blocks(const struct sssp *search)
{
    uint64_t blocks = 0;
    for (uint32_t w = 0; w < search->workers; w++) {
        const struct gws__sssp_worker *worker = gws__sssp_worker_of(search, w);
        uint64_t ahead = gws__sssp_ahead(search, worker) & gws__sssp_round_bits(search);
        for (; ahead; ahead &= ahead - 1)
            blocks += worker->bin[(search->base + (uint64_t)__builtin_ctzll(ahead)) % sssp_slots].blocks;
    }
    return blocks;
}

/* Lists the blocks of the round's buckets. part[w] are the blocks of worker w, in the order of the buckets. */
static gws_status list_blocks(struct sssp *search)
{
    struct gws__sssp_scratch *scratch = search->scratch;
    if (!reserve_blocks(scratch, count_blocks(search))) return GWS_NO_MEMORY;
    search->blocks = 0;
    for (uint32_t w = 0; w < search->workers; w++) {
        struct gws__sssp_worker *worker = gws__sssp_worker_of(search, w);
        uint64_t ahead = gws__sssp_ahead(search, worker) & gws__sssp_round_bits(search);
        scratch->part[w].begin = search->blocks;
        for (; ahead; ahead &= ahead - 1) {
            uint32_t slot = (uint32_t)(search->base + (uint64_t)__builtin_ctzll(ahead)) % sssp_slots;
            struct gws__sssp_block *block = gws__sssp_bin_take(worker, slot);
            for (; block; block = block->next) {
                __builtin_prefetch(
                    block->jump); /* blocks lie in the cache of the worker that filled them, so the caller prefetches */
                scratch->block[search->blocks++] = block;
            }
        }
        scratch->part[w].end = search->blocks;
    }
    return GWS_OK;
}

/* Counts the entries of the round. The count of a large round may stop at `enough`. */
static uint64_t count_entries(const struct sssp *search, uint64_t enough)
{
    uint64_t entries = 0;
    for (uint64_t b = 0; b < search->blocks && entries < enough; b++) entries += search->scratch->block[b]->count;
    return entries;
}

static gws_status run_blocks(struct sssp *search)
{
    enum { serial_entries = 256, max_chunk = 4 }; /* consecutive blocks let a worker prefetch the next one */
    uint64_t chunk = search->blocks / (16 * (uint64_t)search->workers);
    if (search->workers > 1 && count_entries(search, serial_entries) >= serial_entries) {
        struct gws_loop loop = {.count = search->blocks,
                                .part = search->scratch->part,
                                .chunk = chunk == 0          ? 1
                                         : chunk < max_chunk ? (uint32_t)chunk
                                                             : max_chunk,
                                .grain = 1,
                                .body = search->loops->by_blocks,
                                .finish = search->loops->fuse,
                                .context = search};
        return gws_parallel_try(search->runtime, &loop);
    }
    search->loops->by_blocks(search, 0, 0, search->blocks);
    search->loops->fuse(search, 0, 0, 0);
    return gws_cancelled(search->runtime) ? GWS_CANCELLED : GWS_OK;
}

/* Relaxes the long rows that workers listed in this round. */
static gws_status run_segments(struct sssp *search)
{
    uint64_t segments = 0;
    for (uint32_t w = 0; w < search->workers; w++) {
        struct gws_range *part = &search->scratch->part[w];
        part->begin = segments;
        segments += search->scratch->worker[w].segments;
        part->end = segments;
    }
    if (segments == 0) return GWS_OK;
    struct gws_loop loop = {.count = segments,
                            .part = search->scratch->part,
                            .chunk = 4,
                            .grain = 4,
                            .body = search->loops->by_segments,
                            .context = search};
    gws_status status = gws_parallel_try(search->runtime, &loop);
    for (uint32_t w = 0; w < search->workers; w++) search->scratch->worker[w].segments = 0;
    return status;
}

/* The faults that workers have found since the search began. */
struct faults {
    bool no_memory, bad_weight, too_far;
    bool cancelled; /* the call was cancelled */
};

static struct faults faults_of(const struct sssp *search)
{
    struct faults faults = {0};
    for (uint32_t w = 0; w < search->workers; w++) {
        const struct gws__sssp_worker *worker = gws__sssp_worker_of(search, w);
        faults.no_memory |= worker->no_memory;
        faults.bad_weight |= worker->bad_weight;
        faults.too_far |= worker->too_far;
    }
    return faults;
}

/* Adds buckets to rounds that are too small for the workers, and removes buckets from large rounds, because small
 * rounds repeat less work. */
static void adapt(struct sssp *search)
{
    enum { min_arcs = 1024, max_arcs = 8192 }; /* limits for the arcs of a round, for each worker */
    uint64_t arcs = 0;
    if (search->workers <= 1) return;
    for (uint32_t w = 0; w < search->workers; w++) arcs += search->scratch->worker[w].arcs;
    uint64_t since = (arcs - search->arcs) / search->workers;
    if (since < min_arcs && search->fused < sssp_slots / 2) search->fused *= 2;
    if (since > max_arcs && search->fused > 1) search->fused /= 2;
    search->arcs = arcs;
}

static struct faults run_rounds(struct sssp *search)
{
    struct faults faults = faults_of(search); /* the entry of the source may lack memory */
    while (!faults.cancelled && !faults.no_memory && !faults.bad_weight && !faults.too_far) {
        search->base = lowest_bucket(search);
        if (search->base == UINT64_MAX) break;
        fetch_far(search);
        if (list_blocks(search) != GWS_OK) return (struct faults){.no_memory = true};
        if (run_blocks(search) != GWS_OK || run_segments(search) != GWS_OK) return (struct faults){.cancelled = true};
        search->rounds++;
        gws_report_progress(search->runtime, "relaxing arcs", search->rounds, 0);
        adapt(search);
        faults = faults_of(search);
    }
    return faults;
}

/* ---- a search ---- */

static gws_status uncounted(struct sssp *search, uint64_t count, gws_body *body)
{
    struct gws_loop loop = {.count = count, .grain = 16384, .body = body, .context = search, .uncounted = true};
    return gws_parallel_try(search->runtime, &loop);
}

static struct faults run(struct sssp *search, const struct gws__sssp_loops *loops)
{
    search->loops = loops;
    search->base = 0;
    search->fused = 1;
    search->arcs = 0;
    if (uncounted(search, search->graph->vertices, loops->fill) != GWS_OK) return (struct faults){.cancelled = true};
    loops->start(search);
    for (uint32_t w = 0; w < search->workers; w++) search->scratch->worker[w].limit = gws__sssp_limit(search, 0);
    gws__sssp_add(search, &search->scratch->worker[0], 0, (struct gws__sssp_entry){search->source, 0});
    return run_rounds(search);
}

static gws_status no_memory(struct gws_diagnostic *where)
{
    return gws_diagnostic_set(where, GWS_NO_MEMORY, NULL, 0, 0, "out of memory for shortest paths");
}

static gws_status search_all(struct sssp *search, struct gws_diagnostic *where)
{
    const struct gws_graph *graph = search->graph;
    struct faults faults = run(search, graph->real_weight ? &gws__sssp_real : &gws__sssp_packed);
    if (faults.too_far && !faults.bad_weight && !faults.no_memory) {
        gws__sssp_bins_clear(search->scratch);
        faults = run(search, &gws__sssp_wide);
    }
    if (faults.cancelled) return gws_diagnostic_status(where, GWS_CANCELLED);
    if (faults.no_memory) return no_memory(where);
    if (faults.bad_weight) return gws__sssp_bad_weight(graph, where);
    return gws_diagnostic_status(where, uncounted(search, graph->vertices, search->loops->finish));
}

static void sum_up(const struct sssp *search, struct gws_sssp_result *result)
{
    uint64_t max = 0;
    result->reached = result->reached_arcs = result->relaxations = 0;
    for (uint32_t w = 0; w < search->workers; w++) {
        const struct gws__sssp_worker *worker = gws__sssp_worker_of(search, w);
        result->reached += worker->reached;
        result->reached_arcs += worker->reached_arcs;
        result->relaxations += worker->arcs;
        if (worker->max_distance > max) max = worker->max_distance;
        gws_parallel_add_stats(search->runtime, w, worker->tasks, 0, 0);
    }
    bool is_real = search->graph->real_weight != NULL;
    result->distance = is_real ? NULL : search->scratch->distance;
    result->real_distance = is_real ? search->scratch->distance : NULL;
    result->parent = search->parent;
    result->source = search->source;
    result->rounds = search->rounds;
    result->max_distance = (double)max;
    if (is_real) memcpy(&result->max_distance, &max, sizeof max);
}

static gws_status sssp(struct gws_runtime *runtime, const struct gws_graph *graph, uint32_t source,
                       const struct gws_sssp_options *options, struct gws_sssp_result *result,
                       struct gws_diagnostic *where)
{
    double began = gws_clock_ms(), delta = options ? options->delta : 0;
    if (source >= graph->vertices)
        return gws_diagnostic_set(where, GWS_OUT_OF_RANGE, NULL, 0, 0, "the source is not a vertex of the graph");
    if (!(delta >= 0 && isfinite(delta)))
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "delta is negative or not finite");
    gws_status status = gws__sssp_prepare(runtime, graph, result);
    if (status != GWS_OK) return no_memory(where);
    struct sssp search = {.runtime = runtime, .graph = graph, .source = source, .scratch = result->scratch};
    search.workers = gws_runtime_workers(runtime);
    search.word = result->scratch->distance;
    search.parent = result->scratch->parent;
    while ((graph->vertices - 1) >> search.parent_bits) search.parent_bits++;
    gws__sssp_plan(&search, delta);
    status = search_all(&search, where);
    if (status != GWS_OK) {
        gws_sssp_result_clear(result);
        return status;
    }
    sum_up(&search, result);
    result->delta = search.delta;
    result->ms = gws_clock_ms() - began;
    result->fetch_ms = 0;
    return GWS_OK;
}

gws_status gws_sssp(struct gws_runtime *runtime, const struct gws_graph *graph, uint32_t source,
                    const struct gws_sssp_options *options, struct gws_sssp_result *result,
                    struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, sssp(runtime, graph, source, options, result, where));
}
