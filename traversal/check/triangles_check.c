/* SPDX-License-Identifier: MIT */
/* Checks the numbers of triangles by binary searches in the rows of the graph, without the count's orientation and
 * bitmaps. If a graph needs at most `whole` searches, the check counts again. It then searches each pair of neighbours
 * of a vertex that follow the vertex in an order by degree. The check samples a larger graph. It counts the triangles
 * of some vertices by all pairs of their neighbours, and draws random wedges (Schank, Wagner, "Approximating
 * clustering coefficient and transitivity", 2005). The fraction 3 triangles / wedges of the wedges must be closed. */
#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "../../lib/random.h"
#include "../triangles.h"
#include "ask.h"

enum {
    sampled_vertices = 1 << 12,
    sampled_wedges = 1 << 20,
    longest_row = 1 << 10, /* max neighbours of a vertex in the sample */
    deviations = 8,        /* max error of the fraction of closed wedges, in standard deviations */
};
static const uint64_t whole = UINT64_C(1) << 28;

struct triangles_check {
    struct gws_runtime *runtime;
    const struct gws_graph *graph;    /* an undirected graph */
    const struct gws_graph *original; /* the caller's graph */
    const struct gws_triangles_result *result;
    _Atomic uint64_t *count;          /* number of triangles of each vertex */
    _Atomic uint64_t *arcs;           /* number of arcs between its neighbours; NULL unless result->directed */
    uint64_t *wedges_before;          /* vertices + 1 entries: number of wedges of all vertices before */
    uint32_t *buffer;                 /* the buffers of all workers */
    uint64_t longest;                 /* entries of a worker's buffer */
    _Atomic uint64_t searches, found; /* found: number of triangles or closed wedges */
    _Atomic uint64_t first;           /* the smallest faulty vertex */
};

/* relaxed: the caller reads the sums after the loop's barrier. */
static void add(_Atomic uint64_t *sum, uint64_t more)
{
    atomic_fetch_add_explicit(sum, more, memory_order_relaxed);
}

/* Returns true if a and b are neighbours. Searches the shorter row. */
static bool closes(const struct gws_graph *graph, uint32_t a, uint32_t b)
{
    bool first = gws_graph_degree(graph, a) < gws_graph_degree(graph, b);
    return first ? gws_graph_has_arc(graph, a, b) : gws_graph_has_arc(graph, b, a);
}

/* Returns the number of arcs between two adjacent vertices: 2 if directions do not count. */
static uint64_t arcs_between(const struct triangles_check *check, uint32_t a, uint32_t b)
{
    if (!check->result->directed) return 2;
    return (uint64_t)gws_graph_has_arc(check->original, a, b) + gws_graph_has_arc(check->original, b, a);
}

/* Writes the distinct neighbours of v other than v. With `following`, writes only the neighbours that follow v by
 * degree. */
static uint64_t neighbours_of(const struct gws_graph *graph, uint32_t v, bool following, uint32_t *neighbour)
{
    uint64_t count = 0, degree = gws_graph_degree(graph, v);
    uint32_t last = GWS_NO_VERTEX;
    for (uint64_t a = graph->offset[v]; a < graph->offset[v + (uint64_t)1]; a++) {
        uint32_t to = graph->target[a];
        if (to == v || to == last) continue;
        last = to;
        uint64_t other = gws_graph_degree(graph, to);
        if (following && (other < degree || (other == degree && to < v))) continue;
        if (neighbour) neighbour[count] = to;
        count++;
    }
    return count;
}

/* ---- rules that need no search ---- */

static void count_wedges(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct triangles_check *check = context;
    uint64_t searches = 0;
    (void)worker;
    for (uint64_t v = begin; v < end; v++) {
        uint64_t all = neighbours_of(check->graph, (uint32_t)v, false, NULL);
        uint64_t following = neighbours_of(check->graph, (uint32_t)v, true, NULL);
        check->wedges_before[v] = all ? all * (all - 1) / 2 : 0;
        searches += following ? following * (following - 1) / 2 : 0;
    }
    add(&check->searches, searches);
}

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * (fabs(a) + fabs(b)) + 1e-15;
}

