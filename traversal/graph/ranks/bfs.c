/* SPDX-License-Identifier: MIT */
/* Breadth-first search of a parted graph (Buluc, Beamer, Madduri, Asanovic, Patterson: "Distributed-Memory
 * Breadth-First Search on Massive Graphs", 2017, with 1D parts): push sends pairs of vertex and parent to the owners,
 * pull gathers the frontier's bitmap.
 *
 * A small level costs one exchange. It brings bounds of the next frontier: vertices that were found or sent, and their
 * arcs, of which a sent vertex has at most the largest degree. Only where these bounds may change the direction do the
 * ranks sum up exact numbers. Many small levels may cost less if rank 0 runs them for all ranks (bfs_walk.c). */
#include <string.h>

#define GWS_HOST_WORKER
#include "../../../kernels/portability/host.h"

#include "../../../kernels/engine/direction.h"
#include "bfs_state.h"

/* ---- memory ---- */

enum { page_words = 512 }; /* of 64 bits in a page of 4 KiB */

static void free_memory(struct gws__rank_bfs_memory *memory)
{
    if (!memory) return;
    gws__rank_bfs_close_walks(memory);
    gws__outbox_close(&memory->outbox);
    gws_release(memory->runtime, memory->block, memory->block_words, sizeof *memory->block);
    gws_release(memory->runtime, memory, 1, sizeof *memory);
}

static uint64_t *carve(uint64_t **at, uint64_t words)
{
    uint64_t *array = *at;
    *at += words;
    return array;
}

uint64_t gws__rank_bfs_rows(const struct gws_rank_graph *graph, uint64_t rank)
{
    const uint64_t first = rank * graph->block, left = first < graph->vertices ? graph->vertices - first : 0;
    return left < graph->block ? left : graph->block;
}

static uint64_t words_of(const struct gws_rank_graph *graph, uint64_t rank)
{
    return (gws__rank_bfs_rows(graph, rank) + 63) / 64;
}

static uint64_t words_by_row(const struct gws_rank_graph *graph, uint64_t rank)
{
    return gws__rank_bfs_rows(graph, rank) / 2 + 1; /* two rows in a word */
}

void gws__rank_bfs_lay_out(const struct gws_rank_graph *graph, uint64_t rank, uint64_t *at,
                           struct gws__rank_bfs_shared *shared)
{
    const uint64_t by_row = words_by_row(graph, rank);
    shared->count = carve(&at, 1);
    shared->arcs = carve(&at, 1);
    shared->which = carve(&at, 1);
    shared->known = (_Atomic uint64_t *)carve(&at, (graph->vertices + 63) / 64);
    shared->depth = (_Atomic uint32_t *)carve(&at, by_row);
    shared->parent = (_Atomic uint32_t *)carve(&at, by_row);
    for (int i = 0; i < 2; i++) shared->list[i] = (uint32_t *)carve(&at, by_row);
}

/* The shared arrays have whole pages, in which nothing else lies. */
static gws_status make(struct gws_runtime *runtime, const struct gws_rank_graph *graph,
                       struct gws__rank_bfs_memory *memory)
{
    const uint64_t rank = gws_transport_rank(graph->transport), ranks = memory->ranks;
    memory->words = (graph->vertices + 63) / 64;
    memory->own_words = words_of(graph, rank);
    const uint64_t pages = (3 + memory->words + 4 * words_by_row(graph, rank) + page_words - 1) / page_words;
    memory->block_words = 2 * memory->words + 3 * ranks + (pages + 1) * page_words;
    uint64_t *at = memory->block = gws_allocate(runtime, memory->block_words, sizeof *memory->block);
    if (!at) return GWS_NO_MEMORY;
    carve(&at, (page_words - (uintptr_t)at / sizeof *at % page_words) % page_words);
    memory->shared_bytes = pages * page_words * sizeof *at;
    gws__rank_bfs_lay_out(graph, rank, carve(&at, pages * page_words), &memory->shared);
    memory->front = carve(&at, memory->words);
    memory->next = carve(&at, memory->words);
    memory->items = carve(&at, ranks);
    memory->place = carve(&at, ranks);
    memory->gathered = carve(&at, ranks);
    for (uint64_t r = 0; r < ranks; r++) memory->gathered[r] = words_of(graph, r);
    return gws__outbox_open(runtime, graph, gws__outbox_capacity(graph), &memory->outbox);
}

