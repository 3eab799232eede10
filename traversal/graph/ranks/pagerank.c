/* SPDX-License-Identifier: MIT */
/* PageRank of a parted graph: the loops of ../pagerank/ on each part's rows, with the shares of all vertices that their
 * arcs read (pagerank_shares.c), and sums in fixed point, which do not depend on the parts. */
#include <math.h>
#include <string.h>

#include "../../rank_pagerank.h"
#include "../pagerank/state.h"
#include "pagerank_shares.h"

struct ranking {
    struct gws__pagerank run; /* of this part's rows */
    struct gws__rank_shares shares;
    const struct gws_rank_graph *graph;
    const struct gws__pagerank_loops *loops;
    struct gws_pagerank_options options;
    void *next;     /* in float: the shares of the next iteration; in double they lie in the ranks */
    uint64_t begin; /* the first task of a group */
    double given, total;
};

/* ---- memory ---- */

void gws_rank_pagerank_result_clear(struct gws_rank_pagerank_result *result)
{
    if (!result) return;
    if (result->runtime) gws_release(result->runtime, result->rank, result->rows, sizeof *result->rank);
    *result = (struct gws_rank_pagerank_result){0};
}

static gws_status set_restarts(struct ranking *self)
{
    struct gws__pagerank *run = &self->run;
    const struct gws_pagerank_options *options = &self->options;
    run->entries = (double)(options->source ? options->sources : self->graph->vertices);
    if (!options->source) return GWS_OK;
    run->restarts = gws_allocate(run->runtime, run->vertices, sizeof *run->restarts);
    if (!run->restarts) return GWS_NO_MEMORY;
    memset(run->restarts, 0, run->vertices * sizeof *run->restarts);
    for (uint64_t i = 0; i < options->sources; i++)
        if (options->source[i] - self->graph->first < self->graph->rows)
            run->restarts[options->source[i] - self->graph->first]++;
    return GWS_OK;
}

static gws_status open_run(struct ranking *self, struct gws_rank_pagerank_result *result)
{
    struct gws__pagerank *run = &self->run;
    const struct gws_rank_graph *graph = self->graph, *in = self->shares.in;
    const bool narrow = self->options.precision == GWS_PAGERANK_FLOAT;
    self->loops = narrow ? &gws__pagerank_float : &gws__pagerank_double;
    self->shares.item_bytes = narrow ? sizeof(float) : sizeof(double);
    run->vertices = graph->rows;
    run->arcs = in->offset[graph->rows];
    run->offset = in->offset;
    run->source = in->target;
    run->out = graph->offset;
    run->damping = self->options.damping;
    result->runtime = run->runtime;
    result->rows = graph->rows;
    result->rank = run->rank = gws_allocate(run->runtime, graph->rows, sizeof *result->rank);
    if (narrow) self->next = gws_allocate(run->runtime, graph->rows, sizeof(float));
    run->next = narrow ? self->next : run->rank;
    if (!run->rank || !run->next) return GWS_NO_MEMORY;
    gws_status status = set_restarts(self);
    return status == GWS_OK ? gws__pagerank_plan(run) : status;
}

static void close_run(struct ranking *self)
{
    struct gws__pagerank *run = &self->run;
    gws__pagerank_plan_free(run);
    gws_release(run->runtime, run->restarts, run->vertices, sizeof *run->restarts);
    gws_release(run->runtime, self->next, run->vertices, sizeof(float));
    gws__rank_shares_close(&self->shares);
}

/* ---- iterations ---- */

static double value_of(const uint64_t word[2])
{
    return (double)word[0] * 0x1p-40 + (double)word[1] * 0x1p-72;
}

/* Adds up the shares in `next`, over all parts, makes them the current ones and exchanges them. status: of this part.
 * Returns that of all, and sets the error of the iteration. */
static gws_status end_iteration(struct ranking *self, gws_status status, double *error)
{
    struct gws__pagerank *run = &self->run;
    const uint64_t blocks = (run->vertices + pagerank_block - 1) / pagerank_block;
    uint64_t sum[pagerank_words + 1] = {0};
    for (int i = 0; i < pagerank_words; i++) atomic_store_explicit(&run->exact[i], 0, memory_order_relaxed);
    if (status == GWS_OK) status = gws_parallel_try_for(run->runtime, blocks, 64, self->loops->exact, run);
    for (int i = 0; i < pagerank_words; i++) sum[i] = atomic_load_explicit(&run->exact[i], memory_order_relaxed);
    sum[pagerank_words] = status != GWS_OK;
    gws__rank_shares_exchange(&self->shares, run->next, sum, pagerank_words + 1);
    if (sum[pagerank_words] > 0) return gws_transport_agree(self->graph->transport, status);
    *error = value_of(&sum[pagerank_error]);
    self->given = value_of(&sum[pagerank_given]);
    self->total = value_of(&sum[pagerank_total]);
    return GWS_OK;
}

