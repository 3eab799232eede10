/* SPDX-License-Identifier: MIT */
/* Rounds of a search for shortest paths: which buckets, and the loops over their entries. */
#include "rounds.h"

uint64_t gws__sssp_lowest_bucket(const struct sssp *search)
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

struct gws__sssp_faults gws__sssp_faults_of(const struct sssp *search)
{
    struct gws__sssp_faults faults = {0};
    for (uint32_t w = 0; w < search->workers; w++) {
        const struct gws__sssp_worker *worker = gws__sssp_worker_of(search, w);
        faults.no_memory |= worker->no_memory;
        faults.bad_weight |= worker->bad_weight;
        faults.too_far |= worker->too_far;
    }
    return faults;
}

gws_status gws__sssp_round(struct sssp *search)
{
    fetch_far(search);
    gws_status status = list_blocks(search);
    if (status == GWS_OK) status = run_blocks(search);
    return status == GWS_OK ? run_segments(search) : status;
}

uint64_t gws__sssp_arcs(const struct sssp *search)
{
    uint64_t arcs = 0;
    for (uint32_t w = 0; w < search->workers; w++) arcs += search->scratch->worker[w].arcs;
    return arcs;
}

void gws__sssp_adapt(struct sssp *search, uint64_t arcs, uint64_t workers)
{
    enum { min_arcs = 1024, max_arcs = 8192 }; /* limits for the arcs of a round, for each worker */
    const uint64_t since = (arcs - search->arcs) / workers;
    if (since < min_arcs && search->fused < sssp_slots / 2) search->fused *= 2;
    if (since > max_arcs && search->fused > 1) search->fused /= 2;
    search->arcs = arcs;
}

gws_status gws__sssp_uncounted(struct sssp *search, uint64_t count, gws_body *body)
{
    struct gws_loop loop = {.count = count, .grain = 16384, .body = body, .context = search, .uncounted = true};
    return gws_parallel_try(search->runtime, &loop);
}
