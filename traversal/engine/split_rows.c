/* SPDX-License-Identifier: MIT */
/* Choosing what a device keeps of a graph's rows (split_rows.h), and writing both parts of each row where they
 * belong: the workers share blocks of rows, each of which begins at a place that is known. */
#include "split_rows.h"

#include <string.h>

#include "device_graph.h"
#include "engine.h"

enum { grain = 4 /* blocks */ };

/* The first vertex of a block; behind the last one, the number of vertices. */
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
    if (!rows->base) return gws__device_status(GWS_NO_MEMORY, where);
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
        uint64_t kept = 0;
        for (uint64_t v = first_of(rows, b), last = first_of(rows, b + 1); v < last; v++)
            kept += gws__split_rows_cached(rows, v);
        rows->base[b] = kept;
    }
}

/* Words that are kept as it is chosen now; those of each block in base. */
static uint64_t sum(struct gws_runtime *runtime, struct gws__split_rows *rows)
{
    uint64_t kept = 0;
    gws__engine_uncounted(runtime, rows->blocks, grain, sum_blocks, rows);
    for (uint64_t b = 0; b < rows->blocks; b++) kept += rows->base[b];
    return kept;
}

/* What is left of the room goes to the last vertices: *from falls as long as what it adds fits. */
static void keep_from(struct gws_runtime *runtime, struct gws__split_rows *rows, uint64_t *from, uint64_t *room)
{
    uint64_t vertices = rows->graph->vertices, *without = rows->base + rows->blocks, block = rows->blocks;
    *from = vertices;
    (void)sum(runtime, rows);
    memcpy(without, rows->base, rows->blocks * sizeof *without);
    *from = 0;
    (void)sum(runtime, rows);
    for (; block > 0 && rows->base[block - 1] - without[block - 1] <= *room; block--)
        *room -= rows->base[block - 1] - without[block - 1];
    for (uint64_t v = first_of(rows, block); v > 0; v--) {
        *from = v - 1;
        uint64_t more = gws__split_rows_cached(rows, v - 1);
        *from = v;
        more -= gws__split_rows_cached(rows, v - 1);
        if (more > *room) return;
        *room -= more;
    }
    *from = 0;
}

/* Moves *bound, one of the rows' own, from where they fit towards `to`, as far as there is room. False: all the way. */
static bool keep_up_to(struct gws_runtime *runtime, struct gws__split_rows *rows, uint64_t *bound, uint64_t to,
                       uint64_t *room)
{
    uint64_t fits = *bound, not = to, limit = sum(runtime, rows) + *room;
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
    *room = limit - sum(runtime, rows);
    return !all;
}

void gws__split_rows_cache_heads(struct gws_runtime *runtime, struct gws__split_rows *rows, uint64_t max,
                                 uint64_t *room)
{
    if (keep_up_to(runtime, rows, &rows->head, max, room)) keep_from(runtime, rows, &rows->head_from, room);
}

/* No row is longer than all arcs. */
void gws__split_rows_cache_hubs(struct gws_runtime *runtime, struct gws__split_rows *rows, uint64_t *room)
{
    if (rows->hub > rows->graph->arcs) rows->hub = rows->graph->arcs;
    if (keep_up_to(runtime, rows, &rows->hub, 0, room)) keep_from(runtime, rows, &rows->hub_from, room);
}

void gws__split_rows_cache_small(struct gws_runtime *runtime, struct gws__split_rows *rows, uint64_t *room)
{
    uint64_t all = rows->graph->arcs < gws__row_all ? rows->graph->arcs + 1 : gws__row_all;
    if (keep_up_to(runtime, rows, &rows->small, all, room)) keep_from(runtime, rows, &rows->small_from, room);
}

/* ---- where ---- */

