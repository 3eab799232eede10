/* SPDX-License-Identifier: MIT */
/* Checks betweenness centrality. The check shares no code with the computation.
 *
 * If the work is small, the check computes all values again by Brandes' published algorithm (2001, Algorithm 1),
 * serially and in long double. The range of long double holds the numbers of paths of large meshes. Otherwise the
 * check compares sums. A shortest path of d arcs has d - 1 inner vertices, so the dependencies of a source add up to
 * the sum of d - 1 over the vertices that it reaches. The dependencies of the arcs add up to the sum of d. Paths that
 * reach a vertex v and do not end there leave it. So the values of the arcs out of v add up to the value of v plus one
 * for each vertex that v reaches as a source. The arcs into v of an undirected graph count as well. */
#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "../betweenness.h"
#include "ask.h"

#define TOLERANCE 1e-9L

enum { max_repeated_arcs = 1 << 28 };

struct bc_check {
    struct gws_runtime *runtime;
    const struct gws_graph *graph;
    const struct gws_betweenness_result *result;
    struct gws_diagnostic *where;
    long double factor, arc_factor;
};

static uint32_t source_at(const struct bc_check *check, uint64_t i)
{
    return check->result->source ? check->result->source[i] : (uint32_t)i;
}

/* Returns true if two values differ by more than the tolerance. unit: the value of one pair. */
static bool differs(long double found, long double wanted, long double unit)
{
    return !(fabsl(found - wanted) <= TOLERANCE * (unit + fabsl(wanted)));
}

static gws_status wrong(const struct bc_check *check, const char *what, uint64_t vertex, double found,
                        long double wanted)
{
    return gws_diagnostic_set(check->where, GWS_WRONG_RESULT, NULL, 0, 0, "%s vertex %" PRIu64 " is %.17g, not %.17Lg",
                              what, gws_graph_id(check->graph, (uint32_t)vertex), found, wanted);
}

/* ---- by repetition ---- */

struct repetition {
    struct gws_runtime *runtime;
    long double *paths, *dependency, *total; /* one entry per vertex */
    long double *arc;                        /* NULL: the check ignores arcs */
    uint32_t *depth, *queue;
};

static uint64_t search_serially(const struct gws_graph *graph, struct repetition *r, uint32_t source)
{
    uint64_t reached = 1;
    memset(r->depth, 0xff, graph->vertices * sizeof *r->depth);
    r->queue[0] = source;
    r->depth[source] = 0;
    r->paths[source] = 1;
    for (uint64_t head = 0; head < reached && !ask_stop(r->runtime, head); head++) {
        uint32_t v = r->queue[head];
        r->dependency[v] = 0;
        for (uint64_t a = graph->offset[v]; a < graph->offset[v + (uint64_t)1]; a++) {
            uint32_t w = graph->target[a];
            if (r->depth[w] == GWS_NO_VERTEX) {
                r->depth[w] = r->depth[v] + 1;
                r->paths[w] = 0;
                r->queue[reached++] = w;
            }
            if (r->depth[w] == r->depth[v] + 1) r->paths[w] += r->paths[v];
        }
    }
    return reached;
}

static void repeat_source(const struct gws_graph *graph, struct repetition *r, uint32_t source)
{
    for (uint64_t i = search_serially(graph, r, source); i-- > 0 && !ask_stop(r->runtime, i);) {
        uint32_t v = r->queue[i];
        for (uint64_t a = graph->offset[v]; a < graph->offset[v + (uint64_t)1]; a++) {
            uint32_t w = graph->target[a];
            if (r->depth[w] != r->depth[v] + 1) continue;
            long double part = r->paths[v] / r->paths[w] * (1 + r->dependency[w]);
            r->dependency[v] += part;
            if (r->arc) r->arc[a] += part;
        }
        if (v != source) r->total[v] += r->dependency[v];
    }
}

/* Returns the value of the arc v -> w, or of the edge if the graph is undirected. Parallel arcs have one value, so any
 * arc w -> v serves as the reverse. */
static long double wanted_arc(const struct gws_graph *graph, const struct repetition *r, uint32_t v, uint64_t a)
{
    uint32_t w = graph->target[a];
    if (graph->directed || v == w) return r->arc[a];
    uint64_t back = gws_graph_find_arc(graph, w, v);
    return back < graph->offset[w + (uint64_t)1] ? r->arc[a] + r->arc[back] : r->arc[a];
}

