/* SPDX-License-Identifier: MIT */
/* Scatters arcs into buckets (build.h). A piece has the same edges in the same order in both passes. Pieces may be
 * large, so their loops ask the cancel hook too; gws_parallel_try() then reports that the call is cancelled. */
#include "build.h"

#include <string.h>

#include "../parallel.h"

enum {
    max_low_bits = 16,
    max_bucket_arcs = 1 << 16, /* the sort needs 1 MiB of scratch for them, which fits a second-level cache */
    min_bucket_arcs = 1 << 10, /* with smaller buckets, counting costs more than it saves */
    max_buckets = 1 << 12,     /* output streams that a scatter can write at once; max_low_bits may require more */
    buckets_a_worker = 32,     /* for load balance, and to keep the workers' scratch small relative to the graph */
    pieces_a_worker = 4,
    min_piece_edges = 1 << 15
};

/* ---- plan ---- */

static void plan(struct gws__scatter *scatter)
{
    uint64_t vertices = scatter->source->vertices, workers = gws_runtime_workers(scatter->runtime);
    uint64_t arcs = scatter->source->count * (scatter->both ? 2 : 1);
    uint64_t size = gws_smaller(max_bucket_arcs, arcs / (buckets_a_worker * workers));
    if (size < min_bucket_arcs) size = min_bucket_arcs;
    uint64_t target_buckets = gws_smaller(arcs / size + 1, max_buckets);
    uint32_t shift = 0;
    while (shift < max_low_bits && (vertices >> shift) > target_buckets) ++shift;
    scatter->shift = shift;
    scatter->buckets = (vertices + (UINT64_C(1) << shift) - 1) >> shift;
    scatter->pieces = gws_smaller(scatter->source->count / min_piece_edges + 1, pieces_a_worker * workers);
}

static void open_piece(const struct gws__scatter *scatter, struct gws__edge_cursor *cursor, uint64_t piece)
{
    uint64_t each = scatter->source->count / scatter->pieces, rest = scatter->source->count % scatter->pieces;
    uint64_t begin = piece * each + gws_smaller(piece, rest);
    gws__edge_cursor_open(cursor, scatter->source, begin, begin + each + (piece < rest));
}

/* ---- the first pass ---- */

static bool count_block(const struct gws__scatter *scatter, const struct gws_edge_block *block, uint64_t *count)
{
    uint64_t vertices = scatter->source->vertices, targets = gws__edge_source_targets(scatter->source);
    uint32_t shift = scatter->shift;
    bool both = scatter->both, keep_loops = !scatter->drop_loops;
    for (uint64_t i = 0; i < block->count; ++i) {
        struct gws_edge edge = block->edge[i];
        if (edge.from >= vertices || edge.to >= targets) return false;
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
        struct gws__edge_cursor cursor;
        struct gws_edge_block block;
        uint64_t *count = scatter->place + piece * scatter->buckets;
        bool good = true;
        memset(count, 0, scatter->buckets * sizeof *count);
        open_piece(scatter, &cursor, piece);
        while (good && !gws_cancelled(scatter->runtime) && gws__edge_cursor_next(&cursor, &block))
            good = count_block(scatter, &block, count);
        /* relaxed, for both flags: the caller reads the flags after the loop's barrier. */
        if (!good) atomic_store_explicit(&scatter->out_of_range, true, memory_order_relaxed);
        if (cursor.not_finite) atomic_store_explicit(&scatter->not_finite, true, memory_order_relaxed);
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
    scatter->window = 0;
    scatter->window_end = scatter->buckets;
}

gws_status gws__scatter_count(struct gws__scatter *scatter)
{
    plan(scatter);
    atomic_init(&scatter->out_of_range, false);
    atomic_init(&scatter->not_finite, false);
    scatter->place = gws_allocate(scatter->runtime, scatter->pieces * scatter->buckets, sizeof *scatter->place);
    scatter->start = gws_allocate(scatter->runtime, scatter->buckets + 1, sizeof *scatter->start);
    if (!scatter->place || !scatter->start) return GWS_NO_MEMORY;
    struct gws_loop loop = {.count = scatter->pieces, .chunk = 1, .body = count_pieces, .context = scatter};
    gws_status status = gws_parallel_try(scatter->runtime, &loop);
    if (status != GWS_OK) return status;
    if (atomic_load_explicit(&scatter->out_of_range, memory_order_relaxed)) return GWS_OUT_OF_RANGE;
    if (atomic_load_explicit(&scatter->not_finite, memory_order_relaxed)) return GWS_INVALID;
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
                             const int32_t *weight, bool windowed)
{
    const uint64_t bucket = arc.from >> scatter->shift;
    if (windowed && bucket - scatter->window >= scatter->window_end - scatter->window) return;
    const uint64_t at = place[bucket]++ - (windowed ? scatter->start[scatter->window] : 0);
    if (weight) scatter->weight[at] = *weight;
    scatter->target[at] = arc.to;
    scatter->low[at] = (uint16_t)(arc.from & ((UINT32_C(1) << scatter->shift) - 1));
}

/* Scatters a block. The compiler makes an instance for each call's constants. */
static inline __attribute__((always_inline)) void move_edges(const struct gws__scatter *all,
                                                             const struct gws_edge_block *block, uint64_t *place,
                                                             bool weighted, bool windowed)
{
    struct gws__scatter scatter = *all; /* a copy, which stores cannot alias */
    for (uint64_t i = 0; i < block->count; ++i) {
        struct gws_edge edge = block->edge[i], back = {edge.to, edge.from};
        const int32_t *weight = weighted ? &block->weight[i] : NULL;
        if (edge.from == edge.to && scatter.drop_loops) continue;
        write_arc(&scatter, place, edge, weight, windowed);
        if (scatter.both && edge.from != edge.to) write_arc(&scatter, place, back, weight, windowed);
    }
}

static void move_pieces(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__scatter *scatter = context;
    const bool windowed = scatter->window_end - scatter->window < scatter->buckets;
    (void)worker;
    for (uint64_t piece = begin; piece < end; ++piece) {
        struct gws__edge_cursor cursor;
        struct gws_edge_block block;
        uint64_t *place = scatter->place + piece * scatter->buckets;
        open_piece(scatter, &cursor, piece);
        while (!gws_cancelled(scatter->runtime) && gws__edge_cursor_next(&cursor, &block)) {
            if (block.weight)
                move_edges(scatter, &block, place, true, false);
            else if (windowed)
                move_edges(scatter, &block, place, false, true);
            else
                move_edges(scatter, &block, place, false, false);
        }
    }
}

gws_status gws__scatter_move(struct gws__scatter *scatter)
{
    struct gws_loop loop = {.count = scatter->pieces, .chunk = 1, .body = move_pieces, .context = scatter};
    return gws_parallel_try(scatter->runtime, &loop);
}
