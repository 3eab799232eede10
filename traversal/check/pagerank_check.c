/* SPDX-License-Identifier: MIT */
/* Checks PageRank by its definition. The ranks must be a fixed point of one step of the walk, within the error that
 * the result claims. The check shares no code with the algorithm. The check computes the step in double, row by row,
 * and adds up the mass of dangling vertices separately.
 *
 * This rule suffices, since the step contracts distances by the factor damping. So ranks that the step changes by r
 * lie within r / (1 - damping) of the only fixed point. */
#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>

#include "ask.h"
#include "pagerank_check.h"

struct rank_check {
    const struct gws_graph *graph, *in;
    const double *rank;
    double *step; /* the ranks after one more step, at first the mass that restarts at each vertex */
    double damping;
    _Atomic double sum, dangling, residual;
    _Atomic uint64_t first; /* the smallest vertex whose rank is not a number from 0 to 1 */
};

static void add(_Atomic double *to, double value)
{
    double old = atomic_load(to);
    while (!atomic_compare_exchange_weak(to, &old, old + value)) continue;
}

static void sum_range(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct rank_check *check = context;
    double sum = 0, dangling = 0;
    (void)worker;
    for (uint64_t v = begin; v < end; v++) {
        double rank = check->rank[v];
        uint64_t first = atomic_load(&check->first);
        if (!(rank >= 0 && rank <= 1 + 1e-9))
            while (v < first && !atomic_compare_exchange_weak(&check->first, &first, v)) continue;
        sum += rank;
        if (gws_graph_degree(check->graph, (uint32_t)v) == 0) dangling += rank;
    }
    add(&check->sum, sum);
    add(&check->dangling, dangling);
}

static void step_range(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct rank_check *check = context;
    double residual = 0;
    (void)worker;
    for (uint64_t v = begin; v < end; v++) {
        double arrives = 0;
        for (uint64_t a = check->in->offset[v]; a < check->in->offset[v + 1]; a++) {
            uint32_t from = check->in->target[a];
            arrives += check->rank[from] / (double)gws_graph_degree(check->graph, from);
        }
        residual += fabs(check->step[v] + check->damping * arrives - check->rank[v]);
    }
    add(&check->residual, residual);
}

static void set_restarts(const struct rank_check *check, const struct gws_pagerank_options *options)
{
    double mass = 1 - check->damping + check->damping * check->dangling;
    uint64_t vertices = check->graph->vertices;
    for (uint64_t v = 0; v < vertices; v++) check->step[v] = options->source ? 0 : mass / (double)vertices;
    for (uint64_t i = 0; options->source && i < options->sources; i++)
        check->step[options->source[i]] += mass / (double)options->sources;
}

static gws_status check_ranks(struct gws_runtime *runtime, struct rank_check *check,
                              const struct gws_pagerank_options *options, double bound, struct gws_diagnostic *where)
{
    ask_for(runtime, check->graph->vertices, 4096, sum_range, check);
    if (check->first != UINT64_MAX)
        return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0, "vertex %" PRIu64 " has the rank %g",
                                  gws_graph_id(check->graph, (uint32_t)check->first), check->rank[check->first]);
    if (fabs(check->sum - 1) > 1e-9)
        return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0, "the ranks sum to %.12g", check->sum);
    set_restarts(check, options);
    ask_for(runtime, check->graph->vertices, 1024, step_range, check);
    if (!(check->residual <= bound))
        return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0,
                                  "one more step changes the ranks by %g, above the error of %g", check->residual,
                                  bound);
    return GWS_OK;
}

gws_status gws__pagerank_check_counts(uint64_t vertices, const struct gws_pagerank_options *options,
                                      const struct gws_pagerank_result *result, struct gws_diagnostic *where)
{
    double tolerance = options->tolerance == 0 ? 1e-6 : options->tolerance;
    uint32_t max = options->max_iterations == 0 ? 1000 : options->max_iterations;
    if (result->vertices != vertices || !result->rank)
        return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0, "the result belongs to another graph");
    if (!(result->error >= 0) || result->iterations > max || (result->iterations == 0 && vertices > 0))
        return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0, "%" PRIu32 " iterations and an error of %g",
                                  result->iterations, result->error);
    if (result->converged != (result->error <= tolerance) && vertices > 0)
        return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0, "an error of %g is said to be %s the tolerance",
                                  result->error, result->converged ? "within" : "above");
    if (!result->converged && result->iterations < max && vertices > 0)
        return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0, "the run ended before %" PRIu32 " iterations",
                                  max);
    return GWS_OK;
}

gws_status gws__pagerank_check_options(const struct gws_graph *graph, const struct gws_pagerank_options *options)
{
    if (!(options->damping >= 0 && options->damping < 1) || isnan(options->tolerance)) return GWS_INVALID;
    if (options->source && (options->sources == 0 || options->sources > UINT32_MAX)) return GWS_INVALID;
    for (uint64_t i = 0; options->source && i < options->sources; i++)
        if (options->source[i] >= graph->vertices) return GWS_OUT_OF_RANGE;
    return graph->directed && !graph->reverse ? GWS_NEEDS_REVERSE : GWS_OK;
}

double gws__pagerank_slack(const struct gws_pagerank_options *options)
{
    bool narrow = options->precision == GWS_PAGERANK_FLOAT;
    if (options->precision == GWS_PAGERANK_AUTO) narrow = options->tolerance == 0 || options->tolerance >= 2.5e-7;
    return narrow ? 2.5e-7 : 1e-12;
}

static gws_status pagerank_check(struct gws_runtime *runtime, const struct gws_graph *graph,
                                 const struct gws_pagerank_options *options, const struct gws_pagerank_result *result,
                                 struct gws_diagnostic *where)
{
    const struct gws_pagerank_options none = {0};
    if (!options) options = &none;
    gws_status status = gws__pagerank_check_options(graph, options);
    if (status != GWS_OK) return gws_diagnostic_status(where, status);
    status = gws__pagerank_check_counts(graph->vertices, options, result, where);
    if (status != GWS_OK || graph->vertices == 0) return status;
    struct rank_check check = {.graph = graph, .in = graph->directed ? graph->reverse : graph, .rank = result->rank};
    check.damping = options->damping == 0 ? 0.85 : options->damping;
    check.first = UINT64_MAX;
    check.step = gws_allocate(runtime, graph->vertices, sizeof *check.step);
    if (!check.step) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    status = check_ranks(runtime, &check, options, result->error + gws__pagerank_slack(options), where);
    gws_release(runtime, check.step, graph->vertices, sizeof *check.step);
    return status;
}

gws_status gws_pagerank_check(struct gws_runtime *runtime, const struct gws_graph *graph,
                              const struct gws_pagerank_options *options, const struct gws_pagerank_result *result,
                              struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, ask_end(runtime, pagerank_check(runtime, graph, options, result, where), where));
}