static gws_status compare(const struct bc_check *check, const struct repetition *r)
{
    const struct gws_graph *graph = check->graph;
    for (uint64_t v = 0; v < graph->vertices; v++) {
        long double wanted = check->factor * r->total[v];
        if (differs(check->result->centrality[v], wanted, check->factor))
            return wrong(check, "the value of", v, check->result->centrality[v], wanted);
        for (uint64_t a = graph->offset[v]; r->arc && a < graph->offset[v + 1]; a++) {
            wanted = check->arc_factor * wanted_arc(graph, r, (uint32_t)v, a);
            if (differs(check->result->arc[a], wanted, check->arc_factor))
                return wrong(check, "the value of an arc of", v, check->result->arc[a], wanted);
        }
    }
    return GWS_OK;
}

static gws_status check_by_repetition(const struct bc_check *check)
{
    uint64_t n = check->graph->vertices, arcs = check->result->arc ? check->graph->arcs : 0;
    long double *real = gws_allocate(check->runtime, 3 * n + arcs, sizeof *real);
    uint32_t *word = gws_allocate(check->runtime, n, 2 * sizeof *word);
    gws_status status = real && word ? GWS_OK : GWS_NO_MEMORY;
    if (status == GWS_OK) {
        struct repetition r = {check->runtime, real,    real + n, real + 2 * n, arcs ? real + 3 * n : NULL,
                               word,           word + n};
        for (uint64_t i = 2 * n; i < 3 * n + arcs; i++) real[i] = 0;
        for (uint64_t i = 0; i < check->result->sources && !gws_cancelled(check->runtime); i++)
            repeat_source(check->graph, &r, source_at(check, i));
        status = compare(check, &r);
    }
    gws_release(check->runtime, real, 3 * n + arcs, sizeof *real);
    gws_release(check->runtime, word, n, 2 * sizeof *word);
    return status;
}

/* ---- by sums ---- */

struct sums {
    const struct gws_graph *graph;
    _Atomic uint32_t *depth;
    uint32_t *queue;
    uint64_t begin, end; /* range of the level in the queue */
    _Atomic uint64_t tail;
    uint32_t level;
    uint64_t *flow; /* per vertex: number of sources that reach it, plus vertices that it reaches as a source */
};

/* relaxed: the exchange alone decides the claim, and the end of the loop publishes the queue. */
static void visit(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    struct sums *s = context;
    for (uint64_t i = s->begin + begin; i < s->begin + end; i++)
        for (uint64_t a = s->graph->offset[s->queue[i]]; a < s->graph->offset[s->queue[i] + (uint64_t)1]; a++) {
            uint32_t w = s->graph->target[a], none = GWS_NO_VERTEX;
            if (atomic_load_explicit(&s->depth[w], memory_order_relaxed) != none) continue;
            if (atomic_compare_exchange_strong_explicit(&s->depth[w], &none, s->level + 1, memory_order_relaxed,
                                                        memory_order_relaxed))
                s->queue[atomic_fetch_add_explicit(&s->tail, 1, memory_order_relaxed)] = w;
        }
}

/* Adds the distances from a source to *distances and its vertices to *reached. */
static void sum_source(struct gws_runtime *runtime, struct sums *s, uint32_t source, long double *distances,
                       uint64_t *reached)
{
    for (uint64_t v = 0; v < s->graph->vertices; v++) atomic_init(&s->depth[v], GWS_NO_VERTEX);
    atomic_init(&s->depth[source], 0);
    s->queue[0] = source;
    s->begin = s->level = 0;
    s->end = 1;
    atomic_store_explicit(&s->tail, 1, memory_order_relaxed);
    for (; s->begin < s->end; s->level++) {
        *distances += (long double)s->level * (long double)(s->end - s->begin);
        ask_for(runtime, s->end - s->begin, 512, visit, s);
        s->begin = s->end;
        s->end = atomic_load_explicit(&s->tail, memory_order_relaxed);
    }
    *reached += s->end;
    s->flow[source] += s->end - 1;
    for (uint64_t i = 1; i < s->end && !s->graph->directed; i++) s->flow[s->queue[i]]++;
}

static gws_status check_flow(const struct bc_check *check, const struct sums *s)
{
    const struct gws_graph *graph = check->graph;
    for (uint64_t v = 0; v < graph->vertices; v++) {
        long double found = 0, wanted = check->result->centrality[v] / check->factor;
        if (!graph->directed) wanted *= 2;
        wanted = check->arc_factor * (wanted + (long double)s->flow[v]);
        for (uint64_t a = graph->offset[v]; a < graph->offset[v + 1]; a++) found += check->result->arc[a];
        if (differs(found, wanted, check->arc_factor))
            return wrong(check, "the sum over the arcs of", v, (double)found, wanted);
    }
    return GWS_OK;
}

static gws_status compare_sum(const struct bc_check *check, const char *what, const double *value, uint64_t count,
                              long double wanted)
{
    long double found = 0;
    for (uint64_t i = 0; i < count; i++) found += value[i];
    if (!differs(found, wanted, check->factor)) return GWS_OK;
    return gws_diagnostic_set(check->where, GWS_WRONG_RESULT, NULL, 0, 0, "the sum over all %s is %.17Lg, not %.17Lg",
                              what, found, wanted);
}

