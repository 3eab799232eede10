/* SPDX-License-Identifier: MIT */
/* Checks PageRank of a parted graph by one step in double (see pagerank_check.c). All parts gather what each vertex
 * gives to each of its arcs; then each part computes the step for its own vertices. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "../../lib/hetero/ranks.h"
#include "../../lib/parallel.h"
#include "../rank_pagerank.h"
#include "pagerank_check.h"

struct step_check {
    struct gws_runtime *runtime;
    const struct gws_rank_graph *graph, *in;
    const struct gws_pagerank_options *options;
    const double *rank;
    double *given;   /* of each vertex of the graph to each of its arcs */
    double *restart; /* of each own vertex: how often the list has it */
    uint64_t *words; /* for an all-gather: of each part, ... */
    uint64_t *word;  /* ... and a number of each part */
    double damping;
};

static gws_status allocate(struct step_check *check)
{
    const uint64_t ranks = gws_transport_ranks(check->graph->transport);
    check->given = gws_allocate(check->runtime, check->graph->vertices, sizeof *check->given);
    check->restart = gws_allocate(check->runtime, check->graph->rows, sizeof *check->restart);
    check->words = gws_allocate(check->runtime, ranks, sizeof *check->words);
    check->word = gws_allocate(check->runtime, ranks, sizeof *check->word);
    return check->given && check->restart && check->words && check->word ? GWS_OK : GWS_NO_MEMORY;
}

static void release(struct step_check *check)
{
    const uint64_t ranks = gws_transport_ranks(check->graph->transport);
    gws_release(check->runtime, check->given, check->graph->vertices, sizeof *check->given);
    gws_release(check->runtime, check->restart, check->graph->rows, sizeof *check->restart);
    gws_release(check->runtime, check->words, ranks, sizeof *check->words);
    gws_release(check->runtime, check->word, ranks, sizeof *check->word);
}

/* Returns the sum of a number over all parts, the same on all. */
static double sum_of(const struct step_check *check, double own)
{
    const uint32_t ranks = gws_transport_ranks(check->graph->transport);
    double sum = 0;
    for (uint32_t r = 0; r < ranks; r++) check->words[r] = 1;
    memcpy(&check->word[gws_transport_rank(check->graph->transport)], &own, sizeof own);
    gws_transport_allgather(check->graph->transport, check->word, check->words);
    for (uint32_t r = 0; r < ranks; r++) {
        double part;
        memcpy(&part, &check->word[r], sizeof part);
        sum += part;
    }
    return sum;
}

static uint64_t degree_of(const struct step_check *check, uint64_t row)
{
    return check->graph->offset[row + 1] - check->graph->offset[row];
}

static void gather_given(const struct step_check *check)
{
    const struct gws_rank_graph *graph = check->graph;
    double *own = check->given + graph->first;
    for (uint64_t row = 0; row < graph->rows; row++)
        own[row] = degree_of(check, row) > 0 ? check->rank[row] / (double)degree_of(check, row) : 0;
    for (uint64_t r = 0; r < gws_transport_ranks(graph->transport); r++) {
        const uint64_t first = r * graph->block, left = first < graph->vertices ? graph->vertices - first : 0;
        check->words[r] = left < graph->block ? left : graph->block;
    }
    gws_transport_allgather(graph->transport, (uint64_t *)check->given, check->words);
}

/* Returns the sum of the changes of this part's ranks by one more step. */
static double step(const struct step_check *check, double dangling)
{
    const struct gws_rank_graph *graph = check->graph;
    const struct gws_pagerank_options *options = check->options;
    const double entries = (double)(options->source ? options->sources : graph->vertices);
    const double mass = (1 - check->damping + check->damping * dangling) / entries;
    double residual = 0;
    for (uint64_t row = 0; row < graph->rows; row++) check->restart[row] = options->source ? 0 : 1;
    for (uint64_t i = 0; options->source && i < options->sources; i++)
        if (options->source[i] - graph->first < graph->rows) check->restart[options->source[i] - graph->first]++;
    for (uint64_t row = 0; row < graph->rows && !gws_cancelled_at(check->runtime, row); row++) {
        double arrives = 0;
        for (uint64_t arc = check->in->offset[row]; arc < check->in->offset[row + 1]; arc++)
            arrives += check->given[check->in->target[arc]];
        residual += fabs(mass * check->restart[row] + check->damping * arrives - check->rank[row]);
    }
    return residual;
}

