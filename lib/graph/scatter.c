/* SPDX-License-Identifier: MIT */
/* Scatters arcs into buckets; see build.h. The same piece has the same edges in the same order in both passes. */
#include "build.h"

#include <string.h>

#include "../parallel.h"

enum {
    max_low_bits = 16,
    max_bucket_arcs = 1 << 16, /* sorted through 1 MiB of scratch, which fits a second-level cache */
    min_bucket_arcs = 1 << 10, /* with smaller buckets, counting costs more than it saves */
    max_buckets = 1 << 12,     /* output streams that a scatter can write at once; max_low_bits may require more */
    buckets_a_worker = 32,     /* for load balance, and to keep the workers' scratch small relative to the graph */
    pieces_a_worker = 4,
    min_piece_edges = 1 << 15
};

/* ---- edge sources ----
 *
 * A cursor returns the caller's edge blocks without copying. It copies the arcs of a graph to its buffer, a few
 * kilobytes at a time, so the build handles one kind of input only. */

gws_status gws__edge_source_of_edges(const struct gws_edges *edges, struct gws__edge_source *source)
{
    if (edges->vertices > GWS_NO_VERTEX) return GWS_TOO_LARGE;
    uint64_t count = 0, weighted = 0, filled = 0;
    for (uint64_t i = 0; i < edges->blocks; ++i) {
        const struct gws_edge_block *block = &edges->block[i];
        if (block->count > UINT64_MAX / 32 - count) return GWS_TOO_LARGE;
        count += block->count;
        filled += block->count != 0;
        weighted += block->count != 0 && block->weight;
    }
    if (weighted != 0 && weighted != filled) return GWS_INVALID;
    *source = (struct gws__edge_source){
        .vertices = edges->vertices, .count = count, .weighted = weighted != 0, .edges = edges};
    return GWS_OK;
}

struct gws__edge_source gws__edge_source_of_graph(const struct gws_graph *graph)
{
    return (struct gws__edge_source){
        .vertices = graph->vertices, .count = graph->arcs, .weighted = graph->weight != NULL, .graph = graph};
}

enum { cursor_edges = 1024 };

/* A position in an edge source; private to one worker. */
struct edge_cursor {
    const struct gws__edge_source *source;
    uint64_t at, end;                   /* the remaining edges */
    uint64_t part;                      /* block or row of edge `at` */
    uint64_t part_begin;                /* number of that block's first edge; unused with rows */
    struct gws_edge edge[cursor_edges]; /* arcs of a graph */
    int32_t weight[cursor_edges];
};

