/* SPDX-License-Identifier: MIT */
/* Checks a breadth-first search by the rules of Graph500 (specification 2.0, "Validation"). The check shares no code
 * with the search. It reads only the result and the graph, and examines every arc.
 *
 * The rules suffice. Tree edges that exist and join depths differing by one give each reached vertex a path as long as
 * its depth, so no depth is too small. No arc skips a level, so no depth is too large. No arc leads from a reached
 * vertex to an unreached one, so the search misses no vertex. */
#include <inttypes.h>
#include <stdatomic.h>

#include "../../lib/parallel.h"
#include "../bfs.h"

enum fault { FAULT_NONE, FAULT_HALF, FAULT_ROOT, FAULT_RANGE, FAULT_TREE_DEPTH, FAULT_TREE_EDGE, FAULT_ARC };

static const char *const fault_text[] = {
    [FAULT_HALF] = "has a depth without a parent or a parent without a depth",
    [FAULT_ROOT] = "is at depth 0 or its own parent, but is not the source",
    [FAULT_RANGE] = "has an invalid depth or parent",
    [FAULT_TREE_DEPTH] = "is not one level deeper than its parent",
    [FAULT_TREE_EDGE] = "is not a neighbour of its parent",
    [FAULT_ARC] = "has an arc to an unreached vertex or past the next level",
};

struct bfs_check {
    const struct gws_graph *graph;
    const struct gws_bfs_result *result;
    _Atomic uint64_t reached, reached_arcs;
    _Atomic uint64_t *size; /* number of vertices at each depth, result->levels entries */
    _Atomic uint64_t first; /* the smallest faulty vertex and its fault: vertex << 8 | fault */
};

static enum fault check_vertex(const struct bfs_check *check, uint32_t vertex)
{
    const struct gws_graph *graph = check->graph;
    const uint32_t *depth = check->result->depth;
    uint32_t mine = depth[vertex], parent = check->result->parent[vertex];
    if ((mine == GWS_NO_VERTEX) != (parent == GWS_NO_VERTEX)) return FAULT_HALF;
    if (mine == GWS_NO_VERTEX) return FAULT_NONE;
    if (parent >= graph->vertices || mine >= check->result->levels) return FAULT_RANGE;
    bool is_source = vertex == check->result->source;
    if ((mine == 0) != is_source || (parent == vertex) != is_source) return FAULT_ROOT;
    if (!is_source && mine != depth[parent] + 1) return FAULT_TREE_DEPTH;
    if (!is_source && !gws_graph_has_arc(graph, parent, vertex)) return FAULT_TREE_EDGE;
    for (uint64_t a = graph->offset[vertex]; a < graph->offset[vertex + (uint64_t)1]; a++)
        if (depth[graph->target[a]] > mine + 1) return FAULT_ARC; /* an unreached vertex has the largest depth */
    return FAULT_NONE;
}

static void record_fault(struct bfs_check *check, uint64_t vertex, enum fault fault)
{
    uint64_t mine = vertex << 8 | fault, first = atomic_load(&check->first);
    while (mine < first && !atomic_compare_exchange_weak(&check->first, &first, mine)) continue;
}

/* Counts the first levels in a local array, because on most graphs these levels hold nearly all vertices. All counters
 * are relaxed: the caller reads them after the loop has ended. */
static void check_range(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    enum { shallow = 64 };
    struct bfs_check *check = context;
    uint64_t reached = 0, arcs = 0, size[shallow] = {0};
    for (uint64_t v = begin; v < end; v++) {
        enum fault fault = check_vertex(check, (uint32_t)v);
        if (fault != FAULT_NONE) record_fault(check, v, fault);
        uint32_t depth = check->result->depth[v];
        if (depth == GWS_NO_VERTEX) continue;
        reached++;
        arcs += gws_graph_degree(check->graph, (uint32_t)v);
        if (depth < shallow)
            size[depth]++;
        else if (depth < check->result->levels)
            atomic_fetch_add_explicit(&check->size[depth], 1, memory_order_relaxed);
    }
    atomic_fetch_add_explicit(&check->reached, reached, memory_order_relaxed);
    atomic_fetch_add_explicit(&check->reached_arcs, arcs, memory_order_relaxed);
    for (uint32_t i = 0; i < shallow && i < check->result->levels; i++)
        if (size[i]) atomic_fetch_add_explicit(&check->size[i], size[i], memory_order_relaxed);
}

static gws_status check_counts(const struct bfs_check *check, struct gws_diagnostic *where)
{
    const struct gws_bfs_result *result = check->result;
    if (check->reached != result->reached || check->reached_arcs != result->reached_arcs)
        return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0,
                                  "%" PRIu64 " vertices and %" PRIu64 " arcs are reached, the result says %" PRIu64
                                  " and %" PRIu64,
                                  check->reached, check->reached_arcs, result->reached, result->reached_arcs);
    for (uint32_t i = 0; i < result->levels; i++)
        if (check->size[i] == 0 || check->size[i] != result->level[i].size)
            return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0,
                                      "%" PRIu64 " vertices are on level %" PRIu32 ", the result says %" PRIu64,
                                      check->size[i], i, result->level[i].size);
    return GWS_OK;
}

static gws_status bfs_check(struct gws_runtime *runtime, const struct gws_graph *graph,
                            const struct gws_bfs_result *result, struct gws_diagnostic *where)
{
    if (result->vertices != graph->vertices || result->source >= graph->vertices)
        return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0, "the result belongs to another graph");
    if (!result->depth || !result->parent)
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "a result without depth or parent cannot be checked");
    if (result->depth[result->source] != 0)
        return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0, "the source is not at depth 0");
    if (result->levels == 0 || result->levels > graph->vertices)
        return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0, "invalid number of levels: %" PRIu32,
                                  result->levels);
    struct bfs_check check = {.graph = graph, .result = result, .first = UINT64_MAX};
    check.size = gws_allocate(runtime, result->levels, sizeof *check.size);
    if (!check.size) return GWS_NO_MEMORY;
    for (uint32_t i = 0; i < result->levels; i++) atomic_init(&check.size[i], 0);
    const struct gws_loop loop = {.count = graph->vertices, .grain = 4096, .body = check_range, .context = &check};
    gws_status status = gws_parallel_try(runtime, &loop);
    if (status != GWS_OK)
        (void)gws_diagnostic_status(where, status);
    else if (check.first != UINT64_MAX)
        status = gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0, "vertex %" PRIu64 " %s",
                                    gws_graph_id(graph, (uint32_t)(check.first >> 8)), fault_text[check.first & 255]);
    else
        status = check_counts(&check, where);
    gws_release(runtime, (void *)check.size, result->levels, sizeof *check.size);
    return status;
}

gws_status gws_bfs_check(struct gws_runtime *runtime, const struct gws_graph *graph,
                         const struct gws_bfs_result *result, struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, bfs_check(runtime, graph, result, where));
}
