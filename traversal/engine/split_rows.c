/* SPDX-License-Identifier: MIT */
/* Chooses the part of a graph's rows that a device caches (split_rows.h), and writes both parts of each row. The
 * workers share blocks of rows, each of which begins at a known position. */
#include "split_rows.h"

#include <string.h>

#include "device_graph.h"
#include "engine.h"

enum { grain = 4 /* blocks */ };

/* Returns the first vertex of a block, or the number of vertices for the block after the last one. */
static uint64_t first_of(const struct gws__split_rows *rows, uint64_t block)
{
    uint64_t vertex = block * SPLIT_ROWS_BLOCK;
    return vertex < rows->graph->vertices ? vertex : rows->graph->vertices;
}

gws_status gws__split_rows_open(struct gws_runtime *runtime, const struct gws_graph *graph,
                                struct gws__split_rows *rows, struct gws_diagnostic *where)
{
    uint64_t vertices = graph->vertices;
    *rows = (struct gws__split_rows){.graph = graph, .head_from = vertices, .hub = gws__row_all};
    rows->hub_from = rows->small_from = vertices;
    rows->blocks = (vertices + SPLIT_ROWS_BLOCK - 1) / SPLIT_ROWS_BLOCK;
    rows->base = gws_allocate(runtime, rows->blocks + 1, gws__row_parts * sizeof *rows->base);
    if (!rows->base) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    for (uint64_t b = 0; b < rows->blocks; b++) {
        uint64_t first = first_of(rows, b), end = first_of(rows, b + 1);
        if (graph->offset[end] - graph->offset[first] >= SPLIT_ROWS_ARCS)
            return gws_diagnostic_set(where, GWS_TOO_LARGE, NULL, 0, 0, "vertices %llu to %llu have 2^31 arcs or more",
                                      (unsigned long long)first, (unsigned long long)end - 1);
    }
    return GWS_OK;
}

void gws__split_rows_close(struct gws_runtime *runtime, struct gws__split_rows *rows)
{
    gws_release(runtime, rows->base, rows->blocks + 1, gws__row_parts * sizeof *rows->base);
    *rows = (struct gws__split_rows){0};
}

/* ---- choosing ---- */

static void sum_blocks(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    struct gws__split_rows *rows = context;
    for (uint64_t b = begin; b < end; b++) {
        uint64_t cached = 0;
        for (uint64_t v = first_of(rows, b), last = first_of(rows, b + 1); v < last; v++)
            cached += gws__split_rows_cached(rows, v);
        rows->base[b] = cached;
    }
}

/* Returns the number of words that the current choice caches. Writes the number of each block to base. */
static uint64_t sum(struct gws_runtime *runtime, struct gws__split_rows *rows)
{
    uint64_t cached = 0;
    gws__engine_uncounted(runtime, rows->blocks, grain, sum_blocks, rows);
    for (uint64_t b = 0; b < rows->blocks; b++) cached += rows->base[b];
    return cached;
}

/* Gives the remaining capacity to the last vertices. Lowers *from while the added words fit. */
static void cache_from(struct gws_runtime *runtime, struct gws__split_rows *rows, uint64_t *from, uint64_t *capacity)
{
    uint64_t vertices = rows->graph->vertices, *without = rows->base + rows->blocks, block = rows->blocks;
    *from = vertices;
    (void)sum(runtime, rows);
    memcpy(without, rows->base, rows->blocks * sizeof *without);
    *from = 0;
    (void)sum(runtime, rows);
    for (; block > 0 && rows->base[block - 1] - without[block - 1] <= *capacity; block--)
        *capacity -= rows->base[block - 1] - without[block - 1];
    for (uint64_t v = first_of(rows, block); v > 0; v--) {
        *from = v - 1;
        uint64_t extra = gws__split_rows_cached(rows, v - 1);
        *from = v;
        extra -= gws__split_rows_cached(rows, v - 1);
        if (extra > *capacity) return;
        *capacity -= extra;
    }
    *from = 0;
}

/* Moves *bound, a field of rows, towards `to` as far as the capacity allows. The initial value must fit. Returns false
 * if *bound reached `to`. */
static bool cache_up_to(struct gws_runtime *runtime, struct gws__split_rows *rows, uint64_t *bound, uint64_t to,
                        uint64_t *capacity)
{
    uint64_t fits = *bound, not = to, limit = sum(runtime, rows) + *capacity;
    *bound = to;
    bool all = sum(runtime, rows) <= limit;
    while (!all && (fits > not ? fits - not : not -fits) > 1) {
        *bound = fits / 2 + not / 2 + (fits & not &1);
        if (sum(runtime, rows) <= limit)
            fits = *bound;
        else
            not = *bound;
    }
    if (!all) *bound = fits;
    *capacity = limit - sum(runtime, rows);
    return !all;
}

void gws__split_rows_cache_heads(struct gws_runtime *runtime, struct gws__split_rows *rows, uint64_t max,
                                 uint64_t *capacity)
{
    if (cache_up_to(runtime, rows, &rows->head, max, capacity)) cache_from(runtime, rows, &rows->head_from, capacity);
}

/* Lowers `hub` from the number of all arcs, since no row is longer. */
void gws__split_rows_cache_hubs(struct gws_runtime *runtime, struct gws__split_rows *rows, uint64_t *capacity)
{
    if (rows->hub > rows->graph->arcs) rows->hub = rows->graph->arcs;
    if (cache_up_to(runtime, rows, &rows->hub, 0, capacity)) cache_from(runtime, rows, &rows->hub_from, capacity);
}