static gws_status check_sums(const struct triangles_check *check, struct gws_diagnostic *where)
{
    const struct gws_triangles_result *result = check->result;
    uint64_t vertices = result->vertices, wedges = check->wedges_before[vertices], sum = 0;
    double clustering = 0;
    if (wedges != result->wedges)
        return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0, "%" PRIu64 " wedges, the result says %" PRIu64,
                                  wedges, result->wedges);
    if (!near(result->transitivity, wedges ? 3 * (double)result->triangles / (double)wedges : 0))
        return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0,
                                  "the transitivity is not 3 triangles / wedges: %g", result->transitivity);
    for (uint64_t v = 0; result->count && v < vertices; v++) sum += result->count[v];
    if (result->count && sum != 3 * result->triangles)
        return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0,
                                  "the triangles of the vertices add up to %" PRIu64 ", not to 3 times %" PRIu64, sum,
                                  result->triangles);
    for (uint64_t v = 0; result->clustering && v < vertices; v++) clustering += result->clustering[v];
    if (vertices && !near(result->mean_clustering, clustering / (double)vertices))
        return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0,
                                  "the mean of the clustering coefficients is %g, the result says %g",
                                  clustering / (double)vertices, result->mean_clustering);
    return GWS_OK;
}

/* ---- vertices ---- */

static void check_vertex(struct triangles_check *check, uint64_t v, uint64_t triangles, uint64_t arcs)
{
    const struct gws_triangles_result *result = check->result;
    uint64_t wedges = check->wedges_before[v + 1] - check->wedges_before[v];
    double clustering = wedges ? (double)arcs / 2 / (double)wedges : 0;
    bool good = (!result->count || result->count[v] == triangles) &&
                (!result->clustering || near(result->clustering[v], clustering));
    uint64_t first = atomic_load(&check->first);
    while (!good && v < first && !atomic_compare_exchange_weak(&check->first, &first, v)) continue;
}

/* Adds the triangle of v, a and b to v. */
static void add_triangle(struct triangles_check *check, uint32_t v, uint32_t a, uint32_t b)
{
    add(&check->count[v], 1);
    if (check->arcs) add(&check->arcs[v], arcs_between(check, a, b));
}

static void search_pairs(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct triangles_check *check = context;
    uint32_t *neighbour = check->buffer + worker * check->longest;
    uint64_t found = 0;
    for (uint64_t v = begin; v < end; v++) {
        uint64_t count = neighbours_of(check->graph, (uint32_t)v, true, neighbour);
        for (uint64_t i = 0; i < count; i++)
            for (uint64_t j = 0; j < i; j++) {
                if (!closes(check->graph, neighbour[i], neighbour[j])) continue;
                add_triangle(check, (uint32_t)v, neighbour[i], neighbour[j]);
                add_triangle(check, neighbour[i], (uint32_t)v, neighbour[j]);
                add_triangle(check, neighbour[j], (uint32_t)v, neighbour[i]);
                found++;
            }
    }
    add(&check->found, found);
}

static void compare_vertices(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct triangles_check *check = context;
    (void)worker;
    for (uint64_t v = begin; v < end; v++)
        check_vertex(check, v, check->count[v], check->arcs ? check->arcs[v] : 2 * check->count[v]);
}

/* Checks vertices with short rows, at equal distances over the whole graph. */
static void sample_vertices(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct triangles_check *check = context;
    uint32_t *neighbour = check->buffer + worker * check->longest;
    for (uint64_t i = begin; i < end; i++) {
        uint64_t state = i, v = gws_random_next(&state) % check->graph->vertices, triangles = 0, arcs = 0;
        if (gws_graph_degree(check->graph, (uint32_t)v) > longest_row) continue;
        uint64_t count = neighbours_of(check->graph, (uint32_t)v, false, neighbour);
        for (uint64_t a = 0; a < count; a++)
            for (uint64_t b = 0; b < a; b++) {
                if (!closes(check->graph, neighbour[a], neighbour[b])) continue;
                triangles++;
                arcs += arcs_between(check, neighbour[a], neighbour[b]);
            }
        check_vertex(check, v, triangles, arcs);
    }
}

/* ---- random wedges ---- */

/* Draws a neighbour of v uniformly at random. To this end, the function draws again after a loop, and after any
 * parallel arc but the first to a neighbour. */
static uint32_t draw_neighbour(const struct gws_graph *graph, uint32_t v, uint64_t *state)
{
    for (;;) {
        uint64_t a = graph->offset[v] + gws_random_next(state) % gws_graph_degree(graph, v);
        uint32_t to = graph->target[a];
        if (to != v && (a == graph->offset[v] || graph->target[a - 1] != to)) return to;
    }
}

static void sample_wedges(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct triangles_check *check = context;
    uint64_t wedges = check->wedges_before[check->graph->vertices], closed = 0;
    (void)worker;
    for (uint64_t i = begin; i < end; i++) {
        uint64_t state = ~i;
        uint64_t wedge = gws_random_next(&state) % wedges;
        uint32_t v = (uint32_t)gws_bounds_find(check->wedges_before, 1, check->graph->vertices, wedge);
        uint32_t a = draw_neighbour(check->graph, v, &state), b = a;
        while (a == b) b = draw_neighbour(check->graph, v, &state);
        closed += closes(check->graph, a, b);
    }
    add(&check->found, closed);
}