static void place_blocks(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    struct gws__split_rows *rows = context;
    uint64_t touched = 0, whole = 0;
    for (uint64_t b = begin; b < end; b++) {
        uint64_t *of_block = rows->base + (b + 1) * gws__row_parts, kept = 0, first = first_of(rows, b);
        uint64_t last = first_of(rows, b + 1);
        for (uint64_t v = first; v < last; v++) {
            kept += gws__split_rows_cached(rows, v);
            touched += gws__split_rows_cached(rows, v) > 0;
            whole += gws__split_rows_cached(rows, v) > 0 &&
                     gws__split_rows_cached(rows, v) == gws__split_rows_length(rows, v);
        }
        of_block[gws__row_on_device] = kept;
        of_block[gws__row_on_host] = rows->graph->offset[last] - rows->graph->offset[first] - kept;
    }
    atomic_fetch_add_explicit(&rows->touched, touched, memory_order_relaxed); /* both are read after the loop */
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

struct writing {
    const struct gws__split_rows *rows;
    uint64_t first;      /* block */
    uint64_t begin, end; /* words of the part that are wanted */
    uint32_t part;
    uint64_t *bound;
    uint32_t *to;
};

static void write_bounds(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    const struct writing *writing = context;
    const struct gws__split_rows *rows = writing->rows;
    for (uint64_t b = writing->first + begin; b < writing->first + end; b++) {
        uint64_t *to = writing->bound + (b - writing->first) * SPLIT_ROWS_BLOCK;
        uint64_t kept = rows->base[b * gws__row_parts + gws__row_on_device];
        uint64_t rest = rows->base[b * gws__row_parts + gws__row_on_host];
        for (uint64_t v = first_of(rows, b); v < first_of(rows, b + 1); v++) {
            *to++ = rest << 32 | (uint32_t)kept;
            kept += gws__split_rows_cached(rows, v);
            rest += gws__split_rows_length(rows, v) - gws__split_rows_cached(rows, v);
        }
        if (b + 1 == rows->blocks) *to = rest << 32 | (uint32_t)kept;
    }
}

void gws__split_rows_bounds(struct gws_runtime *runtime, const struct gws__split_rows *rows, uint64_t begin,
                            uint64_t end, uint64_t *to)
{
    struct writing writing = {.rows = rows, .first = begin, .bound = to};
    gws__engine_uncounted(runtime, end - begin, grain, write_bounds, &writing);
}

/* Of a row's part, that begins at `at` and is at *from, what is wanted. */
static void copy_words(const struct writing *writing, uint64_t at, uint64_t length, const uint32_t *from)
{
    uint64_t begin = at > writing->begin ? at : writing->begin;
    uint64_t end = at + length < writing->end ? at + length : writing->end;
    if (begin < end) memcpy(writing->to + (begin - writing->begin), from + (begin - at), (end - begin) * sizeof *from);
}

static void write_words(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    const struct writing *writing = context;
    const struct gws__split_rows *rows = writing->rows;
    for (uint64_t b = writing->first + begin; b < writing->first + end; b++) {
        uint64_t at = rows->base[b * gws__row_parts + writing->part];
        for (uint64_t v = first_of(rows, b); v < first_of(rows, b + 1); v++) {
            const uint32_t *row = rows->graph->target + rows->graph->offset[v];
            uint64_t kept = gws__split_rows_cached(rows, v),
                     length = writing->part == gws__row_on_device ? kept : gws__split_rows_length(rows, v) - kept;
            copy_words(writing, at, length, writing->part == gws__row_on_device ? row : row + kept);
            at += length;
        }
    }
}

/* The last block that begins at or before that word of a part. */
static uint64_t block_at(const struct gws__split_rows *rows, uint32_t part, uint64_t word)
{
    uint64_t low = 0, high = rows->blocks;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (rows->base[middle * gws__row_parts + part] <= word)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void gws__split_rows_words(struct gws_runtime *runtime, const struct gws__split_rows *rows, uint32_t part,
                           uint64_t begin, uint64_t end, uint32_t *to)
{
    if (begin >= end) return;
    struct writing writing = {.rows = rows, .begin = begin, .end = end, .part = part, .to = to};
    writing.first = block_at(rows, part, begin);
    gws__engine_uncounted(runtime, block_at(rows, part, end - 1) + 1 - writing.first, grain, write_words, &writing);
}
