/* SPDX-License-Identifier: MIT */
/* The first level of Louvain and Leiden, which is the graph itself, and the computation of a level's sums of
 * weights. */
#include <math.h>
#include <string.h>

#include "state.h"

/* ---- the first level ---- */

struct weights {
    const struct gws_graph *graph;
    _Atomic uint64_t max; /* an integer, or the bits of a non-negative float; bits have the order of the floats */
    atomic_bool negative;
    _Atomic uint64_t longest; /* arcs of the longest row, with both directions */
};

static void raise(_Atomic uint64_t *max, uint64_t value)
{
    uint64_t old = atomic_load_explicit(max, memory_order_relaxed);
    while (old < value &&
           !atomic_compare_exchange_weak_explicit(max, &old, value, memory_order_relaxed, memory_order_relaxed))
        continue;
}

static void survey(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct weights *weights = context;
    const struct gws_graph *graph = weights->graph;
    uint64_t max = 0, longest = 0;
    (void)worker;
    for (uint64_t v = begin; v < end; v++) {
        uint64_t arcs = gws_graph_degree(graph, (uint32_t)v);
        if (graph->directed) arcs += gws_graph_degree(graph->reverse, (uint32_t)v);
        if (arcs > longest) longest = arcs;
    }
    for (uint64_t a = graph->offset[begin]; a < graph->offset[end]; a++) {
        float real = graph->real_weight ? graph->real_weight[a] : 0;
        uint32_t bits;
        memcpy(&bits, &real, sizeof bits);
        uint64_t value = graph->weight ? (uint64_t)graph->weight[a] : bits;
        if (real < 0 || (graph->weight && graph->weight[a] < 0))
            atomic_store_explicit(&weights->negative, true, memory_order_relaxed);
        else if (real != 0 || graph->weight)
            max = value > max ? value : max;
    }
    raise(&weights->max, max);
    raise(&weights->longest, longest);
}

/* Chooses the scale that makes real weights as large as sums of 2^62 allow. */
static gws_status set_scale(struct gws__level *level, const struct gws_graph *graph, uint64_t max)
{
    double arcs = 4.0 * (double)graph->arcs + 1;
    uint32_t bits = (uint32_t)max;
    float real;
    memcpy(&real, &bits, sizeof real);
    if (level->rows[0].weight && (double)max * arcs > 0x1p62) return GWS_TOO_LARGE;
    level->scale = real > 0 && level->rows[0].real_weight ? exp2(floor(log2(0x1p62 / arcs / (double)real))) : 1;
    return GWS_OK;
}

static struct gws__rows rows_of(const struct gws_graph *graph, bool ignore_weights)
{
    struct gws__rows rows = {.offset = graph->offset, .target = graph->target};
    if (!ignore_weights) {
        rows.weight = graph->weight;
        rows.real_weight = graph->real_weight;
    }
    return rows;
}

gws_status gws__level_weights(struct gws__communities *run, bool ignore_weights, uint64_t *longest)
{
    const struct gws_graph *graph = run->graph;
    struct weights weights = {.graph = graph};
    run->level = (struct gws__level){.nodes = graph->vertices, .parts = graph->directed ? 2 : 1};
    run->level.loops_once = !graph->directed;
    run->level.rows[0] = rows_of(graph, ignore_weights);
    if (graph->directed) run->level.rows[1] = rows_of(graph->reverse, ignore_weights);
    const struct gws_loop loop = {
        .count = graph->vertices, .body = survey, .context = &weights, .grain = communities_grain};
    gws_status status = gws_parallel_try(run->runtime, &loop);
    if (status == GWS_OK && weights.negative && !ignore_weights) status = GWS_INVALID;
    if (status == GWS_OK) status = set_scale(&run->level, graph, weights.max);
    *longest = weights.longest;
    return status;
}

gws_status gws__level_first(struct gws__communities *run, bool ignore_weights)
{
    uint64_t longest, vertices = run->graph->vertices;
    gws_status status = gws__level_weights(run, ignore_weights, &longest);
    if (status != GWS_OK) return status;
    /* plus one for the vertex's own label */
    return gws__tables_reserve(run->runtime, &run->tables, longest < vertices ? longest + 1 : vertices);
}

