/* SPDX-License-Identifier: MIT */
/* A shortest path between two vertices by Dijkstra's algorithm from both ends (Nicholson, "Finding the shortest
 * route between two points in a network", 1966; Pohl, "Bi-directional search", 1971). A vertex that both sides have
 * reached makes a path. The search ends when the smallest distances of both queues add up to at least the length of
 * the shortest path found. A shorter path would have an arc between vertices that the sides have expanded. */
#include <float.h>
#include <inttypes.h>
#include <string.h>

#include "side.h"

struct path_search {
    struct gws_runtime *runtime;
    const struct gws_graph *graph, *reverse; /* reverse: NULL if only the source's side advances */
    struct gws__path_scratch *scratch;
    struct gws_diagnostic *where;
    bool is_real, unit;
    uint64_t best; /* the length of the shortest path so far; PATH_NONE: no path yet */
    uint32_t meeting;
};

static double real_of(uint64_t bits)
{
    double real;
    memcpy(&real, &bits, sizeof real);
    return real;
}

static uint64_t bits_of(double real)
{
    uint64_t bits;
    memcpy(&bits, &real, sizeof bits);
    return bits;
}

static uint64_t sum(const struct path_search *search, uint64_t a, uint64_t b)
{
    return search->is_real ? bits_of(real_of(a) + real_of(b)) : a + b;
}

/* Returns the length of an arc, encoded like distances, or PATH_NONE if the weight is invalid. */
static uint64_t length_of(const struct path_search *search, const struct gws_graph *graph, uint64_t arc)
{
    if (search->unit) return 1;
    if (!search->is_real) return graph->weight[arc] < 0 ? PATH_NONE : (uint64_t)graph->weight[arc];
    float weight = graph->real_weight[arc];
    return weight >= 0 && weight <= FLT_MAX ? bits_of((double)weight + 0) : PATH_NONE;
}

static gws_status bad_weight(const struct path_search *search, int side, uint32_t from, uint32_t to, uint64_t arc)
{
    const struct gws_graph *graph = side ? search->reverse : search->graph;
    return gws_diagnostic_set(
        search->where, GWS_INVALID, NULL, 0, 0,
        "the arc from %" PRIu64 " to %" PRIu64 " has the weight %g; shortest paths need weights that are not negative",
        gws_graph_id(search->graph, side ? to : from), gws_graph_id(search->graph, side ? from : to),
        search->is_real ? (double)graph->real_weight[arc] : (double)graph->weight[arc]);
}

/* Expands the first vertex of a side's queue. */
static gws_status advance(struct path_search *search, int side, uint32_t vertex, uint64_t distance)
{
    const struct gws_graph *graph = side ? search->reverse : search->graph;
    struct gws__path_side *mine = &search->scratch->side[side], *other = &search->scratch->side[!side];
    gws__path_side_pop(mine, search->unit);
    mine->arcs += gws_graph_degree(graph, vertex);
    for (uint64_t a = graph->offset[vertex]; a < graph->offset[vertex + (uint64_t)1]; a++) {
        uint32_t to = graph->target[a];
        uint64_t length = length_of(search, graph, a);
        if (length == PATH_NONE) return bad_weight(search, side, vertex, to, a);
        uint64_t far = sum(search, distance, length);
        if (far >= gws__path_distance(mine, to)) continue;
        if (!gws__path_side_reach(&search->scratch->allocator, mine, search->unit, to, vertex, far))
            return GWS_NO_MEMORY;
        uint64_t rest = gws__path_distance(other, to);
        if (rest == PATH_NONE || sum(search, far, rest) >= search->best) continue;
        search->best = sum(search, far, rest);
        search->meeting = to;
    }
    return GWS_OK;
}

enum { steps_per_poll = 1024 };