static uint64_t row_of(const struct gws_graph *graph, uint64_t arc)
{
    uint64_t low = 0, high = graph->vertices;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (graph->offset[middle] <= arc)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Moves to edges begin .. end - 1. */
static void open_cursor(struct edge_cursor *cursor, const struct gws__edge_source *source, uint64_t begin, uint64_t end)
{
    cursor->source = source;
    cursor->at = begin;
    cursor->end = end;
    cursor->part = 0;
    cursor->part_begin = 0;
    if (begin == end) return;
    if (!source->edges) {
        cursor->part = row_of(source->graph, begin);
        return;
    }
    while (begin - cursor->part_begin >= source->edges->block[cursor->part].count)
        cursor->part_begin += source->edges->block[cursor->part++].count;
}

static void next_of_edges(struct edge_cursor *cursor, struct gws_edge_block *block)
{
    const struct gws_edge_block *whole = &cursor->source->edges->block[cursor->part];
    uint64_t skip = cursor->at - cursor->part_begin;
    uint64_t count = whole->count - skip;
    if (count > cursor->end - cursor->at) count = cursor->end - cursor->at;
    block->edge = whole->edge + skip;
    block->weight = whole->weight ? whole->weight + skip : NULL;
    block->count = count;
    cursor->at += count;
    if (skip + count == whole->count) {
        cursor->part_begin += whole->count;
        ++cursor->part;
    }
}

/* Appends arcs at .. end - 1 of row `row` to the `filled` ones in the buffer; returns the new number. */
static uint64_t write_arcs(struct edge_cursor *cursor, uint64_t row, uint64_t end, uint64_t filled)
{
    const struct gws__edge_source *source = cursor->source;
    const struct gws_graph *graph = source->graph;
    uint32_t from = source->new_of_old ? source->new_of_old[row] : (uint32_t)row;
    if (from == GWS_NO_VERTEX) return filled;
    for (uint64_t arc = cursor->at; arc < end; ++arc) {
        uint32_t to = source->new_of_old ? source->new_of_old[graph->target[arc]] : graph->target[arc];
        cursor->edge[filled] = source->reversed ? (struct gws_edge){to, from} : (struct gws_edge){from, to};
        if (graph->weight) cursor->weight[filled] = graph->weight[arc];
        filled += to != GWS_NO_VERTEX;
    }
    return filled;
}

static void next_of_graph(struct edge_cursor *cursor, struct gws_edge_block *block)
{
    const struct gws_graph *graph = cursor->source->graph;
    uint64_t filled = 0;
    while (cursor->at < cursor->end && filled < cursor_edges) {
        while (graph->offset[cursor->part + 1] <= cursor->at) ++cursor->part;
        uint64_t end = graph->offset[cursor->part + 1];
        if (end > cursor->end) end = cursor->end;
        if (end - cursor->at > cursor_edges - filled) end = cursor->at + cursor_edges - filled;
        filled = write_arcs(cursor, cursor->part, end, filled);
        cursor->at = end;
    }
    *block =
        (struct gws_edge_block){.edge = cursor->edge, .weight = graph->weight ? cursor->weight : NULL, .count = filled};
}

/* Returns the next block; false at the end. A block is valid until the next call and may be empty. */
static bool next_block(struct edge_cursor *cursor, struct gws_edge_block *block)
{
    if (cursor->at == cursor->end) return false;
    if (cursor->source->edges)
        next_of_edges(cursor, block);
    else
        next_of_graph(cursor, block);
    return true;
}

/* ---- plan ---- */

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static void plan(struct gws__scatter *scatter)
{
    uint64_t vertices = scatter->source->vertices, workers = gws_runtime_workers(scatter->runtime);
    uint64_t arcs = scatter->source->count * (scatter->both ? 2 : 1);
    uint64_t size = smaller(max_bucket_arcs, arcs / (buckets_a_worker * workers));
    if (size < min_bucket_arcs) size = min_bucket_arcs;
    uint64_t target_buckets = smaller(arcs / size + 1, max_buckets);
    uint32_t shift = 0;
    while (shift < max_low_bits && (vertices >> shift) > target_buckets) ++shift;
    scatter->shift = shift;
    scatter->buckets = (vertices + (UINT64_C(1) << shift) - 1) >> shift;
    scatter->pieces = smaller(scatter->source->count / min_piece_edges + 1, pieces_a_worker * workers);
}

static void open_piece(const struct gws__scatter *scatter, struct edge_cursor *cursor, uint64_t piece)
{
    uint64_t each = scatter->source->count / scatter->pieces, rest = scatter->source->count % scatter->pieces;
    uint64_t begin = piece * each + smaller(piece, rest);
    open_cursor(cursor, scatter->source, begin, begin + each + (piece < rest));
}

/* ---- the first pass ---- */

static bool count_block(const struct gws__scatter *scatter, const struct gws_edge_block *block, uint64_t *count)
{
    uint64_t vertices = scatter->source->vertices;
    uint32_t shift = scatter->shift;
    bool both = scatter->both, keep_loops = !scatter->drop_loops;
    for (uint64_t i = 0; i < block->count; ++i) {
        struct gws_edge edge = block->edge[i];
        if (edge.from >= vertices || edge.to >= vertices) return false;
        if (edge.from == edge.to) {
            count[edge.from >> shift] += keep_loops;
            continue;
        }
        ++count[edge.from >> shift];
        if (both) ++count[edge.to >> shift];
    }
    return true;
}

static void count_pieces(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__scatter *scatter = context;
    (void)worker;
    for (uint64_t piece = begin; piece < end; ++piece) {
        struct edge_cursor cursor;
        struct gws_edge_block block;
        uint64_t *count = scatter->place + piece * scatter->buckets;
        bool good = true;
        memset(count, 0, scatter->buckets * sizeof *count);
        open_piece(scatter, &cursor, piece);
        while (good && next_block(&cursor, &block)) good = count_block(scatter, &block, count);
        /* relaxed: read after the loop's barrier. */
        if (!good) atomic_store_explicit(&scatter->out_of_range, true, memory_order_relaxed);
    }
}

static void sum_counts(struct gws__scatter *scatter)
{
    uint64_t sum = 0;
    for (uint64_t bucket = 0; bucket < scatter->buckets; ++bucket) {
        scatter->start[bucket] = sum;
        for (uint64_t piece = 0; piece < scatter->pieces; ++piece) {
            uint64_t *place = &scatter->place[piece * scatter->buckets + bucket], count = *place;
            *place = sum;
            sum += count;
        }
    }
    scatter->start[scatter->buckets] = scatter->arcs = sum;
}

gws_status gws__scatter_count(struct gws__scatter *scatter)
{
    plan(scatter);
    atomic_init(&scatter->out_of_range, false);
    scatter->place = gws_allocate(scatter->runtime, scatter->pieces * scatter->buckets, sizeof *scatter->place);
    scatter->start = gws_allocate(scatter->runtime, scatter->buckets + 1, sizeof *scatter->start);
    if (!scatter->place || !scatter->start) return GWS_NO_MEMORY;
    struct gws_loop loop = {.count = scatter->pieces, .chunk = 1, .body = count_pieces, .context = scatter};
    gws_parallel_run(scatter->runtime, &loop);
    if (atomic_load_explicit(&scatter->out_of_range, memory_order_relaxed)) return GWS_OUT_OF_RANGE;
    sum_counts(scatter);
    return GWS_OK;
}

void gws__scatter_clear(struct gws__scatter *scatter)
{
    gws_release(scatter->runtime, scatter->place, scatter->pieces * scatter->buckets, sizeof *scatter->place);
    gws_release(scatter->runtime, scatter->start, scatter->buckets + 1, sizeof *scatter->start);
    scatter->place = scatter->start = NULL;
}

/* ---- the second pass ---- */

static inline void write_arc(const struct gws__scatter *scatter, uint64_t *place, struct gws_edge arc,
                             const int32_t *weight)
{
    uint64_t at = place[arc.from >> scatter->shift]++;
    if (weight) scatter->weight[at] = *weight;
    scatter->target[at] = arc.to;
    scatter->low[at] = (uint16_t)(arc.from & ((UINT32_C(1) << scatter->shift) - 1));
}

/* A separate instance with and without weights. */
static inline __attribute__((always_inline)) void
move_edges(const struct gws__scatter *all, const struct gws_edge_block *block, uint64_t *place, bool weighted)
{
    struct gws__scatter scatter = *all; /* a copy, so that stores cannot alias it */
    for (uint64_t i = 0; i < block->count; ++i) {
        struct gws_edge edge = block->edge[i], back = {edge.to, edge.from};
        const int32_t *weight = weighted ? &block->weight[i] : NULL;
        if (edge.from == edge.to && scatter.drop_loops) continue;
        write_arc(&scatter, place, edge, weight);
        if (scatter.both && edge.from != edge.to) write_arc(&scatter, place, back, weight);
    }
}

static void move_pieces(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__scatter *scatter = context;
    (void)worker;
    for (uint64_t piece = begin; piece < end; ++piece) {
        struct edge_cursor cursor;
        struct gws_edge_block block;
        uint64_t *place = scatter->place + piece * scatter->buckets;
        open_piece(scatter, &cursor, piece);
        while (next_block(&cursor, &block)) {
            if (block.weight)
                move_edges(scatter, &block, place, true);
            else
                move_edges(scatter, &block, place, false);
        }
    }
}

void gws__scatter_move(struct gws__scatter *scatter)
{
    struct gws_loop loop = {.count = scatter->pieces, .chunk = 1, .body = move_pieces, .context = scatter};
    gws_parallel_run(scatter->runtime, &loop);
}