static bool fits(const struct gws_runtime *runtime, const struct gws_rank_graph *graph,
                 const struct gws__rank_bfs_memory *memory)
{
    return memory && memory->runtime == runtime && memory->graph == graph && memory->vertices == graph->vertices &&
           memory->arcs == graph->arcs && memory->rows == graph->rows;
}

static uint64_t find_max_degree(const struct gws_rank_graph *graph)
{
    uint64_t max = 0;
    for (uint64_t row = 0; row < graph->rows; row++)
        if (gws__rank_degree(graph, row) > max) max = gws__rank_degree(graph, row);
    return max;
}

static gws_status prepare(struct gws_runtime *runtime, const struct gws_rank_graph *graph,
                          struct gws_rank_bfs_result *result)
{
    if (fits(runtime, graph, result->memory)) return GWS_OK;
    gws_rank_bfs_result_clear(result);
    struct gws__rank_bfs_memory *memory = gws_allocate(runtime, 1, sizeof *memory);
    if (!memory) return GWS_NO_MEMORY;
    *memory = (struct gws__rank_bfs_memory){.runtime = runtime,
                                            .graph = graph,
                                            .vertices = graph->vertices,
                                            .arcs = graph->arcs,
                                            .rows = graph->rows,
                                            .ranks = gws_transport_ranks(graph->transport)};
    memory->max_degree = find_max_degree(graph);
    gws_status status = make(runtime, graph, memory);
    if (status != GWS_OK) {
        free_memory(memory);
        return status;
    }
    result->memory = memory;
    result->depth = (uint32_t *)memory->shared.depth;
    result->parent = (uint32_t *)memory->shared.parent;
    return GWS_OK;
}

void gws_rank_bfs_result_clear(struct gws_rank_bfs_result *result)
{
    if (!result) return;
    free_memory(result->memory);
    *result = (struct gws_rank_bfs_result){0};
}

/* ---- the search ---- */

static void reset_rows(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct gws__rank_bfs_memory *memory = context;
    (void)worker;
    memset((uint32_t *)memory->shared.depth + begin, 0xff, (end - begin) * sizeof *memory->shared.depth);
    memset((uint32_t *)memory->shared.parent + begin, 0xff, (end - begin) * sizeof *memory->shared.parent);
}

static void begin(struct gws__rank_bfs *search, uint32_t source)
{
    const struct gws_rank_graph *graph = search->graph;
    struct gws__rank_bfs_memory *memory = search->memory;
    const bool own = source - graph->first < graph->rows;
    gws_parallel_for(search->runtime, memory->rows, 1 << 14, reset_rows, memory);
    memset((uint64_t *)memory->shared.known, 0, memory->words * sizeof *memory->shared.known);
    gws__outbox_reset(&memory->outbox);
    atomic_store_explicit(&memory->shared.known[source / 64], UINT64_C(1) << source % 64, memory_order_relaxed);
    search->frontier = memory->shared.list[0];
    search->output = memory->shared.list[1];
    search->count = own;
    search->max_degree = memory->max_degree;
    gws__rank_bfs_begin_walks(search);
    search->max_size = 1;
    search->max_arcs = search->max_degree;
    if (!own) return;
    const uint32_t row = search->frontier[0] = (uint32_t)(source - graph->first);
    atomic_store_explicit(&memory->shared.depth[row], 0, memory_order_relaxed);
    atomic_store_explicit(&memory->shared.parent[row], source, memory_order_relaxed);
    search->arcs = gws__rank_degree(graph, row);
}

static void merge_words(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct gws__rank_bfs *search = context;
    (void)worker;
    for (uint64_t word = begin; word < end; word++)
        if (search->merged[word]) gws__rank_bfs_mark_word(search->memory, word, search->merged[word]);
}

void gws__rank_bfs_merge(struct gws__rank_bfs *search, const uint64_t *bitmap)
{
    search->merged = bitmap;
    gws_parallel_for(search->runtime, search->memory->words, 4096, merge_words, search);
}

