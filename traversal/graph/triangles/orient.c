/* SPDX-License-Identifier: MIT */
/* Orients a graph by degree. Most arcs lead to hubs, so the rows of hubs get bitmaps of their targets below a bound.
 * The count reads a bitmap in vectors, but needs one probe per target for a list. Most targets of hubs are low ranks,
 * so a bitmap of some thousand bits covers most targets. */
#include <string.h>

#include "oriented.h"

enum {
    grain = 1 << 10,
    vector_cost = 2, /* cost of reading a vector, as a number of probes */
    max_vectors = gws__triangles_hubs / gws__triangles_vector_bits,
    min_words = 1 << 16, /* capacity of all bitmaps together, in words, or one word per vertex if that is more */
};

static bool is_neighbour(const struct gws_graph *graph, uint64_t vertex, uint64_t arc)
{
    uint32_t to = graph->target[arc];
    return to != vertex && (arc == graph->offset[vertex] || graph->target[arc - 1] != to);
}

/* ---- the lists ---- */

static void count_targets(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__oriented *oriented = context;
    const struct gws_graph *graph = oriented->graph;
    uint64_t wedges = 0;
    (void)worker;
    for (uint64_t v = begin; v < end; v++) {
        uint32_t rank = oriented->rank[v];
        uint64_t neighbours = 0, lower = 0;
        for (uint64_t a = graph->offset[v]; a < graph->offset[v + 1]; a++) {
            if (!is_neighbour(graph, v, a)) continue;
            neighbours++;
            lower += oriented->rank[graph->target[a]] < rank;
        }
        oriented->offset[rank] = lower;
        if (neighbours > 1) wedges += neighbours * (neighbours - 1) / 2;
    }
    /* relaxed: the caller reads the sum after the loop's barrier. */
    atomic_fetch_add_explicit(&oriented->wedges, wedges, memory_order_relaxed);
}

static void fill_targets(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__oriented *oriented = context;
    const struct gws_graph *graph = oriented->graph;
    (void)worker;
    for (uint64_t v = begin; v < end; v++) {
        uint32_t rank = oriented->rank[v], *target = oriented->target + oriented->offset[rank];
        for (uint64_t a = graph->offset[v]; a < graph->offset[v + 1]; a++) {
            uint32_t to = oriented->rank[graph->target[a]];
            if (to < rank && is_neighbour(graph, v, a)) *target++ = to;
        }
    }
}

static uint64_t sum_offsets(uint64_t *offset, uint64_t vertices)
{
    uint64_t sum = 0;
    for (uint64_t v = 0; v < vertices; v++) {
        uint64_t lower = offset[v];
        offset[v] = sum;
        sum += lower;
    }
    return offset[vertices] = sum;
}

static gws_status make_lists(struct gws__oriented *oriented)
{
    struct gws_runtime *runtime = oriented->runtime;
    uint64_t vertices = oriented->graph->vertices;
    oriented->rank = gws_allocate(runtime, vertices, sizeof *oriented->rank);
    oriented->offset = gws_allocate(runtime, vertices + 1, sizeof *oriented->offset);
    if (!oriented->rank || !oriented->offset) return GWS_NO_MEMORY;
    gws_status status = gws_graph_order(runtime, oriented->graph, GWS_ORDER_DEGREE, 0, oriented->rank);
    if (status != GWS_OK) return status;
    status = gws_parallel_try_for(runtime, vertices, grain, count_targets, oriented);
    if (status != GWS_OK) return status;
    uint64_t arcs = sum_offsets(oriented->offset, vertices);
    oriented->target = gws_allocate(runtime, arcs, sizeof *oriented->target);
    if (!oriented->target) return GWS_NO_MEMORY;
    return gws_parallel_try_for(runtime, vertices, grain, fill_targets, oriented);
}

/* ---- the bitmaps ---- */