static void pull_group(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct ranking *self = context;
    self->loops->pull(&self->run, worker, self->begin + begin, self->begin + end);
}

/* Computes the next shares of all rows. First come the heavy ones, then groups of tasks: the shares of a group travel
 * while the next one is computed. */
static gws_status pull_all(struct ranking *self)
{
    enum { part_rows = 1 << 14 };
    struct gws__pagerank *run = &self->run;
    const struct gws__pagerank_plan *plan = &run->plan;
    struct gws__pagerank_sums unused = {0};
    struct gws_loop loop = {.count = plan->pieces, .body = self->loops->pull, .context = run};
    gws_status status = gws_parallel_try(run->runtime, &loop);
    if (status == GWS_OK) self->loops->heavy(run, &unused);
    loop.body = pull_group;
    loop.context = self;
    const bool all = self->shares.shared.all || !gws_transport_overlaps(self->graph->transport);
    for (uint64_t task = 0, end; task < plan->tasks && status == GWS_OK; task = end) {
        for (end = task + 1; end < plan->tasks && (all || plan->first[end] - plan->first[task] < part_rows);) end++;
        self->begin = plan->pieces + task;
        loop.count = end - task;
        status = gws_parallel_try(run->runtime, &loop);
        if (status == GWS_OK) gws__rank_shares_part(&self->shares, run->next, plan->first[end]);
    }
    return status;
}

static gws_status iterate(struct ranking *self, double *error)
{
    struct gws__pagerank *run = &self->run;
    run->restart = (1 - run->damping * self->given) / run->entries;
    gws_status status = pull_all(self);
    /* No part writes shares that another one still reads. */
    if (self->shares.shared.all) status = gws_transport_agree(self->graph->transport, status);
    return end_iteration(self, status, error);
}

/* Writes the first shares. */
static gws_status begin(struct ranking *self)
{
    struct gws__pagerank *run = &self->run;
    void *next = run->next;
    double unused;
    run->all = self->shares.all;
    run->now = gws__rank_shares_own(&self->shares);
    run->restart = 1 / run->entries;
    gws_status status = gws_parallel_try_for(run->runtime, run->plan.tasks, 1, self->loops->begin, run);
    run->next = run->now;
    status = end_iteration(self, status, &unused);
    run->next = next;
    return status;
}

static gws_status run_all(struct ranking *self, struct gws_rank_pagerank_result *result)
{
    struct gws__pagerank *run = &self->run;
    gws_status status = begin(self);
    while (status == GWS_OK && !result->converged && result->iterations < self->options.max_iterations) {
        status = iterate(self, &result->error);
        result->converged = result->error <= self->options.tolerance;
        gws_report_progress(run->runtime, "ranking", ++result->iterations, 0);
    }
    if (status != GWS_OK) return status;
    run->scale = 1 / self->total;
    status = gws_parallel_try_for(run->runtime, run->vertices, 4096, self->loops->write, run);
    return gws_transport_agree(self->graph->transport, status);
}

/* ---- the call ---- */

static gws_status set_options(struct ranking *self, const struct gws_pagerank_options *options)
{
    const struct gws_rank_graph *graph = self->graph;
    const struct gws_graph reverse = {0};
    const struct gws_graph about = {
        .vertices = graph->vertices, .directed = graph->directed, .reverse = graph->reverse ? &reverse : NULL};
    return gws__pagerank_options(&about, options, &self->options);
}

static gws_status rank_pagerank(struct gws_runtime *runtime, const struct gws_rank_graph *graph,
                                const struct gws_pagerank_options *options, struct gws_rank_pagerank_result *result,
                                struct gws_diagnostic *where)
{
    const double began = gws_clock_ms();
    struct ranking self = {.graph = graph, .run.runtime = runtime};
    gws_rank_pagerank_result_clear(result);
    gws_status status = set_options(&self, options);
    if (status != GWS_OK) return gws_diagnostic_status(where, status);
    self.shares =
        (struct gws__rank_shares){.runtime = runtime, .graph = graph, .in = graph->directed ? graph->reverse : graph};
    status = gws__ranks_agree(graph->transport, open_run(&self, result), where);
    if (status == GWS_OK) status = gws__rank_shares_open(&self.shares, where);
    if (status == GWS_OK && graph->vertices > 0) status = gws_diagnostic_status(where, run_all(&self, result));
    result->received = self.shares.received;
    close_run(&self);
    if (status != GWS_OK) {
        gws_rank_pagerank_result_clear(result);
        return status;
    }
    if (graph->vertices == 0) result->converged = true;
    result->ms = gws_clock_ms() - began;
    return GWS_OK;
}

gws_status gws_rank_pagerank(struct gws_runtime *runtime, const struct gws_rank_graph *graph,
                             const struct gws_pagerank_options *options, struct gws_rank_pagerank_result *result,
                             struct gws_diagnostic *where)
{
    return GWS__RANKS_CALL(runtime, graph->transport, where, rank_pagerank(runtime, graph, options, result, where));
}