/* ---- the arrays by node ---- */

void gws__level_release(struct gws__communities *run)
{
    gws_release(run->runtime, (void *)run->degree, run->entries, sizeof *run->degree);
    gws_release(run->runtime, (void *)run->degrees, run->entries, sizeof *run->degrees);
    if (run->refined != run->node) gws_release(run->runtime, run->refined, run->entries, sizeof *run->refined);
    run->degree = run->degrees = NULL;
    run->refined = NULL;
}

gws_status gws__level_reserve(struct gws__communities *run, bool refines)
{
    gws__level_release(run);
    run->entries = run->level.nodes;
    run->degree = gws_allocate(run->runtime, run->entries, sizeof *run->degree);
    run->degrees = gws_allocate(run->runtime, run->entries, sizeof *run->degrees);
    if (!run->degree || !run->degrees) return GWS_NO_MEMORY;
    if (!refines) return GWS_OK;
    /* node[] of the first level is the identity, so it serves for the labels, which then become node[] of the next. */
    bool first = run->entries == run->graph->vertices;
    run->refined = first ? run->node : gws_allocate(run->runtime, run->entries, sizeof *run->refined);
    return run->refined ? GWS_OK : GWS_NO_MEMORY;
}

void gws__communities_set_flags(struct gws__communities *run, bool set)
{
    uint64_t nodes = run->level.nodes, last = nodes / communities_block;
    memset((void *)run->flags, set ? 0xff : 0, gws__blocks(nodes) * sizeof *run->flags);
    if (nodes % communities_block > 0)
        atomic_init(&run->flags[last], (uint16_t)(set ? (1U << nodes % communities_block) - 1 : 0));
}

/* ---- sums ---- */

struct level_sums {
    struct gws__communities *run;
    const uint32_t *community;
};

static void clear_degrees(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__communities *run = context;
    (void)worker;
    for (uint64_t v = begin; v < end; v++) atomic_init(&run->degrees[v], 0);
}

/* Fills degree[] and degrees[]. Adds up in `moves` the weights within communities. */
static void sum_degrees(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct level_sums *sums = context;
    struct gws__communities *run = sums->run;
    const struct gws__level *level = &run->level;
    uint64_t inside = 0;
    (void)worker;
    for (uint64_t v = begin; v < end; v++) {
        uint64_t sum = 0;
        for (uint32_t part = 0; part < level->parts; part++)
            for (uint64_t arc = level->rows[part].offset[v]; arc < level->rows[part].offset[v + 1]; arc++) {
                uint32_t to = level->rows[part].target[arc];
                uint64_t weight = gws__weight(level, &level->rows[part], arc);
                if (to == v && level->loops_once) weight *= 2;
                sum += weight;
                if (sums->community[to] == sums->community[v]) inside += weight;
            }
        atomic_init(&run->degree[v], sum);
        atomic_fetch_add_explicit(&run->degrees[sums->community[v]], sum, memory_order_relaxed);
    }
    atomic_fetch_add_explicit(&run->moves, inside, memory_order_relaxed);
}

gws_status gws__communities_sum(struct gws__communities *run, const uint32_t *community)
{
    struct level_sums sums = {.run = run, .community = community};
    const struct gws_loop loop = {.count = run->level.nodes,
                                  .body = sum_degrees,
                                  .context = &sums,
                                  .grain = communities_grain,
                                  .chunk = communities_chunk};
    atomic_store_explicit(&run->moves, 0, memory_order_relaxed);
    gws_status status = gws__for_nodes(run, clear_degrees);
    if (status == GWS_OK) status = gws_parallel_try(run->runtime, &loop);
    run->inside = atomic_load_explicit(&run->moves, memory_order_relaxed);
    run->total = 0;
    for (uint64_t v = 0; status == GWS_OK && v < run->level.nodes; v++)
        run->total += atomic_load_explicit(&run->degree[v], memory_order_relaxed);
    return status;
}