/* Chooses for each bitmap the number of vectors that makes the row cheapest to read. */
static void plan_hubs(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__oriented *oriented = context;
    (void)worker;
    for (uint64_t v = begin; v < end; v++) {
        uint32_t in_vector[max_vectors] = {0}, covered = 0;
        for (uint64_t a = oriented->offset[v]; a < oriented->offset[v + 1]; a++)
            in_vector[oriented->target[a] / gws__triangles_vector_bits]++; /* all ranks below a hub are hubs */
        struct gws__triangles_hub best = {0};
        int64_t min = 0;
        for (uint32_t i = 0; i <= v / gws__triangles_vector_bits; i++) {
            covered += in_vector[i];
            int64_t cost = (int64_t)vector_cost * (i + 1) - covered;
            if (cost >= min) continue;
            min = cost;
            best = (struct gws__triangles_hub){.vectors = i + 1, .covered = covered};
        }
        oriented->hub[v] = best;
    }
}

static uint64_t sum_words(struct gws__oriented *oriented)
{
    uint64_t sum = 0, max = oriented->graph->vertices > min_words ? oriented->graph->vertices : min_words;
    for (uint32_t v = 0; v < oriented->hubs; v++) {
        uint64_t words = (uint64_t)oriented->hub[v].vectors * gws__triangles_vector;
        if (sum + words > max) words = oriented->hub[v].vectors = oriented->hub[v].covered = 0;
        oriented->hub[v].word = sum;
        sum += words;
    }
    return sum;
}

/* Sets the bits of covered targets, and moves covered targets to the front of the row. */
static void fill_hubs(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__oriented *oriented = context;
    (void)worker;
    for (uint64_t v = begin; v < end; v++) {
        const struct gws__triangles_hub *hub = &oriented->hub[v];
        uint32_t *row = oriented->target + oriented->offset[v], covered = 0;
        uint64_t *bits = oriented->bits + hub->word;
        memset(bits, 0, (uint64_t)hub->vectors * gws__triangles_vector * sizeof *bits);
        for (uint64_t i = 0; covered < hub->covered; i++) {
            uint32_t to = row[i];
            if (to >= hub->vectors * gws__triangles_vector_bits) continue;
            bits[to / 64] |= UINT64_C(1) << to % 64;
            row[i] = row[covered];
            row[covered++] = to;
        }
    }
}

static gws_status make_bitmaps(struct gws__oriented *oriented)
{
    struct gws_runtime *runtime = oriented->runtime;
    uint64_t vertices = oriented->graph->vertices;
    oriented->hubs = vertices < gws__triangles_hubs ? (uint32_t)vertices : gws__triangles_hubs;
    oriented->hub = gws_allocate(runtime, oriented->hubs, sizeof *oriented->hub);
    if (!oriented->hub) return GWS_NO_MEMORY;
    gws_status status = gws_parallel_try_for(runtime, oriented->hubs, 64, plan_hubs, oriented);
    if (status != GWS_OK) return status;
    oriented->words = sum_words(oriented);
    oriented->bits = gws_allocate(runtime, oriented->words, sizeof *oriented->bits);
    if (!oriented->bits) return GWS_NO_MEMORY;
    return gws_parallel_try_for(runtime, oriented->hubs, 64, fill_hubs, oriented);
}

gws_status gws__oriented_make(struct gws__oriented *oriented)
{
    gws_status status = make_lists(oriented);
    return status == GWS_OK ? make_bitmaps(oriented) : status;
}

void gws__oriented_release(struct gws__oriented *oriented)
{
    uint64_t vertices = oriented->graph->vertices;
    gws_release(oriented->runtime, oriented->bits, oriented->words, sizeof *oriented->bits);
    gws_release(oriented->runtime, oriented->hub, oriented->hubs, sizeof *oriented->hub);
    if (oriented->target)
        gws_release(oriented->runtime, oriented->target, gws__oriented_arcs(oriented), sizeof *oriented->target);
    gws_release(oriented->runtime, oriented->offset, vertices + 1, sizeof *oriented->offset);
    gws_release(oriented->runtime, oriented->rank, vertices, sizeof *oriented->rank);
}