static gws_status compare_sums(const struct bc_check *check, struct sums *s)
{
    const struct gws_betweenness_result *result = check->result;
    long double distances = 0;
    uint64_t reached = 0;
    for (uint64_t v = 0; v < check->graph->vertices; v++) s->flow[v] = 0;
    for (uint64_t i = 0; i < result->sources && !gws_cancelled(check->runtime); i++)
        sum_source(check->runtime, s, source_at(check, i), &distances, &reached);
    if (reached != result->reached)
        return gws_diagnostic_set(check->where, GWS_WRONG_RESULT, NULL, 0, 0,
                                  "the sources reach %" PRIu64 " vertices, the result says %" PRIu64, reached,
                                  result->reached);
    long double inner = distances - (long double)(reached - result->sources);
    gws_status status =
        compare_sum(check, "vertices", result->centrality, check->graph->vertices, check->factor * inner);
    if (status != GWS_OK || !result->arc) return status;
    distances *= check->graph->directed ? check->arc_factor : 2 * check->arc_factor;
    status = compare_sum(check, "arcs", result->arc, check->graph->arcs, distances);
    return status == GWS_OK ? check_flow(check, s) : status;
}

static gws_status check_by_sums(const struct bc_check *check)
{
    uint64_t n = check->graph->vertices;
    struct sums s = {.graph = check->graph};
    s.depth = gws_allocate(check->runtime, n, sizeof *s.depth);
    s.queue = gws_allocate(check->runtime, n, sizeof *s.queue);
    s.flow = gws_allocate(check->runtime, n, sizeof *s.flow);
    gws_status status = s.depth && s.queue && s.flow ? compare_sums(check, &s) : GWS_NO_MEMORY;
    gws_release(check->runtime, (void *)s.depth, n, sizeof *s.depth);
    gws_release(check->runtime, s.queue, n, sizeof *s.queue);
    gws_release(check->runtime, s.flow, n, sizeof *s.flow);
    return status;
}

/* ---- the check ---- */

static gws_status check_values(const struct bc_check *check)
{
    const struct gws_betweenness_result *result = check->result;
    for (uint64_t v = 0; v < result->vertices; v++)
        if (!(result->centrality[v] >= 0)) return wrong(check, "the value of", v, result->centrality[v], 0);
    for (uint64_t a = 0; result->arc && a < result->arcs; a++)
        if (!(result->arc[a] >= 0))
            return gws_diagnostic_set(check->where, GWS_WRONG_RESULT, NULL, 0, 0, "an arc has the value %g",
                                      result->arc[a]);
    for (uint64_t i = 0; result->source && i < result->sources; i++)
        if (result->source[i] >= result->vertices)
            return gws_diagnostic_set(check->where, GWS_WRONG_RESULT, NULL, 0, 0, "a source is not a vertex");
    return GWS_OK;
}

static void set_factors(struct bc_check *check, const struct gws_betweenness_options *options)
{
    long double n = check->graph->vertices, samples = 1;
    if (check->result->source && !(options && options->source)) samples = n / (long double)check->result->sources;
    check->factor = check->arc_factor = check->graph->directed ? samples : samples / 2;
    if (!options || !options->normalised) return;
    check->factor = n > 2 ? samples / ((n - 1) * (n - 2)) : samples;
    if (n > 1) check->arc_factor = samples / (n * (n - 1));
}

static gws_status betweenness_check(struct gws_runtime *runtime, const struct gws_graph *graph,
                                    const struct gws_betweenness_options *options,
                                    const struct gws_betweenness_result *result, struct gws_diagnostic *where)
{
    struct bc_check check = {.runtime = runtime, .graph = graph, .result = result, .where = where};
    bool repeats = graph->arcs == 0 || result->sources <= max_repeated_arcs / (graph->arcs + graph->vertices);
    if (result->vertices != graph->vertices || !result->centrality || (result->arc && result->arcs != graph->arcs) ||
        (!result->source && result->sources != graph->vertices))
        return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0, "the result belongs to another graph");
    if (!result->arc && options && options->arcs)
        return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0, "the values of the arcs are missing");
    set_factors(&check, options);
    gws_status status = check_values(&check);
    if (status == GWS_OK) status = repeats ? check_by_repetition(&check) : check_by_sums(&check);
    return status == GWS_NO_MEMORY ? gws_diagnostic_status(where, status) : status;
}

gws_status gws_betweenness_check(struct gws_runtime *runtime, const struct gws_graph *graph,
                                 const struct gws_betweenness_options *options,
                                 const struct gws_betweenness_result *result, struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, ask_end(runtime, betweenness_check(runtime, graph, options, result, where), where));
}
