/* SPDX-License-Identifier: MIT */
/* Counts triangles for clustering coefficients of directed graphs. A triangle has one arc or two between the vertices
 * opposite a vertex v; the coefficient of v counts both. So, for each pair of vertices u, w with arcs in both
 * directions, a worker adds 1 to each common neighbour of u and w in the symmetrised graph. It marks the neighbours of
 * u in a bitmap and reads the row of w, the one of lower degree, which takes O(arcs^1.5) for all pairs (Chiba,
 * Nishizeki, SIAM J. Comput. 14, 1985). A task is a range of arcs (u, w), so that workers share long rows. */
#include <string.h>

#include "result.h"

enum {
    chunk = 2048, /* arcs of a task */
    line = 8      /* padding between the bitmaps of workers, in words */
};

struct mutual_count {
    const struct gws_graph *graph, *symmetric;
    _Atomic uint64_t *count; /* indexed by vertex */
    uint64_t *mark, words;   /* the bitmaps of all workers, and the words of one; all 0 between rows */
};

/* True if w precedes u in the order by degree, and arcs join them in both directions. */
static bool is_counted(const struct mutual_count *mutual, uint32_t u, uint32_t w)
{
    uint64_t degree = gws_graph_degree(mutual->symmetric, u), other = gws_graph_degree(mutual->symmetric, w);
    if (other > degree || (other == degree && w >= u)) return false;
    return gws_graph_has_arc(mutual->graph, w, u) && gws_graph_has_arc(mutual->graph, u, w);
}

static void mark_row(const struct gws_graph *graph, uint32_t u, uint64_t *mark)
{
    for (uint64_t a = graph->offset[u]; a < graph->offset[u + (uint64_t)1]; a++)
        mark[graph->target[a] / 64] |= UINT64_C(1) << graph->target[a] % 64;
}

static void clear_row(const struct gws_graph *graph, uint32_t u, uint64_t *mark)
{
    for (uint64_t a = graph->offset[u]; a < graph->offset[u + (uint64_t)1]; a++) mark[graph->target[a] / 64] = 0;
}

/* Adds 1 to each marked vertex in the row of w except u and w, which have marks if they have loops. */
static void add_common(const struct mutual_count *mutual, const uint64_t *mark, uint32_t u, uint32_t w)
{
    const struct gws_graph *graph = mutual->symmetric;
    for (uint64_t a = graph->offset[w]; a < graph->offset[w + (uint64_t)1]; a++) {
        uint32_t v = graph->target[a];
        if (v == u || v == w || !(mark[v / 64] >> v % 64 & 1)) continue;
        /* relaxed: the caller reads the sums after the loop's barrier. */
        atomic_fetch_add_explicit(&mutual->count[v], 1, memory_order_relaxed);
    }
}

static void count_row(const struct mutual_count *mutual, uint64_t *mark, uint32_t u, uint64_t begin, uint64_t end)
{
    bool marked = false;
    for (uint64_t a = begin; a < end; a++) {
        uint32_t w = mutual->symmetric->target[a];
        if (!is_counted(mutual, u, w)) continue;
        if (!marked) mark_row(mutual->symmetric, u, mark);
        marked = true;
        add_common(mutual, mark, u, w);
    }
    if (marked) clear_row(mutual->symmetric, u, mark);
}

static void count_arcs(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct mutual_count *mutual = context;
    const uint64_t *offset = mutual->symmetric->offset;
    uint64_t *mark = mutual->mark + worker * mutual->words;
    for (uint64_t u = gws_bounds_find(offset, 1, mutual->symmetric->vertices, begin); begin < end; u++) {
        uint64_t stop = offset[u + 1] < end ? offset[u + 1] : end;
        count_row(mutual, mark, (uint32_t)u, begin, stop);
        begin = stop;
    }
}

static void clear_counts(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct mutual_count *mutual = context;
    (void)worker;
    memset((void *)(mutual->count + begin), 0, (end - begin) * sizeof *mutual->count);
}

gws_status gws__triangles_mutual(struct gws_runtime *runtime, const struct gws_graph *graph,
                                 const struct gws_graph *symmetric, _Atomic uint64_t *count)
{
    struct mutual_count mutual = {
        .graph = graph, .symmetric = symmetric, .count = count, .words = graph->vertices / 64 + line};
    uint64_t all = gws_runtime_workers(runtime) * mutual.words;
    mutual.mark = gws_allocate(runtime, all, sizeof *mutual.mark);
    if (!mutual.mark) return GWS_NO_MEMORY;
    memset(mutual.mark, 0, all * sizeof *mutual.mark);
    gws_status status = gws_parallel_try_for(runtime, graph->vertices, 1 << 14, clear_counts, &mutual);
    struct gws_loop loop = {
        .count = symmetric->arcs, .chunk = chunk, .grain = chunk, .body = count_arcs, .context = &mutual};
    if (status == GWS_OK) status = gws_parallel_try(runtime, &loop);
    gws_release(runtime, mutual.mark, all, sizeof *mutual.mark);
    return status;
}
