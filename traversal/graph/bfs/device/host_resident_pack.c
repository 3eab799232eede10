/* SPDX-License-Identifier: MIT */
/* Where the two parts of each row lie that bfs_bridge_rows.h tells of, and writing them there: the workers share blocks
 * of rows, each of which begins at a place that is known. */
#include <stdatomic.h>
#include <string.h>

#include "../state.h"
#include "host_resident_rows.h"

enum { grain = 4 /* blocks */ };

gws_status gws__bridge_rows_open(struct gws_runtime *runtime, const struct gws_graph *graph,
                                 struct gws__bridge_rows *rows, struct gws_where *where)
{
    uint64_t vertices = graph->vertices;
    *rows = (struct gws__bridge_rows){.graph = graph, .head_from = vertices, .hub = gws__bridge_all};
    rows->hub_from = rows->small_from = vertices;
    rows->blocks = (vertices + BRIDGE_BLOCK - 1) / BRIDGE_BLOCK;
    rows->base = gws_allocate(runtime, rows->blocks + 1, gws__bridge_parts * sizeof *rows->base);
    if (!rows->base) return gws_where_set(where, GWS_NO_MEMORY, NULL, 0, 0, "out of memory");
    for (uint64_t b = 0; b < rows->blocks; b++) {
        uint64_t first = gws__bridge_rows_vertex(rows, b), end = gws__bridge_rows_vertex(rows, b + 1);
        if (graph->offset[end] - graph->offset[first] >= BRIDGE_BLOCK_ARCS)
            return gws_where_set(where, GWS_TOO_LARGE, NULL, 0, 0, "vertices %llu to %llu have 2^31 arcs or more",
                                 (unsigned long long)first, (unsigned long long)end - 1);
    }
    return GWS_OK;
}

void gws__bridge_rows_close(struct gws_runtime *runtime, struct gws__bridge_rows *rows)
{
    gws_release(runtime, rows->base, rows->blocks + 1, gws__bridge_parts * sizeof *rows->base);
    *rows = (struct gws__bridge_rows){0};
}

/* ---- where ---- */

/* A row's parts. */
struct parts {
    uint64_t length[gws__bridge_parts];
};

static struct parts parts_of(const struct gws__bridge_rows *rows, uint64_t vertex)
{
    uint64_t kept = gws__bridge_rows_kept(rows, vertex);
    return (struct parts){{kept, gws__bridge_rows_length(rows, vertex) - kept}};
}

static void sum_blocks(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    struct gws__bridge_rows *rows = context;
    uint64_t touched = 0, whole = 0;
    for (uint64_t b = begin; b < end; b++) {
        uint64_t *of_block = rows->base + (b + 1) * gws__bridge_parts;
        of_block[gws__bridge_kept] = of_block[gws__bridge_rest] = 0;
        for (uint64_t v = gws__bridge_rows_vertex(rows, b); v < gws__bridge_rows_vertex(rows, b + 1); v++) {
            struct parts parts = parts_of(rows, v);
            of_block[gws__bridge_kept] += parts.length[gws__bridge_kept];
            of_block[gws__bridge_rest] += parts.length[gws__bridge_rest];
            touched += parts.length[gws__bridge_kept] > 0;
            whole += parts.length[gws__bridge_kept] > 0 && parts.length[gws__bridge_rest] == 0;
        }
    }
    atomic_fetch_add_explicit(&rows->touched, touched, memory_order_relaxed); /* both are read after the loop */
    atomic_fetch_add_explicit(&rows->whole, whole, memory_order_relaxed);
}

void gws__bridge_rows_place(struct gws_runtime *runtime, struct gws__bridge_rows *rows)
{
    gws__bfs_aside_for(runtime, rows->blocks, grain, sum_blocks, rows);
    rows->base[gws__bridge_kept] = rows->base[gws__bridge_rest] = 0;
    for (uint64_t i = gws__bridge_parts; i < (rows->blocks + 1) * gws__bridge_parts; i++)
        rows->base[i] += rows->base[i - gws__bridge_parts];
}

/* ---- writing ---- */

struct writing {
    const struct gws__bridge_rows *rows;
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
    const struct gws__bridge_rows *rows = writing->rows;
    for (uint64_t b = writing->first + begin; b < writing->first + end; b++) {
        uint64_t *to = writing->bound + (b - writing->first) * BRIDGE_BLOCK;
        uint64_t kept = rows->base[b * gws__bridge_parts + gws__bridge_kept];
        uint64_t rest = rows->base[b * gws__bridge_parts + gws__bridge_rest];
        for (uint64_t v = gws__bridge_rows_vertex(rows, b); v < gws__bridge_rows_vertex(rows, b + 1); v++) {
            struct parts parts = parts_of(rows, v);
            *to++ = rest << 32 | (uint32_t)kept;
            kept += parts.length[gws__bridge_kept];
            rest += parts.length[gws__bridge_rest];
        }
        if (b + 1 == rows->blocks) *to = rest << 32 | (uint32_t)kept;
    }
}

void gws__bridge_rows_bounds(struct gws_runtime *runtime, const struct gws__bridge_rows *rows, uint64_t begin,
                             uint64_t end, uint64_t *to)
{
    struct writing writing = {.rows = rows, .first = begin, .bound = to};
    gws__bfs_aside_for(runtime, end - begin, grain, write_bounds, &writing);
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
    const struct gws__bridge_rows *rows = writing->rows;
    for (uint64_t b = writing->first + begin; b < writing->first + end; b++) {
        uint64_t at = rows->base[b * gws__bridge_parts + writing->part];
        for (uint64_t v = gws__bridge_rows_vertex(rows, b); v < gws__bridge_rows_vertex(rows, b + 1); v++) {
            struct parts parts = parts_of(rows, v);
            const uint32_t *row = rows->graph->target + rows->graph->offset[v];
            if (writing->part == gws__bridge_rest) row += parts.length[gws__bridge_kept];
            copy_words(writing, at, parts.length[writing->part], row);
            at += parts.length[writing->part];
        }
    }
}

/* The last block that begins at or before that word of a part. */
static uint64_t block_at(const struct gws__bridge_rows *rows, uint32_t part, uint64_t word)
{
    uint64_t low = 0, high = rows->blocks;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (rows->base[middle * gws__bridge_parts + part] <= word)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void gws__bridge_rows_words(struct gws_runtime *runtime, const struct gws__bridge_rows *rows, uint32_t part,
                            uint64_t begin, uint64_t end, uint32_t *to)
{
    if (begin >= end) return;
    struct writing writing = {.rows = rows, .begin = begin, .end = end, .part = part, .to = to};
    writing.first = block_at(rows, part, begin);
    gws__bfs_aside_for(runtime, block_at(rows, part, end - 1) + 1 - writing.first, grain, write_words, &writing);
}