static gws_status check_ranks(const struct step_check *check, double bound, struct gws_diagnostic *where)
{
    const struct gws_rank_graph *graph = check->graph;
    uint64_t inverse = 0;
    double sum = 0, dangling = 0;
    for (uint64_t row = graph->rows; row-- > 0;) {
        if (!(check->rank[row] >= 0 && check->rank[row] <= 1 + 1e-9)) inverse = ~(graph->first + row);
        sum += check->rank[row];
        if (degree_of(check, row) == 0) dangling += check->rank[row];
    }
    gws_transport_max(graph->transport, &inverse, 1);
    if (inverse > 0)
        return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0,
                                  "vertex %" PRIu64 " has a rank that is not from 0 to 1", ~inverse);
    sum = sum_of(check, sum);
    dangling = sum_of(check, dangling);
    if (fabs(sum - 1) > 1e-9)
        return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0, "the ranks sum to %.12g", sum);
    gather_given(check);
    const double residual = sum_of(check, step(check, dangling));
    const gws_status status =
        gws_transport_agree(graph->transport, gws_cancelled(check->runtime) ? GWS_CANCELLED : GWS_OK);
    if (status != GWS_OK) return gws_diagnostic_status(where, status);
    if (residual <= bound) return GWS_OK;
    return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0,
                              "one more step changes the ranks by %g, above the error of %g", residual, bound);
}

static gws_status rank_pagerank_check(struct gws_runtime *runtime, const struct gws_rank_graph *graph,
                                      const struct gws_pagerank_options *options,
                                      const struct gws_rank_pagerank_result *result, struct gws_diagnostic *where)
{
    const struct gws_pagerank_options none = {0};
    const struct gws_graph reverse = {0};
    const struct gws_graph about = {
        .vertices = graph->vertices, .directed = graph->directed, .reverse = graph->reverse ? &reverse : NULL};
    const struct gws_pagerank_result numbers = {.vertices = result->rows == graph->rows ? graph->vertices : 0,
                                                .rank = result->rank,
                                                .iterations = result->iterations,
                                                .converged = result->converged,
                                                .error = result->error};
    if (!options) options = &none;
    gws_status status = gws__pagerank_check_options(&about, options);
    if (status != GWS_OK) return gws_diagnostic_status(where, status);
    status = gws__pagerank_check_counts(graph->vertices, options, &numbers, where);
    status = gws__ranks_agree(graph->transport, status, where);
    if (status != GWS_OK || graph->vertices == 0 || !result->rank) return status;
    if (graph->vertices > INT32_MAX) return gws_diagnostic_status(where, GWS_TOO_LARGE);
    struct step_check check = {.runtime = runtime,
                               .graph = graph,
                               .in = graph->directed ? graph->reverse : graph,
                               .options = options,
                               .rank = result->rank,
                               .damping = options->damping == 0 ? 0.85 : options->damping};
    status = gws__ranks_agree(graph->transport, allocate(&check), where);
    if (status == GWS_OK) status = check_ranks(&check, result->error + gws__pagerank_slack(options), where);
    release(&check);
    return status;
}

gws_status gws_rank_pagerank_check(struct gws_runtime *runtime, const struct gws_rank_graph *graph,
                                   const struct gws_pagerank_options *options,
                                   const struct gws_rank_pagerank_result *result, struct gws_diagnostic *where)
{
    return GWS__RANKS_CALL(runtime, graph->transport, where,
                           rank_pagerank_check(runtime, graph, options, result, where));
}