void gws__split_rows_cache_small(struct gws_runtime *runtime, struct gws__split_rows *rows, uint64_t *capacity)
{
    uint64_t all = rows->graph->arcs < gws__row_all ? rows->graph->arcs + 1 : gws__row_all;
    if (cache_up_to(runtime, rows, &rows->small, all, capacity)) cache_from(runtime, rows, &rows->small_from, capacity);
}

/* ---- layout ---- */

static void place_blocks(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    struct gws__split_rows *rows = context;
    uint64_t touched = 0, whole = 0;
    for (uint64_t b = begin; b < end; b++) {
        uint64_t *of_block = rows->base + (b + 1) * gws__row_parts, cached = 0, first = first_of(rows, b);
        uint64_t last = first_of(rows, b + 1);
        for (uint64_t v = first; v < last; v++) {
            cached += gws__split_rows_cached(rows, v);
            touched += gws__split_rows_cached(rows, v) > 0;
            whole += gws__split_rows_cached(rows, v) > 0 &&
                     gws__split_rows_cached(rows, v) == gws__split_rows_length(rows, v);
        }
        of_block[gws__row_on_device] = cached;
        of_block[gws__row_on_host] = rows->graph->offset[last] - rows->graph->offset[first] - cached;
    }
    atomic_fetch_add_explicit(&rows->touched, touched,
                              memory_order_relaxed); /* relaxed: the caller reads both counts after the loop */
    atomic_fetch_add_explicit(&rows->whole, whole, memory_order_relaxed);
}

void gws__split_rows_layout(struct gws_runtime *runtime, struct gws__split_rows *rows)
{
    gws__engine_uncounted(runtime, rows->blocks, grain, place_blocks, rows);
    rows->base[gws__row_on_device] = rows->base[gws__row_on_host] = 0;
    for (uint64_t i = gws__row_parts; i < (rows->blocks + 1) * gws__row_parts; i++)
        rows->base[i] += rows->base[i - gws__row_parts];
}

/* ---- writing ---- */

struct split_writer {
    const struct gws__split_rows *rows;
    uint64_t first;      /* the first block */
    uint64_t begin, end; /* the words of the part that the loop writes */
    uint32_t part;
    uint64_t *bound;
    uint32_t *to;
};

static void write_bounds(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    const struct split_writer *writing = context;
    const struct gws__split_rows *rows = writing->rows;
    for (uint64_t b = writing->first + begin; b < writing->first + end; b++) {
        uint64_t *to = writing->bound + (b - writing->first) * SPLIT_ROWS_BLOCK;
        uint64_t cached = rows->base[b * gws__row_parts + gws__row_on_device];
        uint64_t rest = rows->base[b * gws__row_parts + gws__row_on_host];
        for (uint64_t v = first_of(rows, b); v < first_of(rows, b + 1); v++) {
            *to++ = rest << 32 | (uint32_t)cached;
            cached += gws__split_rows_cached(rows, v);
            rest += gws__split_rows_length(rows, v) - gws__split_rows_cached(rows, v);
        }
        if (b + 1 == rows->blocks) *to = rest << 32 | (uint32_t)cached;
    }
}

void gws__split_rows_bounds(struct gws_runtime *runtime, const struct gws__split_rows *rows, uint64_t begin,
                            uint64_t end, uint64_t *to)
{
    struct split_writer writing = {.rows = rows, .first = begin, .bound = to};
    gws__engine_uncounted(runtime, end - begin, grain, write_bounds, &writing);
}

/* Copies the requested words of one row's part. The part begins at word `at`, and its words lie at *from. */
static void copy_words(const struct split_writer *writing, uint64_t at, uint64_t length, const uint32_t *from)
{
    uint64_t begin = at > writing->begin ? at : writing->begin;
    uint64_t end = at + length < writing->end ? at + length : writing->end;
    if (begin < end) memcpy(writing->to + (begin - writing->begin), from + (begin - at), (end - begin) * sizeof *from);
}

static void write_words(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    const struct split_writer *writing = context;
    const struct gws__split_rows *rows = writing->rows;
    for (uint64_t b = writing->first + begin; b < writing->first + end; b++) {
        uint64_t at = rows->base[b * gws__row_parts + writing->part];
        for (uint64_t v = first_of(rows, b); v < first_of(rows, b + 1); v++) {
            const uint32_t *row = rows->graph->target + rows->graph->offset[v];
            uint64_t cached = gws__split_rows_cached(rows, v),
                     length = writing->part == gws__row_on_device ? cached : gws__split_rows_length(rows, v) - cached;
            copy_words(writing, at, length, writing->part == gws__row_on_device ? row : row + cached);
            at += length;
        }
    }
}

/* Returns the last block that begins at or before a word of a part. */
static uint64_t block_at(const struct gws__split_rows *rows, uint32_t part, uint64_t word)
{
    return gws_bounds_find(rows->base + part, gws__row_parts, rows->blocks, word);
}

void gws__split_rows_words(struct gws_runtime *runtime, const struct gws__split_rows *rows, uint32_t part,
                           uint64_t begin, uint64_t end, uint32_t *to)
{
    if (begin >= end) return;
    struct split_writer writing = {.rows = rows, .begin = begin, .end = end, .part = part, .to = to};
    writing.first = block_at(rows, part, begin);
    gws__engine_uncounted(runtime, block_at(rows, part, end - 1) + 1 - writing.first, grain, write_words, &writing);
}