static gws_status search_from_both(struct path_search *search)
{
    struct gws__path_side *side = search->scratch->side;
    for (uint64_t steps = 0;; steps++) {
        uint32_t vertex[2];
        if (steps % steps_per_poll == 0) {
            gws_report_progress(search->runtime, "searching from both ends", steps, 0);
            if (gws_cancelled(search->runtime)) return gws_diagnostic_status(search->where, GWS_CANCELLED);
        }
        uint64_t first[2];
        for (int s = 0; s < 2; s++) first[s] = gws__path_side_first(&side[s], search->unit, &vertex[s]);
        if (first[0] == PATH_NONE || first[1] == PATH_NONE) return GWS_OK;
        if (sum(search, first[0], first[1]) >= search->best) return GWS_OK;
        bool is_backward = search->reverse && side[1].arcs + gws_graph_degree(search->reverse, vertex[1]) <
                                                  side[0].arcs + gws_graph_degree(search->graph, vertex[0]);
        gws_status status = advance(search, is_backward, vertex[is_backward], first[is_backward]);
        if (status != GWS_OK) return status;
    }
}

/* ---- the path ---- */

gws_status gws__path_reserve(struct gws__path_scratch *scratch, uint64_t length)
{
    const struct gws_allocator *allocator = &scratch->allocator;
    if (length <= scratch->capacity) return GWS_OK;
    uint32_t *vertex = allocator->allocate(allocator->context, length * sizeof *vertex);
    uint64_t *distance = allocator->allocate(allocator->context, length * sizeof *distance);
    if (!vertex || !distance) {
        if (vertex) allocator->release(allocator->context, vertex, length * sizeof *vertex);
        if (distance) allocator->release(allocator->context, distance, length * sizeof *distance);
        return GWS_NO_MEMORY;
    }
    if (scratch->capacity) {
        allocator->release(allocator->context, scratch->vertex, scratch->capacity * sizeof *vertex);
        allocator->release(allocator->context, scratch->distance, scratch->capacity * sizeof *distance);
    }
    scratch->vertex = vertex;
    scratch->distance = distance;
    scratch->capacity = length;
    return GWS_OK;
}

/* Returns the length of the shortest arc between two vertices. */
static uint64_t shortest_arc(const struct path_search *search, uint32_t from, uint32_t to)
{
    const struct gws_graph *graph = search->graph;
    uint64_t shortest = PATH_NONE;
    for (uint64_t a = graph->offset[from]; a < graph->offset[from + (uint64_t)1] && graph->target[a] <= to; a++)
        if (graph->target[a] == to && length_of(search, graph, a) < shortest) shortest = length_of(search, graph, a);
    return shortest;
}

static gws_status write_path(const struct path_search *search, uint32_t source, uint32_t target, uint64_t *length)
{
    struct gws__path_scratch *scratch = search->scratch;
    uint64_t before = 0, after = 0;
    *length = 0;
    if (search->best == PATH_NONE) return GWS_OK;
    for (uint32_t v = search->meeting; v != source; v = gws__path_parent(&scratch->side[0], v)) before++;
    for (uint32_t v = search->meeting; v != target; v = gws__path_parent(&scratch->side[1], v)) after++;
    gws_status status = gws__path_reserve(scratch, before + 1 + after);
    if (status != GWS_OK) return status;
    uint32_t v = search->meeting;
    for (uint64_t i = before; i > 0; i--, v = gws__path_parent(&scratch->side[0], v)) scratch->vertex[i] = v;
    scratch->vertex[0] = source;
    v = search->meeting;
    for (uint64_t i = before + 1; i <= before + after; i++)
        scratch->vertex[i] = v = gws__path_parent(&scratch->side[1], v);
    scratch->distance[0] = 0;
    for (uint64_t i = 1; i <= before + after; i++)
        scratch->distance[i] =
            sum(search, scratch->distance[i - 1], shortest_arc(search, scratch->vertex[i - 1], scratch->vertex[i]));
    *length = before + 1 + after;
    return GWS_OK;
}

/* ---- results ---- */

void gws_path_result_clear(struct gws_path_result *result)
{
    if (!result) return;
    struct gws__path_scratch *scratch = result->scratch;
    if (scratch) {
        struct gws_allocator allocator = scratch->allocator;
        for (int s = 0; s < 2; s++) gws__path_side_free(&allocator, result->vertices, &scratch->side[s]);
        if (scratch->capacity) {
            allocator.release(allocator.context, scratch->vertex, scratch->capacity * sizeof *scratch->vertex);
            allocator.release(allocator.context, scratch->distance, scratch->capacity * sizeof *scratch->distance);
        }
        allocator.release(allocator.context, scratch, sizeof *scratch);
    }
    *result = (struct gws_path_result){0};
}