bool gws__rank_bfs_leads_to_pull(const struct gws__rank_bfs *search, uint64_t size, uint64_t arcs, uint64_t unexplored)
{
    static const struct direction_rule rule = {DIRECTION_THREADS};
    const struct direction_view at = {.size = size,
                                      .arcs = arcs,
                                      .unexplored = unexplored,
                                      .candidates = search->graph->vertices,
                                      .pulling = search->pulling};
    return direction_pulls(&rule, &at);
}

static bool pulls(const struct gws__rank_bfs *search, enum gws_bfs_direction direction)
{
    const struct gws_rank_graph *graph = search->graph;
    if (direction != GWS_BFS_AUTO) return direction == GWS_BFS_BOTTOM_UP;
    if (!search->reverse || !gws__rank_bfs_leads_to_pull(search, search->max_size, search->max_arcs, 0)) return false;
    if (search->pulling) return true; /* the size is exact, and is all that counts */
    uint64_t sum[] = {search->count, search->arcs, search->reached_arcs};
    gws_transport_sum(graph->transport, sum, 3);
    return gws__rank_bfs_leads_to_pull(search, sum[0], sum[1], graph->arcs - sum[2]);
}

/* Writes the frontier of a level of pull as a list. */
static void list_frontier(struct gws__rank_bfs *search)
{
    const uint64_t *own = search->memory->front + search->graph->first / 64;
    search->count = 0;
    for (uint64_t word = 0; word < search->memory->own_words; word++)
        for (uint64_t left = own[word]; left; left &= left - 1)
            search->frontier[search->count++] = (uint32_t)(word * 64 + (uint64_t)__builtin_ctzll(left));
    search->pulling = search->gathered = false;
}

static gws_status run_level(struct gws__rank_bfs *search, enum gws_bfs_direction direction)
{
    const bool pull = pulls(search, direction);
    if (search->count > 0) search->levels = search->level + UINT64_C(1);
    search->reached += search->count;
    search->reached_arcs += search->arcs;
    if (!pull && search->pulling) list_frontier(search);
    return pull ? gws__rank_bfs_pull(search) : gws__rank_bfs_push(search);
}

static gws_status rank_bfs(struct gws_runtime *runtime, const struct gws_rank_graph *graph, uint32_t source,
                           enum gws_bfs_direction direction, struct gws_rank_bfs_result *result,
                           struct gws_diagnostic *where)
{
    const double begin_ms = gws_clock_ms();
    struct gws__rank_bfs search = {.runtime = runtime, .graph = graph};
    search.reverse = graph->directed ? graph->reverse : graph;
    if (source >= graph->vertices) return gws_diagnostic_status(where, GWS_OUT_OF_RANGE);
    if (direction == GWS_BFS_BOTTOM_UP && !search.reverse) return gws_diagnostic_status(where, GWS_NEEDS_REVERSE);
    gws_status status = gws__ranks_agree(graph->transport, prepare(runtime, graph, result), where);
    if (status != GWS_OK) return status;
    search.memory = result->memory;
    search.may_pull = direction == GWS_BFS_AUTO && search.reverse;
    search.walks = direction != GWS_BFS_BOTTOM_UP && gws__pages_are_useful(graph->transport);
    begin(&search, source);
    while (search.max_size > 0 && status == GWS_OK) {
        if (search.walks) status = gws__rank_bfs_walk(&search);
        if (search.max_size == 0 || status != GWS_OK) break;
        status = run_level(&search, direction);
        search.level++;
    }
    if (status != GWS_OK) return gws_diagnostic_status(where, status);
    uint64_t sum[] = {search.reached, search.reached_arcs};
    gws_transport_sum(graph->transport, sum, 2);
    gws_transport_max(graph->transport, &search.levels, 1);
    result->source = source;
    result->reached = sum[0];
    result->reached_arcs = sum[1];
    result->levels = (uint32_t)search.levels;
    result->pulls = (uint32_t)search.pulls;
    result->walked = search.walked;
    result->sent = search.sent;
    result->ms = gws_clock_ms() - begin_ms;
    return GWS_OK;
}

gws_status gws_rank_bfs(struct gws_runtime *runtime, const struct gws_rank_graph *graph, uint32_t source,
                        enum gws_bfs_direction direction, struct gws_rank_bfs_result *result,
                        struct gws_diagnostic *where)
{
    return GWS__RANKS_CALL(runtime, graph->transport, where,
                           rank_bfs(runtime, graph, source, direction, result, where));
}