/* ---- the verdict ---- */

static gws_status check_triangles(const struct triangles_check *check, struct gws_diagnostic *where)
{
    uint64_t said = check->result->triangles;
    if (check->searches <= whole && check->found != said)
        return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0,
                                  "%" PRIu64 " triangles, the result says %" PRIu64, check->found, said);
    double part = (double)check->found / sampled_wedges, off = fabs(part - check->result->transitivity);
    double variance = (part * (1 - part) + 1.0 / sampled_wedges) / sampled_wedges;
    if (check->searches > whole && off > deviations * sqrt(variance))
        return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0,
                                  "of %d random wedges a part of %g is closed, the result says %g", sampled_wedges,
                                  part, check->result->transitivity);
    if (check->first == UINT64_MAX) return GWS_OK;
    return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0,
                              "vertex %" PRIu64 " has another number of triangles or clustering coefficient",
                              gws_graph_id(check->graph, (uint32_t)check->first));
}

static void search(struct triangles_check *check)
{
    uint64_t vertices = check->graph->vertices;
    if (check->searches <= whole) {
        for (uint64_t v = 0; v < vertices; v++) {
            atomic_init(&check->count[v], 0);
            if (check->arcs) atomic_init(&check->arcs[v], 0);
        }
        ask_for(check->runtime, vertices, 256, search_pairs, check);
        ask_for(check->runtime, vertices, 4096, compare_vertices, check);
        return;
    }
    ask_for(check->runtime, sampled_vertices, 16, sample_vertices, check);
    ask_for(check->runtime, sampled_wedges, 4096, sample_wedges, check);
}

static gws_status count_again(struct triangles_check *check, struct gws_diagnostic *where)
{
    uint64_t vertices = check->graph->vertices, sum = 0;
    ask_for(check->runtime, vertices, 1024, count_wedges, check);
    if (gws_cancelled(check->runtime)) return GWS_CANCELLED; /* some wedges are missing */
    for (uint64_t v = 0; v <= vertices; v++) {
        uint64_t wedges = v < vertices ? check->wedges_before[v] : 0;
        check->wedges_before[v] = sum;
        sum += wedges;
    }
    gws_status status = check_sums(check, where);
    if (status == GWS_OK) search(check);
    return status == GWS_OK ? check_triangles(check, where) : status;
}

/* Runs the check. A vertex has at most sqrt(arcs) neighbours of the same or a higher degree. */
static gws_status triangles_check(struct gws_runtime *runtime, const struct gws_graph *graph,
                                  const struct gws_triangles_result *result, struct gws_diagnostic *where)
{
    uint64_t vertices = graph->vertices, workers = gws_runtime_workers(runtime);
    struct triangles_check check = {
        .runtime = runtime, .graph = graph, .original = graph, .result = result, .first = UINT64_MAX};
    struct gws_graph *symmetric = NULL;
    if (result->vertices != vertices)
        return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0, "the result belongs to another graph");
    gws_status status = graph->directed ? gws_graph_symmetrise(runtime, graph, &symmetric) : GWS_OK;
    if (status != GWS_OK) return gws_diagnostic_status(where, status);
    if (symmetric) check.graph = symmetric;
    check.longest = (uint64_t)sqrt((double)check.graph->arcs) + longest_row;
    check.buffer = gws_allocate(runtime, workers * check.longest, sizeof *check.buffer);
    check.count = gws_allocate(runtime, vertices, sizeof *check.count);
    if (result->directed) check.arcs = gws_allocate(runtime, vertices, sizeof *check.arcs);
    check.wedges_before = gws_allocate(runtime, vertices + 1, sizeof *check.wedges_before);
    bool fits = check.buffer && check.count && (check.arcs || !result->directed) && check.wedges_before;
    status = fits ? count_again(&check, where) : gws_diagnostic_status(where, GWS_NO_MEMORY);
    gws_release(runtime, check.wedges_before, vertices + 1, sizeof *check.wedges_before);
    gws_release(runtime, (void *)check.arcs, vertices, sizeof *check.arcs);
    gws_release(runtime, (void *)check.count, vertices, sizeof *check.count);
    gws_release(runtime, check.buffer, workers * check.longest, sizeof *check.buffer);
    gws_graph_destroy(symmetric);
    return status;
}

gws_status gws_triangles_check(struct gws_runtime *runtime, const struct gws_graph *graph,
                               const struct gws_triangles_result *result, struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, ask_end(runtime, triangles_check(runtime, graph, result, where), where));
}