static gws_status prepare(struct gws_runtime *runtime, const struct gws_graph *graph, struct gws_path_result *result)
{
    const struct gws_allocator *allocator = gws_runtime_allocator(runtime);
    const struct gws__path_scratch *old = result->scratch;
    if (old && old->side[0].page && result->vertices == graph->vertices &&
        old->allocator.allocate == allocator->allocate && old->allocator.context == allocator->context)
        return GWS_OK;
    struct gws__path_scratch *scratch = gws_allocate(runtime, 1, sizeof *scratch);
    if (!scratch) return GWS_NO_MEMORY;
    memset(scratch, 0, sizeof *scratch);
    scratch->allocator = *allocator;
    struct gws_path_result fresh = {.vertices = graph->vertices, .scratch = scratch};
    gws_status status = GWS_OK;
    for (int s = 0; s < 2 && status == GWS_OK; s++)
        status = gws__path_side_make(allocator, graph->vertices, &scratch->side[s]);
    if (status != GWS_OK) {
        gws_path_result_clear(&fresh);
        return status;
    }
    gws_path_result_clear(result);
    *result = fresh;
    return GWS_OK;
}

static gws_status search_all(struct path_search *search, uint32_t source, uint32_t target, uint64_t *length)
{
    struct gws__path_side *side = search->scratch->side;
    const struct gws_allocator *allocator = &search->scratch->allocator;
    for (int s = 0; s < 2; s++) gws__path_side_start(&side[s]);
    if (!gws__path_side_reach(allocator, &side[0], search->unit, source, source, 0) ||
        !gws__path_side_reach(allocator, &side[1], search->unit, target, target, 0))
        return GWS_NO_MEMORY;
    if (source == target) search->best = 0;
    search->meeting = target;
    gws_status status = search_from_both(search);
    return status == GWS_OK ? write_path(search, source, target, length) : status;
}

static gws_status path(struct gws_runtime *runtime, const struct gws_graph *graph, uint32_t source, uint32_t target,
                       const struct gws_path_options *options, struct gws_path_result *result,
                       struct gws_diagnostic *where)
{
    double began = gws_clock_ms();
    bool hops = options && options->hops;
    if (source >= graph->vertices || target >= graph->vertices)
        return gws_diagnostic_set(where, GWS_OUT_OF_RANGE, NULL, 0, 0, "the source or the target is not a vertex");
    gws_status status = prepare(runtime, graph, result);
    if (status != GWS_OK) return gws_diagnostic_status(where, status);
    struct gws__path_scratch *scratch = result->scratch;
    struct path_search search = {.runtime = runtime, .graph = graph, .scratch = scratch, .where = where};
    search.best = PATH_NONE;
    search.reverse = graph->directed ? graph->reverse : graph;
    search.is_real = graph->real_weight && !hops;
    search.unit = hops || (!graph->weight && !graph->real_weight);
    uint64_t length = 0;
    status = search_all(&search, source, target, &length);
    if (status != GWS_OK) {
        gws_path_result_clear(result);
        return status == GWS_NO_MEMORY ? gws_diagnostic_status(where, status) : status;
    }
    result->source = source;
    result->target = target;
    result->hops = hops;
    result->length = length;
    result->vertex = length ? scratch->vertex : NULL;
    result->distance = length && !search.is_real ? scratch->distance : NULL;
    result->real_distance = length && search.is_real ? (double *)(void *)scratch->distance : NULL;
    result->visited = scratch->side[0].visited + scratch->side[1].visited;
    result->arcs = scratch->side[0].arcs + scratch->side[1].arcs;
    result->ms = gws_clock_ms() - began;
    return GWS_OK;
}

gws_status gws_path(struct gws_runtime *runtime, const struct gws_graph *graph, uint32_t source, uint32_t target,
                    const struct gws_path_options *options, struct gws_path_result *result,
                    struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, path(runtime, graph, source, target, options, result, where));
}
